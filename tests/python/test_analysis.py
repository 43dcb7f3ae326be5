"""Every query of analysis/ answers its question on the shipped data."""

from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Ledger

QUERIES = sorted((ROOT / "analysis").glob("*.sql"))
#: What one row of each query stands for.
GRAIN = {
    "accuracy_that_hides_two_flows": "cohort, model",
    "alarms_by_model": "cohort, model, policy",
    "answers_read_again": "cohort, model, profile",
    "bounds_by_confidence": "cohort, dataset, model, arm, epsilon_name, confidence",
    "collapse_and_correction_by_model": "cohort, model",
    "counterexamples_by_arm": "cohort, dataset, model, arm",
    "debates_to_decide": "cohort, debate_key",
    "dissent_before_debate": "cohort, model, initial_agreement",
    "dose_of_the_argument": "lane, channel, strength",
    "families": "cohort, family",
    "how_robust_is_the_screen": "cohort, alpha_definition, level, selection_kind, selection",
    "lines_that_count_twice": "kind, first_of_group, cohort",
    "lines_that_did_not_land": "file, line_number, part",
    "majorities_that_came_back": "cohort, model",
    "onset_by_round": "cohort, model, onset",
    "parse_failures": "source, what, part",
    "published_statistics_that_differ": "study, statistic, quantity",
    "questions_where_several_models_collapse": "cohort, question_id",
    "rules_side_by_side": "cohort, model, coding_rule",
    "rules_that_disagree_with_the_log": "cohort, lane, profile, coder_rule",
    "screen_against_collapse": "cohort, model, probe_family, alpha_definition",
    "starts_without_a_decision": "cohort, model, coding_rule",
    "stop_after_round": "cohort, model, endpoint",
    "weight_at_which_a_policy_pays": "cohort, coding_rule, from_ratio",
    "what_a_screen_would_cost": "plan, lane",
    "what_a_policy_saves_and_throws_away": "cohort, coding_rule, policy",
    "what_counts_where": "cohort, lane",
    "where_the_rows_come_from": "file",
    "when_collapse_can_be_seen": "cohort, scope, recipe, features",
    "which_rounds_still_move": "cohort, model, round",
}


def comment(sql: str) -> str:
    """The comment lines at the head of a query, as one text."""
    lines = []
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return " ".join(lines)


def asks(sql: str) -> bool:
    """Whether the first sentence of the head comment is a question, and more sentences say how to read the answer."""
    head = comment(sql)
    question, mark, rest = head.partition("?")
    return bool(mark and question and rest.strip()) and ". " not in question


def rows(published: Path, sql: str) -> list[tuple]:
    """Rows of one query on the published file, which is opened read-only. Raises duckdb.Error."""
    with duckdb.connect(str(published), read_only=True) as con:
        return con.execute(sql).fetchall()


def test_there_are_at_least_twelve_questions() -> None:
    assert len(QUERIES) >= 12


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_query_begins_with_its_question(path: Path) -> None:
    assert asks(path.read_text()), f"{path.name}: the first sentence of its comment is no question, or nothing says how to read the rows"


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_query_states_its_grain(path: Path) -> None:
    assert "One row per" in comment(path.read_text())


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_query_answers_on_the_shipped_data(shipped: Ledger, path: Path) -> None:
    found = rows(shipped.published, path.read_text())
    assert found, f"{path.name} returns nothing"
    assert len(set(found)) == len(found), f"{path.name} returns a row twice: a join multiplies"


def test_every_query_has_its_key_here() -> None:
    assert set(GRAIN) == {path.stem for path in QUERIES}


@pytest.mark.parametrize("stem", GRAIN)
def test_a_query_has_one_row_per_key(shipped: Ledger, stem: str) -> None:
    """A join that multiplies would give a key twice; keys of text and numbers may be null."""
    sql = (ROOT / "analysis" / f"{stem}.sql").read_text()
    assert shipped.query(f"select {GRAIN[stem]}, count(*) from ({sql}) group by all having count(*) > 1") == []


def test_the_flows_add_up_to_the_published_ones(shipped: Ledger) -> None:
    sql = (ROOT / "analysis" / "collapse_and_correction_by_model.sql").read_text()
    found = shipped.query(f"select sum(n_collapse), sum(n_correction) from ({sql}) where cohort = 'primary'")
    assert found == shipped.query("select n_collapse, n_correction from cohort_ledger where cohort = 'primary'")


def test_the_utility_of_a_winner_is_that_of_the_ladder(shipped: Ledger) -> None:
    """At a weight of the ladder at which a stretch begins or which lies in it, no ranked policy beats the one that the query names."""
    sql = (ROOT / "analysis" / "weight_at_which_a_policy_pays.sql").read_text()
    beaten = shipped.query(
        f"""
        select won.cohort, won.coding_rule, ladder.weight_ratio, won.policy, ladder.policy
        from ({sql}) as won
        inner join weight_ladder as ladder using (cohort, coding_rule)
        inner join weight_ladder as own
            on own.cohort = won.cohort and own.coding_rule = won.coding_rule and own.policy = won.policy
            and own.weight_ratio = ladder.weight_ratio
        where ladder.weight_ratio between won.from_ratio and coalesce(won.to_ratio, ladder.weight_ratio)
            and ladder.is_deployable and ladder.utility_rank is not null
            and ladder.net_utility_points > own.net_utility_points + 1e-9
        """
    )
    assert beaten == []


@pytest.mark.parametrize(
    "sql, is_fine",
    [
        ("-- What is it? One row per model.\nselect 1", True),
        ("-- What is it?\nselect 1", False),
        ("-- Some rows. Or are they?\nselect 1", False),
        ("select 1 -- What is it? One row per model.", False),
    ],
)
def test_a_query_without_a_question_is_told(sql: str, is_fine: bool) -> None:
    assert asks(sql) == is_fine
