-- Score matrices of the first stage: their hash and what of them is scored.

{{ staged_record('stage1_matrix', ['dataset', 'model', 'arm'], [
    ('matrix_sha256', 'name'), ('n_pairs', 'BIGINT'), ('n_columns', 'BIGINT'), ('n_missing', 'BIGINT'), ('source', 'name'),
]) }}
