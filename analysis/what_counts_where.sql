-- Which lanes count in which cohort, and which were left out and why?
-- One row per lane and cohort that takes it in or leaves it out. n_debates is what the lane holds; share_of_cohort is over the debates
-- that the cohort takes in, so that one sees which lane decides a pooled rate.
select
    cohort,
    lane,
    model,
    family,
    model_found_in,
    is_included,
    n_debates,
    n_debates / nullif(sum(n_debates) filter (where is_included) over (partition by cohort), 0) as share_of_cohort,
    reason,
from cohort_lanes
order by cohort asc, is_included desc, lane asc
