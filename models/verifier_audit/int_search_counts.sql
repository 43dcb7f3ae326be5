-- Pairs by the verdict of the search, over all pairs of the audit: one that an arm was not searched on is undecided.

with searches as (
    select * from {{ ref('int_pair_searches') }}
),

bounds as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        epsilon_name,
    from {{ ref('int_pair_bounds') }}
),

gains as (
    select * from {{ ref('int_pair_gains') }}
    where pool = 'any'
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

counted as (
    select
        searches.cohort,
        searches.dataset,
        searches.model,
        searches.arm,
        searches.epsilon_name,
        count(*) filter (searches.verdict = 'counterexample') as n_counterexample,
        count(*) filter (searches.verdict = 'boundary') as n_boundary,
        count(*) filter (searches.verdict = 'below') as n_below,
        count(*) filter (gains.gain_e8 <= runs.kappa_e8) as n_at_floor,
        sum(searches.n_above)::bigint as n_draws_above,
        sum(searches.n_scored)::bigint as n_draws_scored,
    from searches
    inner join runs using (cohort, dataset, model)
    left join gains using (cohort, stage, dataset, model, arm, pair_id)
    group by all
),

-- An arm that was tested and not searched here has bounds and no ratio.
cells as (
    select
        bounds.*,
        coalesce(counted.n_counterexample, 0) as n_counterexample,
        coalesce(counted.n_boundary, 0) as n_boundary,
        coalesce(counted.n_below, 0) as n_below,
        counted.n_at_floor,
        coalesce(counted.n_draws_above, 0) as n_draws_above,
        coalesce(counted.n_draws_scored, 0) as n_draws_scored,
    from bounds
    left join counted using (cohort, dataset, model, arm, epsilon_name)
)

select
    cells.*,
    runs.n_pairs,
    runs.n_pairs_expected,
    runs.n_pairs - cells.n_counterexample - cells.n_boundary - cells.n_below as n_undecided,
    -- The ratio is over all pairs: with an undecided one it cannot be told.
    if(
        runs.n_pairs = cells.n_counterexample + cells.n_boundary + cells.n_below, runs.n_pairs, 0
    ) as n_decided_pairs,
from cells
inner join runs using (cohort, dataset, model)
