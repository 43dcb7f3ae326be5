-- Sequential tests of the second stage as results state them, generator by generator, beside what the landed draws give, at the threshold,
-- floor, significance and budget of the run itself.

with bounds as (
    select * from {{ ref('stg_stored_bounds') }}
),

manifests as (
    select * from {{ ref('stg_stored_manifests') }}
),

gains as (
    select * from {{ ref('int_pair_gains') }}
    where stage = '2' and gain_e8 is not null
),

draws as (
    select * from {{ ref('int_degradations') }}
    where stage = '2' and phase = 'test'
),

-- The manifest of a run lies beside its results.
stored as (
    select
        paths.*,
        manifests.test_budget,
        {{ as_e12('paths.epsilon') }} as epsilon_e12,
        case
            when {{ as_e12('bounds.kappa') }} is not null
                then greatest({{ as_e12('bounds.kappa') }}, gains.gain_e8::hugeint * 10000)
        end as den_e12,
    from {{ ref('stg_stored_paths') }} as paths
    left join bounds on paths.file_id = bounds.file_id and paths.pair_id = bounds.pair_id
    left join manifests
        on
            paths.cohort = manifests.cohort
            and paths.directory = manifests.directory
            and paths.arm = manifests.arm
            and paths.pool = manifests.pool
    left join gains
        on
            paths.cohort = gains.cohort
            and paths.pool = gains.pool
            and paths.dataset = gains.dataset
            and paths.model = gains.model
            and paths.arm = gains.arm
            and paths.pair_id = gains.pair_id
),

judged as (
    select
        stored.file_id,
        stored.line_number,
        draws.draw,
        draws.draw_status = 'scored' and stored.den_e12 is not null and stored.epsilon_e12 is not null as is_scored,
        draws.num_e8::hugeint * 10000000000000000 > stored.epsilon_e12 * stored.den_e12 as is_counterexample,
    from stored
    inner join draws using (cohort, pool, dataset, model, arm, pair_id, generator)
    where draws.draw <= stored.test_budget
),

failures as (
    select
        file_id,
        line_number,
        min(draw) as first_failing_draw,
    from judged
    where is_scored and is_counterexample
    group by all
),

-- What comes after a failure was not looked at.
counted as (
    select
        judged.file_id,
        judged.line_number,
        bool_and(judged.is_scored) as is_scored,
        count(failures.first_failing_draw) > 0 as has_failed,
        count(*) as n_draws,
    from judged
    left join failures using (file_id, line_number)
    where failures.first_failing_draw is null or judged.draw <= failures.first_failing_draw
    group by all
),

alone as (
    select
        stored.*,
        coalesce(counted.n_draws, 0) as n_draws,
        case
            when not coalesce(counted.is_scored, false) then 'INCOMPLETE'
            when counted.has_failed then 'DEGRADED'
            when counted.n_draws = stored.test_budget then 'BUDGET_EXHAUSTED'
            else 'INCOMPLETE'
        end as status_alone,
    from stored
    left join counted using (file_id, line_number)
),

reached as (
    select
        *,
        coalesce(
            bool_or(status_alone = 'DEGRADED') over (
                partition by file_id, pair_id
                order by generator_order, line_number
                rows between unbounded preceding and 1 preceding
            ),
            false
        ) as is_after_failure,
    from alone
)

select
    * exclude (status_alone, n_draws),
    if(is_after_failure, 'NOT_REACHED', status_alone) as our_status,
    if(is_after_failure, 0, n_draws) as our_t,
    case
        when is_after_failure or status_alone = 'DEGRADED' then 0::double
        when status_alone = 'BUDGET_EXHAUSTED' then pow(try_cast(eta as double), 1::double / n_draws)
    end as our_lower_bound,
from reached
