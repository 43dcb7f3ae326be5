-- Which candidate was selected for an item, and how many the gates left.

{{ staged_record('selection', ['dataset'], [
    ('item_id', 'name'), ('condition', 'name'), ('status', 'name'), ('branch', 'name'), ('candidate_idx', 'INTEGER'),
    ('total', 'INTEGER'), ('no_score', 'INTEGER'), ('drop_score', 'INTEGER'), ('drop_leakage', 'INTEGER'),
    ('drop_quote_audit', 'INTEGER'), ('safe', 'INTEGER'), ('survivors', 'INTEGER'), ('qy_fallback_eligible', 'INTEGER'),
    ('qy_fallback_unusable', 'INTEGER'), ('drop_qy_gate', 'INTEGER'), ('fallback_used', 'BOOLEAN'),
]) }}
