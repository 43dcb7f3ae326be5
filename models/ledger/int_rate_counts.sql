{{ config(materialized='view') }}

with counts as (
    select * from {{ ref('int_ledger_counts') }}
)

{{ rate_pairs('counts', ledger_rates()) }}
