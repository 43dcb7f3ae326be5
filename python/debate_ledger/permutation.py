"""Exact permutation tests of rank correlations: every order is counted, none is drawn (paper, sections 3.4 and C.2, C.3).

Spearman's correlation of mid-ranks is a linear function of the sum of products of ranks, and ranks are integers once doubled. So the
number of the n! orders with a sum at least as large as the observed one can be counted by dynamic programming: the values of one side
are handed out one after the other, and what is left of them is the state. Tied values are one state with a multiplicity, and the places
are split in two halves that meet in the middle. Nothing is rounded, so no tolerance decides a count.

Partial correlations with one control need two sums, so their table has two dimensions; with more controls the orders are enumerated. Where
neither can be done, seeded orders are drawn, and the result says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debate_ledger.ranks import mid_ranks

#: Beyond it n! is no 64-bit integer.
MAX_N = 20
#: Largest n of an exact partial test with one control, unless it is told otherwise: 13 takes seconds, 14 a minute or several.
MAX_PARTIAL_N = 12
#: Bytes that its two tables may take unless it is told otherwise; ties on several sides make them larger.
MAX_BYTES = 6_000_000_000
#: Largest n whose orders are enumerated (more than one control).
MAX_ENUMERATED_N = 9
#: Orders that a Monte Carlo test draws, and the seed of the draws.
DRAWS = 100_000
SEED = 20260424
#: Orders held at a time.
CHUNK = 50_000


class PermutationError(ValueError):
    """The test cannot be done on these values; the message says why and what to use instead."""


class TooManyOrdersError(PermutationError):
    """Every order cannot be counted within the limits; a seeded Monte Carlo can draw some."""


@dataclass(frozen=True)
class PermutationTest:
    """Outcome of a test: the statistic and how many of ``n_orders`` equally likely orders are at least as extreme.

    ``seed`` is None where every order was counted. Otherwise ``n_orders`` were drawn with it, and the observed order counts as one more.
    """

    statistic: float
    n_at_least: int
    n_at_most: int
    n_two_sided: int
    n_orders: int
    seed: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether every order was counted."""
        return self.seed is None

    def _share(self, count: int) -> float:
        return count / self.n_orders if self.is_exact else (count + 1) / (self.n_orders + 1)

    @property
    def p_greater(self) -> float:
        """One-sided p for a positive association."""
        return self._share(self.n_at_least)

    @property
    def p_less(self) -> float:
        """One-sided p for a negative association."""
        return self._share(self.n_at_most)

    @property
    def p_two_sided(self) -> float:
        """Share of the orders whose absolute statistic is at least the observed one."""
        return self._share(self.n_two_sided)


def integer_ranks(values: ArrayLike) -> NDArray[np.int64]:
    """Mid-ranks as integers: doubled where there are ties, as they are where not; a scale does not change a correlation.

    ``values`` has shape (n,). Raises PermutationError for NaN or fewer than two values.
    """
    try:
        x = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise PermutationError(f"need numbers: {error}") from error
    if x.ndim != 1 or len(x) < 2 or np.isnan(x).any():
        raise PermutationError("need at least two values and no NaN")
    ranks = mid_ranks(x)
    return np.rint(ranks if np.all(ranks == np.rint(ranks)) else 2 * ranks).astype(np.int64)


def _cross(p: NDArray[np.int64], q: NDArray[np.int64]) -> int:
    """A covariance in integers: n times the sum of products minus the product of the sums."""
    return len(p) * int(p @ q) - int(p.sum()) * int(q.sum())


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's correlation of mid-ranks; PermutationError for different lengths or a vector without spread."""
    return partial_spearman(x, y)


def _determinant(matrix: Sequence[Sequence[int]]) -> int:
    """Exact determinant of a small integer matrix; 1 for an empty one."""
    rows = [[Fraction(v) for v in row] for row in matrix]
    result = Fraction(1)
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i] != 0), None)
        if pivot is None:
            return 0
        if pivot != i:
            rows[i], rows[pivot], result = rows[pivot], rows[i], -result
        result *= rows[i][i]
        for k in range(i + 1, len(rows)):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [v - factor * w for v, w in zip(rows[k], rows[i], strict=True)]
    return int(result)


