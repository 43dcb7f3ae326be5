-- What was rejected or could not be read, and the way out.
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
