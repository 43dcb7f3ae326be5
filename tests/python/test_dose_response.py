"""The ladder of appendix F: published counts, and cases by hand."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from debate_ledger.dose_response import decide, floor_test, is_floor_usable, ladder, ladder_rows, page_trend, trend_rows
from debate_ledger.permutation import PermutationError

#: Shares of flips by rung of the published pilot (B_pilot_monotonicity.json).
PILOT = {
    "Qwen3.5-4B": [0.02, 0.06, 0.0, 0.08, 0.06, 0.16, 0.08, 0.1, 0.22],
    "Qwen3.5-9B": [0.04, 0.06, 0.08, 0.02, 0.02, 0.04, 0.04, 0.06, 0.02],
    "Qwen3.6-27B-FP8": [0.0, 0.08, 0.06, 0.08, 0.02, 0.02, 0.04, 0.04, 0.1],
}


def test_the_pilot_comes_back() -> None:
    found = [ladder(shares) for shares in PILOT.values()]
    assert [f.rho for f in found] == pytest.approx([0.8403658068160179, -0.2945959721156873, 0.2531848417709166], abs=1e-12)
    # Published: untied ranks against the correlation of the tied data. Beside it the orders of the data themselves.
    assert [f.n_untied_at_least for f in found] == [1102, 283659, 89510]
    assert [f.n_at_least for f in found] == [1240, 285840, 92408]
    assert {f.n_orders for f in found} == {362880}
    assert [round(f.max_inversion_drop, 2) for f in found] == [0.08, 0.06, 0.06]
    assert [round(f.floor, 2) for f in found] == [0.2, -0.02, 0.1]
    page_l, p = page_trend(list(PILOT.values()))
    assert page_l == 723 and p == pytest.approx(0.09570921261880366, rel=1e-12)
    floors = [is_floor_usable(f.floor, floor_test(*pair)[0]) for f, pair in zip(found, [(11, 1), (0, 1), (5, 0)], strict=True)]
    outcome = decide([f.rho for f in found], floors)
    assert (outcome.median_rho, outcome.decision) == (pytest.approx(0.2531848417709166, abs=1e-12), "fail")
    assert (outcome.n_floor_usable, outcome.is_floor_usable) == (2, True)


@pytest.mark.parametrize("b, c, p, bound", [(11, 1, 0.003173828125, 0.699), (0, 1, 1.0, 0.0), (5, 0, 0.03125, 0.649), (0, 0, 1.0, None)])
def test_floors(b: int, c: int, p: float, bound: float | None) -> None:
    found = floor_test(b, c)
    assert found[0] == p
    assert found[1] == (None if bound is None else pytest.approx(bound, abs=5e-4))


def test_a_rising_ladder_passes() -> None:
    assert decide([0.5, 0.9, 0.0], [True, True, False]).decision == "pass"
    assert decide([0.49, 0.9, 0.0], []).decision == "fail" and decide([0.9, 0.9, -0.1], []).decision == "fail"
    assert not decide([0.9], []).is_floor_usable
    assert not is_floor_usable(0.01, 0.01) and not is_floor_usable(0.5, 0.06)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=3, max_size=6))
def test_both_counts_are_those_of_every_order(shares: list[int]) -> None:
    if len(set(shares)) == 1:
        with pytest.raises(PermutationError):
            ladder(shares)
        return
    found = ladder(shares)
    rungs = list(range(len(shares)))
    orders = [stats.spearmanr(rungs, order).statistic for order in itertools.permutations(rungs)]
    assert found.n_untied_at_least == sum(rho >= found.rho - 1e-12 for rho in orders)
    assert found.n_orders == math.factorial(len(shares))
    tied = [stats.spearmanr(rungs, order).statistic for order in itertools.permutations(shares)]
    assert found.n_at_least == sum(rho >= found.rho - 1e-12 for rho in tied)


def test_nothing_is_decided_over_the_ladders_that_happen_to_have_a_correlation() -> None:
    rungs = [
        {"experiment": "e", "model": m, "rung": k, "share": s}
        for m, shares in (("a", [0, 1, 2]), ("b", [0, 0, 0]))
        for k, s in enumerate(shares)
    ]
    (trend,) = trend_rows(rungs, ladder_rows(rungs, []))
    assert trend.get("decision") is None and "no correlation: b" in str(trend["reason"])
    (alone,) = trend_rows(rungs[:3], ladder_rows(rungs[:3], []))
    assert alone["decision"] == "pass" and "ladders" in str(alone["reason"])


def test_ladders_that_do_not_fit_are_told() -> None:
    for models in ([], [[1, 2, 3]], [[1, 2, 3], [1, 2]], [[1, 2], [2, 1]]):
        with pytest.raises(ValueError, match="ladders"):
            page_trend(models)


def test_ladders_of_other_rungs_are_no_trend() -> None:
    rungs = [
        {"experiment": "e", "model": m, "rung": k, "share": k / 10} for m, start in (("a", 1), ("b", 2)) for k in range(start, start + 3)
    ]
    (trend,) = trend_rows(rungs, ladder_rows(rungs, []))
    assert trend.get("page_l") is None and "same rungs" in str(trend["reason"])
