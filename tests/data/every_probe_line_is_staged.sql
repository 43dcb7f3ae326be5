-- A line of a probe dialect without a battery.

with lines as (
    select * from {{ ref('raw_lines') }}
),

batteries as (
    select * from {{ ref('stg_probe_rows') }}
)

select lines.*
from lines
anti join batteries using (file_id, line_number)
where lines.kind = 'probe'
