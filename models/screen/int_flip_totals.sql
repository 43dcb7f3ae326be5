-- Every cut of a lane's replies: one condition or all, one channel or both, one strength, all, or all but the very strong one.

with counts as (
    select * from {{ ref('int_flip_counts') }}
),

by_strength as (
    select
        *,
        strength as strengths,
    from counts
    where strength <> 'all'
    union all
    select
        *,
        'all' as strengths,
    from counts
    union all
    select
        *,
        'all but very_strong' as strengths,
    from counts
    where strength in ('weak', 'moderate', 'strong')
),

by_channel as (
    select
        *,
        channel as channels,
    from by_strength
    union all
    select
        *,
        'both' as channels,
    from by_strength
),

by_condition as (
    select
        *,
        condition as conditions,
    from by_channel
    union all
    select
        *,
        'all' as conditions,
    from by_channel
)

select
    lane,
    model,
    family,
    conditions as condition,
    channels as channel,
    strengths as strength,
    {%- for count in flip_counts() %}
    sum({{ count }})::bigint as {{ count }},
    {%- endfor %}
    sum(n_flip + n_unparsed)::bigint as n_flip_or_unparsed,
    sum(n_cor + n_neutral)::bigint as n_cor_or_neutral,
from by_condition
group by all
