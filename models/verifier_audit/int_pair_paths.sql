-- The sequential test of a pair, arm and threshold, generator by generator: once one has failed, the later ones are not reached, and what
-- they would have said is missing, not evidence (R11, R12).

with tests as (
    select * from {{ ref('int_generator_tests') }}
    where n_pools = 1
),

generators as (
    select * from {{ ref('int_audit_generators') }}
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

searches as (
    select * from {{ ref('int_pair_searches') }}
),

-- Pairs that may be tested: those without a known counterexample, and those that were tested without a search in the warehouse.
candidates as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        epsilon_name,
    from searches
    where verdict <> 'counterexample'
    union
    select
        tests.cohort,
        tests.dataset,
        tests.model,
        tests.arm,
        tests.pair_id,
        tests.epsilon_name,
    from tests
    anti join searches using (cohort, dataset, model, arm, pair_id, epsilon_name)
),

-- Where an arm was not tested at a threshold at all, nothing is incomplete.
tested as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        epsilon_name,
    from {{ ref('int_generator_tests') }}
),

alone as (
    select
        candidates.cohort,
        candidates.dataset,
        candidates.model,
        candidates.arm,
        candidates.pair_id,
        candidates.epsilon_name,
        generators.generator,
        generators.generator_order,
        runs.test_budget,
        coalesce(tests.n_gapless, 0) as n_draws,
        tests.stop_draw,
        case
            -- What comes after the auditor's stop was not looked at.
            when tests.first_counterexample <= coalesce(tests.stop_draw, runs.test_budget) then 'DEGRADED'
            when tests.n_gapless >= runs.test_budget and tests.stop_draw is null then 'BUDGET_EXHAUSTED'
            when tests.n_gapless >= tests.stop_draw then if(tests.stop_draw = runs.test_budget, 'BUDGET_EXHAUSTED', 'STOPPED')
            else 'INCOMPLETE'
        end as status_alone,
        tests.first_counterexample,
    from candidates
    inner join tested using (cohort, dataset, model, arm, epsilon_name)
    inner join generators using (cohort, dataset, model)
    inner join runs using (cohort, dataset, model)
    left join tests using (cohort, dataset, model, arm, pair_id, epsilon_name, generator)
),

-- A failure ends the test; so does a stop of the auditor, if nothing was drawn from the later generators.
reached as (
    select
        *,
        coalesce(bool_or(status_alone = 'DEGRADED') over earlier, false)
        or (n_draws = 0 and coalesce(bool_or(status_alone = 'STOPPED') over earlier, false)) as is_not_reached,
    from alone
    window earlier as (
        partition by cohort, dataset, model, arm, pair_id, epsilon_name
        order by generator_order
        rows between unbounded preceding and 1 preceding
    )
)

select
    cohort,
    dataset,
    model,
    arm,
    pair_id,
    epsilon_name,
    generator,
    generator_order,
    test_budget,
    n_draws,
    if(is_not_reached, 'NOT_REACHED', status_alone) as generator_status,
    case
        when is_not_reached then 0
        when status_alone = 'DEGRADED' then first_counterexample
        when status_alone = 'STOPPED' then stop_draw
        when status_alone = 'BUDGET_EXHAUSTED' then test_budget
    end as t,
from reached
