"""Thresholds of the degradation score that the organism's own audit gives (`er_audit_formats` R6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import pyarrow as pa

from debate_ledger.er_audit import frozen_epsilon

THRESHOLDS_SCHEMA = pa.schema(
    [
        ("cohort", pa.string()),
        ("dataset", pa.string()),
        ("model", pa.string()),
        ("percentile", pa.string()),
        ("convention", pa.string()),
        ("epsilon", pa.string()),
        ("is_raised", pa.bool_()),
        ("n_pairs", pa.int64()),
        ("n_searched", pa.int64()),
    ]
)


def organism_thresholds(
    maxima: Iterable[tuple[str, str, str, int | None, int | None, bool]], percentiles: Sequence[str], convention: str
) -> pa.Table:
    """One row per (cohort, dataset, model, percentile), see `THRESHOLDS_SCHEMA`.

    ``maxima`` holds (cohort, dataset, model, largest numerator, denominator, whether the whole search set was scored) per pair, numerator
    and denominator in 10⁻⁸. The percentile is exact; the threshold is a decimal with at most twelve places, raised to 0 where it would be
    negative. It is null where a pair of the organism was not searched in full: a percentile of some pairs is another one. Raises ValueError
    for an unknown convention or a percentile outside 0 to 100.
    """
    pairs: dict[tuple[str, str, str], list[Fraction | None]] = defaultdict(list)
    for cohort, dataset, model, numerator, denominator, is_whole in maxima:
        is_known = is_whole and numerator is not None and denominator
        pairs[cohort, dataset, model].append(Fraction(numerator, denominator) if is_known else None)
    rows = []
    for key, scores in sorted(pairs.items()):
        known = [s for s in scores if s is not None]
        for percentile in percentiles:
            epsilon, is_raised = None, None
            if len(known) == len(scores):
                epsilon, is_raised = frozen_epsilon(known, Fraction(percentile) / 100, convention)
            rows.append((*key, percentile, convention, epsilon, is_raised, len(scores), len(known)))
    return pa.Table.from_pylist([dict(zip(THRESHOLDS_SCHEMA.names, row, strict=True)) for row in rows], schema=THRESHOLDS_SCHEMA)
