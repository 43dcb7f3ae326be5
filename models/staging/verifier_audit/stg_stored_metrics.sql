-- Accuracy and mean probability that a posterior file states for one of the original questions.

{{ staged_record('posterior_metrics', ['dataset', 'model', 'arm'], [
    ('q_key', 'name'), ('n_items', 'BIGINT'), ('accuracy', 'name'), ('mean_p_true', 'name'),
]) }}
