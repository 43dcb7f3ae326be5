-- Debates of two arms on one question, under every rule that codes both.

with arms as (
    select * from {{ ref('int_arms') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

starts as (
    select
        debate_id,
        panel,
    from {{ ref('int_panel_rounds') }}
    where is_initial and has_answers
),

pairs as (
    select
        first_arm.comparison,
        first_arm.cohort,
        first_arm.debate_key as first_debate_key,
        second_arm.debate_key as second_debate_key,
        -- Whether the arms branch from one start is theirs, whatever a rule can code; a source without answers of its start does not say.
        coalesce(bool_and(coalesce(first_starts.panel = second_starts.panel, false)) over whole, false) as is_same_start,
    from arms as first_arm
    inner join arms as second_arm
        on
            first_arm.comparison = second_arm.comparison
            and first_arm.cohort = second_arm.cohort
            and first_arm.pair = second_arm.pair
            and first_arm.side = 'first'
            and second_arm.side = 'second'
            -- A lane is no arm against itself.
            and first_arm.debate_key <> second_arm.debate_key
    left join starts as first_starts on first_arm.debate_id = first_starts.debate_id
    left join starts as second_starts on second_arm.debate_id = second_starts.debate_id
    window whole as (partition by first_arm.comparison, first_arm.cohort)
),

members as (
    select distinct
        cohort,
        debate_key,
    from arms
),

scored as (
    select debates.*
    from {{ ref('debates') }} as debates
    inner join cohorts on debates.cohort = cohorts.cohort and debates.endpoint = cohorts.endpoint
    semi join members on debates.cohort = members.cohort and debates.debate_key = members.debate_key
    where debates.cell <> 'undefined'
)

select
    pairs.comparison,
    pairs.cohort,
    first_arm.coding_rule,
    first_arm.endpoint,
    first_arm.question_id,
    pairs.first_debate_key,
    pairs.second_debate_key,
    pairs.is_same_start,
    -- Two right starts have the key as their label even where a source does not tell labels.
    first_arm.initial_state = second_arm.initial_state
    and coalesce(first_arm.initial_answer = second_arm.initial_answer, first_arm.initial_state = 'right') as is_equal_start,
    first_arm.initial_state as first_initial_state,
    first_arm.final_state as first_final_state,
    second_arm.initial_state as second_initial_state,
    second_arm.final_state as second_final_state,
    first_arm.final_expected_score as first_expected_score,
    second_arm.final_expected_score as second_expected_score,
from pairs
inner join scored as first_arm
    on
        pairs.cohort = first_arm.cohort
        and pairs.first_debate_key = first_arm.debate_key
inner join scored as second_arm
    on
        pairs.cohort = second_arm.cohort
        and first_arm.coding_rule = second_arm.coding_rule
        and pairs.second_debate_key = second_arm.debate_key
