"""The trend test of unparsed answers: silent without a trend however answers hang together, loud with one."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ledger.round_bias import LEVEL, debate_score, loss_trends, rise_p_value

#: Name, and what it draws: unparsed answers as booleans of shape (debates, agents, rounds), without a trend.
RNG = np.random.Generator


def independent(rng: RNG) -> np.ndarray:
    return rng.random((150, 3, 4)) < 0.04


def hard_questions(rng: RNG) -> np.ndarray:
    """Few debates lose nearly everything, the others nothing."""
    return rng.random((150, 3, 4)) < rng.beta(0.1, 1.5, (150, 1, 1))


def whole_panels(rng: RNG) -> np.ndarray:
    """A round is lost with all of its answers."""
    return np.repeat(rng.random((150, 1, 4)) < 0.08, 3, axis=1)


def stubborn_agents(rng: RNG) -> np.ndarray:
    """An agent that was not read is not read in the next round either, nine times of ten: a series at its steady state."""
    lost = np.empty((150, 3, 6), dtype=bool)
    lost[..., 0] = rng.random((150, 3)) < 0.1
    for r in range(1, 6):
        again = rng.random((150, 3)) < 0.9
        fresh = rng.random((150, 3)) < 0.1
        lost[..., r] = np.where(again, lost[..., r - 1], fresh)
    return lost


def two_rounds_of_few(rng: RNG) -> np.ndarray:
    return rng.random((25, 3, 2)) < 0.3


NULLS = [independent, hard_questions, whole_panels, stubborn_agents, two_rounds_of_few]


def scores(lost: np.ndarray, lengths: np.ndarray | None = None) -> Counter[float]:
    agents, rounds = lost.shape[1:]
    held = lengths if lengths is not None else np.full(len(lost), rounds)
    return Counter(debate_score((r, agents, int(d[:, r].sum())) for r in range(n)) for d, n in zip(lost, held, strict=True))


def cochran_armitage(lost: np.ndarray) -> float:
    """One-sided p of the test that takes all answers for independent."""
    n, rounds = lost[..., 0].size, lost.shape[2]
    x = np.arange(rounds) - (rounds - 1) / 2
    k = lost.sum(axis=(0, 1))
    p = k.sum() / (n * rounds)
    z = (x * k).sum() / math.sqrt(p * (1 - p) * n * (x**2).sum()) if 0 < p < 1 else 0.0
    return math.erfc(z / math.sqrt(2)) / 2


@pytest.mark.parametrize("null", NULLS)
def test_without_a_trend_it_is_silent_in_at_least_95_of_100_draws(null: object) -> None:
    values = [rise_p_value(scores(null(np.random.default_rng(seed)))) for seed in range(200)]  # type: ignore[operator]
    assert sum(p is None or p >= LEVEL for p in values) >= 190
    # Also as a test at 5 %: 200 draws of a true level of 5 % give more than 19 alarms once in a hundred times.
    assert sum(p is not None and p < 0.05 for p in values) <= 19


def test_debates_that_stop_early_are_no_trend() -> None:
    """Hard debates last longer and lose more: the share by round rises, and no debate loses more in its later rounds."""
    alarms, naive = 0, 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(2, 6, 150)
        lost = rng.random((150, 3, 5)) < 0.04 * lengths[:, None, None]
        alarms += (rise_p_value(scores(lost, lengths)) or 1) < LEVEL
        asked = [int((lengths > r).sum()) * 3 for r in range(5)]
        share = [lost[lengths > r, :, r].sum() / n for r, n in enumerate(asked)]
        naive += share[4] > share[0]
    assert alarms <= 10 and naive > 150


def test_a_test_that_takes_answers_for_independent_would_not_do() -> None:
    values = [cochran_armitage(whole_panels(np.random.default_rng(seed))) for seed in range(200)]
    assert sum(p < 0.05 for p in values) > 20


@pytest.mark.parametrize("rise", [0.03, 0.06])
def test_a_planted_rise_is_told(rise: float) -> None:
    n_told = 0
    for seed in range(50):
        rng = np.random.default_rng(seed)
        lost = rng.random((300, 3, 4)) < 0.01 + rise * np.arange(4)
        n_told += (rise_p_value(scores(lost)) or 1) < LEVEL
    assert n_told >= 49


def test_a_fall_is_no_rise() -> None:
    lost = np.random.default_rng(0).random((300, 3, 4)) < 0.2 - 0.05 * np.arange(4)
    assert rise_p_value(scores(lost)) > 0.99


def test_a_score_is_centred_on_the_answers_that_were_asked_for() -> None:
    assert debate_score([(0, 3, 0), (1, 3, 0), (2, 3, 2)]) == 2.0
    assert debate_score([(0, 3, 1), (1, 3, 1), (2, 3, 1)]) == 0.0
    # Agents that were not asked in the last round cannot be lost there.
    assert debate_score([(0, 3, 1), (1, 1, 1)]) == pytest.approx(0.5)
    assert debate_score([]) == 0.0


@given(st.dictionaries(st.sampled_from([-3.0, -1.5, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0]), st.integers(1, 2), min_size=1, max_size=5))
def test_the_p_value_is_that_of_all_signs(found: dict[float, int]) -> None:
    sizes = [abs(s) for s, n in found.items() for _ in range(n)]
    total = sum(s * n for s, n in found.items())
    sums = [sum(a * b for a, b in zip(sizes, signs, strict=True)) for signs in itertools.product((-1, 1), repeat=len(sizes))]
    exact = sum(x >= total - 1e-9 for x in sums) / len(sums)
    assert rise_p_value(found) == pytest.approx(exact, abs=0.03)
    assert rise_p_value(dict(reversed(found.items()))) == rise_p_value(found)
    assert rise_p_value(found | {0.0: 1000}) == rise_p_value(found)


def test_nothing_lost_is_no_trend() -> None:
    assert rise_p_value({}) is None and rise_p_value({0.0: 10}) is None
    with pytest.raises(ValueError, match="cannot be -1"):
        rise_p_value({1.0: -1})


def test_rows_have_their_share_and_the_trend_of_their_lane() -> None:
    rounds = [("c", "l", "m", "stored", r, 300, k) for r, k in enumerate((0, 10, 20))] + [("c", "quiet", "m", "stored", 0, 5, 0)]
    table = loss_trends(rounds, [("c", "l", "m", "stored", 1.0, 15), ("c", "l", "m", "stored", 0.0, 3)]).to_pylist()
    assert [(r["round"], r["n_unparsed"], r["is_loss_rising"], r["n_debates_in_trend"]) for r in table] == [
        (0, 0, True, 15), (1, 10, True, 15), (2, 20, True, 15), (0, 0, False, 0),
    ]  # fmt: skip
    assert table[1]["unparsed_rate"] == pytest.approx(1 / 30) and table[1]["unparsed_rate_ci_lower"] < 1 / 30
    assert table[3]["trend_p"] is None
    assert loss_trends([], []).num_rows == 0
