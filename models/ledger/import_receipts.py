"""One row per landed file that `ledger import` wrote, as the receipt beside it says."""

from debate_ledger.receipts import read_receipts


def model(dbt, session):
    dbt.config(materialized="table")
    landed = dbt.ref("raw_files").filter("status = 'landed'").order("file_id")
    return read_receipts(landed.select("file_key, path, sha256").fetchall())
