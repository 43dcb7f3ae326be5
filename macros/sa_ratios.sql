{#-
    The social-to-argument contrast, as the paper defines it (equation 4) and as three of its scripts do (`ledger_formats` 2.6), from the
    flips and the replies of each part of the default batteries. Null without replies of a part.
-#}
{% macro part_rate(counts, part) -%}
({{ counts }}.n_{{ part }}_flip / nullif({{ counts }}.n_{{ part }}, 0))
{%- endmacro %}

{% macro social_sensitivity(counts) -%}
({{ part_rate(counts, 'social') }} - {{ part_rate(counts, 'solo') }})
{%- endmacro %}

{#- Equation 4's: strong and very strong against weak and moderate. -#}
{% macro argument_sensitivity(counts) -%}
({{ part_rate(counts, 'stronger') }} - {{ part_rate(counts, 'weaker') }})
{%- endmacro %}

{#- The one that the rows of the probe runner store: very strong against weak. -#}
{% macro argument_range(counts) -%}
({{ part_rate(counts, 'strongest') }} - {{ part_rate(counts, 'weakest') }})
{%- endmacro %}

{% macro sa_ratio(s_soc, s_arg, epsilon='1e-6') -%}
({{ s_soc }} / (abs({{ s_soc }}) + abs({{ s_arg }}) + {{ epsilon }}))
{%- endmacro %}
