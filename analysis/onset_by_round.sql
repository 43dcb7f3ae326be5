-- In which round the lost majorities broke, under each cohort's own rule.
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
