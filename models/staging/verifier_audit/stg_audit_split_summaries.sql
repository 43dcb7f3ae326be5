-- What a split file states about itself. The seed is text, since a double cannot hold it.

{{ staged_record('split_summary', ['dataset'], [
    ('mode', 'name'), ('split_seed', 'name'), ('n_train', 'BIGINT'), ('n_eval', 'BIGINT'), ('n_train_stories', 'BIGINT'),
    ('n_eval_stories', 'BIGINT'), ('follows_rule', 'BOOLEAN'),
]) }}
