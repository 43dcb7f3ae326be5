{#-
    The answers of one panel as JSON text, null for no panel. Text takes a third of the time that nested lists take to be written, and
    panels repeat, so that votes are counted once per distinct text (`int_panels`). In it "" is an agent that gave no label; null is
    left for an agent that was not asked.
-#}
{% macro panel_text(agents, answer) -%}
to_json(list_transform({{ agents }}, lambda a: coalesce({{ answer }}, '')))::varchar
{%- endmacro %}

{#- The list that such a text holds. -#}
{% macro panel_list(text) -%}
from_json({{ text }}, '["VARCHAR"]')
{%- endmacro %}
