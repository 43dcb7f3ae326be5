-- Candidate transcripts: which there are, and the hash of each.

{{ staged_record('candidate', ['dataset'], [
    ('item_id', 'name'), ('condition', 'name'), ('candidate_idx', 'INTEGER'), ('dataset_index', 'INTEGER'),
    ('transcript_sha256', 'name'),
]) }}
