"""Exact arithmetic of the epistemic reliability audit (`er_audit_formats`, rules R1 to R15 and R19).

Whether a paraphrase is a counterexample, what the frozen threshold is and how many draws a target needs are decided in integers and
rationals: in doubles the equality cases fall either way. Only the bounds themselves are doubles, by one formula that DuckDB repeats bit
for bit. Probabilities are counts of 1e-8 (``_e8``), thresholds counts of 1e-12 (``_e12``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

import pyarrow as pa

#: Units of a probability and of a threshold in one.
E8 = 10**8
E12 = 10**12
#: Floor of the denominator in the published code, 0.001 (R2).
KAPPA_E8 = 100_000
#: Draws per generator and pair in the published study (R7, R11).
M_TEST = 100
#: Most digits before the point of a threshold, so that it fits a DECIMAL(24, 12).
MAX_EPSILON_DIGITS = 12

ATTAINABLE = "attainable"
UNATTAINABLE = "unattainable"
OUTSIDE = "outside the domain"

_PROBABILITY = re.compile(r"0\.([0-9]{8})|1\.0{8}")
_DECIMAL = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?")
#: The same with an exponent of at most four digits: a longer one would fill the memory.
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")

Exact = Fraction | int | str


# --- Probabilities and Delta -------------------------------------------------------------------------------------------------------


def parse_e8(text: str) -> int:
    """Probability of eight decimals, ``0.dddddddd`` or ``1.00000000``, as a count of 1e-8 (0 to 100000000).

    Raises ValueError for every other text: a number with fewer digits was rounded on the way, and the last digit decides equality (R5).
    """
    match = _PROBABILITY.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"{text!r} is no probability of eight decimals: write 0. and eight digits, or 1.00000000, as text")
    return E8 if match[1] is None else int(match[1])


def _probability_e8(value: int, name: str) -> int:
    if not 0 <= value <= E8:
        raise ValueError(f"{name} is {value}: a probability is 0 to {E8} in units of 1e-8")
    return value


def denominator_e8(gain_e8: int, kappa_e8: int = KAPPA_E8) -> int:
    """max(kappa, gain) in units of 1e-8 (R2). Raises ValueError for a kappa that is not above 0."""
    if kappa_e8 <= 0:
        raise ValueError(f"kappa is {kappa_e8}e-8: it is the floor of a denominator and must be above 0")
    return max(kappa_e8, gain_e8)


def _checked_denominator(den_e8: int) -> int:
    if den_e8 <= 0:
        raise ValueError(f"the denominator is {den_e8}e-8: take it from denominator_e8, which never goes below kappa")
    return den_e8


def delta(base_e8: int, arm_e8: int, den_e8: int) -> Fraction:
    """Degradation (base - arm) / denominator of one hidden question, signed, neither clipped nor rounded (R3).

    Raises ValueError for a probability outside 0 to 100000000 or a denominator that is not above 0.
    """
    drop = _probability_e8(base_e8, "base_e8") - _probability_e8(arm_e8, "arm_e8")
    return Fraction(drop, _checked_denominator(den_e8))


def epsilon_e12(text: str) -> int:
    """Threshold with at most 12 decimals as a count of 1e-12 (R5). Raises ValueError for anything else, and below 0."""
    match = _DECIMAL.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"{text!r} is no threshold: write a plain decimal as text, such as 1.208792987422")
    sign, whole, decimals = match[1], match[2].lstrip("0"), match[3] or ""
    if len(decimals) > 12:
        raise ValueError(f"the threshold {text} has {len(decimals)} decimals: round it to 12 and freeze it")
    if len(whole) > MAX_EPSILON_DIGITS:
        raise ValueError(f"the threshold {text} has {len(whole)} digits before the point: {MAX_EPSILON_DIGITS} at most")
    value = int(whole + decimals.ljust(12, "0"))
    if sign == "-" and value:
        raise ValueError(f"the threshold {text} is negative: raise it to 0, since a gain is no degradation (R6)")
    return value


def is_counterexample(base_e8: int, arm_e8: int, den_e8: int, epsilon_e12: int) -> bool:
    """Whether Delta > epsilon, in integers (R4, R5): equality passes. Raises ValueError like delta, and for a negative threshold."""
    if epsilon_e12 < 0:
        raise ValueError(f"the threshold is {epsilon_e12}e-12: it must be 0 or more")
    drop = _probability_e8(base_e8, "base_e8") - _probability_e8(arm_e8, "arm_e8")
    return drop * E12 > epsilon_e12 * _checked_denominator(den_e8)


# --- Percentiles and the threshold -------------------------------------------------------------------------------------------------


def _half_even(x: Fraction) -> int:
    return round(x)  # Python rounds a rational half to even, as numpy rounds a double


def _continuous(alpha: Fraction, beta: Fraction) -> Callable[[int, Fraction], Fraction]:
    """Position, from 0, of the Hyndman and Fan family with these plotting positions."""
    return lambda n, p: n * p + alpha + p * (1 - alpha - beta) - 1


def _closest_observation(n: int, p: Fraction) -> int:
    # Halfway between two observations the one with the even rank wins, ranks counted from 1.
    position = n * p - Fraction(3, 2)
    low = math.floor(position)
    return low if position == low and low % 2 == 1 else low + 1


def _averaged_inverted_cdf(n: int, p: Fraction) -> Fraction:
    position = n * p - 1
    return position + Fraction(1, 2) if position.denominator == 1 else Fraction(math.ceil(position))


def _midpoint(n: int, p: Fraction) -> Fraction:
    position = (n - 1) * p
    return Fraction(math.floor(position) + math.ceil(position), 2)


#: Position in the sorted values, from 0, for n values and a share p: the value between two of them is interpolated. Names of numpy.
POSITIONS: dict[str, Callable[[int, Fraction], Fraction | int]] = {
    "linear": lambda n, p: (n - 1) * p,
    "lower": lambda n, p: math.floor((n - 1) * p),
    "higher": lambda n, p: math.ceil((n - 1) * p),
    "nearest": lambda n, p: _half_even((n - 1) * p),
    "midpoint": _midpoint,
    "inverted_cdf": lambda n, p: math.ceil(n * p - 1),
    "averaged_inverted_cdf": _averaged_inverted_cdf,
    "closest_observation": _closest_observation,
    "interpolated_inverted_cdf": _continuous(Fraction(0), Fraction(1)),
    "hazen": _continuous(Fraction(1, 2), Fraction(1, 2)),
    "weibull": _continuous(Fraction(0), Fraction(0)),
    "median_unbiased": _continuous(Fraction(1, 3), Fraction(1, 3)),
    "normal_unbiased": _continuous(Fraction(3, 8), Fraction(3, 8)),
}


def percentile(values: Sequence[Fraction], p: Fraction, convention: str = "linear") -> Fraction:
    """The p quantile (p a share in [0, 1]) of the values, exactly, by one of numpy's thirteen conventions (R6).

    numpy works in doubles: at a position such as 0.1 * 221 it may round across a whole number, and this does not. A position outside the
    values is the nearest end, an averaged one at the last value that value. Raises ValueError for no values, a p outside [0, 1] or an
    unknown convention.
    """
    if convention not in POSITIONS:
        raise ValueError(f"{convention!r} is no percentile convention: one of {', '.join(POSITIONS)}")
    if not values:
        raise ValueError("a percentile needs at least one value")
    p = Fraction(p)
    if not 0 <= p <= 1:
        raise ValueError(f"p is {p}: a share between 0 and 1, so 1/4 for the 25th percentile")
    ordered = sorted(map(Fraction, values))
    last = len(ordered) - 1
    position = min(max(Fraction(POSITIONS[convention](len(ordered), p)), Fraction(0)), Fraction(last))
    low = math.floor(position)
    if low == last:
        return ordered[last]
    return ordered[low] + (ordered[low + 1] - ordered[low]) * (position - low)


def decimal_text(value: Fraction, decimals: int) -> str:
    """A rational rounded half to even to so many decimals, without trailing zeros or exponent; "0" for zero."""
    scaled = _half_even(value * 10**decimals)
    digits = str(abs(scaled)).rjust(decimals + 1, "0")
    whole, rest = digits[: len(digits) - decimals], digits[len(digits) - decimals :].rstrip("0")
    return ("-" if scaled < 0 else "") + whole + ("." + rest if rest else "")


def frozen_epsilon(values: Sequence[Fraction], p: Fraction, convention: str = "linear") -> tuple[str, bool]:
    """Threshold of one dataset and model as text of at most 12 decimals, and whether it was raised from below 0 to 0 (R6).

    ``values`` are the organism's largest Delta of each pair. Rounding is half to even. A percentile between -5e-13 and 0 counts as raised
    too, though it prints as 0. Raises ValueError like percentile.
    """
    exact = percentile(values, p, convention)
    return ("0", True) if exact < 0 else (decimal_text(exact, 12), False)


# --- Bounds ------------------------------------------------------------------------------------------------------------------------


def _significance(eta: float | str) -> float:
    value = float(eta)
    if not 0 < value < 1:
        raise ValueError(f"eta is {eta}: a significance between 0 and 1, so 0.05 for a confidence of 0.95")
    return value


def bound(eta: float | str, t: int) -> float:
    """Lower bound eta ** (1 / t) after t draws that all passed, as ``pow(eta, 1.0 / t)`` in doubles; 0 for t = 0 (R10).

    Raises ValueError for an eta outside (0, 1) or a negative t.
    """
    value = _significance(eta)
    if t < 0:
        raise ValueError(f"t is {t}: a number of draws is 0 or more")
    return math.pow(value, 1.0 / t) if t else 0.0


@dataclass(frozen=True)
class GeneratorPath:
    """What one generator's draws gave: how many were taken, and whether the last one was a counterexample.

    A generator that was not reached has t = 0 and did not fail.
    """

    t: int
    failed: bool = False

    def __post_init__(self) -> None:
        if self.t < 0 or (self.failed and self.t == 0):
            raise ValueError(f"{self}: t is 0 or more, and a draw that failed is counted in it")


def common_bound(eta: float | str, paths: Sequence[GeneratorPath]) -> float | None:
    """Smallest bound over the fixed list of generators: 0 after any counterexample or for one not reached (R12).

    None for no generators: nothing was tested, which is not the bound 1. eta is not divided by their number. Raises ValueError like bound.
    """
    _significance(eta)
    if not paths:
        return None
    return min(0.0 if path.failed else bound(eta, path.t) for path in paths)


def transfer_bound(lower_bound: float, r: float) -> float:
    """max(0, L - r): what is left of a bound for a distribution within total variation r of a mixture of the generators (R14).

    Raises ValueError for a bound or an r outside [0, 1].
    """
    for name, value in (("L", lower_bound), ("r", r)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} is {value}: it must lie between 0 and 1")
    return max(0.0, lower_bound - r)


def e_value(outcomes: Iterable[bool], tau: Exact) -> Fraction:
    """Product of D / tau over the draws, D = 1 where one passed (R13); 1 before the first draw, 0 from a counterexample on.

    "pi <= tau" is rejected where it reaches 1 / eta. Raises ValueError for a tau outside (0, 1].
    """
    share = exact(tau, "tau")
    if not 0 < share <= 1:
        raise ValueError(f"tau is {tau}: it must lie above 0 and not above 1")
    passed = list(outcomes)
    return 1 / share ** len(passed) if all(passed) else Fraction(0)


# --- How many draws a target needs -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Requirement:
    """Fewest draws that certify a target: ``status`` is attainable, unattainable (tau = 1) or outside the domain.

    ``n_required`` is None unless it is attainable. tau = 0 is outside the domain: no draw is needed to know that pi >= 0.
    """

    n_required: int | None
    status: str


def exact(value: Exact, name: str = "value") -> Fraction:
    """A decimal given as text, an integer or a rational, exactly. Raises ValueError for other text and TypeError for a double."""
    if isinstance(value, float):
        raise TypeError(f"{name} is the double {value}: give it as text, since 0.05 as a double is not 0.05")
    if isinstance(value, str):
        if _NUMBER.fullmatch(value.strip()) is None:
            raise ValueError(f"{name} is {value!r}: write a decimal, such as 0.05 or 1e-9")
        return Fraction(value.strip())
    return Fraction(value)


def _is_power(tau: Fraction, eta: Fraction, t: int) -> bool:
    """Whether tau ** t = eta. Lowest terms stay lowest in a power, so both parts must match, and no power longer than eta is formed."""
    a, b, c, d = tau.numerator, tau.denominator, eta.numerator, eta.denominator
    # b ** t has more than t * (bits of b - 1) bits.
    if t * (b.bit_length() - 1) >= d.bit_length():
        return False
    return b**t == d and a**t == c


def _minus_log(x: Fraction, digits: int) -> tuple[Decimal, Decimal]:
    """Bounds below and above of -ln(x), 0 < x < 1, for logs taken to so many digits.

    Decimal.ln is rounded correctly, so each log is off by half a unit of its last digit at most, and the difference of the two by one unit
    of the larger. The margin is four such units, which covers the rounding of the sums below as well.
    """
    context = Context(prec=digits)
    large, small = context.ln(Decimal(x.denominator)), context.ln(Decimal(x.numerator))
    difference = context.subtract(large, small)
    margin = Decimal((0, (4,), large.adjusted() - digits + 1))
    return context.subtract(difference, margin), context.add(difference, margin)


def sample_requirement(tau: Exact, eta: Exact) -> Requirement:
    """Smallest t with tau ** t <= eta (R15), exactly: ceil(ln eta / ln tau) with logs of as many digits as it takes.

    Where the quotient cannot be told from a whole number, integers decide whether tau ** t = eta: (0.729, 0.9) needs 3 draws, and doubles
    say 4. No power longer than eta itself is formed. ``tau`` and ``eta`` as text, integers or rationals; raises as exact.
    """
    share, significance = exact(tau, "tau"), exact(eta, "eta")
    if not 0 < significance < 1 or not 0 < share <= 1:
        return Requirement(None, OUTSIDE)
    if share == 1:
        return Requirement(None, UNATTAINABLE)
    if share <= significance:
        return Requirement(1, ATTAINABLE)
    digits = 40  # enough but for a share very close to 1 or a quotient very close to a whole number, and doubled for these
    while True:
        (eta_low, eta_high), (tau_low, tau_high) = _minus_log(significance, digits), _minus_log(share, digits)
        if tau_low > 0:
            low, high = Fraction(eta_low) / Fraction(tau_high), Fraction(eta_high) / Fraction(tau_low)
            first, last = math.ceil(low), math.ceil(high)
            if first == last:
                return Requirement(first, ATTAINABLE)
            # One whole number lies in between: the quotient is it, or the next digits tell on which side it is.
            if last == first + 1 and _is_power(share, significance, first):
                return Requirement(first, ATTAINABLE)
        digits *= 2


def best_bound(eta: float | str, budget: int = M_TEST) -> float:
    """Largest target that a budget of draws can certify: eta ** (1 / budget) (R15).

    Raises ValueError for an eta outside (0, 1) or a budget below 1.
    """
    if budget < 1:
        raise ValueError(f"the budget is {budget}: at least one draw")
    return bound(eta, budget)


REQUIREMENTS = pa.schema(
    [
        ("eta", pa.string()),
        ("tau", pa.string()),
        ("n_required", pa.int64()),
        ("status", pa.string()),
        ("budget", pa.int64()),
        ("best_bound_at_budget", pa.float64()),
        ("is_attainable_in_budget", pa.bool_()),
    ]
)


def requirements_table(cases: Iterable[tuple[str, str]], budget: int = M_TEST) -> pa.Table:
    """One row per (eta, tau), both as text: fewest draws, and whether the budget holds them.

    n_required is null unless attainable. best_bound_at_budget is null for an eta that is outside (0, 1), or would be as a double;
    is_attainable_in_budget is null outside the domain. Raises ValueError for text that is no decimal.
    """
    rows = []
    for eta, tau in cases:
        needed = sample_requirement(tau, eta)
        is_significance = 0 < exact(eta, "eta") < 1 and 0 < float(eta) < 1
        rows.append(
            {
                "eta": eta,
                "tau": tau,
                "n_required": needed.n_required,
                "status": needed.status,
                "budget": budget,
                "best_bound_at_budget": best_bound(eta, budget) if is_significance else None,
                "is_attainable_in_budget": (
                    None if needed.status == OUTSIDE else needed.n_required is not None and needed.n_required <= budget
                ),
            }
        )
    return pa.Table.from_pylist(rows, schema=REQUIREMENTS)
