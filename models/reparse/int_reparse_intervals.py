"""One row per pair of counts that some rate of the re-reading needs, with its Wilson and its Jeffreys interval."""

from debate_ledger.intervals import intervals


def model(dbt, session):
    dbt.config(materialized="table")
    pairs = dbt.ref("int_reparse_rate_counts").select("successes, trials").order("successes, trials").fetchall()
    return intervals(pairs)
