-- What would each policy have saved and thrown away, and what must a collapse be worth for it to pay?
select
    cohort,
    coding_rule,
    policy,
    is_deployable,
    n_debates,
    n_fired,
    n_prevented,
    n_lost,
    accuracy_change,
    accuracy_change_ci_lower,
    accuracy_change_ci_upper,
    break_even_weight,
    reason,
from replay
where coding_rule in ('stored', 'alphabetical')
order by cohort asc, coding_rule asc, accuracy_change desc nulls last, policy asc
