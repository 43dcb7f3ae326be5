with onsets as (
    select * from {{ ref('int_onset_counts') }}
),

transitions as (
    select * from {{ ref('transitions') }}
),

rounds as (
    select * from {{ ref('round_ledger') }}
)

select
    onsets.cohort,
    onsets.model,
    onsets.family,
    onsets.coding_rule,
    onsets.endpoint,
    onsets.onset_round,
    onsets.n_onset,
    onsets.n_onset_unread,
    onsets.n_onset_by_tie,
    transitions.n_collapse,
    onsets.n_onset / transitions.n_collapse as onset_share,
    rounds.n_debates as n_debates_with_round,
from onsets
inner join transitions using (cohort, model, family, coding_rule, endpoint)
left join rounds
    on onsets.cohort = rounds.cohort and onsets.model = rounds.model and onsets.onset_round = rounds.round
order by onsets.cohort, onsets.model, onsets.family, onsets.coding_rule, onsets.endpoint, onsets.onset_round nulls last
