-- Which published numbers do not follow from published inputs, and which were not recomputed?
select
    statistic,
    quantity,
    description,
    paper_section,
    published,
    round(recomputed, 6) as recomputed,
    status,
    reason,
from reproduction
where status not in ('exact', 'rounds to published')
order by status, statistic, quantity
