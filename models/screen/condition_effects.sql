with tests as (
    select * from {{ ref('int_condition_tests') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
)

select
    lanes.lane,
    lanes.model,
    lanes.family,
    lanes.folder,
    tests.n_default,
    tests.n_anti_social,
    tests.n_anti_argument,
    tests.flip_rate_default,
    tests.flip_rate_anti_social,
    tests.flip_rate_anti_argument,
    tests.flip_rate_anti_social < tests.flip_rate_default and tests.flip_rate_default < tests.flip_rate_anti_argument as is_in_order,
    tests.n_pairs,
    tests.mean_difference,
    tests.cohens_d_paired,
    tests.cohens_d_average,
    tests.t,
    tests.p,
    tests.p_holm,
    tests.p_holm < 0.05 as is_significant,
from tests
inner join lanes using (lane_id)
order by lanes.lane
