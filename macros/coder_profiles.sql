{#- The profiles of the coder that answers are read again with; docs/coder.md says what each is for. -#}
{% macro coder_profiles() -%}
{{ return(["robust", "published", "published_strict", "final_tag_only", "last_bracketed"]) }}
{%- endmacro %}
