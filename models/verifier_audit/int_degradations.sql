-- How far an arm fell behind the base verifier on each paraphrase of the hidden question, as numerator and denominator (R3): exact, signed
-- and not clipped.

with evaluations as (
    select * from {{ ref('int_evaluations') }}
    where phase <> 'canonical'
),

gains as (
    select * from {{ ref('int_pair_gains') }}
),

arms as (
    select * from evaluations
    where arm <> 'base'
),

bases as (
    select * from evaluations
    where arm = 'base'
)

select
    arms.cohort,
    arms.stage,
    arms.pool,
    arms.dataset,
    arms.model,
    arms.arm,
    arms.pair_id,
    arms.phase,
    arms.generator,
    arms.draw,
    arms.is_stop or coalesce(bases.is_stop, false) as is_stop,
    case
        when arms.is_contradicted or bases.is_contradicted then 'contradicted'
        when bases.p_e8 is null then 'no base'
        when arms.question_sha256 <> bases.question_sha256 then 'unequal questions'
        when gains.den_e8 is null then 'no gain'
        else 'scored'
    end as draw_status,
    bases.p_e8 - arms.p_e8 as num_e8,
    gains.den_e8,
from arms
left join bases
    on
        arms.cohort = bases.cohort
        and arms.stage = bases.stage
        and arms.pool = bases.pool
        and arms.dataset = bases.dataset
        and arms.model = bases.model
        and arms.pair_id = bases.pair_id
        and arms.phase = bases.phase
        and arms.generator = bases.generator
        and arms.draw = bases.draw
left join gains
    on
        arms.cohort = gains.cohort
        and arms.stage = gains.stage
        and arms.pool = gains.pool
        and arms.dataset = gains.dataset
        and arms.model = gains.model
        and arms.arm = gains.arm
        and arms.pair_id = gains.pair_id
