with cells as (
    select * from {{ ref('int_reparse_cells') }}
),

marked as (
    select
        *,
        has_gold and has_texts as is_row,
        has_gold and has_texts and is_labelled as is_compared,
    from cells
)

select
    cohort,
    model,
    family,
    basis,
    profile,
    count(*) filter (is_row) as n_rows,
    count(*) filter (has_texts and not has_gold) as n_without_key,
    count(*) filter (is_row and is_incomplete) as n_incomplete,
    count(*) filter (is_compared) as n_labelled,
    count(*) filter (is_compared and cell = primary_cell) as n_kept,
    count(*) filter (is_compared and cell <> primary_cell) as n_changed,
    {%- for cell in ['collapse', 'correction'] %}
    count(*) filter (is_compared and (cell = '{{ cell }}') <> (primary_cell = '{{ cell }}')) as n_{{ cell }}_changed,
    count(*) filter (is_row and not is_labelled and primary_cell = '{{ cell }}') as n_primary_{{ cell }}_unlabelled,
    {%- endfor %}
    {%- for cell in transition_cells() %}
    count(*) filter (is_row and primary_cell = '{{ cell }}') as n_primary_{{ cell }},
    count(*) filter (is_row and cell = '{{ cell }}') as n_{{ cell }},
    {%- endfor %}
from marked
group by all
