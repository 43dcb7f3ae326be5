-- How many pairs of all have a counterexample in the search (R8).

{%- set rates = [('counterexample_ratio', 'n_counterexample', 'n_decided_pairs')] %}

with counts as (
    select * from {{ ref('int_search_counts') }}
),

intervals as (
    select * from {{ ref('int_audit_intervals') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
)

select
    counts.cohort,
    counts.dataset,
    counts.model,
    counts.arm,
    counts.epsilon_name,
    epsilons.epsilon,
    epsilons.epsilon_source,
    epsilons.is_headline,
    counts.n_pairs,
    counts.n_pairs_expected,
    counts.n_counterexample,
    counts.n_boundary,
    counts.n_below,
    counts.n_undecided,
    {{ rate_columns('counts', rates) }}
    counts.n_at_floor,
    counts.n_draws_above,
    counts.n_draws_scored,
from counts
inner join epsilons using (cohort, dataset, model, epsilon_name)
{{ rate_joins('counts', rates, 'intervals') }}
order by counts.cohort, counts.dataset, counts.model, counts.arm, counts.epsilon_name
