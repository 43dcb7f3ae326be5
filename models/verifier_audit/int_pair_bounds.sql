-- The common bound of a pair, arm and threshold at each significance (R10, R12). It is a number only where every pass that it needs was
-- seen; a counterexample makes it 0.

with paths as (
    select * from {{ ref('int_pair_paths') }}
),

searches as (
    select * from {{ ref('int_pair_searches') }}
),

significances as (
    select * from {{ ref('audit_significances') }}
),

tests as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        epsilon_name,
        count(*) as n_generators,
        bool_or(generator_status = 'DEGRADED') as is_degraded,
        bool_or(generator_status = 'INCOMPLETE') as is_incomplete,
        bool_or(generator_status = 'NOT_REACHED') as has_unreached,
        min(t) as smallest_t,
        sum(t)::integer as n_draws,
    from paths
    group by all
),

pairs as (
    select
        coalesce(searches.cohort, tests.cohort) as cohort,
        coalesce(searches.dataset, tests.dataset) as dataset,
        coalesce(searches.model, tests.model) as model,
        coalesce(searches.arm, tests.arm) as arm,
        coalesce(searches.pair_id, tests.pair_id) as pair_id,
        coalesce(searches.epsilon_name, tests.epsilon_name) as epsilon_name,
        searches.verdict,
        tests.n_generators,
        tests.smallest_t,
        coalesce(tests.n_draws, 0) as n_test_draws,
        case
            when searches.verdict = 'counterexample' then 'SEARCH_COUNTEREXAMPLE'
            when tests.is_degraded then 'DEGRADED'
            when searches.verdict = 'incomplete' then 'SEARCH_INCOMPLETE'
            when tests.n_generators is null then 'NOT_TESTED'
            when tests.is_incomplete then 'INCOMPLETE'
            when tests.has_unreached then 'STOPPED_EARLY'
            else 'NO_COUNTEREXAMPLE'
        end as pair_status,
    from searches
    full join tests using (cohort, dataset, model, arm, pair_id, epsilon_name)
)

select
    pairs.cohort,
    pairs.dataset,
    pairs.model,
    pairs.arm,
    pairs.pair_id,
    pairs.epsilon_name,
    pairs.verdict,
    pairs.pair_status,
    pairs.smallest_t,
    pairs.n_test_draws,
    significances.eta,
    case
        -- A generator that was not reached has seen no draw, and no draw bounds by 0.
        when pairs.pair_status in ('SEARCH_COUNTEREXAMPLE', 'DEGRADED', 'STOPPED_EARLY') then 0::double
        -- The smallest t gives the smallest of the generators' bounds.
        when pairs.pair_status = 'NO_COUNTEREXAMPLE' then pow(significances.eta::double, 1::double / pairs.smallest_t)
    end as lower_bound,
from pairs
cross join significances
