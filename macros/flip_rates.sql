{#-
    Flip rates: name, numerator, denominator (`ledger_formats` 2.5). flip_rate: a reply that was not parsed is no flip; flip_rate_dropped:
    it is left out; none_as_flip: it is one. adv, cor and neutral are conditional on the first answer, so they do not add up to alpha.
-#}
{% macro flip_rates() -%}
{{ return([
    ("flip_rate", "n_flip", "n_replies"),
    ("flip_rate_dropped", "n_compared_flip", "n_compared"),
    ("flip_rate_none_as_flip", "n_flip_or_unparsed", "n_replies"),
    ("alpha_adv", "n_adv", "n_initial_right"),
    ("alpha_cor", "n_cor", "n_initial_wrong"),
    ("alpha_neutral", "n_neutral", "n_initial_wrong"),
    ("alpha_adv_no_flip", "n_adv", "n_replies_initial_right"),
    ("alpha_any_change_no_flip", "n_cor_or_neutral", "n_replies_initial_wrong"),
]) }}
{%- endmacro %}

{#- Counts of replies, in the order of the marts. -#}
{% macro flip_counts() -%}
{{ return([
    "n_replies", "n_unparsed", "n_flip", "n_stored_flip", "n_replies_initial_right", "n_replies_initial_wrong",
    "n_compared", "n_compared_flip", "n_initial_right", "n_initial_wrong", "n_adv", "n_cor", "n_neutral", "n_flip_without_key",
]) }}
{%- endmacro %}
