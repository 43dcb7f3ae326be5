{{ config(pre_hook="{{ set_line_files() }}") }}

{#-
    The one parse of every line. No row is filtered and the scan keeps its order, so the row ids of this table count the lines;
    `raw_lines` turns them into line numbers. Numbering with a window function here would put scan and parse on one core.

    CASE, COALESCE and AND copy the nested lists that they touch, for every row (it doubled the time of this model). So decisions look
    at scalar facts, and lists are only transformed in the open or behind a condition that hardly ever holds.

    A typed parse turns a value of the wrong type into null; where the key is there all the same, `reason` says so.
-#}
{#- What the hook reads. -#}
{%- do ref('agent_aliases') -%}
{%- set list_keys = ['initial_answers', 'initial_states', 'round_traces', 'round_states', 'rounds', 'final_answers', 'final_states'] -%}
{%- set round_keys = ['round_traces', 'round_states', 'rounds'] -%}
{%- set label_keys = ['question_id', 'correct_label', 'answer', 'gold', 'majority_answer', 'initial_majority', 'final_answer'] -%}
{%- set trace_shape = '{"round_traces":[{"round":"VARCHAR","answers":["VARCHAR"],"majority":"VARCHAR","majority_changed":"VARCHAR"}]}' -%}

with plain_lines as (
    select
        filename as path,
        null::bigint as line_number,
        line,
        line as original,
        null::varchar as given_kind,
        null::varchar as given_reason,
        false as is_record,
    from {{ read_lines() }}
),

converted_lines as (
    select
        path,
        line_number,
        line,
        original,
        kind as given_kind,
        reason as given_reason,
        is_record,
    from {{ ref('raw_converted_lines') }}
),

lines as (
    select * from plain_lines
    union all
    select * from converted_lines
),

-- As DuckDB's JSON reads it; the hash and what is kept of a rejected line are those of the original.
readable_lines as (
    select * replace ({{ readable_json('line') }} as line)
    from lines
),

parsed as (
    select
        *,
        try(from_json(line, '{{ record_shape() }}')) as r,
        {{ line_keys('line') }} as key_lists,
        {{ usage_text('line') }} as usage_text,
        case
            when given_kind is not null then given_kind
            when given_reason is not null then null
            when coalesce(strlen(line), 0) = 0 then 'blank'
            -- Trimming every line takes as long as finding its keys, and AND would trim every line.
            when line < '!' then case when {{ stripped('line') }} = '' then 'blank' end
        end as empty_kind,
    from readable_lines
),

facts as (
    select
        *,
        to_json(key_lists)::varchar as keys,
        len(key_lists[1]) as n_keys,
        case
            when list_contains(getvariable('usual_keys'), to_json(key_lists)::varchar) then len(key_lists[1])
            else list_unique(key_lists[1])
        end as n_unique_keys,
        {%- for key in list_keys %}
        len(r.{{ key }}) as n_{{ key }},
        {%- endfor %}
        list_transform(r.initial_states, lambda a: a.agent_id) as initial_ids,
        {{ panel_text('r.initial_states', 'a.answer') }} as initial_panel,
        {{ panel_text('r.final_states', 'a.answer') }} as final_panel,
        {%- for key in round_keys %}
        list_transform(r.{{ key }}, lambda p: {{ panel_text('p', 'a.answer') }}) as {{ key }}_panels,
        {%- endfor %}
        -- Do the agents of every round stand in the order of the initial ones?
        {%- for key in round_keys %}
        {{ same_agents('r.' ~ key) }} as same_agents_{{ key }},
        {%- endfor %}
        {{ same_agents('[r.final_states]') }} as same_agents_final_states,
    from parsed
),

id_facts as (
    select
        *,
        list_count(initial_ids) as n_initial_ids,
        list_sort(initial_ids) = initial_ids and list_unique(initial_ids) = len(initial_ids) as sorted_ids,
    from facts
),

-- By what the line holds, the most frequent shapes first; a file's name has no say.
told_apart as (
    select
        *,
        case
            when empty_kind is not null or keys is null then null
            -- There may be a million of them, and looking for a word is ten times as fast as looking for a key.
            when contains(keys, '"p_true"') and {{ holds_any_key(['p_true']) }} and {{ holds_any_key(['pair_id', 'arm']) }}
                then 'evaluation'
            when n_round_traces > 0
                then case
                    when n_initial_states is not null and same_agents_round_traces then 'B'
                    when list_contains(key_lists[3], 'answers') then 'A'
                    else 'B'
                end
            when n_round_states is not null
                then if(r.final_answer is not null or r.initial_majority is not null, 'C', 'B')
            when n_rounds is not null then 'B'
            when n_round_traces = 0
                then if(n_initial_states is null and r.initial_majority is not null, 'A', 'B')
            when {{ holds_any_key(['standard_debate', 'abc_debate'] + baseline_methods()) }}
                then case
                    when {{ holds_any_key(['alpha_estimation']) }} then 'G'
                    when {{ holds_any_key(['alpha']) }} then 'J'
                    else 'F'
                end
            when {{ holds_any_key(['r1_majority_changed']) }} and {{ holds_any_key(['init_majority_correct', 'initial_majority_correct']) }}
                then 'M'
            when {{ holds_any_key(['probe_results']) }}
                then case
                    when {{ holds_any_key(['repeat']) }} then 'K'
                    when {{ holds_any_key(['agents']) }} then 'E'
                    when {{ holds_any_key(['condition', 'flip_rate', 'agent_idx']) }} then 'H'
                    else 'I'
                end
            when {{ holds_any_key(['policy']) }} and {{ holds_any_key(['action']) }} then 'action'
            -- Records are made while files of the audit are landed; a line that looks like one holds who knows what.
            when is_record and {{ holds_any_key(['record']) }} then 'audit_record'
            when {{ holds_any_key(['pair_id']) }} and {{ holds_any_key(['q_key', 'phase', 'arm']) }} then 'evaluation'
            when coalesce(n_initial_answers, n_initial_states) is not null and n_final_answers is not null then 'D'
            when coalesce(n_initial_answers, n_initial_states) is not null and n_final_states is not null then 'B'
            when
                r.initial_correct is not null
                and (r.final_correct is not null or {{ holds_any_key(['standard_correct', 'shielded_correct']) }})
                then 'I'
        end as shape_dialect,
        coalesce(
            n_initial_ids = n_initial_states
            and sorted_ids
            and coalesce(same_agents_round_traces, true)
            and coalesce(same_agents_round_states, true)
            and coalesce(same_agents_rounds, true)
            and (n_final_states is null or same_agents_final_states),
            false
        ) as in_place,
    from id_facts
),

traced as (
    select
        *,
        concat(
            initial_panel,
            final_panel,
            {%- for key in round_keys %}
            array_to_string({{ key }}_panels, ''),
            {%- endfor %}
            {{ panel_text('r.initial_answers', 'a') }},
            {{ panel_text('r.final_answers', 'a') }}
        ) as all_panels,
        -- What is read of a probe line, as text. Nested CASE, so that no other line is parsed again.
        case
            when shape_dialect in ('H', 'I', 'K')
                then case
                    when {{ holds_any_key(['probe_results']) }} then to_json(from_json(line, '{{ listed_probe_shape() }}'))::varchar
                end
            when shape_dialect = 'E' then to_json(from_json(line, '{{ keyed_probe_shape() }}'))::varchar
        end as battery,
        case
            when shape_dialect = 'A' then from_json(line, '{{ trace_shape }}').round_traces
        end as trace_rounds,
        -- A name that the seed knows may be of an agent that stands there by another name too.
        shape_dialect in ('B', 'C') and (not in_place or {{ holds_agent_name('initial_ids') }}) as needs_ids,
        case when shape_dialect = 'evaluation' then from_json(line, '{{ evaluation_shape() }}') end as e,
    from told_apart
),

trace_facts as (
    select
        *,
        (
            list_bool_or(list_transform(trace_rounds, lambda t: t.answers is null))
            or list_filter(list_transform(trace_rounds, lambda t: try_cast(t.round as bigint)), lambda n: n is not null)
            not in ([], range(1, len(trace_rounds) + 1))
        ) as is_broken_trace,
        -- The typed parse would take an object for its text, and that for a label.
        case
            when shape_dialect in ('B', 'C')
                then case
                    -- A label may begin like one, so the line decides; but hardly any line has to be asked.
                    when regexp_matches(all_panels, '"[\[{]') then regexp_matches(line, '"answer"\s*:\s*[\[{]')
                    else false
                end
            when shape_dialect in ('A', 'D')
                then regexp_matches(line, 'answers"\s*:\s*\[(\s*("([^"\\]|\\.)*"|null|true|false|[-+.0-9eE]+)\s*,)*\s*[\[{]')
            else false
        end as has_nested_answer,
        case
            -- Few lines, and much that may not fit together.
            when shape_dialect = 'E' then true
            when battery is not null
                then
                    contains(battery, '"probe_results":null')
                    -- What is no object is parsed as one without anything in it.
                    or contains(battery, '{{ empty_object(reply_scalars()) }}')
                    or regexp_matches(battery, '[\[}],?null|(_answer|strength|probe_type|social|condition|agent_idx|agent_id)":"[\[{]')
            else false
        end as is_odd_battery,
        {%- for key in label_keys %}
        starts_with(r.{{ key }}, '{') or starts_with(r.{{ key }}, '[') as is_nested_{{ key }},
        {%- endfor %}
    from traced
),

suspected as (
    select
        *,
        (
            keys is null
            or n_keys = 0
            or n_keys <> n_unique_keys
            or shape_dialect is null
            or (
                battery is null
                and (
                    n_initial_answers is null
                    or (n_round_traces is null and n_round_states is null)
                    or (n_initial_states is null and shape_dialect = 'B')
                )
            )
            or coalesce(is_broken_trace, false)
            or has_nested_answer
            {%- for key in label_keys %}
            or coalesce(is_nested_{{ key }}, false)
            {%- endfor %}
            or coalesce(is_odd_battery, true)
            or coalesce(needs_ids, false)
            or not coalesce(regexp_matches(r.question_id, '\S'), false)
        ) as is_suspect,
    from trace_facts
),

judged as (
    select
        *,
        case
            when given_reason is not null then given_reason
            when empty_kind is null and is_suspect then {{ record_problem() }}
        end as reason,
    from suspected
),

texted as (
    select
        *,
        case
            when reason is null and shape_dialect in ('A', 'B', 'C', 'D') then {{ agent_texts('line') }}
        end as agent_texts,
    from judged
)

select
    path,
    line_number,
    -- Another editor's line ends and byte order mark make no other line; to trim every line would take twenty times as long as its hash.
    hash(
        if(
            starts_with(original, chr(65279)) or ends_with(original, chr(13)),
            rtrim(ltrim(original, chr(65279)), chr(13)),
            original
        )
    ) as line_hash,
    coalesce(strlen(original), 0) as n_bytes,
    case
        when empty_kind is not null then empty_kind
        when reason is not null then 'rejected'
        when battery is not null then 'probe'
        when shape_dialect in ('action', 'evaluation', 'audit_record') then shape_dialect
        else 'debate'
    end as kind,
    case
        when reason is not null or shape_dialect in ('action', 'evaluation', 'audit_record') then null
        -- Response-period rows are dialect B with extras that say how the panel was run.
        when
            shape_dialect = 'B'
            and (r.reasoning_effort is not null or r.benchmark in ('gsm8k', 'supergpqa', 'math_l5'))
            then 'L'
        else shape_dialect
    end as dialect,
    reason,
    case
        when reason is not null then if({{ is_of_the_audit() }}, '(not kept: a line of the verifier audit)', original)
    end as rejected_text,
    keys,
    {{ n_number_tokens('original') }} as n_nan_tokens,
    -- Words that many writers take for "no answer": here they are labels like any other, and are told.
    case
        when reason is null
            then len(regexp_extract_all(concat(all_panels, to_json(trace_rounds)::varchar), '(?i)"(nan|none|null|n/a)"'))
        else 0
    end as n_missing_words,
    -- Lines that are parsed once more by their own staging model: dialects without round data, and what is read of a probe line.
    case
        when reason is not null then null
        when shape_dialect in ('F', 'G', 'J', 'M', 'action', 'audit_record') then line
        when shape_dialect in ('E', 'H', 'I', 'K') then coalesce(battery, line)
    end as short_line,
    case when reason is null then usage_text end as usage_text,
    agent_texts,
    coalesce(len(regexp_extract_all(agent_texts, '"text":"')), 0)::integer as n_agent_texts,
    {%- for key in record_scalars() %}
    r.{{ key }},
    {%- endfor %}
    r.outcome,
    case when reason is null then e end as evaluation,
    case when n_initial_states is null then {{ panel_text('r.initial_answers', 'a') }} end as initial_answers,
    case when n_round_traces is null and n_round_states is null then {{ panel_text('r.final_answers', 'a') }} end as final_answers,
    -- The same agents in every round, under the usual keys: told here, so that staging skips whole blocks of lines by it.
    coalesce(
        shape_dialect = 'B'
        and not needs_ids
        and n_initial_states is not null
        and (n_round_traces > 0 or (n_round_traces = 0 and n_round_states is null and n_rounds is null)),
        false
    ) as is_plain,
    -- The answers of each panel, in a column per key that they stand under.
    initial_panel as initial_states,
    final_panel as final_states,
    {%- for key in round_keys %}
    {{ key }}_panels as {{ key }},
    {%- endfor %}
    list_transform(trace_rounds, lambda t: {{ panel_text('t.answers', 'a') }}) as trace_answers,
    list_transform(trace_rounds, lambda t: t.majority) as trace_majorities,
    list_transform(trace_rounds, lambda t: t.majority_changed) as trace_majority_changes,
    -- Null where the place in the list is the agent.
    case when needs_ids then initial_ids end as initial_ids,
    -- Agents that the line plans: by name, and their number or a temperature for each.
    case when needs_ids then json_extract_string(line, '$.agents[*]') end as planned_names,
    case
        when needs_ids
            then coalesce(try_cast(r.n_agents as bigint), nullif(json_array_length(line, '$.temperatures'), 0))
    end as n_planned_agents,
    case when needs_ids then list_transform(r.final_states, lambda a: a.agent_id) end as final_states_ids,
    {%- for key in round_keys %}
    case when needs_ids then list_transform(r.{{ key }}, lambda p: list_transform(p, lambda a: a.agent_id)) end as {{ key }}_ids,
    {%- endfor %}
from texted
