-- One row per (cohort, definition of alpha_tot, model, variable) that has a value: what the models of inference read.

with every_row as (
    select * from {{ ref('int_screened_models') }}
    union all by name
    select
        *,
        'as published' as alpha_definition,
    from {{ ref('int_published_models') }}
),

numbers as (
    select
        cohort,
        alpha_definition,
        model,
        coalesce(family, 'unassigned') as family,
        columns(* exclude (cohort, alpha_definition, model, family))::double,
    from every_row
),

points as (
    unpivot numbers on columns(* exclude (cohort, alpha_definition, model, family)) into name variable value value
)

select * from points
-- A rate without a denominator is no value.
where isfinite(value)
