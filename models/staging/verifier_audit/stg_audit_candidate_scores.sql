-- What the base verifier made of the questions after a candidate transcript.

{{ staged_record('candidate_score', ['dataset'], [
    ('item_id', 'name'), ('condition', 'name'), ('candidate_idx', 'INTEGER'), ('qy_clean_correct', 'BOOLEAN'),
    ('qy_adv_correct', 'BOOLEAN'), ('qy_no_regression_pass', 'BOOLEAN'), ('p_hfalse', 'name'), ('p_htrue', 'name'),
    ('p_ytrue', 'name'), ('p_yfalse', 'name'),
]) }}
