-- Model rows that an association runs over: what a lab has screened and debated, and the published rows, whose own rows are not public.

with screens as (
    select * from {{ ref('screen') }}
    where n_debates is not null and alpha_tot is not null
),

published as (
    select * from {{ ref('published_model_rows_n14') }}
),

extended as (
    select * from {{ ref('published_model_rows_extended') }}
),

families as (
    select * from {{ ref('models') }}
),

-- A model that several lanes screen is one row, with the mean of their flip rates; never across definitions of alpha_tot.
screened as (
    select
        cohort,
        model,
        alpha_definition,
        (sum(alpha_tot::decimal(18, 15)) / count(*))::double as alpha_tot,
        min(conditional_collapse) as conditional_collapse,
        min(initial_accuracy) as initial_accuracy,
    from screens
    group by all
)

select
    screened.cohort,
    screened.alpha_definition,
    screened.model,
    coalesce(families.family, 'unassigned') as family,
    screened.alpha_tot,
    100 * screened.conditional_collapse as conditional_collapse_percent,
    screened.initial_accuracy,
from screened
left join families using (model)
union all
select
    'published n14' as cohort,
    'as published' as alpha_definition,
    model,
    family,
    alpha_tot_4dp as alpha_tot,
    c_cond_pct as conditional_collapse_percent,
    init_acc as initial_accuracy,
from published
union all
select
    'published extension' as cohort,
    'as published' as alpha_definition,
    model,
    family,
    alpha_tot,
    c_cond_pct as conditional_collapse_percent,
    init_acc as initial_accuracy,
from extended
