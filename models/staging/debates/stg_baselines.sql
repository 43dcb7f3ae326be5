{{ config(materialized='view') }}

-- Answers without a debate that stand beside the debates of a line (dialect F; G and J where they have them).

{%- set answer = {"final_answer": "VARCHAR", "final_correct": "VARCHAR", "total_cost": "VARCHAR", "error": "VARCHAR"} %}
{%- set shape = dict.fromkeys(baseline_methods(), answer) %}

with records as (
    select
        rowid as line_id,
        * exclude (correct_label),
        {{ gold_label() }} as correct_label,
        from_json(short_line, '{{ tojson(shape) }}') as methods,
    from {{ ref('raw_records') }}
    where kind = 'debate' and dialect in ('F', 'G', 'J')
),

each_method as (
    {%- for m in baseline_methods() %}
    select
        line_id,
        question_id,
        correct_label,
        '{{ m }}' as method,
        methods.{{ m }} as answer,
        json_type(short_line, '$.{{ m }}') as part_type,
    from records
    where json_exists(short_line, '$.{{ m }}')
    {{ "union all" if not loop.last }}
    {%- endfor %}
),

parts_read as (
    select
        *,
        -- An empty or false error beside a result is none.
        if(answer.error in ('', 'false', 'null'), null, answer.error) as error_text,
    from each_method
)

select
    line_id,
    method,
    question_id,
    correct_label,
    {{ majority_label('answer.final_answer', 'correct_label') }} as final_answer,
    {{ as_boolean('answer.final_correct') }} as final_correct,
    {{ as_amount('answer.total_cost') }} as total_cost,
    case
        when part_type <> 'OBJECT' then 'the part is no object (' || lower(part_type) || '): give the answer, or leave the key out'
        when error_text is not null then 'the part is an error (see reconciliation.rejected_lines in the work file): run the baseline again'
        when {{ as_boolean('answer.final_correct') }} is null then 'the part has no final correctness'
    end as reason,
    error_text,
from parts_read
