-- Settings and counts that a finished run of the second stage states.

{{ staged_record('stage2_manifest', ['dataset', 'model', 'arm'], [
    ('pool', 'name'), ('percentile', 'INTEGER'), ('epsilon', 'name'), ('kappa', 'name'), ('eta', 'name'), ('test_budget', 'INTEGER'),
    ('generators', 'names'), ('n_completed', 'BIGINT'), ('n_total', 'BIGINT'), ('status', 'name'),
]) }}
