-- Batteries that count, with their flips: a reply that was not parsed is no flip here, and `n_compared` leaves it out.
-- Dialects G and J tell only how many replies were revised.

with batteries as (
    select
        *,
        coalesce(stored_n_revised, round(stored_flip_rate * stored_n_replies)::integer) as told_n_revised,
    from {{ ref('int_kept_batteries') }}
),

replies as (
    select * from {{ ref('int_probe_replies') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

question_keys as (
    select * from {{ ref('int_question_keys') }}
),

counted as (
    select
        battery_id,
        count(*) as n_replies,
        count(*) filter (post_answer_state = 'unparsed') as n_unparsed,
        count(is_revised) as n_compared,
        count(*) filter (is_flip) as n_flip,
        count(*) filter (stored_revised) as n_stored_flip,
        {%- for name, condition in [
            ('solo', "not is_social"), ('social', "is_social"), ('half_a', "is_in_half_a"), ('half_b', "is_in_half_b"),
            ('weaker', "strength in ('weak', 'moderate')"), ('stronger', "strength in ('strong', 'very_strong')"),
            ('weakest', "strength = 'weak'"), ('strongest', "strength = 'very_strong'"),
        ] %}
        count(*) filter ({{ condition }}) as n_{{ name }},
        count(*) filter ({{ condition }} and is_flip) as n_{{ name }}_flip,
        {%- endfor %}
        {%- for channel, is_social in [('solo', 'not is_social'), ('social', 'is_social')] %}
        count(is_revised) filter ({{ is_social }}) as n_{{ channel }}_compared,
        count(*) filter ({{ is_social }} and is_revised) as n_{{ channel }}_compared_flip,
        {%- endfor %}
        -- Of the eight probes of a battery, those that are there.
        count(distinct strength || ' ' || is_social) as n_cells,
    from replies
    group by all
),

keyed as (
    select
        batteries.*,
        lanes.lane_id,
        -- A first answer that the line calls right is the key.
        coalesce(
            batteries.correct_label,
            if(batteries.stored_initial_correct, batteries.initial_answer, null),
            question_keys.correct_label
        ) as known_label,
        case
            when batteries.correct_label is not null then 'line'
            when batteries.stored_initial_correct and batteries.initial_answer is not null then 'first answer'
            when question_keys.correct_label is not null then 'question'
        end as label_source,
    from batteries
    inner join lanes
        on batteries.file_id = lanes.file_id and batteries.stored_model is not distinct from lanes.stored_model
    left join question_keys using (question_id)
)

select
    keyed.battery_id,
    keyed.battery_key,
    keyed.lane_id,
    keyed.dialect,
    keyed.question_id,
    keyed.benchmark,
    keyed.condition,
    keyed.agent,
    keyed.repeat,
    keyed.known_label as correct_label,
    keyed.label_source,
    keyed.initial_answer,
    -- Without a key the line's own word on its first answer is all there is.
    coalesce(keyed.initial_answer = keyed.known_label, keyed.stored_initial_correct) as initial_correct,
    keyed.cost,
    coalesce(counted.n_replies, keyed.stored_n_replies) as n_replies,
    coalesce(counted.n_flip, keyed.told_n_revised) as n_flip,
    counted.* exclude (battery_id, n_replies, n_flip),
from keyed
left join counted using (battery_id)
where
    counted.n_replies > 0
    or (not keyed.has_replies and keyed.stored_n_replies > 0 and keyed.told_n_revised between 0 and keyed.stored_n_replies)
