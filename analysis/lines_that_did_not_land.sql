-- Which lines and files did not land, and what mends them?
-- One row per rejected line (or part of a line that is staged otherwise) and per file that could not be read or was skipped. No row here
-- is in any denominator of the ledger. The text of a rejected line is in the work file only (reconciliation.rejected_lines).
select
    file,
    line_number,
    part,
    reason,
from rejected_lines
union all
select
    file,
    null as line_number,
    null as part,
    reason,
from raw_files
where status <> 'landed'
order by all
