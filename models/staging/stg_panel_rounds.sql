{{ config(materialized='view') }}

with panels as (
    select * from {{ ref('stg_debate_panels') }}
),

rounds as (
    select
        *,
        list_max(list_transform(panels, lambda p: len(p))) as n_agents,
        unnest(range(len(panels))) as place,
    from panels
)

select
    debate_id,
    if(place > 0 and last_round_number is not null, last_round_number, place) as round,
    place = len(panels) - 1 as is_last,
    dialect,
    correct_label,
    n_agents,
    panels[place + 1] as answers,
    panels[1] as initial_answers,
    -- Null where the round before was not recorded.
    if(last_round_number is null or last_round_number = 1, panels[place], null) as previous_answers,
    {{ majority_label('stored_majorities[place]') }} as stored_majority,
    stored_majorities[place] is not null as has_stored_majority,
    {{ as_boolean('stored_majority_changes[place]') }} as stored_majority_changed,
    stored_initial_correct,
    stored_final_majority,
    stored_final_correct,
from rounds
