-- The sealed probe lanes store no answer key; the debates and the other probes of the same question do.

with debates as (
    select
        question_id,
        correct_label,
    from {{ ref('stg_debates') }}
),

batteries as (
    select
        question_id,
        correct_label,
    from {{ ref('stg_probe_rows') }}
),

asked as (
    select distinct question_id from batteries
    where correct_label is null
),

every_key as (
    select * from debates
    where correct_label is not null
    union all
    select * from batteries
    where correct_label is not null
)

select
    question_id,
    min(correct_label) as correct_label,
from every_key
semi join asked using (question_id)
group by all
-- Two benchmarks may use the same id for different questions.
having count(distinct correct_label) = 1
