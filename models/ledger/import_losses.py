"""One row per cohort that holds imported debates: how many were lost, and whether that bends it."""

from debate_ledger.receipts import cohort_losses


def model(dbt, session):
    dbt.config(materialized="table")
    places = dbt.ref("cohort_lanes").filter("is_included").select("cohort, file_key").distinct()
    return cohort_losses(dbt.ref("import_receipts").to_arrow_table(), places.fetchall())
