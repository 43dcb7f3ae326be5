-- The fixed list of test generators of each audit, in order (R12).

with runs as (
    select * from {{ ref('int_audit_runs') }}
),

listed as (
    select
        cohort,
        dataset,
        model,
        unnest(string_split(generators, ';')) as generator,
        generate_subscripts(string_split(generators, ';'), 1) as generator_order,
    from runs
)

select
    cohort,
    dataset,
    model,
    trim(generator) as generator,
    generator_order,
from listed
where trim(generator) <> ''
