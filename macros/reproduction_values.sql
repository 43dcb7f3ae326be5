{#-
    Numbers of a relation by row key and column name, one row each: what published statistics are compared with. `columns` are names, or pairs
    of a name and an expression.
-#}
{% macro reproduction_values(relation, key, columns, condition='true') -%}
{%- for column in columns -%}
{%- set name, expression = (column, column) if column is string else column %}
select
    '{{ relation }}' as relation,
    concat_ws(' | ', {{ key }}) as row_key,
    '{{ name }}' as column_name,
    ({{ expression }})::double as recomputed,
from {{ ref(relation) }}
where {{ condition }}
{{ 'union all' if not loop.last }}
{%- endfor -%}
{%- endmacro %}
