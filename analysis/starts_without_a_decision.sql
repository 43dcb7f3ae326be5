-- How many debates start without a majority, and what does each rule make of them?
-- One row per cohort, model and coding rule at the last round. A start is undecided when the lead is shared or nobody was parsed. Rules
-- either leave such debates out (n_no_initial and n_tied, of n_debates), count them as wrong, or keep them apart (n_undecided_starts),
-- and then those that end right (n_end_right) are no corrections.
select
    cohort,
    model,
    coding_rule,
    n_debates,
    n_undefined_no_initial as n_no_initial,
    n_undefined_tie as n_tied,
    n_initial_undecided as n_undecided_starts,
    n_undecided_correct as n_end_right,
    n_initial_wrong as n_wrong_starts,
    n_correction,
from transitions
where endpoint = 'last'
order by cohort, model, coding_rule
