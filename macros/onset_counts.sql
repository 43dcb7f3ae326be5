{#- Collapses by the round in which they began, from rows with n_onset and onset_round. -#}
{% macro onset_counts() -%}
{%- for r in [1, 2, 3, 4] -%}
coalesce(sum(n_onset) filter (onset_round = {{ r }}), 0)::bigint as n_onset_r{{ r }},
{% endfor -%}
coalesce(sum(n_onset) filter (onset_round > 4), 0)::bigint as n_onset_later,
{%- endmacro %}

{#- The same columns of a left join: 0 where nothing collapses. -#}
{% macro onset_columns(relation) -%}
{%- for r in ['r1', 'r2', 'r3', 'r4', 'later'] -%}
coalesce({{ relation }}.n_onset_{{ r }}, 0) as n_onset_{{ r }},
{% endfor -%}
{%- endmacro %}
