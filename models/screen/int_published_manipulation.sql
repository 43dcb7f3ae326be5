-- Published condition tests (paper, table 20) with Holm over the printed p values.

with manipulation as (
    select * from {{ ref('published_channel_manipulation') }}
),

ranked as (
    select
        *,
        p * (count(*) over () + 1 - row_number() over (order by p, model)) as stepped,
    from manipulation
)

select
    * exclude (stepped),
    max(stepped) over (order by p, model) < 0.05 as is_significant,
from ranked
