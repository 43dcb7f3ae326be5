"""The learned stump: freeze where one feature of the start or of round 1 is beyond one threshold (`ledger_formats` 2.20).

Debates come as kinds with counts (`int_replay_kinds`), so that a million of them are a few thousand rows. Thresholds are rounded to 12
decimals and compared with unrounded values, as published: 2/3 rounds up, so `>= 0.666666666667` leaves exact two thirds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Percentiles that are thresholds of every feature; a feature of few values has each of them too.
PERCENTILES = tuple(range(0, 101, 5))
FEW_VALUES = 25
GATE_COST = 0.02
MIN_SOURCES = 4


@dataclass(frozen=True)
class Stump:
    """Fires where the feature is at least (``high``) or at most (``low``) the threshold; a missing value counts as ``fill``."""

    feature: str
    direction: str
    threshold: float
    fill: float
    objective: float
    n_train: int

    def fires(self, values: Floats) -> Bools:
        """Whether it fires, for values of its feature (NaN where missing)."""
        known = np.where(np.isnan(values), self.fill, values)
        return known >= self.threshold if self.direction == "high" else known <= self.threshold


def percentile(values: Floats, counts: Ints, percentages: Sequence[float]) -> Floats:
    """`np.percentile` (linear) of values that each count so many times, without repeating them; values in any order."""
    order = np.argsort(values, kind="stable")
    v, ends = values[order], np.cumsum(counts[order])
    place = np.asarray(percentages) / 100 * (ends[-1] - 1)
    below = np.floor(place).astype(np.int64)
    low = v[np.searchsorted(ends, below, side="right")]
    high = v[np.searchsorted(ends, np.minimum(below + 1, ends[-1] - 1), side="right")]
    t = place - below
    # As numpy interpolates: from the nearer end, so that no last digit differs.
    return np.where(t >= 0.5, high - (high - low) * (1 - t), low + (high - low) * t)


def learn_stump(names: Sequence[str], features: Floats, counts: Ints, prevented: Ints, lost: Ints) -> Stump | None:
    """The stump with the largest objective on kinds of debates; None where no gate is better than none.

    ``features`` has shape (kinds, features), NaN where missing; ``counts`` says how many debates are of each kind, ``prevented`` and
    ``lost`` how many of them a freeze would save and throw away. Objective: (prevented - lost - .02 fired) / debates. Ties go to the larger
    net, then fewer lost, then fewer fired, then to what comes first: by feature, then threshold, then high before low.
    """
    n = int(counts.sum())
    if n == 0:
        return None
    best_key: tuple[float, float, int, float] = (0.0, 0.0, 0, 0.0)
    best: Stump | None = None
    for j, name in enumerate(names):
        column = features[:, j]
        known = ~np.isnan(column)
        if not counts[known].sum():
            continue
        # A product of value and count is not exact, so the sum goes over values in order: the same on every run.
        order = np.argsort(column[known], kind="stable")
        fill = float((column[known][order] * counts[known][order]).sum() / counts[known].sum())
        values = np.where(known, column, fill)
        distinct = np.unique(values[counts > 0])
        candidates = [*percentile(values, counts, PERCENTILES), *(distinct if len(distinct) <= FEW_VALUES else [])]
        for threshold in np.unique(np.round(candidates, 12)):
            for direction, fired in (("high", values >= threshold), ("low", values <= threshold)):
                gated, saved, thrown = (int(c[fired].sum()) for c in (counts, prevented, lost))
                objective = (saved - thrown) / n - GATE_COST * (gated / n)
                key = (objective, (saved - thrown) / n, -thrown, -gated / n)
                if key > best_key:
                    best_key, best = key, Stump(name, direction, float(threshold), fill, objective, n)
    return best
