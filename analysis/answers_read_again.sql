-- How much of what the ledger counts is the parser's doing, where texts are kept?
-- One row per cohort, model and profile of the coder: debates whose cell changes when their answers are read again from the texts, by the
-- rule and the endpoint of the cohort. Only labelled rows are compared, so look at unlabelled_share first: a profile that reads little
-- keeps what little it reads. A profile for another kind of prompt (published_strict wants "Final Answer:") says nothing about the log.
select
    cohort,
    model,
    profile,
    n_rows,
    (n_rows - n_labelled) / n_rows as unlabelled_share,
    n_changed,
    change,
    change_ci_lower,
    change_ci_upper,
    n_primary_collapse as n_collapse_stored,
    n_collapse as n_collapse_read,
    n_primary_correction as n_correction_stored,
    n_correction as n_correction_read,
from reparse_cells
where basis = 'cohort' and n_rows > 0
order by cohort, model, profile
