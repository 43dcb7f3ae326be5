with rows as (
    select * from {{ ref('int_paired_arms') }}
)

select * from rows
order by comparison, cohort, coding_rule
