"""One row per (comparison of two arms, cohort, coding rule): what differs on the same questions."""

import pyarrow as pa

from debate_ledger.paired_arms import SCHEMA, paired_arms


def model(dbt, session):
    dbt.config(materialized="table")
    order = "comparison, cohort, coding_rule, question_id, first_debate_key, second_debate_key"
    pairs = dbt.ref("int_arm_pairs").order(order).to_arrow_table().to_pylist()
    sizes = dbt.ref("int_arms").aggregate(
        "comparison, cohort, count(*) filter (side = 'first') as n_first_debates, count(*) filter (side = 'second') as n_second_debates"
    )
    sizes = sizes.join(dbt.ref("int_cohorts"), "cohort").order("comparison, cohort").to_arrow_table().to_pylist()
    rows = paired_arms(pairs, sizes, int(dbt.config.meta_get("draws")), int(dbt.config.meta_get("seed")))
    return pa.Table.from_pylist(rows, schema=SCHEMA)
