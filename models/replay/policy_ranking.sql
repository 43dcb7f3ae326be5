with rows as (
    select * from {{ ref('int_policy_ranking') }}
)

select
    cohort,
    coding_rule,
    endpoint,
    from_ratio,
    to_ratio,
    policy,
from rows
order by cohort, coding_rule, from_ratio
