-- A published number that does not come back needs a row in seeds/published/reproduction_exceptions.csv, and one that does needs none.
with quantities as (
    select * from {{ ref('reproduction') }}
),

exceptions as (
    select * from {{ ref('reproduction_exceptions') }}
)

select
    quantities.study,
    quantities.statistic,
    quantities.quantity,
    quantities.published,
    quantities.recomputed,
    'differs without an exception' as problem,
from quantities
left join exceptions using (study, statistic, quantity)
where quantities.status = 'differs' and exceptions.reason is null
union all
select
    exceptions.study,
    exceptions.statistic,
    exceptions.quantity,
    quantities.published,
    quantities.recomputed,
    'an exception that does not differ' as problem,
from exceptions
left join quantities using (study, statistic, quantity)
where quantities.status is distinct from 'differs'
