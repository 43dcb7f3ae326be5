{#- Pools of test paraphrases that are read at a threshold for an arm: the one without a name, and those of the threshold's name. -#}
{% macro pools_of(epsilon_name, arm) -%}
'any', {{ epsilon_name }}, {{ epsilon_name }} || '-' || if({{ arm }} = 'adv', 'strict', {{ arm }})
{%- endmacro %}
