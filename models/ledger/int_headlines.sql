-- Which rule and endpoint speak for a group in the ledgers: the cohort's; where its sources cannot answer them, the stored rule, then the
-- last round, then any.

with counts as (
    select * from {{ ref('int_ledger_counts') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

rules as (
    select * from {{ ref('coding_rules') }}
)

select
    counts.*,
    counts.coding_rule = cohorts.coding_rule and counts.endpoint = cohorts.endpoint as is_cohort_rule,
    cohorts.coding_rule as cohort_coding_rule,
from counts
inner join cohorts on counts.cohort = cohorts.cohort
inner join rules on counts.coding_rule = rules.coding_rule
qualify
    row_number() over (
        partition by counts.level, counts.cohort, counts.family, counts.model
        order by
            counts.endpoint = cohorts.endpoint desc,
            counts.coding_rule = cohorts.coding_rule desc,
            counts.coding_rule = 'stored' desc,
            counts.endpoint = 'last' desc,
            counts.coding_rule asc,
            counts.endpoint asc
    ) = 1
