with debates as (
    select
        *,
        {{ net_bounds('initial_state', 'final_state', 'is_initial_unread', 'is_final_unread', 'cell') | indent(8) }}
    from {{ ref('debates') }}
),

known_debates as (
    select * from {{ ref('int_debates') }}
),

-- Debates of a group, whether or not the rule has an answer for them.
totals as (
    {%- for level in ['model', 'family', 'cohort'] %}
    select
        '{{ level }}' as level,
        cohort,
        {{ 'family' if level != 'cohort' else 'null' }}::varchar as family,
        {{ 'model' if level == 'model' else 'null' }}::varchar as model,
        count(*) as n_all_debates,
    from known_debates
    group by all
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

counted as (
    select
        cohort,
        family,
        model,
        coding_rule,
        endpoint,
        count(*) as n_debates,
        count(*) filter (cell <> 'undefined') as n_defined,
        count(*) filter (cell = 'undefined') as n_undefined,
        {%- for reason in ['no_gold', 'no_initial', 'no_final', 'tie', 'unread'] %}
        count(*) filter (undefined_reason = '{{ reason }}') as n_undefined_{{ reason }},
        {%- endfor %}
        {%- for state in ['correct', 'wrong', 'undecided'] %}
        count(*) filter (cell <> 'undefined' and initial_state = '{{ 'right' if state == 'correct' else state }}') as n_initial_{{ state }},
        {%- endfor %}
        count(*) filter (cell <> 'undefined' and final_state = 'right') as n_final_correct,
        count(*) filter (cell = 'preserved') as n_preserved,
        count(*) filter (cell = 'collapse') as n_collapse,
        count(*) filter (cell = 'collapse' and final_state = 'wrong') as n_collapse_wrong,
        count(*) filter (cell = 'collapse' and final_state = 'undecided') as n_collapse_tied,
        count(*) filter (cell = 'correction') as n_correction,
        -- Null where no source of the row holds answers, so that nobody knows what was not parsed.
        {%- for cell in ['collapse', 'correction'] %}
        if(
            count(n_agents) = 0, null, count(*) filter (cell = '{{ cell }}' and (is_initial_unread or is_final_unread))
        ) as n_{{ cell }}_unread,
        if(count(n_agents) = 0, null, count(*) filter (cell = '{{ cell }}' and (is_initial_tied or is_final_tied))) as n_{{ cell }}_by_tie,
        {%- endfor %}
        if(count(n_agents) = 0, null, sum(net_lower)) as net_lower,
        if(count(n_agents) = 0, null, sum(net_upper)) as net_upper,
        count(*) filter (cell = 'unrepaired') as n_unrepaired,
        count(*) filter (cell = 'undecided_correct') as n_undecided_correct,
        count(*) filter (cell = 'collapse' and onset_round is null) as n_unlocalized,
        count(*) filter (carried_forward) as n_carried_forward,
        -- Decimals add up the same in every order.
        sum(initial_expected_score::decimal(18, 15)) as initial_expected_score,
        sum(final_expected_score::decimal(18, 15)) as final_expected_score,
        count(distinct lane) as n_lanes,
        min(n_agents) as min_agents,
        max(n_agents) as max_agents,
        min(last_round) as min_rounds,
        max(last_round) as max_rounds,
    from debates
    group by all
),

summed as (
    {%- for level in ['model', 'family', 'cohort'] %}
    select
        '{{ level }}' as level,
        cohort,
        {{ 'family' if level != 'cohort' else 'null' }}::varchar as family,
        {{ 'model' if level == 'model' else 'null' }}::varchar as model,
        coding_rule,
        endpoint,
        count(*) as n_models,
        {%- for count in ledger_counts() + ['net_lower', 'net_upper', 'n_lanes'] if count != 'n_unavailable' %}
        sum({{ count }})::bigint as {{ count }},
        {%- endfor %}
        sum(initial_expected_score) as initial_expected_score,
        sum(final_expected_score) as final_expected_score,
        min(min_agents) as min_agents,
        max(max_agents) as max_agents,
        min(min_rounds) as min_rounds,
        max(max_rounds) as max_rounds,
    from counted
    group by all
    {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select
    summed.*,
    totals.n_all_debates - summed.n_debates as n_unavailable,
from summed
inner join totals
    on
        summed.level = totals.level
        and summed.cohort = totals.cohort
        and summed.family is not distinct from totals.family
        and summed.model is not distinct from totals.model
