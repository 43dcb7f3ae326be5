with associations as (
    select * from {{ ref('int_associations') }}
)

select
    cohort,
    alpha_definition,
    level,
    predictor,
    control,
    rho,
    rho_n,
    n_orders,
    n_at_least,
    n_at_most,
    n_two_sided,
    p_two_sided,
    reason,
from associations
order by cohort, alpha_definition, level, predictor, control
