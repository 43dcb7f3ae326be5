-- A draw that passes at a threshold passes at every higher one.

with ratios as (
    select * from {{ ref('counterexample_ratios') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

steps as (
    select
        ratios.*,
        lag(ratios.n_counterexample) over (
            partition by ratios.cohort, ratios.dataset, ratios.model, ratios.arm
            order by epsilons.epsilon_e12, ratios.epsilon_name
        ) as n_at_lower_threshold,
    from ratios
    inner join epsilons using (cohort, dataset, model, epsilon_name)
)

select *
from steps
where n_counterexample > n_at_lower_threshold
