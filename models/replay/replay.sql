-- What each policy would have saved and thrown away on saved debates.

with counts as (
    select * from {{ ref('int_replay_counts') }}
),

intervals as (
    select * from {{ ref('int_replay_intervals') }}
),

gates as (
    select * from {{ ref('gates') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

undecidable as (
    select * from {{ ref('int_gate_decisions') }}
    where reason is not null
),

learned as (
    select
        cohort,
        coding_rule,
        policy,
        bool_or(is_exploratory) as is_exploratory,
    from {{ ref('learned_gates') }}
    group by all
),

totals as (
    select
        cohort,
        coding_rule,
        sum(n)::bigint as n_all,
    from {{ ref('int_replay_kinds') }}
    group by all
),

-- A policy whose actions all have problems stands there, too.
landed as (
    select distinct
        cohort,
        policy,
    from {{ ref('int_action_matches') }}
    where cohort is not null and not coalesce(starts_with(problem, 'named like a gate'), false)
),

rules as (
    select distinct
        cohort,
        coding_rule,
        endpoint,
    from counts
),

unheard as (
    select
        landed.cohort,
        rules.coding_rule,
        rules.endpoint,
        landed.policy,
    from landed
    inner join rules using (cohort)
    anti join counts
        on landed.cohort = counts.cohort and rules.coding_rule = counts.coding_rule and landed.policy = counts.policy
),

scored as (
    select
        counts.*,
        null::varchar as reason,
    from counts
    union all by name
    select
        undecidable.cohort,
        undecidable.coding_rule,
        undecidable.endpoint,
        undecidable.policy,
        'gate' as source,
        undecidable.reason,
    from undecidable
    union all by name
    select
        unheard.*,
        'landed' as source,
        'no action counts (table action_problems)' as reason,
    from unheard
)

select
    scored.cohort,
    scored.coding_rule,
    scored.endpoint,
    scored.policy,
    scored.source,
    scored.source = 'landed' or gates.bound is not true as is_deployable,
    coalesce(learned.is_exploratory, false) as is_exploratory,
    coalesce(scored.n_debates, 0) as n_debates,
    coalesce(scored.n_undecidable, totals.n_all) as n_undecidable,
    scored.n_answered,
    scored.n_fired,
    scored.n_fired / nullif(scored.n_debates, 0) as gate_rate,
    scored.n_prevented,
    scored.n_lost,
    scored.n_lost_undecided,
    scored.n_neutral,
    scored.n_gained,
    scored.n_broken,
    scored.n_abstained_right,
    scored.n_abstained_wrong,
    scored.n_standard_correct,
    scored.n_policy_correct,
    {{ net_change('scored') }} as net,
    {{ net_change('scored') }} / nullif(scored.n_answered, 0) as accuracy_change,
    intervals.accuracy_change_ci_lower,
    intervals.accuracy_change_ci_upper,
    scored.n_answered as accuracy_change_n,
    intervals.published_ci_lower,
    intervals.published_ci_upper,
    intervals.n_questions,
    -- What a prevented collapse must be worth in lost corrections for the policy to pay: where the line of weight_ladder crosses 0.
    case
        when scored.n_prevented > scored.n_broken
            then
                greatest(scored.n_lost + scored.n_lost_undecided - scored.n_gained, 0) / (scored.n_prevented - scored.n_broken)
    end as break_even_weight,
    scored.reason,
from scored
inner join totals using (cohort, coding_rule)
left join gates using (policy)
left join learned using (cohort, coding_rule, policy)
-- Intervals are made under the rule that speaks for the cohort.
left join cohorts using (cohort, coding_rule)
left join intervals on cohorts.cohort = intervals.cohort and scored.policy = intervals.policy
order by scored.cohort, scored.coding_rule, scored.policy
