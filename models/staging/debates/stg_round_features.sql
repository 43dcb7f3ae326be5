{{ config(materialized='view') }}

-- Rows of a transcript-free feature matrix (dialect M), under the names of the builder or of the published schema.

with records as (
    select
        rowid as line_id,
        *,
        from_json(short_line, '{{ tojson(dict.fromkeys(feature_keys(), "VARCHAR")) }}') as m,
    from {{ ref('raw_records') }}
    where kind = 'debate' and dialect = 'M'
)

select
    line_id,
    question_id,
    {{ run_columns() }},
    benchmark,
    category,
    {{ gold_label() }} as correct_label,
    {{ first_text(['model', 'model_id', 'model_name']) }} as stored_model,
    {{ as_boolean('coalesce(m.init_majority_correct, m.initial_majority_correct, m.init_correct)') }} as initial_correct,
    {{ as_boolean('coalesce(final_correct, m.final_majority_correct)') }} as final_correct,
    {{ as_boolean('collapsed') }} as stored_collapsed,
    {{ as_boolean('corrected') }} as stored_corrected,
    {{ as_boolean('m.init_unanimous') }} as initial_unanimous,
    {{ as_number('coalesce(m.init_agree_frac, m.initial_agree_frac)') }} as initial_agreement,
    {{ as_boolean('m.r1_majority_changed') }} as r1_majority_changed,
    try_cast(coalesce(m.r1_n_flipped_from_init, m.r1_n_flipped_from_initial) as integer) as r1_n_flipped_from_initial,
    {%- for r in [1, 2, 3] %}
    {{ as_boolean('m.r' ~ r ~ '_majority_correct') }} as r{{ r }}_correct,
    {{ as_number('m.r' ~ r ~ '_agree_frac') }} as r{{ r }}_agreement,
    {%- endfor %}
    {{ as_boolean('m.r2_majority_changed') }} as r2_majority_changed,
    {{ as_boolean('m.r3_majority_changed') }} as r3_majority_changed,
    try_cast(coalesce(m.cascade_round, m.collapse_onset_round) as integer) as stored_onset_round,
from records
