with rows as (
    select * from {{ ref('int_family_planning') }}
)

select * from rows
order by cohort, alpha_definition, predictor, controls, n_families
