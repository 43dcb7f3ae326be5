"""One row per cohort with a screen: how many families it has in effect, how predictions fare, how many families a test would need."""

import pyarrow as pa

from debate_ledger.associations import read_cohorts
from debate_ledger.cohort_inference import SUMMARY_SCHEMA, inference_summary


def model(dbt, session):
    dbt.config(materialized="table")
    points = dbt.ref("int_association_points").order("cohort, alpha_definition, family, model, variable").to_arrow_table().to_pylist()
    predictions = dbt.ref("family_predictions").order("cohort, alpha_definition, family").to_arrow_table().to_pylist()
    curve = dbt.ref("specification_curve").order("cohort, alpha_definition, pool, correlation, predictor").to_arrow_table().to_pylist()
    pairs = dbt.ref("model_pairs").order("cohort, alpha_definition, first_model, second_model").to_arrow_table().to_pylist()
    rows = inference_summary(read_cohorts(points), predictions, pairs, curve)
    return pa.Table.from_pylist(rows, schema=SUMMARY_SCHEMA)
