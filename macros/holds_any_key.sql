{#- Whether a line's top level has one of the keys, by the text of its keys (`raw_records.keys`). -#}
{% macro holds_any_key(keys) -%}
regexp_matches(keys, '^\[\[[^\]]*"({{ keys | join("|") }})"')
{%- endmacro %}
