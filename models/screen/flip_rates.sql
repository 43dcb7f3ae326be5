with totals as (
    select * from {{ ref('int_flip_totals') }}
)

select
    totals.lane,
    totals.model,
    totals.family,
    totals.condition,
    totals.channel,
    totals.strength,
    {%- for count in flip_counts() %}
    totals.{{ count }},
    {%- endfor %}
    {{ rate_columns('totals', flip_rates()) }}
from totals
{{ rate_joins('totals', flip_rates(), ref('int_flip_intervals')) }}
order by totals.lane, totals.condition, totals.channel, totals.strength
