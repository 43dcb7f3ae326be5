-- Debates and probes of the same question, for the pairs of the seed; under the rule and the endpoint of the cohort.

with pairs as (
    select * from {{ ref('int_screen_pairs') }}
    where cohort is not null and lane_id is not null
),

headlines as (
    select * from {{ ref('int_headlines') }}
    where level = 'model'
),

debates as (
    select * from {{ ref('debates') }}
),

known_debates as (
    select * from {{ ref('int_debates') }}
),

starts as (
    select * from {{ ref('int_panel_rounds') }}
    where is_initial and has_answers
),

probes as (
    select * from {{ ref('int_question_probes') }}
    where condition = 'default'
)

select
    pairs.cohort,
    pairs.model,
    pairs.lane_id,
    debates.debate_key,
    debates.question_id,
    debates.cell = 'collapse' as is_collapse,
    debates.cell in ('preserved', 'collapse') as is_at_risk,
    starts.n_distinct > 1 as has_initial_disagreement,
    probes.n_flip / nullif(probes.n_replies, 0) as flip_rate,
    {{ sa_ratio(social_sensitivity('probes'), argument_sensitivity('probes')) }} as social_argument_ratio,
from pairs
inner join headlines on pairs.cohort = headlines.cohort and pairs.model = headlines.model
inner join debates
    on
        headlines.cohort = debates.cohort
        and headlines.model = debates.model
        and headlines.coding_rule = debates.coding_rule
        and headlines.endpoint = debates.endpoint
inner join known_debates
    on debates.cohort = known_debates.cohort and debates.debate_key = known_debates.debate_key
inner join probes on pairs.lane_id = probes.lane_id and debates.question_id = probes.question_id
left join starts on known_debates.debate_id = starts.debate_id
where debates.cell <> 'undefined'
