-- Published statistics, one row per printed quantity, with what its digits tell: half a unit of the last one, and whether all are given.

with statistics as (
    select * from {{ ref('published_statistics') }}
),

audit as (
    select * from {{ ref('published_er_audit') }}
),

printed as (
    {%- for column in ['value', 'p_value', 'ci_low', 'ci_high'] %}
    select
        'debate_ledger' as study,
        id as statistic,
        '{{ column }}' as quantity,
        description,
        unit,
        n_or_g as n,
        source_file,
        paper_section,
        trim({{ column }}) as published,
    from statistics
    where nullif(trim({{ column }}), '') is not null
    union all
    {%- endfor %}
    select
        'er_audit' as study,
        key as statistic,
        'value' as quantity,
        concat_ws(', ', metric, question, arm, model, dataset, param, unit, note) as description,
        if(n is null, null, 'pair') as unit,
        n,
        if(source = 'paper', null, source || ': ' || locus) as source_file,
        if(source = 'paper', locus, null) as paper_section,
        trim(value) as published,
    from audit
),

digits as (
    select
        *,
        regexp_extract(lower(published), '^[+-]?([0-9]*\.?[0-9]*)(?:e([+-]?[0-9]+))?$', 1) as mantissa,
        coalesce(nullif(regexp_extract(lower(published), 'e([+-]?[0-9]+)$', 1), ''), '0')::int as exponent,
    from printed
)

select
    study,
    statistic,
    quantity,
    description,
    unit,
    n,
    source_file,
    paper_section,
    published,
    -- A claim is published as true and has no digits: it holds or it does not.
    if(published = 'true', 1, try_cast(published as double)) as published_value,
    if(published = 'true', 0, 0.5 * power(10, exponent - length(regexp_extract(mantissa, '\.([0-9]*)$', 1)))) as half_unit,
    -- A double has 15 to 17 significant digits: so many, and the number was not rounded for print.
    length(ltrim(replace(mantissa, '.', ''), '0')) >= 15 as is_full_precision,
from digits
