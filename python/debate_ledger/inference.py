"""Inference over model rows and families: intervals, leave-one-family-out, bootstraps, pairwise audit.

Sources: paper sections 3.4, 4.2, 4.3, C.2 to C.6 and G.1; `ledger_formats` 2.8, 2.9, 2.13 to 2.16, 2.24 and 2.26. Draws are seeded, and the
order of the draws is part of the definition: another order gives other digits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from debate_ledger.permutation import PermutationError, spearman
from debate_ledger.probes import holm
from debate_ledger.ranks import mid_ranks


@dataclass(frozen=True)
class ModelRow:
    """One model: family, flip rate, collapses of how many initially correct debates, and replies behind the flip rate."""

    model: str
    family: str
    alpha: float
    n_collapse: int
    n_initial_correct: int
    n_replies: int = 1200

    @property
    def collapse_percent(self) -> float:
        """Conditional collapse in percent."""
        return 100 * self.n_collapse / self.n_initial_correct


def fisher_z_interval(rho: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """Interval of a correlation by Fisher's z: tanh(atanh(rho) -/+ z / sqrt(n - 3)).

    ``z`` is 1.96, as in the paper's headline, or 1.959964 (`scipy.special.ndtri(.975)`). Raises ValueError for n < 4 or |rho| >= 1.
    """
    if n < 4 or not abs(rho) < 1:
        raise ValueError(f"need |rho| < 1 and n > 3, got {rho} and {n}")
    half = z / math.sqrt(n - 3)
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)


def effective_number(families: Sequence[str]) -> float:
    """Inverse Simpson number of families: 1 / sum of squared shares; ``families`` names the family of each row."""
    n = len(families)
    return n * n / sum(k * k for k in Counter(families).values())


def family_points(rows: Sequence[ModelRow]) -> dict[str, tuple[float, float]]:
    """Unweighted family means of flip rate and conditional collapse (percent), families in alphabetical order."""
    families: dict[str, list[ModelRow]] = {}
    for row in rows:
        families.setdefault(row.family, []).append(row)
    return {
        family: (math.fsum(r.alpha for r in members) / len(members), math.fsum(r.collapse_percent for r in members) / len(members))
        for family, members in sorted(families.items())
    }


def leave_one_family_out(rows: Sequence[ModelRow], level: str = "family") -> dict[str, float]:
    """Spearman's correlation of flip rate and conditional collapse without each family, over family means or over model rows."""
    found = {}
    for left_out in sorted({r.family for r in rows}):
        kept = [r for r in rows if r.family != left_out]
        points = list(family_points(kept).values()) if level == "family" else [(r.alpha, r.collapse_percent) for r in kept]
        found[left_out] = spearman(*zip(*points, strict=True))
    return found


@dataclass(frozen=True)
class Prediction:
    """A family predicted from the others: the line's value, its standard error, and intervals in the unit of the outcome."""

    observed: float
    predicted: float
    standard_error: float
    interval_80: tuple[float, float]
    interval_95: tuple[float, float]


def predict_left_out(points: dict[str, tuple[float, float]]) -> dict[str, Prediction]:
    """Leave-one-family-out regression of conditional collapse on flip rate with prediction intervals (C.4, `ledger_formats` 2.13).

    ``points`` maps a family to (alpha, outcome). Least squares over the others, n - 1 points and n - 3 degrees of freedom; the intervals
    are not cut at 0 or 100. Raises ValueError for fewer than four families or others without spread in alpha.
    """
    if len(points) < 4:
        raise ValueError("need at least four families")
    found = {}
    for family, (alpha, observed) in points.items():
        x, y = np.array([p for name, p in points.items() if name != family]).T
        predicted, error = _line(x, y, alpha)
        intervals = []
        for upper in (0.9, 0.975):
            half = stats.t.ppf(upper, len(x) - 2) * error
            intervals.append((predicted - half, predicted + half))
        found[family] = Prediction(observed, predicted, error, *intervals)
    return found


def _line(x: NDArray[np.float64], y: NDArray[np.float64], at: float) -> tuple[float, float]:
    """Value of the least-squares line at a new point, and the standard error of a new observation there."""
    n, center = len(x), x.mean()
    s_xx = float(((x - center) ** 2).sum())
    if s_xx == 0:
        raise ValueError("the other families do not differ in their flip rate")
    slope = float(((x - center) * (y - y.mean())).sum()) / s_xx
    residual = y - y.mean() - slope * (x - center)
    variance = float((residual**2).sum()) / (n - 2)
    return float(y.mean() + slope * (at - center)), math.sqrt(variance * (1 + 1 / n + (at - center) ** 2 / s_xx))


@dataclass(frozen=True)
class Draws:
    """Median, percentile interval and share above 0 of the drawn correlations."""

    median: float
    lower: float
    upper: float
    share_positive: float


