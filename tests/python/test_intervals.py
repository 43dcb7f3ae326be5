"""Wilson and Jeffreys intervals against published values and their own definitions."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from debate_ledger.intervals import INTERVALS_SCHEMA, intervals, jeffreys_interval, wilson_interval


@pytest.mark.parametrize(
    "k, n, wilson, jeffreys",
    [(2, 93, (0.59, 7.51), (0.45, 6.72)), (0, 149, (0.00, 2.51), (0.00, 1.67))],
)
def test_published_intervals(k: int, n: int, wilson: tuple, jeffreys: tuple) -> None:
    """In percent, as printed (`ledger_formats` 2.8)."""
    assert tuple(round(100 * x, 2) for x in wilson_interval(k, n)) == wilson
    assert tuple(round(100 * x, 2) for x in jeffreys_interval(k, n)) == jeffreys


def test_the_lower_jeffreys_bound_of_no_event_is_the_quantile_itself() -> None:
    assert jeffreys_interval(0, 149)[0] == pytest.approx(3.3e-6, rel=0.02)


def test_all_published_wilson_intervals_to_full_precision() -> None:
    with (Path(__file__).parent / "published/conditional_collapse.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        found = wilson_interval(int(row["n_collapse"]), int(row["n_init_correct"]))
        assert [100 * x for x in found] == pytest.approx([float(row["cond_lo"]), float(row["cond_hi"])], rel=1e-9)
    assert len(rows) == 11


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_both_agree_with_scipy_and_hold_the_rate(pair: tuple[int, int]) -> None:
    k, n = pair
    p = k / n
    low, high = wilson_interval(k, n)
    expected = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert low <= p <= high
    j_low, j_high = jeffreys_interval(k, n)
    assert stats.beta.cdf(j_high, k + 0.5, n - k + 0.5) - stats.beta.cdf(j_low, k + 0.5, n - k + 0.5) == pytest.approx(0.95, abs=1e-6)


@pytest.mark.parametrize("k, n", [(-1, 3), (4, 3), (0, 0)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError):
        jeffreys_interval(k, n)
    with pytest.raises(ValueError):
        wilson_interval(k, n)


def test_the_table_keeps_the_order_and_may_be_empty() -> None:
    table = intervals([(1, 2), (0, 3)])
    assert table.schema == INTERVALS_SCHEMA
    assert table.column("trials").to_pylist() == [2, 3]
    assert intervals([]).num_rows == 0
