-- How ratio and bounds move with the threshold: a higher one forgives more, so the ratio falls and the bound rises, or nothing moves.

with ratios as (
    select * from {{ ref('counterexample_ratios') }}
),

bounds as (
    select * from {{ ref('average_bounds') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

headline as (
    select * from ratios
    where is_headline
)

select
    ratios.cohort,
    ratios.dataset,
    ratios.model,
    ratios.arm,
    ratios.epsilon_name,
    epsilons.epsilon_value,
    bounds.eta,
    ratios.n_counterexample,
    ratios.n_pairs,
    ratios.counterexample_ratio,
    bounds.average_bound_all,
    bounds.average_bound_tested,
    ratios.n_counterexample - headline.n_counterexample as n_more_than_headline,
from ratios
inner join epsilons using (cohort, dataset, model, epsilon_name)
left join bounds using (cohort, dataset, model, arm, epsilon_name)
left join headline
    on
        ratios.cohort = headline.cohort
        and ratios.dataset = headline.dataset
        and ratios.model = headline.model
        and ratios.arm = headline.arm
order by ratios.cohort, ratios.dataset, ratios.model, ratios.arm, epsilons.epsilon_value, ratios.epsilon_name, bounds.eta
