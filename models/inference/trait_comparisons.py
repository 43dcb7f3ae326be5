"""One row per (cohort, trait): conditional collapse of the models with the trait against those without."""

import pyarrow as pa

from debate_ledger.associations import read_cohorts
from debate_ledger.cohort_inference import TRAITS_SCHEMA, trait_comparisons


def model(dbt, session):
    dbt.config(materialized="table")
    points = dbt.ref("int_association_points").order("cohort, alpha_definition, family, model, variable").to_arrow_table().to_pylist()
    rows = trait_comparisons(read_cohorts(points), dbt.ref("model_traits").to_arrow_table().to_pylist())
    return pa.Table.from_pylist(rows, schema=TRAITS_SCHEMA)
