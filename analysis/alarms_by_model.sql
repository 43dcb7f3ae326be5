-- How often does each gate raise an alarm, and how many of its alarms are collapses?
-- One row per cohort, model and policy that can be deployed, under the cohort's own rule. gate_rate is over the debates that the policy
-- decides (n_debates), prevented_share over the model's collapses, lost_share over its corrections, prevented_per_alarm over the alarms
-- (n_fired).
select
    replay_by_model.cohort,
    replay_by_model.model,
    replay_by_model.policy,
    replay_by_model.n_debates,
    replay_by_model.n_fired,
    replay_by_model.gate_rate,
    replay_by_model.n_prevented,
    replay_by_model.n_collapse,
    replay_by_model.prevented_share,
    replay_by_model.n_lost,
    replay_by_model.n_correction,
    replay_by_model.lost_share,
    replay_by_model.prevented_per_alarm,
from replay_by_model
inner join cohorts using (cohort, coding_rule, endpoint)
where replay_by_model.is_deployable and replay_by_model.n_answered > 0
order by replay_by_model.cohort, replay_by_model.model, replay_by_model.policy
