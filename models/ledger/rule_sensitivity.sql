with groups as (
    select distinct
        cohort,
        model,
        family,
    from {{ ref('int_debates') }}
),

cohort_rules as (
    select distinct
        cohort,
        coding_rule,
        endpoint,
    from {{ ref('int_cohort_lanes') }}
),

rules as (
    select * from {{ ref('coding_rules') }}
    {%- if var('coding_rules') %}
    where coding_rule in ('{{ var('coding_rules') | join("', '") }}')
    {%- endif %}
),

endpoints as (
    select * from {{ ref('int_endpoints') }}
),

transitions as (
    select * from {{ ref('transitions') }}
),

onsets as (
    select * from {{ ref('onsets') }}
    where onset_round = 1
),

-- Every rule has a row for every model and endpoint, whether or not the sources can answer it.
grid as (
    select
        groups.cohort,
        groups.model,
        groups.family,
        endpoints.endpoint,
        rules.coding_rule,
        rules.panel_decision,
    from groups
    cross join endpoints
    cross join rules
)

select
    grid.cohort,
    grid.model,
    grid.family,
    grid.endpoint,
    grid.coding_rule,
    coalesce(grid.coding_rule = cohort_rules.coding_rule and grid.endpoint = cohort_rules.endpoint, false) as is_cohort_rule,
    case
        when transitions.cohort is not null then null
        when {{ is_recount('grid.panel_decision') }}
            then 'no answers of the agents for this endpoint in the sources'
        when grid.panel_decision = 'agreement' then 'no feature matrix of three agents for this endpoint in the sources'
        else 'the sources store no correctness of the start and of this endpoint'
    end as unavailable_reason,
    transitions.n_debates,
    transitions.n_unavailable,
    transitions.n_undefined,
    transitions.n_undefined_unread,
    transitions.n_initial_correct,
    transitions.n_initial_wrong,
    transitions.n_initial_undecided,
    transitions.n_final_correct,
    transitions.n_preserved,
    transitions.n_collapse,
    transitions.n_collapse_wrong,
    transitions.n_collapse_tied,
    transitions.n_collapse_unread,
    transitions.n_collapse_by_tie,
    transitions.n_correction,
    transitions.n_correction_unread,
    transitions.n_correction_by_tie,
    transitions.n_unrepaired,
    transitions.n_undecided_correct,
    transitions.net_corrections,
    transitions.net_corrections_lower,
    transitions.net_corrections_upper,
    transitions.is_sign_unread,
    {%- for name, numerator, denominator in ledger_rates() %}
    transitions.{{ name }},
    transitions.{{ name }}_ci_lower,
    transitions.{{ name }}_ci_upper,
    transitions.{{ name }}_n,
    {%- endfor %}
    if(transitions.cohort is null, null, coalesce(onsets.n_onset, 0)) as n_onset_r1,
from grid
left join cohort_rules using (cohort)
left join transitions
    on
        grid.cohort = transitions.cohort
        and grid.model = transitions.model
        and grid.coding_rule = transitions.coding_rule
        and grid.endpoint = transitions.endpoint
left join onsets
    on
        grid.cohort = onsets.cohort
        and grid.model = onsets.model
        and grid.coding_rule = onsets.coding_rule
        and grid.endpoint = onsets.endpoint
order by grid.cohort, grid.model, grid.family, grid.endpoint, grid.coding_rule
