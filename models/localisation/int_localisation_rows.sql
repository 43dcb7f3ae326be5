-- Debates that have a cell under their cohort's rule and endpoint, with what they show: in the order of files and lines.

with debates as (
    select * from {{ ref('debates') }}
    where cell <> 'undefined'
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

trajectories as (
    select * from {{ ref('int_trajectories') }}
)

select
    debates.cohort,
    debates.coding_rule,
    debates.endpoint,
    debates.file_key,
    debates.line_number,
    debates.arm,
    debates.model,
    debates.question_id,
    debates.cell = 'collapse' as is_collapse,
    (debates.initial_state = 'right')::double as initial_correct,
    trajectories.initial_one_answer::double as initial_one_answer,
    trajectories.initial_agreement,
    trajectories.r1_majority_changed::double as r1_majority_changed,
    trajectories.r1_n_flipped::double as r1_n_flipped,
    -- Such a debate is left out: a missing feature counts as 0, and this one is not 0.
    trajectories.is_r1_flip_unknown,
    trajectories.r1_agreement,
    trajectories.r2_majority_changed::double as r2_majority_changed,
    trajectories.r2_agreement,
    trajectories.r3_majority_changed::double as r3_majority_changed,
    trajectories.r3_agreement,
from debates
inner join cohorts using (cohort, coding_rule, endpoint)
inner join trajectories on debates.debate_key = trajectories.debate_key and debates.cohort = trajectories.cohort
