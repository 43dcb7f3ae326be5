-- A debate that no rule codes at the last round must stand in unanswerable_debates.
with coded as (
    select distinct
        cohort,
        debate_key,
    from {{ ref('debates') }}
    where endpoint = 'last'
)

select placed.*
from {{ ref('int_debates') }} as placed
anti join coded using (cohort, debate_key)
anti join {{ ref('unanswerable_debates') }} using (cohort, debate_key)
-- With a choice of rules some debates have none.
where {{ 'false' if var('coding_rules') else 'true' }}
