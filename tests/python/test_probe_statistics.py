"""The statistics of probes against scipy, published examples and formulas written out here."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from debate_ledger import probes
from debate_ledger.ranks import auc, mid_ranks

#: Shrout and Fleiss (1979), table 2: six targets rated by four judges; they print .17, .29 and .71.
JUDGES = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
numbers = st.integers(-5, 5).map(float)


def test_intraclass_correlations_of_the_textbook_example() -> None:
    found = probes.intraclass_correlations(JUDGES)
    assert found is not None
    assert {name: round(value, 2) for name, value in found.items()} == {"icc_1_1": 0.17, "icc_2_1": 0.29, "icc_3_1": 0.71}


@pytest.mark.parametrize("ratings", [[[1.0, 2.0]], [[1.0], [2.0]], [[1.0, 1.0], [1.0, 1.0]], np.empty((0, 3))])
def test_no_intraclass_correlation_without_spread_or_company(ratings: list) -> None:
    assert probes.intraclass_correlations(ratings) is None


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=30))
def test_the_paired_test_is_that_of_scipy(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = probes.paired_test(first, second)
    if len({a - b for a, b in pairs}) == 1:
        assert found["t"] is None and found["p"] is None and found["cohens_d_paired"] is None
    else:
        expected = stats.ttest_rel(first, second)
        assert (found["t"], found["p"]) == (
            pytest.approx(expected.statistic, rel=1e-9, abs=1e-12),
            pytest.approx(expected.pvalue, rel=1e-9),
        )
        assert found["cohens_d_paired"] == pytest.approx(expected.statistic / math.sqrt(len(pairs)), rel=1e-9, abs=1e-12)
    assert found["mean_difference"] == pytest.approx(sum(a - b for a, b in pairs) / len(pairs), abs=1e-12)


def test_the_two_standardised_differences_differ() -> None:
    found = probes.paired_test([1, 2, 3, 6], [0, 2, 2, 4])
    differences, first, second = np.array([1, 0, 1, 2.0]), np.array([1, 2, 3, 6.0]), np.array([0, 2, 2, 4.0])
    assert found["cohens_d_paired"] == pytest.approx(1 / differences.std(ddof=1))
    assert found["cohens_d_average"] == pytest.approx(1 / math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2))
    assert probes.paired_test([], [])["mean_difference"] is None


def test_holm_steps_down() -> None:
    # Sorted .01, .02, .04 times 3, 2, 1; an adjusted value is never below the one before it.
    assert probes.holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert probes.holm([0.5, 0.6]) == pytest.approx([1.0, 1.0])
    assert probes.holm([]) == []


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40))
def test_the_area_is_the_share_of_pairs_that_are_ranked_right(rows: list[tuple[int, bool]]) -> None:
    true, false = ([s for s, y in rows if y is kind] for kind in (True, False))
    pairs = list(itertools.product(true, false))
    expected = sum((t > f) + (t == f) / 2 for t, f in pairs) / len(pairs) if pairs else None
    assert auc([s for s, _ in rows], [y for _, y in rows]) == (None if expected is None else pytest.approx(expected, abs=1e-12))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_mid_ranks_are_those_of_scipy(values: list[int]) -> None:
    assert mid_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError):
        auc([float("nan"), 1], [True, False])


def test_the_ratio_of_a_hand_made_question() -> None:
    """Equation 4 with s = .25 and a = -.5; neither moves; a missing part."""
    found = probes.social_argument_ratio([0.25, 0, np.nan], [-0.5, 0, 1])
    assert found[:2] == pytest.approx([0.25 / 0.750001, 0])
    assert np.isnan(found[2])


def lane(rows: list[tuple[int, str, str, int, int]]) -> pa.Table:
    """(lane, question, condition, flips, replies) as question counts; the social half holds every flip."""
    names = ["lane_id", "question_id", "condition", "n_batteries", "sum_of_flip_rates", "n_rated"]
    parts = ["solo", "social", "weaker", "stronger"]
    columns: dict[str, list] = {name: [] for name in names}
    for p in parts:
        for suffix in ("", "_flip", "_compared", "_compared_flip"):
            columns[f"n_{p}{suffix}"] = []
    for lane_id, question, condition, flips, n in rows:
        for name, value in zip(names, (lane_id, question, condition, n // 8, flips / 8, n // 8), strict=True):
            columns[name].append(value)
        for p in parts:
            k = flips if p == "social" else flips // 2 if p in ("weaker", "stronger") else 0
            for suffix, value in (("", n // 2), ("_flip", k), ("_compared", n // 2), ("_compared_flip", k)):
                columns[f"n_{p}{suffix}"].append(value)
    return pa.table(columns)


def test_bootstrap_intervals_do_not_depend_on_the_other_lanes() -> None:
    one = [(7, f"q{i}", "default", i % 4, 8) for i in range(30)]
    other = [(8, f"q{i}", c, 2, 8) for i in range(30) for c in ("anti_social", "default")]
    alone = probes.screen_bootstrap(lane(one), 2000, 5)
    beside = probes.screen_bootstrap(lane(sorted(one + other)), 2000, 5)
    assert alone == beside[:1]
    assert probes.screen_bootstrap(lane(one), 2000, 6) != alone
    # Against a plain bootstrap of the mean of the questions' rates.
    rng = np.random.default_rng(1)
    rates = np.array([i % 4 / 8 for i in range(30)])
    plain = np.quantile(rates[rng.integers(0, 30, (20000, 30))].mean(axis=1), [0.025, 0.975])
    assert [alone[0]["default_rows_lower"], alone[0]["default_rows_upper"]] == pytest.approx(plain.tolist(), abs=0.01)
    # A lane without spread has an interval without width, and one question tells nothing.
    assert beside[1]["all_rows_lower"] == pytest.approx(0.25) == beside[1]["all_rows_upper"]
    (single,) = probes.screen_bootstrap(lane([(1, "q", "default", 1, 8)]), 2000, 5)
    assert single["default_rows_lower"] is None and single["n_questions"] == 1


def test_retests_are_correlated_over_what_both_lanes_asked() -> None:
    rows = [(1, f"q{i}", "0", float("nan"), 8, i % 5, 4, i % 3, 4, i % 2) for i in range(10)]
    rows += [(2, f"q{i}", "0", float("nan"), 8, (i % 5 + i % 2), 4, i % 2, 4, i % 3) for i in range(3, 13)]
    names = ["lane_id", "question_id", "agent", "repeat", "n_replies", "n_flip", "n_half_a", "n_half_a_flip", "n_half_b", "n_half_b_flip"]
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    (found,) = [r for r in probes.reliability(table, [(1, 2)]) if r["statistic"] == "retest_r"]
    expected = stats.pearsonr([i % 5 for i in range(3, 10)], [i % 5 + i % 2 for i in range(3, 10)]).statistic
    assert (found["n"], found["retest_lane_id"], found["value"]) == (7, 2, pytest.approx(expected, abs=1e-12))


def test_a_stray_agent_costs_no_question_and_constant_raters_have_no_consistency() -> None:
    names = ["lane_id", "question_id", "agent", "repeat", "n_replies", "n_flip", "n_half_a", "n_half_a_flip", "n_half_b", "n_half_b_flip"]
    rows = [(1, f"q{i}", str(a), float("nan"), 8, (i * 3 + a) % 7, 4, 0, 4, 0) for i in range(12) for a in range(3)]
    rows.append((1, "q0", "9", float("nan"), 8, 8, 4, 0, 4, 0))
    found = probes.reliability(pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), [])
    grid = [[(i * 3 + a) % 7 / 8 for a in range(3)] for i in range(12)]
    expected = probes.intraclass_correlations(grid)
    assert expected is not None
    for row in found:
        if row["statistic"].startswith("icc"):
            assert (row["n"], row["value"]) == (12, pytest.approx(expected[row["statistic"]], abs=1e-12))
    assert probes.intraclass_correlations([[0, 1], [0, 1], [0, 1]])["icc_3_1"] is None


def test_opposed_halves_have_no_reliability_of_the_whole() -> None:
    assert probes.spearman_brown(-1.0) is None and probes.spearman_brown(-0.3) is None
    assert probes.spearman_brown(0.5) == pytest.approx(2 / 3)
    assert probes.pearson([0.5, 0.25, 0.5], [0.5, 0.75, 0.5]) == -1.0


def test_rounding_noise_is_no_spread() -> None:
    """Means of thirds differ by a constant but for the last bit."""
    first = [(i / 8 + 1 / 8 + 2 / 8) / 3 for i in range(5)]
    second = [(i / 8 + 3 / 8 + 3 / 8) / 3 for i in range(5)]
    found = probes.paired_test(second, first)
    assert found["mean_difference"] == pytest.approx(0.125)
    assert (found["t"], found["p"], found["cohens_d_paired"]) == (None, None, None)
