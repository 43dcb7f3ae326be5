"""One row per (cohort, rule, learned gate, source or model left out): what was learned on the others."""

import pyarrow as pa

from debate_ledger.replay import LEARNED_SCHEMA, learned_gates, read_kinds


def model(dbt, session):
    dbt.config(materialized="table")
    kinds = read_kinds(dbt.ref("int_replay_kinds").order("kind_id").to_arrow_table())
    gates = dbt.ref("gates").order("policy").to_arrow_table().to_pylist()
    return pa.Table.from_pylist(learned_gates(kinds, gates), schema=LEARNED_SCHEMA)
