with batteries as (
    select * from {{ ref('int_kept_batteries') }}
    where repeat is not null
),

counted as (
    select
        battery_id,
        n_replies,
        n_flip,
        n_unparsed,
    from {{ ref('int_probe_batteries') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

-- A first answer that was not parsed is an answer of its own here (`ledger_formats` 2.25).
questions as (
    select
        lanes.lane,
        lanes.model,
        batteries.question_id,
        count(*) as n_repeats,
        count(distinct coalesce(batteries.initial_answer, '')) > 1 as is_unstable,
        max(counted.n_flip / counted.n_replies) - min(counted.n_flip / counted.n_replies) as flip_rate_range,
        sum((counted.n_flip / counted.n_replies)::decimal(18, 15))::double / nullif(count(counted.n_flip), 0) as mean_flip_rate,
        coalesce(sum(counted.n_replies), 0)::bigint as n_replies,
        coalesce(sum(counted.n_unparsed), 0)::bigint as n_unparsed,
        sum(batteries.cost::decimal(18, 9)) as cost,
    from batteries
    inner join lanes
        on batteries.file_id = lanes.file_id and batteries.stored_model is not distinct from lanes.stored_model
    left join counted using (battery_id)
    group by all
)

select
    lane,
    model,
    sum(n_repeats)::bigint as n_records,
    count(*) as n_questions,
    count(*) filter (is_unstable) as n_unstable,
    (sum(coalesce(flip_rate_range, 0)::decimal(18, 15)) / count(*))::double as mean_flip_rate_range,
    max(coalesce(flip_rate_range, 0)) as max_flip_rate_range,
    (sum(mean_flip_rate::decimal(18, 15)) / nullif(count(mean_flip_rate), 0))::double as mean_flip_rate,
    sum(n_replies)::bigint as n_replies,
    sum(n_unparsed)::bigint as n_unparsed,
    sum(n_unparsed)::bigint / nullif(sum(n_replies), 0)::bigint as none_rate,
    sum(cost)::double as cost,
from questions
group by all
order by lane
