{{ config(materialized='view') }}

with lanes as (
    select
        int_probe_lanes.*,
        files.stem,
    from {{ ref('int_probe_lanes') }} as int_probe_lanes
    inner join {{ ref('raw_files') }} as files using (file_id)
),

retests as (
    select * from {{ ref('probe_retests') }}
)

select
    first_lanes.lane_id,
    second_lanes.lane_id as retest_lane_id,
from retests
inner join lanes as first_lanes on retests.first_file in (first_lanes.file_key, first_lanes.stem)
inner join lanes as second_lanes
    on
        retests.second_file in (second_lanes.file_key, second_lanes.stem)
        and first_lanes.stored_model is not distinct from second_lanes.stored_model
