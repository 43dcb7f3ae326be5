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
        decisions.fires,
        if(decisions.fires, kinds.initial_state, kinds.final_state) as outcome,
        if(decisions.fires, kinds.is_changed, false) as is_other_answer,
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
        fires,
        outcome,
        is_other_answer,
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
            ('n_answered', "outcome <> 'abstained'"),
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
        -- Debates that get another answer, but are as right or wrong as before; null where some source does not tell answers.
        if(
            bool_or(outcome <> 'abstained' and is_other_answer is null),
            null,
            coalesce(sum(n) filter (is_other_answer and outcome <> 'abstained' and (outcome = 'right') = (final_state = 'right')), 0)
        )::bigint as n_neutral,
    from decided
    group by all
)

select
    counted.*,
    totals.n_all - counted.n_debates as n_undecidable,
from counted
inner join totals using (cohort, coding_rule, endpoint, model)
