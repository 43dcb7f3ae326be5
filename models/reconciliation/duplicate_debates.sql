with debates as (
    select * from {{ ref('stg_debates') }}
),

lines as (
    select * from {{ ref('raw_lines') }}
    where kind = 'debate'
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

dropped as (
    select * from {{ ref('dropped_debates') }}
),

-- A question that a lane debated more than once, unless the file itself numbers the debates of a question.
same_question as (
    select
        file_id,
        stored_model,
        condition,
        mode,
        question_id,
        stored_debate_id,
        arm,
        count(*) as n_in_group,
        min(line_number) as first_line_number,
    from debates
    group by all
    having count(*) > 1
),

same_line as (
    select
        line_hash,
        count(*) as n_in_group,
        -- Not by line_id: files may be read in any order.
        min({'file_id': file_id, 'line_number': line_number}).file_id as first_file_id,
        min({'file_id': file_id, 'line_number': line_number}).line_number as first_line_number,
    from lines
    group by all
    having count(*) > 1
),

listed as (
    select
        'same question in a lane' as kind,
        debates.file_key || ':' || same_question.first_line_number as first_of_group,
        same_question.n_in_group,
        debates.*,
    from debates
    inner join same_question
        on
            debates.file_id = same_question.file_id
            and debates.stored_model is not distinct from same_question.stored_model
            and debates.condition is not distinct from same_question.condition
            and debates.mode is not distinct from same_question.mode
            and debates.question_id = same_question.question_id
            and debates.stored_debate_id is not distinct from same_question.stored_debate_id
            and debates.arm is not distinct from same_question.arm
    union all
    select
        'same line' as kind,
        first_lines.file_key || ':' || first_lines.line_number as first_of_group,
        same_line.n_in_group,
        debates.*,
    from same_line
    inner join lines using (line_hash)
    inner join lines as first_lines
        on same_line.first_file_id = first_lines.file_id and same_line.first_line_number = first_lines.line_number
    inner join debates on lines.file_id = debates.file_id and lines.line_number = debates.line_number
)

select
    listed.kind,
    listed.first_of_group,
    listed.debate_key,
    lanes.lane,
    lanes.model,
    listed.question_id,
    listed.n_in_group,
    dropped.debate_key is not null as is_dropped,
    dropped.reason as drop_reason,
from listed
inner join lanes
    on
        {{ of_lane('listed', 'lanes') }}
left join dropped using (debate_key)
