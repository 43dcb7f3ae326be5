-- What a policy is worth when a collapse weighs more, or less, than a correction.

with policies as (
    select * from {{ ref('replay') }}
    where n_answered > 0
),

ratios as (
    select unnest([{{ var('weight_ratios') | join(', ') }}]::double[]) as weight_ratio
),

valued as (
    select
        policies.*,
        ratios.weight_ratio,
        policies.is_deployable
        and not policies.is_exploratory
        and policies.n_undecidable = 0
        and policies.n_answered = policies.n_debates as is_comparable,
        {{ net_utility('ratios.weight_ratio', 'n_prevented - n_broken', 'n_lost + n_lost_undecided - n_gained', 'n_answered') }}
            as net_utility_points,
    from policies
    cross join ratios
)

select
    cohort,
    coding_rule,
    endpoint,
    policy,
    source,
    is_deployable,
    weight_ratio,
    net_utility_points,
    n_answered,
    -- Among policies that can be deployed and answer every debate; standard debate is 0.
    case
        when is_comparable
            then rank() over (partition by cohort, coding_rule, weight_ratio, is_comparable order by net_utility_points desc)
    end as utility_rank,
    net_utility_points > 0 as beats_standard_debate,
from valued
order by cohort, coding_rule, policy, weight_ratio
