with debates as (
    select * from {{ ref('debates') }}
)

select
    cohort,
    family,
    model,
    coding_rule,
    endpoint,
    onset_round,
    count(*) as n_onset,
from debates
where cell = 'collapse'
group by all
