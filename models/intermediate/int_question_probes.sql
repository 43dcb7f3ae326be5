with batteries as (
    select * from {{ ref('int_probe_batteries') }}
)

select
    lane_id,
    question_id,
    condition,
    count(*) as n_batteries,
    sum(n_replies)::bigint as n_replies,
    sum(n_flip)::bigint as n_flip,
    sum(n_unparsed)::bigint as n_unparsed,
    -- Mean over batteries; decimals add up the same in every order.
    sum((n_flip / nullif(n_replies, 0))::decimal(18, 15))::double as sum_of_flip_rates,
    {%- for part in ['solo', 'social', 'weaker', 'stronger', 'weakest', 'strongest', 'half_a'] %}
    sum(n_{{ part }})::bigint as n_{{ part }},
    sum(n_{{ part }}_flip)::bigint as n_{{ part }}_flip,
    {%- endfor %}
    {%- for channel in ['solo', 'social'] %}
    sum(n_{{ channel }}_compared)::bigint as n_{{ channel }}_compared,
    sum(n_{{ channel }}_compared_flip)::bigint as n_{{ channel }}_compared_flip,
    {%- endfor %}
    count(distinct initial_answer) as n_initial_answers,
    count(initial_answer) as n_initial_parsed,
from batteries
group by all
