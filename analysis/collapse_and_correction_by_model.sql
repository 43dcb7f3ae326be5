-- Both flows per model with their denominators: what debate lost, what it repaired, and the sign of the difference.
select
    cohort,
    model,
    n_debates,
    n_collapse,
    conditional_collapse_n as n_initially_correct,
    conditional_collapse,
    n_correction,
    conditional_correction_n as n_initially_wrong,
    conditional_correction,
    net_corrections,
from model_ledger
order by cohort, model
