-- Searches of the first stage as a summary states them, beside a count over the scores that are here, at the threshold and floor of the
-- summary: what differs is then no difference of settings.

with stored as (
    select
        *,
        {{ as_e12('kappa') }} as kappa_e12,
        {{ as_e12('epsilon') }} as epsilon_e12,
        n_gt + n_eq + n_lt as n_stated,
    from {{ ref('stg_stored_searches') }}
),

stages as (
    select * from {{ ref('int_audit_stages') }}
    where phase = 'search'
),

gains as (
    select * from {{ ref('int_pair_gains') }}
    where pool = 'any' and gain_e8 is not null
),

draws as (
    select * from {{ ref('int_degradations') }}
    where phase = 'search' and draw_status = 'scored'
),

scaled as (
    select
        stored.*,
        stages.stage,
        case when stored.kappa_e12 is not null then greatest(stored.kappa_e12, gains.gain_e8::hugeint * 10000) end as den_e12,
    from stored
    left join stages using (cohort, dataset, model, arm)
    left join gains using (cohort, stage, dataset, model, arm, pair_id)
),

judged as (
    select
        scaled.file_id,
        scaled.line_number,
        draws.draw,
        draws.num_e8,
        sign(draws.num_e8::hugeint * 10000000000000000 - scaled.epsilon_e12 * scaled.den_e12) as side,
    from scaled
    inner join draws using (cohort, stage, dataset, model, arm, pair_id)
    where draws.draw <= scaled.n_stated and scaled.den_e12 is not null
),

counted as (
    select
        file_id,
        line_number,
        count(*) as n_scored,
        max(num_e8) as max_num_e8,
        count(*) filter (side > 0) as n_above,
        count(*) filter (side = 0) as n_equal,
        count(*) filter (side < 0) as n_below,
        coalesce(list(draw order by draw) filter (side > 0), []) as draws_above,
    from judged
    group by all
)

select
    scaled.*,
    coalesce(counted.n_scored, 0) as n_scored,
    counted.max_num_e8::hugeint * 10000 as max_num_e12,
    counted.n_above,
    counted.n_equal,
    counted.n_below,
    counted.draws_above,
    case
        when counted.n_above > 0 then 'a_any_gt_epsilon'
        when counted.n_equal > 0 then 'boundary_max_eq_epsilon'
        when counted.n_below > 0 then 'b_all_lt_epsilon'
    end as our_group,
    counted.n_scored is not null and counted.n_scored = scaled.n_stated and scaled.epsilon_e12 is not null as is_comparable,
from scaled
left join counted using (file_id, line_number)
