with rows as (
    select * from {{ ref('int_inference_summary') }}
)

select * from rows
order by cohort, alpha_definition
