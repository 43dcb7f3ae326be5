-- Published counts of debates, and what follows from them; a pool is the sum of its rows.

with counts as (
    select * from {{ ref('published_ledger_counts') }}
),

rows_and_pools as (
    select
        source_table,
        source_row,
        false as is_pool,
        * exclude (source_table, source_row, pool),
    from counts
    union all by name
    select
        source_table,
        pool as source_row,
        true as is_pool,
        {%- for column in [
            'n_debates', 'n_initial_correct', 'n_initial_wrong', 'n_collapse', 'n_correction', 'n_final_correct',
            'n_onset_r1', 'n_onset_r2', 'n_onset_r3', 'n_onset_r4',
        ] %}
        sum({{ column }})::bigint as {{ column }},
        {%- endfor %}
    from counts
    where pool is not null
    group by source_table, pool
)

select
    source_table,
    source_row,
    is_pool,
    n_debates,
    n_initial_correct,
    n_initial_wrong,
    n_collapse,
    n_correction,
    n_final_correct,
    n_onset_r1,
    n_onset_r2,
    n_onset_r3,
    n_onset_r4,
    n_correction - n_collapse as net_corrections,
    n_collapse / nullif(n_initial_correct, 0) as conditional_collapse,
    n_correction / nullif(n_initial_wrong, 0) as conditional_correction,
    n_initial_correct / nullif(n_debates, 0) as initial_accuracy,
    n_final_correct / nullif(n_debates, 0) as final_accuracy,
    100 * n_final_correct / nullif(n_debates, 0) as final_accuracy_percent,
from rows_and_pools
order by source_table, source_row, is_pool
