"""Receipts of `ledger import` beside landed files: what each import lost, and whether that bends a cohort."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from debate_ledger.importers.losses import by_rounds, rounds_difference, verdict
from debate_ledger.landing import RECEIPT_SUFFIX

COUNTS = ("n_debates", "n_kept", "n_lost", "n_rejected", "n_key_unread", "n_not_stated")
#: Debates by rounds held as JSON text, in groups that are compared with the kept ones.
GROUPS = ("lost", "not_stated")
ROUNDS = tuple(f"{group}_rounds" for group in ("kept", *GROUPS))
_TESTED = [(f"{group}_{what}", kind) for group in GROUPS for what, kind in (("test", pa.string()), ("p", pa.float64()))]
_COUNTED = [*((name, pa.int64()) for name in COUNTS), *((name, pa.string()) for name in ROUNDS), *_TESTED]
RECEIPTS_SCHEMA = pa.schema(
    [("file_key", pa.string()), ("problem", pa.string()), ("source_format", pa.string()), ("is_accepted", pa.bool_()), *_COUNTED]
)
LOSSES_SCHEMA = pa.schema([("cohort", pa.string()), ("n_files", pa.int64()), *_COUNTED])
AGAIN = "import the logs again, or take the receipt away"


def read_receipts(files: Iterable[tuple[str, str, str]]) -> pa.Table:
    """One row per landed file (file_key, path, sha256) with a receipt beside it; see `RECEIPTS_SCHEMA`.

    A receipt that is none, or of another file, has a problem and no counts. Receipts hold no text of logs.
    """
    rows = []
    for key, path, sha256 in files:
        receipt = Path(path + RECEIPT_SUFFIX)
        if receipt.is_file():
            rows.append({"file_key": key, **_row(receipt, sha256)})
    return pa.Table.from_pylist(rows, schema=RECEIPTS_SCHEMA)


def _row(path: Path, sha256: str) -> dict[str, Any]:
    try:
        head = _head(path)
        output, losses = head["output"], head.get("losses")
        if output["sha256"] != sha256:
            return {"problem": f"the receipt is of another file than the one beside it (SHA-256): {AGAIN}"}
        if losses is None:
            return {"problem": f"the receipt does not say what was lost, it was written by an older version: {AGAIN}"}
        if losses["debates"] == 0 or head["format"] == "probes":
            return {"source_format": str(head["format"]), "problem": None, "is_accepted": bool(losses["accepted"])}
        lost = losses["lost"]
        counts = [losses["debates"], losses["kept"]["n"], lost["n"], lost["rejected"], lost["key_unread"], losses["not_stated"]["n"]]
        row: dict[str, Any] = dict(zip(COUNTS, map(int, counts), strict=True))
        row |= {f"{name}_rounds": _text(Counter(losses[name]["by_rounds"])) for name in ("kept", *GROUPS)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {"problem": f"the receipt cannot be read: {AGAIN}"}
    return row | _tested(row) | {"source_format": str(head["format"]), "is_accepted": bool(losses["accepted"])}


def _head(path: Path) -> dict[str, Any]:
    """A receipt without its list of rejections, which comes last and may have as many entries as the log has records."""
    head = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith(' "rejections": ['):
                return json.loads("".join(head).rstrip().removesuffix(",") + "\n}")
            head.append(line)
    return json.loads("".join(head))


def cohort_losses(receipts: pa.Table, places: Iterable[tuple[str, str]]) -> pa.Table:
    """One row per cohort with imported debates, from its (cohort, file_key); see `LOSSES_SCHEMA`. Its files' counts are added up."""
    known = {row["file_key"]: row for row in receipts.to_pylist() if row["n_debates"] is not None}
    found: dict[str, dict[str, Any]] = {}
    for cohort, key in sorted(places):
        if key not in known:
            continue
        own = found.setdefault(cohort, {"cohort": cohort, "n_files": 0, **dict.fromkeys(COUNTS, 0), **dict.fromkeys(ROUNDS, "{}")})
        own["n_files"] += 1
        own |= {name: own[name] + known[key][name] for name in COUNTS}
        own |= {name: _text(Counter(json.loads(own[name])) + Counter(json.loads(known[key][name]))) for name in ROUNDS}
    return pa.Table.from_pylist([row | _tested(row) for row in found.values()], schema=LOSSES_SCHEMA)


def loss_lines(losses: Iterable[Mapping[str, Any]]) -> list[str]:
    """Rows of `import_losses` in words: how many of how many are lost and not stated, and whether they differ in rounds held."""
    lines = []
    for row in losses:
        n = row["n_debates"]
        shares = [f"{row[f'n_{name}']:,} ({100 * row[f'n_{name}'] / n:.1f} %)" for name in GROUPS]
        lines.append(f"Imported debates of {row['cohort']}: {n:,}; lost {shares[0]}, key not stated {shares[1]}.")
        for name, called in zip(GROUPS, ("lost ones", "ones without a stated key"), strict=True):
            if row[f"n_{name}"]:
                test, p = row[f"{name}_test"], row[f"{name}_p"]
                told = verdict(test, p) if test else "they cannot be compared in rounds held"
                held = [by_rounds(json.loads(row[f"{group}_rounds"])) for group in (name, "kept")]
                lines.append(f"  Of the {called}: {told}; rounds held: {held[0]}; of the kept: {held[1]}.")
    return lines


def _tested(row: Mapping[str, Any]) -> dict[str, Any]:
    """Whether lost debates, and those whose key is not stated, differ in rounds held from the kept ones; null where that cannot be told."""
    groups = {name: {int(r): n for r, n in json.loads(row[f"{name}_rounds"]).items() if r != "unknown"} for name in ("kept", *GROUPS)}
    found: dict[str, Any] = {}
    for name in GROUPS:
        found[f"{name}_test"], found[f"{name}_p"] = rounds_difference(groups["kept"], groups[name]) or (None, None)
    return found


def _text(counts: Mapping[str, int]) -> str:
    """Debates by rounds held as JSON text, in the order of the rounds; "unknown" comes last."""
    return json.dumps({r: int(counts[r]) for r in sorted(counts, key=lambda r: (r == "unknown", 0 if r == "unknown" else int(r)))})
