with probes as (
    select * from {{ ref('int_question_probes') }}
    where condition = 'default'
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

lane_sizes as (
    select
        lanes.folder,
        count(distinct probes.lane_id) as n_lanes,
    from probes
    inner join lanes using (lane_id)
    where probes.n_solo > 0
    group by all
),

-- Outcome-blind: nothing of a debate is looked at. Among equals the question that comes first in the alphabet.
ranked as (
    select
        lane_id,
        question_id,
        row_number() over (partition by lane_id order by n_solo_flip / n_solo desc, question_id) as pool_rank,
    from probes
    where n_solo > 0
),

pools as (
    select
        ranked.*,
        ranked.pool_rank <= {{ var('flip_pool_size') }} as is_in_pool,
        count(*) filter (ranked.pool_rank <= {{ var('flip_pool_size') }})
            over (partition by lanes.folder, ranked.question_id) as n_pools,
    from ranked
    inner join lanes using (lane_id)
)

select
    lanes.lane,
    lanes.model,
    probes.question_id,
    probes.n_batteries,
    probes.n_replies,
    probes.n_unparsed,
    probes.n_flip,
    probes.n_flip / nullif(probes.n_replies, 0) as flip_rate,
    probes.n_solo,
    probes.n_solo_flip,
    {{ part_rate('probes', 'solo') }} as solo_flip_rate,
    probes.n_social,
    probes.n_social_flip,
    {{ part_rate('probes', 'social') }} as social_flip_rate,
    {{ social_sensitivity('probes') }} as social_sensitivity,
    {{ argument_sensitivity('probes') }} as argument_sensitivity,
    {{ sa_ratio(social_sensitivity('probes'), argument_sensitivity('probes')) }} as social_argument_ratio,
    probes.n_initial_parsed,
    probes.n_initial_answers,
    probes.n_initial_answers > 1 as has_initial_disagreement,
    pools.pool_rank,
    pools.is_in_pool,
    pools.n_pools,
    pools.n_pools = lane_sizes.n_lanes as is_in_shared_pool,
from probes
inner join lanes using (lane_id)
left join pools using (lane_id, question_id)
left join lane_sizes on lanes.folder = lane_sizes.folder
order by lanes.lane, probes.question_id
