"""Intervals of a proportion (paper, section 3.4 and appendix C.2; `ledger_formats` 2.8)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from scipy import special

CONFIDENCE = 0.95

INTERVALS_SCHEMA = pa.schema(
    [
        ("successes", pa.int64()),
        ("trials", pa.int64()),
        ("wilson_lower", pa.float64()),
        ("wilson_upper", pa.float64()),
        ("jeffreys_lower", pa.float64()),
        ("jeffreys_upper", pa.float64()),
    ]
)


def wilson_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson score interval of successes / trials, as fractions in [0, 1] (equal to the one of ``scipy.stats.binomtest``).

    ``trials`` is positive. Raises ValueError unless 0 <= successes <= trials.
    """
    _check(successes, trials)
    z = special.ndtri((1 + confidence) / 2)
    p, spread = successes / trials, 1 + z**2 / trials
    center = (p + z**2 / (2 * trials)) / spread
    half = z / spread * math.sqrt(p * (1 - p) / trials + z**2 / (4 * trials**2))
    # At the ends the difference is 0 or 1 but for rounding.
    return float(center - half) if successes else 0.0, float(center + half) if successes < trials else 1.0


def jeffreys_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Equal-tailed interval of Beta(k + 1/2, n - k + 1/2), as fractions in [0, 1].

    The bounds are the quantiles themselves: the lower one is not forced to 0 at k = 0, nor the upper one to 1 at k = n.
    Raises ValueError unless 0 <= successes <= trials and trials > 0.
    """
    _check(successes, trials)
    low, high = special.betaincinv(successes + 0.5, trials - successes + 0.5, _tails(confidence))
    return float(low), float(high)


def _tails(confidence: float) -> tuple[float, float]:
    return (1 - confidence) / 2, (1 + confidence) / 2


def _check(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"need 0 <= successes <= trials and trials > 0, got {successes} of {trials}")


def intervals(pairs: Sequence[tuple[int, int]]) -> pa.Table:
    """Both intervals for each (successes, trials); one row per pair in the order given, see `INTERVALS_SCHEMA`."""
    rows = [(k, n, *wilson_interval(k, n)) for k, n in pairs]
    k, n = (np.array([pair[i] for pair in pairs], dtype=float) for i in (0, 1))
    jeffreys = [special.betaincinv(k + 0.5, n - k + 0.5, tail) for tail in _tails(CONFIDENCE)]
    columns = [*(list(zip(*rows, strict=True)) or [()] * 4), *jeffreys]
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, INTERVALS_SCHEMA, strict=True)], schema=INTERVALS_SCHEMA)
