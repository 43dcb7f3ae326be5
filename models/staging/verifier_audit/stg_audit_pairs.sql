-- Pairs of questions as a file of the audit lists them: numbers and hashes, no text.

with records as (
    select
        *,
        from_json(
            text,
            '{"dataset_index":"INTEGER","story_sha256":"VARCHAR","q_y_sha256":"VARCHAR","q_h_sha256":"VARCHAR","file_kind":"VARCHAR",
            "has_honest_transcript":"BOOLEAN","has_adversarial_transcript":"BOOLEAN","n_paraphrases":"JSON","n_unique_paraphrases":"JSON"}'
        ) as r,
    from {{ ref('stg_audit_records') }}
    where record = 'pair'
)

select
    cohort,
    file_key,
    line_number,
    dataset,
    pair_id,
    r.dataset_index,
    r.story_sha256,
    r.q_y_sha256,
    r.q_h_sha256,
    r.file_kind,
    r.has_honest_transcript,
    r.has_adversarial_transcript,
    list_sum(list_transform(json_keys(r.n_paraphrases), lambda k: (r.n_paraphrases ->> k)::integer))::integer as n_paraphrases,
    list_sum(list_transform(json_keys(r.n_unique_paraphrases), lambda k: (r.n_unique_paraphrases ->> k)::integer))::integer
        as n_unique_paraphrases,
from records
