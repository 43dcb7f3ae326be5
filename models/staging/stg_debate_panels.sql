{{ config(materialized='view') }}

-- Panels of every debate that holds answers, round 0 first.

with traces as (
    select
        *,
        line_id * 2 as debate_id,
    from {{ ref('stg_traces') }}
),

-- Nearly all lines of a large file: the same agents in every round, under the usual keys. Nothing is chosen, so nothing is copied.
plain_panels as (
    select
        debate_id,
        correct_label,
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
        case rounds_key
            when 'round_traces' then round_traces_ids
            when 'round_states' then round_states_ids
            when 'rounds' then rounds_ids
            when 'no rounds' then []
            else [final_states_ids]
        end as debate_round_ids,
    from keyed
),

-- Agents in the order of their ids, numbers first; an agent that a round did not ask is null there.
aligned as (
    select
        *,
        list_transform(
            list_sort(
                list_transform(
                    list_distinct(flatten(list_prepend(initial_ids, debate_round_ids))),
                    lambda a: {'n': coalesce(try_cast(a as bigint), 9223372036854775807), 'id': a}
                )
            ),
            lambda a: a.id
        ) as roster,
    from other_panels
    where list_count(initial_ids) > 0 and not (is_endpoints_only and final_states is null)
),

aligned_panels as (
    select
        debate_id,
        correct_label,
        dialect,
        stored_initial_majority,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        list_transform(
            list_zip(list_prepend(initial_panel, debate_rounds), list_prepend(initial_ids, debate_round_ids)),
            lambda p: to_json(list_transform(roster, lambda a: {{ panel_list('p[1]') }}[list_position(p[2], a)]))::varchar
        ) as panels,
        len(roster) as n_agents,
        is_endpoints_only,
        if(is_endpoints_only and stated_n_rounds > 0, stated_n_rounds, null) as last_round_number,
        null::varchar[] as stored_majorities,
        null::varchar[] as stored_majority_changes,
        rounds_key,
        roster,
    from aligned
),

placed_panels as (
    select
        debate_id,
        correct_label,
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
    from other_panels
    where coalesce(list_count(initial_ids), 0) = 0 or (is_endpoints_only and final_states is null)
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
    -- Where the rounds stand (null: only the start and the end do), and the agents that the panels are ordered by (null: by place).
    rounds_key,
    roster,
from all_panels
