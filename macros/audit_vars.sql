{#- Vars of the verifier audit that would say something wrong in silence, checked while the project is read. -#}

{#- Further thresholds: decimals from 0 up with at most twelve places, as text. -#}
{% macro audit_epsilon_grid() -%}
{%- for epsilon in var('epsilon_grid') if not modules.re.match('^[0-9]{1,11}(\\.[0-9]{1,12})?$', epsilon | string) -%}
    {{ exceptions.raise_compiler_error("epsilon_grid holds " ~ epsilon ~ ": give decimals from 0 up with at most twelve places, as text") }}
{%- endfor -%}
{{ return(var('epsilon_grid')) }}
{%- endmacro %}

{#- Radii of transfer: total variations, from 0 to 1. -#}
{% macro transfer_radii() -%}
{%- for radius in var('transfer_radii') if not modules.re.match('^(0(\\.[0-9]+)?|1(\\.0+)?)$', radius | string) -%}
    {{ exceptions.raise_compiler_error("transfer_radii holds " ~ radius ~ ": a total variation is a number from 0 to 1") }}
{%- endfor -%}
{{ return(var('transfer_radii')) }}
{%- endmacro %}
