{#- Utility in points of 100 debates: a prevented collapse is worth `ratio` lost corrections (`ledger_formats` 2.19). -#}
{% macro net_utility(ratio, saved, thrown, debates) -%}
(100 * ({{ ratio }} * ({{ saved }}) - ({{ thrown }})) / nullif({{ debates }}, 0))
{%- endmacro %}

{#- Debates that end right under a policy minus those that end right without it, of the debates that it answers: abstaining is not being wrong. -#}
{% macro net_change(counts) -%}
({{ counts }}.n_policy_correct - ({{ counts }}.n_standard_correct - {{ counts }}.n_abstained_right))
{%- endmacro %}
