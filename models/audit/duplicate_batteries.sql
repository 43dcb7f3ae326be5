with batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

dropped as (
    select * from {{ ref('dropped_batteries') }}
),

repeated as (
    select
        file_id,
        stored_model,
        question_id,
        condition,
        agent,
        repeat,
        count(*) as n_in_group,
        min(line_number) as first_line_number,
    from batteries
    group by all
    having count(*) > 1
)

select
    batteries.battery_key,
    lanes.lane,
    batteries.question_id,
    batteries.condition,
    batteries.agent,
    batteries.repeat,
    repeated.n_in_group,
    batteries.file_key || ':' || repeated.first_line_number as first_of_group,
    dropped.battery_key is not null as is_dropped,
    dropped.reason as drop_reason,
from batteries
inner join repeated
    on
        batteries.file_id = repeated.file_id
        and batteries.stored_model is not distinct from repeated.stored_model
        and batteries.question_id = repeated.question_id
        and batteries.condition = repeated.condition
        and batteries.agent is not distinct from repeated.agent
        and batteries.repeat is not distinct from repeated.repeat
inner join lanes
    on batteries.file_id = lanes.file_id and batteries.stored_model is not distinct from lanes.stored_model
left join dropped using (battery_key)
