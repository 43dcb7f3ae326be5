"""One row per file found below the data folders."""

from debate_ledger.landing import data_roots, scan_folders


def model(dbt, session):
    dbt.config(materialized="table")
    roots = data_roots(dbt.config.meta_get("data_dir"), dbt.config.meta_get("extra_data"))
    return scan_folders(roots)
