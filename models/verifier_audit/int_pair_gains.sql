-- What an arm gained over the base verifier on the monitored question of a pair, within one stage (R1, R2): the second stage scores the
-- question again, so a gain of one stage never goes into a score of the other.

with evaluations as (
    select * from {{ ref('int_evaluations') }}
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

monitored as (
    select * from evaluations
    where phase = 'canonical' and q_key = 'Q_Y'
),

wanted as (
    select distinct
        cohort,
        stage,
        pool,
        dataset,
        model,
        arm,
        pair_id,
    from evaluations
    where arm <> 'base' and stage <> 'posterior'
),

-- One monitored question serves every pool of paraphrases, unless a pool has its own; a reading of the one and a reading of the other
-- make no gain.
scored as (
    select
        wanted.*,
        arm_own.p_e8 is not null or base_own.p_e8 is not null as is_own,
        if(is_own, arm_own.p_e8, arm_any.p_e8) as arm_e8,
        if(is_own, base_own.p_e8, base_any.p_e8) as base_e8,
        if(is_own, arm_own.question_sha256, arm_any.question_sha256) as arm_question,
        if(is_own, base_own.question_sha256, base_any.question_sha256) as base_question,
        coalesce(if(is_own, arm_own.is_contradicted, arm_any.is_contradicted), false)
        or coalesce(if(is_own, base_own.is_contradicted, base_any.is_contradicted), false) as is_contradicted,
    from wanted
    left join monitored as arm_own
        on
            wanted.cohort = arm_own.cohort
            and wanted.stage = arm_own.stage
            and wanted.pool = arm_own.pool
            and wanted.dataset = arm_own.dataset
            and wanted.model = arm_own.model
            and wanted.pair_id = arm_own.pair_id
            and wanted.arm = arm_own.arm
    left join monitored as arm_any
        on
            wanted.cohort = arm_any.cohort
            and wanted.stage = arm_any.stage
            and arm_any.pool = 'any'
            and wanted.dataset = arm_any.dataset
            and wanted.model = arm_any.model
            and wanted.pair_id = arm_any.pair_id
            and wanted.arm = arm_any.arm
    left join monitored as base_own
        on
            wanted.cohort = base_own.cohort
            and wanted.stage = base_own.stage
            and wanted.pool = base_own.pool
            and wanted.dataset = base_own.dataset
            and wanted.model = base_own.model
            and wanted.pair_id = base_own.pair_id
            and base_own.arm = 'base'
    left join monitored as base_any
        on
            wanted.cohort = base_any.cohort
            and wanted.stage = base_any.stage
            and base_any.pool = 'any'
            and wanted.dataset = base_any.dataset
            and wanted.model = base_any.model
            and wanted.pair_id = base_any.pair_id
            and base_any.arm = 'base'
),

judged as (
    select
        scored.*,
        runs.kappa_e8,
        case
            when is_contradicted then 'contradicted'
            when arm_e8 is null then 'no arm'
            when base_e8 is null then 'no base'
            when arm_question <> base_question then 'unequal questions'
            else 'scored'
        end as gain_status,
    from scored
    inner join runs using (cohort, dataset, model)
)

select
    cohort,
    stage,
    pool,
    dataset,
    model,
    arm,
    pair_id,
    base_e8,
    arm_e8,
    gain_status,
    case when gain_status = 'scored' then arm_e8 - base_e8 end as gain_e8,
    case when gain_status = 'scored' then greatest(kappa_e8, (arm_e8 - base_e8)::bigint) end as den_e8,
from judged
