-- What pass probability is certified on average, and at which confidence?
-- One row per arm, threshold and confidence. Compare arms on average_bound_all, where a counterexample counts 0: the tested pairs of two
-- arms differ. A null mean: some pair has no bound (n_without_bound; evaluation_problems says why).
select
    cohort,
    dataset,
    model,
    arm,
    epsilon_name,
    confidence,
    average_bound_all,
    average_bound_all_n,
    average_bound_tested,
    average_bound_tested_n,
    n_without_bound,
from average_bounds
order by cohort, dataset, model, arm, epsilon_name, confidence
