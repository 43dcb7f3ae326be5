-- Where each file's rows come from.

with files as (
    select * from {{ ref('raw_files') }}
    where status = 'landed'
),

{% for rows, relation in [('debates', 'stg_debates'), ('batteries', 'stg_probe_rows')] -%}
{{ rows }} as (
    select
        file_id,
        count(*) as n_{{ rows }},
        min(recorded_at) as first_recorded_at,
        max(recorded_at) as last_recorded_at,
        count(recorded_at) as n_recorded,
        list(distinct backend) as backends,
        list(distinct stored_model) as models,
    from {{ ref(relation) }}
    group by file_id
),

{% endfor -%}
provider_counts as (
    select
        file_id,
        provider,
        count(*) as n,
    from {{ ref('stg_usage') }}
    where provider is not null
    group by all
),

providers as (
    select
        file_id,
        string_agg(provider || ' ' || n, ', ' order by n desc, provider asc) as providers,
    from provider_counts
    group by file_id
),

joined as (
    select
        files.file_key,
        files.file,
        files.sha256,
        files.n_lines,
        coalesce(debates.n_debates, 0) as n_debates,
        coalesce(batteries.n_batteries, 0) as n_batteries,
        least(debates.first_recorded_at, batteries.first_recorded_at) as first_recorded_at,
        greatest(debates.last_recorded_at, batteries.last_recorded_at) as last_recorded_at,
        coalesce(debates.n_recorded, 0) + coalesce(batteries.n_recorded, 0) as n_recorded,
        list_sort(list_distinct(list_concat(coalesce(debates.backends, []), coalesce(batteries.backends, [])))) as backends,
        list_sort(list_distinct(list_concat(coalesce(debates.models, []), coalesce(batteries.models, [])))) as models,
        providers.providers,
    from files
    left join debates using (file_id)
    left join batteries using (file_id)
    left join providers using (file_id)
)

select
    file_key,
    file,
    sha256,
    left(sha256, 12) as sha256_prefix,
    n_lines,
    n_debates,
    n_batteries,
    first_recorded_at,
    last_recorded_at,
    n_recorded,
    nullif(array_to_string(list_transform(backends, lambda b: {{ published_name('b') }}), ', '), '') as backends,
    nullif(array_to_string(models, ', '), '') as models,
    providers,
from joined
order by file_key
