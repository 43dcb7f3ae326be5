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
        debates.condition,
        {{ other_mode('debates.mode') }} as mode,
        count(*) as n_debates,
    from debates
    inner join files using (file_id)
    group by all
),

-- A file that stores no model names it in its own name.
named as (
    select
        *,
        -- Panels of another mode stay apart from debates, though their lines state no condition.
        count(*) over (partition by file_id, stored_model, condition) as n_modes,
        coalesce(stored_model, regexp_replace(stem, '^debate_traces_', '')) as own_name,
    from lanes
),

resolved as (
    select
        named.*,
        {{ lane_model_columns() }},
    from named
    {{ lane_model_joins(['file_id', 'stored_model', 'condition', 'mode'], 'named.condition') }}
)

select
    resolved.file_id,
    resolved.file_key,
    resolved.stored_model,
    resolved.condition,
    resolved.mode,
    resolved.file_key
    || coalesce(' / ' || resolved.stored_model, '')
    || coalesce(' [' || nullif(concat_ws('; ', resolved.condition, if(resolved.n_modes > 1, resolved.mode, null)), '') || ']', '') as lane,
    resolved.model,
    coalesce(models.family, 'unassigned') as family,
    resolved.model_found_in,
    resolved.n_debates,
from resolved
left join models using (model)
