{#-
    Why a line cannot be staged, and the way out; null if it can. Only asked about lines that look odd (`raw_records.is_suspect`), so it
    may parse them again. Each branch may rely on the ones before it: JSON functions fail on a line that is no JSON.
-#}
{% macro record_problem() -%}
case
    when keys is null
        then if(
            ends_with(rtrim(line), '}'),
            'not JSON: a line holds one JSON object and nothing else',
            'not JSON, and the line does not end in }: it was cut short, write or fetch it again'
        )
    when json_type(line) <> 'OBJECT'
        then 'valid JSON but no object (' || lower(json_type(line)) || '): a line holds one JSON object'
    when n_keys <> n_unique_keys
        then 'a key stands twice ('
        || array_to_string(
            list_transform(
                list_sort(
                    list_distinct(list_filter(key_lists[1], lambda k: len(list_filter(key_lists[1], lambda j: j = k)) > 1))
                ),
                lambda k: {{ published_name('k') }}
            ),
            ', '
        )
        || '): readers disagree on which one counts, keep one'
    -- Before what is about debates, since there may be a million of them.
    when shape_dialect = 'evaluation' then {{ evaluation_problem() }}
    {%- for key in ['initial_answers', 'initial_states', 'round_traces', 'round_states', 'final_answers', 'final_states'] %}
    when n_{{ key }} is null and json_type(line, '$.{{ key }}') not in ('NULL', 'ARRAY')
        then '{{ key }} is no list: give a list'
    {%- endfor %}
    when n_rounds is null and json_type(line, '$.rounds') in ('OBJECT', 'VARCHAR') then 'rounds is no list: give a list'
    when shape_dialect is null
        then 'no known dialect (keys: ' || array_to_string(list_transform(list_sort(key_lists[1]), lambda k: {{ published_name('k') }}), ', ')
        || '): docs/raw_files.md shows the shapes that land'
    when shape_dialect = 'action' then {{ action_problem() }}
    when shape_dialect = 'audit_record'
        then if(
            coalesce(json_extract_string(line, '$.record') in ('{{ audit_record_kinds() | join("', '") }}'), false),
            null,
            'no known record: docs/er_audit.md shows the shapes of the verifier audit'
        )
    when not coalesce(regexp_matches(json_extract_string(line, '$.question_id'), '\S'), false)
        then 'no question_id: give every debate its question'
    when is_odd_battery then {{ battery_problem() }}
    when shape_dialect in ('A', 'B', 'C', 'D') and n_initial_answers is null and n_initial_states is null
        then 'no initial answers: give initial_answers or initial_states'
    when has_nested_answer then 'an answer is an object or a list: give its label as text'
    {%- for key in ['question_id', 'correct_label', 'answer', 'gold', 'majority_answer', 'initial_majority', 'final_answer'] %}
    when json_type(line, '$.{{ key }}') in ('OBJECT', 'ARRAY') then '{{ key }} is an object or a list: give it as text'
    {%- endfor %}
    when is_broken_trace
        then 'a round without a list of answers, or rounds not numbered 1, 2, …: give every round once and in order'
    when needs_ids then {{ agents_problem() }}
end
{%- endmacro %}
