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

{% macro ledger_rate_columns(counts) -%}
{{ rate_columns(counts, ledger_rates(), jeffreys=true) }}
{%- endmacro %}

{% macro ledger_rate_joins(counts) -%}
{{ rate_joins(counts, ledger_rates(), ref('int_intervals')) }}
{%- endmacro %}

{#- Counts of the ledger, in the order of the marts. -#}
{% macro ledger_counts() -%}
{{ return([
    "n_debates", "n_defined", "n_undefined", "n_undefined_no_gold", "n_undefined_no_initial", "n_undefined_no_final", "n_undefined_tie",
    "n_undefined_unread",
    "n_initial_correct", "n_initial_wrong", "n_initial_undecided", "n_final_correct",
    "n_preserved", "n_collapse", "n_collapse_wrong", "n_collapse_tied", "n_collapse_unread", "n_collapse_by_tie",
    "n_correction", "n_correction_unread", "n_correction_by_tie", "n_unrepaired", "n_undecided_correct",
    "n_unlocalized", "n_carried_forward", "n_unavailable",
]) }}
{%- endmacro %}

{#- Corrections minus collapses, what they may be once unread panels are read, and whether their sign rests on those. -#}
{% macro net_columns(counts) -%}
{{ counts }}.n_correction - {{ counts }}.n_collapse as net_corrections,
    {{ counts }}.net_lower as net_corrections_lower,
    {{ counts }}.net_upper as net_corrections_upper,
    sign({{ counts }}.net_lower) <> sign({{ counts }}.n_correction - {{ counts }}.n_collapse)
    or sign({{ counts }}.net_upper) <> sign({{ counts }}.n_correction - {{ counts }}.n_collapse) as is_sign_unread,
{%- endmacro %}
