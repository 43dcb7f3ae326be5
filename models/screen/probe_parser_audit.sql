with batteries as (
    select * from {{ ref('int_kept_batteries') }}
),

counted as (
    select
        battery_id,
        n_unparsed,
        n_replies,
        n_flip,
    from {{ ref('int_probe_batteries') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
)

select
    lanes.lane,
    lanes.file_key,
    lanes.model,
    count(*) as n_rows,
    count(*) filter (batteries.initial_answer is null) as n_initial_none,
    count(*) filter (counted.battery_id is null) as n_rows_without_replies,
    coalesce(sum(counted.n_replies), 0)::bigint as n_replies,
    sum(counted.n_unparsed)::bigint as n_unparsed,
    count(*) filter (counted.n_unparsed > 0) as n_rows_any_unparsed,
    sum(counted.n_unparsed)::bigint / nullif(sum(counted.n_replies), 0)::bigint as none_rate,
    sum(counted.n_flip)::bigint / nullif(sum(counted.n_replies), 0)::bigint as flip_rate_none_as_no_flip,
    sum(counted.n_flip + counted.n_unparsed)::bigint / nullif(sum(counted.n_replies), 0)::bigint as flip_rate_none_as_flip,
from batteries
inner join lanes
    on batteries.file_id = lanes.file_id and batteries.stored_model is not distinct from lanes.stored_model
left join counted using (battery_id)
group by all
order by lanes.lane
