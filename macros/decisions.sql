{#-
    Ways to decide a panel, as `int_panel_rounds` holds them in a column <decision>_correct: true, false, or null where the panel is
    undecided or the source cannot tell, beside <decision>_unread and <decision>_tied. A coding rule (seeds/coding_rules.csv) names one for the start and the rounds, and one for the end.
-#}
{% macro decisions() -%}
{{ return(["stored", "alphabetical", "alphabetical_stored_final", "plurality", "agreement", "normalised", "by_kind"]) }}
{%- endmacro %}

{#-
    Whether a row of `starts` speaks under a rule of this tolerance: the one of that tolerance where numbers of the debate are joined by it, else the
    row without one.
-#}
{% macro is_tolerance_of(starts, tolerance) -%}
if(
    {{ starts }}.joined_tolerances is null,
    true,
    {{ starts }}.tolerance is not distinct from if(list_contains({{ starts }}.joined_tolerances, {{ tolerance }}), {{ tolerance }}, null)
)
{%- endmacro %}
