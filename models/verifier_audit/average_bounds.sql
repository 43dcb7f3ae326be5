-- The mean of the pairs' lower bounds (R16), over all pairs and over the tested ones. The guarantee is per pair; the mean is a summary.

with counts as (
    select * from {{ ref('int_search_counts') }}
),

bounds as (
    select * from {{ ref('int_pair_bounds') }}
),

-- A counterexample of the search adds nothing to the sum, so both means share it. It is made in order, so that its last digit does not
-- depend on that of the rows.
sums as (
    select
        cohort,
        dataset,
        model,
        arm,
        epsilon_name,
        eta,
        coalesce(fsum(lower_bound order by lower_bound), 0) as bound_sum,
        count(lower_bound) as n_bounded,
        count(*) filter (pair_status in ('NO_COUNTEREXAMPLE', 'DEGRADED', 'STOPPED_EARLY')) as n_tested,
    from bounds
    group by all
),

statuses as (
    select
        cohort,
        dataset,
        model,
        arm,
        epsilon_name,
        eta,
        count(*) filter (pair_status = 'NO_COUNTEREXAMPLE') as n_no_counterexample,
        count(*) filter (pair_status = 'DEGRADED') as n_degraded,
        count(*) filter (pair_status = 'STOPPED_EARLY') as n_stopped_early,
        count(*) filter (pair_status = 'SEARCH_COUNTEREXAMPLE') as n_search_counterexample,
        count(*) filter (pair_status = 'INCOMPLETE') as n_incomplete,
        count(*) filter (pair_status = 'NOT_TESTED') as n_not_tested,
    from bounds
    group by all
)

select
    sums.cohort,
    sums.dataset,
    sums.model,
    sums.arm,
    sums.epsilon_name,
    sums.eta,
    1 - sums.eta::decimal(18, 15) as confidence,
    counts.n_pairs,
    sums.n_bounded,
    statuses.n_search_counterexample,
    statuses.n_no_counterexample,
    statuses.n_degraded,
    statuses.n_stopped_early,
    statuses.n_incomplete,
    statuses.n_not_tested,
    counts.n_pairs - sums.n_bounded as n_without_bound,
    if(sums.n_bounded = counts.n_pairs, sums.bound_sum / counts.n_pairs, null) as average_bound_all,
    counts.n_pairs as average_bound_all_n,
    if(statuses.n_incomplete = 0 and sums.n_tested > 0, sums.bound_sum / sums.n_tested, null) as average_bound_tested,
    sums.n_tested as average_bound_tested_n,
from sums
inner join statuses using (cohort, dataset, model, arm, epsilon_name, eta)
inner join counts using (cohort, dataset, model, arm, epsilon_name)
order by sums.cohort, sums.dataset, sums.model, sums.arm, sums.epsilon_name, sums.eta
