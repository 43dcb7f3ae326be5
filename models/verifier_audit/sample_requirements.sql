-- Passes that certify a pass probability at a significance (R15).

with requirements as (
    select * from {{ ref('int_sample_requirements') }}
)

select * from requirements
order by eta::double desc, tau::double
