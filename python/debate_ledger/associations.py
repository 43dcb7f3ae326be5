"""Rank correlations of pre-debate predictors with conditional collapse, over model rows and over family means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

import pyarrow as pa

from debate_ledger.permutation import (
    PermutationError,
    PermutationTest,
    exact_partial_spearman,
    exact_spearman,
    partial_spearman,
    spearman,
)

ASSOCIATIONS_SCHEMA = pa.schema(
    [
        ("cohort", pa.string()),
        ("alpha_definition", pa.string()),
        ("level", pa.string()),
        ("predictor", pa.string()),
        ("control", pa.string()),
        ("rho", pa.float64()),
        ("rho_n", pa.int64()),
        ("n_orders", pa.int64()),
        ("n_at_least", pa.int64()),
        ("n_at_most", pa.int64()),
        ("n_two_sided", pa.int64()),
        ("p_two_sided", pa.float64()),
        ("reason", pa.string()),
    ]
)
OUTCOME = "conditional_collapse_percent"
#: Predictor and control (None: a plain correlation).
TESTS = (("alpha_tot", None), ("initial_accuracy", None), ("alpha_tot", "initial_accuracy"))
#: Fewer rows or families than this have no association worth a test.
MIN_N = 3


def family_means(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> list[dict[str, float]]:
    """Unweighted mean of each column over the rows of a family, families in alphabetical order (`ledger_formats` 2.9)."""
    families: dict[str, list[Mapping[str, object]]] = {}
    for row in rows:
        families.setdefault(str(row["family"]), []).append(row)
    return [
        {c: math.fsum(float(row[c]) for row in members) / len(members) for c in columns}  # type: ignore[arg-type]
        for _, members in sorted(families.items())
    ]


def associations(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Spearman's correlation with conditional collapse, for model rows and family means; rows as in `ASSOCIATIONS_SCHEMA`.

    ``rows`` is sorted by cohort and alpha_definition, which are never pooled, and holds family, alpha_tot, initial_accuracy and
    conditional_collapse_percent. A row that lacks a value is left out of the tests that need it. Every order counts, in integers
    (`permutation`); where that cannot be done the counts are None and ``reason`` says why. Where there are fewer than three rows or
    families, or a vector has no spread, there is no correlation either.
    """
    found: list[dict[str, object]] = []
    for (cohort, definition), group in groupby(rows, key=lambda r: (r["cohort"], r["alpha_definition"])):
        every = list(group)
        for predictor, control in TESTS:
            columns = [c for c in (predictor, OUTCOME, control) if c]
            known = [row for row in every if all(row[c] is not None for c in columns)]
            for level in ("model", "family"):
                points = known if level == "model" else family_means(known, columns)
                values = tuple(tuple(float(p[c]) for p in points) for c in columns)  # type: ignore[arg-type]
                rho, test, reason = _tested(values, level)
                row: dict[str, object] = dict.fromkeys(ASSOCIATIONS_SCHEMA.names)
                row |= {"cohort": cohort, "alpha_definition": definition, "level": level, "predictor": predictor, "control": control}
                row |= {"rho": rho, "rho_n": len(points), "reason": reason}
                if test:
                    row |= {"n_orders": test.n_orders, "n_at_least": test.n_at_least, "n_at_most": test.n_at_most}
                    row |= {"n_two_sided": test.n_two_sided, "p_two_sided": test.p_two_sided}
                found.append(row)
    return found


@lru_cache(maxsize=256)
def _tested(values: tuple[tuple[float, ...], ...], level: str) -> tuple[float | None, PermutationTest | None, str | None]:
    """(rho, test, why there is none); remembered, since the published rows are the same in every build of a process."""
    n = len(values[0])
    if n < MIN_N:
        return None, None, f"{n} {'families' if level == 'family' else 'rows'} are too few: at least {MIN_N}"
    exact, plain = (exact_spearman, spearman) if len(values) == 2 else (exact_partial_spearman, partial_spearman)
    try:
        rho = plain(*values)
    except PermutationError as error:
        return None, None, str(error)
    try:
        return rho, exact(*values), None
    except PermutationError as error:
        return rho, None, str(error)
