-- Thresholds that landed runs were configured with: of the second stage under the name of its percentile, of the first under its value.

with records as (
    select
        *,
        json_extract_string(text, '$.epsilon') as epsilon,
        json_extract_string(text, '$.percentile') as percentile,
    from {{ ref('stg_audit_records') }}
    where record in ('stage2_manifest', 'stage1_search')
),

named as (
    select
        cohort,
        dataset,
        model,
        'p' || percentile as epsilon_name,
        epsilon,
    from records
    where record = 'stage2_manifest' and percentile is not null
    union
    select
        cohort,
        dataset,
        model,
        'configured ' || epsilon as epsilon_name,
        epsilon,
    from records
    where record = 'stage1_search'
),

-- The first stage knows its threshold by value; where the second names the same value, the name is known.
with_names as (
    select *
    from named
    qualify starts_with(epsilon_name, 'p') or count(*) over (partition by cohort, dataset, model, epsilon::decimal(24, 12)) = 1
)

select
    cohort,
    dataset,
    model,
    epsilon_name,
    min(epsilon) as epsilon,
    count(distinct epsilon::decimal(24, 12)) as n_values,
from with_names
where try_cast(epsilon as decimal(24, 12)) >= 0
group by all
