"""Seeded draws behind an association: errors in variables, families drawn with replacement, Jeffreys propagation.

Sources: paper sections C.4 and C.6, tables 23 and 26; `ledger_formats` 2.14 to 2.16. The order of the draws is part of the definition:
another order gives other digits. What follows the draws is done for all of them at once, ranks as integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from debate_ledger.inference import ModelRow, line_at

Result = TypeVar("Result")


def _remembered(drawn: Callable[..., Result]) -> Callable[..., Result]:
    """Remembers what was drawn: the published rows, with their draws and seeds, are in every build of a process."""
    cached = lru_cache(maxsize=256)(drawn)

    @wraps(drawn)
    def call(rows: Sequence[object], *settings: object, **named: object) -> Result:
        return cached(tuple(rows), *settings, **named)

    return call


@dataclass(frozen=True)
class Draws:
    """Mean, median, percentile interval and share above 0 of drawn correlations, and how many of the draws had one."""

    mean: float
    median: float
    lower: float
    upper: float
    share_positive: float
    n_draws: int


def _summary(drawn: NDArray[np.float64]) -> Draws:
    if not len(drawn):
        raise ValueError("no draw has a correlation")
    lower, upper = np.percentile(drawn, [2.5, 97.5])
    return Draws(float(drawn.mean()), float(np.median(drawn)), float(lower), float(upper), float((drawn > 0).mean()), len(drawn))


def _correlations(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's correlation of each row of x and y, shape (draws, n); rows without spread are left out."""
    ranks = [np.rint(2 * stats.rankdata(v, axis=1)).astype(np.int64) for v in (x, y)]
    return _weighted(ranks[0], ranks[1], np.ones_like(ranks[0]))


def _weighted(x: NDArray[np.int64], y: NDArray[np.int64], weight: NDArray[np.int64]) -> NDArray[np.float64]:
    """Pearson's correlation of integers under integer weights, row by row, all of shape (draws, n)."""
    n = weight.sum(axis=1)

    def cross(p: NDArray[np.int64], q: NDArray[np.int64]) -> NDArray[np.int64]:
        return n * (weight * p * q).sum(axis=1) - (weight * p).sum(axis=1) * (weight * q).sum(axis=1)

    v_x, v_y = cross(x, x), cross(y, y)
    kept = (v_x > 0) & (v_y > 0)
    return cross(x, y)[kept] / np.sqrt(v_x[kept].astype(float)) / np.sqrt(v_y[kept].astype(float))


@_remembered
def errors_in_variables(
    rows: Sequence[ModelRow], draws: int = 20_000, seed: int = 20260427, floor: float = 1e-6, is_clipped: bool = True
) -> Draws:
    """Spearman's correlation under the uncertainty of both sides (C.6 R1, `ledger_formats` 2.14).

    Each draw takes, in the order of ``rows``, first a normal flip rate for every row, of standard deviation
    sqrt(max(alpha (1 - alpha), floor) / n_replies) and cut to [0, 1] where ``is_clipped``, and then a Jeffreys beta of its collapse for
    every row. Raises ValueError where no draw has a correlation.
    """
    rng = np.random.default_rng(seed)
    alpha = np.array([r.alpha for r in rows])
    spread = np.sqrt(np.maximum(alpha * (1 - alpha), floor) / np.array([r.n_replies for r in rows]))
    k, n = (np.array([getattr(r, name) for r in rows]) for name in ("n_collapse", "n_initial_correct"))
    x, y = np.empty((2, draws, len(rows)))
    for i in range(draws):
        x[i] = rng.normal(alpha, spread)
        y[i] = rng.beta(k + 0.5, n - k + 0.5)
    return _summary(_correlations(np.clip(x, 0, 1) if is_clipped else x, y))


@_remembered
def family_bootstrap(rows: Sequence[tuple[str, float, float]], draws: int = 10_000, seed: int = 227112989) -> Draws:
    """Spearman's correlation over model rows, families drawn with replacement (table 23, `ledger_formats` 2.16).

    ``rows`` are (family, flip rate, outcome). A draw takes as many families as there are, from the alphabetical list, and every row of each
    pick; a draw without spread is left out. Raises ValueError where no draw has a correlation.
    """
    names = sorted({family for family, _, _ in rows})
    picks = np.random.default_rng(seed).integers(0, len(names), (draws, len(names)))
    times = np.stack([(picks == i).sum(axis=1) for i in range(len(names))], axis=1)
    weight = times[:, [names.index(family) for family, _, _ in rows]]

    def ranks(values: Sequence[float]) -> NDArray[np.int64]:
        """Doubled mid-ranks among rows that count ``weight`` times: twice what lies below, plus what is equal, plus one."""
        v = np.array(values)
        return weight @ (2 * (v[:, None] < v) + (v[:, None] == v)) + 1

    return _summary(_weighted(ranks([x for _, x, _ in rows]), ranks([y for _, _, y in rows]), weight))


@_remembered
def propagate_left_out(rows: Sequence[ModelRow], draws: int = 20_000, seed: int = 20260430) -> dict[str, dict[str, tuple[float, float]]]:
    """Leave-one-family-out prediction under the uncertainty of every collapse (table 26, `ledger_formats` 2.15).

    One stream over the families in alphabetical order. Each draw takes a Jeffreys beta of the collapse for every row (those of the family
    left out too, in the order of ``rows``) and one value of Student's t with G - 3 degrees of freedom; the line through the other families'
    means gives a prediction of y + t SE. Returns the intervals between the 10th and 90th and between the 2.5th and 97.5th percentile, in
    percent, not cut at 0 or 100. Raises ValueError for fewer than four families or others without spread in alpha.
    """
    names = sorted({r.family for r in rows})
    if len(names) < 4:
        raise ValueError(f"{len(names)} families are too few to predict one from the others: at least 4")
    rng = np.random.default_rng(seed)
    k, n = (np.array([getattr(r, name) for r in rows]) for name in ("n_collapse", "n_initial_correct"))
    first, second = k + 0.5, n - k + 0.5
    members = np.array([[r.family == name for r in rows] for name in names], dtype=float)
    members /= members.sum(axis=1, keepdims=True)
    alpha = members @ np.array([r.alpha for r in rows])
    found = {}
    for i, name in enumerate(names):
        collapse, t = np.empty((draws, len(rows))), np.empty(draws)
        for d in range(draws):
            collapse[d] = rng.beta(first, second)
            t[d] = rng.standard_t(len(names) - 3)
        others = [j for j in range(len(names)) if j != i]
        predicted, error = line_at(alpha[others], 100 * collapse @ members[others].T, float(alpha[i]))
        bounds = np.percentile(predicted + t * error, [10, 90, 2.5, 97.5])
        found[name] = {"80": (float(bounds[0]), float(bounds[1])), "95": (float(bounds[2]), float(bounds[3]))}
    return found
