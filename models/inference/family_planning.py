"""One row per (association over families, number of families): the power that so many families would have."""

import pyarrow as pa

from debate_ledger.cohort_inference import PLANNING_SCHEMA, family_planning


def model(dbt, session):
    dbt.config(materialized="table")
    whole = "level = 'family mean' and grouping = 'families' and selection_kind = 'all' and outcome = 'conditional_collapse_percent'"
    tested = "predictor in ('alpha_tot', 'initial_accuracy') and (controls is null or controls = 'initial_accuracy')"
    associations = dbt.ref("associations").filter(f"{whole} and {tested}").order("cohort, alpha_definition, predictor, controls")
    rows = family_planning(associations.to_arrow_table().to_pylist())
    return pa.Table.from_pylist(rows, schema=PLANNING_SCHEMA)
