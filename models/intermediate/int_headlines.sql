-- Which rule and endpoint speak for a group in the ledgers: the cohort's; where its sources cannot answer them, the stored rule, then the
-- last round, then any.

with counts as (
    select * from {{ ref('int_ledger_counts') }}
),

cohort_rules as (
    select distinct
        cohort,
        coding_rule,
        endpoint,
    from {{ ref('int_cohort_lanes') }}
),

rules as (
    select * from {{ ref('coding_rules') }}
)

select
    counts.*,
    counts.coding_rule = cohort_rules.coding_rule and counts.endpoint = cohort_rules.endpoint as is_cohort_rule,
    cohort_rules.coding_rule as cohort_coding_rule,
from counts
inner join cohort_rules on counts.cohort = cohort_rules.cohort
inner join rules on counts.coding_rule = rules.coding_rule
qualify
    row_number() over (
        partition by counts.level, counts.cohort, counts.family, counts.model
        order by
            counts.endpoint = cohort_rules.endpoint desc,
            counts.coding_rule = cohort_rules.coding_rule desc,
            counts.coding_rule = 'stored' desc,
            counts.endpoint = 'last' desc,
            counts.coding_rule asc,
            counts.endpoint asc
    ) = 1
