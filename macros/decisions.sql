{#-
    Ways to decide a panel, as `int_panel_rounds` holds them in a column <decision>_correct: true, false, or null where the panel is
    undecided or the source cannot tell, beside <decision>_unread and <decision>_tied. A coding rule (seeds/coding_rules.csv) names one for the start and the rounds, and one for the end.
-#}
{% macro decisions() -%}
{{ return(["stored", "alphabetical", "alphabetical_stored_final", "plurality", "agreement", "normalised", "by_kind"]) }}
{%- endmacro %}
