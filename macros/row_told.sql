{#- The key of a row as text; nothing but the key, since other columns may hold what is not to be shown. -#}
{% macro row_told(key) -%}
    {% if key %}to_json({ {%- for column in key %}'{{ column }}': {{ column }}{{ ', ' if not loop.last }}{% endfor -%} })::varchar{% else %}'a row'{% endif %}
{%- endmacro %}
