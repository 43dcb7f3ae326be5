with aucs as (
    select * from {{ ref('int_question_aucs') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
)

select
    aucs.cohort,
    aucs.model,
    lanes.lane,
    aucs.scope,
    aucs.predictor,
    if(aucs.n_debates >= {{ var('minimum_n') }}, aucs.auc, null) as auc,
    aucs.n_debates as auc_n,
    aucs.n_collapse,
from aucs
inner join lanes using (lane_id)
order by aucs.cohort, aucs.model, lanes.lane, aucs.scope, aucs.predictor
