with rows as (
    select * from {{ ref('int_paired_tests') }}
)

select * from rows
order by source, comparison, outcome
