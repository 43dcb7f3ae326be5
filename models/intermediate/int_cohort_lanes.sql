-- An exclusion beats an inclusion; one of cohort * holds everywhere.

with lanes as (
    select * from {{ ref('int_lanes') }}
),

files as (
    select * from {{ ref('raw_files') }}
),

cohorts as (
    select * from {{ ref('cohorts') }}
),

members as (
    select * from {{ ref('cohort_members') }}
),

matches as (
    select
        lanes.file_id,
        lanes.lane,
        members.cohort,
        members.is_included,
        members.max_line_number,
        members.reason,
    from lanes
    inner join files using (file_id)
    inner join members
        on
            (
                (lanes.file_key glob members.file_pattern)
                or (files.stem glob members.file_pattern)
                or (files.file glob members.file_pattern)
            )
            and (lanes.model glob members.model_pattern)
),

included as (
    select
        file_id,
        lane,
        cohort,
        -- A row without a cap takes in every line.
        if(count(*) = count(max_line_number), max(max_line_number), null) as max_line_number,
        string_agg(distinct reason, '; ' order by reason) as reason,
    from matches
    where is_included
    group by all
),

excluded as (
    select
        file_id,
        lane,
        cohort,
        string_agg(distinct reason, '; ' order by reason) as reason,
    from matches
    where not is_included
    group by all
),

-- A lane that no seed row includes belongs to the cohort of its folder.
folder_cohorts as (
    select
        lanes.file_id,
        lanes.lane,
        files.folder as cohort,
        null::bigint as max_line_number,
        'no row in cohort_members: the cohort is the folder' as reason,
    from lanes
    inner join files using (file_id)
    anti join included using (file_id, lane)
),

candidates as (
    select * from included
    union all
    select * from folder_cohorts
),

-- A cohort of the seeds takes the bytes of a file once: a release that lies in two folders is not two releases.
firsts as (
    select
        included.cohort,
        files.sha256,
        min(files.file_id) as first_file_id,
    from included
    inner join files using (file_id)
    group by all
),

copies as (
    select
        included.file_id,
        included.lane,
        included.cohort,
        first_files.file_key as first_file_key,
    from included
    inner join files using (file_id)
    inner join firsts
        on included.cohort = firsts.cohort and files.sha256 = firsts.sha256 and included.file_id > firsts.first_file_id
    inner join files as first_files on firsts.first_file_id = first_files.file_id
),

judged as (
    select
        candidates.file_id,
        candidates.lane,
        candidates.cohort,
        coalesce(here.reason, everywhere.reason, copies.first_file_key) is null as is_included,
        candidates.max_line_number,
        coalesce(
            here.reason,
            everywhere.reason,
            'the same bytes as ' || copies.first_file_key || ': counted once',
            candidates.reason
        ) as reason,
    from candidates
    left join excluded as here using (file_id, lane, cohort)
    left join copies using (file_id, lane, cohort)
    left join excluded as everywhere
        on candidates.file_id = everywhere.file_id and candidates.lane = everywhere.lane and everywhere.cohort = '*'
),

-- A lane that is only ever kept out of a cohort has a row that says why, if that cohort has lanes at all.
kept_out as (
    select
        excluded.file_id,
        excluded.lane,
        excluded.cohort,
        false as is_included,
        null::bigint as max_line_number,
        excluded.reason,
    from excluded
    anti join candidates using (file_id, lane, cohort)
    where excluded.cohort <> '*' and excluded.cohort in (select cohort from included)
),

all_lanes as (
    select * from judged
    union all
    select * from kept_out
)

select
    all_lanes.cohort,
    all_lanes.file_id,
    lanes.file_key,
    all_lanes.lane,
    lanes.model,
    lanes.family,
    all_lanes.is_included,
    all_lanes.reason,
    all_lanes.max_line_number,
    coalesce(cohorts.coding_rule, '{{ var("default_coding_rule") }}') as coding_rule,
    coalesce(cohorts.endpoint, '{{ var("default_endpoint") }}') as endpoint,
from all_lanes
inner join lanes using (file_id, lane)
left join cohorts using (cohort)
