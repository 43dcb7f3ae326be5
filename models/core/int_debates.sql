-- Debates under the names that people use, in every cohort that holds them.

with debates as (
    select * from {{ ref('stg_debates') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

cohort_lanes as (
    select * from {{ ref('int_cohort_lanes') }}
    where is_included
),

dropped as (
    select * from {{ ref('dropped_debates') }}
)

select
    debates.debate_id,
    debates.debate_key,
    cohort_lanes.cohort,
    lanes.model,
    lanes.family,
    lanes.lane,
    debates.file_key,
    debates.line_number,
    debates.arm,
    debates.dialect,
    debates.question_id,
    debates.source_file,
    debates.mode,
    debates.task,
    debates.condition,
    debates.stated_n_agents as planned_agents,
    debates.stored_debate_id as source_debate_id,
    debates.no_key,
    debates.benchmark,
    debates.correct_label,
from debates
inner join lanes
    on
        {{ of_lane('debates', 'lanes') }}
inner join cohort_lanes
    on
        lanes.file_id = cohort_lanes.file_id
        and lanes.lane = cohort_lanes.lane
        and (cohort_lanes.max_line_number is null or debates.line_number <= cohort_lanes.max_line_number)
anti join dropped using (debate_key)
