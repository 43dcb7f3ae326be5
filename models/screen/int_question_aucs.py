"""One row per (paired probe lane, scope, predictor): how well it ranks the questions whose debates collapse."""

import pyarrow as pa

from debate_ledger.probes import AUC_SCHEMA, question_aucs


def model(dbt, session):
    dbt.config(materialized="table")
    columns = "cohort, model, lane_id, is_collapse, is_at_risk, has_initial_disagreement, flip_rate, social_argument_ratio"
    rows = dbt.ref("int_screen_questions").order("cohort, model, lane_id, debate_key").select(columns).to_arrow_table()
    return pa.Table.from_pylist(question_aucs(rows.to_pylist()), schema=AUC_SCHEMA)
