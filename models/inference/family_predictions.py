"""One row per (cohort, family): its conditional collapse predicted from the other families."""

import pyarrow as pa

from debate_ledger.associations import read_cohorts
from debate_ledger.cohort_inference import PREDICTIONS_SCHEMA, family_predictions, read_settings


def model(dbt, session):
    dbt.config(materialized="table")
    points = dbt.ref("int_association_points").order("cohort, alpha_definition, family, model, variable").to_arrow_table().to_pylist()
    settings = read_settings(dbt.ref("inference_settings").to_arrow_table().to_pylist())
    rows = family_predictions(read_cohorts(points), settings)
    return pa.Table.from_pylist(rows, schema=PREDICTIONS_SCHEMA)
