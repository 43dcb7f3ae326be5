{#-
    One test for all that is said of a table's rows. keys: columns that tell them apart, the grain of the description unless others
    are named (null is a value like any other). not_null: columns that are never null. values: the only values of a column, null not among
    them. statements: what is true of every row, neither false nor null. What fails ends as an error, which names statement and row.
-#}
{% test rows(model, keys=none, not_null=[], values={}, statements={}) %}
    {{ config(fail_calc='count(told)') }}
    {%- set nodes = graph.nodes.values() | selectattr('relation_name', 'equalto', model | string) | list if execute else [] -%}
    {%- set keys = nodes | map(attribute='config.meta.grain') | list if keys is none else keys -%}
    {%- set wrong = [] -%}
    {%- for column in not_null -%}
        {%- do wrong.append((column ~ ' is null', column ~ ' is null')) -%}
    {%- endfor -%}
    {%- for column, known in values.items() -%}
        {%- do wrong.append((column ~ " is none of " ~ known | join(', '), "coalesce(" ~ column ~ "::varchar not in ('" ~ known | join("', '") ~ "'), true)")) -%}
    {%- endfor -%}
    {%- for statement, expression in statements.items() -%}
        {%- do wrong.append(('not true: ' ~ statement, '(' ~ expression ~ ') is not true')) -%}
    {%- endfor %}
    with problems as (
        {% if wrong %}
        select
            {{ row_told(keys[0] if keys else []) }} as at_row,
            unnest([{% for problem, condition in wrong %}case when {{ condition }} then '{{ problem | replace("'", "''") }}' end, {% endfor %}]) as problem,
        from {{ model }}
        where {% for problem, condition in wrong %}{{ condition }}{{ ' or ' if not loop.last }}{% endfor %}
        {% endif %}
        {% for key in keys %}
        {{ 'union all' if wrong or not loop.first }}
        select
            {{ row_told(key) }} as at_row,
            count(*) || ' rows have this key' as problem,
        from {{ model }}
        group by {{ key | join(', ') }}
        having count(*) > 1
        {% endfor %}
    )

    select error('{{ model.identifier }}: ' || min(problem || ' in ' || at_row) || ' (' || count(*) || ' of the kind)') as told
    from problems
    where problem is not null
    having count(*) > 0
{% endtest %}
