"""One row per (cohort, policy) under the cohort's rule: intervals of its change in accuracy, questions drawn with replacement."""

import pyarrow as pa

from debate_ledger.replay import INTERVALS_SCHEMA, replay_intervals


def model(dbt, session):
    dbt.config(materialized="table")
    debates = dbt.ref("int_replay_question_kinds").order("cohort, question_id, kind_id")
    rules = dbt.ref("int_cohorts").select("cohort, coding_rule")
    decisions = dbt.ref("int_gate_decisions").filter("kind_id is not null").join(rules, "cohort, coding_rule")
    landed = dbt.ref("int_action_outcomes").filter("outcome <> 'abstained'").join(rules, "cohort, coding_rule")
    counts = "count(*) as n, sum((outcome = 'right')::int - (final_state = 'right')::int)::bigint as net"
    landed = landed.aggregate(f"cohort, policy, question_id, {counts}", "cohort, policy, question_id")
    rows = replay_intervals(
        debates.to_arrow_table(),
        decisions.select("cohort, policy, kind_id, fires").order("cohort, policy, kind_id").to_arrow_table(),
        landed.order("cohort, policy, question_id").to_arrow_table(),
        int(dbt.config.meta_get("draws")),
        int(dbt.config.meta_get("seed")),
    )
    return pa.Table.from_pylist(rows, schema=INTERVALS_SCHEMA)
