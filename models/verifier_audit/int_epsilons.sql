-- The thresholds at which each audit is read: a frozen one of the cohort, what its runs were configured with, a frozen one of every cohort,
-- else what its own organism gives; and the grid of the var.

with runs as (
    select * from {{ ref('int_audit_runs') }}
),

frozen as (
    select * from {{ ref('audit_epsilons') }}
),

configured as (
    select * from {{ ref('int_configured_epsilons') }}
    where n_values = 1 and n_unreadable = 0
),

organism as (
    select * from {{ ref('int_organism_thresholds') }}
),

candidates as (
    select
        runs.cohort,
        runs.dataset,
        runs.model,
        frozen.epsilon_name,
        frozen.epsilon,
        'frozen' as epsilon_source,
        if(frozen.cohort is null, 3, 1) as precedence,
    from runs
    inner join frozen
        on
            runs.dataset = frozen.dataset
            and runs.model = frozen.model
            and (frozen.cohort is null or runs.cohort = frozen.cohort)
    union all
    select
        cohort,
        dataset,
        model,
        epsilon_name,
        epsilon,
        'configured' as epsilon_source,
        2 as precedence,
    from configured
    union all
    select
        runs.cohort,
        runs.dataset,
        runs.model,
        'p' || organism.percentile as epsilon_name,
        organism.epsilon,
        'organism' as epsilon_source,
        4 as precedence,
    from runs
    inner join organism using (cohort, dataset, model, n_pairs)
    where organism.epsilon is not null
    {%- for epsilon in audit_epsilon_grid() %}
    union all
    select
        cohort,
        dataset,
        model,
        'grid {{ epsilon }}' as epsilon_name,
        '{{ epsilon }}' as epsilon,
        'grid' as epsilon_source,
        5 as precedence,
    from runs
    {%- endfor %}
),

chosen as (
    select *
    from candidates
    qualify row_number() over (partition by cohort, dataset, model, epsilon_name order by precedence) = 1
),

-- A run of the first stage has no name for its threshold; one that is here under a name is not taken twice.
named as (
    select *
    from chosen
    qualify
        not starts_with(epsilon_name, 'configured ')
        or count(*) over (partition by cohort, dataset, model, epsilon::decimal(24, 12)) = 1
)

select
    cohort,
    dataset,
    model,
    epsilon_name,
    epsilon_name = '{{ var('headline_epsilon') }}' as is_headline,
    regexp_replace(regexp_replace(epsilon::decimal(24, 12)::varchar, '0+$', ''), '\.$', '') as epsilon,
    epsilon::double as epsilon_value,
    (epsilon::decimal(24, 12) * 1000000000000)::hugeint as epsilon_e12,
    epsilon_source,
from named
