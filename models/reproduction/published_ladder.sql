-- What published policies are worth at each weight ratio, from their counts.

with replays as (
    select * from {{ ref('published_replays') }}
    where n_debates is not null
),

ratios as (
    select unnest([{{ var('weight_ratios') | join(', ') }}]::double[]) as weight_ratio
)

select
    replays.source_table,
    replays.cohort,
    replays.policy,
    ratios.weight_ratio,
    {{ net_utility('ratios.weight_ratio', 'replays.n_prevented', 'replays.n_lost', 'replays.n_debates') }} as net_utility_points,
    replays.n_debates,
from replays
cross join ratios
order by replays.source_table, replays.cohort, replays.policy, ratios.weight_ratio
