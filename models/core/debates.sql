{{ config(materialized='view') }}

{#- The rules' parameters become CASE branches over the decision columns; which rule takes which is the seed's business. -#}

with debates as (
    select * from {{ ref('int_debates') }}
),

starts as (
    select * from {{ ref('int_debate_starts') }}
),

ends as (
    select * from {{ ref('int_debate_ends') }}
),

-- Which decision column speaks for the rounds and the end, and which round of it is the first break.
rules as (
    select
        *,
        if(final_decision = 'same', panel_decision, 'alphabetical_stored_final') as end_decision,
        if(unread_panel = 'undefined', 'read_', '')
        || if(undecided_round = 'break', 'not_right_', 'wrong_')
        || if(final_decision = 'same', panel_decision, 'alphabetical_stored_final') as break_decision,
    from {{ ref('coding_rules') }}
    {%- if var('coding_rules') %}
    where coding_rule in ('{{ var('coding_rules') | join("', '") }}')
    {%- endif %}
),

decided as (
    select
        debates.debate_id,
        rules.coding_rule,
        rules.undecided_panel,
        rules.unread_panel,
        ends.endpoint,
        ends.end_round,
        ends.carried_forward,
        starts.last_round,
        starts.n_agents,
        starts.has_gold,
        starts.initial_n_parsed,
        starts.initial_n_leaders,
        starts.initial_gold_leads,
        ends.n_parsed,
        ends.n_leaders,
        ends.leaders_hold_gold,
        debates.* exclude (debate_id),
        case rules.panel_decision
            {%- for decision in decisions() %}
            when '{{ decision }}' then starts.initial_{{ decision }}_correct
            {%- endfor %}
        end as initial_decision,
        case rules.end_decision
            {%- for decision in decisions() %}
            when '{{ decision }}' then ends.{{ decision }}_correct
            {%- endfor %}
        end as final_decision,
        {%- for what in ['unread', 'tied'] %}
        case rules.panel_decision
            {%- for decision in decisions() %}
            when '{{ decision }}' then starts.initial_{{ decision }}_{{ what }}
            {%- endfor %}
        end as is_initial_{{ what }},
        case rules.end_decision
            {%- for decision in decisions() %}
            when '{{ decision }}' then ends.{{ decision }}_{{ what }}
            {%- endfor %}
        end as is_final_{{ what }},
        {%- endfor %}
        case rules.break_decision
            {%- for name, decision, condition in breaks() %}
            when '{{ name }}' then starts.{{ name }}
            {%- endfor %}
        end as first_break,
        case rules.panel_decision
            when 'stored' then starts.stored_initial_majority
            when 'normalised' then starts.initial_normalised_majority
            when 'by_kind' then if(starts.is_letters, starts.initial_majority, starts.initial_normalised_majority)
            else starts.initial_majority
        end as initial_answer,
        case
            when rules.panel_decision = 'stored' then ends.stored_majority
            when rules.panel_decision = 'normalised' then ends.normalised_majority
            when rules.panel_decision = 'by_kind' then if(starts.is_letters, ends.majority, ends.normalised_majority)
            when rules.end_decision <> rules.panel_decision then coalesce(ends.stored_final_majority, ends.majority)
            else ends.majority
        end as final_answer,
    from debates
    inner join starts using (debate_id)
    inner join ends
        on starts.debate_id = ends.debate_id and starts.tolerance is not distinct from ends.tolerance
    inner join rules
        on
            ({{ is_recount('rules.panel_decision') }} and starts.has_answers and {{ is_tolerance_of('starts', 'rules.tolerance') }})
            or (rules.panel_decision = 'stored' and starts.tolerance is null and starts.has_stored and ends.stored_correct is not null)
            or (rules.panel_decision = 'agreement' and starts.tolerance is null and starts.has_agreement and ends.has_agreement)
),

-- What an undecided panel counts as, and whether an unread one counts, is the rule's.
coded as (
    select
        *,
        {{ panel_state('initial_decision', 'is_initial_unread') }} as initial_state,
        {{ panel_state('final_decision', 'is_final_unread') }} as final_state,
    from decided
),

celled as (
    select
        *,
        {{ transition_cell('initial_state', 'final_state') }} as cell,
    from coded
),

begun as (
    select
        *,
        if(cell = 'collapse' and {{ break_round('first_break') }} <= end_round, first_break, null) as onset,
    from celled
)

select
    cohort,
    model,
    family,
    lane,
    debate_key,
    coding_rule,
    endpoint,
    file_key,
    line_number,
    arm,
    dialect,
    benchmark,
    question_id,
    source_file,
    mode,
    task,
    condition,
    planned_agents,
    {{ published_label('source_debate_id') }} as source_debate_id,
    {{ published_label('correct_label') }} as correct_label,
    n_agents,
    last_round,
    end_round,
    carried_forward,
    {{ published_label('initial_answer') }} as initial_answer,
    {{ published_label('final_answer') }} as final_answer,
    initial_state,
    final_state,
    cell,
    case
        when cell <> 'undefined' then null
        when not has_gold then 'no_gold'
        when initial_state = 'unread' then 'unread'
        when initial_state = 'undecided' then if(initial_n_parsed = 0, 'no_initial', 'tie')
        when final_state = 'unread' then 'unread'
        else if(n_parsed = 0, 'no_final', 'tie')
    end as undefined_reason,
    {{ break_round('onset') }} as onset_round,
    is_initial_unread,
    is_final_unread,
    {{ is_break_unread('onset') }} as is_onset_unread,
    is_initial_tied,
    is_final_tied,
    {{ is_break_tied('onset') }} as is_onset_tied,
    {%- for at, state, leaders, gold_leads in [
        ('initial', 'initial_state', 'initial_n_leaders', 'initial_gold_leads'),
        ('final', 'final_state', 'n_leaders', 'leaders_hold_gold'),
    ] %}
    case
        when undecided_panel <> 'undecided' or {{ state }} is null then null
        when {{ state }} = 'right' then 1
        when {{ state }} = 'undecided' and {{ gold_leads }} then 1.0::double / {{ leaders }}
        else 0
    end as {{ at }}_expected_score,
    {%- endfor %}
from begun
