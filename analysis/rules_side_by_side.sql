-- How much of a model's conditional collapse is the coding rule?
-- One row per cohort, model and coding rule at the last round. The denominator conditional_collapse_n moves with the rule, because a
-- rule decides which starts are right. A rule that the sources cannot answer has no numbers and says why.
select
    cohort,
    model,
    coding_rule,
    is_cohort_rule,
    n_debates,
    n_undefined,
    n_collapse,
    conditional_collapse_n,
    conditional_collapse,
    conditional_collapse_ci_lower,
    conditional_collapse_ci_upper,
    unavailable_reason,
from rule_sensitivity
where endpoint = 'last'
order by cohort, model, coding_rule
