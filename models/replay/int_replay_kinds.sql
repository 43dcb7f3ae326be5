-- Debates that no gate can tell apart, counted: millions of debates are a few thousand kinds.

with debates as (
    select * from {{ ref('int_replay_debates') }}
)

select
    kind_id,
    {%- for column in replay_kind_columns() %}
    {{ column }},
    {%- endfor %}
    sign,
    count(*) as n,
from debates
group by all
