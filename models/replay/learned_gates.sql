with rows as (
    select * from {{ ref('int_learned_gates') }}
)

select
    cohort,
    coding_rule,
    endpoint,
    policy,
    held_out,
    feature,
    mode,
    direction,
    threshold,
    fill,
    objective,
    n_train,
    is_exploratory,
from rows
order by cohort, coding_rule, policy, held_out
