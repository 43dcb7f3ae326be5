-- A line of a debate dialect whose debates and baselines are neither staged nor rejected parts.
with staged as (
    select
        file_id,
        line_number,
    from {{ ref('stg_debates') }}
    union
    select
        lines.file_id,
        lines.line_number,
    from {{ ref('stg_baselines') }} as baselines
    inner join {{ ref('raw_lines') }} as lines using (line_id)
    union
    select
        file_id,
        line_number,
    from {{ ref('rejected_lines') }}
    where part is not null
)

select lines.*
from {{ ref('raw_lines') }} as lines
anti join staged using (file_id, line_number)
where lines.kind = 'debate'
