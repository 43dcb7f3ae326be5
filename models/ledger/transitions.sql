with counts as (
    select * from {{ ref('int_ledger_counts') }}
    where level = 'model'
)

select
    counts.cohort,
    counts.model,
    counts.family,
    counts.coding_rule,
    counts.endpoint,
    {%- for count in ledger_counts() %}
    counts.{{ count }},
    {%- endfor %}
    {{ net_columns('counts') }}
    -- What undecided starts add to the final accuracy beside corrections and collapses.
    (counts.n_final_correct - counts.n_initial_correct) - (counts.n_correction - counts.n_collapse) as n_identity_gap,
    {{ ledger_rate_columns('counts') }}
    (counts.initial_expected_score / nullif(counts.n_defined, 0))::double as initial_expected_accuracy,
    (counts.final_expected_score / nullif(counts.n_defined, 0))::double as final_expected_accuracy,
from counts
{{ ledger_rate_joins('counts') }}
order by counts.cohort, counts.model, counts.family, counts.coding_rule, counts.endpoint
