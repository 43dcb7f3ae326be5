-- Seed rows that meet nothing in the landed data: fine for a file that is not here, a typing error otherwise.

with dropped as (
    select * from {{ ref('dropped_debates') }}
),

debates as (
    select * from {{ ref('stg_debates') }}
),

members as (
    select * from {{ ref('cohort_members') }}
),

lane_models as (
    select * from {{ ref('lane_models') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

files as (
    select * from {{ ref('raw_files') }}
),

dropped_batteries as (
    select * from {{ ref('dropped_batteries') }}
),

batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

screen_lanes as (
    select * from {{ ref('screen_lanes') }}
),

probe_lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

retests as (
    select * from {{ ref('probe_retests') }}
),

-- Pairs of which both sides are there.
screened as (
    select pairs.*
    from {{ ref('int_screen_pairs') }} as pairs
    inner join {{ ref('model_ledger') }} as ledger on pairs.cohort = ledger.cohort and pairs.model = ledger.model
),

present as (
    select
        lanes.file_key,
        lanes.stored_model,
        lanes.model,
        files.file,
        files.stem,
    from lanes
    inner join files using (file_id)
),

present_names as (
    select
        file_key,
        stem,
        stored_model,
    from present
    union all
    select
        probe_lanes.file_key,
        files.stem,
        probe_lanes.stored_model,
    from probe_lanes
    inner join files using (file_id)
)

select
    'dropped_debates' as seed,
    dropped.debate_key as seed_row,
    dropped.reason,
from dropped
anti join debates using (debate_key)
union all
select
    'cohort_members' as seed,
    members.cohort || ', ' || members.file_pattern || ', ' || members.model_pattern as seed_row,
    members.reason,
from members
anti join present
    on
        (
            (present.file_key glob members.file_pattern)
            or (present.stem glob members.file_pattern)
            or (present.file glob members.file_pattern)
        )
        and (present.model glob members.model_pattern)
union all
select
    'lane_models' as seed,
    lane_models.file_key || coalesce(', ' || lane_models.stored_model, '') as seed_row,
    lane_models.reason,
from lane_models
anti join present_names
    on
        lane_models.file_key in (present_names.file_key, present_names.stem)
        and (lane_models.stored_model is null or lane_models.stored_model = present_names.stored_model)
union all
select
    'dropped_batteries' as seed,
    dropped_batteries.battery_key as seed_row,
    dropped_batteries.reason,
from dropped_batteries
anti join batteries using (battery_key)
union all
select
    'screen_lanes' as seed,
    screen_lanes.cohort || ', ' || screen_lanes.model || ', ' || screen_lanes.probe_lane as seed_row,
    screen_lanes.reason,
from screen_lanes
anti join screened
    on
        screen_lanes.cohort = screened.cohort
        and screen_lanes.model = screened.model
        and screen_lanes.probe_lane = screened.probe_lane
union all
select
    'probe_retests' as seed,
    retests.first_file || ', ' || retests.second_file as seed_row,
    retests.reason,
from retests
anti join present_names as first_names on retests.first_file in (first_names.file_key, first_names.stem)
union all
select
    'probe_retests' as seed,
    retests.first_file || ', ' || retests.second_file as seed_row,
    retests.reason,
from retests
semi join present_names as first_names on retests.first_file in (first_names.file_key, first_names.stem)
anti join present_names as second_names on retests.second_file in (second_names.file_key, second_names.stem)
