-- A debate that is in no cohort, though a cohort takes its lane and its line in (or none has decided about the lane at all).

with debates as (
    select * from {{ ref('stg_debates') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

cohort_lanes as (
    select * from {{ ref('int_cohort_lanes') }}
),

placed as (
    select distinct debate_id from {{ ref('int_debates') }}
),

dropped as (
    select * from {{ ref('dropped_debates') }}
)

select debates.debate_key
from debates
inner join lanes
    on
        {{ of_lane('debates', 'lanes') }}
left join cohort_lanes
    on lanes.file_id = cohort_lanes.file_id and lanes.lane = cohort_lanes.lane
anti join placed on debates.debate_id = placed.debate_id
anti join dropped on debates.debate_key = dropped.debate_key
where
    cohort_lanes.cohort is null
    or (cohort_lanes.is_included and debates.line_number <= coalesce(cohort_lanes.max_line_number, debates.line_number))
