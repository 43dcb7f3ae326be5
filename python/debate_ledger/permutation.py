"""Exact permutation tests of rank correlations: every order is counted, none is drawn (paper, sections 3.4 and C.2, C.3).

Spearman's correlation of mid-ranks is a linear function of the sum of products of ranks, and ranks are integers once doubled. So the
number of the n! orders with a sum at least as large as the observed one can be counted by dynamic programming: the values of one side
are handed out one after the other, and what is left of them is the state. Tied values are one state with a multiplicity, and the places
are split in two halves that meet in the middle. Nothing is rounded, so no tolerance decides a count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debate_ledger.ranks import mid_ranks

#: Beyond it n! is no 64-bit integer.
MAX_N = 20
#: Counts that a partial test may hold at a time unless it is told otherwise (8 bytes each, two layers).
MAX_CELLS = 60_000_000


class PermutationError(ValueError):
    """The test cannot be done on these values; the message says why and what to use instead."""


@dataclass(frozen=True)
class PermutationTest:
    """Outcome of an exact test: the statistic and how many of ``n_orders`` equally likely orders are at least as extreme."""

    statistic: float
    n_at_least: int
    n_at_most: int
    n_two_sided: int
    n_orders: int

    @property
    def p_greater(self) -> float:
        """One-sided p for a positive association."""
        return self.n_at_least / self.n_orders

    @property
    def p_less(self) -> float:
        """One-sided p for a negative association."""
        return self.n_at_most / self.n_orders

    @property
    def p_two_sided(self) -> float:
        """Share of the orders whose absolute statistic is at least the observed one."""
        return self.n_two_sided / self.n_orders


def integer_ranks(values: ArrayLike) -> NDArray[np.int64]:
    """Mid-ranks as integers: doubled where there are ties, as they are where not; a scale does not change a correlation.

    ``values`` has shape (n,). Raises PermutationError for NaN or fewer than two values.
    """
    x = np.asarray(values, dtype=float)
    if x.ndim != 1 or len(x) < 2 or np.isnan(x).any():
        raise PermutationError("need at least two values and no NaN")
    ranks = mid_ranks(x)
    return np.rint(ranks if np.all(ranks == np.rint(ranks)) else 2 * ranks).astype(np.int64)


def _cross(p: NDArray[np.int64], q: NDArray[np.int64]) -> int:
    """A covariance in integers: n times the sum of products minus the product of the sums."""
    return len(p) * int(p @ q) - int(p.sum()) * int(q.sum())


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's correlation of mid-ranks; PermutationError for different lengths or a vector without spread."""
    a, b = integer_ranks(x), integer_ranks(y)
    if len(a) != len(b):
        raise PermutationError(f"need pairs, got {len(a)} and {len(b)} values")
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        raise PermutationError("a vector without spread has no rank correlation")
    return _cross(a, b) / math.sqrt(_cross(a, a) * _cross(b, b))


def partial_spearman(x: ArrayLike, y: ArrayLike, control: ArrayLike) -> float:
    """Rank-residual partial Spearman of x and y given one control (`ledger_formats` 2.11); PermutationError where it is undefined."""
    a, b, z = integer_ranks(x), integer_ranks(y), integer_ranks(control)
    if not len(a) == len(b) == len(z):
        raise PermutationError(f"need triples, got {len(a)}, {len(b)} and {len(z)} values")
    v_x, v_y, v_z, c_xz, c_zy = _cross(a, a), _cross(b, b), _cross(z, z), _cross(a, z), _cross(z, b)
    if v_x == 0 or v_y == 0 or v_z == 0:
        raise PermutationError("a vector without spread has no rank correlation")
    first, second = v_x * v_z - c_xz**2, v_y * v_z - c_zy**2
    if first == 0 or second == 0:
        raise PermutationError("x or y is a function of the control: the partial correlation is undefined")
    return (_cross(a, b) * v_z - c_xz * c_zy) / math.sqrt(first) / math.sqrt(second)


