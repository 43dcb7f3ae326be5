-- How far each test generator got on a pair, arm and threshold, alone: the first failing draw, the draws that are there, a stop (R10, R11).

with draws as (
    select * from {{ ref('int_degradations') }}
    where phase = 'test' and draw_status = 'scored'
),

stages as (
    select * from {{ ref('int_audit_stages') }}
    where phase = 'test' and n_sources = 1
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

generators as (
    select * from {{ ref('int_audit_generators') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

-- A hole in the draws ends what can be read, since a draw that is missing may have failed; so does the auditor's own stop.
numbered as (
    select
        draws.*,
        draws.draw = row_number() over drawn as is_gapless,
        min(draws.draw) filter (draws.is_stop) over (
            partition by
                draws.cohort, draws.stage, draws.pool, draws.dataset, draws.model, draws.arm, draws.pair_id, draws.generator
        ) as stop_draw,
    from draws
    inner join stages using (cohort, dataset, model, arm, pool, stage)
    window drawn as (
        partition by draws.cohort, draws.stage, draws.pool, draws.dataset, draws.model, draws.arm, draws.pair_id, draws.generator
        order by draws.draw
    )
),

read_draws as (
    select
        numbered.cohort,
        numbered.dataset,
        numbered.model,
        numbered.arm,
        numbered.pair_id,
        numbered.pool,
        generators.generator,
        generators.generator_order,
        runs.test_budget,
        epsilons.epsilon_name,
        numbered.draw,
        numbered.is_gapless,
        numbered.stop_draw,
        numbered.num_e8::hugeint * 1000000000000 > epsilons.epsilon_e12 * numbered.den_e8 as is_counterexample,
    from numbered
    inner join runs using (cohort, dataset, model)
    inner join generators using (cohort, dataset, model, generator)
    inner join epsilons
        on
            numbered.cohort = epsilons.cohort
            and numbered.dataset = epsilons.dataset
            and numbered.model = epsilons.model
            -- A pool of paraphrases was tested at its own percentile, and stopped where that said so.
            and numbered.pool in ({{ pools_of('epsilons.epsilon_name', 'numbered.arm') }})
    where numbered.draw <= runs.test_budget
)

select
    cohort,
    dataset,
    model,
    arm,
    pair_id,
    epsilon_name,
    pool,
    generator,
    generator_order,
    test_budget,
    count(*) filter (is_gapless) as n_gapless,
    any_value(stop_draw) as stop_draw,
    count(*) filter (draw > stop_draw) as n_after_stop,
    min(draw) filter (is_counterexample) as first_counterexample,
    -- Draws of two pools are not one sequence, and which of them it is cannot be told.
    count(distinct pool) over (partition by cohort, dataset, model, arm, pair_id, epsilon_name) as n_pools,
from read_draws
group by cohort, dataset, model, arm, pair_id, epsilon_name, pool, generator, generator_order, test_budget
