-- Thresholds that the organism's own scores give, beside the one that the audit uses: a threshold is frozen before an audit.

with thresholds as (
    select * from {{ ref('int_organism_thresholds') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

searches as (
    select * from {{ ref('int_pair_searches') }}
    where arm = 'org'
),

above as (
    select
        cohort,
        dataset,
        model,
        epsilon_name,
        count(*) filter (verdict = 'counterexample') as n_above,
    from searches
    group by all
)

select
    thresholds.cohort,
    thresholds.dataset,
    thresholds.model,
    thresholds.percentile,
    thresholds.convention,
    thresholds.epsilon,
    thresholds.is_raised,
    thresholds.n_pairs,
    thresholds.n_searched,
    epsilons.epsilon as epsilon_used,
    epsilons.epsilon_source,
    above.n_above as n_organism_above_used,
from thresholds
left join epsilons
    on
        thresholds.cohort = epsilons.cohort
        and thresholds.dataset = epsilons.dataset
        and thresholds.model = epsilons.model
        and 'p' || thresholds.percentile = epsilons.epsilon_name
left join above
    on
        thresholds.cohort = above.cohort
        and thresholds.dataset = above.dataset
        and thresholds.model = above.model
        and 'p' || thresholds.percentile = above.epsilon_name
order by thresholds.cohort, thresholds.dataset, thresholds.model, thresholds.percentile::double
