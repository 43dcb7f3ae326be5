-- Each evaluation once: what is scored twice counts once where both say the same, and not at all where they do not.

with evaluations as (
    select * from {{ ref('stg_evaluations') }}
)

select
    cohort,
    stage,
    pool,
    dataset,
    model,
    arm,
    pair_id,
    phase,
    q_key,
    generator,
    draw,
    min(question_sha256) as question_sha256,
    min(p_e8) as p_e8,
    -- Two flags are none; the score stands.
    case when bool_and(is_correct) = bool_or(is_correct) then bool_and(is_correct) end as is_correct,
    coalesce(bool_and(is_correct) <> bool_or(is_correct), false) as has_two_flags,
    bool_or(is_stop) as is_stop,
    count(*) as n_lines,
    min(p_e8) <> max(p_e8) or min(question_sha256) <> max(question_sha256) as is_contradicted,
    min(dataset_index) <> max(dataset_index) as has_two_indices,
    min(scored_at) as first_scored_at,
    max(scored_at) as last_scored_at,
from evaluations
group by all
