with known_debates as (
    select * from {{ ref('int_debates') }}
),

starts as (
    select * from {{ ref('int_debate_starts') }}
    where tolerance is null
)

select
    known_debates.cohort,
    known_debates.debate_key,
    known_debates.model,
    known_debates.question_id,
    'no answers of the agents, and no readable correctness of the start and the end: no rule can code this debate' as reason,
from known_debates
left join starts using (debate_id)
where not coalesce(starts.has_answers or starts.has_stored or starts.has_agreement, false)
