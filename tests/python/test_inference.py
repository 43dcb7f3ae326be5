"""Inference over the fourteen published model rows (`ledger_formats` 1.18) against the published values marked as recomputed there."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from debate_ledger.inference import (
    ModelRow,
    effective_number,
    errors_in_variables,
    families_needed,
    family_bootstrap,
    family_points,
    fisher_z_interval,
    leave_one_family_out,
    mcnemar,
    pairwise_audit,
    predict_left_out,
    rank_errors,
)
from debate_ledger.permutation import spearman

#: model, family, alpha_tot, collapses, initially correct, debates, replies behind alpha where they are not 1,200.
TABLE = [
    ("sonnet-4.5", "Anthropic", 0.4504, 2, 93, 120, None),
    ("deepseek-v4-flash", "DeepSeek", 0.1129, 0, 149, 200, 14344),
    ("gemini-3-flash", "Google", 0.2644, 1, 170, 200, None),
    ("gemma-4-31b-it-awq", "Google", 0.3106, 0, 160, 200, 14400),
    ("llama-3.1-8b", "Meta", 0.7737, 86, 1016, 2003, None),
    ("gpt-4o-mini", "OpenAI", 0.3424, 8, 341, 498, None),
    ("gpt-5.4-mini", "OpenAI", 0.3499, 1, 143, 200, None),
    ("phi-4-mini", "Phi", 0.4686, 112, 1094, 2161, None),
    ("qwen3-4b", "Qwen", 0.6068, 50, 979, 2161, None),
    ("qwen3-8b", "Qwen", 0.6111, 3, 56, 200, None),
    ("qwen3.5-4b", "Qwen", 0.6897, 34, 78, 200, 14400),
    ("qwen3.5-9b", "Qwen", 0.7303, 36, 82, 200, 14400),
    ("qwen3.6-27b-fp8", "Qwen", 0.7950, 11, 127, 200, 14400),
    ("qwen3.6-35b-a3b-fp8", "Qwen", 0.7595, 12, 101, 200, 14400),
]
ROWS = [ModelRow(m, f, a, k, n, replies or 1200) for m, f, a, k, n, _, replies in TABLE]
ACCURACY = [n / debates for *_, n, debates, _ in TABLE]


def test_fisher_intervals_use_the_z_they_are_told() -> None:
    assert fisher_z_interval(0.8294834502328513, 14) == pytest.approx((0.5338512107463473, 0.9444192145492749), abs=1e-12)
    exact = fisher_z_interval(0.7833333333333333, 9, stats.norm.ppf(0.975))
    assert exact == pytest.approx((0.24847592645234534, 0.9521298135422592), abs=1e-12)
    for rho, n in ((1.0, 10), (0.5, 3)):
        with pytest.raises(ValueError):
            fisher_z_interval(rho, n)


def test_seven_families_count_for_four() -> None:
    assert effective_number([r.family for r in ROWS]) == pytest.approx(4.08, abs=0.005)


def test_leaving_a_family_out() -> None:
    found = leave_one_family_out(ROWS)
    assert {f: round(rho, 4) for f, rho in found.items()} == {
        "Anthropic": 0.8286, "DeepSeek": 0.8286, "Google": 0.8286, "Meta": 1.0, "OpenAI": 0.8286, "Phi": 0.9429, "Qwen": 0.9429,
    }  # fmt: skip
    rows = leave_one_family_out(ROWS, "model")
    assert [round(rows[f], 3) for f in sorted(rows)] == [0.798, 0.791, 0.741, 0.875, 0.75, 0.875, 0.862]


def test_each_family_is_predicted_from_the_others() -> None:
    points = family_points(ROWS)
    assert points["Qwen"] == pytest.approx((0.69873, 19.74986), abs=1e-5)
    found = predict_left_out(points)
    qwen = found["Qwen"]
    assert (round(qwen.predicted, 2), round(qwen.observed, 2)) == (8.21, 19.75)
    assert [round(x, 2) for x in (*qwen.interval_80, *qwen.interval_95)] == [2.13, 14.29, -2.81, 19.23]
    covered = [
        sum(low <= p.observed <= high for p in found.values() for low, high in [interval(p)])
        for interval in (lambda p: p.interval_80, lambda p: p.interval_95)
    ]
    assert covered == [5, 6]
    errors = rank_errors(points, found)
    assert sum(errors.values()) / 7 == pytest.approx(0.857, abs=5e-4) and errors["Qwen"] == 1
    assert spearman([p.predicted for p in found.values()], [p.observed for p in found.values()]) == pytest.approx(0.821, abs=5e-4)
    with pytest.raises(ValueError):
        predict_left_out({"a": (0, 1), "b": (1, 2), "c": (2, 2)})


def test_the_bootstraps_give_every_published_digit() -> None:
    found = errors_in_variables(ROWS)
    assert (found.median, found.lower, found.upper, found.share_positive) == pytest.approx(
        (0.8021978021978022, 0.7098901098901099, 0.8725274725274725, 1.0), abs=1e-12
    )
    found = family_bootstrap(ROWS)
    assert (found.lower, found.upper) == pytest.approx((0.3859649122807018, 0.9189189189189189), abs=1e-12)


def test_the_pairs_that_screen_and_accuracy_order_differently() -> None:
    found = pairwise_audit(ROWS, ACCURACY)
    assert len(found) == 26
    assert {f: sum(p.follows == f for p in found) for f in ("alpha", "accuracy", "tie")} == {"alpha": 13, "accuracy": 12, "tie": 1}
    raw = [p for p in found if p.p < 0.05]
    assert (sum(p.follows == "alpha" for p in raw), sum(p.follows == "accuracy" for p in raw)) == (4, 6)
    kept = [p for p in found if p.p_holm < 0.05]
    assert (sum(p.follows == "alpha" for p in kept), sum(p.follows == "accuracy" for p in kept)) == (2, 6)
    (pair,) = [p for p in found if (p.first, p.second) == ("llama-3.1-8b", "qwen3-4b")]
    assert (pair.p, pair.p_holm) == (pytest.approx(0.00327, abs=5e-6), pytest.approx(0.0589, abs=5e-5))


def test_how_many_families_a_partial_correlation_needs() -> None:
    assert families_needed(0.76696, controls=1) == 12
    assert families_needed(0.5969, controls=1) == 21
    assert families_needed(0.01, largest=50) is None


@pytest.mark.parametrize("b, c, p", [(3, 3, 1.0), (4, 7, 0.549), (5, 0, 0.0625), (6, 1, 0.125), (0, 0, 1.0)])
def test_mcnemar_exact(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c)[0] == pytest.approx(p, abs=5e-4)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_corrected_is_the_chi_square(b: int, c: int) -> None:
    if b + c:
        statistic = max(0, abs(b - c) - 1) ** 2 / (b + c)
        assert mcnemar(b, c)[1] == pytest.approx(stats.chi2.sf(statistic, 1), abs=1e-12)
    assert mcnemar(b, c) == mcnemar(c, b)
    assert math.isfinite(mcnemar(b, c)[0])
