"""One row per pair of counts that some rate of the ledger needs, with its Wilson and its Jeffreys interval."""

from debate_ledger.intervals import intervals


def model(dbt, session):
    dbt.config(materialized="table")
    pairs = dbt.ref("int_rate_counts").select("successes, trials").order("successes, trials").fetchall()
    return intervals(pairs)
