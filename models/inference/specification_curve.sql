with rows as (
    select * from {{ ref('int_specification_curve') }}
)

select * from rows
order by cohort, alpha_definition, pool, correlation, predictor
