with rows as (
    select * from {{ ref('int_association_draws') }}
)

select * from rows
order by cohort, alpha_definition, method, selection
