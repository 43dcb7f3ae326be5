-- Which debates can a controller act on?
-- One row per debate that replay scores, under the rule of its cohort: key, lane and question. A file of actions gives each of them an
-- action (docs/replay.md); debates without an answer key or an end are not here, and are in no rate of a policy.
select distinct
    debate_key,
    cohort,
    lane,
    question_id,
from replay_decisions
inner join debates using (cohort, coding_rule, endpoint, debate_key, model, question_id)
where replay_decisions.policy = 'always'
order by cohort, debate_key
