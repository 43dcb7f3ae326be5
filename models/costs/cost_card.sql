-- What each lane took: completions, tokens and money.

with units as (
    select * from {{ ref('int_completions') }}
),

summed as (
    select
        kind,
        lane,
        file_key,
        model,
        family,
        count(*) as n_units,
        count(distinct question_id) as n_questions,
        sum(n_completions)::bigint as all_completions,
        count(n_completions) as n_completions_n,
        coalesce(sum(n_usage), 0)::bigint as n_usage,
        {%- for amount, type, of in [
            ('input_tokens', 'bigint', 'n_usage'),
            ('output_tokens', 'bigint', 'n_usage'),
            ('thinking_tokens', 'bigint', 'n_usage'),
            ('cost', 'double', 'n_completions'),
        ] %}
        -- Decimals add up the same in every order.
        sum({{ amount }}::decimal(30, 12))::{{ type }} as all_{{ amount }},
        count({{ amount }}) as {{ amount }}_n,
        -- Over the units that tell both; tokens over the completions that have a usage.
        sum({{ amount }}::decimal(30, 12)) filter ({{ of }} is not null)::double
        / nullif(sum({{ of }}) filter ({{ amount }} is not null), 0) as {{ amount }}_per_completion,
        {%- endfor %}
    from units
    group by all
)

select
    kind,
    lane,
    file_key,
    model,
    family,
    n_units,
    n_questions,
    all_completions as n_completions,
    n_completions_n,
    n_usage,
    {%- for amount in ['input_tokens', 'output_tokens', 'thinking_tokens', 'cost'] %}
    all_{{ amount }} as {{ amount }},
    {{ amount }}_n,
    {{ amount }}_per_completion,
    {%- endfor %}
    all_cost / nullif(cost_n, 0) as cost_per_unit,
from summed
order by kind, lane
