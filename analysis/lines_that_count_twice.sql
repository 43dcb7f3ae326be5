-- Which questions stand more than once in a lane, and do their debates end alike?
-- One row per group of duplicates and cohort, under the cohort's own rule. n_counted of the n_in_group debates are in the counts; one
-- leaves them only by a row of seeds/dropped_debates.csv. cells is what each of them became: where it names two, dropping one changes a
-- rate.
select
    duplicate_debates.kind,
    duplicate_debates.first_of_group,
    debates.cohort,
    duplicate_debates.model,
    duplicate_debates.question_id,
    duplicate_debates.n_in_group,
    count(*) as n_counted,
    count(distinct debates.cell) as n_cells,
    string_agg(debates.cell, ', ' order by debates.debate_key) as cells,
from duplicate_debates
inner join debates using (debate_key)
inner join cohorts using (cohort, coding_rule, endpoint)
group by all
order by n_cells desc, duplicate_debates.kind asc, duplicate_debates.first_of_group asc
