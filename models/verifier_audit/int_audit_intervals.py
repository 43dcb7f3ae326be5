"""One row per pair of counts that some rate of the verifier audit needs, with its intervals."""

from debate_ledger.intervals import intervals


def model(dbt, session):
    dbt.config(materialized="table")
    pairs = dbt.ref("int_audit_rate_counts").select("successes, trials").order("successes, trials").fetchall()
    return intervals(pairs)
