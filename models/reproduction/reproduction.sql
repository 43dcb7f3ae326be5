-- Published statistics beside what the models make of published inputs, quantity by quantity.

with quantities as (
    select * from {{ ref('int_published_quantities') }}
),

sources as (
    select * from {{ ref('reproduction_sources') }}
),

computed as (
    select * from {{ ref('int_reproduction_values') }}
),

exceptions as (
    select * from {{ ref('reproduction_exceptions') }}
),

compared as (
    select
        quantities.*,
        sources.relation,
        sources.row_key,
        sources.column_name,
        sources.status as stated_status,
        sources.reason as stated_reason,
        exceptions.reason as exception_reason,
        computed.recomputed,
        computed.recomputed - quantities.published_value as difference,
        if(quantities.is_full_precision, 1e-12 * abs(quantities.published_value), quantities.half_unit) as tolerance,
    from quantities
    left join sources
        on
            quantities.study = sources.study
            and quantities.statistic = sources.statistic
            and quantities.quantity = sources.quantity
    left join exceptions
        on
            quantities.study = exceptions.study
            and quantities.statistic = exceptions.statistic
            and quantities.quantity = exceptions.quantity
    left join computed
        on
            sources.relation = computed.relation
            and sources.row_key = computed.row_key
            and sources.column_name = computed.column_name
)

select
    study,
    statistic,
    quantity,
    description,
    paper_section,
    unit,
    n,
    source_file,
    published,
    published_value,
    recomputed,
    difference,
    tolerance,
    case
        when relation is null and stated_status is not null then stated_status
        when recomputed is null then 'not attempted'
        when abs(difference) <= 1e-12 * abs(published_value) then 'exact'
        -- A half that is rounded up is off by the half itself, and a double may be a little beyond it.
        when abs(difference) <= tolerance * (1 + 1e-9) then 'rounds to published'
        else 'differs'
    end as status,
    case
        when stated_reason is not null then stated_reason
        when relation is null then 'no row of the seed reproduction_sources says where it is computed'
        when recomputed is null then 'its row is not in ' || relation || ': the inputs have not landed'
        else exception_reason
    end as reason,
    relation,
    row_key,
    column_name,
from compared
order by study, statistic, quantity
