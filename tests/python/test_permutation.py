"""Exact permutation tests against brute force, and the published counts."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from debate_ledger.permutation import (
    PermutationError,
    TooManyOrdersError,
    enumerated_partial_spearman,
    exact_partial_spearman,
    exact_spearman,
    monte_carlo_spearman,
    partial_spearman,
)

#: Families of the published study in alphabetical order: mean alpha_tot, mean conditional collapse (percent), mean initial accuracy.
FAMILIES = {
    "Anthropic": (0.4504, 2.1505, 0.775),
    "DeepSeek": (0.1129, 0.0, 0.745),
    "Google": (0.2875, 0.2941, 0.825),
    "Meta": (0.7737, 8.4646, 0.5072),
    "OpenAI": (0.34615, 1.52265, 0.69985),
    "Phi": (0.4686, 10.2377, 0.5062),
    "Qwen": (0.69873, 19.74986, 0.4605),
}
#: The fourteen rows of `ledger_formats` 1.18: alpha_tot and k / n of conditional collapse.
ROWS = [
    (0.4504, 2, 93), (0.1129, 0, 149), (0.2644, 1, 170), (0.3106, 0, 160), (0.7737, 86, 1016), (0.3424, 8, 341), (0.3499, 1, 143),
    (0.4686, 112, 1094), (0.6068, 50, 979), (0.6111, 3, 56), (0.6897, 34, 78), (0.7303, 36, 82), (0.7950, 11, 127), (0.7595, 12, 101),
]  # fmt: skip
#: Initial accuracy of the fourteen rows.
ACCURACY = [n / d for (_, _, n), d in zip(ROWS, [120, 200, 200, 200, 2003, 498, 200, 2161, 2161, 200, 200, 200, 200, 200], strict=True)]
small = st.integers(2, 7).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 3))


def test_the_family_counts_are_the_published_ones() -> None:
    alpha, collapse, accuracy = zip(*FAMILIES.values(), strict=True)
    found = exact_spearman(alpha, collapse)
    assert found.statistic == pytest.approx(0.892857, abs=5e-7)
    assert (found.n_at_least, found.n_two_sided, found.n_orders) == (31, 62, 5040)
    assert exact_spearman(accuracy, collapse).n_two_sided == 172
    partial = exact_partial_spearman(alpha, collapse, accuracy)
    assert partial.statistic == pytest.approx(0.76696, abs=5e-6)
    # Floating point without a tolerance counts 441 here (`ledger_formats` 2.11).
    assert (partial.n_at_least, partial.n_two_sided, partial.n_orders) == (221, 442, 5040)


def test_the_rows_are_tested_over_all_their_orders() -> None:
    found = exact_spearman([a for a, _, _ in ROWS], [k / n for _, k, n in ROWS])
    assert found.statistic == pytest.approx(0.8294834502328513, abs=1e-15)
    assert found.n_orders == math.factorial(14)
    assert found.p_two_sided == pytest.approx(0.000433711, abs=5e-10)


def ranks(values: list[int]) -> list[Fraction]:
    return [Fraction(sum(w < v for w in values) * 2 + sum(w == v for w in values) + 1, 2) for v in values]


def correlation(x: list[Fraction], y: list[Fraction]) -> tuple[int, Fraction] | None:
    """Sign and square of Pearson's correlation; None without spread."""
    n = len(x)
    c = n * sum(a * b for a, b in zip(x, y, strict=True)) - sum(x) * sum(y)
    v, w = (n * sum(a * a for a in z) - sum(z) ** 2 for z in (x, y))
    return None if v == 0 or w == 0 else ((c > 0) - (c < 0), Fraction(c * c, v * w))


def counts(observed: tuple[int, Fraction], every: list[tuple[int, Fraction] | None]) -> tuple[int, int, int]:
    signed = [s * r for s, r in filter(None, every)]
    here = observed[0] * observed[1]
    return sum(s >= here for s in signed), sum(s <= here for s in signed), sum(abs(s) >= abs(here) for s in signed)


