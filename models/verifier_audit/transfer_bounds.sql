-- Bounds carried over to distributions within a total variation of a mixture of the generators (R14). Only the common bound is: a weighted
-- mean of the generators' own bounds is certified by nothing.

with bounds as (
    select * from {{ ref('int_pair_bounds') }}
    where lower_bound is not null
),

radii as (
    select unnest([{{ transfer_radii() | join(', ') }}]::double[]) as radius
)

select
    bounds.cohort,
    bounds.dataset,
    bounds.model,
    bounds.arm,
    bounds.pair_id,
    bounds.epsilon_name,
    bounds.eta,
    radii.radius,
    greatest(0, bounds.lower_bound - radii.radius) as transfer_bound,
from bounds
cross join radii
order by bounds.cohort, bounds.dataset, bounds.model, bounds.arm, bounds.pair_id, bounds.epsilon_name, bounds.eta, radii.radius
