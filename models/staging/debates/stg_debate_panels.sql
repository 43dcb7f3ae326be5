{{ config(materialized='view') }}

-- Panels of every debate that holds answers, round 0 first.

with traces as (
    select
        *,
        line_id * 2 as debate_id,
    from {{ ref('stg_traces') }}
),

agent_names as (
    select * from {{ ref('stg_agent_names') }}
),

-- Nearly all lines of a large file: the same agents in every round, under the usual keys. Nothing is chosen, so nothing is copied.
plain_panels as (
    select
        debate_id,
        correct_label,
        task_kind,
        dialect,
        stored_initial_majority,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        list_prepend(initial_states, round_traces) as panels,
        json_array_length(initial_states) as n_agents,
        false as is_endpoints_only,
        null::integer as last_round_number,
        null::varchar[] as stored_majorities,
        null::varchar[] as stored_majority_changes,
        'round_traces' as rounds_key,
        null::varchar[] as roster,
        null::varchar[][] as names,
        null::boolean[] as are_initial_agents_met,
        null::boolean[] as are_previous_agents_met,
    from traces
    where is_plain
),

-- Under which key the rounds stand: the first that holds any, else the first that is there at all.
keyed as (
    select
        *,
        case
            when len(trace_answers) > 0 then 'trace_answers'
            when len(round_traces) > 0 then 'round_traces'
            when len(round_states) > 0 then 'round_states'
            when len(rounds) > 0 then 'rounds'
            when coalesce(trace_answers, round_traces, round_states, rounds) is not null then 'no rounds'
        end as rounds_key,
        coalesce(initial_states, initial_answers) as initial_panel,
    from traces
    where not is_plain
),

other_panels as (
    select
        *,
        -- Only the start and the end were recorded.
        rounds_key is null as is_endpoints_only,
        case rounds_key
            when 'trace_answers' then trace_answers
            when 'round_traces' then round_traces
            when 'round_states' then round_states
            when 'rounds' then rounds
            when 'no rounds' then []
            else [coalesce(final_answers, final_states)]
        end as debate_rounds,
    from keyed
),

-- Agents in the order of their names; an agent that a round did not ask is null there.
aligned as (
    select
        other_panels.*,
        agent_names.names,
        agent_names.roster,
        agent_names.n_agents,
        agent_names.are_initial_agents_met,
        agent_names.are_previous_agents_met,
    from other_panels
    inner join agent_names using (debate_id)
),

aligned_panels as (
    select
        debate_id,
        correct_label,
        task_kind,
        dialect,
        stored_initial_majority,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        list_transform(
            list_zip(list_prepend(initial_panel, debate_rounds), names),
            lambda p: to_json(list_transform(roster, lambda a: {{ panel_list('p[1]') }}[list_position(p[2], a)]))::varchar
        ) as panels,
        n_agents,
        is_endpoints_only,
        if(is_endpoints_only and stated_n_rounds > 0, stated_n_rounds, null) as last_round_number,
        null::varchar[] as stored_majorities,
        null::varchar[] as stored_majority_changes,
        rounds_key,
        roster,
        names,
        are_initial_agents_met,
        are_previous_agents_met,
    from aligned
),

placed_panels as (
    select
        debate_id,
        correct_label,
        task_kind,
        dialect,
        stored_initial_majority,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        list_prepend(initial_panel, debate_rounds) as panels,
        list_max(list_transform(list_prepend(initial_panel, debate_rounds), lambda p: json_array_length(p))) as n_agents,
        is_endpoints_only,
        if(is_endpoints_only and stated_n_rounds > 0, stated_n_rounds, null) as last_round_number,
        trace_majorities as stored_majorities,
        trace_majority_changes as stored_majority_changes,
        rounds_key,
        null::varchar[] as roster,
        null::varchar[][] as names,
        null::boolean[] as are_initial_agents_met,
        null::boolean[] as are_previous_agents_met,
    from other_panels
    anti join agent_names using (debate_id)
),

all_panels as (
    select * from plain_panels
    union all
    select * from placed_panels
    union all
    select * from aligned_panels
)

select
    debate_id,
    dialect,
    correct_label,
    task_kind,
    stored_initial_majority,
    stored_initial_correct,
    stored_final_majority,
    stored_final_correct,
    is_endpoints_only,
    panels,
    n_agents::integer as n_agents,
    last_round_number,
    stored_majorities,
    stored_majority_changes,
    -- Where the rounds stand (null: only the start and the end do), and the agents that the panels are ordered by (null: by place), with
    -- those of each round in the order of the line.
    rounds_key,
    roster,
    names,
    -- For each panel: do its agents stand under the names that they had in round 0, and in the round before? Null: they do.
    are_initial_agents_met,
    are_previous_agents_met,
from all_panels
