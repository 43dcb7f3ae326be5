-- Which published numbers do not follow from published inputs, and which were not recomputed?
-- One row per study, published statistic and printed quantity (value, p, interval end) that is not reproduced; reproduction_summary
-- counts all of them. recomputed is empty where the inputs are not public or no model computes it; the reason says which.
select
    study,
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
order by study, status, statistic, quantity
