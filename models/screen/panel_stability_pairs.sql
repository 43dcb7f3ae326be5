-- Two repeated panels of one model, question by question.

with batteries as (
    select * from {{ ref('int_kept_batteries') }}
    where repeat is not null
),

counted as (
    select
        battery_id,
        n_replies,
        n_flip,
    from {{ ref('int_probe_batteries') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

answers as (
    select
        lanes.lane_id,
        batteries.question_id,
        coalesce(batteries.initial_answer, '') as initial_answer,
        count(*) as n,
        min(batteries.repeat) as first_repeat,
    from batteries
    inner join lanes
        on batteries.file_id = lanes.file_id and batteries.stored_model is not distinct from lanes.stored_model
    group by all
),

-- The most frequent first answer; among equals the one that was given first.
usual_answers as (
    select
        lane_id,
        question_id,
        initial_answer,
    from answers
    qualify row_number() over (partition by lane_id, question_id order by n desc, first_repeat asc, initial_answer asc) = 1
),

rates as (
    select
        lanes.lane_id,
        batteries.question_id,
        (sum((counted.n_flip / counted.n_replies)::decimal(18, 15)) / count(*))::decimal(18, 15) as mean_flip_rate,
    from batteries
    inner join lanes
        on batteries.file_id = lanes.file_id and batteries.stored_model is not distinct from lanes.stored_model
    inner join counted using (battery_id)
    group by all
),

shared as (
    select
        first_lanes.lane_id,
        second_lanes.lane_id as other_lane_id,
        first_rates.question_id,
        first_rates.mean_flip_rate as first_rate,
        second_rates.mean_flip_rate as second_rate,
        first_answers.initial_answer <> second_answers.initial_answer as is_changed,
    from lanes as first_lanes
    inner join lanes as second_lanes
        on first_lanes.model = second_lanes.model and first_lanes.lane_id < second_lanes.lane_id
    inner join rates as first_rates on first_lanes.lane_id = first_rates.lane_id
    inner join rates as second_rates
        on second_lanes.lane_id = second_rates.lane_id and first_rates.question_id = second_rates.question_id
    inner join usual_answers as first_answers
        on first_lanes.lane_id = first_answers.lane_id and first_rates.question_id = first_answers.question_id
    inner join usual_answers as second_answers
        on second_lanes.lane_id = second_answers.lane_id and first_rates.question_id = second_answers.question_id
),

-- Doubled mid-ranks are integers, so Spearman's sums are exact.
ranked as (
    select
        *,
        {%- for side in ['first', 'second'] %}
        2 * rank() over (partition by lane_id, other_lane_id order by {{ side }}_rate)
        + count(*) over (partition by lane_id, other_lane_id, {{ side }}_rate) - 1 as {{ side }}_rank,
        {%- endfor %}
    from shared
),

summed as (
    select
        lane_id,
        other_lane_id,
        count(*) as n,
        count(*) filter (is_changed) as n_changed_answers,
        (sum(abs(first_rate - second_rate)) / count(*))::double as mean_difference,
        max(abs(first_rate - second_rate))::double as max_difference,
        count(*) * sum(first_rank * second_rank) - sum(first_rank) * sum(second_rank) as covariance,
        count(*) * sum(first_rank * first_rank) - sum(first_rank) * sum(first_rank) as first_variance,
        count(*) * sum(second_rank * second_rank) - sum(second_rank) * sum(second_rank) as second_variance,
    from ranked
    group by all
)

select
    lanes.lane,
    other_lanes.lane as other_lane,
    lanes.model,
    summed.n as n_questions,
    summed.covariance / nullif(sqrt(summed.first_variance::double * summed.second_variance::double), 0) as spearman,
    summed.mean_difference,
    summed.max_difference,
    summed.n_changed_answers,
from summed
inner join lanes using (lane_id)
inner join lanes as other_lanes on summed.other_lane_id = other_lanes.lane_id
order by lanes.lane, other_lanes.lane
