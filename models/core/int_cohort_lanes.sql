-- An exclusion beats an inclusion; one of cohort * holds everywhere. Panels that did not debate are in a cohort of their own beside the one
-- that seeds or folder give them, so that no rate of any level pools them with debates.

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
            and (members.condition_pattern is null or coalesce(lanes.condition, lanes.mode, '') glob members.condition_pattern)
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
        candidates.cohort as beside_cohort,
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
        excluded.cohort as beside_cohort,
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
),

named as (
    select
        all_lanes.*,
        lanes.file_key,
        lanes.model,
        lanes.family,
        lanes.mode,
        -- A lane that is kept out makes no cohort.
        all_lanes.beside_cohort || if(all_lanes.is_included, coalesce(' [' || lanes.mode || ']', ''), '') as cohort,
    from all_lanes
    inner join lanes using (file_id, lane)
)

select
    named.cohort,
    named.file_id,
    named.file_key,
    named.lane,
    named.model,
    named.family,
    named.is_included,
    named.reason || if(named.cohort = named.beside_cohort, '', '; apart from debates: its panels are of the mode ' || named.mode) as reason,
    named.max_line_number,
    coalesce(own.coding_rule, beside.coding_rule, '{{ var("default_coding_rule") }}') as coding_rule,
    coalesce(own.endpoint, beside.endpoint, '{{ var("default_endpoint") }}') as endpoint,
from named
left join cohorts as own on named.cohort = own.cohort
left join cohorts as beside on named.beside_cohort = beside.cohort
