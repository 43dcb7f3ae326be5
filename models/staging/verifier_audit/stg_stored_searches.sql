-- What a summary of the first stage states about the search on a pair.

{{ staged_record('stage1_search', ['dataset', 'model', 'arm', 'pair_id'], [
    ('kappa', 'name'), ('epsilon', 'name'), ('group', 'name', 'search_group'), ('max_delta_num', 'whole'),
    ('max_delta_den', 'whole'), ('n_gt', 'BIGINT'), ('n_eq', 'BIGINT'), ('n_lt', 'BIGINT'), ('violating_draws', 'numbers'), ('base_matrix_sha256', 'name'),
    ('arm_matrix_sha256', 'name'),
]) }}
