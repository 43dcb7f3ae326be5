"""One row per (comparison of two arms, cohort, coding rule): what differs on the same questions."""

import pyarrow as pa

from debate_ledger.paired_arms import SCHEMA, paired_arms


def model(dbt, session):
    dbt.config(materialized="table")
    order = "comparison, cohort, coding_rule, question_id, first_debate_key, second_debate_key"
    pairs = dbt.ref("int_arm_pairs").order(order).to_arrow_table().to_pylist()
    rows = paired_arms(pairs, int(dbt.config.meta_get("draws")), int(dbt.config.meta_get("seed")))
    return pa.Table.from_pylist(rows, schema=SCHEMA)
