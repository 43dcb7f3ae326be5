"""One row per (cohort, level, predictor, control): its rank correlation with conditional collapse, tested over every order."""

import pyarrow as pa

from debate_ledger.associations import ASSOCIATIONS_SCHEMA, associations


def model(dbt, session):
    dbt.config(materialized="table")
    columns = "cohort, alpha_definition, model, family, alpha_tot, conditional_collapse_percent, initial_accuracy"
    rows = dbt.ref("int_association_rows").order("cohort, alpha_definition, family, model, alpha_tot").select(columns).to_arrow_table()
    return pa.Table.from_pylist(associations(rows.to_pylist()), schema=ASSOCIATIONS_SCHEMA)
