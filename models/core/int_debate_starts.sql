with panel_rounds as (
    select
        null::double as tolerance,
        *,
    from {{ ref('int_panel_rounds') }}
    union all by name
    select * from {{ ref('int_joined_rounds') }}
),

-- At which tolerances a debate has rows of its own.
joined_debates as (
    select
        debate_id,
        list(distinct tolerance order by tolerance) as joined_tolerances,
    from {{ ref('int_joined_panels') }}
    group by debate_id
),

initial_rounds as (
    select * from panel_rounds
    where is_initial
),

-- Only a round that follows a recorded one can be the one that broke the majority.
breaks as (
    select
        debate_id,
        tolerance,
        max(round) filter (is_last) as last_round,
        {%- for name, decision, condition in breaks() %}
        min({{ break_code(decision) }}) filter ({{ condition }}) as {{ name }},
        {%- endfor %}
    from panel_rounds
    where not is_initial
    group by debate_id, tolerance
)

select
    initial_rounds.debate_id,
    initial_rounds.tolerance,
    joined_debates.joined_tolerances,
    initial_rounds.has_gold,
    coalesce(initial_rounds.has_answers, false) as has_answers,
    initial_rounds.stored_correct is not null as has_stored,
    coalesce(initial_rounds.has_agreement, false) as has_agreement,
    -- Null where the file does not tell the round of the end; 0 where the debate ends as it begins.
    if(initial_rounds.is_last, initial_rounds.round, breaks.last_round) as last_round,
    initial_rounds.n_agents,
    initial_rounds.majority as initial_majority,
    initial_rounds.normalised_majority as initial_normalised_majority,
    initial_rounds.is_letters,
    initial_rounds.stored_majority as stored_initial_majority,
    initial_rounds.n_parsed as initial_n_parsed,
    initial_rounds.n_leaders as initial_n_leaders,
    initial_rounds.leaders_hold_gold as initial_gold_leads,
    {%- for decision in decisions() %}
    initial_rounds.{{ decision }}_correct as initial_{{ decision }}_correct,
    initial_rounds.{{ decision }}_unread as initial_{{ decision }}_unread,
    initial_rounds.{{ decision }}_tied as initial_{{ decision }}_tied,
    {%- endfor %}
    -- The first round that breaks a right start, as a number of its own (macros/unread.sql).
    {%- for name, decision, condition in breaks() %}
    breaks.{{ name }},
    {%- endfor %}
from initial_rounds
left join breaks
    on initial_rounds.debate_id = breaks.debate_id and initial_rounds.tolerance is not distinct from breaks.tolerance
left join joined_debates on initial_rounds.debate_id = joined_debates.debate_id
