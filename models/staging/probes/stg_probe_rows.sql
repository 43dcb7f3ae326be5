with lines as (
    select * from {{ ref('raw_lines') }}
),

batteries as (
    select * from {{ ref('stg_probe_batteries') }}
)

select
    batteries.battery_id,
    lines.file_key || ':' || lines.line_number || if(batteries.dialect in ('E', 'G', 'J'), ':' || batteries.place, '') as battery_key,
    lines.file_id,
    lines.file_key,
    lines.line_number,
    batteries.dialect,
    batteries.question_id,
    batteries.benchmark,
    batteries.category,
    batteries.correct_label,
    batteries.stored_model,
    batteries.backend,
    batteries.recorded_at,
    batteries.condition,
    batteries.agent,
    batteries.repeat,
    coalesce(batteries.has_odd_repeat, false) as has_odd_repeat,
    batteries.temperature,
    nullif(
        {{ answer_label(first_text(['batteries.initial_answer', 'batteries.replies[1].original_answer']), 'batteries.one_letter_key') }}, ''
    ) as initial_answer,
    batteries.stored_initial_correct,
    batteries.replies is not null as has_replies,
    coalesce(len(batteries.replies), 0)::integer as n_replies,
    batteries.stored_n_replies,
    batteries.stored_n_revised,
    batteries.stored_n_unparsed,
    batteries.stored_flip_rate,
    batteries.stored_solo_flip_rate,
    batteries.stored_social_flip_rate,
    batteries.stored_social_sensitivity,
    batteries.stored_argument_sensitivity,
    batteries.stored_sa_ratio,
    batteries.cost,
from batteries
inner join lines using (line_id)
