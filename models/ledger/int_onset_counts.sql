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
    if(count(n_agents) = 0, null, count(*) filter (is_onset_unread)) as n_onset_unread,
    if(count(n_agents) = 0, null, count(*) filter (is_onset_tied)) as n_onset_by_tie,
from debates
where cell = 'collapse'
group by all
