{#- Collapses by the round in which they began, from rows with n_onset and onset_round. -#}
{% macro onset_counts() -%}
{%- for r in [1, 2, 3, 4] -%}
coalesce(sum(n_onset) filter (onset_round = {{ r }}), 0)::bigint as n_onset_r{{ r }},
{% endfor -%}
coalesce(sum(n_onset) filter (onset_round > 4), 0)::bigint as n_onset_later,
{% for what in ['unread', 'by_tie'] -%}
sum(n_onset_{{ what }})::bigint as n_onset_{{ what }},
{% endfor -%}
{%- endmacro %}

{#- The same columns of a left join: 0 where nothing collapses, null where no source of the row holds answers. -#}
{% macro onset_columns(relation) -%}
{%- for r in ['r1', 'r2', 'r3', 'r4', 'later'] -%}
coalesce({{ relation }}.n_onset_{{ r }}, 0) as n_onset_{{ r }},
{% endfor -%}
{% for what in ['unread', 'by_tie'] -%}
if({{ relation }}.cohort is null, 0, {{ relation }}.n_onset_{{ what }}) as n_onset_{{ what }},
{% endfor -%}
{%- endmacro %}
