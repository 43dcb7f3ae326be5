"""One row per (experiment, model): whether the share of flips rises from rung to rung."""

import pyarrow as pa

from debate_ledger.dose_response import LADDERS_SCHEMA, ladder_rows


def model(dbt, session):
    dbt.config(materialized="table")
    rungs = dbt.ref("dose_rungs").order("experiment, model, rung").to_arrow_table().to_pylist()
    pairs = dbt.ref("dose_floor_pairs").to_arrow_table().to_pylist()
    rows = ladder_rows(rungs, pairs)
    return pa.Table.from_pylist(rows, schema=LADDERS_SCHEMA)
