{#-
    Columns of rates given as (name, numerator, denominator): value, interval, denominator. Below the minimum n the rate and its intervals
    are null and the denominator stays. Goes with `rate_joins` on the same counts.
-#}
{% macro rate_columns(counts, rates, jeffreys=false) -%}
{%- for name, numerator, denominator in rates %}
    {%- set enough = counts ~ '.' ~ denominator ~ ' >= ' ~ var('minimum_n') %}
    if({{ enough }}, {{ counts }}.{{ numerator }} / nullif({{ counts }}.{{ denominator }}, 0), null) as {{ name }},
    if({{ enough }}, {{ name }}_interval.wilson_lower, null) as {{ name }}_ci_lower,
    if({{ enough }}, {{ name }}_interval.wilson_upper, null) as {{ name }}_ci_upper,
    {%- if jeffreys %}
    if({{ enough }}, {{ name }}_interval.jeffreys_lower, null) as {{ name }}_jeffreys_lower,
    if({{ enough }}, {{ name }}_interval.jeffreys_upper, null) as {{ name }}_jeffreys_upper,
    {%- endif %}
    {{ counts }}.{{ denominator }} as {{ name }}_n,
{%- endfor %}
{%- endmacro %}

{% macro rate_joins(counts, rates, intervals) -%}
{%- for name, numerator, denominator in rates %}
left join {{ intervals }} as {{ name }}_interval
    on
        {{ counts }}.{{ numerator }} = {{ name }}_interval.successes
        and {{ counts }}.{{ denominator }} = {{ name }}_interval.trials
{%- endfor %}
{%- endmacro %}

{#- The pairs of counts that the rates need intervals for. -#}
{% macro rate_pairs(counts, rates) -%}
{% for name, numerator, denominator in rates -%}
select
    {{ numerator }} as successes,
    {{ denominator }} as trials,
from {{ counts }}
where {{ denominator }} > 0
{{ 'union' if not loop.last }}
{% endfor -%}
{%- endmacro %}
