with headlines as (
    select * from {{ ref('int_headlines') }}
    where level = 'model'
),

onsets as (
    select
        cohort,
        model,
        coding_rule,
        endpoint,
        {{ onset_counts() }}
    from {{ ref('int_onset_counts') }}
    group by all
)

select
    headlines.cohort,
    headlines.model,
    headlines.family,
    headlines.coding_rule,
    headlines.endpoint,
    headlines.is_cohort_rule,
    headlines.n_lanes,
    headlines.min_agents,
    headlines.max_agents,
    headlines.min_rounds,
    headlines.max_rounds,
    {%- for count in ledger_counts() %}
    headlines.{{ count }},
    {%- endfor %}
    {{ net_columns('headlines') }}
    {{ ledger_rate_columns('headlines') }}
    {{ onset_columns('onsets') }}
from headlines
left join onsets
    on
        headlines.cohort = onsets.cohort
        and headlines.model = onsets.model
        and headlines.coding_rule = onsets.coding_rule
        and headlines.endpoint = onsets.endpoint
{{ ledger_rate_joins('headlines') }}
order by headlines.cohort, headlines.model
