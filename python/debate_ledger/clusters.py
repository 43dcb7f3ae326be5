"""Bootstrap draws as counts: how often each row or cluster is drawn, never the drawn rows themselves.

A resampled statistic that is a sum over rows needs only the number of times that each row counts, so a bootstrap is a product of a matrix
of counts with a matrix of sums. Published intervals use Python's own generator; its stream is computed here for all draws at once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Ints = NDArray[np.int64]


def python_indices(seed: int, n: int, size: int) -> NDArray[np.int64]:
    """What ``random.Random(seed)`` gives for ``size`` calls of ``randrange(n)`` (or ``choice`` of a list of n), shape (size,).

    Python takes the top bits of a 32-bit word of the Mersenne Twister and draws again while they are not below n. Raises ValueError unless
    0 < n <= 2^32.
    """
    if not 0 < n <= 2**32:
        raise ValueError(f"need 0 < n <= 2^32, got {n}")
    key = random.Random(seed).getstate()[1]
    twister = np.random.MT19937()
    twister.state = {"bit_generator": "MT19937", "state": {"key": np.array(key[:-1], dtype=np.uint32), "pos": key[-1]}}
    bits = n.bit_length()
    found: list[NDArray[np.int64]] = []
    missing = size
    while missing:
        words = twister.random_raw(int(missing * 2**bits / n * 1.01) + 100)
        drawn = (words >> np.uint64(32 - bits)).astype(np.int64) if bits <= 32 else words.astype(np.int64)
        drawn = drawn[drawn < n][:missing]
        found.append(drawn)
        missing -= len(drawn)
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def python_counts(seed: int, n: int, draws: int) -> Counts:
    """Times that each of n is drawn in ``draws`` resamples of size n by Python's generator, one after the other; shape (draws, n)."""
    drawn = python_indices(seed, n, draws * n).reshape(draws, n) + n * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n)


def cluster_counts(seed: int, sizes: Sequence[int], draws: int) -> Counts:
    """Times that clusters of each kind are drawn in resamples of all clusters with replacement, shape (draws, kinds).

    ``sizes`` says how many clusters there are of each kind: clusters with the same sums are one kind, so that millions of clusters are a
    few kinds. Multinomial draws of numpy's default generator.
    """
    share = np.asarray(sizes, dtype=float)
    n = int(share.sum())
    return np.random.default_rng(seed).multinomial(n, share / n, size=draws)


def numbered(values: pa.ChunkedArray, up_to: int) -> tuple[list[str], Ints]:
    """(names, number of each row) of texts: in sorted order for up to so many names, as they come beyond, where sorting takes long."""
    encoded = values.combine_chunks().cast(pa.string()).dictionary_encode()
    names, index = encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
    if len(names) > up_to:
        return names, index
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    return [names[i] for i in order], rank[index]


def interval(drawn: NDArray[np.float64], level: float = 0.95) -> tuple[float, float] | None:
    """Percentile interval with linear interpolation; None without a draw. Draws that are NaN do not count."""
    kept = drawn[np.isfinite(drawn)]
    if not len(kept):
        return None
    low, high = np.percentile(kept, [50 * (1 - level), 50 * (1 + level)])
    return float(low), float(high)
