"""One row per line of the files that DuckDB's line reader is not given: feature-matrix CSV, bytes that are no UTF-8 and the like."""

import pyarrow as pa

from debate_ledger.landing import LINES_SCHEMA, converted_lines


def model(dbt, session):
    dbt.config(materialized="table")
    files = dbt.ref("raw_files").filter("reader in ('converted', 'audit', 'withheld')").order("file_id")
    rows = files.select("path, format, reader").fetchall()
    return pa.RecordBatchReader.from_batches(LINES_SCHEMA, converted_lines(rows))
