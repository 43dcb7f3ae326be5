{#-
    Staged rows of one kind of record of the verifier audit. `about` says which of dataset, model, arm and pair_id the kind has, `columns` its
    own keys as (name, type): a DuckDB type, or
    name: text that is published as a label,
    whole: a whole number that stands as text; null where it does not fit, which then equals nothing,
    numbers: a list of whole numbers.
    A third element is another name for the column. A value of another type becomes null.
-#}
{% macro staged_record(record, about, columns) -%}
{%- set json_types = {'name': 'VARCHAR', 'whole': 'VARCHAR', 'numbers': ['INTEGER'], 'names': ['VARCHAR']} -%}
{%- set shape = {} -%}
{%- for column in columns %}{% do shape.update({column[0]: json_types.get(column[1], column[1])}) %}{% endfor -%}
with records as (
    select
        *,
        from_json(text, '{{ tojson(shape) }}') as r,
    from {{ ref('stg_audit_records') }}
    where record = '{{ record }}'
)

select
    cohort,
    file_id,
    file_key,
    directory,
    line_number,
    {%- for column in about %}
    {{ column }},
    {%- endfor %}
    {%- for column in columns %}
    {%- set value = "r['" ~ column[0] ~ "']" %}
    {%- if column[1] == 'name' %}
    {{ published_label(value) }} as {{ column[2] or column[0] }},
    {%- elif column[1] == 'whole' %}
    try_cast({{ value }} as bigint) as {{ column[2] or column[0] }},
    {%- elif column[1] == 'names' %}
    {{ published_label("array_to_string(" ~ value ~ ", ';')") }} as {{ column[2] or column[0] }},
    {%- else %}
    {{ value }} as {{ column[2] or column[0] }},
    {%- endif %}
    {%- endfor %}
from records
{%- endmacro %}

{#- A decimal that stands as text, as a whole number of 10⁻¹²; null where it is none. -#}
{% macro as_e12(text) -%}
(try_cast({{ text }} as decimal(24, 12)) * 1000000000000)::hugeint
{%- endmacro %}

{#- A quotient of whole numbers in lowest terms, as text; the denominator is above 0. -#}
{% macro fraction_text(num, den) -%}
(({{ num }}) // gcd({{ num }}, {{ den }}))::varchar || '/' || (({{ den }}) // gcd({{ num }}, {{ den }}))::varchar
{%- endmacro %}

{#- A quotient that stands in two columns, as text. -#}
{% macro fraction_of(name) -%}
{{ name }}_num::varchar || '/' || {{ name }}_den::varchar
{%- endmacro %}
