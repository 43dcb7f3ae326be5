"""Inference over model rows and families: intervals, leave-one-family-out prediction, pairwise audit, planning, paired tests.

Sources: paper sections 3.4, 4.2, 4.3, C.2 to C.6 and G.1; `ledger_formats` 2.8, 2.9, 2.13, 2.24 and 2.26.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import special, stats

from debate_ledger.probes import holm


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

    ``z`` is 1.96, as in the paper's headline, or 1.959964 (`scipy.special.ndtri(.975)`). For a partial correlation ``n`` is the number of
    points less the number of controls. Raises ValueError for n < 4 or |rho| >= 1.
    """
    if n < 4 or not abs(rho) < 1:
        raise ValueError(f"need |rho| < 1 and n > 3, got {rho} and {n}")
    half = z / math.sqrt(n - 3)
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)


def kendall_interval(tau: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """Interval of Kendall's tau by Fisher's z with Fieller's variance: tanh(atanh(tau) -/+ z sqrt(.437 / (n - 4))).

    Source: Fieller, Hartley and Pearson, Biometrika 44 (1957). Raises ValueError for n < 5 or |tau| >= 1.
    """
    if n < 5 or not abs(tau) < 1:
        raise ValueError(f"need |tau| < 1 and n > 4, got {tau} and {n}")
    half = z * math.sqrt(0.437 / (n - 4))
    return math.tanh(math.atanh(tau) - half), math.tanh(math.atanh(tau) + half)


def t_approximation(rho: float, n: int, controls: int = 0) -> tuple[float, float] | None:
    """(two-sided p, one-sided p for a positive association) of a correlation by Student's t with n - k - 2 degrees of freedom.

    None where there is no degree of freedom left.
    """
    df = n - 2 - controls
    if df < 1:
        return None
    if abs(rho) >= 1:
        return 0.0, 0.0 if rho > 0 else 1.0
    t = rho * math.sqrt(df / ((1 - rho) * (1 + rho)))
    return float(2 * special.stdtr(df, -abs(t))), float(special.stdtr(df, -t))


def effective_number(families: Sequence[str]) -> float:
    """Inverse Simpson number of families: 1 / sum of squared shares; ``families`` names the family of each row."""
    n = len(families)
    return n * n / sum(k * k for k in Counter(families).values())


def _rounded(value: float) -> float:
    """To 12 significant digits: means of different rows that are equal must tie, and their doubles may differ in the last digit."""
    return float(f"{value:.12g}")


#: How rows of a family become one point.
SUMMARIES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "family mean": lambda values: _rounded(math.fsum(values) / len(values)),
    "family median": lambda values: _rounded(statistics.median(values)),
}


@dataclass(frozen=True)
class Prediction:
    """A family predicted from the others: the line's value, its standard error, and intervals in the unit of the outcome."""

    observed: float
    predicted: float
    standard_error: float
    interval_80: tuple[float, float]
    interval_95: tuple[float, float]


def predict_left_out(points: Mapping[str, tuple[float, float]]) -> dict[str, Prediction]:
    """Leave-one-family-out regression of conditional collapse on flip rate with prediction intervals (C.4, `ledger_formats` 2.13).

    ``points`` maps a family to (alpha, outcome). Least squares over the others, n - 1 points and n - 3 degrees of freedom; the intervals
    are not cut at 0 or 100. Raises ValueError for fewer than four families or others without spread in alpha.
    """
    if len(points) < 4:
        raise ValueError(f"{len(points)} families are too few to predict one from the others: at least 4")
    found = {}
    for family, (alpha, observed) in points.items():
        x, y = np.array([p for name, p in points.items() if name != family]).T
        predicted, error = line_at(x, y, alpha)
        intervals = []
        for upper in (0.9, 0.975):
            half = float(stats.t.ppf(upper, len(x) - 2)) * float(error)
            intervals.append((float(predicted) - half, float(predicted) + half))
        found[family] = Prediction(observed, float(predicted), float(error), *intervals)
    return found


