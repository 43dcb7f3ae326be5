"""Intervals of a proportion (paper, section 3.4 and appendix C.2; `ledger_formats` 2.8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from scipy import stats

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
    """Wilson score interval of successes / trials, as fractions in [0, 1].

    ``trials`` is positive. Raises ValueError unless 0 <= successes <= trials.
    """
    interval = stats.binomtest(successes, trials).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def jeffreys_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Equal-tailed interval of Beta(k + 1/2, n - k + 1/2), as fractions in [0, 1].

    The bounds are the quantiles themselves: the lower one is not forced to 0 at k = 0, nor the upper one to 1 at k = n.
    Raises ValueError unless 0 <= successes <= trials and trials > 0.
    """
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"need 0 <= successes <= trials and trials > 0, got {successes} of {trials}")
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = stats.beta.ppf(tails, successes + 0.5, trials - successes + 0.5)
    return float(low), float(high)


def intervals(pairs: Sequence[tuple[int, int]]) -> pa.Table:
    """Both intervals for each (successes, trials); one row per pair in the order given, see `INTERVALS_SCHEMA`."""
    rows = [(k, n, *wilson_interval(k, n), *jeffreys_interval(k, n)) for k, n in pairs]
    columns = list(zip(*rows, strict=True)) or [()] * len(INTERVALS_SCHEMA)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, INTERVALS_SCHEMA, strict=True)], schema=INTERVALS_SCHEMA)
