{{ config(materialized='view') }}

with batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

dropped as (
    select * from {{ ref('dropped_batteries') }}
)

select batteries.*
from batteries
anti join dropped using (battery_key)
