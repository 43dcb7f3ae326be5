{{ config(materialized='view') }}

-- Two ways to make cells of each cohort: that of the published parser audit, and the cohort's own rule and endpoint.

with cohorts as (
    select * from {{ ref('int_cohorts') }}
),

rules as (
    select * from {{ ref('coding_rules') }}
)

select
    cohort,
    'audit' as basis,
    'alphabetical' as coding_rule,
    'alphabetical' as panel_decision,
    -- No majority, no cell.
    'undefined' as undecided_panel,
    'counted' as unread_panel,
    'last' as endpoint,
    null::integer as endpoint_round,
from cohorts
union all
select
    cohorts.cohort,
    'cohort' as basis,
    cohorts.coding_rule,
    -- What a line stores about its majorities is not read from texts, so such a rule recounts, with ties to the first label.
    if(rules.panel_decision = 'plurality', 'plurality', 'alphabetical') as panel_decision,
    rules.undecided_panel,
    rules.unread_panel,
    cohorts.endpoint,
    try_cast(nullif(cohorts.endpoint, 'last')[2:] as integer) as endpoint_round,
from cohorts
inner join rules using (coding_rule)
