{{ config(materialized='view') }}

with panel_rounds as (
    select * from {{ ref('int_panel_rounds') }}
    where round is not null
),

panels as (
    select * from {{ ref('int_panels') }}
),

flips as (
    select * from {{ ref('int_panel_flips') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

-- The panels before, where they were recorded.
neighbours as (
    select
        panel_rounds.*,
        previous_panels.majority as previous_majority,
        previous_panels.normalised_majority as previous_normalised_majority,
        previous_panels.n_leaders as previous_n_leaders,
        initial_panels.majority as initial_majority,
        initial_panels.normalised_majority as initial_normalised_majority,
        initial_panels.n_leaders as initial_n_leaders,
        coalesce(from_initial.n_flipped, panel_rounds.stored_n_flipped_from_initial) as n_flipped_from_initial,
        from_previous.n_flipped as n_flipped_from_previous,
    from panel_rounds
    left join panels as previous_panels
        on
            panel_rounds.previous_panel = previous_panels.panel
            and panel_rounds.correct_label is not distinct from previous_panels.correct_label
    left join panels as initial_panels
        on
            panel_rounds.initial_panel = initial_panels.panel
            and panel_rounds.correct_label is not distinct from initial_panels.correct_label
    left join flips as from_initial
        on
            panel_rounds.panel = from_initial.panel
            and panel_rounds.initial_panel = from_initial.earlier_panel
            and panel_rounds.correct_label is not distinct from from_initial.correct_label
            and not panel_rounds.is_initial
            and panel_rounds.are_initial_agents_met
    left join flips as from_previous
        on
            panel_rounds.panel = from_previous.panel
            and panel_rounds.previous_panel = from_previous.earlier_panel
            and panel_rounds.correct_label is not distinct from from_previous.correct_label
            and panel_rounds.are_previous_agents_met
)

select
    debates.cohort,
    debates.model,
    debates.family,
    debates.debate_key,
    neighbours.round,
    debates.file_key,
    debates.line_number,
    debates.arm,
    debates.question_id,
    neighbours.is_last as is_last_round,
    neighbours.n_agents,
    neighbours.n_asked,
    neighbours.n_parsed,
    neighbours.n_asked - neighbours.n_parsed as n_unparsed,
    neighbours.n_agents - neighbours.n_asked as n_absent,
    neighbours.n_distinct,
    neighbours.n_leading,
    neighbours.n_leaders,
    if(neighbours.has_answers, neighbours.n_leaders > 1, null) as is_tie,
    {{ published_label('neighbours.majority') }} as majority,
    {{ published_label('neighbours.normalised_majority') }} as normalised_majority,
    {{ published_label('neighbours.stored_majority') }} as stored_majority,
    neighbours.n_correct,
    neighbours.stored_correct,
    neighbours.alphabetical_correct,
    neighbours.plurality_correct,
    neighbours.normalised_correct,
    -- Two conventions: an unparsed answer is an answer of its own, or it is none.
    coalesce(
        greatest(neighbours.n_leading, neighbours.n_asked - neighbours.n_parsed) / nullif(neighbours.n_asked, 0),
        neighbours.stored_agreement
    ) as agreement_counting_unparsed,
    neighbours.n_leading / nullif(neighbours.n_asked, 0) as agreement_of_parsed,
    if(neighbours.has_answers, neighbours.n_distinct <= 1, null) as has_at_most_one_answer,
    coalesce(
        neighbours.n_distinct = 1 and neighbours.n_parsed = neighbours.n_agents,
        neighbours.stored_agreement > 1 - 1e-9
    ) as is_unanimous,
    neighbours.n_flipped_from_initial,
    neighbours.n_flipped_from_previous,
    -- A source without answers has no agents to meet.
    if(not (neighbours.are_initial_agents_met and neighbours.are_previous_agents_met), 'agents_not_matched', null) as flips_unknown_reason,
    -- A panel without a majority has not changed it.
    if(
        neighbours.has_answers and neighbours.round > 0,
        coalesce(neighbours.majority <> neighbours.initial_majority, false),
        if(neighbours.round = 1, neighbours.stored_majority_changed, null)
    ) as majority_changed_from_initial,
    if(
        neighbours.has_answers and neighbours.previous_panel is not null,
        coalesce(neighbours.majority <> neighbours.previous_majority, false),
        neighbours.stored_majority_changed
    ) as majority_changed_from_previous,
    -- The same for unique leading labels: a tied round changes nothing.
    if(
        neighbours.has_answers and neighbours.round > 0,
        coalesce(
            neighbours.majority <> neighbours.initial_majority
            and neighbours.n_leaders = 1 and neighbours.initial_n_leaders = 1,
            false
        ),
        null
    ) as plurality_changed_from_initial,
    if(
        neighbours.has_answers and neighbours.previous_panel is not null,
        coalesce(
            neighbours.majority <> neighbours.previous_majority
            and neighbours.n_leaders = 1 and neighbours.previous_n_leaders = 1,
            false
        ),
        null
    ) as plurality_changed_from_previous,
    -- The same for answers by what they mean.
    if(
        neighbours.has_answers and neighbours.round > 0,
        coalesce(neighbours.normalised_majority <> neighbours.initial_normalised_majority, false),
        null
    ) as normalised_changed_from_initial,
    if(
        neighbours.has_answers and neighbours.previous_panel is not null,
        coalesce(neighbours.normalised_majority <> neighbours.previous_normalised_majority, false),
        null
    ) as normalised_changed_from_previous,
    neighbours.stored_majority_changed,
from neighbours
inner join debates using (debate_id)
