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
    from records
    where methods.{{ m }} is not null
    {{ "union all" if not loop.last }}
    {%- endfor %}
)

select
    line_id,
    method,
    question_id,
    {{ gold_label('correct_label') }} as correct_label,
    {{ majority_label('answer.final_answer') }} as final_answer,
    {{ as_boolean('answer.final_correct') }} as final_correct,
    {{ as_number('answer.total_cost') }} as total_cost,
    case
        when answer.error is not null then 'the part is an error: ' || answer.error
        when {{ as_boolean('answer.final_correct') }} is null then 'the part has no final correctness'
    end as reason,
from each_method
