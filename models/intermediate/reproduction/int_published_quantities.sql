-- Published statistics, one row per printed quantity, with what its digits tell: half a unit of the last one, and whether all are given.

with statistics as (
    select * from {{ ref('published_statistics') }}
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
    {{ 'union all' if not loop.last }}
    {%- endfor %}
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
    published::double as published_value,
    0.5 * power(10, exponent - length(regexp_extract(mantissa, '\.([0-9]*)$', 1))) as half_unit,
    -- A double has 15 to 17 significant digits: so many, and the number was not rounded for print.
    length(ltrim(replace(mantissa, '.', ''), '0')) >= 15 as is_full_precision,
from digits
