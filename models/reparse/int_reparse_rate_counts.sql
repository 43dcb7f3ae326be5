{{ config(materialized='view') }}

with agreement as (
    select * from {{ ref('int_reparse_agreement_counts') }}
),

cells as (
    select * from {{ ref('int_reparse_cell_counts') }}
),

pairs as (
    select * from ({{ rate_pairs('agreement', reparse_agreement_rates()) }})
    union
    select * from ({{ rate_pairs('cells', reparse_cell_rates()) }})
)

select
    successes,
    trials,
from pairs
