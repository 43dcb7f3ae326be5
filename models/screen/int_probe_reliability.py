"""One row per (probe lane, statistic): how far the batteries of a lane agree with themselves."""

import pyarrow as pa

from debate_ledger.probes import RELIABILITY_SCHEMA, reliability


def model(dbt, session):
    dbt.config(materialized="table")
    columns = "lane_id, question_id, agent, repeat::double as repeat, n_replies, n_flip, n_half_a, n_half_a_flip, n_half_b, n_half_b_flip"
    batteries = dbt.ref("int_probe_batteries").filter("condition = 'default'").order("lane_id, question_id, agent, repeat, battery_id")
    retests = dbt.ref("int_retest_pairs").order("lane_id, retest_lane_id").fetchall()
    return pa.Table.from_pylist(reliability(batteries.select(columns).to_arrow_table(), retests), schema=RELIABILITY_SCHEMA)
