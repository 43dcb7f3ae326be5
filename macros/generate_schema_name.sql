{#- Schemas are called as the folders are (landing, staging, …), without the target's name before them. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