def line_at(x: NDArray[np.float64], y: NDArray[np.float64], at: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Value of the least-squares line at a new point, and the standard error of a new observation there.

    ``x`` has shape (n,), ``y`` shape (..., n): one line per row of y. Raises ValueError where x has no spread.
    """
    n, center = len(x), x.mean()
    s_xx = float(((x - center) ** 2).sum())
    # A mean of equal doubles may be off by one digit, so the spread is looked at, not the sum of squares.
    if np.ptp(x) <= 1e-12 * np.abs(x).max():
        raise ValueError("the other families do not differ in their flip rate")
    middle = y.mean(axis=-1)
    slope = ((x - center) * (y - middle[..., None])).sum(axis=-1) / s_xx
    residual = y - middle[..., None] - slope[..., None] * (x - center)
    variance = (residual**2).sum(axis=-1) / (n - 2)
    return middle + slope * (at - center), np.sqrt(variance * (1 + 1 / n + (at - center) ** 2 / s_xx))


@dataclass(frozen=True)
class Pair:
    """Two rows, whether flip rate and initial accuracy order them differently, and which of the two the collapse follows.

    ``follows`` and ``p_holm`` are None for a pair that is not reordered.
    """

    first: str
    second: str
    is_reordered: bool
    follows: str | None
    p: float
    p_holm: float | None


def pairwise_audit(rows: Sequence[ModelRow], accuracy: Sequence[float]) -> list[Pair]:
    """Every pair of rows; reordered is one whose row with the higher flip rate has the higher initial accuracy too (G.1, 2.24).

    ``follows`` is alpha where the row with the higher flip rate collapses more, accuracy where the one with the lower accuracy does, tie
    where both collapse alike. p is Fisher's exact test of collapses against kept majorities, Holm over the reordered pairs.
    """
    found = []
    for (i, a), (j, b) in combinations(enumerate(rows), 2):
        is_reordered = (a.alpha - b.alpha) * (accuracy[i] - accuracy[j]) > 0
        # Compared as fractions, so that equal rates are equal.
        difference = a.n_collapse * b.n_initial_correct - b.n_collapse * a.n_initial_correct
        follows = "tie" if difference == 0 else "alpha" if (difference > 0) == (a.alpha > b.alpha) else "accuracy"
        table = [[r.n_collapse, r.n_initial_correct - r.n_collapse] for r in (a, b)]
        p = float(stats.fisher_exact(table).pvalue)
        found.append(Pair(a.model, b.model, is_reordered, follows if is_reordered else None, p, None))
    adjusted = iter(holm([pair.p for pair in found if pair.is_reordered]))
    return [Pair(q.first, q.second, True, q.follows, q.p, next(adjusted)) if q.is_reordered else q for q in found]


def power(rho: float, families: int, controls: int = 0) -> float:
    """Power of a two-sided 5 % test of a correlation over families: Phi(atanh |rho| sqrt(G - k - 3) - 1.96) (G.1).

    Raises ValueError for |rho| >= 1 or fewer than k + 4 families.
    """
    if families < controls + 4 or abs(rho) >= 1:
        raise ValueError(f"need |rho| < 1 and at least {controls + 4} families")
    return float(special.ndtr(math.atanh(abs(rho)) * math.sqrt(families - controls - 3) - 1.96))


def families_needed(rho: float, controls: int = 0, target: float = 0.8, largest: int = 1000) -> int | None:
    """Smallest number of families with that power; None beyond ``largest`` and for |rho| = 1."""
    if abs(rho) >= 1:
        return None
    return next((g for g in range(controls + 4, largest + 1) if power(rho, g, controls) >= target), None)


@dataclass(frozen=True)
class PairedTest:
    """McNemar's test: exact (two-sided, and one-sided for ``b``) and corrected chi-square with its p."""

    p_exact: float
    p_exact_greater: float
    chi_square: float
    p_chi_square: float


def mcnemar(b: int, c: int) -> PairedTest:
    """McNemar's test of ``b`` against ``c`` discordant pairs (`ledger_formats` 2.26, 2.27); every p is 1 without discordant pairs.

    Raises ValueError for negative counts.
    """
    if min(b, c) < 0:
        raise ValueError("counts are not negative")
    if b + c == 0:
        return PairedTest(1.0, 1.0, 0.0, 1.0)
    # The published variant does not stop the correction at 0: equal counts give 1 / n.
    chi_square = (abs(b - c) - 1) ** 2 / (b + c)
    two_sided, greater = (float(stats.binomtest(b, b + c, alternative=a).pvalue) for a in ("two-sided", "greater"))
    return PairedTest(two_sided, greater, chi_square, float(special.chdtrc(1, chi_square)))


def rank_sum(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Mann-Whitney's U of ``first`` and the one-sided asymptotic p that it is the smaller group.

    Ties and continuity are corrected for. Raises ValueError where a group is empty or nothing differs.
    """
    if not first or not second or len({*first, *second}) < 2:
        raise ValueError("need two groups with values that differ")
    found = stats.mannwhitneyu(first, second, alternative="less", method="asymptotic")
    return float(found.statistic), float(found.pvalue)


PAIRED_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "source comparison outcome".split()],
        *[(c, pa.int64()) for c in "n_pairs b c".split()],
        *[(c, pa.float64()) for c in "p_exact p_exact_greater chi_square p_chi_square".split()],
    ]
)


def paired_tests(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """McNemar's tests of rows with source, comparison, outcome, n_pairs, b and c; rows as in `PAIRED_SCHEMA`."""
    found = []
    for row in rows:
        test = mcnemar(int(row["b"]), int(row["c"]))  # type: ignore[call-overload]
        found.append(
            {c: row[c] for c in ("source", "comparison", "outcome", "n_pairs", "b", "c")}
            | {"p_exact": test.p_exact, "p_exact_greater": test.p_exact_greater}
            | {"chi_square": test.chi_square, "p_chi_square": test.p_chi_square}
        )
    return found
