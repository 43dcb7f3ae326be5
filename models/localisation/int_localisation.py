"""AUC of out-of-fold models before debate, after round 1 and after the whole trajectory, and what each step adds (both by row_kind)."""

import pyarrow as pa

from debate_ledger.localisation import SCHEMA, localisation


def model(dbt, session):
    dbt.config(materialized="table")
    debates = dbt.ref("int_localisation_rows").filter("not is_r1_flip_unknown")
    debates = debates.order("cohort, file_key, line_number, arm").to_arrow_table()
    cohorts = dbt.ref("int_cohorts").order("cohort").to_arrow_table().to_pylist()
    aucs, steps = localisation(debates, cohorts, int(dbt.config.meta_get("draws")), int(dbt.config.meta_get("bootstrap_up_to")))
    rows = [*({"row_kind": "auc"} | row for row in aucs), *({"row_kind": "step"} | row for row in steps)]
    return pa.Table.from_pylist(rows, schema=SCHEMA)
