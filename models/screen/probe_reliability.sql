with statistics as (
    select * from {{ ref('int_probe_reliability') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
)

select
    lanes.lane,
    lanes.model,
    statistics.statistic,
    statistics.against,
    retests.lane as retest_lane,
    if(statistics.n >= {{ var('minimum_n') }}, statistics.value, null) as value,
    statistics.n as value_n,
from statistics
inner join lanes using (lane_id)
left join lanes as retests on statistics.retest_lane_id = retests.lane_id
order by lanes.lane, statistics.statistic, retests.lane
