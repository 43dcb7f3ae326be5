-- Where the test of a pair with one generator ended, as results of the second stage state it.

{{ staged_record('stage2_generator', ['dataset', 'model', 'arm', 'pair_id'], [
    ('pool', 'name'), ('percentile', 'INTEGER'), ('epsilon', 'name'), ('eta', 'name'), ('generator', 'name'),
    ('generator_order', 'INTEGER'), ('t', 'INTEGER'), ('lower_bound', 'DOUBLE'), ('status', 'name'),
]) }}
