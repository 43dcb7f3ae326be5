"""Two arms on the same questions, such as private revision against peer debate: what differs, pair by pair (paper, G.4 and G.5).

Arms that branch from the same round 0 are compared on every pair. Others are compared only where their starts have the same label and
are equally right, and ``basis`` says so. A debate without a partner, or that a rule cannot code, is in no pair.
Source: `ledger_formats` 2.26 and 2.31.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from debate_ledger.clusters import cluster_counts, interval
from debate_ledger.inference import mcnemar

SEED = 20260426
DRAWS = 2000
SAME, EQUAL = "same round 0", "equal initial labels"

SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "comparison cohort coding_rule endpoint basis".split()],
        *[
            (c, pa.int64())
            for c in "n_first_debates n_second_debates n_pairs n_compared n_questions n_first_correct n_second_correct".split()
        ],
        *[(c, pa.float64()) for c in "accuracy_difference accuracy_difference_ci_lower accuracy_difference_ci_upper".split()],
        *[(c, pa.int64()) for c in "accuracy_b accuracy_c".split()],
        ("accuracy_p", pa.float64()),
        *[(c, pa.int64()) for c in "n_both_right collapse_b collapse_c".split()],
        ("collapse_p", pa.float64()),
        *[(c, pa.int64()) for c in "n_both_wrong correction_b correction_c".split()],
        ("correction_p", pa.float64()),
        *[(c, pa.int64()) for c in "n_first_right_to_tied n_second_right_to_tied".split()],
        *[
            (c, pa.float64())
            for c in "expected_score_difference expected_score_difference_ci_lower expected_score_difference_ci_upper".split()
        ],
        ("reason", pa.string()),
    ]
)


def paired_arms(
    pairs: Iterable[Mapping[str, object]], arms: Sequence[Mapping[str, object]], draws: int = DRAWS, seed: int = SEED
) -> list[dict[str, object]]:
    """One row per (comparison, cohort, coding rule), see `SCHEMA`; ``pairs`` are rows of `int_arm_pairs`, in an order of their own.

    ``arms`` has comparison, cohort, the rule and endpoint that speak for it, n_first_debates and n_second_debates: what has no pair under
    that rule has a row with the reason.

    Differences are first minus second. b counts pairs that the first arm alone has: ends right (accuracy), collapses among pairs that both
    start right, corrects among pairs that both start wrong; c the second alone. p is McNemar's exact test. Intervals draw questions with
    replacement and average the mean differences of the questions drawn.
    """
    groups: dict[tuple[str, ...], list[Mapping[str, object]]] = {}
    for pair in pairs:
        groups.setdefault(tuple(str(pair[c]) for c in ("comparison", "cohort", "coding_rule", "endpoint")), []).append(pair)
    sizes = {(str(a["comparison"]), str(a["cohort"])): {n: a[n] for n in ("n_first_debates", "n_second_debates")} for a in arms}
    found: list[dict[str, object]] = []
    for a in arms:
        if tuple(str(a[c]) for c in ("comparison", "cohort", "coding_rule", "endpoint")) not in groups:
            reason = "no question has a debate of each arm, as often in both, with one key, that the rule of the cohort can code"
            found.append({**a, "n_pairs": 0, "n_compared": 0, "reason": reason})
    for key, every in sorted(groups.items()):
        row: dict[str, object] = dict(zip(("comparison", "cohort", "coding_rule", "endpoint"), key, strict=True)) | {"n_pairs": len(every)}
        row |= sizes[key[:2]]
        shares_start = bool(every[0]["is_same_start"])
        row["basis"] = SAME if shares_start else EQUAL
        own = every if shares_start else [p for p in every if p["is_equal_start"]]
        row["n_compared"] = len(own)
        if not own:
            found.append(row | {"reason": "no pair has the same start"})
            continue
        found.append(row | _compared(own, draws, seed))
    return found


def _compared(own: Sequence[Mapping[str, object]], draws: int, seed: int) -> dict[str, object]:
    first, second = ([p[f"{arm}_final_state"] == "right" for p in own] for arm in ("first", "second"))
    right, wrong = ([p["first_initial_state"] == s and p["second_initial_state"] == s for p in own] for s in ("right", "wrong"))
    row: dict[str, object] = {"n_first_correct": sum(first), "n_second_correct": sum(second)}
    for name, at_risk, a, b in (
        ("accuracy", [True] * len(own), first, second),
        ("collapse", right, [not f for f in first], [not s for s in second]),
        ("correction", wrong, first, second),
    ):
        only_first = sum(r and x and not y for r, x, y in zip(at_risk, a, b, strict=True))
        only_second = sum(r and y and not x for r, x, y in zip(at_risk, a, b, strict=True))
        row |= {f"{name}_b": only_first, f"{name}_c": only_second, f"{name}_p": mcnemar(only_first, only_second).p_exact}
    row |= {"n_both_right": sum(right), "n_both_wrong": sum(wrong)}
    # Only rules that know undecided panels have expected scores, and ties.
    knows_ties = all(p["first_expected_score"] is not None and p["second_expected_score"] is not None for p in own)
    for arm in ("first", "second") if knows_ties else ():
        tied = [p[f"{arm}_initial_state"] == "right" and p[f"{arm}_final_state"] == "undecided" for p in own]
        row[f"n_{arm}_right_to_tied"] = sum(tied)
    questions = [str(p["question_id"]) for p in own]
    row["n_questions"] = len(set(questions))
    row |= _difference("accuracy_difference", questions, [float(f) - float(s) for f, s in zip(first, second, strict=True)], draws, seed)
    if knows_ties:
        scores = [float(p["first_expected_score"]) - float(p["second_expected_score"]) for p in own]  # type: ignore[arg-type]
        row |= _difference("expected_score_difference", questions, scores, draws, seed)
    return row


def _difference(name: str, questions: Sequence[str], values: Sequence[float], draws: int, seed: int) -> dict[str, object]:
    """Mean over questions of their mean difference, with its interval over questions."""
    ids, place = np.unique(questions, return_inverse=True)
    means = np.bincount(place, weights=values) / np.bincount(place)
    row: dict[str, object] = {name: float(means.sum() / len(ids))}
    kinds, times = np.unique(means, return_counts=True)
    bounds = interval(cluster_counts(seed, times, draws) @ kinds / len(ids)) if draws and len(ids) > 1 else None
    if bounds:
        row |= {f"{name}_ci_lower": bounds[0], f"{name}_ci_upper": bounds[1]}
    return row
