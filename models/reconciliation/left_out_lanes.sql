with cohort_lanes as (
    select * from {{ ref('int_cohort_lanes') }}
),

debates as (
    select * from {{ ref('stg_debates') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

dropped as (
    select * from {{ ref('dropped_debates') }}
),

whole_lanes as (
    select
        cohort_lanes.cohort,
        cohort_lanes.lane,
        cohort_lanes.model,
        'lane' as what,
        lanes.n_debates,
        cohort_lanes.reason,
    from cohort_lanes
    inner join lanes using (file_id, lane)
    where not cohort_lanes.is_included
),

capped as (
    select
        cohort_lanes.cohort,
        cohort_lanes.lane,
        cohort_lanes.model,
        'lines after ' || cohort_lanes.max_line_number as what,
        count(*) as n_debates,
        cohort_lanes.reason,
    from cohort_lanes
    inner join lanes using (file_id, lane)
    inner join debates
        on
            {{ of_lane('debates', 'lanes') }}
    where cohort_lanes.is_included and debates.line_number > cohort_lanes.max_line_number
    group by all
),

single_debates as (
    select
        null::varchar as cohort,
        debates.debate_key as lane,
        lanes.model,
        'debate' as what,
        1 as n_debates,
        dropped.reason,
    from dropped
    inner join debates using (debate_key)
    inner join lanes
        on
            {{ of_lane('debates', 'lanes') }}
)

select * from whole_lanes
union all
select * from capped
union all
select * from single_debates
