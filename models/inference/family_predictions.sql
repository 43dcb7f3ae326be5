with rows as (
    select * from {{ ref('int_family_predictions') }}
)

select * from rows
order by cohort, alpha_definition, family
