-- How much worse than a lost correction must a collapse be before stopping debate pays, and which policy wins at which weight?
-- One row per cohort, rule and stretch of weight ratios (what a prevented collapse is worth in lost corrections), with the policy that
-- is best there. Only policies that answer every debate are ranked, so all utilities have one denominator (n_answered debates).
-- `standard` is debate as it was, against which everything is counted: its counts are empty. utility is the net gain over it per 100
-- answered debates, at the lower end of the stretch.
select
    policy_ranking.cohort,
    policy_ranking.coding_rule,
    policy_ranking.from_ratio,
    policy_ranking.to_ratio,
    policy_ranking.policy,
    replay.n_answered,
    replay.n_prevented,
    replay.n_lost,
    replay.break_even_weight,
    100 * (
        policy_ranking.from_ratio * (replay.n_prevented - replay.n_broken)
        + replay.n_gained - replay.n_lost - replay.n_lost_undecided
    ) / nullif(replay.n_answered, 0) as utility,
from policy_ranking
left join replay using (cohort, coding_rule, endpoint, policy)
order by policy_ranking.cohort, policy_ranking.coding_rule, policy_ranking.from_ratio
