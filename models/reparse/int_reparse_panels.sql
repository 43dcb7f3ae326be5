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
        any_value(task_kind) as task_kind,
        count(*) filter (not is_absent) as n_asked,
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
        sum(n_votes) as n_parsed,
        coalesce(max(n_votes) filter (answer = correct_label), 0) as n_correct,
        min({'fewer_votes': -n_votes, 'label': answer}) filter (answer <> correct_label) as rival,
    from ranked
    inner join panels using (debate_id, place)
    group by debate_id, place, profile
),

judged as (
    select
        panels.*,
        decided.* exclude (debate_id, place),
        decided.majority = panels.correct_label as alphabetical_correct,
        if(decided.n_leaders = 1, decided.majority = panels.correct_label, null) as plurality_correct,
        {%- set votes = [
            'panels.correct_label', 'decided.n_correct', "-coalesce(decided.rival['fewer_votes'], 0)", "decided.rival['label']", 'n_asked - n_parsed'
        ] %}
        {{ may_become_right(*votes) }} as may_be_right,
        {{ may_become_wrong(*votes) }}
        or (
            {{ ties_with_an_unseen_answer('decided.n_correct', 'n_asked - n_parsed') }}
            and {{ has_earlier_answer('panels.task_kind', 'panels.correct_label') }}
        ) as may_be_wrong,
        decided.n_correct + n_asked - n_parsed > -coalesce(decided.rival['fewer_votes'], 0) as may_be_plurality,
        -coalesce(decided.rival['fewer_votes'], 0) + n_asked - n_parsed >= decided.n_correct as may_be_none,
    from decided
    inner join panels using (debate_id, place)
)

select
    debate_id,
    place,
    round,
    is_last,
    profile,
    correct_label,
    n_texts,
    n_answers_without_text,
    majority,
    n_leaders,
    alphabetical_correct,
    plurality_correct,
    {{ is_unread('alphabetical_correct', 'may_be_right', 'may_be_wrong') }} as alphabetical_unread,
    {{ is_unread('plurality_correct', 'may_be_plurality', 'may_be_none') }} as plurality_unread,
from judged
