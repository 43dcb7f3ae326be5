"""One row per (cohort, data set, model, percentile): the threshold that the organism's search maxima give (R6)."""

from debate_ledger.thresholds import organism_thresholds


def model(dbt, session):
    dbt.config(materialized="table")
    maxima = dbt.ref("int_search_maxima").filter("arm = 'org'")
    rows = maxima.select("cohort, dataset, model, max_num_e8, den_e8, n_scored >= search_budget").order("all").fetchall()
    return organism_thresholds(rows, dbt.config.meta_get("percentiles").split(","), dbt.config.meta_get("convention"))
