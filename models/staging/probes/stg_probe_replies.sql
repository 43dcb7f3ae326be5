with batteries as (
    select
        battery_id,
        initial_answer as battery_answer,
        one_letter_key,
        replies,
    -- A filter on the replies would parse them once more; unnest drops the empty ones.
    from {{ ref('stg_probe_batteries') }}
),

each_reply as (
    select
        battery_id,
        battery_answer,
        one_letter_key,
        unnest(replies) as p,
        generate_subscripts(replies, 1) as reply_number,
    from batteries
),

-- One writer stores the name as strength and the value apart, the other the value as strength and the name apart.
read_replies as (
    select
        battery_id,
        reply_number,
        nullif(
            lower({{ stripped('if(try_cast(p.strength as double) is null, coalesce(p.strength, p.probe_type), p.probe_type)') }}), ''
        ) as strength_name,
        coalesce(try_cast(p.strength_value as double), try_cast(p.strength as double)) as strength_number,
        {{ as_boolean('p.social') }} as is_social,
        {{ answer_label(first_text(['battery_answer', 'p.original_answer']), 'one_letter_key') }} as initial_answer,
        {{ answer_label('p.original_answer', 'one_letter_key') }} as original_answer,
        {{ answer_label('p.alt_answer', 'one_letter_key') }} as alternative_answer,
        {{ answer_label('coalesce(p.post_answer, p.probe_answer)', 'one_letter_key') }} as post_answer,
        {{ as_boolean('p.revised') }} as stored_revised,
        {{ as_amount('p.cost') }} as cost,
    from each_reply
)

select
    battery_id,
    reply_number,
    -- Other names are not kept: they may be texts. By the value where the name is unknown or missing.
    case
        {%- for name, value in probe_strengths().items() %}
        when strength_name = '{{ name }}' then '{{ name }}'
        {%- endfor %}
        {%- for name, value in probe_strengths().items() %}
        when strength_name is null and strength_number = {{ value }} then '{{ name }}'
        {%- endfor %}
    end as strength,
    coalesce(
        strength_number,
        case strength_name
            {%- for name, value in probe_strengths().items() %}
            when '{{ name }}' then {{ value }}
            {%- endfor %}
        end
    )::double as strength_value,
    is_social,
    nullif(initial_answer, '') as initial_answer,
    nullif(original_answer, '') as original_answer,
    nullif(alternative_answer, '') as alternative_answer,
    nullif(post_answer, '') as post_answer,
    if(post_answer = '', 'unparsed', 'parsed') as post_answer_state,
    stored_revised,
    -- Null where one of the two answers is not known.
    if(initial_answer = '' or post_answer = '', null, initial_answer <> post_answer) as is_revised,
    cost,
from read_replies
