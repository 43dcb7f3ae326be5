-- Counts of every policy, cohort, rule and model: gates over kinds of debates, policies that landed over debates.

with kinds as (
    select * from {{ ref('int_replay_kinds') }}
),

decisions as (
    select * from {{ ref('int_gate_decisions') }}
),

actions as (
    select * from {{ ref('int_action_outcomes') }}
),

totals as (
    select
        cohort,
        coding_rule,
        endpoint,
        model,
        sum(n)::bigint as n_all,
    from kinds
    group by all
),

decided as (
    select
        kinds.cohort,
        kinds.coding_rule,
        kinds.endpoint,
        kinds.model,
        decisions.policy,
        'gate' as source,
        kinds.initial_state,
        kinds.final_state,
        kinds.cell,
        kinds.is_changed,
        decisions.fires,
        if(decisions.fires, kinds.initial_state, kinds.final_state) as outcome,
        kinds.n,
    from decisions
    inner join kinds using (kind_id)
    union all
    select
        cohort,
        coding_rule,
        endpoint,
        model,
        policy,
        'landed' as source,
        initial_state,
        final_state,
        cell,
        is_changed,
        fires,
        outcome,
        1 as n,
    from actions
    where outcome is not null
),

counted as (
    select
        cohort,
        coding_rule,
        endpoint,
        model,
        policy,
        source,
        {%- for name, condition in [
            ('n_debates', 'true'),
            ('n_fired', 'fires'),
            ('n_collapse', "cell = 'collapse'"),
            ('n_correction', "cell = 'correction'"),
            ('n_prevented', "cell = 'collapse' and outcome = 'right'"),
            ('n_lost', "cell = 'correction' and outcome in ('wrong', 'undecided')"),
            ('n_lost_undecided', "cell = 'undecided_correct' and outcome in ('wrong', 'undecided')"),
            ('n_gained', "cell = 'unrepaired' and outcome = 'right'"),
            ('n_broken', "cell = 'preserved' and outcome in ('wrong', 'undecided')"),
            ('n_abstained_right', "final_state = 'right' and outcome = 'abstained'"),
            ('n_abstained_wrong', "final_state <> 'right' and outcome = 'abstained'"),
            ('n_standard_correct', "final_state = 'right'"),
            ('n_policy_correct', "outcome = 'right'"),
        ] %}
        coalesce(sum(n) filter ({{ condition }}), 0)::bigint as {{ name }},
        {%- endfor %}
        -- Debates whose answer it puts back, but not their being right or wrong; null where some source does not tell answers.
        if(
            bool_or(fires and is_changed is null),
            null,
            coalesce(
                sum(n) filter (fires and is_changed and outcome <> 'abstained' and (outcome = 'right') = (final_state = 'right')), 0
            )
        )::bigint as n_neutral,
    from decided
    group by all
)

select
    counted.*,
    totals.n_all - counted.n_debates as n_undecidable,
from counted
inner join totals using (cohort, coding_rule, endpoint, model)
