-- What is audited where: models by cohort and data set, with the settings that hold for them.

with evaluations as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        pair_id,
    from {{ ref('int_evaluations') }}
),

settings as (
    select * from {{ ref('audit_settings') }}
),

pairs as (
    select distinct
        cohort,
        dataset,
        pair_id,
    from {{ ref('stg_audit_pairs') }}
    -- The input of the second stage lists a part of the pairs.
    where file_kind <> 'stage2_input'
),

models as (
    select distinct
        cohort,
        dataset,
        model,
    from evaluations
),

-- Every pair of the data set that any file names: the denominator of the counterexample ratio.
all_pairs as (
    select
        cohort,
        dataset,
        model,
        pair_id,
    from evaluations
    union
    select
        models.cohort,
        models.dataset,
        models.model,
        pairs.pair_id,
    from models
    inner join pairs using (cohort, dataset)
),

runs as (
    select
        cohort,
        dataset,
        model,
        count(*) as n_pairs,
    from all_pairs
    group by all
),

generators as (
    select
        cohort,
        dataset,
        model,
        string_agg(distinct generator, ';' order by generator) as generators,
    from {{ ref('int_evaluations') }}
    where phase = 'test'
    group by all
),

ranked as (
    select
        runs.cohort,
        runs.dataset,
        runs.model,
        settings.kappa,
        settings.search_budget,
        settings.test_budget,
        settings.generators,
        settings.n_pairs as n_pairs_expected,
        -- The most particular row that says something.
        2 * (settings.cohort is not null)::int + (settings.dataset is not null)::int as precedence,
    from runs
    inner join settings
        on
            (settings.cohort is null or runs.cohort = settings.cohort)
            and (settings.dataset is null or runs.dataset = settings.dataset)
),

set_values as (
    select
        cohort,
        dataset,
        model,
        {%- for setting in ['kappa', 'search_budget', 'test_budget', 'generators', 'n_pairs_expected'] %}
        list({{ setting }} order by precedence desc) filter ({{ setting }} is not null)[1] as {{ setting }},
        {%- endfor %}
    from ranked
    group by all
)

select
    runs.cohort,
    runs.dataset,
    runs.model,
    runs.n_pairs,
    set_values.n_pairs_expected,
    set_values.kappa,
    (set_values.kappa::decimal(18, 8) * 100000000)::bigint as kappa_e8,
    set_values.search_budget,
    set_values.test_budget,
    coalesce(set_values.generators, generators.generators) as generators,
from runs
inner join set_values using (cohort, dataset, model)
left join generators using (cohort, dataset, model)
