-- The common bound of a pair that results of the second stage state.

{{ staged_record('stage2_pair', ['dataset', 'model', 'arm', 'pair_id'], [
    ('pool', 'name'), ('percentile', 'INTEGER'), ('epsilon', 'name'), ('kappa', 'name'), ('eta', 'name'), ('status', 'name'),
    ('lower_bound', 'DOUBLE'),
]) }}
