{{ config(materialized='view') }}

-- What each policy does with each debate, under the rule that speaks for the cohort.

with debates as (
    select * from {{ ref('int_replay_debates') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

own as (
    select debates.*
    from debates
    inner join cohorts using (cohort, coding_rule)
),

decisions as (
    select * from {{ ref('int_gate_decisions') }}
    where kind_id is not null
),

actions as (
    select * from {{ ref('int_action_outcomes') }}
)

select
    own.cohort,
    own.coding_rule,
    own.endpoint,
    own.debate_key,
    own.model,
    own.question_id,
    decisions.policy,
    'gate' as source,
    if(decisions.fires, 'freeze', 'keep') as action_name,
    own.initial_state,
    own.final_state,
    own.cell,
    if(decisions.fires, own.initial_state, own.final_state) as policy_state,
from own
inner join decisions using (kind_id)
union all
select
    own.cohort,
    own.coding_rule,
    own.endpoint,
    own.debate_key,
    own.model,
    own.question_id,
    actions.policy,
    'landed' as source,
    actions.action_name,
    own.initial_state,
    own.final_state,
    own.cell,
    actions.outcome as policy_state,
from own
inner join actions using (cohort, coding_rule, debate_key)
