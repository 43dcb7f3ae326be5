with rows as (
    select * from {{ ref('int_model_pairs') }}
)

select * from rows
order by cohort, alpha_definition, first_model, second_model
