-- The anytime-valid lower bound of each pair on the probability that a paraphrase passes, common to all test generators.

with bounds as (
    select * from {{ ref('int_pair_bounds') }}
)

select
    cohort,
    dataset,
    model,
    arm,
    pair_id,
    epsilon_name,
    eta,
    pair_status,
    smallest_t,
    n_test_draws,
    lower_bound,
from bounds
order by cohort, dataset, model, arm, pair_id, epsilon_name, eta
