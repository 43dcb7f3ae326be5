with headlines as (
    select * from {{ ref('int_headlines') }}
    where level = 'family'
),

-- The models' own rates under the same rule: one of another rule is not averaged in.
models as (
    select
        cohort,
        family,
        coding_rule,
        endpoint,
        count(conditional_collapse) as mean_conditional_collapse_n,
        -- Decimals add up the same in every order.
        avg(conditional_collapse::decimal(18, 15))::double as mean_conditional_collapse,
        median(conditional_collapse) as median_conditional_collapse,
        avg(initial_accuracy::decimal(18, 15))::double as mean_initial_accuracy,
        count(initial_accuracy) as mean_initial_accuracy_n,
    from {{ ref('transitions') }}
    group by all
)

select
    headlines.cohort,
    headlines.family,
    headlines.coding_rule,
    headlines.endpoint,
    headlines.is_cohort_rule,
    headlines.n_models,
    headlines.n_lanes,
    {%- for count in ledger_counts() %}
    headlines.{{ count }},
    {%- endfor %}
    {{ net_columns('headlines') }}
    {{ ledger_rate_columns('headlines') }}
    models.mean_conditional_collapse,
    models.median_conditional_collapse,
    models.mean_conditional_collapse_n,
    models.mean_initial_accuracy,
    models.mean_initial_accuracy_n,
from headlines
inner join models using (cohort, family, coding_rule, endpoint)
{{ ledger_rate_joins('headlines') }}
order by headlines.cohort, headlines.family
