"""One row per published table; building it swaps the published file in. It comes last, after every mart and its tests."""

import pyarrow as pa

from debate_ledger.publish import publish, target_path

SCHEMA = pa.schema([("table_name", pa.string()), ("n_rows", pa.int64()), ("n_columns", pa.int64())])
# The large tables are sorted by short columns; the others by all of theirs.
ORDER = {
    "debates": ["cohort", "coding_rule", "endpoint", "file_key", "line_number", "arm"],
    "debate_rounds": ["cohort", "file_key", "line_number", "arm", "round"],
    "replay_decisions": ["cohort", "debate_key", "policy"],
}


def model(dbt, session):
    dbt.config(materialized="table")
    # dbt finds the dependencies in these calls, so each one is spelled out.
    relations = {
        ("main", "transitions"): dbt.ref("transitions"),
        ("main", "onsets"): dbt.ref("onsets"),
        ("main", "model_ledger"): dbt.ref("model_ledger"),
        ("main", "family_ledger"): dbt.ref("family_ledger"),
        ("main", "cohort_ledger"): dbt.ref("cohort_ledger"),
        ("main", "round_ledger"): dbt.ref("round_ledger"),
        ("main", "rule_sensitivity"): dbt.ref("rule_sensitivity"),
        ("main", "debates"): dbt.ref("debates"),
        ("main", "debate_rounds"): dbt.ref("debate_rounds"),
        ("main", "baselines"): dbt.ref("baselines"),
        ("main", "screen"): dbt.ref("screen"),
        ("main", "associations"): dbt.ref("associations"),
        ("main", "association_points"): dbt.ref("association_points"),
        ("main", "association_draws"): dbt.ref("association_draws"),
        ("main", "family_predictions"): dbt.ref("family_predictions"),
        ("main", "model_pairs"): dbt.ref("model_pairs"),
        ("main", "family_planning"): dbt.ref("family_planning"),
        ("main", "trait_comparisons"): dbt.ref("trait_comparisons"),
        ("main", "specification_curve"): dbt.ref("specification_curve"),
        ("main", "inference_summary"): dbt.ref("inference_summary"),
        ("main", "dose_ladders"): dbt.ref("dose_ladders"),
        ("main", "dose_trends"): dbt.ref("dose_trends"),
        ("main", "paired_tests"): dbt.ref("paired_tests"),
        ("main", "flip_rates"): dbt.ref("flip_rates"),
        ("main", "localisation_aucs"): dbt.ref("localisation_aucs"),
        ("main", "localisation_steps"): dbt.ref("localisation_steps"),
        ("main", "replay"): dbt.ref("replay"),
        ("main", "replay_by_model"): dbt.ref("replay_by_model"),
        ("main", "weight_ladder"): dbt.ref("weight_ladder"),
        ("main", "policy_ranking"): dbt.ref("policy_ranking"),
        ("main", "learned_gates"): dbt.ref("learned_gates"),
        ("main", "replay_decisions"): dbt.ref("replay_decisions"),
        ("main", "policy_report"): dbt.ref("policy_report"),
        ("main", "paired_arms"): dbt.ref("paired_arms"),
        ("main", "question_screen"): dbt.ref("question_screen"),
        ("main", "question_aucs"): dbt.ref("question_aucs"),
        ("main", "condition_effects"): dbt.ref("condition_effects"),
        ("main", "condition_effect_families"): dbt.ref("condition_effect_families"),
        ("main", "probe_reliability"): dbt.ref("probe_reliability"),
        ("main", "probe_parser_audit"): dbt.ref("probe_parser_audit"),
        ("main", "panel_stability"): dbt.ref("panel_stability"),
        ("main", "panel_stability_pairs"): dbt.ref("panel_stability_pairs"),
        ("main", "initial_diversity"): dbt.ref("initial_diversity"),
        ("main", "reproduction"): dbt.ref("reproduction"),
        ("main", "reproduction_summary"): dbt.ref("reproduction_summary"),
        ("main", "published_ledgers"): dbt.ref("published_ledgers"),
        ("main", "published_replays"): dbt.ref("published_replays"),
        ("main", "published_ladder"): dbt.ref("published_ladder"),
        ("main", "published_sums"): dbt.ref("published_sums"),
        ("main", "published_audit_checks"): dbt.ref("published_audit_checks"),
        ("main", "cost_card"): dbt.ref("cost_card"),
        ("main", "slice_costs"): dbt.ref("slice_costs"),
        ("main", "provenance"): dbt.ref("provenance"),
        ("main", "pair_searches"): dbt.ref("pair_searches"),
        ("main", "generator_tests"): dbt.ref("generator_tests"),
        ("main", "pair_bounds"): dbt.ref("pair_bounds"),
        ("main", "counterexample_ratios"): dbt.ref("counterexample_ratios"),
        ("main", "average_bounds"): dbt.ref("average_bounds"),
        ("main", "epsilon_sensitivity"): dbt.ref("epsilon_sensitivity"),
        ("main", "organism_thresholds"): dbt.ref("organism_thresholds"),
        ("main", "task_metrics"): dbt.ref("task_metrics"),
        ("main", "transfer_bounds"): dbt.ref("transfer_bounds"),
        ("main", "sample_requirements"): dbt.ref("sample_requirements"),
        ("main", "audit_costs"): dbt.ref("audit_costs"),
        ("main", "cohort_lanes"): dbt.ref("cohort_lanes"),
        ("main", "raw_files"): dbt.ref("published_raw_files"),
        ("main", "rejected_lines"): dbt.ref("published_rejected_lines"),
        ("main", "build_info"): dbt.ref("build_info"),
        ("seeds", "coding_rules"): dbt.ref("coding_rules"),
        ("seeds", "cohorts"): dbt.ref("cohorts"),
        ("seeds", "gates"): dbt.ref("gates"),
        ("audit", "evaluation_problems"): dbt.ref("evaluation_problems"),
        ("audit", "action_problems"): dbt.ref("action_problems"),
        ("audit", "alternative_answers"): dbt.ref("alternative_answers"),
        ("audit", "duplicate_batteries"): dbt.ref("duplicate_batteries"),
        ("audit", "incomplete_batteries"): dbt.ref("incomplete_batteries"),
        ("audit", "probe_disagreements"): dbt.ref("probe_disagreements"),
        ("audit", "published_screen_checks"): dbt.ref("published_screen_checks"),
        ("audit", "duplicate_debates"): dbt.ref("duplicate_debates"),
        ("audit", "left_out_lanes"): dbt.ref("left_out_lanes"),
        ("audit", "stored_disagreements"): dbt.ref("stored_disagreements"),
        ("audit", "unanswerable_debates"): dbt.ref("unanswerable_debates"),
        ("audit", "unmapped_lanes"): dbt.ref("unmapped_lanes"),
        ("audit", "unmatched_seed_rows"): dbt.ref("unmatched_seed_rows"),
        ("audit", "unread_keys"): dbt.ref("unread_keys"),
    }
    target = target_path(dbt.config.meta_get("published_file"))
    # A connection of its own: the model's one is in a transaction, and a transaction writes to one file only.
    rows = publish(session.cursor(), list(relations), target, ORDER)
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in rows], schema=SCHEMA)
