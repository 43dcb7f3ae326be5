-- Which questions make more than one model lose a right majority?
-- One row per cohort and question, under the cohort's own rule. Counted are models, not debates: a model that meets the question twice
-- counts once. n_models_right is how many models started right, the denominator of collapse; n_models_corrected how many were repaired
-- on it.
select
    cohort,
    debates.question_id,
    count(distinct debates.model) filter (where debates.cell = 'collapse') as n_models_collapse,
    count(distinct debates.model) filter (where debates.initial_state = 'right') as n_models_right,
    count(distinct debates.model) as n_models,
    count(distinct debates.model) filter (where debates.cell = 'correction') as n_models_corrected,
    string_agg(distinct debates.model, ', ' order by debates.model) filter (where debates.cell = 'collapse') as models_that_collapse,
from debates
inner join cohorts using (cohort, coding_rule, endpoint)
group by all
having n_models_collapse > 1
order by n_models_collapse desc, cohort asc, debates.question_id asc
