-- Which models flip easily under probes, and which lose their majorities in debate. Lanes of one definition of alpha_tot only.
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
