-- Accuracy and mean probability of the right option on the original questions (R17), over every pair that was scored.

{%- set rates = [('accuracy', 'n_correct', 'n_questions')] %}

with counts as (
    select * from {{ ref('int_task_counts') }}
),

intervals as (
    select * from {{ ref('int_audit_intervals') }}
)

select
    counts.cohort,
    counts.stage,
    counts.dataset,
    counts.model,
    counts.arm,
    counts.q_key,
    counts.n_questions,
    counts.n_pairs,
    counts.n_correct,
    {{ rate_columns('counts', rates) }}
    counts.p_e8_sum / (100000000::double * counts.n_questions) as mean_p_true,
    counts.n_without_flag,
    counts.n_ties_counted_wrong,
    counts.n_contradicted,
from counts
{{ rate_joins('counts', rates, 'intervals') }}
order by counts.cohort, counts.stage, counts.dataset, counts.model, counts.arm, counts.q_key
