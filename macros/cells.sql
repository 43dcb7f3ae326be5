{#- State of a panel: what an undecided one counts as, and whether an unread one counts, is the coding rule's business. -#}
{% macro panel_state(decision, is_unread, undecided_panel='undecided_panel', unread_panel='unread_panel', has_gold='has_gold') -%}
case
    when not {{ has_gold }} then null
    when {{ unread_panel }} = 'undefined' and {{ is_unread }} then 'unread'
    when {{ decision }} then 'right'
    when {{ decision }} is null and {{ undecided_panel }} <> 'wrong' then 'undecided'
    else 'wrong'
end
{%- endmacro %}

{#- Cell of a debate by the states of its start and its end. -#}
{% macro transition_cell(initial_state, final_state, undecided_panel='undecided_panel', has_gold='has_gold') -%}
case
    when not {{ has_gold }} then 'undefined'
    when 'unread' in ({{ initial_state }}, {{ final_state }}) then 'undefined'
    when {{ undecided_panel }} = 'undefined' and 'undecided' in ({{ initial_state }}, {{ final_state }}) then 'undefined'
    when {{ initial_state }} = 'right' then if({{ final_state }} = 'right', 'preserved', 'collapse')
    when {{ final_state }} <> 'right' then 'unrepaired'
    when {{ initial_state }} = 'undecided' then 'undecided_correct'
    else 'correction'
end
{%- endmacro %}

{#-
    What a debate adds to corrections minus collapses at the least (-1) and at the most (1), its unread panels being what they may. A debate
    that is left out for another reason adds nothing.
-#}
{% macro net_bounds(initial_state, final_state, is_initial_unread, is_final_unread, cell) -%}
{%- set may_start_right = initial_state ~ " = 'right' or " ~ is_initial_unread -%}
{%- set may_start_wrong = initial_state ~ " = 'wrong' or " ~ is_initial_unread -%}
{%- set may_end_right = final_state ~ " = 'right' or " ~ is_final_unread -%}
{%- set may_end_wrong = final_state ~ " <> 'right' or " ~ is_final_unread -%}
{#- Nothing to read, or an end without a decision that no reading gives one. -#}
{%- set is_fixed = "not coalesce(" ~ is_initial_unread ~ " or " ~ is_final_unread ~ ", false) or (" ~ cell ~ " = 'undefined' and (("
    ~ initial_state ~ " = 'undecided' and not " ~ is_initial_unread ~ ") or (" ~ final_state ~ " = 'undecided' and not " ~ is_final_unread
    ~ ")))" -%}
{%- set net = "if(" ~ cell ~ " = 'correction', 1, if(" ~ cell ~ " = 'collapse', -1, 0))" -%}
case
    when {{ is_fixed }} then {{ net }}
    when ({{ may_start_right }}) and ({{ may_end_wrong }}) then -1
    when ({{ may_start_right }}) or ({{ may_end_wrong }}) then least({{ net }}, 0)
    else {{ net }}
end as net_lower,
case
    when {{ is_fixed }} then {{ net }}
    when ({{ may_start_wrong }}) and ({{ may_end_right }}) then 1
    when ({{ may_start_wrong }}) or ({{ may_end_right }}) then greatest({{ net }}, 0)
    else {{ net }}
end as net_upper,
{%- endmacro %}

{#- The cells, as they are counted. -#}
{% macro transition_cells() -%}
{{ return(["preserved", "collapse", "correction", "unrepaired", "undecided_correct", "undefined"]) }}
{%- endmacro %}
