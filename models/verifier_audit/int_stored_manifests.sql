-- Manifests of the second stage beside the settings of the warehouse, the pairs of their results, and the pairs that the first stage left
-- without a counterexample at the threshold of the run (R9).

with manifests as (
    select
        *,
        {{ as_e12('kappa') }} as kappa_e12,
        {{ as_e12('epsilon') }} as epsilon_e12,
    from {{ ref('stg_stored_manifests') }}
),

bounds as (
    select * from {{ ref('stg_stored_bounds') }}
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

maxima as (
    select * from {{ ref('int_search_maxima') }}
),

gains as (
    select * from {{ ref('int_pair_gains') }}
    where pool = 'any' and gain_e8 is not null
),

counted as (
    select
        manifests.file_id,
        count(bounds.pair_id) as n_pairs_of_results,
    from manifests
    left join bounds using (cohort, directory, arm, pool)
    group by all
),

-- The largest score decides whether a pair has a counterexample.
searched as (
    select
        manifests.file_id,
        count(*) as n_searched,
        count(*) filter (
            maxima.n_scored = maxima.search_budget
            and maxima.max_num_e8::hugeint * 10000000000000000
            <= manifests.epsilon_e12 * greatest(manifests.kappa_e12, gains.gain_e8::hugeint * 10000)
        ) as n_clean,
    from manifests
    inner join maxima using (cohort, dataset, model, arm)
    inner join gains using (cohort, stage, dataset, model, arm, pair_id)
    where manifests.epsilon_e12 is not null and manifests.kappa_e12 is not null
    group by all
)

select
    manifests.*,
    runs.kappa as our_kappa,
    runs.test_budget as our_test_budget,
    runs.generators as our_generators,
    epsilons.epsilon as our_epsilon,
    epsilons.epsilon_e12 as our_epsilon_e12,
    counted.n_pairs_of_results,
    searched.n_clean,
from manifests
inner join counted using (file_id)
left join searched using (file_id)
left join runs using (cohort, dataset, model)
left join epsilons
    on
        manifests.cohort = epsilons.cohort
        and manifests.dataset = epsilons.dataset
        and manifests.model = epsilons.model
        and epsilons.epsilon_name = 'p' || manifests.percentile
