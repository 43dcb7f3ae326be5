-- A line of a debate dialect whose debates and baselines are neither staged nor rejected parts.

with lines as (
    select * from {{ ref('raw_lines') }}
),

staged as (
    select
        file_id,
        line_number,
    from {{ ref('stg_debates') }}
    union
    select
        lines.file_id,
        lines.line_number,
    from {{ ref('stg_baselines') }}
    inner join lines using (line_id)
    union
    select
        file_id,
        line_number,
    from {{ ref('rejected_lines') }}
    where part is not null
)

select lines.*
from lines
anti join staged using (file_id, line_number)
where lines.kind = 'debate'