class _Residuals:
    """Rank-residual partial correlation of x and y given controls, as integer forms in y's ranks.

    By Cramer's rule the correlation is top / sqrt(left * under): ``top`` is linear in the covariances (n times the sum of products minus
    the product of the sums) of y with x and with the controls, ``under`` is quadratic in those with the controls, and ``left`` does not
    depend on the order of y. All three are integers.
    """

    def __init__(self, x: ArrayLike, y: ArrayLike, controls: Sequence[ArrayLike]) -> None:
        self.y = integer_ranks(y)
        self.fixed = [integer_ranks(v) for v in (x, *controls)]
        if any(len(v) != len(self.y) for v in self.fixed):
            raise PermutationError(f"need values of the same points, got {[len(v) for v in (self.fixed[0], self.y, *self.fixed[1:])]}")
        if min(np.ptp(v) for v in (self.y, *self.fixed)) == 0:
            raise PermutationError("a vector without spread has no rank correlation")
        a, *zs = self.fixed
        m = len(zs)
        self.v_y = _cross(self.y, self.y)
        among = [[_cross(p, q) for q in zs] for p in zs]
        with_x = [_cross(a, q) for q in zs]
        self.determinant = _determinant(among)
        self.left = _determinant([[_cross(a, a), *with_x], *([c, *row] for c, row in zip(with_x, among, strict=True))])
        if self.determinant == 0 or self.left == 0:
            raise PermutationError("x is a function of the controls, or they are of one another: the partial correlation is undefined")

        def replaced(k: int, row: Sequence[int]) -> int:
            return _determinant([row if i == k else among[i] for i in range(m)])

        # top = determinant * c_xy - sum of weight_k * c_ky; under = determinant * v_y - c' adjugate c.
        self.weights = [replaced(k, with_x) for k in range(m)]
        self.adjugate = [[replaced(k, [int(i == j) for i in range(m)]) for j in range(m)] for k in range(m)]

    def parts(self, c_xy: int, c_zy: Sequence[int]) -> tuple[int, int]:
        """(top, under) of an order of y with these covariances."""
        m = range(len(c_zy))
        top = self.determinant * c_xy - sum(self.weights[k] * c_zy[k] for k in m)
        under = self.determinant * self.v_y - sum(c_zy[k] * self.adjugate[k][j] * c_zy[j] for k in m for j in m)
        return top, under

    def observed(self) -> tuple[int, int]:
        c_xy, *c_zy = (_cross(v, self.y) for v in self.fixed)
        top, under = self.parts(c_xy, c_zy)
        if under == 0:
            raise PermutationError("y is a function of the controls: the partial correlation is undefined")
        return top, under

    def correlation(self) -> float:
        top, under = self.observed()
        square = self.left * under
        # In integers, so that a perfect correlation is 1 and nothing is rounded twice.
        if top * top == square:
            return math.copysign(1.0, top)
        return top / math.sqrt(square) if square < 10**300 else top / math.sqrt(self.left) / math.sqrt(under)


def partial_spearman(x: ArrayLike, y: ArrayLike, *controls: ArrayLike) -> float:
    """Rank-residual partial Spearman of x and y given any number of controls (`ledger_formats` 2.11), all of shape (n,).

    PermutationError where it is undefined: a vector without spread, or one whose ranks are a function of the controls' ranks.
    """
    return _Residuals(x, y, controls).correlation()


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


