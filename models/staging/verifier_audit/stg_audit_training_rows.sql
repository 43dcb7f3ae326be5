-- Rows of fine-tuning: two per pair, one for each order of the answers.

{{ staged_record('training_row', ['dataset', 'pair_id'], [
    ('row_id', 'name'), ('mode', 'name'), ('split', 'name'), ('q_key', 'name'), ('orientation', 'name'), ('target_letter', 'name'),
    ('prompt_chars', 'BIGINT'), ('row_sha256', 'name'),
]) }}
