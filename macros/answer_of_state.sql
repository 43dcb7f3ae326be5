{#-
    The answer that a state stands for, for comparison with another: an undecided panel and one that nobody was parsed in are answers of
    their own. Null where the source tells no answers, and where a stored majority is missing.
-#}
{% macro answer_of_state(answer, state, panel_decision) -%}
case
    when {{ state }} = 'undecided' then '(undecided)'
    when {{ answer }} is null and {{ is_recount(panel_decision) }} then '(none)'
    else {{ answer }}
end
{%- endmacro %}
