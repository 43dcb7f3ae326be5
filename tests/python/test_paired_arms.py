"""Two arms on the same questions: by hand, and from files to the mart."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Build, Ledger
from lines import summary
from scipy.stats import binomtest

from debate_ledger.paired_arms import paired_arms

KEY = {"comparison": "x", "cohort": "c", "coding_rule": "r", "endpoint": "last"}
ARMS = [KEY | {"n_first_debates": 5, "n_second_debates": 4}]
RIGHT, WRONG, TIED = "right", "wrong", "undecided"


def row(question: str, start: str, first: str, second: str, scores: tuple[float, float] | None = (0, 0), **other: object) -> dict:
    """A pair as `int_arm_pairs` has it."""
    states = {"first_initial_state": start, "second_initial_state": start, "first_final_state": first, "second_final_state": second}
    score = dict(zip(("first_expected_score", "second_expected_score"), scores or (None, None), strict=True))
    return KEY | {"is_equal_start": True, "is_same_start": True, "question_id": question} | states | score | other


ROWS = [row("a", RIGHT, RIGHT, WRONG, (1, 0)), row("a", RIGHT, TIED, RIGHT, (0.5, 1)), row("b", WRONG, RIGHT, WRONG, (1, 0))]


def test_by_hand() -> None:
    (found,) = paired_arms(ROWS, ARMS, draws=200)
    assert (found["basis"], found["n_compared"], found["n_questions"], found["n_first_debates"]) == ("same round 0", 3, 2, 5)
    # Question a: (1 - 1) / 2 = 0, question b: 1.
    assert found["accuracy_difference"] == 0.5 and found["expected_score_difference"] == pytest.approx((0.25 + 1) / 2)
    assert (found["accuracy_b"], found["accuracy_c"], found["collapse_b"], found["collapse_c"]) == (2, 1, 1, 1)
    assert (found["n_both_right"], found["n_both_wrong"]) == (2, 1)
    assert (found["correction_b"], found["n_first_right_to_tied"], found["n_second_right_to_tied"]) == (1, 1, 0)


def test_unlike_starts_are_left_out_and_nothing_has_a_reason() -> None:
    apart = [r | {"is_same_start": False, "is_equal_start": i == 0} for i, r in enumerate(ROWS)]
    (found,) = paired_arms(apart, ARMS)
    assert (found["basis"], found["n_pairs"], found["n_compared"]) == ("equal initial labels", 3, 1)
    (none,) = paired_arms([r | {"is_same_start": False, "is_equal_start": False} for r in ROWS], ARMS)
    assert none["reason"] == "no pair has the same start"
    (unpaired,) = paired_arms([], ARMS)
    assert (unpaired["n_pairs"], unpaired["n_second_debates"]) == (0, 4) and "no question has a debate of each arm" in unpaired["reason"]


def test_rules_without_ties_have_no_ties_to_count() -> None:
    (found,) = paired_arms([r | {"first_expected_score": None, "second_expected_score": None} for r in ROWS], ARMS, draws=0)
    assert found.get("n_first_right_to_tied") is None and found.get("expected_score_difference") is None


def test_p_and_interval_are_the_naive_ones() -> None:
    rng = np.random.default_rng(3)
    rows = [
        row(f"q{i % 40}", RIGHT, RIGHT if rng.random() < 0.8 else WRONG, RIGHT if rng.random() < 0.6 else WRONG, None) for i in range(120)
    ]
    (found,) = paired_arms(rows, ARMS)
    pairs = [(r["first_final_state"] == RIGHT, r["second_final_state"] == RIGHT) for r in rows]
    b, c = sum(f and not s for f, s in pairs), sum(s and not f for f, s in pairs)
    assert (found["accuracy_b"], found["accuracy_c"]) == (b, c)
    assert found["accuracy_p"] == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-12)
    means = np.array([np.mean([f - s for (f, s), r in zip(pairs, rows, strict=True) if r["question_id"] == f"q{q}"]) for q in range(40)])
    assert found["accuracy_difference"] == pytest.approx(means.mean())
    drawn = means[rng.integers(0, 40, (4000, 40))].mean(axis=1)
    naive = np.percentile(drawn, [2.5, 97.5])
    width = naive[1] - naive[0]
    bounds = (found["accuracy_difference_ci_lower"], found["accuracy_difference_ci_upper"])
    assert bounds == pytest.approx(tuple(naive), abs=0.1 * width)


@pytest.fixture(scope="module")
def compared(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """The two lanes that the seed compares, with other debates: runs of a question, a missing one, another key, a tied end."""
    folder = tmp_path_factory.mktemp("compared") / "samples"
    folder.mkdir()
    shared = {"q1": "A", "q2": "A", "q3": "B"}
    private = [
        summary("q1", "A", ["AAB", "AAB"], model="p"),
        summary("q1", "A", ["AAB", "AAA"], model="p"),
        summary("q2", "A", ["AAB", "ABC"], model="p"),
        summary("q3", "B", ["AAB", "AAA"], model="p"),
        summary("q4", "A", ["AAB", "AAA"], model="p"),
        summary("q5", "A", ["AAB", "AAA"], model="p"),
        summary("q6", "A", ["AAB", "AAA"], model="p"),
        summary("q6", "A", ["AAB", "AAA"], model="p"),
    ]
    peer = [
        summary("q1", "A", ["AAB", "BBB"], model="d"),
        summary("q1", "A", ["AAB", "AAB"], model="d"),
        summary("q2", "A", ["AAB", "BBB"], model="d"),
        summary("q3", "B", ["AAB", "BBB"], model="d"),
        summary("q5", "B", ["AAB", "BBB"], model="d"),  # another key: another question
        summary("q6", "A", ["AAB", "BBB"], model="d"),  # one run against two
    ]
    assert all(r["correct_label"] == shared[r["question_id"]] for r in private[:4])
    for name, rows in (("sample_private_revision", private), ("sample_dialect_a", peer)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return build(folder.parent, topics="localisation replay")


def test_lanes_are_paired_question_by_question_and_run_by_run(compared: Ledger) -> None:
    columns = (
        "basis, n_first_debates, n_second_debates, n_pairs, n_compared, n_questions, accuracy_difference, accuracy_b, accuracy_c,"
        " collapse_b, collapse_c, correction_b, correction_c, n_both_right, n_both_wrong"
    )
    sql = f"select {columns} from paired_arms where coding_rule = ?"
    # q1 (run 1: right, wrong; run 2: both right), q2 (a tie of A, B, C goes to A; wrong), q3 (wrong, right): means .5, 1 and -1.
    assert compared.query(sql, "alphabetical") == [
        ("same round 0", 8, 6, 4, 4, 3, pytest.approx(0.5 / 3), 2, 1, 0, 2, 0, 1, 3, 1)
    ]  # fmt: skip
    # The tie of q2 counts as wrong: .5, 0 and -1; a third of its expected score stays.
    ((difference, ties, score),) = compared.query(
        "select accuracy_difference, n_first_right_to_tied, expected_score_difference from paired_arms"
        " where coding_rule = 'undecided_is_wrong'"
    )
    assert difference == pytest.approx(-0.5 / 3) and ties == 1 and score == pytest.approx((0.5 + 1 / 3 - 1) / 3)
    # Where a tie is undefined its pair is not coded, and the arms branch from one round 0 all the same.
    assert compared.query("select basis, n_pairs from paired_arms where coding_rule = 'strict_plurality'") == [("same round 0", 3)]


def test_arms_of_one_line_are_compared_without_a_seed(build: Build, tmp_path: Path) -> None:
    def part(start: str, end: str, key: str) -> dict:
        return {
            "initial_majority": start, "initial_correct": start == key, "final_answer": end, "final_correct": end == key,
            "collapsed": start == key != end, "corrected": start != key == end,
        }  # fmt: skip

    rows = [
        {"question_id": f"q{i}", "model": "m", "correct_label": "A", "standard_debate": part(s, e, "A"), "abc_debate": part(t, f, "A")}
        for i, (s, e, t, f) in enumerate(["ABAA", "BBBA", "ABAB", "CCBA"])
    ]
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "abc_vs.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    ledger = build(tmp_path, topics="localisation replay")
    sql = (
        "select comparison, basis, n_pairs, n_compared, n_first_correct, n_second_correct, collapse_b, collapse_c, correction_b"
        " from paired_arms where coding_rule = 'stored'"
    )
    # abc is first by the alphabet; C and B are different starts, though both are wrong.
    assert ledger.query(sql) == [("abc_vs: abc against standard", "equal initial labels", 4, 3, 2, 0, 0, 1, 1)]
