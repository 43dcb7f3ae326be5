"""One row per (cohort, pool, correlation, predictor): the association under every choice that could have been made."""

import pyarrow as pa

from debate_ledger.associations import read_cohorts
from debate_ledger.cohort_inference import SPECIFICATIONS_SCHEMA, specification_curve


def model(dbt, session):
    dbt.config(materialized="table")
    points = dbt.ref("int_association_points").order("cohort, alpha_definition, family, model, variable").to_arrow_table().to_pylist()
    rows = specification_curve(read_cohorts(points))
    return pa.Table.from_pylist(rows, schema=SPECIFICATIONS_SCHEMA)
