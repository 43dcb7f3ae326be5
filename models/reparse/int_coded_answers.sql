{{ config(pre_hook="{{ need_texts() }}", post_hook="{{ drop_texts() }}") }}

{#-
    What the texts say under each profile of the coder. The texts themselves end here: nothing after this model needs them, and the hook takes
    them out of the work file.
-#}

with texts as (
    select * from {{ ref('stg_agent_texts') }}
),

benchmarks as (
    select
        lower(benchmark) as benchmark,
        string_split(options, ' ') as options,
    from {{ ref('benchmark_options') }}
),

slots as (
    select
        texts.*,
        -- A key of several characters, or a number, asks for another kind of answer than an option; a line may say which.
        case
            -- Labels of several characters, such as words, are read by importers; the coder knows letters and short numbers.
            when texts.task_kind = 'label' and not regexp_matches(coalesce(texts.correct_label, 'A'), '^([A-Za-z]|[0-9][0-9]?)$') then 'other'
            when texts.task_kind in ('choice', 'label', 'yes_no', 'number') then texts.task_kind
            when texts.correct_label is null or regexp_matches(texts.correct_label, '^[A-Z]$') then 'choice'
            else 'other'
        end as answer_kind,
        -- Options that a line gives by their texts say nothing about labels.
        if(
            len(texts.options) > 0
            and len(list_filter(texts.options, lambda o: coalesce(regexp_matches(o, '^([A-Za-z]|[0-9][0-9]?)$'), false))) = len(texts.options),
            texts.options,
            null
        ) as line_options,
        benchmarks.options as benchmark_options,
    from texts
    left join benchmarks on lower(texts.benchmark) = benchmarks.benchmark
),

optioned as (
    select
        * exclude (options, line_options, benchmark_options),
        case
            when line_options is not null then 'line'
            when answer_kind <> 'choice' then null
            when benchmark_options is not null then 'benchmark'
            else 'default'
        end as options_from,
        case
            when line_options is not null then line_options
            when answer_kind = 'label' then list_concat(
                list_transform(range(65, 91), lambda c: chr(c::integer)), list_transform(range(0, 100), lambda n: n::varchar)
            )
            when benchmark_options is not null then benchmark_options
            else list_transform(range(65, 75), lambda c: chr(c::integer))
        end as options,
    from slots
),

-- Agents repeat each other and themselves.
distinct_texts as (
    select distinct
        agent_text,
        options,
        answer_kind,
    from optioned
    where agent_text is not null
),

coded as (
    select
        agent_text,
        options,
        answer_kind,
        {%- for profile in coder_profiles() %}
        {{ coded_answer('agent_text', 'options', profile=profile) }} as {{ profile }},
        {%- endfor %}
    from distinct_texts
    where answer_kind in ('choice', 'label')
    union all by name
    select
        agent_text,
        options,
        answer_kind,
        {{ coded_answer('agent_text', profile='robust', kind='yes_no') }} as robust,
    from distinct_texts
    where answer_kind = 'yes_no'
)

select
    optioned.debate_id,
    optioned.place,
    optioned.round,
    optioned.is_last,
    optioned.agent_position,
    optioned.correct_label,
    optioned.task_kind,
    optioned.answer_kind,
    optioned.options_from,
    optioned.is_absent,
    optioned.stored_answer,
    optioned.agent_text is not null as has_text,
    {%- for profile in coder_profiles() %}
    coded.{{ profile }}.answer as {{ profile }}_answer,
    coded.{{ profile }}.rule as {{ profile }}_rule,
    {%- endfor %}
from optioned
left join coded
    on
        optioned.agent_text = coded.agent_text
        and optioned.options = coded.options
        and optioned.answer_kind = coded.answer_kind
