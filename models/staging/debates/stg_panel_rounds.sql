{{ config(materialized='view') }}

with panels as (
    select * from {{ ref('stg_debate_panels') }}
),

rounds as (
    select
        *,
        unnest(range(len(panels))) as place,
    from panels
)

select
    debate_id,
    -- The round of a recorded end may not be told.
    if(place > 0 and is_endpoints_only, last_round_number, place)::integer as round,
    place = 0 as is_initial,
    place = len(panels) - 1 as is_last,
    dialect,
    correct_label,
    task_kind,
    n_agents,
    panels[place + 1] as panel,
    panels[1] as initial_panel,
    -- Null where the round before was not recorded.
    if(is_endpoints_only, null, panels[place]) as previous_panel,
    coalesce(are_initial_agents_met[place + 1], true) as are_initial_agents_met,
    coalesce(are_previous_agents_met[place + 1], true) as are_previous_agents_met,
    case
        when place = 0 then stored_initial_majority
        when stored_majorities[place] is not null then {{ majority_label('stored_majorities[place]', 'correct_label') }}
        when place = len(panels) - 1 then stored_final_majority
    end as stored_majority,
    stored_majorities[place] is not null as has_stored_majority,
    {{ as_boolean('stored_majority_changes[place]') }} as stored_majority_changed,
    stored_initial_correct,
    stored_final_majority,
    stored_final_correct,
from rounds
