{#- One row per key; null is a value of the key like any other. -#}
{% test unique_rows(model, key) %}
    select
        {{ key | join(', ') }},
        count(*) as n_rows,
    from {{ model }}
    group by all
    having count(*) > 1
{% endtest %}
