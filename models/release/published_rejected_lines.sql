{{ config(alias='rejected_lines') }}

-- The text of a rejected line may hold model texts, so it stays in the work file (reconciliation.rejected_lines).

with rejected as (
    select * from {{ ref('rejected_lines') }}
),

files as (
    select * from {{ ref('raw_files') }}
)

select
    rejected.file_key,
    files.file,
    rejected.line_number,
    rejected.part,
    rejected.reason,
    rejected.n_bytes,
    rejected.line_hash::varchar as line_hash,
from rejected
inner join files using (file_id)
order by files.file_id, rejected.line_number, rejected.part
