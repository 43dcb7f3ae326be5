-- What the policies that landed make of each debate: one row per (cohort, rule, policy, debate) that an action decides without a problem.

with actions as (
    select * from {{ ref('int_action_matches') }}
    where problem is null and not is_tuning
),

debates as (
    select * from {{ ref('int_replay_debates') }}
),

rules as (
    select * from {{ ref('coding_rules') }}
),

rounds as (
    select
        scored.cohort,
        scored.coding_rule,
        scored.debate_key,
        scored.endpoint,
        scored.final_state,
        {{ answer_of_state('scored.final_answer', 'scored.final_state', 'rules.panel_decision') }} as final_answer,
    from {{ ref('debates') }} as scored
    inner join rules using (coding_rule)
),

-- What a given answer means, for rules that compare answers so.
given_labels as (
    select given_answer as label from actions
    where given_answer is not null
    union
    select correct_label as label from actions
    where given_answer is not null and correct_label is not null
),

forms as materialized (
    {{ answer_forms('given_labels') | indent(4) }}
),

valued as (
    select
        label,
        normal_form,
        sort_key,
        if(is_number, {{ form_value('normal_form') }}, null) as value,
        {{ is_whole('normal_form') }} as is_whole,
    from forms
),

joined as (
    select
        debates.*,
        actions.policy,
        actions.file_key as action_file_key,
        actions.line_number,
        actions.action_name,
        actions.score,
        if(
            rules.tolerance is null,
            actions.given_answer = actions.correct_label,
            given_forms.sort_key = gold_forms.sort_key
            or (
                coalesce({{ are_near('given_forms.value', 'gold_forms.value', 'rules.tolerance') }}, false)
                and not (given_forms.is_whole and gold_forms.is_whole)
            )
        ) as is_given_right,
        -- A number that is as good as the key has its spelling, as in panels.
        case
            when rules.tolerance is null then actions.given_answer
            when is_given_right then gold_forms.normal_form
            else given_forms.normal_form
        end as given_answer,
        rounds.final_state as round_state,
        rounds.final_answer as round_answer,
        -- Ending where the debate ended, or later, is keeping it.
        case
            when actions.action_name = 'keep' or actions.stop_round >= debates.end_round then 'keep'
            when actions.action_name = 'freeze' or actions.stop_round = 0 then 'freeze'
            else actions.action_name
        end as effect,
    from actions
    inner join debates on actions.cohort = debates.cohort and actions.matched_key = debates.debate_key
    inner join rules on debates.coding_rule = rules.coding_rule
    left join valued as given_forms on actions.given_answer = given_forms.label
    left join valued as gold_forms on actions.correct_label = gold_forms.label
    left join rounds
        on
            debates.cohort = rounds.cohort
            and debates.coding_rule = rounds.coding_rule
            and debates.debate_key = rounds.debate_key
            and actions.action_name = 'stop'
            and rounds.endpoint = 'r' || actions.stop_round
),

decided as (
    select
        *,
        case effect
            when 'keep' then final_state
            when 'freeze' then initial_state
            when 'answer' then if(is_given_right, 'right', 'wrong')
            -- A round that no endpoint scores has no state: its debate is not decided.
            when 'stop' then round_state
            else 'abstained'
        end as outcome,
        case effect
            when 'keep' then final_answer
            when 'freeze' then initial_answer
            when 'answer' then {{ published_label('given_answer') }}
            when 'stop' then round_answer
        end as policy_answer,
    from joined
)

select
    cohort,
    coding_rule,
    endpoint,
    policy,
    debate_key,
    question_id,
    model,
    action_file_key as file_key,
    line_number,
    initial_state,
    final_state,
    cell,
    action_name,
    score,
    effect <> 'keep' as fires,
    outcome,
    -- Null where the source tells no answers and the states agree.
    case
        when effect = 'keep' then false
        else coalesce(policy_answer <> final_answer, nullif(outcome <> final_state, false))
    end as is_other_answer,
from decided