def count_at_least(x: NDArray[np.int64], y: NDArray[np.int64], thresholds: Sequence[int]) -> list[int]:
    """Number of orders of y with sum(x * y) at least each threshold; both sides non-negative integers."""
    values, multiplicities = np.unique(y, return_counts=True)
    used, step = _states(multiplicities)
    x = np.sort(x)
    half = len(x) // 2
    # Both halves start at 0, so that sums are short; what was taken off comes back as a constant of the state.
    lift = int(x[half])
    first_states, first = _handed_out(x[:half], values, used, step, multiplicities)
    second_states, second = _handed_out(x[half:] - lift, values, used, step, multiplicities)
    # One column more, of zeros: sums that the second half does not reach.
    tails = np.zeros((len(second), second.shape[1] + 1), dtype=np.int64)
    tails[:, :-1] = np.cumsum(second[:, ::-1], axis=1)[:, ::-1]
    width = tails.shape[1]
    place = np.full(len(used), -1, dtype=np.int64)
    place[second_states] = np.arange(len(second_states))
    other = int((multiplicities * step).sum()) - first_states
    constant = lift * (used[other] @ values)
    sums = np.arange(first.shape[1])
    counts = [0] * len(thresholds)
    # So many states at a time that the arrays stay small.
    some = max(1, 1_000_000 // len(sums))
    for start in range(0, len(first_states), some):
        part = slice(start, start + some)
        base = constant[part, None] + sums
        row = place[other[part], None] * width
        for k, threshold in enumerate(thresholds):
            found = tails.ravel().take(row + np.clip(threshold - base, 0, width - 1))
            counts[k] += int((first[part] * found).sum())
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
        raise TooManyOrdersError(f"{n} values have more than 2^63 orders: use a seeded Monte Carlo, which says so in its result")
    a, b = a - a.min(), b - b.min()
    # Fewer states where the side with more ties is the one that is handed out.
    if len(np.unique(a)) < len(np.unique(b)):
        a, b = b, a
    total_a, total_b, observed = int(a.sum()), int(b.sum()), int(a @ b)
    deviation = n * observed - total_a * total_b
    # n * sum - total_a * total_b at least |deviation|, and at most -|deviation|.
    upper = -((-(total_a * total_b + abs(deviation))) // n)
    lower = (total_a * total_b - abs(deviation)) // n
    at_least, above, high, not_low = count_at_least(a, b, [observed, observed + 1, upper, lower + 1])
    orders = math.factorial(n)
    two_sided = orders if deviation == 0 else high + (orders - not_low)
    return PermutationTest(rho, at_least, orders - above, two_sided, orders)


def _table_bytes(
    x: NDArray[np.int64], z: NDArray[np.int64], values: NDArray[np.int64], used: NDArray[np.int64], multiplicities: NDArray[np.int64]
) -> int:
    """Bytes of the last layer of `_two_sums` and the one before it, which are there at the same time."""
    largest = np.sort(np.repeat(values, multiplicities))[::-1]
    total = np.bincount(used.sum(axis=1))
    item = 2 if len(x) <= 7 else 4

    def layer(k: int) -> int:
        widths = [int(np.sort(places[:k])[::-1] @ largest[:k]) + 1 for places in (x, z)]
        return int(total[k]) * widths[0] * widths[1] * item

    return layer(len(x)) + layer(len(x) - 1)


def _two_sums(
    x: NDArray[np.int64],
    z: NDArray[np.int64],
    values: NDArray[np.int64],
    used: NDArray[np.int64],
    step: NDArray[np.int64],
    multiplicities: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.signedinteger]]:
    """`_handed_out` with two sums: (states, counts of shape (states, sums with x, sums with z))."""
    total = used.sum(axis=1)
    largest = np.sort(np.repeat(values, multiplicities))[::-1]
    row = np.full(len(used), -1, dtype=np.int64)
    states = np.array([0])
    # No count exceeds the factorial of the places, and memory is what limits n.
    kind = np.int16 if len(x) <= 7 else np.int32
    counts = np.ones((1, 1, 1), dtype=kind)
    for i in range(len(x)):
        following = np.flatnonzero(total == i + 1)
        row[following] = np.arange(len(following))
        widths = [int(np.sort(places[: i + 1])[::-1] @ largest[: i + 1]) + 1 for places in (x, z)]
        new = np.zeros((len(following), *widths), dtype=kind)
        _, old_x, old_z = counts.shape
        for c, value in enumerate(values):
            dx, dz = int(x[i] * value), int(z[i] * value)
            for from_row in np.flatnonzero(used[states, c] < multiplicities[c]):
                to = new[row[states[from_row] + step[c]], dx : dx + old_x, dz : dz + old_z]
                to += counts[from_row, : to.shape[0], : to.shape[1]]
        states, counts = following, new
    return states, counts


def _at_or_above(limit: NDArray[np.int64], shift: NDArray[np.int64], weight: NDArray[np.int64], columns: NDArray[np.int64]) -> int:
    """Orders of two halves whose sum with x is at least the limit.

    ``limit`` has shape (cells of the first half, columns of the second); ``shift`` and ``weight`` are the sum and the count of each cell,
    and ``columns`` holds the counts of the second half, shape (sums, columns).
    """
    width, n_columns = columns.shape
    # One row more, of zeros: sums that the second half does not reach.
    tails = np.zeros((width + 1, n_columns), dtype=np.int64)
    tails[:width] = np.cumsum(columns[::-1], axis=0)[::-1]
    need = np.clip(limit - shift[:, None], 0, width)
    return int(weight @ tails.ravel().take(need * n_columns + np.arange(n_columns)).sum(axis=1))


def _equal(
    limit: NDArray[np.int64], is_equal: NDArray[np.bool_], shift: NDArray[np.int64], weight: NDArray[np.int64], columns: NDArray[np.int64]
) -> int:
    """Those of `_at_or_above` whose statistic equals the limit's."""
    cell, column = np.nonzero(is_equal)
    need = limit[cell, column] - shift[cell]
    inside = (need >= 0) & (need < len(columns))
    return int((weight[cell[inside]] * columns[need[inside], column[inside]]).sum())


def exact_partial_spearman(
    x: ArrayLike, y: ArrayLike, control: ArrayLike, largest: int = MAX_PARTIAL_N, max_bytes: int = MAX_BYTES
) -> PermutationTest:
    """Rank-residual partial Spearman of x and y given one control, y permuted while x and the control stay (`ledger_formats` 2.11).

    All have shape (n,). An order whose ranks are collinear with the control has no partial correlation: it stays among the orders and is
    never counted as extreme. Raises PermutationError where the observed one is undefined. TooManyOrdersError for n beyond ``largest`` or
    tables beyond ``max_bytes``: raise those, at the cost of time and memory (n = 14 takes minutes), or use a seeded Monte Carlo.
    """
    form = _Residuals(x, y, [control])
    top, under = form.observed()
    (a, z), b = form.fixed, form.y
    n = len(b)
    if n > min(largest, MAX_N):
        raise TooManyOrdersError(f"{n} values are more than the {min(largest, MAX_N)} of an exact partial test: use a seeded Monte Carlo")
    order = np.argsort(a, kind="stable")
    a, z, b = a[order] - a.min(), z[order] - z.min(), b - b.min()
    values, multiplicities = np.unique(b, return_counts=True)
    used, step = _states(multiplicities)
    half = n // 2
    # Both halves start at 0 in x and in the control; what was taken off comes back as a constant of the state.
    lifts = [(int(a[p].min()), int(z[p].min())) for p in (slice(None, half), slice(half, None))]
    needed = sum(
        _table_bytes(x, v, values, used, multiplicities)
        for x, v in ((a[:half] - lifts[0][0], z[:half] - lifts[0][1]), (a[half:] - lifts[1][0], z[half:] - lifts[1][1]))
    )
    if needed > max_bytes:
        raise TooManyOrdersError(
            f"the tables of this partial test take {needed / 1e9:.1f} GB, more than {max_bytes / 1e9:.1f} GB: use a seeded Monte Carlo"
        )
    first_states, first = _two_sums(a[:half] - lifts[0][0], z[:half] - lifts[0][1], values, used, step, multiplicities)
    second_states, second = _two_sums(a[half:] - lifts[1][0], z[half:] - lifts[1][1], values, used, step, multiplicities)

    # For every sum with the control: from which sum with x on, and up to which one, an order is as extreme as the observed one.
    sum_a, sum_z, sum_b = int(a.sum()), int(z.sum()), int(b.sum())
    n_z = int(np.sort(z) @ np.sort(b)) + 1
    n_x = int(np.sort(a) @ np.sort(b)) + 1
    scale = form.determinant * n

    def limits(sign: int, s_z: int) -> tuple[int, bool]:
        """Smallest sum with x whose statistic is at least sign * |observed|, and whether it is equal there."""
        c_zy = n * s_z - sum_z * sum_b
        rest = form.determinant * form.v_y - form.adjugate[0][0] * c_zy**2
        if rest <= 0:  # undefined: no order with this sum counts
            return n_x, False
        # top >= sign * |top observed| * sqrt(rest / under), an integer against a root; isqrt keeps it exact.
        square = top * top * rest
        root = math.isqrt(square // under)
        is_root = root * root * under == square
        bound = root + 1 if sign > 0 and not is_root else root
        need = sign * bound + form.weights[0] * c_zy + form.determinant * sum_a * sum_b
        found = -(-need // scale)
        return min(max(found, 0), n_x), is_root and need % scale == 0 and 0 <= found < n_x

    highs, lows = ([limits(sign, s) for s in range(n_z)] for sign in (1, -1))
    high = np.array([s for s, _ in highs])
    # From there on a statistic is at or above -|observed|: what is below is more extreme, and what is equal is added on its own.
    low = np.array([s for s, _ in lows])
    high_equal = np.array([e for _, e in highs])
    low_equal = np.array([e for _, e in lows])
    defined = np.array([form.parts(0, [n * s - sum_z * sum_b])[1] > 0 for s in range(n_z)])

    place = {int(s): i for i, s in enumerate(second_states)}
    full = int((multiplicities * step).sum())
    n_high = n_high_equal = n_below = n_low_equal = n_defined = 0
    for i, state in enumerate(first_states):
        other = full - int(state)
        table = second[place[other]]
        constant_x, constant_z = (
            lifts[0][k] * int((used[state] * values).sum()) + lifts[1][k] * int((used[other] * values).sum()) for k in (0, 1)
        )
        x_1, z_1 = np.nonzero(first[i])
        weight = first[i][x_1, z_1].astype(np.int64)
        z_2 = np.flatnonzero(table.any(axis=0))
        columns = table[:, z_2].astype(np.int64)
        at = (z_1[:, None] + z_2[None, :]) + constant_z
        shift = x_1 + constant_x
        every = int(weight @ (defined[at] * columns.sum(axis=0)).sum(axis=1))
        n_defined += every
        n_high += _at_or_above(high[at], shift, weight, columns)
        n_high_equal += _equal(high[at], high_equal[at], shift, weight, columns)
        n_below += every - _at_or_above(np.where(defined[at], low[at], n_x), shift, weight, columns)
        n_low_equal += _equal(low[at], low_equal[at], shift, weight, columns)
    orders = math.prod(math.factorial(int(m)) for m in multiplicities)
    if top == 0:
        two_sided, at_least, at_most = n_defined, n_high, n_below + n_low_equal
    elif top > 0:
        two_sided, at_least, at_most = n_high + n_below + n_low_equal, n_high, n_defined - n_high + n_high_equal
    else:
        two_sided, at_least, at_most = n_high + n_below + n_low_equal, n_defined - n_below, n_below + n_low_equal
    return PermutationTest(form.correlation(), at_least * orders, at_most * orders, two_sided * orders, math.factorial(n))


def _tested_orders(form: _Residuals, batches: Iterator[NDArray[np.int64]]) -> tuple[int, int, int, int]:
    """(orders, at least, at most, two-sided) over batches of orders of y, shape (orders, n).

    Doubles decide where they are clear beyond what rounding can do to them, and exact integers everywhere else.
    """
    top, under = form.observed()
    observed = top / math.sqrt(under)
    n, sum_y = len(form.y), int(form.y.sum())
    sums = [int(v.sum()) for v in form.fixed]
    fixed = np.stack(form.fixed)
    weights, adjugate = np.array(form.weights, dtype=float), np.array(form.adjugate, dtype=float).reshape(2 * (len(form.weights),))
    determinant, v_y = float(form.determinant), float(form.v_y)
    # Generous: a sum of m products is off by at most about m units in the last place of the sum of their absolute values.
    unit = 8 * (len(form.weights) + 2) ** 2 * np.finfo(float).eps
    n_orders = at_least = at_most = two_sided = 0
    for batch in batches:
        c = n * (batch @ fixed.T) - np.array(sums) * sum_y
        c_xy, c_zy = c[:, 0].astype(float), c[:, 1:].astype(float)
        tops = determinant * c_xy - c_zy @ weights
        unders = determinant * v_y - np.einsum("ij,jk,ik->i", c_zy, adjugate, c_zy)
        top_error = unit * (np.abs(determinant * c_xy) + np.abs(c_zy) @ np.abs(weights))
        under_error = unit * (determinant * v_y + np.einsum("ij,jk,ik->i", np.abs(c_zy), np.abs(adjugate), np.abs(c_zy)))
        n_orders += len(batch)
        near_0 = unders <= 4 * under_error
        root = np.sqrt(np.where(near_0, 1.0, unders))
        found = np.where(near_0, 0.0, tops / root)
        error = top_error / root + np.abs(found) * under_error / root**2 + unit * abs(observed)
        close = near_0 | (np.abs(np.abs(found) - abs(observed)) <= 2 * error)
        clear = ~close
        at_least += int((found[clear] > observed).sum())
        at_most += int((found[clear] < observed).sum())
        two_sided += int((np.abs(found[clear]) > abs(observed)).sum())
        kinds, times = np.unique(c[close], axis=0, return_counts=True)
        for (c_x, *c_z), k in zip(kinds.tolist(), times.tolist(), strict=True):
            here_top, here_under = form.parts(c_x, c_z)
            if here_under <= 0:
                continue
            here, there = here_top * abs(here_top) * under, top * abs(top) * here_under
            at_least += k * (here >= there)
            at_most += k * (here <= there)
            two_sided += k * (abs(here) >= abs(there))
    return n_orders, at_least, at_most, two_sided


def _every_order(y: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """All n! orders of y, in batches of shape (orders, n)."""
    n = len(y)
    index = np.zeros((1, 1), dtype=np.int8)
    for k in range(1, n):
        # The k-th place goes into each gap of every order of the places before it.
        index = np.concatenate([np.insert(index, gap, k, axis=1) for gap in range(k + 1)])
    for start in range(0, len(index), CHUNK):
        yield y[index[start : start + CHUNK]]


def enumerated_partial_spearman(x: ArrayLike, y: ArrayLike, *controls: ArrayLike) -> PermutationTest:
    """Spearman's correlation, plain or given any number of controls, over all n! orders one by one (`ledger_formats` 2.10, 2.11).

    For more controls than one, and to check the faster ways. Raises PermutationError where it is undefined and for n beyond 9.
    """
    form = _Residuals(x, y, controls)
    if len(form.y) > MAX_ENUMERATED_N:
        raise PermutationError(
            f"{len(form.y)} values have too many orders to enumerate (at most {MAX_ENUMERATED_N}): use a seeded Monte Carlo"
        )
    orders, at_least, at_most, two_sided = _tested_orders(form, _every_order(form.y))
    return PermutationTest(form.correlation(), at_least, at_most, two_sided, orders)


def monte_carlo_spearman(x: ArrayLike, y: ArrayLike, *controls: ArrayLike, draws: int = DRAWS, seed: int = SEED) -> PermutationTest:
    """Spearman's correlation, plain or given controls, over ``draws`` orders of y drawn with ``seed``.

    The result is labelled: its seed is set, and its p counts the observed order, (k + 1) / (draws + 1).
    """
    if draws < 1:
        raise PermutationError(f"orders are drawn here, and {draws} draws are asked for")
    form = _Residuals(x, y, controls)
    rng = np.random.default_rng(seed)

    def batches() -> Iterator[NDArray[np.int64]]:
        for start in range(0, draws, CHUNK):
            yield rng.permuted(np.tile(form.y, (min(CHUNK, draws - start), 1)), axis=1)

    orders, at_least, at_most, two_sided = _tested_orders(form, batches())
    return PermutationTest(form.correlation(), at_least, at_most, two_sided, orders, seed)
