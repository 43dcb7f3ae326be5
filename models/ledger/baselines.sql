with baselines as (
    select * from {{ ref('stg_baselines') }}
    where reason is null
),

lines as (
    select * from {{ ref('raw_lines') }}
)

select
    lines.file_key,
    lines.line_number,
    baselines.method,
    baselines.question_id,
    {{ published_label('baselines.correct_label') }} as correct_label,
    {{ published_label('baselines.final_answer') }} as final_answer,
    baselines.final_correct,
    baselines.total_cost,
from baselines
inner join lines using (line_id)
order by lines.file_key, lines.line_number, baselines.method
