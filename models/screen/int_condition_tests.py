"""One row per probe lane that was probed under all three conditions: means, paired effect and test, Holm within its folder."""

import pyarrow as pa

from debate_ledger.probes import CONDITION_SCHEMA, condition_tests


def model(dbt, session):
    dbt.config(materialized="table")
    batteries = dbt.ref("int_probe_batteries").filter("condition in ('default', 'anti_social', 'anti_argument') and n_replies > 0")
    columns = "lane_id, question_id, agent, condition, n_replies, n_flip"
    lanes = dict(dbt.ref("int_probe_lanes").select("lane_id, folder").fetchall())
    table = batteries.order("lane_id, question_id, agent, condition, battery_id").select(columns).to_arrow_table()
    return pa.Table.from_pylist(condition_tests(table, lanes), schema=CONDITION_SCHEMA)
