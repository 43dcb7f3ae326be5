{{ config(materialized='view') }}

with lines as (
    select * from {{ ref('raw_lines') }}
),

traces as (
    select
        * exclude (
            dialect, is_plain, initial_answers, final_answers, initial_states, final_states, round_traces, round_states, rounds,
            trace_answers, trace_majorities, trace_majority_changes, initial_ids, round_traces_ids, round_states_ids, rounds_ids,
            final_states_ids, planned_names, n_planned_agents
        ),
    from {{ ref('stg_traces') }}
),

arms as (
    select * exclude (reason, needs_no_key) from {{ ref('stg_arms') }}
    where reason is null
),

features as (
    select
        line_id,
        question_id,
        source_file,
        mode,
        task,
        condition,
        stated_n_agents,
        no_key,
        benchmark,
        category,
        correct_label,
        stored_model,
        initial_correct as stored_initial_correct,
        final_correct as stored_final_correct,
        stored_collapsed,
        stored_corrected,
        stored_onset_round,
    from {{ ref('stg_round_features') }}
),

debates as (
    select * from traces
    union all by name
    select * from arms
    union all by name
    select * from features
)

select
    -- Two debates of one line differ by their arm.
    debates.line_id * 2 + if(debates.arm = 'abc', 1, 0) as debate_id,
    lines.file_key || ':' || lines.line_number || coalesce(':' || debates.arm, '') as debate_key,
    lines.file_id,
    lines.file_key,
    lines.line_number,
    debates.arm,
    lines.dialect,
    debates.question_id,
    debates.stored_debate_id,
    debates.source_file,
    debates.mode,
    debates.task,
    debates.condition,
    debates.stated_n_agents,
    debates.no_key,
    debates.benchmark,
    debates.category,
    debates.correct_label,
    debates.stored_model,
    debates.backend,
    debates.recorded_at,
    debates.task_kind,
    debates.stated_n_rounds,
    debates.total_cost,
    debates.stored_initial_majority,
    debates.stored_initial_correct,
    debates.stored_final_majority,
    debates.stored_final_correct,
    debates.stored_collapsed,
    debates.stored_corrected,
    debates.stored_any_agent_collapse,
    debates.stored_any_agent_correction,
    debates.stored_initial_n_correct,
    debates.stored_final_n_correct,
    debates.stored_onset_round,
from debates
inner join lines using (line_id)
