-- Published counts of policies on saved debates, and what follows from them; a pool is the sum of its rows.

with counts as (
    select * from {{ ref('published_replay_counts') }}
),

rows_and_pools as (
    select
        source_table,
        cohort,
        policy,
        n_debates,
        n_prevented,
        n_lost,
    from counts
    union all
    select
        source_table,
        pool as cohort,
        policy,
        sum(n_debates)::bigint as n_debates,
        sum(n_prevented)::bigint as n_prevented,
        sum(n_lost)::bigint as n_lost,
    from counts
    where pool is not null
    group by all
)

select
    source_table,
    cohort,
    policy,
    n_debates,
    n_prevented,
    n_lost,
    n_prevented - n_lost as net_prevented,
    100 * (n_prevented - n_lost) / nullif(n_debates, 0) as accuracy_change_points,
    n_lost / nullif(n_prevented, 0) as break_even_weight,
from rows_and_pools
order by source_table, cohort, policy
