-- How many right majorities broke on the way and were right again at the end?
-- One row per cohort and model, over debates that start and end right by what the file stores (n_preserved); they are no collapses, and
-- an onset is not given to them. broken_share is over n_preserved.
with states as (
    select
        cohort,
        model,
        debate_key,
        bool_or(round = 0 and stored_correct) as starts_right,
        bool_or(is_last_round and stored_correct) as ends_right,
        bool_or(not stored_correct) as was_wrong,
        min(round) filter (where not stored_correct) as first_wrong_round,
    from debate_rounds
    where stored_correct is not null
    group by all
)

select
    cohort,
    model,
    count(*) as n_preserved,
    count(*) filter (where was_wrong) as n_broken_and_back,
    count(*) filter (where was_wrong) / nullif(count(*), 0) as broken_share,
    count(*) filter (where first_wrong_round = 1) as n_broken_in_round_1,
    count(*) filter (where first_wrong_round > 1) as n_broken_later,
from states
where starts_right and ends_right
group by all
order by cohort, model
