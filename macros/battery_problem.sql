{#-
    What is wrong with the replies of a probe line, or null. Only asked about lines that look odd. Replies stand in a list, in dialect E in
    a list per agent; the path of the one finds nothing in the other.
-#}
{% macro battery_problem() -%}
case
    when shape_dialect = 'E' and json_type(line, '$.probe_results') <> 'OBJECT'
        then 'probe_results is no object: give a list of replies per agent_id'
    when shape_dialect = 'E' and list_unique(json_keys(line, '$.probe_results')) < len(json_keys(line, '$.probe_results'))
        then 'an agent stands twice in probe_results: keep one list of replies per agent'
    when
        shape_dialect = 'E'
        and list_bool_or(
            list_transform(json_extract(line, '$.probe_results.*'), lambda p: json_type(p) not in ('ARRAY', 'NULL'))
        )
        then 'the replies of an agent are no list: give a list per agent_id'
    when shape_dialect <> 'E' and json_type(line, '$.probe_results') <> 'ARRAY' then 'probe_results is no list: give a list of replies'
    when shape_dialect = 'E' and json_type(line, '$.agents') <> 'ARRAY' then 'agents is no list: give a list of agents'
    when
        list_bool_or(
            list_transform(
                list_concat(json_extract(line, '$.probe_results[*]'), json_extract(line, '$.probe_results.*[*]')),
                lambda p: json_type(p) <> 'OBJECT'
            )
        )
        then 'a reply of probe_results is no object: give every reply as an object'
    when list_bool_or(list_transform(json_extract(line, '$.agents[*]'), lambda a: json_type(a) <> 'OBJECT'))
        then 'an agent of agents is no object: give every agent as an object'
    when shape_dialect = 'E' and len(json_extract(line, '$.agents[*]')) = 0 then 'agents is empty: give every agent that was probed'
    when shape_dialect = 'E' and list_unique(json_extract_string(line, '$.agents[*].agent_id')) < len(json_extract(line, '$.agents[*]'))
        then 'an agent of agents stands twice or has no agent_id: name every agent once'
    when
        shape_dialect = 'E'
        and not list_has_all(json_extract_string(line, '$.agents[*].agent_id'), json_keys(line, '$.probe_results'))
        then 'probe_results names an agent that agents does not: give every agent that was probed'
    when json_type(line, '$.initial_answer') in ('OBJECT', 'ARRAY') then 'initial_answer is an object or a list: give its label as text'
    {%- for key in ['condition', 'agent_idx', 'agent_id'] %}
    when json_type(line, '$.{{ key }}') in ('OBJECT', 'ARRAY') then '{{ key }} is an object or a list: give it as text'
    {%- endfor %}
    {%- for key in ['post_answer', 'probe_answer', 'original_answer', 'alt_answer', 'strength', 'probe_type', 'social'] %}
    when
        list_bool_or(
            list_transform(
                list_concat(json_extract(line, '$.probe_results[*].{{ key }}'), json_extract(line, '$.probe_results.*[*].{{ key }}')),
                lambda a: json_type(a) in ('OBJECT', 'ARRAY')
            )
        )
        then '{{ key }} of a reply is an object or a list: give it as text'
    {%- endfor %}
end
{%- endmacro %}
