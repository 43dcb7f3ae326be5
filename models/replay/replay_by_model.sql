-- What each policy would have saved and thrown away in each model: which collapses it sees, and how many of its alarms are collapses.

with counts as (
    select * from {{ ref('int_replay_model_counts') }}
),

gates as (
    select * from {{ ref('gates') }}
)

select
    counts.cohort,
    counts.coding_rule,
    counts.endpoint,
    counts.model,
    counts.policy,
    counts.source,
    counts.source = 'landed' or gates.bound is not true as is_deployable,
    counts.n_debates,
    counts.n_undecidable,
    counts.n_answered,
    counts.n_fired,
    counts.n_fired / counts.n_debates as gate_rate,
    counts.n_collapse,
    counts.n_correction,
    counts.n_prevented,
    counts.n_lost,
    {{ net_change('counts') }} as net,
    {{ net_change('counts') }} / nullif(counts.n_answered, 0) as accuracy_change,
    counts.n_prevented / nullif(counts.n_collapse, 0) as prevented_share,
    counts.n_lost / nullif(counts.n_correction, 0) as lost_share,
    counts.n_prevented / nullif(counts.n_fired, 0) as prevented_per_alarm,
from counts
left join gates using (policy)
order by counts.cohort, counts.coding_rule, counts.policy, counts.model
