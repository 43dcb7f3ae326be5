-- Which ledger row a probe lane screens: only what the seed says.

with row_lanes as (
    select
        int_probe_lanes.lane_id,
        int_probe_lanes.lane,
        -- A file stands for its lane where it holds one only.
        if(count(*) over (partition by int_probe_lanes.file_id) = 1, int_probe_lanes.file_key, null) as file_key,
        if(count(*) over (partition by int_probe_lanes.file_id) = 1, files.stem, null) as stem,
        int_probe_lanes.model,
        int_probe_lanes.family,
    from {{ ref('int_probe_lanes') }} as int_probe_lanes
    inner join {{ ref('raw_files') }} as files using (file_id)
),

counted_lanes as (
    select distinct
        lane,
        model,
        family,
    from {{ ref('int_flip_totals') }}
),

lanes as (
    select * from row_lanes
    union all by name
    select * from counted_lanes
    anti join row_lanes using (lane)
),

pairs as (
    select * from {{ ref('screen_lanes') }}
)

select
    lanes.lane_id,
    lanes.lane,
    lanes.model as probe_model,
    lanes.family as probe_family,
    pairs.cohort,
    pairs.model,
    pairs.probe_lane,
    pairs.alpha_definition,
    pairs.reason,
from lanes
left join pairs on pairs.probe_lane in (lanes.lane, lanes.file_key, lanes.stem)
