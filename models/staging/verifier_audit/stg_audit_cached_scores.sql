-- Scores of the cache of the second stage: what base and arm gave to the right option of a question, in 10⁻⁸; without a draw.

{{ staged_record('cached_score', ['dataset', 'model', 'arm', 'pair_id'], [
    ('q_key', 'name'), ('question_sha256', 'name'), ('base_p_true', 'name'), ('arm_p_true', 'name'),
]) }}
