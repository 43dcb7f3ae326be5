-- What an audit asked of a verifier (R19): scores by kind, two answer orders each, and the time between the first and the last of them.

with evaluations as (
    select * from {{ ref('int_evaluations') }}
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

per_pair as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        count(*) filter (phase = 'canonical') as n_canonical,
        count(*) filter (phase = 'search') as n_search,
        count(*) filter (phase = 'test') as n_test,
        count(*) filter (phase = 'search' and stage = '1') as n_stage1_search,
        min(first_scored_at) as first_scored_at,
        max(last_scored_at) as last_scored_at,
    from evaluations
    group by all
)

select
    per_pair.cohort,
    per_pair.dataset,
    per_pair.model,
    per_pair.arm,
    count(*) as n_pairs,
    sum(n_canonical)::bigint as n_canonical_scores,
    sum(n_search)::bigint as n_search_scores,
    sum(n_test)::bigint as n_test_scores,
    2 * (sum(n_canonical) + sum(n_search) + sum(n_test))::bigint as n_forward_passes,
    max(n_search + n_test) as most_paraphrases_of_a_pair,
    any_value(
        runs.search_budget + coalesce(len(string_split(runs.generators, ';')), 0) * runs.test_budget
    ) as paraphrases_allowed_per_pair,
    min(first_scored_at) as first_scored_at,
    max(last_scored_at) as last_scored_at,
    epoch(max(last_scored_at)) - epoch(min(first_scored_at)) as seconds_between,
    (epoch(max(last_scored_at)) - epoch(min(first_scored_at))) / count(*) as seconds_per_pair,
from per_pair
inner join runs using (cohort, dataset, model)
group by all
order by per_pair.cohort, per_pair.dataset, per_pair.model, per_pair.arm
