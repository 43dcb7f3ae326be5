-- Gains, denominators and largest scores of the first stage as a file of factors states them, beside those of the scores that are here, at
-- the floor of the file. All in 10⁻¹².

with stored as (
    select
        *,
        {{ as_e12('kappa') }} as kappa_e12,
    from {{ ref('stg_stored_factors') }}
),

stages as (
    select * from {{ ref('int_audit_stages') }}
    where phase = 'search'
),

gains as (
    select * from {{ ref('int_pair_gains') }}
    where pool = 'any' and gain_e8 is not null
),

maxima as (
    select * from {{ ref('int_search_maxima') }}
),

staged as (
    select
        stored.*,
        stages.stage,
    from stored
    left join stages using (cohort, dataset, model, arm)
)

select
    staged.*,
    gains.gain_e8::hugeint * 10000 as gain_e12,
    case when staged.kappa_e12 is not null then greatest(staged.kappa_e12, gains.gain_e8::hugeint * 10000) end as den_e12,
    -- The largest drop is the largest score, whatever the denominator of the pair is.
    case when maxima.n_scored = maxima.search_budget then maxima.max_num_e8::hugeint * 10000 end as max_num_e12,
from staged
left join gains using (cohort, stage, dataset, model, arm, pair_id)
left join maxima using (cohort, stage, dataset, model, arm, pair_id)
