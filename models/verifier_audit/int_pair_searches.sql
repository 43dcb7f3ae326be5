-- The verdict of the search on each pair, arm and threshold (R4, R5, R7). A counterexample found is one, whatever is missing beside it;
-- that there is none takes the whole search set.

with draws as (
    select * from {{ ref('int_degradations') }}
    where phase = 'search' and draw_status = 'scored'
),

maxima as (
    select * from {{ ref('int_search_maxima') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

-- The score of a pair is its drop times a constant, so the largest drop that still passes is a whole number: exact, and cheap to compare.
limits as (
    select
        maxima.*,
        epsilons.epsilon_name,
        epsilons.epsilon,
        epsilons.epsilon_e12,
        epsilons.epsilon_e12 * maxima.den_e8 as limit_e20,
    from maxima
    inner join epsilons using (cohort, dataset, model)
),

counted as (
    select
        limits.cohort,
        limits.stage,
        limits.dataset,
        limits.model,
        limits.arm,
        limits.pair_id,
        limits.epsilon_name,
        count(*) filter (draws.num_e8::hugeint * 1000000000000 > limits.limit_e20) as n_above,
        count(*) filter (draws.num_e8::hugeint * 1000000000000 = limits.limit_e20) as n_equal,
        count(*) filter (draws.num_e8::hugeint * 1000000000000 < limits.limit_e20) as n_below,
        min(draws.draw) filter (draws.num_e8::hugeint * 1000000000000 > limits.limit_e20) as first_counterexample,
    from limits
    inner join draws
        on
            limits.cohort = draws.cohort
            and limits.stage = draws.stage
            and limits.dataset = draws.dataset
            and limits.model = draws.model
            and limits.arm = draws.arm
            and limits.pair_id = draws.pair_id
            and limits.search_budget >= draws.draw
    group by all
)

select
    limits.cohort,
    limits.stage,
    limits.dataset,
    limits.model,
    limits.arm,
    limits.pair_id,
    limits.epsilon_name,
    limits.epsilon,
    limits.search_budget,
    limits.n_draws,
    limits.n_scored,
    limits.max_num_e8,
    limits.den_e8,
    coalesce(counted.n_above, 0) as n_above,
    coalesce(counted.n_equal, 0) as n_equal,
    coalesce(counted.n_below, 0) as n_below,
    counted.first_counterexample,
    case
        when counted.n_above > 0 then 'counterexample'
        when limits.n_scored < limits.search_budget then 'incomplete'
        when counted.n_equal > 0 then 'boundary'
        else 'below'
    end as verdict,
from limits
left join counted
    on
        limits.cohort = counted.cohort
        and limits.stage = counted.stage
        and limits.dataset = counted.dataset
        and limits.model = counted.model
        and limits.arm = counted.arm
        and limits.pair_id = counted.pair_id
        and limits.epsilon_name = counted.epsilon_name
