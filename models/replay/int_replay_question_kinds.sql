-- Debates per question and kind, under the rule that speaks for the cohort: what intervals over questions are made of.

with debates as (
    select * from {{ ref('int_replay_debates') }}
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
)

select
    debates.cohort,
    debates.question_id,
    debates.kind_id,
    debates.sign,
    count(*) as n,
from debates
inner join cohorts using (cohort, coding_rule)
group by all
