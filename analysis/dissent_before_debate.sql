-- Do panels that disagree before debate collapse more often than panels that agree?
-- One row per cohort, model and agreement of the start, under the cohort's own rule. agreement counts an unparsed answer as an answer:
-- with three agents 1 is everybody, 0.667 two against one, 0.333 nobody. Collapses are over the initially correct debates of the row
-- (n_initially_correct), corrections over the initially wrong ones.
select
    debates.cohort,
    debates.model,
    round(debate_rounds.agreement_counting_unparsed, 3) as initial_agreement,
    count(*) as n_debates,
    count(*) filter (where debates.cell in ('preserved', 'collapse')) as n_initially_correct,
    count(*) filter (where debates.cell = 'collapse') as n_collapse,
    count(*) filter (where debates.cell = 'collapse')
    / nullif(count(*) filter (where debates.cell in ('preserved', 'collapse')), 0) as conditional_collapse,
    count(*) filter (where debates.initial_state = 'wrong') as n_initially_wrong,
    count(*) filter (where debates.cell = 'correction') as n_correction,
from debates
inner join cohorts using (cohort, coding_rule, endpoint)
inner join debate_rounds using (cohort, debate_key)
where debate_rounds.round = 0 and debate_rounds.agreement_counting_unparsed is not null
group by all
order by debates.cohort, debates.model, initial_agreement
