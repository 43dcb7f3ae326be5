-- In which round did the lost majorities break?
-- One row per cohort, model and onset round, under each cohort's own rule; rounds in which nothing broke have no row. onset_share is
-- over the collapses of the model (n_collapse), not over its debates. n_debates_with_round says how many debates held that round at all.
select
    onsets.cohort,
    onsets.model,
    coalesce('round ' || onsets.onset_round, 'no recorded round') as onset,
    onsets.n_onset,
    onsets.n_collapse,
    onsets.onset_share,
    onsets.n_debates_with_round,
from onsets
inner join cohorts using (cohort, coding_rule, endpoint)
order by onsets.cohort, onsets.model, onsets.onset_round
