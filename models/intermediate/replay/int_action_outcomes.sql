-- What the policies that landed make of each debate: one row per (cohort, rule, policy, debate) that an action decides without a problem.

with actions as (
    select * from {{ ref('int_action_matches') }}
    where problem is null and not is_tuning
),

debates as (
    select * from {{ ref('int_replay_debates') }}
),

rounds as (
    select
        cohort,
        coding_rule,
        debate_key,
        endpoint,
        final_state,
    from {{ ref('debates') }}
)

select
    debates.cohort,
    debates.coding_rule,
    debates.endpoint,
    actions.policy,
    debates.debate_key,
    debates.question_id,
    debates.model,
    debates.initial_state,
    debates.final_state,
    debates.cell,
    debates.is_changed,
    actions.action_name,
    actions.action_name <> 'keep' as fires,
    case
        when actions.action_name = 'keep' then debates.final_state
        when actions.action_name = 'freeze' or actions.stop_round = 0 then debates.initial_state
        when actions.action_name in ('abstain', 'defer') then 'abstained'
        when actions.action_name = 'answer' then if(actions.given_answer = actions.correct_label, 'right', 'wrong')
        -- A round that no endpoint scores has no state: its debate is not decided.
        when actions.action_name = 'stop' then rounds.final_state
    end as outcome,
from actions
inner join debates on actions.cohort = debates.cohort and actions.matched_key = debates.debate_key
left join rounds
    on
        debates.cohort = rounds.cohort
        and debates.coding_rule = rounds.coding_rule
        and debates.debate_key = rounds.debate_key
        and actions.action_name = 'stop'
        and rounds.endpoint = 'r' || actions.stop_round
