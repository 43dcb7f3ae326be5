-- The whole search set of a pair and arm: how much of it there is, and the largest score, whose denominator all draws of the pair share.

with draws as (
    select * from {{ ref('int_degradations') }}
    where phase = 'search'
),

stages as (
    select * from {{ ref('int_audit_stages') }}
    where phase = 'search' and n_sources = 1
),

runs as (
    select * from {{ ref('int_audit_runs') }}
)

select
    draws.cohort,
    draws.stage,
    draws.dataset,
    draws.model,
    draws.arm,
    draws.pair_id,
    runs.search_budget,
    count(*) filter (draws.draw <= runs.search_budget) as n_draws,
    count(*) filter (draws.draw <= runs.search_budget and draws.draw_status = 'scored') as n_scored,
    count(*) filter (draws.draw > runs.search_budget) as n_beyond_budget,
    max(draws.num_e8) filter (draws.draw <= runs.search_budget and draws.draw_status = 'scored') as max_num_e8,
    max(draws.den_e8) as den_e8,
from draws
inner join stages
    on
        draws.cohort = stages.cohort
        and draws.dataset = stages.dataset
        and draws.model = stages.model
        and draws.arm = stages.arm
        and draws.pool = stages.pool
inner join runs
    on
        draws.cohort = runs.cohort
        and draws.dataset = runs.dataset
        and draws.model = runs.model
group by all
