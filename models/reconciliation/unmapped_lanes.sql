with debate_lanes as (
    select * from {{ ref('int_lanes') }}
),

probe_lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

-- A file may hold both.
each_lane as (
    select * from debate_lanes
    union all by name
    select * from probe_lanes
),

lanes as (
    select
        file_key,
        stored_model,
        model,
        family,
        model_found_in,
        coalesce(sum(n_debates), 0)::bigint as n_debates,
        coalesce(sum(n_batteries), 0)::bigint as n_batteries,
    from each_lane
    group by all
)

select
    file_key,
    stored_model,
    model,
    family,
    model_found_in,
    n_debates,
    n_batteries,
    if(
        model_found_in = 'own name',
        'no seed knows this name: add it to models, or as an alias to model_aliases, or the file to lane_models',
        'the model has no family: add it to models'
    ) as mend,
from lanes
where model_found_in = 'own name' or family = 'unassigned'
