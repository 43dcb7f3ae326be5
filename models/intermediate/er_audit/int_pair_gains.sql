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

-- One monitored question serves every pool of paraphrases, unless a pool has its own.
scored as (
    select
        wanted.*,
        coalesce(arm_own.p_e8, arm_any.p_e8) as arm_e8,
        coalesce(base_own.p_e8, base_any.p_e8) as base_e8,
        coalesce(arm_own.question_sha256, arm_any.question_sha256) as arm_question,
        coalesce(base_own.question_sha256, base_any.question_sha256) as base_question,
        coalesce(arm_own.is_contradicted, arm_any.is_contradicted, false)
        or coalesce(base_own.is_contradicted, base_any.is_contradicted, false) as is_contradicted,
    from wanted
    {%- for side in ['arm', 'base'] %}
    {%- for place in ['own', 'any'] %}
    left join monitored as {{ side }}_{{ place }}
        on
            wanted.cohort = {{ side }}_{{ place }}.cohort
            and wanted.stage = {{ side }}_{{ place }}.stage
            and {{ "wanted.pool" if place == 'own' else "'any'" }} = {{ side }}_{{ place }}.pool
            and wanted.dataset = {{ side }}_{{ place }}.dataset
            and wanted.model = {{ side }}_{{ place }}.model
            and wanted.pair_id = {{ side }}_{{ place }}.pair_id
            and {{ side }}_{{ place }}.arm = {{ "wanted.arm" if side == 'arm' else "'base'" }}
    {%- endfor %}
    {%- endfor %}
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
