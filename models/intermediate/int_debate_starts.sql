with panel_rounds as (
    select
        *,
        not is_initial and follows_recorded_round as is_localisable,
    from {{ ref('int_panel_rounds') }}
)

select
    debate_id,
    bool_or(has_gold) as has_gold,
    coalesce(bool_or(has_answers), false) as has_answers,
    coalesce(bool_or(stored_correct is not null) filter (is_initial), false) as has_stored,
    coalesce(bool_or(has_agreement) filter (is_initial), false) as has_agreement,
    -- Null where the file does not tell the round of the end.
    max(round) filter (is_last) as last_round,
    max(n_agents) as n_agents,
    max(majority) filter (is_initial) as initial_majority,
    max(stored_majority) filter (is_initial) as stored_initial_majority,
    max(n_parsed) filter (is_initial) as initial_n_parsed,
    max(n_leaders) filter (is_initial) as initial_n_leaders,
    bool_or(leaders_hold_gold) filter (is_initial) as initial_gold_leads,
    {%- for decision in decisions() %}
    bool_or({{ decision }}_correct) filter (is_initial) as initial_{{ decision }}_correct,
    min(round) filter (is_localisable and not {{ decision }}_correct) as first_wrong_{{ decision }},
    min(round) filter (is_localisable and {{ decision }}_correct is distinct from true) as first_not_right_{{ decision }},
    {%- endfor %}
from panel_rounds
group by debate_id
