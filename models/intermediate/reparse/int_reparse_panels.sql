-- The votes of each panel with texts: among the stored answers, and among what each profile reads.

with answers as (
    select * from {{ ref('int_reparse_answers') }}
),

slots as (
    select * from {{ ref('int_coded_answers') }}
),

panels as (
    select
        debate_id,
        place,
        round,
        is_last,
        correct_label,
        count(*) filter (has_text) as n_texts,
        -- An answer without the text that it was taken from cannot be read again.
        count(*) filter (stored_answer is not null and not has_text) as n_answers_without_text,
    from slots
    group by all
),

votes as (
    select
        debate_id,
        place,
        profile,
        answer,
        count(answer) as n_votes,
    from answers
    group by all
),

ranked as (
    select
        *,
        max(n_votes) over (partition by debate_id, place, profile) as n_leading,
    from votes
),

decided as (
    select
        debate_id,
        place,
        profile,
        -- A tie goes to the first label of the alphabet.
        min(answer) filter (n_votes = n_leading) as majority,
        count(answer) filter (n_votes = n_leading) as n_leaders,
    from ranked
    group by all
)

select
    panels.debate_id,
    panels.place,
    panels.round,
    panels.is_last,
    decided.profile,
    panels.correct_label,
    panels.n_texts,
    panels.n_answers_without_text,
    decided.majority,
    decided.n_leaders,
    decided.majority = panels.correct_label as alphabetical_correct,
    if(decided.n_leaders = 1, decided.majority = panels.correct_label, null) as plurality_correct,
from decided
inner join panels using (debate_id, place)
