"""Does the share of flips rise from rung to rung of a ladder? (paper, appendix F; `ledger_formats` 2.27)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy import stats

from debate_ledger.inference import mcnemar
from debate_ledger.intervals import wilson_interval
from debate_ledger.permutation import PermutationError, count_at_least, exact_spearman, integer_ranks


@dataclass(frozen=True)
class Ladder:
    """Rank correlation of rung and share for one model, with the exact p of the tied data and the one of untied ranks.

    ``n_at_least`` and ``n_untied_at_least`` are counts of the ``n_orders``; the published p is the second one (it permutes ranks without
    the ties that the observed correlation has).
    """

    rho: float
    n_orders: int
    n_at_least: int
    n_untied_at_least: int
    max_inversion_drop: float
    floor: float


def ladder(shares: Sequence[float]) -> Ladder:
    """One model's ladder: ``shares`` from the lowest rung to the highest.

    max_inversion_drop is the largest fall of the share to any higher rung, floor the rise from the lowest to the highest. Raises
    PermutationError for fewer than two rungs, equal shares, or more than 20 rungs.
    """
    rungs = range(len(shares))
    test = exact_spearman(rungs, shares)
    n = len(shares)
    drops = [shares[i] - shares[j] for i in rungs for j in range(i, n)]
    return Ladder(test.statistic, test.n_orders, test.n_at_least, _untied_at_least(shares), max(drops), shares[-1] - shares[0])


def _untied_at_least(shares: Sequence[float]) -> int:
    """Orders of the untied ranks 1..n whose correlation is at least that of the tied data."""
    n = len(shares)
    rungs = np.arange(n)
    # rho of untied ranks = cross / v, that of the data = c / sqrt(v v_y), both from integers: cross sqrt(v_y) >= c sqrt(v).
    ranks = integer_ranks(shares)
    v = n * int(rungs @ rungs) - int(rungs.sum()) ** 2
    v_y = n * int(ranks @ ranks) - int(ranks.sum()) ** 2
    c = n * int(rungs @ ranks) - int(rungs.sum()) * int(ranks.sum())
    root = math.isqrt(c * c * v // v_y)
    is_root = root * root * v_y == c * c * v
    least = (root if is_root else root + 1) if c >= 0 else -root
    return count_at_least(rungs, rungs, [-(-(least + int(rungs.sum()) ** 2) // n)])[0]


def page_trend(models: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Page's L over models and its one-sided normal p (2.27): one sequence of shares per model, rungs in order.

    Mid-ranks within a model, no tie correction of the variance. Raises ValueError for fewer than two models, or ladders that differ in
    length or have fewer than three rungs.
    """
    if len(models) < 2 or len({len(m) for m in models}) > 1 or len(models[0]) < 3:
        raise ValueError("need at least two ladders of the same rungs, at least three")
    found = stats.page_trend_test(np.array(models, dtype=float), method="asymptotic")
    return float(found.statistic), float(found.pvalue)


@dataclass(frozen=True)
class Decision:
    """The pilot's rules: fail below a median correlation of .5 or with any negative one; a floor is usable in at least two thirds."""

    median_rho: float
    decision: str
    n_floor_usable: int
    is_floor_usable: bool


def decide(rhos: Sequence[float], floors: Sequence[bool]) -> Decision:
    """Outcome over models; ``floors`` says for each whether its floor is usable (`is_floor_usable`)."""
    median = statistics.median(rhos)
    fails = median < 0.5 or min(rhos) < 0
    return Decision(median, "fail" if fails else "pass", sum(floors), bool(floors) and 3 * sum(floors) >= 2 * len(floors))


def floor_test(b: int, c: int) -> tuple[float, float | None]:
    """(one-sided exact McNemar p, one-sided 95 % Wilson lower bound of b / (b + c)); no bound without discordant pairs."""
    return mcnemar(b, c).p_exact_greater, wilson_interval(b, b + c, 0.9)[0] if b + c else None


def is_floor_usable(floor: float, p: float) -> bool:
    """A rise of at least .02 with p at most .05."""
    return floor >= 0.02 - 1e-12 and p <= 0.05


