-- Do the models that flip easily under probes lose their majorities in debate?
-- One row per probe lane and the ledger row that it screens. alpha_tot is over alpha_tot_n replies or questions, as its definition says;
-- compare lanes of one alpha_definition only. Conditional collapse is over initially correct debates (conditional_collapse_n). Where
-- is_overlap_low is true the two sides asked other questions.
select
    cohort,
    model,
    probe_family,
    alpha_definition,
    alpha_tot,
    alpha_tot_n,
    conditional_collapse,
    conditional_collapse_ci_lower,
    conditional_collapse_ci_upper,
    conditional_collapse_n,
    conditional_correction,
    initial_accuracy,
    is_overlap_low,
from screen
where cohort is not null and n_debates is not null
order by cohort asc, alpha_definition asc, alpha_tot desc
