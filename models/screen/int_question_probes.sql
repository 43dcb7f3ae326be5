with batteries as (
    select * from {{ ref('int_probe_batteries') }}
)

select
    lane_id,
    question_id,
    condition,
    count(*) as n_batteries,
    count(*) filter (n_replies > 0) as n_rated,
    sum(n_replies)::bigint as n_replies,
    sum(n_flip)::bigint as n_flip,
    sum(n_unparsed)::bigint as n_unparsed,
    -- Mean over batteries; decimals add up the same in every order.
    sum((n_flip / nullif(n_replies, 0))::decimal(18, 15))::double as sum_of_flip_rates,
    -- The same with an unparsed reply as a flip, and the two sensitivities as the rows of the probe runner store them.
    sum(((n_flip + n_unparsed) / nullif(n_replies, 0))::decimal(18, 15))::double as sum_of_upper_rates,
    sum({{ social_sensitivity('batteries') }}::decimal(18, 15))::double as sum_of_social_sensitivities,
    sum({{ argument_range('batteries') }}::decimal(18, 15))::double as sum_of_argument_ranges,
    {%- for part in ['solo', 'social', 'weaker', 'stronger', 'weakest', 'strongest', 'half_a', 'half_b'] %}
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
