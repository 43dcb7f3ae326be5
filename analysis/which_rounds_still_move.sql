-- Which rounds still change majorities, and do they make more of them right?
-- One row per cohort, model and round. changed_share is over the debates whose majority is known in this round and the one before
-- (n_comparable), by the alphabetical majority or the stored one; right_share over the debates whose correctness is stored. Debates that
-- stopped earlier are in no later round, so shares of late rounds may speak of fewer debates.
select
    cohort,
    model,
    round,
    n_debates,
    n_majority_changed_from_previous as n_changed,
    majority_changed_from_previous_n as n_comparable,
    n_majority_changed_from_previous / nullif(majority_changed_from_previous_n, 0) as changed_share,
    n_stored_correct as n_right,
    n_stored_correct / nullif(stored_correct_n, 0) as right_share,
    n_stored_correct - lag(n_stored_correct) over (partition by cohort, model order by round) as more_right_than_before,
from round_ledger
where stored_correct_n > 0
order by cohort, model, round
