with rows as (
    select * from {{ ref('int_dose_ladders') }}
)

select * from rows
order by experiment, model
