{{ config(materialized='view') }}

-- Batteries of every probe dialect with their replies, under one set of names.

with records as (
    select
        rowid as line_id,
        * exclude (correct_label),
        {{ gold_label() }} as correct_label,
    from {{ ref('raw_records') }}
),

-- H, I and K: one battery a line.
listed as (
    select
        *,
        0 as place,
        from_json(short_line, '{{ listed_probe_shape() }}') as b,
    from records
    where kind = 'probe' and dialect <> 'E'
),

-- E: one battery per agent; an agent without a first answer was not probed.
keyed_lines as (
    select
        *,
        from_json(short_line, '{{ keyed_probe_shape() }}') as b,
    from records
    where kind = 'probe' and dialect = 'E'
),

keyed as (
    select
        *,
        unnest(b.agents) as agent,
        generate_subscripts(b.agents, 1) - 1 as place,
    from keyed_lines
),

-- G and J: per agent only how many replies were revised, beside the debate of the line.
counted_lines as (
    select
        *,
        coalesce(
            from_json(json_extract(short_line, '$.alpha'), '{{ probe_shape("JSON") }}').agents,
            from_json(json_extract(short_line, '$.alpha_estimation'), '{{ probe_shape("JSON") }}').agents
        ) as agents,
    from records
    where kind = 'debate' and dialect in ('G', 'J')
),

counted as (
    select
        *,
        unnest(agents) as agent,
        generate_subscripts(agents, 1) - 1 as place,
    from counted_lines
),

batteries as (
    select
        line_id,
        place,
        dialect,
        question_id,
        benchmark,
        category,
        correct_label,
        {{ first_text(['model_name', 'model', 'openrouter_model_id', 'model_id']) }} as stored_model,
        backend,
        {{ as_timestamp('timestamp') }} as recorded_at,
        -- Only the runners of dialect H know conditions; the others probe as its default does.
        lower(coalesce({{ first_text(['b.condition']) }}, 'default')) as stored_condition,
        {{ first_text(['b.agent_idx', 'b.agent_id']) }} as stored_agent,
        if(regexp_matches(b.repeat, '^\d{1,9}$'), b.repeat, null)::integer as repeat,
        b.repeat is not null and not regexp_matches(b.repeat, '^\d{1,9}$') as has_odd_repeat,
        {{ as_number('b.temperature') }} as temperature,
        b.initial_answer,
        {{ as_boolean('b.initial_correct') }} as stored_initial_correct,
        {{ as_number("coalesce(b.flip_rate, b.alpha_total, if(dialect = 'K', b.alpha, null))") }} as stored_flip_rate,
        {{ as_number('b.alpha_solo') }} as stored_solo_flip_rate,
        {{ as_number('b.alpha_social') }} as stored_social_flip_rate,
        {{ as_number('b.social_sensitivity') }} as stored_social_sensitivity,
        {{ as_number('b.argument_sensitivity') }} as stored_argument_sensitivity,
        {{ as_number('b.sa_ratio') }} as stored_sa_ratio,
        try_cast(b.n_probes as integer) as stored_n_replies,
        try_cast(b.n_revised as integer) as stored_n_revised,
        try_cast(b.post_answer_none as integer) as stored_n_unparsed,
        case
            when b.initial_cost is null and b.probe_cost is null then {{ as_amount('total_cost') }}
            else coalesce({{ as_amount('b.initial_cost') }}, 0) + coalesce({{ as_amount('b.probe_cost') }}, 0)
        end as cost,
        b.probe_results as replies,
    from listed
    union all by name
    select
        line_id,
        place,
        dialect,
        question_id,
        benchmark,
        category,
        correct_label,
        {{ first_text(['model_name', 'model', 'openrouter_model_id', 'model_id']) }} as stored_model,
        backend,
        {{ as_timestamp('timestamp') }} as recorded_at,
        'default' as stored_condition,
        {{ first_text(['agent.agent_id', 'agent.agent_idx']) }} as stored_agent,
        null::integer as repeat,
        {{ as_number('agent.temperature') }} as temperature,
        agent.initial_answer,
        {{ as_boolean('agent.initial_correct') }} as stored_initial_correct,
        -- Its alpha is an odds scale, not a rate.
        {{ as_number('b.alpha_estimates[agent.agent_id].mean_flip_rate') }} as stored_flip_rate,
        try_cast(b.alpha_estimates[agent.agent_id].n_probes as integer) as stored_n_replies,
        try_cast(b.alpha_estimates[agent.agent_id].n_revised as integer) as stored_n_revised,
        coalesce({{ as_amount('agent.initial_cost') }}, 0)
        + coalesce(list_sum(list_transform(b.probe_results[agent.agent_id], lambda p: {{ as_amount('p.cost') }})), 0) as cost,
        b.probe_results[agent.agent_id] as replies,
    from keyed
    union all by name
    select
        line_id,
        place,
        dialect,
        question_id,
        benchmark,
        category,
        correct_label,
        {{ first_text(['model', 'model_name', 'openrouter_model_id', 'model_id']) }} as stored_model,
        backend,
        {{ as_timestamp('timestamp') }} as recorded_at,
        'default' as stored_condition,
        {{ first_text(['agent.agent_idx', 'agent.agent_id']) }} as stored_agent,
        {{ as_number('agent.temperature') }} as temperature,
        agent.initial_answer,
        {{ as_boolean('agent.initial_correct') }} as stored_initial_correct,
        {{ as_number('agent.alpha') }} as stored_flip_rate,
        try_cast(agent.n_probes as integer) as stored_n_replies,
        try_cast(agent.n_revised as integer) as stored_n_revised,
        {{ as_amount('agent.initial_cost') }} as cost,
    from counted
)

select
    line_id * 1000000 + place as battery_id,
    * exclude (stored_condition, stored_agent),
    -- A condition of the file must not pass for all of them.
    if(stored_condition = 'all', 'condition_all', {{ published_name('stored_condition') }}) as condition,
    -- agent_0 and 0 are the same agent; repeat_2 is no agent.
    case
        when regexp_matches(stored_agent, '^repeat_\d+$') then null
        else regexp_replace({{ published_name('stored_agent') }}, '^agent_', '')
    end as agent,
    coalesce(strlen(correct_label) = 1, true) as one_letter_key,
from batteries
