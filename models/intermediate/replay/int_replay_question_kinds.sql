-- Debates per question and kind, under the rule that speaks for the cohort: what intervals over questions are made of.

with debates as (
    select * from {{ ref('int_replay_debates') }}
),

cohort_rules as (
    select distinct
        cohort,
        cohort_coding_rule as coding_rule,
    from {{ ref('int_debates') }}
)

select
    debates.cohort,
    debates.question_id,
    debates.kind_id,
    debates.sign,
    count(*) as n,
from debates
inner join cohort_rules using (cohort, coding_rule)
group by all
