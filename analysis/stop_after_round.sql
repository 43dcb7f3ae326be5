-- What would the ledger say if every debate were stopped after round 1, 2 or 3 instead of at its end?
-- One row per cohort, model and endpoint, under the cohort's own rule. Counts are debates of n_debates; the accuracy is over those that
-- the rule can code. n_carried_forward debates ended earlier, and stand with their last round.
select
    transitions.cohort,
    transitions.model,
    transitions.endpoint,
    transitions.n_debates,
    transitions.n_collapse,
    transitions.n_correction,
    transitions.net_corrections,
    transitions.final_accuracy,
    transitions.final_accuracy_n,
    transitions.n_carried_forward,
from transitions
inner join cohorts using (cohort, coding_rule)
order by transitions.cohort, transitions.model, transitions.endpoint
