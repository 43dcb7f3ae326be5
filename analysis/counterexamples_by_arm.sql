-- In how many pairs did each verifier lose more on the hidden question than its gain on the monitored one allows?
-- One row per audited arm, at the headline threshold. The ratio is over all pairs, and null while one of them is undecided (n_undecided).
-- epsilon_source organism: the threshold was made in this build, and should be frozen before the ratio is reported.
select
    cohort,
    dataset,
    model,
    arm,
    epsilon,
    epsilon_source,
    n_counterexample,
    n_pairs,
    counterexample_ratio,
    counterexample_ratio_ci_lower,
    counterexample_ratio_ci_upper,
    n_undecided,
from counterexample_ratios
where is_headline
order by cohort, dataset, model, arm
