-- Sums over the rows of published audits, and means over published folds.

with stability as (
    select * from {{ ref('published_cell_stability') }}
),

folds as (
    select * from {{ ref('published_auc_folds') }}
),

sums as (
    {%- for column in [
        'n_rows', 'n_strict_labeled', 'cell_changed', 'collapse_changed', 'correction_changed', 'init_ties', 'final_ties', 'any_tie_rows',
        'tie_reductions', 'state_reductions',
    ] %}
    select
        'parser_cell_stability' as source_table,
        '{{ column }}' as statistic,
        sum({{ column }})::double as total,
        count(*) as n_parts,
    from stability
    union all
    {%- endfor %}
    select
        'cascade_r1_auc' as source_table,
        'mean AUC: ' || scope || ', ' || features as statistic,
        (sum(auc::decimal(20, 18)) / count(*))::double as total,
        count(*) as n_parts,
    from folds
    group by all
)

select
    source_table,
    statistic,
    total as statistic_value,
    n_parts,
from sums
order by source_table, statistic
