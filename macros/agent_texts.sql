{#- Keys under which agents of the several writers keep what they said, the first that holds a text first. -#}
{% macro text_keys() -%}
{{ return(["reasoning", "text", "response", "raw_response"]) }}
{%- endmacro %}

{#-
    What the agents of a line said, as one JSON text: {task_kind, options, and under each key of panels its agents as {id, text}, in the order
    of the line}; null where nobody said anything. A value that is no text (null, number, object) and a blank text are none.

    A million lines without texts pay for the first two looks at most: lines have "reasoning": null fifteen times, so the look is for a key
    with that ending and a text behind it. CASE, since OR and AND would take every look at every line.
-#}
{% macro agent_texts(line) -%}
{%- set agent = {"agent_id": "VARCHAR"} -%}
{%- for key in text_keys() %}{% do agent.update({key: "JSON"}) %}{% endfor -%}
{%- set shape = {
    "task_kind": "VARCHAR", "options": ["VARCHAR"], "initial_states": [agent], "final_states": [agent],
    "round_traces": [[agent]], "round_states": [[agent]], "rounds": [[agent]],
} -%}
case
    when
        case
            when regexp_matches({{ line }}, 'g"\s*:\s*"[^"]') then true
            when contains({{ line }}, 'xt"') then true
            else contains({{ line }}, 'ponse"')
        end
        then case
            when regexp_matches({{ line }}, '"({{ text_keys() | join("|") }})"\s*:\s*"[^"]')
                then list_transform(
                    list_transform(
                        [try(from_json({{ line }}, '{{ tojson(shape) }}'))],
                        lambda said: {
                            'task_kind': said.task_kind,
                            'options': said.options,
                            {%- for key in ['initial_states', 'final_states'] %}
                            '{{ key }}': list_transform(said.{{ key }}, lambda a: {{ agent_text('a') }}),
                            {%- endfor %}
                            {%- for key in ['round_traces', 'round_states', 'rounds'] %}
                            '{{ key }}': list_transform(said.{{ key }}, lambda p: list_transform(p, lambda a: {{ agent_text('a') }})){{ ',' if not loop.last }}
                            {%- endfor %}
                        }
                    ),
                    -- In a text the quotes have backslashes.
                    lambda said: if(contains(to_json(said)::varchar, '"text":"'), to_json(said)::varchar, null)
                )[1]
        end
end
{%- endmacro %}

{% macro agent_text(agent) -%}
{'id': {{ agent }}.agent_id, 'text': coalesce(
    {%- for key in text_keys() %}
    {%- set text = "json_extract_string(" ~ agent ~ "." ~ key ~ ", '$')" %}
    if(json_type({{ agent }}.{{ key }}) = 'VARCHAR' and {{ stripped(text) }} <> '', {{ text }}, null){{ ', ' if not loop.last }}
    {%- endfor %}
)}
{%- endmacro %}

{#- The shape of that JSON text. -#}
{% macro agent_texts_shape() -%}
{%- set agent = {"id": "VARCHAR", "text": "VARCHAR"} -%}
{{ tojson({
    "task_kind": "VARCHAR", "options": ["VARCHAR"], "initial_states": [agent], "final_states": [agent],
    "round_traces": [[agent]], "round_states": [[agent]], "rounds": [[agent]],
}) }}
{%- endmacro %}

{#- Once the answers are read, the texts leave the work file: `keep_texts: true` keeps them. Their number stays. -#}
{% macro drop_texts() -%}
{%- if not var('keep_texts') -%}
update {{ ref('raw_records') }} set agent_texts = null where agent_texts is not null
{%- endif -%}
{%- endmacro %}

{#- Answers cannot be read again from a work file that has lost its texts; without this they would be gone without a word. -#}
{% macro need_texts() -%}
select if(
    count(*) > 0,
    error(
        'The texts of ' || count(*) || ' lines have left the work file: land them again together with what reads them'
        || ' (dbt build, or dbt build --select raw_records+).'
    ),
    null
)
from {{ ref('raw_records') }}
where n_agent_texts > 0 and agent_texts is null
{%- endmacro %}
