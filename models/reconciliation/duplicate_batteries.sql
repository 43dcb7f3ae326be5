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
        min(battery_id) as first_battery_id,
    from marked
    group by all
    having count(*) > 1
),

-- Equal lines anywhere.
same_lines as (
    select
        lines.line_hash,
        count(*) as n_in_group,
        -- Not by line_id: files may be read in any order.
        min({'file_id': lines.file_id, 'line_number': lines.line_number}).file_id as first_file_id,
        min({'file_id': lines.file_id, 'line_number': lines.line_number}).line_number as first_line_number,
    from lines
    where lines.kind = 'probe'
    group by all
    having count(distinct lines.file_id) > 1
),

listed as (
    select
        'same battery in a lane' as kind,
        repeated.n_in_group,
        firsts.battery_key as first_of_group,
        marked.* exclude (line_hash),
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
    inner join batteries as firsts on repeated.first_battery_id = firsts.battery_id
    union all
    select
        'same line in two files' as kind,
        same_lines.n_in_group,
        first_lines.file_key || ':' || first_lines.line_number as first_of_group,
        batteries.*,
    from same_lines
    inner join lines using (line_hash)
    inner join lines as first_lines
        on same_lines.first_file_id = first_lines.file_id and same_lines.first_line_number = first_lines.line_number
    inner join batteries on lines.file_id = batteries.file_id and lines.line_number = batteries.line_number
)

select
    listed.kind,
    listed.battery_key,
    lanes.lane,
    listed.question_id,
    listed.condition,
    listed.agent,
    listed.repeat,
    listed.n_in_group,
    listed.first_of_group,
    dropped.battery_key is not null as is_dropped,
    dropped.reason as drop_reason,
from listed
inner join lanes
    on listed.file_id = lanes.file_id and listed.stored_model is not distinct from lanes.stored_model
left join dropped using (battery_key)
