{{ config(materialized='view') }}

with counts as (
    select * from {{ ref('int_ledger_counts') }}
)

{% for name, numerator, denominator in ledger_rates() -%}
select
    {{ numerator }} as successes,
    {{ denominator }} as trials,
from counts
where {{ denominator }} > 0
{{ 'union' if not loop.last }}
{% endfor -%}
