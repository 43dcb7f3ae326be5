with debates as (
    select * from {{ ref('stg_debates') }}
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

-- The stem of a file stays what it is when another file of the same name makes its key longer.
lanes as (
    select
        debates.file_id,
        debates.file_key,
        files.stem,
        debates.stored_model,
        count(*) as n_debates,
    from debates
    inner join files using (file_id)
    group by all
),

-- A file that stores no model names it in its own name.
named as (
    select
        *,
        coalesce(stored_model, regexp_replace(stem, '^debate_traces_', '')) as own_name,
    from lanes
),

resolved as (
    select
        named.*,
        coalesce(by_lane.model, by_file.model, aliases.model, models.model, named.own_name) as model,
        case
            when coalesce(by_lane.model, by_file.model) is not null then 'lane_models'
            when aliases.model is not null then 'model_aliases'
            when models.model is not null then 'models'
            else 'own name'
        end as model_found_in,
    from named
    left join lane_models as by_lane
        on by_lane.file_key in (named.file_key, named.stem) and named.stored_model = by_lane.stored_model
    left join lane_models as by_file
        on by_file.file_key in (named.file_key, named.stem) and by_file.stored_model is null
    left join aliases on lower(named.own_name) = lower(aliases.stored_model)
    left join models on lower(named.own_name) = lower(models.model)
)

select
    resolved.file_id,
    resolved.file_key,
    resolved.stored_model,
    resolved.file_key || coalesce(' / ' || resolved.stored_model, '') as lane,
    resolved.model,
    coalesce(models.family, 'unassigned') as family,
    resolved.model_found_in,
    resolved.n_debates,
from resolved
left join models using (model)
