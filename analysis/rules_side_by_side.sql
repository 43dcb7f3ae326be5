-- How much of a number is the coding rule: conditional collapse under each, or the reason why there is none.
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
    unavailable_reason,
from rule_sensitivity
where endpoint = 'last'
order by cohort, model, coding_rule
