"""One row per paired comparison: McNemar's test of its discordant pairs."""

import pyarrow as pa

from debate_ledger.inference import PAIRED_SCHEMA, paired_tests


def model(dbt, session):
    dbt.config(materialized="table")
    pairs = dbt.ref("paired_counts").order("source, comparison, outcome").to_arrow_table().to_pylist()
    rows = paired_tests(pairs)
    return pa.Table.from_pylist(rows, schema=PAIRED_SCHEMA)