@settings(max_examples=60, deadline=None)
@given(small)
def test_spearman_is_that_of_every_order(columns: tuple[list[int], list[int], list[int]]) -> None:
    x, y, _ = columns
    observed = correlation(ranks(x), ranks(y))
    if observed is None:
        with pytest.raises(PermutationError):
            exact_spearman(x, y)
        return
    found = exact_spearman(x, y)
    every = [correlation(ranks(x), list(order)) for order in itertools.permutations(ranks(y))]
    assert (found.n_at_least, found.n_at_most, found.n_two_sided) == counts(observed, every)
    assert found.n_orders == len(every)
    assert found.statistic == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def residuals(x: list[Fraction], z: list[Fraction]) -> list[Fraction]:
    n = len(x)
    slope = (n * sum(a * b for a, b in zip(x, z, strict=True)) - sum(x) * sum(z)) / (n * sum(b * b for b in z) - sum(z) ** 2)
    return [a - slope * b for a, b in zip(x, z, strict=True)]


@settings(max_examples=40, deadline=None)
@given(small)
def test_the_partial_correlation_is_that_of_every_order(columns: tuple[list[int], list[int], list[int]]) -> None:
    x, y, z = (ranks(c) for c in columns)
    if len(set(z)) == 1 or correlation(residuals(x, z), residuals(y, z)) is None:
        with pytest.raises(PermutationError):
            exact_partial_spearman(*columns)
        return
    observed = correlation(residuals(x, z), residuals(y, z))
    assert observed is not None
    every = [correlation(residuals(x, z), residuals(list(order), z)) for order in itertools.permutations(y)]
    found = exact_partial_spearman(*columns)
    # An order without a partial correlation stays in the denominator.
    assert (found.n_at_least, found.n_at_most, found.n_two_sided) == counts(observed, every)
    assert found.n_orders == len(every)
    assert found.statistic == pytest.approx(observed[0] * math.sqrt(observed[1]), abs=1e-12)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=9),
    st.sampled_from([np.exp, np.cbrt, lambda v: 3 * v - 7]),
)
def test_a_monotone_transform_changes_nothing(pairs: list[tuple[int, int]], transform) -> None:
    x, y = (np.array(c, dtype=float) for c in zip(*pairs, strict=True))
    if np.ptp(x) and np.ptp(y):
        assert exact_spearman(transform(x), y) == exact_spearman(x, y)
        mirrored = exact_spearman(-x, y)
        assert (mirrored.n_at_most, mirrored.n_two_sided) == (exact_spearman(x, y).n_at_least, exact_spearman(x, y).n_two_sided)


def test_what_cannot_be_tested_says_what_to_do() -> None:
    with pytest.raises(PermutationError, match="Monte Carlo"):
        exact_spearman(range(21), range(21))
    with pytest.raises(PermutationError, match="spread"):
        exact_spearman([1, 2, 3], [1, 1, 1])
    with pytest.raises(PermutationError, match="NaN"):
        exact_spearman([1, float("nan")], [1, 2])
    with pytest.raises(PermutationError, match="same points"):
        exact_spearman([1, 2, 3], [1, 2])
    with pytest.raises(PermutationError, match="function of the control"):
        exact_partial_spearman([1, 2, 3], [2, 1, 3], [1, 2, 3])
    with pytest.raises(PermutationError, match="Monte Carlo"):
        exact_partial_spearman(range(25), np.roll(range(25), 3), np.roll(range(25), 5))
    with pytest.raises(PermutationError, match="Monte Carlo"):
        enumerated_partial_spearman(range(10), np.roll(range(10), 3), np.roll(range(10), 5), np.roll(range(10), 2))
    with pytest.raises(PermutationError, match="same points"):
        partial_spearman([1, 2, 3], [3, 1, 2], [1, 2])
    with pytest.raises(PermutationError, match="function of the controls"):
        partial_spearman([1, 2, 3, 4], [2, 1, 4, 3], [1, 3, 2, 4], [4, 2, 3, 1])


