-- Where the sequential test of each generator ended, pair by pair.

with paths as (
    select * from {{ ref('int_pair_paths') }}
)

select
    cohort,
    dataset,
    model,
    arm,
    pair_id,
    epsilon_name,
    generator,
    generator_order,
    generator_status,
    t,
    n_draws,
    test_budget,
from paths
order by cohort, dataset, model, arm, pair_id, epsilon_name, generator_order
