{{ config(materialized='view') }}

-- Every round under every rule, for a close look; the marts go the shorter way over the start and the end.

with panel_rounds as (
    select
        null::double as tolerance,
        *,
    from {{ ref('int_panel_rounds') }}
    union all by name
    select * from {{ ref('int_joined_rounds') }}
),

rules as (
    select
        *,
        if(final_decision = 'same', panel_decision, 'alphabetical_stored_final') as end_decision,
    from {{ ref('coding_rules') }}
    {%- if var('coding_rules') %}
    where coding_rule in ('{{ var('coding_rules') | join("', '") }}')
    {%- endif %}
),

starts as (
    select * from {{ ref('int_debate_starts') }}
),

decided as (
    select
        panel_rounds.debate_id,
        panel_rounds.round,
        rules.coding_rule,
        rules.panel_decision,
        rules.undecided_panel,
        rules.unread_panel,
        panel_rounds.has_gold,
        panel_rounds.majority,
        panel_rounds.normalised_majority,
        panel_rounds.stored_majority,
        panel_rounds.stored_final_majority,
        panel_rounds.n_leaders,
        panel_rounds.is_letters,
        panel_rounds.is_last and not panel_rounds.is_initial and rules.end_decision <> rules.panel_decision as is_stored_end,
        case if(panel_rounds.is_initial, rules.panel_decision, rules.end_decision)
            when 'stored' then coalesce(panel_rounds.stored_correct, panel_rounds.stored_end_correct)
            when 'agreement' then coalesce(panel_rounds.agreement_correct, panel_rounds.agreement_end_correct)
            {%- for decision in recounts() + ['alphabetical_stored_final'] %}
            when '{{ decision }}' then panel_rounds.{{ decision }}_correct
            {%- endfor %}
        end as decision,
        case rules.panel_decision
            {%- for decision in recounts() %}
            when '{{ decision }}' then panel_rounds.{{ decision }}_unread
            {%- endfor %}
        end as is_unread,
        rules.panel_decision = 'stored'
        and coalesce(panel_rounds.stored_correct, panel_rounds.stored_end_correct) is null as is_unknown,
    from panel_rounds
    inner join starts
        on panel_rounds.debate_id = starts.debate_id and panel_rounds.tolerance is not distinct from starts.tolerance
    inner join rules
        on
            ({{ is_recount('rules.panel_decision') }} and starts.has_answers and {{ is_tolerance_of('starts', 'rules.tolerance') }})
            or (rules.panel_decision = 'stored' and starts.tolerance is null and starts.has_stored)
            or (rules.panel_decision = 'agreement' and starts.tolerance is null and starts.has_agreement)
)

select
    debate_id,
    round,
    coding_rule,
    case
        when panel_decision in ('stored', 'agreement') then stored_majority
        when panel_decision = 'normalised' or (panel_decision = 'by_kind' and not is_letters) then normalised_majority
        when panel_decision = 'plurality' and n_leaders > 1 then null
        when is_stored_end then coalesce(stored_final_majority, majority)
        else majority
    end as answer,
    case
        when not has_gold or is_unknown then null
        when unread_panel = 'undefined' and is_unread then 'unread'
        when decision then 'right'
        when decision is null and undecided_panel <> 'wrong' then 'undecided'
        else 'wrong'
    end as state,
from decided
