-- The writers choose the answer that a probe argues for by different rules, which decides what a flip means.

with replies as (
    select * from {{ ref('stg_probe_replies') }}
),

batteries as (
    select * from {{ ref('int_probe_batteries') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
)

select
    lanes.lane,
    batteries.dialect,
    batteries.condition,
    count(*) as n_replies,
    count(replies.alternative_answer) as n_with_alternative,
    count(*) filter (replies.alternative_answer = replies.initial_answer) as n_own_answer,
    count(*) filter (replies.alternative_answer = batteries.correct_label) as n_right_answer,
    count(*) filter (replies.post_answer = replies.alternative_answer) as n_followed,
from replies
inner join batteries using (battery_id)
inner join lanes using (lane_id)
group by all
