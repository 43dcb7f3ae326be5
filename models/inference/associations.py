"""One row per (cohort, level, selection, test): its rank correlation, tested over every order or over seeded ones."""

import pyarrow as pa

from debate_ledger.associations import ASSOCIATIONS_SCHEMA, associations, read_cohorts, read_tests


def model(dbt, session):
    dbt.config(materialized="table")
    points = dbt.ref("int_association_points").order("cohort, alpha_definition, family, model, variable").to_arrow_table().to_pylist()
    settings = dbt.ref("inference_settings").to_arrow_table().to_pylist()
    rows = associations(
        read_cohorts(points),
        read_tests(dbt.ref("association_tests").order("predictor, outcome, controls").to_arrow_table().to_pylist()),
        dbt.ref("groupings").to_arrow_table().to_pylist(),
        dbt.ref("joint_drops").to_arrow_table().to_pylist(),
        dbt.ref("model_traits").to_arrow_table().to_pylist(),
        {row["cohort"]: row["fisher_z"] for row in settings},
        dbt.config.meta_get("draws"),
        dbt.config.meta_get("seed"),
        dbt.config.meta_get("exact_up_to"),
    )
    return pa.Table.from_pylist(rows, schema=ASSOCIATIONS_SCHEMA)
