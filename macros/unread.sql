{#-
    Unread panels. A panel is unread where the answers that were asked for and not found could change whether it is right, whatever they
    were. The best that unparsed answers can do for the key is to give it all of them, and the worst is to go to the strongest other answer
    together, or to one that nobody gave: so the votes tell, and no completion has to be tried (decision 0022; a test tries them all).

    `gold` and `first_other` are the key and the first of the strongest other answers in the order in which ties are decided, `n_gold` and
    `n_other` their votes.
-#}
{% macro may_become_right(gold, n_gold, n_other, first_other, n_unparsed) -%}
coalesce(
    {{ n_gold }} + {{ n_unparsed }} > {{ n_other }} or ({{ n_gold }} + {{ n_unparsed }} = {{ n_other }} and {{ gold }} < {{ first_other }}),
    false
)
{%- endmacro %}

{% macro may_become_wrong(gold, n_gold, n_other, first_other, n_unparsed) -%}
coalesce(
    {{ n_other }} + {{ n_unparsed }} > {{ n_gold }} or ({{ n_other }} + {{ n_unparsed }} = {{ n_gold }} and {{ first_other }} < {{ gold }}),
    false
)
{%- endmacro %}

{#- A tie with an answer that nobody gave: the key loses it where such an answer can come before the key. -#}
{% macro ties_with_an_unseen_answer(n_gold, n_unparsed) -%}
{{ n_unparsed }} > 0 and {{ n_unparsed }} = {{ n_gold }}
{%- endmacro %}

{#- Questions whose answers are the letters of options; where no kind is told, the key says it. -#}
{% macro is_letters(task_kind, correct_label) -%}
coalesce({{ task_kind }} = 'choice', regexp_full_match({{ correct_label }}, '[A-Za-z]'), false)
{%- endmacro %}

{#- Whether an answer can come before the key when a tie is decided: not where the key is the first that there can be. -#}
{% macro has_earlier_answer(task_kind, correct_label) -%}
case
    when {{ task_kind }} = 'yes_no' or ({{ task_kind }} is null and lower({{ correct_label }}) in ('yes', 'no'))
        then lower({{ correct_label }}) not in ('no', 'false')
    when {{ is_letters(task_kind, correct_label) }} then {{ correct_label }} not in ('A', '0')
    else true
end
{%- endmacro %}

{#- Whether a panel that counts as `decision` (right where true) could have counted otherwise; null where it has no key or no answers. -#}
{% macro is_unread(decision, may_be_right, may_be_wrong) -%}
n_asked > n_parsed and if(coalesce({{ decision }}, false), {{ may_be_wrong }}, {{ may_be_right }})
{%- endmacro %}

{#- Decisions that are a recount of the panel, so that a rule can leave out what was not read. -#}
{% macro recounts() -%}
{{ return(["alphabetical", "plurality", "normalised", "by_kind"]) }}
{%- endmacro %}

{#- A round that breaks a right start, and whether it is unread or tied, as one number: the smallest is the first break. -#}
{% macro break_code(decision) -%}
round * 4 + if({{ decision }}_unread, 2, 0) + if({{ decision }}_tied, 1, 0)
{%- endmacro %}

{#-
    The first breaks that a rule may go by: name, decision, and which rounds count. `wrong` ones skip rounds without a decision, `not_right` ones
    do not, `read_` ones skip rounds that are unread.
-#}
{% macro breaks() -%}
{%- set found = [] -%}
{%- for decision in decisions() -%}
    {%- for name, verdict in [('wrong', 'is false'), ('not_right', 'is distinct from true')] -%}
        {%- set condition = 'follows_recorded_round and ' ~ decision ~ '_correct ' ~ verdict -%}
        {%- do found.append((name ~ '_' ~ decision, decision, condition)) -%}
        {%- if decision in recounts() -%}
            {%- do found.append(('read_' ~ name ~ '_' ~ decision, decision, condition ~ ' and ' ~ decision ~ '_unread is distinct from true')) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}

{#- Whether a rule decides by the answers of the agents. -#}
{% macro is_recount(panel_decision) -%}
{{ panel_decision }} in ('{{ recounts() | join("', '") }}')
{%- endmacro %}

{#- The round of such a number, and what it says. -#}
{% macro break_round(code) -%}
{{ code }} // 4
{%- endmacro %}

{% macro is_break_unread(code) -%}
{{ code }} // 2 % 2 = 1
{%- endmacro %}

{% macro is_break_tied(code) -%}
{{ code }} % 2 = 1
{%- endmacro %}
