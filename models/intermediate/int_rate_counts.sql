{{ config(materialized='view') }}

with ledger_counts as (
    select * from {{ ref('int_ledger_counts') }}
),

flip_counts as (
    select * from {{ ref('int_flip_totals') }}
)

{% for counts, rates in [('ledger_counts', ledger_rates()), ('flip_counts', flip_rates())] -%}
{%- set last_counts = loop.last %}
{%- for name, numerator, denominator in rates -%}
select
    {{ numerator }} as successes,
    {{ denominator }} as trials,
from {{ counts }}
where {{ denominator }} > 0
{{ 'union' if not (loop.last and last_counts) }}
{% endfor -%}
{% endfor -%}
