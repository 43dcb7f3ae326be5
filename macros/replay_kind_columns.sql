{#- What a gate or a score may look at in a debate: debates that agree in all of it are of one kind. -#}
{% macro replay_kind_columns() -%}
{{ return([
    'cohort', 'coding_rule', 'endpoint', 'model', 'lane', 'initial_state', 'final_state', 'cell', 'is_changed', 'has_answers',
    'is_ended_at_start', 'n_agents', 'initial_one_answer', 'initial_agreement_of_parsed', 'r1_majority_changed', 'r1_one_answer',
    'r1_n_flipped', 'r1_agreement', 'r1_agreement_of_parsed', 'question_flip_rate',
]) }}
{%- endmacro %}
