-- The rule and the endpoint that speak for each cohort.

with lanes as (
    select * from {{ ref('int_cohort_lanes') }}
)

select distinct
    cohort,
    coding_rule,
    endpoint,
from lanes
