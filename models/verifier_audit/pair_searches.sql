-- The counterexample search, pair by pair: the verdict at each threshold and the largest score behind it, exact and as a number to look at.

with searches as (
    select * from {{ ref('int_pair_searches') }}
),

gains as (
    select * from {{ ref('int_pair_gains') }}
    where pool = 'any'
),

runs as (
    select * from {{ ref('int_audit_runs') }}
)

select
    searches.cohort,
    searches.dataset,
    searches.model,
    searches.arm,
    searches.pair_id,
    searches.epsilon_name,
    searches.epsilon,
    searches.verdict,
    searches.first_counterexample,
    searches.n_above,
    searches.n_equal,
    searches.n_below,
    searches.n_scored,
    searches.search_budget,
    gains.gain_e8,
    searches.den_e8,
    gains.gain_e8 <= runs.kappa_e8 as is_at_floor,
    searches.max_num_e8,
    searches.max_num_e8 / searches.den_e8 as max_degradation,
from searches
inner join runs using (cohort, dataset, model)
left join gains using (cohort, stage, dataset, model, arm, pair_id)
order by searches.cohort, searches.dataset, searches.model, searches.arm, searches.pair_id, searches.epsilon_name
