{{ config(materialized='view') }}

-- Debates of which a line holds the endpoints only, and possibly several: dialects F, G, J and the debates of I.

{%- set debate = '{"initial_majority":"VARCHAR","initial_correct":"VARCHAR","initial_weighted_majority":"VARCHAR",'
    ~ '"initial_weighted_correct":"VARCHAR","final_answer":"VARCHAR","final_correct":"VARCHAR",'
    ~ '"collapsed":"VARCHAR","corrected":"VARCHAR","cost":"VARCHAR","error":"VARCHAR",'
    ~ '"standard_correct":"VARCHAR","shielded_correct":"VARCHAR"}' %}

with records as (
    select
        rowid as line_id,
        * exclude (correct_label),
        {{ gold_label() }} as correct_label,
        from_json(short_line, '{"standard_debate":{{ debate }},"abc_debate":{{ debate }}}') as arms,
    from {{ ref('raw_records') }}
    where kind = 'debate' and dialect in ('F', 'G', 'I', 'J')
),

-- A part that is there but no object is rejected below, so it must not be lost here.
each_arm as (
    select
        *,
        -- J holds one debate a line, so its key needs no arm.
        if(dialect = 'J', null, 'standard') as arm,
        arms.standard_debate as debate,
        json_type(short_line, '$.standard_debate') as part_type,
    from records
    where json_exists(short_line, '$.standard_debate')
    union all
    select
        *,
        'abc' as arm,
        arms.abc_debate as debate,
        json_type(short_line, '$.abc_debate') as part_type,
    from records
    where json_exists(short_line, '$.abc_debate')
    union all
    select
        *,
        null as arm,
        from_json(short_line, '{{ debate }}') as debate,
        'OBJECT' as part_type,
    from records
    where dialect = 'I'
),

parts_read as (
    select
        *,
        -- An empty or false error beside a result is none.
        if(debate.error in ('', 'false', 'null'), null, debate.error) as error_text,
        -- The adaptive pilot names the end by its arm.
        {{ as_boolean('coalesce(debate.final_correct, debate.standard_correct, debate.shielded_correct)') }} as final_correct_flag,
    from each_arm
)

select
    line_id,
    arm,
    question_id,
    debate_id as stored_debate_id,
    {{ run_columns() }},
    benchmark,
    category,
    correct_label,
    -- The pilot stores whether its panels are right, and no key at all.
    dialect = 'I' as needs_no_key,
    {{ first_text(['model', 'model_name', 'openrouter_model_id', 'model_id']) }} as stored_model,
    backend,
    {{ as_timestamp('timestamp') }} as recorded_at,
    try_cast(n_rounds as integer) as stated_n_rounds,
    {{ as_amount('debate.cost') }} as total_cost,
    -- The arm with weighted votes collapses relative to its own weighted start.
    {{ majority_label('coalesce(debate.initial_majority, debate.initial_weighted_majority)', 'correct_label') }} as stored_initial_majority,
    {{ as_boolean('coalesce(debate.initial_correct, debate.initial_weighted_correct)') }} as stored_initial_correct,
    {{ majority_label('debate.final_answer', 'correct_label') }} as stored_final_majority,
    final_correct_flag as stored_final_correct,
    {{ as_boolean('debate.collapsed') }} as stored_collapsed,
    {{ as_boolean('debate.corrected') }} as stored_corrected,
    null::boolean as stored_any_agent_collapse,
    null::boolean as stored_any_agent_correction,
    null::integer as stored_initial_n_correct,
    null::integer as stored_final_n_correct,
    null::integer as stored_onset_round,
    case
        when part_type <> 'OBJECT' then 'the part is no object (' || lower(part_type) || '): give the debate, or leave the key out'
        when error_text is not null then 'the part is an error (see reconciliation.rejected_lines in the work file): run the debate again'
        when
            {{ as_boolean('coalesce(debate.initial_correct, debate.initial_weighted_correct)') }} is null
            or final_correct_flag is null
            then 'the part has no initial or no final correctness'
    end as reason,
    error_text,
from parts_read
