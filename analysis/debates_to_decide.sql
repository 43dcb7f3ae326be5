-- Which debates a controller can act on: key, lane and question of every debate that replay scores, under the rule of its cohort.
-- A file of actions gives each of them an action (docs/replay.md).
select distinct
    debate_key,
    cohort,
    lane,
    question_id,
from replay_decisions
inner join debates using (cohort, coding_rule, endpoint, debate_key, model, question_id)
where replay_decisions.policy = 'always'
order by cohort, debate_key
