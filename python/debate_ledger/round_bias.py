"""Whether answers get lost more often the longer a debate runs: a trend test whose unit is the debate.

Answers of one debate hang together: an agent that cannot be read in round 1 is seldom read in round 2, and a hard question loses the whole
panel. A trend test that takes answers for independent (Cochran–Armitage, Biometrics 11, 1955, 375–386) calls that a trend far too often.
Here each debate gives its own share of the same statistic, centred within the debate,

    score = Σ over rounds of (round − mean round of the answers asked) × unparsed answers,

so that what debates, agents and questions have in common drops out. Without a trend a score is as likely as its opposite, whatever hangs
together inside a debate (a series of answers and the same series backwards are equally likely), so signs are flipped at random (Fisher's
randomization test; Lehmann and Romano, Testing Statistical Hypotheses, section 17.2). The p-value is exact up to the draws, and needs no
large numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from debate_ledger.intervals import wilson_interval

#: A rise is told below this one-sided p: a lane without a trend is told in one of a hundred cases.
LEVEL = 0.01
DRAWS = 9_999
SEED = 20261130
#: Scores are compared to this many decimals, so that equal ones are equal.
DECIMALS = 6

Key = tuple[object, ...]
TRENDS_SCHEMA = pa.schema(
    [
        ("cohort", pa.string()),
        ("lane", pa.string()),
        ("model", pa.string()),
        ("profile", pa.string()),
        ("round", pa.int32()),
        ("n_answers", pa.int64()),
        ("n_unparsed", pa.int64()),
        ("unparsed_rate", pa.float64()),
        ("unparsed_rate_ci_lower", pa.float64()),
        ("unparsed_rate_ci_upper", pa.float64()),
        ("n_debates_in_trend", pa.int64()),
        ("trend", pa.float64()),
        ("trend_p", pa.float64()),
        ("is_loss_rising", pa.bool_()),
    ]
)


def debate_score(rounds: Iterable[tuple[int, int, int]]) -> float:
    """Score of one debate from (round, answers asked, of these unparsed); positive where the later rounds lose more."""
    rows = list(rounds)
    asked = sum(n for _, n, _ in rows)
    if not asked:
        return 0.0
    center = sum(r * n for r, n, _ in rows) / asked
    return round(sum((r - center) * lost for r, _, lost in rows), DECIMALS)


def rise_p_value(scores: Mapping[float, int], *, draws: int = DRAWS, seed: int = SEED) -> float | None:
    """One-sided p-value of a rise, from how many debates have each score (see `debate_score`).

    Debates with the score 0 say nothing. Null without any other. The same scores give the same value in any order.
    """
    sizes: Counter[float] = Counter()
    total = 0.0
    for score, n in scores.items():
        if n < 0:
            raise ValueError(f"a number of debates cannot be {n}")
        sizes[abs(score)] += n
        total += score * n
    sizes = Counter({size: n for size, n in sizes.items() if size and n})
    if not sizes:
        return None
    rng = np.random.default_rng(seed)
    flipped = np.zeros(draws)
    for size, n in sorted(sizes.items()):
        flipped += size * (2 * rng.binomial(n, 0.5, draws) - n)
    # Sums of the same scores in another order differ in their last digits.
    return float((1 + np.count_nonzero(flipped >= total - 1e-9 * max(1.0, abs(total)))) / (draws + 1))


def loss_trends(rounds: Sequence[tuple], scores: Sequence[tuple]) -> pa.Table:
    """One row per lane, profile and round, with the trend of its lane and profile beside it.

    ``rounds`` holds (cohort, lane, model, profile, round, answers, unparsed), ``scores`` (cohort, lane, model, profile, score, debates).
    """
    by_lane: dict[Key, dict[float, int]] = {}
    for *key, score, n in scores:
        by_lane.setdefault(tuple(key), {})[float(score)] = n
    trends = {key: (sum(n for s, n in found.items() if s), sum(s * n for s, n in sorted(found.items())), rise_p_value(found))
              for key, found in by_lane.items()}  # fmt: skip
    rows = []
    for *key, number, n, lost in rounds:
        n_debates, trend, p = trends.get(tuple(key), (0, 0.0, None))
        lower, upper = wilson_interval(lost, n) if n else (None, None)
        rows.append((*key, number, n, lost, lost / n if n else None, lower, upper, n_debates, trend, p, p is not None and p < LEVEL))
    columns = list(zip(*rows, strict=True)) or [()] * len(TRENDS_SCHEMA)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, TRENDS_SCHEMA, strict=True)], schema=TRENDS_SCHEMA)
