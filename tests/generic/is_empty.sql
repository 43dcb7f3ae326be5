{#- For audit tables that must not have a row. -#}
{% test is_empty(model) %}
    select * from {{ model }}
{% endtest %}
