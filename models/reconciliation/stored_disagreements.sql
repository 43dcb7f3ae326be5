-- What a file stores about a debate and what a recount of its answers gives, where the two differ.

with debates as (
    select * from {{ ref('stg_debates') }}
),

starts as (
    select * from {{ ref('int_debate_starts') }}
    where tolerance is null
),

panel_rounds as (
    select * from {{ ref('int_panel_rounds') }}
),

last_rounds as (
    select * from panel_rounds
    where is_last
),

wide as (
    select
        debates.debate_id,
        debates.debate_key,
        debates.correct_label,
        debates.stored_initial_majority,
        debates.stored_initial_correct,
        debates.stored_final_majority,
        debates.stored_final_correct,
        debates.stored_collapsed,
        debates.stored_corrected,
        debates.stored_initial_n_correct,
        debates.stored_final_n_correct,
        debates.stored_onset_round,
        starts.has_answers,
        {{ break_round('starts.wrong_stored') }} as first_wrong_stored,
        starts.initial_majority,
        coalesce(starts.initial_alphabetical_correct, false) as initial_correct,
        last_rounds.majority as final_majority,
        coalesce(last_rounds.alphabetical_correct, false) as final_correct,
        last_rounds.n_correct as final_n_correct,
    from debates
    inner join starts using (debate_id)
    inner join last_rounds using (debate_id)
),

initial_rounds as (
    select
        debate_id,
        n_correct as initial_n_correct,
    from panel_rounds
    where is_initial
),

differing as (
    {%- set recounts = [
        ('initial majority', 'stored_initial_majority', 'initial_majority', 'stored_initial_majority is not null'),
        ('initial correct', 'stored_initial_correct', 'initial_correct', 'stored_initial_correct is not null'),
        ('final majority', 'stored_final_majority', 'final_majority', 'stored_final_majority is not null'),
        ('final correct', 'stored_final_correct', 'final_correct', 'stored_final_correct is not null'),
        ('agents right at the end', 'stored_final_n_correct', 'final_n_correct', 'stored_final_n_correct is not null'),
    ] %}
    {%- for what, stored, recomputed, known in recounts %}
    select
        debate_key,
        null::integer as round,
        '{{ what }}' as what,
        {{ stored }}::varchar as stored,
        {{ recomputed }}::varchar as recomputed,
    from wide
    where has_answers and correct_label is not null and {{ known }} and {{ stored }} is distinct from {{ recomputed }}
    union all
    {%- endfor %}
    select
        wide.debate_key,
        0 as round,
        'agents right at the start' as what,
        wide.stored_initial_n_correct::varchar as stored,
        initial_rounds.initial_n_correct::varchar as recomputed,
    from wide
    inner join initial_rounds using (debate_id)
    where wide.has_answers and wide.stored_initial_n_correct <> initial_rounds.initial_n_correct
    union all
    -- Flags of one line among themselves.
    select
        debate_key,
        null::integer as round,
        'collapsed' as what,
        stored_collapsed::varchar as stored,
        (stored_initial_correct and not stored_final_correct)::varchar as recomputed,
    from wide
    where stored_collapsed <> (stored_initial_correct and not stored_final_correct)
    union all
    select
        debate_key,
        null::integer as round,
        'corrected' as what,
        stored_corrected::varchar as stored,
        (stored_final_correct and not stored_initial_correct)::varchar as recomputed,
    from wide
    where stored_corrected <> (stored_final_correct and not stored_initial_correct)
    union all
    select
        debate_key,
        stored_onset_round as round,
        'onset round' as what,
        stored_onset_round::varchar as stored,
        (if(stored_initial_correct and not stored_final_correct, first_wrong_stored, null))::varchar as recomputed,
    from wide
    where
        stored_onset_round is not null
        and stored_onset_round is distinct from if(stored_initial_correct and not stored_final_correct, first_wrong_stored, null)
    union all
    select
        debates.debate_key,
        panel_rounds.round,
        'round majority' as what,
        panel_rounds.stored_majority as stored,
        panel_rounds.majority as recomputed,
    from panel_rounds
    inner join debates using (debate_id)
    where panel_rounds.has_stored_majority and panel_rounds.stored_majority is distinct from panel_rounds.majority
    union all
    -- The end as the line states it against its last round.
    select
        debates.debate_key,
        panel_rounds.round,
        'last round correct' as what,
        panel_rounds.stored_end_correct::varchar as stored,
        panel_rounds.stored_correct::varchar as recomputed,
    from panel_rounds
    inner join debates using (debate_id)
    where panel_rounds.is_last and not panel_rounds.is_initial and panel_rounds.stored_end_correct <> panel_rounds.stored_correct
)

select
    debate_key,
    round,
    what,
    {{ published_label('stored') }} as stored,
    {{ published_label('recomputed') }} as recomputed,
from differing
