-- Debates of two arms on one question: arms of one line (dialects F and G), and lanes that the seed arm_comparisons compares.

with known as (
    select * from {{ ref('int_debates') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

comparisons as (
    select * from {{ ref('arm_comparisons') }}
),

starts as (
    select
        debate_id,
        panel,
    from {{ ref('int_panel_rounds') }}
    where is_initial and has_answers
),

-- The debates that may have a partner, before anything is looked up for them.
armed as (
    select * from known
    where arm is not null
),

compared as (
    select known.*
    from known
    semi join comparisons
        on
            known.lane in (comparisons.first_lane, comparisons.second_lane)
            or known.file_key in (comparisons.first_lane, comparisons.second_lane)
),

-- A question that occurs twice in a lane has no partner: which of the two it would be, nothing tells.
single as (
    select * from compared
    qualify count(*) over (partition by cohort, lane, arm, question_id) = 1
),

of_lines as (
    select
        first_arm.file_key || ': ' || first_arm.arm || ' against ' || second_arm.arm as comparison,
        first_arm.cohort,
        first_arm.debate_key as first_debate_key,
        second_arm.debate_key as second_debate_key,
    from armed as first_arm
    inner join armed as second_arm
        on
            first_arm.cohort = second_arm.cohort
            and first_arm.file_key = second_arm.file_key
            and first_arm.line_number = second_arm.line_number
            and first_arm.arm < second_arm.arm
),

of_lanes as (
    select
        comparisons.comparison,
        first_arm.cohort,
        first_arm.debate_key as first_debate_key,
        second_arm.debate_key as second_debate_key,
    from comparisons
    inner join single as first_arm on comparisons.first_lane in (first_arm.lane, first_arm.file_key)
    inner join single as second_arm
        on
            comparisons.second_lane in (second_arm.lane, second_arm.file_key)
            and first_arm.question_id = second_arm.question_id
            and first_arm.cohort = second_arm.cohort
            -- A lane is no arm against itself.
            and first_arm.debate_key <> second_arm.debate_key
),

pairs as (
    select * from of_lines
    union all
    select * from of_lanes
),

members as (
    select
        cohort,
        first_debate_key as debate_key,
    from pairs
    union
    select
        cohort,
        second_debate_key as debate_key,
    from pairs
),

scored as (
    select
        debates.*,
        known.debate_id,
    from {{ ref('debates') }} as debates
    inner join cohorts on debates.cohort = cohorts.cohort and debates.endpoint = cohorts.endpoint
    inner join known on debates.cohort = known.cohort and debates.debate_key = known.debate_key
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
    (
        first_arm.initial_answer is not distinct from second_arm.initial_answer
        and first_arm.initial_state = second_arm.initial_state
    ) as has_equal_start,
    -- Null where a source tells no answers of its start.
    first_starts.panel = second_starts.panel as has_same_panel,
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
left join starts as first_starts on first_arm.debate_id = first_starts.debate_id
left join starts as second_starts on second_arm.debate_id = second_starts.debate_id