def errors_in_variables(rows: Sequence[ModelRow], draws: int = 20_000, seed: int = 20260427) -> Draws:
    """Spearman's correlation under the uncertainty of both sides (C.6 R1, `ledger_formats` 2.14).

    Each draw takes, in the order of ``rows``, first a normal flip rate for every row, of standard deviation
    sqrt(max(alpha (1 - alpha), 1e-6) / n_replies) and cut to [0, 1], and then a Jeffreys beta of its collapse for every row.
    """
    rng = np.random.default_rng(seed)
    alpha = np.array([r.alpha for r in rows])
    spread = np.sqrt(np.maximum(alpha * (1 - alpha), 1e-6) / np.array([r.n_replies for r in rows]))
    k, n = (np.array([getattr(r, name) for r in rows]) for name in ("n_collapse", "n_initial_correct"))
    drawn = []
    for _ in range(draws):
        x = np.clip(rng.normal(alpha, spread), 0, 1)
        y = rng.beta(k + 0.5, n - k + 0.5)
        drawn.append(spearman(x, y))
    return _summary(np.array(drawn))


def _summary(drawn: NDArray[np.float64]) -> Draws:
    lower, upper = np.percentile(drawn, [2.5, 97.5])
    return Draws(float(np.median(drawn)), float(lower), float(upper), float((drawn > 0).mean()))


def family_bootstrap(rows: Sequence[ModelRow], draws: int = 10_000, seed: int = 227112989) -> Draws:
    """Spearman's correlation over model rows, families drawn with replacement (table 23, `ledger_formats` 2.16).

    A draw takes as many families as there are, from the alphabetical list, and every row of each pick; a draw without spread is left out.
    """
    rng = np.random.default_rng(seed)
    names = sorted({r.family for r in rows})
    members = {name: [r for r in rows if r.family == name] for name in names}
    drawn = []
    for _ in range(draws):
        picked = [r for i in rng.integers(0, len(names), len(names)) for r in members[names[i]]]
        try:
            drawn.append(spearman([r.alpha for r in picked], [r.collapse_percent for r in picked]))
        except PermutationError:
            continue
    return _summary(np.array(drawn))


@dataclass(frozen=True)
class Pair:
    """Two rows that flip rate and initial accuracy order differently, and which of the two the collapse follows."""

    first: str
    second: str
    follows: str
    p: float
    p_holm: float


def pairwise_audit(rows: Sequence[ModelRow], accuracy: Sequence[float]) -> list[Pair]:
    """Pairs of rows for which the one with the higher flip rate also has the higher initial accuracy (G.1, `ledger_formats` 2.24).

    ``follows`` is alpha where the row with the higher flip rate collapses more, accuracy where the one with the lower accuracy does, tie
    where both collapse alike. p is Fisher's exact test of collapses against kept majorities, Holm over the pairs.
    """
    found = []
    for (i, a), (j, b) in combinations(enumerate(rows), 2):
        if (a.alpha - b.alpha) * (accuracy[i] - accuracy[j]) <= 0:
            continue
        # Compared as fractions, so that equal rates are equal.
        difference = a.n_collapse * b.n_initial_correct - b.n_collapse * a.n_initial_correct
        follows = "tie" if difference == 0 else "alpha" if (difference > 0) == (a.alpha > b.alpha) else "accuracy"
        table = [[r.n_collapse, r.n_initial_correct - r.n_collapse] for r in (a, b)]
        found.append((a.model, b.model, follows, float(stats.fisher_exact(table).pvalue)))
    adjusted = holm([p for *_, p in found])
    return [Pair(*pair, q) for pair, q in zip(found, adjusted, strict=True)]


def families_needed(rho: float, controls: int = 0, power: float = 0.8, largest: int = 200) -> int | None:
    """Smallest number of families at which a two-sided 5 % test of ``rho`` has the power: Phi(atanh(rho) sqrt(G - k - 3) - 1.96) (G.1)."""
    for g in range(controls + 4, largest + 1):
        if special.ndtr(math.atanh(abs(rho)) * math.sqrt(g - controls - 3) - 1.96) >= power:
            return g
    return None


def mcnemar(b: int, c: int) -> tuple[float, float]:
    """McNemar's test of ``b`` against ``c`` discordant pairs (`ledger_formats` 2.26): (exact binomial p, p of the corrected chi-square).

    Both are 1 without discordant pairs. Raises ValueError for negative counts.
    """
    if min(b, c) < 0:
        raise ValueError("counts are not negative")
    if b + c == 0:
        return 1.0, 1.0
    corrected = (abs(b - c) - 1) ** 2 / (b + c) if b != c else 0.0
    return float(stats.binomtest(b, b + c).pvalue), float(special.chdtrc(1, corrected))


def rank_errors(points: dict[str, tuple[float, float]], predictions: dict[str, Prediction]) -> dict[str, float]:
    """Absolute difference of the mid-ranks of predicted and observed outcome, per family."""
    names = list(points)
    observed = mid_ranks([points[n][1] for n in names])
    predicted = mid_ranks([predictions[n].predicted for n in names])
    return {n: float(abs(o - p)) for n, o, p in zip(names, observed, predicted, strict=True)}
