"""One row per (significance, target) of the seed: the passes that certify the target, in exact arithmetic (R15)."""

from debate_ledger.er_audit import requirements_table


def model(dbt, session):
    dbt.config(materialized="table")
    cases = dbt.ref("sample_targets").select("eta, tau").order("eta, tau").fetchall()
    return requirements_table(cases, int(dbt.config.meta_get("budget")))
