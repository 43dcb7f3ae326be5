with lines as (
    select * from {{ ref('raw_lines') }}
),

all_records as (
    select
        rowid as line_id,
        kind,
        rejected_text,
        {{ is_no_amount('total_cost') }} as is_odd_cost,
    from {{ ref('raw_records') }}
),

records as (
    select * from all_records
    where kind = 'rejected'
),

-- A part of a line that is no debate or baseline, while the rest of the line is staged.
parts as (
    select
        line_id,
        coalesce(arm, 'standard') || '_debate' as part,
        reason,
        error_text,
    from {{ ref('stg_arms') }}
    where reason is not null
    union all
    select
        line_id,
        method as part,
        reason,
        error_text,
    from {{ ref('stg_baselines') }}
    where reason is not null
    union all
    select
        line_id,
        'total_cost' as part,
        'total_cost is more than 10^9: write what the line cost; it counts as without a cost' as reason,
        null::varchar as error_text,
    from all_records
    where kind <> 'rejected' and is_odd_cost
),

whole_lines as (
    select
        lines.line_id,
        lines.file_id,
        lines.file_key,
        lines.line_number,
        null::varchar as part,
        lines.reason,
        lines.n_bytes,
        lines.line_hash,
        left(records.rejected_text, 100000) as rejected_text,
    from lines
    inner join records using (line_id)
),

line_parts as (
    select
        lines.line_id,
        lines.file_id,
        lines.file_key,
        lines.line_number,
        parts.part,
        parts.reason,
        lines.n_bytes,
        lines.line_hash,
        left(parts.error_text, 100000) as rejected_text,
    from parts
    inner join lines using (line_id)
)

select * from whole_lines
union all
select * from line_parts
