{#- Schemas are called as dbt_project.yml says, without the target's name before them; int_* models of the topics are in `intermediate`. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or ('intermediate' if node and node.name.startswith('int_') else target.schema) }}
{%- endmacro %}
