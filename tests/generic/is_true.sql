{#- Fails on false and on null: `not (expression)` alone lets null rows pass. -#}
{% test is_true(model, expression) %}
    select * from {{ model }}
    where ({{ expression }}) is not true
{% endtest %}
