{{ config(materialized='view') }}

-- Panels of every debate that holds answers, round 0 first.

with traces as (
    select
        *,
        line_id * 2 as debate_id,
        coalesce(strlen(correct_label) = 1, true) as one_letter_key,
    from {{ ref('stg_traces') }}
),

-- Nearly all lines of a large file: the same agents in every round, under the usual keys. Nothing is chosen, so nothing is copied.
plain_panels as (
    select
        debate_id,
        correct_label,
        one_letter_key,
        dialect,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        list_prepend(initial_states, round_traces) as panels,
        null::integer as last_round_number,
        null::varchar[] as stored_majorities,
        null::varchar[] as stored_majority_changes,
    from traces
    where initial_states is not null and round_traces is not null and initial_ids is null
),

other_panels as (
    select
        *,
        coalesce(trace_answers, round_traces, round_states, rounds) as debate_rounds,
        coalesce(initial_states, initial_answers) as initial_panel,
        coalesce(round_traces_ids, round_states_ids, rounds_ids) as debate_round_ids,
    from traces
    where not (initial_states is not null and round_traces is not null and initial_ids is null)
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
    where list_count(initial_ids) > 0
),

aligned_panels as (
    select
        debate_id,
        correct_label,
        one_letter_key,
        dialect,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        list_prepend(
            list_transform(
                roster,
                lambda a: if(
                    list_contains(initial_ids, a), coalesce(initial_panel[list_position(initial_ids, a)], ''), null
                )
            ),
            list_transform(
                list_zip(debate_rounds, debate_round_ids),
                lambda p: list_transform(
                    roster,
                    lambda a: if(list_contains(p[2], a), coalesce(p[1][list_position(p[2], a)], ''), null)
                )
            )
        ) as panels,
        null::integer as last_round_number,
        null::varchar[] as stored_majorities,
        null::varchar[] as stored_majority_changes,
    from aligned
),

placed_panels as (
    select
        debate_id,
        correct_label,
        one_letter_key,
        dialect,
        stored_initial_correct,
        stored_final_majority,
        stored_final_correct,
        case
            when debate_rounds is not null then list_prepend(initial_panel, debate_rounds)
            -- Only the start and the end were recorded.
            else [initial_panel, coalesce(final_answers, final_states)]
        end as panels,
        if(debate_rounds is null, coalesce(stated_n_rounds, 1), null) as last_round_number,
        trace_majorities as stored_majorities,
        trace_majority_changes as stored_majority_changes,
    from other_panels
    where coalesce(list_count(initial_ids), 0) = 0
),

all_panels as (
    select
        *,
        false as is_aligned,
    from plain_panels
    union all
    select
        *,
        false as is_aligned,
    from placed_panels
    union all
    select
        *,
        true as is_aligned,
    from aligned_panels
)

select
    debate_id,
    dialect,
    correct_label,
    stored_initial_correct,
    stored_final_majority,
    stored_final_correct,
    -- An answer is a label, the empty string (asked, none parsed) or null (not asked).
    list_transform(
        panels,
        lambda p: list_transform(
            p,
            lambda a: if(is_aligned and a is null, null, {{ answer_label('a', 'one_letter_key') }})
        )
    ) as panels,
    last_round_number,
    stored_majorities,
    stored_majority_changes,
from all_panels
