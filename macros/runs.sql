{#- What tells runs apart, as a line states it: where it came from, how the panel worked, what it was asked, under which condition. -#}
{% macro run_columns() -%}
{%- for key in ['source_file', 'mode', 'task', 'condition'] %}
    {{ published_label(first_text([key])) }} as {{ key }},
{%- endfor %}
    -- A number that a table wrote is 3.0 sometimes.
    try_cast(try_cast(n_agents as double) as integer) as stated_n_agents,
    if(no_key in ('unread', 'not_stated'), no_key, null) as no_key
{%- endmacro %}

{#- How a panel worked that did not debate: the mode of its line, null for a debate and where the line states none (var debate_modes). -#}
{% macro other_mode(mode) -%}
if(replace(replace(lower({{ mode }}), '-', '_'), ' ', '_') in ('{{ var('debate_modes') | join("', '") }}'), null, {{ mode }})
{%- endmacro %}

{#- Whether a debate is of a lane. -#}
{% macro of_lane(debates, lanes) -%}
{%- set columns = {'stored_model': debates ~ '.stored_model', 'condition': debates ~ '.condition', 'mode': other_mode(debates ~ '.mode')} -%}
{{ debates }}.file_id = {{ lanes }}.file_id
{%- for column, value in columns.items() %} and {{ value }} is not distinct from {{ lanes }}.{{ column }}{% endfor %}
{%- endmacro %}
