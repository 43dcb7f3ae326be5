-- Adjudications of debates by a teacher: who won, how often it was asked, and whether length and hash of the analysis are those stated.

{{ staged_record('grounded', ['dataset', 'pair_id'], [
    ('mode', 'name'), ('split', 'name'), ('status', 'name'), ('teacher_tier', 'name'), ('teacher_attempt', 'INTEGER'),
    ('winner_debater', 'name'), ('verified_a', 'BOOLEAN'), ('verified_b', 'BOOLEAN'), ('n_failures', 'INTEGER'),
    ('analysis_chars', 'BIGINT'), ('analysis_hash_matches', 'BOOLEAN'), ('chars_match', 'BOOLEAN'),
]) }}
