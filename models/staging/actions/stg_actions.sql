-- What a policy would have done with a debate: one row per line of an actions file.

with records as (
    select
        rowid as line_id,
        short_line,
    from {{ ref('raw_records') }}
    where kind = 'action'
),

lines as (
    select * from {{ ref('raw_lines') }}
    where kind = 'action'
)

select
    lines.file_id,
    lines.file_key,
    lines.line_number,
    {{ published_label("trim(json_extract_string(records.short_line, '$.policy'))") }} as policy,
    nullif(trim(json_extract_string(records.short_line, '$.debate_key')), '') as debate_key,
    nullif(trim(json_extract_string(records.short_line, '$.lane')), '') as lane,
    nullif(trim(json_extract_string(records.short_line, '$.question_id')), '') as question_id,
    {{ action_verb('records.short_line') }} as action_name,
    {{ action_answer('records.short_line') }} as answer,
    {{ action_round('records.short_line') }} as stop_round,
    {{ as_number("json_extract_string(records.short_line, '$.score')") }} as score,
    nullif(lower(trim(json_extract_string(records.short_line, '$.split'))), '') as split,
    {{ as_number("json_extract_string(records.short_line, '$.weight_collapse')") }} as weight_collapse,
    {{ as_number("json_extract_string(records.short_line, '$.weight_correction')") }} as weight_correction,
from records
inner join lines using (line_id)
