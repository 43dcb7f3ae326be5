{#- Rates of the re-reading of texts: name, numerator, denominator. -#}
{% macro reparse_agreement_rates() -%}
{{ return([("disagreement", "n_disagree", "n_slots")]) }}
{%- endmacro %}

{% macro reparse_cell_rates() -%}
{{ return([("change", "n_changed", "n_labelled")]) }}
{%- endmacro %}
