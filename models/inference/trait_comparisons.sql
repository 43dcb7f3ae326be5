with rows as (
    select * from {{ ref('int_trait_comparisons') }}
)

select * from rows
order by cohort, alpha_definition, trait
