-- The gain, denominator and largest score of a pair that a file of factors states, as quotients of whole numbers.

{{ staged_record('stage1_factors', ['dataset', 'model', 'arm', 'pair_id'], [
    ('kappa', 'name'), ('gain_num', 'whole'), ('gain_den', 'whole'), ('denominator_num', 'whole'), ('denominator_den', 'whole'),
    ('max_delta_num', 'whole'), ('max_delta_den', 'whole'),
]) }}
