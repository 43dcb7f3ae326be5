-- What did debate lose and what did it repair, model by model?
-- One row per cohort and model, under the cohort's own rule. Collapses are counted among initially correct debates, corrections among
-- initially wrong ones: two denominators, so the two rates must not be subtracted. The net does compare: it counts debates.
select
    cohort,
    model,
    n_debates,
    n_collapse,
    conditional_collapse_n as n_initially_correct,
    conditional_collapse,
    conditional_collapse_ci_lower,
    conditional_collapse_ci_upper,
    n_correction,
    conditional_correction_n as n_initially_wrong,
    conditional_correction,
    conditional_correction_ci_lower,
    conditional_correction_ci_upper,
    net_corrections,
from model_ledger
order by cohort, model
