{{ config(materialized='view') }}

-- Answers without a debate that stand beside the debates of a dialect F line.

{%- set answer = {"final_answer": "VARCHAR", "final_correct": "VARCHAR", "total_cost": "VARCHAR", "error": "VARCHAR"} %}
{%- set shape = dict.fromkeys(baseline_methods(), answer) %}

with records as (
    select
        rowid as line_id,
        *,
        from_json(short_line, '{{ tojson(shape) }}') as methods,
    from {{ ref('raw_records') }}
    where kind = 'debate' and dialect = 'F'
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
)

select
    line_id,
    method,
    question_id,
    {{ gold_label('correct_label') }} as correct_label,
    {{ majority_label('answer.final_answer', 'correct_label') }} as final_answer,
    {{ as_boolean('answer.final_correct') }} as final_correct,
    {{ as_number('answer.total_cost') }} as total_cost,
    case
        when part_type <> 'OBJECT' then 'the part is no object (' || lower(part_type) || '): give the answer, or leave the key out'
        when answer.error is not null then 'the part is an error: ' || answer.error
        when {{ as_boolean('answer.final_correct') }} is null then 'the part has no final correctness'
    end as reason,
from each_method
