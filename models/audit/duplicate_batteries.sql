with batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

dropped as (
    select * from {{ ref('dropped_batteries') }}
),

lines as (
    select * from {{ ref('raw_lines') }}
),

-- Where a writer tells neither agent nor repeat, only equal lines are the same battery.
marked as (
    select
        batteries.*,
        if(batteries.agent is null and batteries.repeat is null, lines.line_hash, null) as line_hash,
    from batteries
    inner join lines using (file_id, line_number)
),

repeated as (
    select
        file_id,
        stored_model,
        question_id,
        condition,
        agent,
        repeat,
        line_hash,
        count(*) as n_in_group,
        min(line_number) as first_line_number,
    from marked
    group by all
    having count(*) > 1
)

select
    marked.battery_key,
    lanes.lane,
    marked.question_id,
    marked.condition,
    marked.agent,
    marked.repeat,
    repeated.n_in_group,
    marked.file_key || ':' || repeated.first_line_number as first_of_group,
    dropped.battery_key is not null as is_dropped,
    dropped.reason as drop_reason,
from marked
inner join repeated
    on
        marked.file_id = repeated.file_id
        and marked.stored_model is not distinct from repeated.stored_model
        and marked.question_id = repeated.question_id
        and marked.condition = repeated.condition
        and marked.agent is not distinct from repeated.agent
        and marked.repeat is not distinct from repeated.repeat
        and marked.line_hash is not distinct from repeated.line_hash
inner join lanes
    on marked.file_id = lanes.file_id and marked.stored_model is not distinct from lanes.stored_model
left join dropped using (battery_key)
