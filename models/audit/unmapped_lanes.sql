with lanes as (
    select * from {{ ref('int_lanes') }}
)

select
    file_key,
    stored_model,
    model,
    family,
    model_found_in,
    n_debates,
    if(
        model_found_in = 'own name',
        'no seed knows this name: add it to models, or as an alias to model_aliases, or the file to lane_models',
        'the model has no family: add it to models'
    ) as mend,
from lanes
where model_found_in = 'own name' or family = 'unassigned'
