-- Which rules of the coder read another answer than the log has?
-- One row per cohort, lane, profile and rule that fired, most disagreements first. Of the disagreements, n_differ are two labels and
-- n_only_coded answers that the log did not find; where no rule fired (none), the log has an answer that the coder does not read. Who is
-- right only the texts tell.
select
    cohort,
    lane,
    profile,
    coder_rule,
    n_slots,
    n_disagree,
    n_differ,
    n_only_stored,
    n_only_coded,
    disagreement,
    disagreement_ci_lower,
    disagreement_ci_upper,
from reparse_agreement
where coder_rule <> 'all' and n_disagree > 0
order by n_disagree desc, cohort asc, lane asc, profile asc, coder_rule asc
