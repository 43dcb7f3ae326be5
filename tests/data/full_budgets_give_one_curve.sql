-- Where every passing pair used its whole budget, the mean is the share of such pairs by eta^(1/budget): the points of a curve carry one
-- free number (R16).

with means as (
    select * from {{ ref('average_bounds') }}
    where average_bound_all is not null
),

bounds as (
    select * from {{ ref('int_pair_bounds') }}
    where pair_status = 'NO_COUNTEREXAMPLE'
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

early as (
    select distinct
        bounds.cohort,
        bounds.dataset,
        bounds.model,
        bounds.arm,
        bounds.epsilon_name,
    from bounds
    inner join runs using (cohort, dataset, model)
    where bounds.smallest_t < runs.test_budget
)

select means.*
from means
inner join runs using (cohort, dataset, model)
anti join early using (cohort, dataset, model, arm, epsilon_name)
where
    abs(means.average_bound_all - means.n_no_counterexample / means.n_pairs * pow(means.eta::double, 1::double / runs.test_budget)) > 1e-12
