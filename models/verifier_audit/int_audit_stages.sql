-- The stage, and of a search the generator, that the draws of each audited arm come from. Two of a kind in one folder are two audits: which
-- of them counts is not ours to say.

with draws as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        phase,
        pool,
        stage,
        if(phase = 'search', generator, '-') as generator,
    from {{ ref('int_degradations') }}
)

select
    cohort,
    dataset,
    model,
    arm,
    phase,
    pool,
    min(stage) as stage,
    count(*) as n_sources,
    string_agg('stage ' || stage || if(generator = '-', '', ', ' || generator), '; ' order by stage, generator) as sources,
from draws
group by all
