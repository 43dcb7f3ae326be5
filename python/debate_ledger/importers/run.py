"""From a reader to a file of canonical lines with its receipt; both appear whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from debate_ledger.coder import CODER_VERSION
from debate_ledger.importers.debate import Aside, Debate, Found, Note, Rejected, Source, to_record

RECEIPT = "debate-ledger-receipt/1"


@dataclass
class Receipt:
    """What an import did. ``read`` = ``written`` + ``rejected``; rows set aside are no debates."""

    written: int = 0
    rejected: int = 0
    set_aside: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    without_key: int = 0
    path: Path = Path()

    @property
    def read(self) -> int:
        """Debates that were found in the logs, whole or not."""
        return self.written + self.rejected


def receipt_path(out: Path) -> Path:
    """Where the receipt of a file lies: beside it."""
    return out.with_name(out.name + ".receipt.json")


def import_with(
    read: Callable[[Source], Iterator[Found]],
    source_format: str,
    source: Source,
    out: Path,
    told: Callable[[Rejected], None] = lambda _: None,
    counted: Callable[[int], None] = lambda _: None,
) -> Receipt:
    """Write every debate that ``read`` finds to ``out`` (.jsonl or .jsonl.gz) and the receipt beside it.

    ``told`` gets each rejection, ``counted`` the number of debates so far. Where no debate comes in, ``out`` stays as it was, and only the
    receipt is written. Raises ValueError for what is wrong with the whole import (a mapping, a file that is none), OSError.
    """
    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise ValueError(f"{out}: a ledger lands *.jsonl and *.jsonl.gz: name the output so")
    if not out.parent.is_dir():
        raise ValueError(f"{out.parent} is no folder: make it, or name another place with --out")
    if any(p.exists() and out.exists() and p.samefile(out) for p in source.paths):
        raise ValueError(f"{out} is a log that is read: name another file with --out")
    receipt = Receipt(path=receipt_path(out))
    fresh, listed = (out.with_name(f".{out.name}.{os.getpid()}.{part}.tmp") for part in ("lines", "rejected"))
    try:
        with _lines(fresh, out.name.endswith(".gz")) as lines, listed.open("w", encoding="utf-8", newline="\n") as rejections:
            for found in read(source):
                _take(found, receipt, source_format, source, lines, rejections, told)
                if isinstance(found, Debate):
                    counted(receipt.written)
        inputs = [{"file": source.name(p), "bytes": p.stat().st_size, "sha256": _sha256(p)} for p in source.files]
        output = {"file": out.name, "lines": receipt.written, "sha256": _sha256(fresh)} if receipt.written else None
        if receipt.written:
            os.replace(fresh, out)
        _write_receipt(receipt, source_format, source, inputs, output, listed)
    finally:
        for path in (fresh, listed):
            path.unlink(missing_ok=True)
    return receipt


class _lines:
    """A text file of lines, packed where asked, without a name or a time in it, so that the same debates give the same bytes."""

    def __init__(self, path: Path, is_packed: bool) -> None:
        self._raw = path.open("wb")
        self._file: Any = gzip.GzipFile("", "wb", 6, self._raw, mtime=0) if is_packed else self._raw

    def __enter__(self) -> _lines:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not self._raw:
            self._file.close()
        self._raw.close()

    def write(self, text: str) -> None:
        self._file.write(text.encode("utf-8"))


def _take(
    found: Found, receipt: Receipt, source_format: str, source: Source, lines: _lines, rejections: IO[str], told: Callable[[Rejected], None]
) -> None:
    if isinstance(found, Debate):
        record = to_record(found, source_format, source.settings, CODER_VERSION)
        # Surrogates that stand alone cannot be written as UTF-8; as escapes they can.
        lines.write(json.dumps(record, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n")
        receipt.written += 1
        receipt.without_key += found.gold is None
        receipt.kinds[found.kind] += 1
        for panel in found.rounds:
            parsed = sum(a.answer is not None for a in panel)
            receipt.answers += Counter(parsed=parsed, unparsed=len(panel) - parsed)
    elif isinstance(found, Rejected):
        receipt.rejected += found.n
        rejections.write(json.dumps({k: v for k, v in asdict(found).items() if v is not None and not (k == "n" and v == 1)}) + "\n")
        told(found)
    elif isinstance(found, Aside):
        receipt.set_aside[(found.file, found.reason)] += 1
    elif isinstance(found, Note):
        receipt.notes[found.what] += 1


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_receipt(
    receipt: Receipt, source_format: str, source: Source, inputs: list[dict[str, Any]], output: dict[str, Any] | None, listed: Path
) -> None:
    """Rejections are copied line by line, since there may be as many as records."""
    settings = asdict(source.settings) | {
        # The folders of whoever ran it are nobody's business.
        key: None if (path := getattr(source.settings, key)) is None else {"file": path.name, "sha256": _sha256(path)}
        for key in ("mapping", "gold")
    }
    head = {
        "schema": RECEIPT,
        "format": source_format,
        "settings": settings,
        "coder_version": CODER_VERSION,
        "inputs": inputs,
        "output": output,
        "debates": {"read": receipt.read, "written": receipt.written, "rejected": receipt.rejected, "without_key": receipt.without_key},
        "answers": {kind: receipt.answers[kind] for kind in ("parsed", "unparsed")},
        "kinds": dict(sorted(receipt.kinds.items())),
        "rows_set_aside": [{"file": f, "reason": r, "n": n} for (f, r), n in receipt.set_aside.items()],
        "notes": dict(receipt.notes),
    }
    fresh = receipt.path.with_name(f".{receipt.path.name}.{os.getpid()}.tmp")
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as file, listed.open(encoding="utf-8") as rejections:
            file.write(json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}") + ',\n "rejections": [')
            separator = "\n  "
            for line in rejections:
                file.write(separator + line.rstrip("\n"))
                separator = ",\n  "
            file.write("\n ]\n}\n" if receipt.rejected else "]\n}\n")
        os.replace(fresh, receipt.path)
    finally:
        fresh.unlink(missing_ok=True)
