-- A lane of probes is a file and a stored model, like a lane of debates; what pairs the two is the seed screen_lanes, never a name.

with batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

lane_models as (
    select * from {{ ref('lane_models') }}
),

aliases as (
    select * from {{ ref('model_aliases') }}
),

models as (
    select * from {{ ref('models') }}
),

files as (
    select * from {{ ref('raw_files') }}
),

lanes as (
    select
        batteries.file_id,
        batteries.file_key,
        files.stem,
        files.folder,
        batteries.stored_model,
        count(*) as n_batteries,
    from batteries
    inner join files using (file_id)
    group by all
),

-- A file that stores no model names it in its own name.
named as (
    select
        *,
        coalesce(stored_model, regexp_replace(stem, '^sa_causal_', '')) as own_name,
    from lanes
),

resolved as (
    select
        named.*,
        {{ lane_model_columns() }},
    from named
    {{ lane_model_joins(['file_id', 'stored_model']) }}
)

select
    row_number() over (order by resolved.file_id, resolved.stored_model nulls first) as lane_id,
    resolved.file_id,
    resolved.file_key,
    resolved.folder,
    resolved.stored_model,
    -- Lanes of the published counts are called so.
    if(starts_with(resolved.file_key, 'published counts'), 'file ', '') || resolved.file_key
    || coalesce(' / ' || resolved.stored_model, '') as lane,
    resolved.model,
    coalesce(models.family, 'unassigned') as family,
    resolved.model_found_in,
    resolved.n_batteries,
from resolved
left join models using (model)
