with panel_rounds as (
    select
        *,
        round > 0 and follows_recorded_round as is_localisable,
    from {{ ref('int_panel_rounds') }}
)

select
    debate_id,
    bool_or(has_gold) as has_gold,
    coalesce(bool_or(has_answers), false) as has_answers,
    -- The start and the end are known, so that the rule has an answer.
    bool_or(stored_correct is not null and round = 0) and bool_or(stored_correct is not null and is_last) as has_stored,
    coalesce(bool_and(has_agreement) filter (is_last) and bool_and(has_agreement) filter (round = 0), false) as has_agreement,
    max(round) as last_round,
    count(*) filter (round > 0) as n_rounds_held,
    max(n_agents) as n_agents,
    max(majority) filter (round = 0) as initial_majority,
    max(stored_majority) filter (round = 0) as stored_initial_majority,
    max(n_parsed) filter (round = 0) as initial_n_parsed,
    max(n_leaders) filter (round = 0) as initial_n_leaders,
    bool_or(leaders_hold_gold) filter (round = 0) as initial_gold_leads,
    {%- for decision in decisions() %}
    bool_or({{ decision }}_correct) filter (round = 0) as initial_{{ decision }}_correct,
    min(round) filter (is_localisable and not {{ decision }}_correct) as first_wrong_{{ decision }},
    min(round) filter (is_localisable and {{ decision }}_correct is distinct from true) as first_not_right_{{ decision }},
    {%- endfor %}
from panel_rounds
group by debate_id
