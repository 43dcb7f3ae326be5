-- What would each policy have saved and thrown away, and what must a collapse be worth for it to pay?
-- One row per cohort, rule and policy, over the debates that it can decide (n_debates; the change of accuracy is over accuracy_change_n,
-- those that it answers). break_even_weight is lost corrections per prevented collapse: above it the policy pays, below it debate does.
-- Policies with is_deployable false look at outcomes; they are bounds. The stored and the alphabetical rule only.
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
    accuracy_change_n,
    break_even_weight,
    reason,
from replay
where coding_rule in ('stored', 'alphabetical')
order by cohort asc, coding_rule asc, accuracy_change desc nulls last, policy asc
