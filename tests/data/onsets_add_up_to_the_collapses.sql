with onsets as (
    select
        cohort,
        model,
        coding_rule,
        endpoint,
        sum(n_onset) as n_onset,
    from {{ ref('onsets') }}
    group by all
)

select
    transitions.cohort,
    transitions.model,
    transitions.coding_rule,
    transitions.endpoint,
    transitions.n_collapse,
    onsets.n_onset,
from {{ ref('transitions') }} as transitions
full join onsets using (cohort, model, coding_rule, endpoint)
where coalesce(transitions.n_collapse, -1) <> coalesce(onsets.n_onset, 0)
