{#- Strengths of a probe, weakest first, with their values (paper, section 3.2). -#}
{% macro probe_strengths() -%}
{{ return({"weak": 0.25, "moderate": 0.5, "strong": 0.75, "very_strong": 1.0}) }}
{%- endmacro %}
