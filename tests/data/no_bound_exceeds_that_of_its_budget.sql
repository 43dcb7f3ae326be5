-- Budgets are at most so many draws, so no bound is above eta^(1/budget).

with bounds as (
    select * from {{ ref('int_pair_bounds') }}
),

runs as (
    select * from {{ ref('int_audit_runs') }}
)

select bounds.*
from bounds
inner join runs using (cohort, dataset, model)
where bounds.lower_bound > pow(bounds.eta::double, 1::double / runs.test_budget)
