-- How many published statistics come back: a statistic is as good as its worst printed quantity.

with quantities as (
    select * from {{ ref('reproduction') }}
),

statistics as (
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
)

select
    study,
    count(*) as n_statistics,
    count(*) filter (n_quantities_reproduced = n_quantities) as n_reproduced,
    count(*) filter (is_value_reproduced and not differs and n_quantities_reproduced < n_quantities) as n_value_reproduced_only,
    count(*) filter (differs) as n_differ,
    count(*) filter (not differs and not is_value_reproduced and not has_not_attempted) as n_inputs_unpublished,
    count(*) filter (not differs and not is_value_reproduced and has_not_attempted) as n_not_attempted,
    sum(n_quantities)::bigint as n_quantities,
    sum(n_quantities_reproduced)::bigint as n_quantities_reproduced,
from statistics
group by all
order by study
