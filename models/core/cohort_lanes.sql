with cohort_lanes as (
    select * from {{ ref('int_cohort_lanes') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
)

select
    cohort_lanes.cohort,
    cohort_lanes.lane,
    cohort_lanes.file_key,
    lanes.stored_model,
    lanes.condition,
    lanes.mode,
    cohort_lanes.model,
    cohort_lanes.family,
    lanes.model_found_in,
    lanes.n_debates,
    cohort_lanes.is_included,
    cohort_lanes.reason,
    cohort_lanes.max_line_number,
    cohort_lanes.coding_rule,
    cohort_lanes.endpoint,
from cohort_lanes
inner join lanes using (file_id, lane)
order by cohort_lanes.cohort, cohort_lanes.lane
