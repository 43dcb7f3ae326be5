"""One row per (kind of debate, gate that can decide it), and one per gate that can decide none, with the reason."""

import pyarrow as pa

from debate_ledger.replay import DECISIONS_SCHEMA, gate_decisions, read_kinds


def model(dbt, session):
    dbt.config(materialized="table")
    kinds = read_kinds(dbt.ref("int_replay_kinds").order("kind_id").to_arrow_table())
    gates = dbt.ref("gates").order("policy").to_arrow_table().to_pylist()
    return pa.Table.from_pylist(gate_decisions(kinds, gates), schema=DECISIONS_SCHEMA)
