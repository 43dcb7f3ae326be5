-- Which part of a split an item is in.

{{ staged_record('split', ['dataset', 'pair_id'], [
    ('mode', 'name'), ('split', 'name'), ('split_index', 'INTEGER'), ('source_dataset_index', 'INTEGER'),
]) }}
