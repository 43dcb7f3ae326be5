"""One row per probe lane: its question-level social-to-argument ratio, and bootstrap intervals over questions."""

import pyarrow as pa

from debate_ledger.probes import BOOTSTRAP_SCHEMA, screen_bootstrap


def model(dbt, session):
    dbt.config(materialized="table")
    questions = dbt.ref("int_question_probes").order("lane_id, question_id, condition").to_arrow_table()
    rows = screen_bootstrap(questions, int(dbt.config.meta_get("resamples")), int(dbt.config.meta_get("seed")))
    return pa.Table.from_pylist(rows, schema=BOOTSTRAP_SCHEMA)
