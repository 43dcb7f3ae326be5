{{ config(materialized='view') }}

with asked as (
    {%- for endpoint in var('endpoints') %}
    select '{{ endpoint }}' as endpoint
    union
    {%- endfor %}
    select endpoint from {{ ref('int_cohort_lanes') }}
)

select
    endpoint,
    try_cast(nullif(endpoint, 'last')[2:] as integer) as endpoint_round,
from asked
