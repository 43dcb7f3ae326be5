-- Right answers and probabilities on the original questions, by arm. The second stage scores tested pairs only, so it is no sample of all.

with evaluations as (
    select * from {{ ref('int_evaluations') }}
    where phase = 'canonical' and stage <> '2' and pool = 'any'
),

runs as (
    select * from {{ ref('int_audit_runs') }}
)

select
    evaluations.cohort,
    evaluations.stage,
    evaluations.dataset,
    evaluations.model,
    evaluations.arm,
    evaluations.q_key,
    runs.n_pairs,
    count(*) filter (not is_contradicted) as n_questions,
    -- Where no flag is stored, exactly one half is wrong, as an exact tie of the unrounded averages is.
    count(*) filter (not is_contradicted and coalesce(is_correct, p_e8 > 50000000)) as n_correct,
    coalesce(sum(p_e8) filter (not is_contradicted), 0)::bigint as p_e8_sum,
    count(*) filter (not is_contradicted and is_correct is null) as n_without_flag,
    count(*) filter (not is_contradicted and is_correct is null and p_e8 = 50000000) as n_ties_counted_wrong,
    count(*) filter (is_contradicted) as n_contradicted,
from evaluations
inner join runs using (cohort, dataset, model)
group by all
