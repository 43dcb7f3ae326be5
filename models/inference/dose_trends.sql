with rows as (
    select * from {{ ref('int_dose_trends') }}
)

select * from rows
order by experiment
