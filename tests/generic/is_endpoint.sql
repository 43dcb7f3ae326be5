{#- last, or a round such as r3. -#}
{% test is_endpoint(model, column_name) %}
    select * from {{ model }}
    where not coalesce(regexp_full_match({{ column_name }}, 'last|r\d+'), false)
{% endtest %}