LADDERS_SCHEMA = pa.schema(
    [
        ("experiment", pa.string()),
        ("model", pa.string()),
        *[(c, pa.int64()) for c in "n_rungs n_orders n_at_least n_untied_at_least n_floor_up n_floor_down".split()],
        *[(c, pa.float64()) for c in "rho p_greater p_greater_untied max_inversion_drop floor floor_p floor_share_lower".split()],
        ("is_floor_usable", pa.bool_()),
        ("reason", pa.string()),
    ]
)
TRENDS_SCHEMA = pa.schema(
    [
        ("experiment", pa.string()),
        *[(c, pa.int64()) for c in "n_models n_rungs n_floor_usable".split()],
        *[(c, pa.float64()) for c in "median_rho page_l page_p".split()],
        ("decision", pa.string()),
        ("is_floor_usable", pa.bool_()),
        ("reason", pa.string()),
    ]
)


def ladder_rows(rungs: Sequence[Mapping[str, object]], pairs: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """One row per (experiment, model), see `LADDERS_SCHEMA`; ``rungs`` has experiment, model, rung and share.

    ``pairs`` has b and c of the floor. A ladder that cannot be tested has nulls and the reason.
    """
    shares: dict[tuple[str, str], dict[int, float]] = {}
    for r in rungs:
        shares.setdefault((str(r["experiment"]), str(r["model"])), {})[int(r["rung"])] = float(r["share"])  # type: ignore[call-overload, arg-type]
    floors = {(str(p["experiment"]), str(p["model"])): (int(p["b"]), int(p["c"])) for p in pairs}  # type: ignore[call-overload]
    found = []
    for key, by_rung in sorted(shares.items()):
        row: dict[str, object] = {"experiment": key[0], "model": key[1], "n_rungs": len(by_rung)}
        try:
            one = ladder([by_rung[k] for k in sorted(by_rung)])
            row |= {"rho": one.rho, "n_orders": one.n_orders, "n_at_least": one.n_at_least, "n_untied_at_least": one.n_untied_at_least}
            row |= {"p_greater": one.n_at_least / one.n_orders, "p_greater_untied": one.n_untied_at_least / one.n_orders}
            row |= {"max_inversion_drop": one.max_inversion_drop, "floor": one.floor}
        except PermutationError as error:
            row["reason"] = str(error)
        if key in floors:
            p, lower = floor_test(*floors[key])
            row |= {"n_floor_up": floors[key][0], "n_floor_down": floors[key][1], "floor_p": p, "floor_share_lower": lower}
            if row.get("floor") is not None:
                row["is_floor_usable"] = is_floor_usable(float(row["floor"]), p)  # type: ignore[arg-type]
        found.append(row)
    return found


def trend_rows(rungs: Sequence[Mapping[str, object]], ladders: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """One row per experiment, see `TRENDS_SCHEMA`: Page's test over its models, and the pilot's decision."""
    found = []
    for experiment in sorted({str(row["experiment"]) for row in ladders}):
        own = [row for row in ladders if row["experiment"] == experiment]
        row: dict[str, object] = {"experiment": experiment, "n_models": len(own), "n_rungs": max(int(r["n_rungs"]) for r in own)}  # type: ignore[call-overload]
        lacking = [str(r["model"]) for r in own if r.get("rho") is None]
        if not lacking:
            outcome = decide([float(r["rho"]) for r in own], [bool(r.get("is_floor_usable")) for r in own])  # type: ignore[arg-type]
            row |= {"median_rho": outcome.median_rho, "decision": outcome.decision}
            if any(r.get("is_floor_usable") is not None for r in own):
                row |= {"n_floor_usable": outcome.n_floor_usable, "is_floor_usable": outcome.is_floor_usable}
        by_model = {
            str(one["model"]): {
                int(r["rung"]): float(r["share"]) for r in rungs if (r["experiment"], r["model"]) == (experiment, one["model"])
            }  # type: ignore[call-overload, arg-type]
            for one in own
        }
        # Ladders of other rungs are not the same ladder.
        is_one_ladder = len({tuple(sorted(ladder)) for ladder in by_model.values()}) == 1
        shares = [[ladder[k] for k in sorted(ladder)] for ladder in by_model.values()] if is_one_ladder else []
        try:
            row["page_l"], row["page_p"] = page_trend(shares)
        except ValueError as error:
            row["reason"] = str(error)
        if lacking:
            # Not decided over the models that happen to have a correlation.
            row["reason"] = "; ".join(filter(None, [f"no correlation: {', '.join(lacking)}", row.get("reason")]))  # type: ignore[list-item]
        found.append(row)
    return found
