with debates as (
    select * from {{ ref('stg_debates') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

placed as (
    select debate_id from {{ ref('int_debates') }}
),

left_out as (
    select lane from {{ ref('left_out_lanes') }}
)

select debates.debate_key
from debates
inner join lanes
    on debates.file_id = lanes.file_id and debates.stored_model is not distinct from lanes.stored_model
anti join placed using (debate_id)
where
    lanes.lane not in (select lane from left_out)
    and debates.debate_key not in (select lane from left_out)
