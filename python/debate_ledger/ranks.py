"""Mid-ranks and what is made of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def mid_ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of their places. ``values`` is one-dimensional without NaN."""
    _, inverse, counts = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


def auc(scores: ArrayLike, labels: ArrayLike) -> float | None:
    """Area under the ROC curve of ``scores`` for the true ``labels``: Mann-Whitney with mid-ranks (`ledger_formats` 2.17).

    Both have shape (n,). None where all labels are alike. Raises ValueError for NaN in the scores or lengths that differ.
    """
    x, y = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    if x.shape != y.shape or np.isnan(x).any():
        raise ValueError("need as many scores as labels, and no NaN")
    n_true, n_false = int(y.sum()), int((~y).sum())
    if n_true == 0 or n_false == 0:
        return None
    # Doubled ranks are integers, so their sum is exact.
    doubled = np.rint(2 * mid_ranks(x)).astype(np.int64)
    return float((int(doubled[y].sum()) / 2 - n_true * (n_true + 1) / 2) / (n_true * n_false))
