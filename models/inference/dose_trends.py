"""One row per experiment: Page's test over its models, and the decision of the pilot's rules."""

import pyarrow as pa

from debate_ledger.dose_response import TRENDS_SCHEMA, trend_rows


def model(dbt, session):
    dbt.config(materialized="table")
    rungs = dbt.ref("dose_rungs").order("experiment, model, rung").to_arrow_table().to_pylist()
    ladders = dbt.ref("dose_ladders").order("experiment, model").to_arrow_table().to_pylist()
    rows = trend_rows(rungs, ladders)
    return pa.Table.from_pylist(rows, schema=TRENDS_SCHEMA)
