-- Thresholds that landed runs were configured with: of the second stage under the name of its percentile, of the first under its value.

with records as (
    select
        *,
        json_extract_string(text, '$.epsilon') as stated_epsilon,
        json_extract_string(text, '$.percentile') as percentile,
    from {{ ref('stg_audit_records') }}
    where record in ('stage2_manifest', 'stage1_search')
),

-- More than twelve decimals are rounded by nobody: such a threshold is not read.
exact as (
    select
        *,
        case
            when regexp_matches(stated_epsilon, '^[0-9]{1,11}(\.[0-9]{1,12})?$') then stated_epsilon::decimal(24, 12)
        end as epsilon,
    from records
),

named as (
    select
        cohort,
        dataset,
        model,
        'p' || percentile as epsilon_name,
        epsilon,
        stated_epsilon,
    from exact
    where record = 'stage2_manifest' and percentile is not null
    union
    select
        cohort,
        dataset,
        model,
        'configured ' || stated_epsilon as epsilon_name,
        epsilon,
        stated_epsilon,
    from exact
    where record = 'stage1_search'
),

-- The first stage knows its threshold by value; where the second gives that value, and no other, a name, the name is known.
told as (
    select
        *,
        starts_with(epsilon_name, 'p')
        and count(distinct stated_epsilon) over (partition by cohort, dataset, model, epsilon_name) = 1 as is_plain_name,
    from named
),

with_names as (
    select *
    from told
    qualify
        starts_with(epsilon_name, 'p')
        or epsilon_name = min(epsilon_name) over (partition by cohort, dataset, model, epsilon)
        and not bool_or(is_plain_name) over (partition by cohort, dataset, model, epsilon)
)

select
    cohort,
    dataset,
    model,
    epsilon_name,
    min(epsilon)::varchar as epsilon,
    count(distinct epsilon) as n_values,
    count(*) filter (epsilon is null) as n_unreadable,
    string_agg(distinct stated_epsilon, ', ' order by stated_epsilon) as stated,
from with_names
group by all
