{{ config(materialized='view') }}

-- What lines say of the tokens, money and provider of their completions.

with records as (
    select
        rowid as line_id,
        usage_text,
        provider_resolved,
    from {{ ref('raw_records') }}
    where usage_text is not null or provider_resolved is not null
),

lines as (
    select * from {{ ref('raw_lines') }}
),

parsed as (
    select
        line_id,
        provider_resolved,
        from_json(usage_text, '["DOUBLE"]') as usage,
    from records
)

select
    parsed.line_id,
    lines.file_id,
    -- A usage of the whole line is about all its completions.
    parsed.usage[1] is null and parsed.usage is not null as is_whole_line,
    parsed.usage[1]::bigint as n_usage,
    parsed.usage[2]::bigint as input_tokens,
    parsed.usage[3]::bigint as output_tokens,
    parsed.usage[4]::bigint as thinking_tokens,
    parsed.usage[5] as usage_cost,
    {{ published_name('nullif(trim(parsed.provider_resolved), \'\')') }} as provider,
from parsed
inner join lines using (line_id)