@settings(max_examples=80, deadline=None)
@given(st.integers(3, 7).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 4)), st.integers(0, 2))
def test_all_ways_to_count_agree(columns: tuple[list[int], ...], n_controls: int) -> None:
    x, y, *controls = columns
    controls = controls[:n_controls]
    try:
        every = enumerated_partial_spearman(x, y, *controls)
    except PermutationError:
        for other in (partial_spearman, monte_carlo_spearman):
            with pytest.raises(PermutationError):
                other(x, y, *controls)
        return
    assert every.n_orders == math.factorial(len(x))
    if n_controls < 2:
        exact = exact_spearman(x, y) if n_controls == 0 else exact_partial_spearman(x, y, *controls)
        assert (exact.n_at_least, exact.n_at_most, exact.n_two_sided) == (every.n_at_least, every.n_at_most, every.n_two_sided)
        assert exact.statistic == pytest.approx(every.statistic, abs=1e-12)
    # By residuals of a regression on the ranks, in doubles.
    ranked = [stats.rankdata(v) for v in (x, y, *controls)]
    design = np.column_stack([np.ones(len(x)), *ranked[2:]])
    left, right = (v - design @ np.linalg.lstsq(design, v)[0] for v in ranked[:2])
    assert every.statistic == pytest.approx(float(left @ right / math.sqrt((left @ left) * (right @ right))), abs=1e-9)
    drawn = monte_carlo_spearman(x, y, *controls, draws=4000, seed=1)
    assert drawn.seed == 1 and not drawn.is_exact and drawn.n_orders == 4000
    assert drawn.p_two_sided == pytest.approx(every.p_two_sided, abs=5 * math.sqrt(0.25 / 4000) + 1e-3)


def test_rounding_decides_no_order() -> None:
    """Five controls of seven points: one order is off by 1e-8 in doubles, and counts exactly."""
    x, y = [3, 3, 0, 2, 1, 5, 6], [5, 0, 5, 6, 2, 1, 7]
    controls = [5, 1, 6, 4, 0, 2, 3], [1, 3, 0, 2, 3, 5, 6], [1, 1, 4, 0, 2, 4, 0], [5, 6, 0, 7, 2, 5, 1], [5, 7, 0, 6, 2, 1, 5]
    found = enumerated_partial_spearman(x, y, *controls)
    assert (found.n_at_most, found.n_two_sided) == (2532, 5034)


def test_tables_that_do_not_fit_are_told() -> None:
    rng = np.random.default_rng(3)
    with pytest.raises(TooManyOrdersError, match="GB"):
        exact_partial_spearman(*rng.permuted(np.tile(np.arange(12), (3, 1)), axis=1), max_bytes=1_000_000)
    for wrong in (["a", 1], [1 + 2j, 1], [10**400, 1]):
        with pytest.raises(PermutationError):
            exact_spearman(wrong, [1, 2])
    with pytest.raises(PermutationError, match="draw"):
        monte_carlo_spearman([1, 2, 3], [3, 1, 2], draws=0)


def test_a_monte_carlo_test_says_so_and_comes_back_with_its_seed() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 25))
    first = monte_carlo_spearman(x, y, draws=1000, seed=3)
    assert first == monte_carlo_spearman(x, y, draws=1000, seed=3) and first.seed == 3
    assert first.p_two_sided == (first.n_two_sided + 1) / 1001
    assert first != monte_carlo_spearman(x, y, draws=1000, seed=4)


@pytest.mark.slow
def test_the_partial_of_the_fourteen_rows_is_exact_on_request() -> None:
    x, y, z = [a for a, _, _ in ROWS], [k / n for _, k, n in ROWS], ACCURACY
    assert partial_spearman(x, y, z) == pytest.approx(0.6584623461422373, abs=1e-12)
    found = exact_partial_spearman(x, y, z, largest=14)
    assert found.n_orders == math.factorial(14)
    assert found.p_two_sided == pytest.approx(0.0139982, abs=5e-8)
