{#- Utility in points of 100 debates: a prevented collapse is worth `ratio` lost corrections (`ledger_formats` 2.19). -#}
{% macro net_utility(ratio, saved, thrown, debates) -%}
(100 * ({{ ratio }} * ({{ saved }}) - ({{ thrown }})) / nullif({{ debates }}, 0))
{%- endmacro %}
