-- How many published statistics come back: a statistic is as good as its worst printed quantity.

with quantities as (
    select * from {{ ref('reproduction') }}
),

counted as (
    select
        study,
        statistic,
        count(*) as n_quantities,
        count(*) filter (status in ('exact', 'rounds to published')) as n_quantities_reproduced,
        bool_or(status = 'differs') as differs,
        bool_or(status = 'not attempted') as has_not_attempted,
        bool_or(quantity = 'value' and status in ('exact', 'rounds to published')) as is_value_reproduced,
    from quantities
    group by all
),

statistics as (
    select
        *,
        case
            when differs then 'differs'
            when n_quantities_reproduced = n_quantities then 'reproduced'
            when is_value_reproduced then 'value reproduced only'
            when has_not_attempted then 'not attempted'
            else 'inputs unpublished'
        end as outcome,
    from counted
)

select
    study,
    count(*) as n_statistics,
    count(*) filter (outcome = 'reproduced') as n_reproduced,
    count(*) filter (outcome = 'value reproduced only') as n_value_reproduced_only,
    count(*) filter (outcome = 'differs') as n_differ,
    count(*) filter (outcome = 'inputs unpublished') as n_inputs_unpublished,
    count(*) filter (outcome = 'not attempted') as n_not_attempted,
    sum(n_quantities)::bigint as n_quantities,
    sum(n_quantities_reproduced)::bigint as n_quantities_reproduced,
from statistics
group by all
order by study
