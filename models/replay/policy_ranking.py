"""One row per stretch of weight ratios over which one policy wins, from ratio 0 up."""

import pyarrow as pa

from debate_ledger.replay import RANKING_SCHEMA, ranking


def model(dbt, session):
    dbt.config(materialized="table")
    whole = dbt.ref("replay").filter(
        "is_deployable and not is_exploratory and n_undecidable = 0 and n_answered = n_debates and n_debates > 0"
    )
    lines = "n_prevented - n_broken as collapse_gain, n_lost + n_lost_undecided - n_gained as correction_cost"
    rows = whole.order("cohort, coding_rule, policy").select(f"cohort, coding_rule, endpoint, policy, {lines}").to_arrow_table()
    return pa.Table.from_pylist(ranking(rows.to_pylist()), schema=RANKING_SCHEMA)
