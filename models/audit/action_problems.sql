-- Actions that do not count, with the reason and the place, and debates of a policy's lanes that it says nothing about.

with matches as (
    select * from {{ ref('int_action_matches') }}
),

outcomes as (
    select * from {{ ref('int_action_outcomes') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

-- A policy speaks about the lanes that it has an action in.
spoken as (
    select distinct
        cohort,
        matched_lane as lane,
        policy,
    from matches
    where cohort is not null
),

silent as (
    select
        spoken.cohort,
        spoken.policy,
        spoken.lane,
        count(*) as n_silent,
    from spoken
    inner join debates using (cohort, lane)
    anti join matches
        on
            debates.cohort = matches.cohort
            and debates.debate_key = matches.matched_key
            and spoken.policy = matches.policy
    group by all
)

select
    matches.policy,
    matches.cohort,
    matches.file_key,
    matches.line_number,
    coalesce(matches.debate_key, matches.matched_key) as debate_key,
    matches.lane,
    matches.question_id,
    matches.problem,
    1 as n_debates,
from matches
where matches.problem is not null
union all
select
    matches.policy,
    matches.cohort,
    matches.file_key,
    matches.line_number,
    matches.matched_key as debate_key,
    matches.lane,
    matches.question_id,
    'tuning split: it is not scored' as problem,
    1 as n_debates,
from matches
where matches.problem is null and matches.is_tuning
union all
select
    outcomes.policy,
    outcomes.cohort,
    null as file_key,
    null as line_number,
    outcomes.debate_key,
    null as lane,
    outcomes.question_id,
    'unscored: no endpoint is the round after which it stops (var endpoints)' as problem,
    1 as n_debates,
from outcomes
where outcomes.outcome is null
group by all
union all
select
    policy,
    cohort,
    null as file_key,
    null as line_number,
    null as debate_key,
    lane,
    null as question_id,
    'debates without an action: they are not scored' as problem,
    n_silent as n_debates,
from silent
