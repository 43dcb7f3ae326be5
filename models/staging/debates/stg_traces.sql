{{ config(materialized='view') }}

-- Debates whose lines hold answers: dialects A, B, C, D and L.

with records as (
    select
        rowid as line_id,
        * exclude (correct_label),
        {{ gold_label() }} as correct_label,
    from {{ ref('raw_records') }}
    where kind = 'debate' and short_line is null
)

select
    line_id,
    null::varchar as arm,
    question_id,
    debate_id as stored_debate_id,
    {{ run_columns() }},
    benchmark,
    category,
    correct_label,
    if(
        dialect = 'A',
        {{ first_text(['model', 'model_name']) }},
        {{ first_text(['model_name', 'model', 'openrouter_model_id', 'model_id']) }}
    ) as stored_model,
    backend,
    {{ as_timestamp('timestamp') }} as recorded_at,
    if(task_kind in ('choice', 'number', 'yes_no', 'label'), task_kind, null) as task_kind,
    try_cast(n_rounds as integer) as stated_n_rounds,
    {{ as_amount('total_cost') }} as total_cost,
    {{ majority_label('initial_majority', 'correct_label') }} as stored_initial_majority,
    -- A stored majority stands for its correctness where no flag does; an empty one is a wrong one.
    coalesce(
        {{ as_boolean('initial_correct') }},
        {{ majority_label('initial_majority', 'correct_label') }} = correct_label,
        if(initial_majority is not null and correct_label is not null, false, null)
    ) as stored_initial_correct,
    {{ majority_label('coalesce(majority_answer, final_answer)', 'correct_label') }} as stored_final_majority,
    coalesce(
        {{ as_boolean('coalesce(final_correct, majority_correct)') }},
        {{ majority_label('coalesce(majority_answer, final_answer)', 'correct_label') }} = correct_label,
        if(final_answer is not null and correct_label is not null, false, null)
    ) as stored_final_correct,
    {{ as_boolean('collapsed') }} as stored_collapsed,
    {{ as_boolean('corrected') }} as stored_corrected,
    {{ as_boolean('outcome.collapse') }} as stored_any_agent_collapse,
    {{ as_boolean('outcome.correction') }} as stored_any_agent_correction,
    try_cast(outcome.initial_n_correct as integer) as stored_initial_n_correct,
    try_cast(outcome.final_n_correct as integer) as stored_final_n_correct,
    null::integer as stored_onset_round,
    dialect,
    is_plain,
    initial_answers,
    final_answers,
    initial_states,
    final_states,
    round_traces,
    round_states,
    rounds,
    trace_answers,
    trace_majorities,
    trace_majority_changes,
    initial_ids,
    round_traces_ids,
    round_states_ids,
    rounds_ids,
    final_states_ids,
    planned_names,
    n_planned_agents,
from records