def _states(multiplicities: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(used, step): how many of each class a state (mixed radix) has used, shape (states, classes), and the step of each class."""
    sizes = np.array(multiplicities) + 1
    step = np.concatenate([[1], np.cumprod(sizes[:-1])]).astype(np.int64)
    index = np.arange(int(np.prod(sizes)), dtype=np.int64)
    return index[:, None] // step % sizes, step


def _handed_out(
    places: NDArray[np.int64],
    values: NDArray[np.int64],
    used: NDArray[np.int64],
    step: NDArray[np.int64],
    multiplicities: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Distribution of the sum of place times value over all ways to hand out ``len(places)`` values by class.

    Returns (states, counts): the states with so many values used, and counts of shape (those, sums from 0).
    """
    total = used.sum(axis=1)
    row = np.full(len(used), -1, dtype=np.int64)
    largest = np.sort(np.repeat(values, multiplicities))[::-1][: len(places)]
    width = int((np.sort(places)[::-1] * largest).sum()) + 1
    states = np.array([0])
    counts = np.zeros((1, width), dtype=np.int64)
    counts[0, 0] = 1
    for i, place in enumerate(places):
        following = np.flatnonzero(total == i + 1)
        row[following] = np.arange(len(following))
        new = np.zeros((len(following), width), dtype=np.int64)
        for c, value in enumerate(values):
            free = np.flatnonzero(used[states, c] < multiplicities[c])
            shift = int(place * value)
            # Different states lead to different ones, so nothing is added to one row twice.
            new[row[states[free] + step[c]], shift:] += counts[free, : width - shift]
        states, counts = following, new
    return states, counts


def _count_at_least(x: NDArray[np.int64], y: NDArray[np.int64], thresholds: Sequence[int]) -> list[int]:
    """Number of orders of y with sum(x * y) at least each threshold; both sides non-negative integers."""
    values, multiplicities = np.unique(y, return_counts=True)
    used, step = _states(multiplicities)
    x = np.sort(x)
    half = len(x) // 2
    # Both halves start at 0, so that sums are short; what was taken off comes back as a constant of the state.
    lift = int(x[half])
    first_states, first = _handed_out(x[:half], values, used, step, multiplicities)
    second_states, second = _handed_out(x[half:] - lift, values, used, step, multiplicities)
    tails = np.cumsum(second[:, ::-1], axis=1)[:, ::-1]
    place = {int(s): i for i, s in enumerate(second_states)}
    full = int((multiplicities * step).sum())
    sums = np.arange(first.shape[1])
    counts = [0] * len(thresholds)
    for i, state in enumerate(first_states):
        other = full - int(state)
        tail = tails[place[other]]
        constant = lift * int((used[other] * values).sum())
        kept = np.flatnonzero(first[i])
        for k, threshold in enumerate(thresholds):
            need = threshold - constant - sums[kept]
            found = np.where(need < len(tail), tail[np.clip(need, 0, len(tail) - 1)], 0)
            counts[k] += int(first[i, kept] @ found)
    # Each way by class stands for as many orders as equal values can change places.
    orders = math.prod(math.factorial(int(m)) for m in multiplicities)
    return [c * orders for c in counts]


def exact_spearman(x: ArrayLike, y: ArrayLike) -> PermutationTest:
    """Spearman's correlation (mid-ranks, ties on either side) with the exact distribution over all n! orders of y.

    ``x`` and ``y`` have shape (n,). Source: paper section 3.4; `ledger_formats` 2.10. Raises PermutationError for different lengths, a
    vector without spread, and n beyond 20, where n! is no 64-bit integer: use a seeded Monte Carlo there.
    """
    rho = spearman(x, y)
    a, b = integer_ranks(x), integer_ranks(y)
    n = len(a)
    if n > MAX_N:
        raise PermutationError(f"{n} values have more than 2^63 orders: use a seeded Monte Carlo, which says so in its result")
    a, b = a - a.min(), b - b.min()
    # Fewer states where the side with more ties is the one that is handed out.
    if len(np.unique(a)) < len(np.unique(b)):
        a, b = b, a
    total_a, total_b, observed = int(a.sum()), int(b.sum()), int(a @ b)
    deviation = n * observed - total_a * total_b
    # n * sum - total_a * total_b at least |deviation|, and at most -|deviation|.
    upper = -((-(total_a * total_b + abs(deviation))) // n)
    lower = (total_a * total_b - abs(deviation)) // n
    at_least, above, high, not_low = _count_at_least(a, b, [observed, observed + 1, upper, lower + 1])
    orders = math.factorial(n)
    two_sided = orders if deviation == 0 else high + (orders - not_low)
    return PermutationTest(rho, at_least, orders - above, two_sided, orders)


def exact_partial_spearman(x: ArrayLike, y: ArrayLike, control: ArrayLike, max_cells: int = MAX_CELLS) -> PermutationTest:
    """Rank-residual partial Spearman of x and y given one control, y permuted while x and the control stay (`ledger_formats` 2.11).

    All have shape (n,). An order whose ranks are collinear with the control has no partial correlation: it stays among the orders and is
    never counted as extreme. Raises PermutationError where the observed one is undefined, or where the two-dimensional sums need more
    memory than ``max_cells`` counts: use a seeded Monte Carlo there, or allow more.
    """
    rho = partial_spearman(x, y, control)
    a, b, z = integer_ranks(x), integer_ranks(y), integer_ranks(control)
    n = len(a)
    if n > MAX_N:
        raise PermutationError(f"{n} values have more than 2^63 orders: use a seeded Monte Carlo, which says so in its result")
    a, b, z = a - a.min(), b - b.min(), z - z.min()
    v_y, v_z, c_xz = _cross(b, b), _cross(z, z), _cross(a, z)

    def parts(s_xy: int, s_zy: int) -> tuple[int, int]:
        """Numerator, and what is under the root besides the part that no order changes."""
        c_xy, c_zy = n * s_xy - int(a.sum()) * int(b.sum()), n * s_zy - int(z.sum()) * int(b.sum())
        return c_xy * v_z - c_xz * c_zy, v_y * v_z - c_zy**2

    numerator, denominator = parts(int(a @ b), int(z @ b))
    values, multiplicities = np.unique(b, return_counts=True)
    used, step = _states(multiplicities)
    total = used.sum(axis=1)
    order = np.argsort(a, kind="stable")  # small sums first, where there are most states
    a, z = a[order], z[order]
    largest = np.sort(b)[::-1]

    def width(places: NDArray[np.int64], i: int) -> int:
        return int(np.sort(places[:i])[::-1] @ largest[:i]) + 1

    sizes = np.bincount(total)
    cells = max(int(sizes[i]) * width(a, i) * width(z, i) for i in range(n + 1))
    if cells > max_cells:
        raise PermutationError(
            f"{cells:,} counts at a time are more than the {max_cells:,} that this test may hold: use a seeded Monte Carlo, which says so"
        )
    row = np.full(len(used), -1, dtype=np.int64)
    states = np.array([0])
    # No count exceeds n!. Two pieces of memory in turns: getting fresh ones for each place takes longer than the additions.
    kind = np.int32 if n <= 12 else np.int64
    memory = [np.empty(cells, dtype=kind) for _ in range(2)]
    counts = np.ones((1, 1, 1), dtype=kind)
    for i in range(n):
        following = np.flatnonzero(total == i + 1)
        row[following] = np.arange(len(following))
        shape = (len(following), width(a, i + 1), width(z, i + 1))
        new = memory[i % 2][: math.prod(shape)].reshape(shape)
        new[...] = 0
        _, old_x, old_z = counts.shape
        for c, value in enumerate(values):
            dx, dz = int(a[i] * value), int(z[i] * value)
            for from_row in np.flatnonzero(used[states, c] < multiplicities[c]):
                to = new[row[states[from_row] + step[c]], dx : dx + old_x, dz : dz + old_z]
                to += counts[from_row, : to.shape[0], : to.shape[1]]
        states, counts = following, new
    at_least = at_most = two_sided = 0
    for s_xy, s_zy in zip(*np.nonzero(counts[0]), strict=True):
        k = int(counts[0, s_xy, s_zy])
        top, under = parts(int(s_xy), int(s_zy))
        if under <= 0:
            continue
        # Compare top / sqrt(under) with numerator / sqrt(denominator), in integers.
        here, there = top * abs(top) * denominator, numerator * abs(numerator) * under
        at_least += k * (here >= there)
        at_most += k * (here <= there)
        two_sided += k * (abs(here) >= abs(there))
    orders = math.prod(math.factorial(int(m)) for m in multiplicities)
    return PermutationTest(rho, at_least * orders, at_most * orders, two_sided * orders, math.factorial(n))
