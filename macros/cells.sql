{#- State of a panel: what an undecided one counts as is the coding rule's business. -#}
{% macro panel_state(decision, undecided_panel='undecided_panel', has_gold='has_gold') -%}
case
    when not {{ has_gold }} then null
    when {{ decision }} then 'right'
    when {{ decision }} is null and {{ undecided_panel }} <> 'wrong' then 'undecided'
    else 'wrong'
end
{%- endmacro %}

{#- Cell of a debate by the states of its start and its end. -#}
{% macro transition_cell(initial_state, final_state, undecided_panel='undecided_panel', has_gold='has_gold') -%}
case
    when not {{ has_gold }} then 'undefined'
    when {{ undecided_panel }} = 'undefined' and 'undecided' in ({{ initial_state }}, {{ final_state }}) then 'undefined'
    when {{ initial_state }} = 'right' then if({{ final_state }} = 'right', 'preserved', 'collapse')
    when {{ final_state }} <> 'right' then 'unrepaired'
    when {{ initial_state }} = 'undecided' then 'undecided_correct'
    else 'correction'
end
{%- endmacro %}

{#- The cells, as they are counted. -#}
{% macro transition_cells() -%}
{{ return(["preserved", "collapse", "correction", "unrepaired", "undecided_correct", "undefined"]) }}
{%- endmacro %}
