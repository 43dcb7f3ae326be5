with points as (
    select * from {{ ref('int_association_points') }}
)

select
    cohort,
    alpha_definition,
    model,
    family,
    variable,
    value,
from points
order by cohort, alpha_definition, family, model, variable
