with debate_rounds as (
    select * from {{ ref('debate_rounds') }}
)

select
    cohort,
    model,
    family,
    round,
    count(*) as n_debates,
    sum(n_asked)::bigint as n_answers_asked,
    sum(n_parsed)::bigint as n_answers_parsed,
    count(is_tie) as is_tie_n,
    count(*) filter (is_tie) as n_tie,
    count(n_parsed) filter (n_parsed = 0) as n_empty,
    count(is_unanimous) as is_unanimous_n,
    count(*) filter (is_unanimous) as n_unanimous,
    count(majority_changed_from_previous) as majority_changed_from_previous_n,
    count(*) filter (majority_changed_from_previous) as n_majority_changed_from_previous,
    count(majority_changed_from_initial) as majority_changed_from_initial_n,
    count(*) filter (majority_changed_from_initial) as n_majority_changed_from_initial,
    sum(n_flipped_from_initial)::bigint as n_flipped_from_initial,
    count(n_flipped_from_initial) as n_flipped_from_initial_n,
    sum(n_flipped_from_previous)::bigint as n_flipped_from_previous,
    count(n_flipped_from_previous) as n_flipped_from_previous_n,
    count(flips_unknown_reason) as n_flips_unknown,
    count(stored_correct) as stored_correct_n,
    count(*) filter (stored_correct) as n_stored_correct,
    count(alphabetical_correct) as alphabetical_correct_n,
    count(*) filter (alphabetical_correct) as n_alphabetical_correct,
    count(plurality_correct) as plurality_correct_n,
    count(*) filter (plurality_correct) as n_plurality_correct,
from debate_rounds
group by all
order by cohort, model, family, round
