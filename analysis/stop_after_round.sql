-- What the ledger says if every debate is stopped after round 1, 2 or 3 instead of at its end.
select
    transitions.cohort,
    transitions.model,
    transitions.endpoint,
    transitions.n_debates,
    transitions.n_collapse,
    transitions.n_correction,
    transitions.net_corrections,
    transitions.final_accuracy,
    transitions.n_carried_forward,
from transitions
inner join cohorts using (cohort, coding_rule)
order by transitions.cohort, transitions.model, transitions.endpoint
