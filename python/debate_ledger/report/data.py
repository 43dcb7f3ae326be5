"""What the report shows: one query per data set, each run as it is printed on the page.

Queries read the published file only. They give aggregates, a few example debates, and no texts; every one is ordered, so that the same
file gives the same page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import duckdb

#: Models of a cohort up to which examples of each model are drawn; beyond it there are those of the cohort only.
EXAMPLES_PER_MODEL_UP_TO = 30
#: Rows of a table of files or rejected lines; what is left out is counted.
MAX_FILES = 300
#: Cohort that is shown first where it is there.
FIRST_COHORT = "primary"


@dataclass(frozen=True)
class Dataset:
    """Columns and rows of one query, with the SQL that gave them."""

    sql: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


#: Debates end where the cohort says; rows of other endpoints are left to the tables.
_AT_THE_END = "inner join (select distinct cohort, endpoint from cohort_lanes where is_included) as ends using (cohort, endpoint)"

#: Name of a data set, and its query.
QUERIES: dict[str, str] = {
    "cohorts": f"""
        select
            cohort_lanes.cohort,
            max(cohorts.description) as description,
            max(cohort_lanes.coding_rule) as coding_rule,
            max(cohort_lanes.endpoint) as endpoint,
            coalesce(bool_and(raw_files.is_invented), false) as is_invented,
            count(*) as n_lanes,
            sum(cohort_lanes.n_debates) as n_debates
        from cohort_lanes
        left join cohorts using (cohort)
        left join raw_files using (file_key)
        where cohort_lanes.is_included
        group by cohort_lanes.cohort
        order by cohort_lanes.cohort = '{FIRST_COHORT}' desc, is_invented, cohort_lanes.cohort
    """,
    "coding_rules": """
        select coding_rule, panel_decision, undecided_panel, description from coding_rules order by coding_rule
    """,
    "transitions": f"""
        select
            cohort, model, family, coding_rule, endpoint,
            n_debates, n_undefined, n_undefined_no_gold, n_undefined_no_initial, n_undefined_no_final, n_undefined_tie, n_undefined_unread,
            n_unavailable, n_initial_correct, n_initial_wrong, n_initial_undecided, n_final_correct,
            n_preserved, n_collapse, n_collapse_unread, n_collapse_by_tie, n_correction, n_correction_unread, n_correction_by_tie,
            n_unrepaired, n_undecided_correct, net_corrections, net_corrections_lower, net_corrections_upper, is_sign_unread,
            conditional_collapse, conditional_collapse_ci_lower, conditional_collapse_ci_upper, conditional_collapse_n,
            conditional_correction, conditional_correction_ci_lower, conditional_correction_ci_upper, conditional_correction_n
        from transitions
        {_AT_THE_END}
        order by cohort, coding_rule, model
    """,
    "onsets": f"""
        select
            cohort, model, coding_rule, endpoint, onset_round, n_onset, n_onset_unread, n_onset_by_tie, n_collapse,
            onset_share, n_debates_with_round
        from onsets
        {_AT_THE_END}
        order by cohort, coding_rule, model, onset_round nulls last
    """,
    "parse_losses": """
        select cohort, lane, model, profile, round, n_answers, n_unparsed, unparsed_rate, trend_p
        from parse_losses
        where is_loss_rising
        order by cohort, profile <> 'stored', lane, profile, round
    """,
    "screen_points": """
        select
            cohort, alpha_definition, model, family,
            max(value) filter (where variable = 'alpha_tot') as flip_rate,
            max(value) filter (where variable = 'conditional_collapse_percent') as collapse_percent,
            max(value) filter (where variable = 'n_collapse') as n_collapse,
            max(value) filter (where variable = 'n_initial_correct') as n_initial_correct
        from association_points
        group by all
        having flip_rate is not null and collapse_percent is not null
        order by cohort, alpha_definition, family, model
    """,
    "screen_tests": """
        select
            cohort, alpha_definition, level, rho, rho_n, rho_ci_lower, rho_ci_upper,
            permutation_method, n_two_sided, n_orders, p_two_sided, reason
        from associations
        where
            predictor = 'alpha_tot' and outcome = 'conditional_collapse_percent' and controls is null
            and grouping = 'families' and selection_kind = 'all'
        order by cohort, alpha_definition, level = 'model' desc, level
    """,
    "aucs": """
        select cohort, coding_rule, endpoint, scope, recipe, features, auc, auc_n, n_collapse, reason
        from localisation_aucs
        order by cohort, scope, recipe, features = 'before debate' desc, features
    """,
    "auc_steps": """
        select
            cohort, coding_rule, endpoint, recipe, step, auc_difference, question_lower, question_upper,
            question_and_model_lower, question_and_model_upper, n_draws, n_debates, n_questions, n_models, reason
        from localisation_steps
        order by cohort, recipe, step
    """,
    "replay": """
        select
            cohort, coding_rule, endpoint, policy, source, is_deployable, is_exploratory, n_debates, n_undecidable, n_answered, n_fired,
            n_prevented, n_lost, n_lost_undecided, n_gained, n_broken, net, break_even_weight, reason
        from replay
        order by cohort, coding_rule, policy
    """,
    "gates": """
        select policy, description from gates order by policy
    """,
    "replay_by_model": """
        -- The undecided starts that a gate throws away follow from its net: a gate neither gains nor breaks.
        select
            by_model.cohort, by_model.coding_rule, by_model.endpoint, by_model.model, by_model.policy, by_model.source,
            by_model.is_deployable, replay.is_exploratory, by_model.n_debates, by_model.n_undecidable, by_model.n_answered,
            by_model.n_fired, by_model.n_prevented, by_model.n_lost, by_model.net,
            case when replay.n_broken = 0 then by_model.n_prevented - by_model.net end as n_thrown_away
        from replay_by_model as by_model
        inner join replay using (cohort, coding_rule, policy)
        order by by_model.cohort, by_model.coding_rule, by_model.model, by_model.policy
    """,
    "rule_sensitivity": f"""
        select
            cohort, model, family, coding_rule, endpoint, is_cohort_rule, unavailable_reason,
            n_debates, n_undefined, n_collapse, n_correction,
            conditional_collapse, conditional_collapse_ci_lower, conditional_collapse_ci_upper, conditional_collapse_n,
            conditional_correction, conditional_correction_n
        from rule_sensitivity
        {_AT_THE_END}
        order by cohort, model, coding_rule
    """,
    "landed": """
        select
            n_files_landed, n_files_skipped, n_files_unreadable, n_lines, n_debate_lines, n_probe_lines, n_action_lines,
            n_evaluation_lines, n_audit_record_lines, n_rejected_lines, n_header_lines, n_blank_lines, ledger_version, input_sha256
        from build_info
    """,
    "files": f"""
        select
            file_key, file, status, reason, dialects, n_lines, n_debate_lines, n_probe_lines, n_rejected_lines,
            n_header_lines + n_blank_lines as n_header_and_blank_lines, coalesce(is_invented, false) as is_invented,
            count(*) over () as n_files
        from raw_files
        order by status = 'landed', n_rejected_lines desc nulls first, file
        limit {MAX_FILES}
    """,
    "import_losses": """
        select
            cohort, n_files, n_debates, n_lost, n_rejected, n_key_unread, n_not_stated, kept_rounds, lost_rounds, not_stated_rounds,
            lost_test, lost_p, not_stated_test, not_stated_p
        from import_losses
        order by cohort
    """,
    "receipts": """
        select file_key, problem from import_receipts where problem is not null order by file_key
    """,
    "rejected": f"""
        select
            rejected.file_key, rejected.file, rejected.part, rejected.reason, coalesce(raw_files.is_invented, false) as is_invented,
            count(*) as n, min(rejected.line_number) as first_line, sum(count(*)) over () as n_all
        from rejected_lines as rejected
        left join raw_files using (file_key)
        group by all
        order by n desc, rejected.file, first_line, rejected.part, rejected.reason
        limit {MAX_FILES}
    """,
    "agents": f"""
        select
            names.file_key, coalesce(raw_files.is_invented, false) as is_invented, names.problem, names.agent, names.proposed_agent,
            names.n_debates, names.n_debates_uncounted, names.n_file_debates, count(*) over () as n_all
        from unmatched_agents as names
        left join raw_files using (file_key)
        order by names.n_debates_uncounted desc, names.n_debates desc, names.file_key, names.problem, names.agent
        limit {MAX_FILES}
    """,
    "file_models": """
        select distinct file_key, cohort, model from cohort_lanes where is_included order by all
    """,
    "parser": """
        select
            audit.lane, audit.file_key, audit.model, screened.cohort, coalesce(raw_files.is_invented, false) as is_invented,
            audit.n_rows, audit.n_replies, audit.n_unparsed, audit.none_rate, audit.n_initial_none,
            audit.flip_rate_none_as_no_flip, audit.flip_rate_none_as_flip
        from probe_parser_audit as audit
        left join (select distinct lane, cohort from screen where cohort is not null and n_debates is not null) as screened using (lane)
        left join raw_files on audit.file_key = raw_files.file_key
        order by screened.cohort nulls last, audit.lane
    """,
    "reproduction_summary": """
        select
            study, n_statistics, n_reproduced, n_value_reproduced_only, n_differ, n_inputs_unpublished, n_not_attempted,
            n_quantities, n_quantities_reproduced
        from reproduction_summary
        order by study
    """,
    "reproduction": """
        select study, statistic, quantity, description, paper_section, n, published, recomputed, status, reason
        from reproduction
        order by study, statistic, quantity
    """,
    "examples": f"""
        -- Of the debates in a cell, the one whose key has the smallest MD5: a draw that nobody can steer and everybody can repeat.
        with at_the_end as (
            select * from debates
            {_AT_THE_END}
        ),
        sizes as (
            select cohort, count(distinct model) as n_models from at_the_end group by cohort
        ),
        drawn as (
            select cohort, coding_rule, cell, model, min_by(debate_key, md5(debate_key)) as debate_key, count(*) as n_debates_in_cell
            from at_the_end group by grouping sets ((cohort, coding_rule, cell), (cohort, coding_rule, cell, model))
        )
        select
            drawn.cohort, drawn.coding_rule, drawn.model as drawn_of_model, drawn.cell, drawn.n_debates_in_cell, drawn.debate_key,
            debate.model, debate.question_id, debate.correct_label, debate.n_agents, debate.endpoint, debate.end_round, debate.last_round,
            debate.initial_state, debate.final_state, debate.onset_round, debate.undefined_reason
        from drawn
        inner join sizes using (cohort)
        inner join at_the_end as debate
            on drawn.cohort = debate.cohort and drawn.coding_rule = debate.coding_rule and drawn.debate_key = debate.debate_key
        where drawn.model is null or sizes.n_models <= {EXAMPLES_PER_MODEL_UP_TO}
        order by drawn.cohort, drawn.coding_rule, drawn.model nulls first, drawn.cell
    """,
}
#: Rounds of the examples; read after them. The list of keys is a subquery of the same text, so that it can be run alone.
_EXAMPLE_ROUNDS = """
        select
            cohort, debate_key, round, n_asked, n_parsed, n_leading, n_leaders, n_correct, majority, stored_majority,
            stored_correct, alphabetical_correct, plurality_correct, normalised_majority, normalised_correct, agreement_counting_unparsed
        from debate_rounds
        semi join (
            select cohort, debate_key from ({examples})
        ) as examples using (cohort, debate_key)
        order by cohort, debate_key, round
"""


def _dedented(sql: str) -> str:
    lines = sql.strip("\n").rstrip().splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:] for line in lines)


def queries() -> dict[str, str]:
    """Every query of the page by the name of its data set, as it is run and printed."""
    texts = {name: _dedented(sql) for name, sql in QUERIES.items()}
    examples = "\n" + "\n".join("        " + line for line in texts["examples"].splitlines()) + "\n    "
    texts["example_rounds"] = _dedented(_EXAMPLE_ROUNDS).replace("{examples}", examples)
    return texts


def _plain(value: object) -> object:
    """A value that JSON has; a float that is no number becomes null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def read(published: Path) -> dict[str, Dataset]:
    """Run every query on the published file, opened read-only.

    Returns the data sets by name. Raises duckdb.IOException where the file is not there, duckdb.Error where it lacks a table or column
    (it was published by another version).
    """
    found: dict[str, Dataset] = {}
    with duckdb.connect(str(published), read_only=True) as con:
        for name, sql in queries().items():
            result = con.execute(sql)
            columns = tuple(column[0] for column in result.description)
            rows = tuple(tuple(_plain(value) for value in row) for row in result.fetchall())
            found[name] = Dataset(sql, columns, rows)
    return found
