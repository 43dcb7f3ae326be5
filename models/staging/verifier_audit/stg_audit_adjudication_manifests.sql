-- Counts that the manifest of a file of adjudications states.

{{ staged_record('grounded_manifest', ['dataset'], [
    ('mode', 'name'), ('split', 'name'), ('n_items', 'BIGINT'), ('n_resolved', 'BIGINT'), ('n_blind', 'BIGINT'), ('n_gold', 'BIGINT'),
    ('n_unresolved', 'BIGINT'), ('n_winner_a', 'BIGINT'), ('n_winner_b', 'BIGINT'), ('n_verified_a', 'BIGINT'),
    ('n_verified_b', 'BIGINT'), ('chars_min', 'BIGINT'), ('chars_median', 'DOUBLE'), ('chars_max', 'BIGINT'),
    ('gold_tier_fraction', 'name'),
]) }}
