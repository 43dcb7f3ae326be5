-- Debates of the arms that are compared: arms of one line (dialects F and G), and lanes that the seed arm_comparisons compares.

with known as (
    select * from {{ ref('int_debates') }}
),

comparisons as (
    select * from {{ ref('arm_comparisons') }}
),

armed as (
    select * from known
    where arm is not null
),

line_arms as (
    select distinct
        cohort,
        file_key,
        arm,
    from armed
),

line_comparisons as (
    select
        first_arm.cohort,
        first_arm.file_key,
        first_arm.arm as first_arm,
        second_arm.arm as second_arm,
    from line_arms as first_arm
    inner join line_arms as second_arm
        on
            first_arm.cohort = second_arm.cohort
            and first_arm.file_key = second_arm.file_key
            and first_arm.arm < second_arm.arm
),

of_lines as (
    select
        line_comparisons.file_key || ': ' || line_comparisons.first_arm || ' against ' || line_comparisons.second_arm as comparison,
        armed.cohort,
        if(armed.arm = line_comparisons.first_arm, 'first', 'second') as side,
        armed.debate_id,
        armed.debate_key,
        armed.line_number::varchar as pair,
    from line_comparisons
    inner join armed
        on
            line_comparisons.cohort = armed.cohort
            and line_comparisons.file_key = armed.file_key
            and armed.arm in (line_comparisons.first_arm, line_comparisons.second_arm)
),

sides as (
    {%- for side in ['first', 'second'] %}
    select
        comparison,
        '{{ side }}' as side,
        {{ side }}_lane as named_lane,
    from comparisons
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

-- A file of several models is no lane: which of them is meant, nothing tells.
lanes as (
    select
        sides.comparison,
        sides.side,
        known.cohort,
        any_value(known.lane) as lane,
    from sides
    inner join known on sides.named_lane in (known.lane, known.file_key)
    group by sides.comparison, sides.side, known.cohort
    having count(distinct known.lane) = 1
),

-- Runs of one question are told apart by their order, and paired where both lanes have as many.
runs as (
    select
        lanes.comparison,
        lanes.side,
        known.*,
        row_number() over same_question as run,
        count(*) over (partition by lanes.comparison, lanes.side, known.cohort, known.arm, known.question_id) as n_runs,
    from lanes
    inner join known on lanes.cohort = known.cohort and lanes.lane = known.lane
    window same_question as (
        partition by lanes.comparison, lanes.side, known.cohort, known.arm, known.question_id
        order by known.file_key, known.line_number
    )
),

of_lanes as (
    select
        comparison,
        cohort,
        side,
        debate_id,
        debate_key,
        -- Two keys of one question are two questions.
        to_json([question_id, coalesce(arm, ''), run::varchar, n_runs::varchar, coalesce(correct_label, '')])::varchar as pair,
    from runs
)

select * from of_lines
union all
select * from of_lanes
