with rows as (
    select * from {{ ref('int_associations') }}
)

select * from rows
order by cohort, alpha_definition, level, grouping, selection_kind, selection, predictor, outcome, controls
