-- Actions that do not count, with the reason and the place, and debates of a policy's lanes that it says nothing about.

with matches as (
    select * from {{ ref('int_action_matches') }}
),

outcomes as (
    select * from {{ ref('int_action_outcomes') }}
),

replayed as (
    select * from {{ ref('int_replay_debates') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

-- An ambiguous line is one row, however many debates it may mean.
problems as (
    select
        policy,
        cohort,
        file_key,
        line_number,
        if(n_matches > 1, null, coalesce(debate_key, matched_key)) as debate_key,
        lane,
        question_id,
        coalesce(problem, 'tuning split: it is not scored') as problem,
        greatest(n_matches, 1) as n_debates,
    from matches
    where problem is not null or is_tuning
    group by all
),

-- What counts, and is decided under no rule.
unscored as (
    select
        matches.policy,
        matches.cohort,
        matches.file_key,
        matches.line_number,
        matches.matched_key as debate_key,
        matches.lane,
        matches.question_id,
        'unscored: no coding rule gives the debate a start and an end that are right or wrong, for want of an answer key or of answers'
            as problem,
        1 as n_debates,
    from matches
    anti join outcomes
        on
            matches.cohort = outcomes.cohort
            and matches.policy = outcomes.policy
            and matches.matched_key = outcomes.debate_key
    where matches.problem is null and not matches.is_tuning
),

stopped as (
    select
        outcomes.policy,
        outcomes.cohort,
        outcomes.file_key,
        outcomes.line_number,
        outcomes.debate_key,
        null as lane,
        outcomes.question_id,
        'unscored: the state of the round after which it stops is not known; it is no endpoint (var endpoints), or no file holds it'
            as problem,
        1 as n_debates,
    from outcomes
    where outcomes.outcome is null
    group by all
),

-- A policy speaks about the lanes that it has an action in.
spoken as (
    select distinct
        cohort,
        matched_lane as lane,
        policy,
    from matches
    where cohort is not null and not starts_with(coalesce(problem, ''), 'named like a gate')
),

-- Debates that replay could score, under the cohort's own rule.
own as (
    select replayed.*
    from replayed
    inner join cohorts using (cohort, coding_rule)
),

silent as (
    select
        spoken.policy,
        spoken.cohort,
        null as file_key,
        null as line_number,
        null as debate_key,
        spoken.lane,
        null as question_id,
        'debates without an action: they are not scored' as problem,
        count(*) as n_debates,
    from spoken
    inner join own using (cohort, lane)
    anti join matches
        on
            own.cohort = matches.cohort
            and own.debate_key = matches.matched_key
            and spoken.policy = matches.policy
    group by all
),

listed as (
    select * from problems
    union all
    select * from unscored
    union all
    select * from stopped
    union all
    select * from silent
)

select
    policy,
    cohort,
    file_key,
    line_number,
    {{ published_label('debate_key') }} as debate_key,
    {{ published_label('lane') }} as lane,
    {{ published_label('question_id') }} as question_id,
    problem,
    n_debates,
from listed
