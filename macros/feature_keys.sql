{#- Keys of a feature-matrix row that the landing parse does not read, under the names of the builder or of the published schema. -#}
{% macro feature_keys() -%}
{{ return([
    "init_correct", "init_majority_correct", "initial_majority_correct", "final_majority_correct",
    "init_unanimous", "init_agree_frac", "initial_agree_frac",
    "r1_majority_changed", "r1_n_flipped_from_init", "r1_n_flipped_from_initial", "r1_agree_frac", "r1_majority_correct",
    "r2_majority_changed", "r2_agree_frac", "r2_majority_correct",
    "r3_majority_changed", "r3_agree_frac", "r3_majority_correct",
    "cascade_round", "collapse_onset_round",
]) }}
{%- endmacro %}
