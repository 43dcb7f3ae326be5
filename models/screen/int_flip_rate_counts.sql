{{ config(materialized='view') }}

with counts as (
    select * from {{ ref('int_flip_totals') }}
)

{{ rate_pairs('counts', flip_rates()) }}
