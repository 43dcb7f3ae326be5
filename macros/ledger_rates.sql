{#- The rates of the ledger: name, numerator, denominator. -#}
{% macro ledger_rates() -%}
{{ return([
    ("conditional_collapse", "n_collapse", "n_initial_correct"),
    ("conditional_correction", "n_correction", "n_initial_wrong"),
    ("raw_collapse", "n_collapse", "n_defined"),
    ("initial_accuracy", "n_initial_correct", "n_defined"),
    ("final_accuracy", "n_final_correct", "n_defined"),
]) }}
{%- endmacro %}

{#-
    Columns of the rates: value, Wilson interval, Jeffreys interval, denominator. Below the minimum n the rate and its intervals are null
    and the denominator stays. Goes with `ledger_rate_joins` on the same counts.
-#}
{% macro ledger_rate_columns(counts) -%}
{%- for name, numerator, denominator in ledger_rates() %}
    {%- set enough = counts ~ '.' ~ denominator ~ ' >= ' ~ var('minimum_n') %}
    if({{ enough }}, {{ counts }}.{{ numerator }} / nullif({{ counts }}.{{ denominator }}, 0), null) as {{ name }},
    if({{ enough }}, {{ name }}_interval.wilson_lower, null) as {{ name }}_ci_lower,
    if({{ enough }}, {{ name }}_interval.wilson_upper, null) as {{ name }}_ci_upper,
    if({{ enough }}, {{ name }}_interval.jeffreys_lower, null) as {{ name }}_jeffreys_lower,
    if({{ enough }}, {{ name }}_interval.jeffreys_upper, null) as {{ name }}_jeffreys_upper,
    {{ counts }}.{{ denominator }} as {{ name }}_n,
{%- endfor %}
{%- endmacro %}

{% macro ledger_rate_joins(counts) -%}
{%- for name, numerator, denominator in ledger_rates() %}
left join {{ ref('int_intervals') }} as {{ name }}_interval
    on
        {{ counts }}.{{ numerator }} = {{ name }}_interval.successes
        and {{ counts }}.{{ denominator }} = {{ name }}_interval.trials
{%- endfor %}
{%- endmacro %}

{#- Counts of the ledger, in the order of the marts. -#}
{% macro ledger_counts() -%}
{{ return([
    "n_debates", "n_defined", "n_undefined", "n_undefined_no_gold", "n_undefined_no_initial", "n_undefined_no_final", "n_undefined_tie",
    "n_initial_correct", "n_initial_wrong", "n_initial_undecided", "n_final_correct",
    "n_preserved", "n_collapse", "n_collapse_wrong", "n_collapse_tied", "n_correction", "n_unrepaired", "n_undecided_correct",
    "n_unlocalized", "n_carried_forward", "n_unavailable",
]) }}
{%- endmacro %}
