"""Inference over the fourteen published model rows (`ledger_formats` 1.18) against the published values marked as recomputed there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from debate_ledger.associations import OUTCOME, Cohort, points_of
from debate_ledger.cohort_inference import association_draws, family_predictions, model_pairs
from debate_ledger.inference import (
    ModelRow,
    effective_number,
    families_needed,
    fisher_z_interval,
    kendall_interval,
    mcnemar,
    pairwise_audit,
    power,
    predict_left_out,
    rank_sum,
    t_approximation,
)
from debate_ledger.permutation import PermutationError, spearman
from debate_ledger.resampling import errors_in_variables, family_bootstrap, propagate_left_out

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
POINTS = [(r.family, r.alpha, r.collapse_percent) for r in ROWS]
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


def test_the_interval_of_kendalls_tau() -> None:
    # By hand: atanh(.5) = .549306, half = 1.96 * sqrt(.437 / 20) = .289721.
    assert kendall_interval(0.5, 24) == pytest.approx((0.253906, 0.685294), abs=1e-6)
    assert kendall_interval(-0.5, 24)[1] == -kendall_interval(0.5, 24)[0]
    with pytest.raises(ValueError):
        kendall_interval(0.5, 4)


def test_student_t_of_a_correlation() -> None:
    assert t_approximation(0.8294834502328513, 14) == pytest.approx((0.00024315115661964303, 0.00012157557830982151), rel=1e-12)
    assert t_approximation(0.7669649888473703, 7, 1)[0] == pytest.approx(0.07513045462522985, rel=1e-12)
    assert t_approximation(-1.0, 5) == (0.0, 1.0) and t_approximation(0.3, 3, 1) is None


def cohort(rows: list[ModelRow]) -> Cohort:
    """The rows as a cohort of the models of inference."""
    variables = {
        "alpha_tot": {r.model: r.alpha for r in rows},
        OUTCOME: {r.model: r.collapse_percent for r in rows if r.n_initial_correct},
        "n_collapse": {r.model: r.n_collapse for r in rows},
        "n_initial_correct": {r.model: r.n_initial_correct for r in rows},
        "n_replies": {r.model: r.n_replies for r in rows},
        "initial_accuracy": dict(zip((r.model for r in rows), ACCURACY, strict=False)),
    }
    return Cohort("c", "d", {r.model: r.family for r in rows}, variables)


NO_DRAWS = {"*": {"noise_draws": 0, "noise_seed": 1, "family_draws": 0, "family_seed": 1, "prediction_draws": 0, "prediction_seed": 1}}


def test_each_family_is_predicted_from_the_others() -> None:
    found = {r["family"]: r for r in family_predictions([cohort(ROWS)], NO_DRAWS)}
    qwen = found["Qwen"]
    assert (qwen["alpha_tot"], qwen["observed"]) == pytest.approx((0.69873, 19.74986), abs=1e-5)
    assert round(qwen["predicted"], 2) == 8.21 and qwen["rank_error"] == 1
    ends = [qwen[f"predicted_{level}_{end}"] for level in ("80", "95") for end in ("lower", "upper")]
    assert [round(x, 2) for x in ends] == [2.13, 14.29, -2.81, 19.23]
    assert [sum(r[f"is_covered_{level}"] for r in found.values()) for level in ("80", "95")] == [5, 6]
    assert sum(r["rank_error"] for r in found.values()) / 7 == pytest.approx(0.857, abs=5e-4)
    assert spearman([r["predicted"] for r in found.values()], [r["observed"] for r in found.values()]) == pytest.approx(0.821, abs=5e-4)
    assert all(r["propagated_reason"] for r in found.values())


def test_families_without_spread_are_not_predicted() -> None:
    with pytest.raises(ValueError, match="too few"):
        predict_left_out({"a": (0, 1), "b": (1, 2), "c": (2, 2)})
    # The mean of three .2 is not .2 in doubles.
    with pytest.raises(ValueError, match="do not differ"):
        predict_left_out({"a": (0.2, 1), "b": (0.2, 2), "c": (0.2, 3), "d": (0.5, 3)})


def test_means_that_are_equal_tie() -> None:
    """8 and 18 of 143 are 13 of 143 on average, whatever their doubles say."""
    rows = [
        ModelRow(m, f, a, k, 143) for m, f, a, k in (("a", "A", 0.1, 8), ("b", "A", 0.2, 18), ("c", "B", 0.15, 13), ("d", "C", 0.9, 50))
    ]
    one = cohort(rows)
    points = points_of(one, ["alpha_tot", OUTCOME], "family mean", one.families)
    assert points[0] == points[1]


def test_a_model_without_an_initially_correct_debate_is_in_no_pair() -> None:
    rows = [ModelRow("a", "A", 0.2, 1, 10), ModelRow("b", "B", 0.1, 0, 0), ModelRow("c", "C", 0.3, 2, 10)]
    assert [(p["first_model"], p["second_model"]) for p in model_pairs([cohort(rows)])] == [("a", "c")]


def test_draws_need_only_what_they_draw() -> None:
    """The family bootstrap needs no counts, noise no families."""
    one = cohort(ROWS)
    del one.variables["n_replies"]
    settings = {"*": NO_DRAWS["*"] | {"family_draws": 100, "noise_draws": 100, "noise_floor": 1e-6, "is_noise_clipped": True}}
    found = {(r["method"], r["selection"]): r for r in association_draws([one], settings)}
    assert found["family bootstrap", "all"]["n_draws_kept"] > 90
    assert "no counts" in str(found["errors in variables", "all"]["reason"])
    two = cohort([r for r in ROWS if r.family in ("Google", "Qwen")])
    found = {(r["method"], r["selection"]): r for r in association_draws([two], settings)}
    assert found["errors in variables", "all"]["n_draws_kept"] == 100
    assert "too few families" in str(found["family bootstrap", "all"]["reason"])


def test_the_bootstraps_give_every_published_digit() -> None:
    found = errors_in_variables(ROWS)
    # The mean tells a wrong order of draws, which median and interval hardly do.
    assert found.mean == pytest.approx(0.7990927, abs=5e-8)
    assert (found.median, found.lower, found.upper, found.share_positive) == pytest.approx(
        (0.8021978021978022, 0.7098901098901099, 0.8725274725274725, 1.0), abs=1e-12
    )
    found = family_bootstrap(POINTS)
    assert found.n_draws == 10_000
    assert (found.lower, found.upper) == pytest.approx((0.3859649122807018, 0.9189189189189189), abs=1e-12)


def test_the_bootstrap_by_weights_is_that_of_the_concatenated_rows() -> None:
    found, rng = family_bootstrap(POINTS, 200), np.random.default_rng(227112989)
    names = sorted({r.family for r in ROWS})
    drawn = []
    for _ in range(200):
        picked = [r for i in rng.integers(0, 7, 7) for r in ROWS if r.family == names[i]]
        try:
            drawn.append(spearman([r.alpha for r in picked], [r.collapse_percent for r in picked]))
        except PermutationError:
            continue
    assert found.n_draws == len(drawn)
    assert (found.median, found.lower) == pytest.approx((np.median(drawn), np.percentile(drawn, 2.5)), abs=1e-12)


def test_families_are_predicted_under_the_uncertainty_of_every_collapse() -> None:
    found = propagate_left_out(ROWS)
    assert [round(x, 2) for x in found["Qwen"]["80"]] == [2.22, 14.60] and round(found["Qwen"]["95"][1], 2) == 19.76
    observed = {r["family"]: r["observed"] for r in family_predictions([cohort(ROWS)], NO_DRAWS)}
    covered = [sum(found[f][level][0] <= observed[f] <= found[f][level][1] for f in found) for level in ("80", "95")]
    assert covered == [5, 7]
    with pytest.raises(ValueError, match="too few"):
        propagate_left_out(ROWS[:4])


def test_the_pairs_that_screen_and_accuracy_order_differently() -> None:
    every = pairwise_audit(ROWS, ACCURACY)
    assert len(every) == 91 and all(p.follows is None and p.p_holm is None for p in every if not p.is_reordered)
    found = [p for p in every if p.is_reordered]
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

    assert families_needed(1.0) is None
    assert round(power(0.767, 7, 1), 3) == 0.419
    with pytest.raises(ValueError):
        power(0.5, 4, 1)


@pytest.mark.parametrize("b, c, p", [(3, 3, 1.0), (4, 7, 0.549), (5, 0, 0.0625), (6, 1, 0.125), (0, 0, 1.0)])
def test_mcnemar_exact(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c).p_exact == pytest.approx(p, abs=5e-4)


def test_mcnemar_corrected_is_the_published_variant() -> None:
    # Equal counts give 1 / n: the correction is not stopped at 0.
    found = mcnemar(13, 13)
    assert (found.chi_square, found.p_chi_square) == pytest.approx((0.038461538461538464, 0.8445192674729399), rel=1e-12)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_symmetric_but_for_its_direction(b: int, c: int) -> None:
    found, mirrored = mcnemar(b, c), mcnemar(c, b)
    assert (found.p_exact, found.p_chi_square) == (mirrored.p_exact, mirrored.p_chi_square)
    if b + c:
        assert found.p_exact_greater == pytest.approx(stats.binom.sf(b - 1, b + c, 0.5), abs=1e-12)


def test_the_smaller_group_by_rank_sum() -> None:
    assert rank_sum([1, 2, 3], [4, 5, 6])[0] == 0
    with pytest.raises(ValueError):
        rank_sum([1, 1], [1])
