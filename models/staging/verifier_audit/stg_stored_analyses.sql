-- Finished analyses of the first stage: how many of their files are here and as stated.

{{ staged_record('stage1_complete', ['dataset', 'model'], [
    ('mode', 'name'), ('epsilon', 'name'), ('n_artifacts', 'BIGINT'), ('n_checked', 'BIGINT'),
]) }}
