-- The stage that searches, and the one that tests, of each audited arm. Two of a kind in one folder are two audits: which of them counts is
-- not ours to say.

with draws as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        phase,
        pool,
        stage,
    from {{ ref('int_degradations') }}
)

select
    cohort,
    dataset,
    model,
    arm,
    phase,
    pool,
    min(stage) as stage,
    count(*) as n_stages,
from draws
group by all
