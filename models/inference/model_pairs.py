"""One row per pair of model rows of a cohort: ordered alike by flip rate and accuracy or not, and which the collapse follows."""

import pyarrow as pa

from debate_ledger.associations import read_cohorts
from debate_ledger.cohort_inference import PAIRS_SCHEMA, model_pairs


def model(dbt, session):
    dbt.config(materialized="table")
    points = dbt.ref("int_association_points").order("cohort, alpha_definition, family, model, variable").to_arrow_table().to_pylist()
    rows = model_pairs(read_cohorts(points))
    return pa.Table.from_pylist(rows, schema=PAIRS_SCHEMA)
