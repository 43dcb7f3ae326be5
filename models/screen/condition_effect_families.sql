-- Effect of the condition by family of models: of the landed folders, and of the published table under the folder `published`.

with effects as (
    select * from {{ ref('condition_effects') }}
),

published as (
    select * from {{ ref('int_published_manipulation') }}
),

lanes as (
    select
        folder,
        family,
        cohens_d_paired as d,
        is_significant,
    from effects
    union all
    select
        'published' as folder,
        family_group as family,
        d_aa_minus_as as d,
        is_significant,
    from published
),

groups as (
    select
        folder,
        coalesce(family, 'unassigned') as family,
        d,
        is_significant,
    from lanes
    union all
    select
        folder,
        'all' as family,
        d,
        is_significant,
    from lanes
)

select
    folder,
    family,
    count(*) as n_lanes,
    (sum(d::decimal(30, 15)) / nullif(count(d), 0))::double as mean_d,
    count(d) as mean_d_n,
    count(*) filter (is_significant) as n_significant,
from groups
group by folder, family
order by folder, family
