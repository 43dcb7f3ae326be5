"""From a reader to a file of canonical lines with its receipt; both appear whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from debate_ledger.coder import CODER_VERSION
from debate_ledger.console import WrongCall
from debate_ledger.importers.agents import Tally, settle
from debate_ledger.importers.conditions import Conditions
from debate_ledger.importers.debate import Aside, Debate, Found, Note, Rejected, to_record
from debate_ledger.importers.losses import Losses
from debate_ledger.importers.probes import Battery
from debate_ledger.importers.source import RECEIPT_ENDING, Source
from debate_ledger.importers.streaming import sha256_of

RECEIPT = "debate-ledger-receipt/1"


@dataclass
class Receipt:
    """What an import did. ``read`` = ``written`` + ``rejected``; rows and files set aside are no debates."""

    written: int = 0
    rejected: int = 0
    set_aside: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: Name and reason of files that gave no debate: empty ones, copies of others.
    files_set_aside: list[tuple[str, str]] = field(default_factory=list)
    #: Debates, rejected ones and rows set aside of each file.
    per_file: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    conditions: Conditions = field(default_factory=Conditions)
    without_key: int = 0
    #: Debates of which nothing names the model.
    without_model: int = 0
    #: Names of agents that earlier rounds of their debate do not know.
    agents: Tally = field(default_factory=Tally)
    losses: Losses = field(default_factory=Losses)
    #: What is wrong with the import as a whole, and what to do, though something came in (`Losses.faults`).
    faults: list[str] = field(default_factory=list)
    path: Path = Path()

    @property
    def read(self) -> int:
        """Debates that were found in the logs, whole or not."""
        return self.written + self.rejected

    @property
    def exit_status(self) -> int:
        """0 where the import can be built on, 1 where nothing came in, 3 where so much is lost that it should not be, unless accepted."""
        return 1 if not self.written else 3 if self.faults and not self.losses.is_accepted else 0


def receipt_path(out: Path, came_in: bool = True) -> Path:
    """Where a receipt lies: beside the file that it is of; that of an import from which nothing came in has a name of its own."""
    return out.with_name(out.name + ("" if came_in else ".failed") + RECEIPT_ENDING)


def import_with(
    read: Callable[[Source], Iterator[Found]],
    source_format: str,
    source: Source,
    out: Path,
    told: Callable[[Rejected], None] = lambda _: None,
    counted: Callable[[int], None] = lambda _: None,
    allow_losses: bool = False,
) -> Receipt:
    """Write every debate that ``read`` finds to ``out`` (.jsonl or .jsonl.gz) and the receipt beside it; both are replaced, or none.

    ``told`` gets each rejection, ``counted`` the number of debates so far. Where no debate comes in, an older ``out`` and its receipt
    stay as they were, and the reasons are in a receipt of their own (`receipt_path`), which the next import that succeeds takes away.
    A folder that is missing is made. ``allow_losses`` accepts an import in which no debate has a key, or in which many are lost.
    Raises ValueError, with the file and the mend, for what is wrong with the whole import: a mapping, a file that is none, a place that
    cannot be written.
    """
    _check_place(out, [*source.paths, source.settings.mapping, source.settings.gold])
    receipt = Receipt(losses=Losses(is_accepted=allow_losses))
    made = [folder for folder in (out.parent, *out.parent.parents) if not os.path.exists(folder)]
    parts = ("lines", "settled", "rejected", "receipt")
    fresh, settled, listed, fresh_receipt = (out.with_name(f".{out.name}.{os.getpid()}.{part}.tmp") for part in parts)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _lines(fresh, out.name.endswith(".gz")) as lines, listed.open("w", encoding="utf-8", newline="\n") as rejections:
            for found in settle(read(source), source.whose, receipt.agents):
                _take(found, receipt, source_format, source, lines, rejections, told)
                if isinstance(found, Debate | Battery):
                    counted(receipt.written)
        source.check_unchanged()
        source.without_debates(receipt.per_file)
        receipt.files_set_aside = source.set_aside
        receipt.faults = receipt.losses.faults(source_format)
        _check_place(out, list(source.files))
        if not receipt.conditions.are_settled:
            _write_conditions(fresh, settled, receipt.conditions, out.name.endswith(".gz"))
        output = {"file": out.name, "lines": receipt.written, "sha256": sha256_of(fresh)} if receipt.written else None
        receipt.path = receipt_path(out, came_in=receipt.written > 0)
        _write_receipt(fresh_receipt, receipt, source_format, source, output, listed)
        if receipt.written:
            _replace_both(fresh, out, fresh_receipt, receipt.path)
            receipt_path(out, came_in=False).unlink(missing_ok=True)
        else:
            os.replace(fresh_receipt, receipt.path)
    except OSError as error:
        # What is read is opened elsewhere, with its own errors.
        reason = error.strerror or str(error)
        raise ValueError(
            f"{out}: cannot be written ({reason}): look at the folder's permissions and room, or name another place"
        ) from error
    finally:
        for path in (fresh, settled, listed, fresh_receipt):
            # Where nothing can be written, nothing can be taken away; the reason is told already.
            with suppress(OSError):
                path.unlink(missing_ok=True)
        for folder in made:
            # One that holds something stays.
            with suppress(OSError):
                folder.rmdir()
    return receipt


def _check_place(out: Path, logs: Sequence[Path | None]) -> None:
    """Raises ValueError where ``out`` is no place for an output, or the output or its receipt would replace a file that is read."""
    # os.path answers where a folder may not be looked into, pathlib raises.
    if os.path.isdir(out):
        raise WrongCall(f"{out} is a folder: name a file in it with --out, such as {out / 'mine.jsonl'}")
    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise WrongCall(f"{out}: a ledger lands *.jsonl and *.jsonl.gz: name the output so")
    above = next(folder for folder in (out.parent, *out.parent.parents) if os.path.lexists(folder))
    if not os.path.isdir(above):
        raise WrongCall(f"{above} is no folder: name another place with --out")
    # Receipts among the logs are set aside, so they may be replaced.
    read = [p for p in logs if p is not None and not p.name.endswith(RECEIPT_ENDING)]
    for written in (out, receipt_path(out), receipt_path(out, came_in=False)):
        if os.path.isdir(written):
            raise WrongCall(f"{written} is a folder: a receipt is written there: take it away, or name another file with --out")
        if os.path.exists(written) and any(os.path.exists(p) and os.path.samefile(p, written) for p in read):
            raise WrongCall(f"{written} is a file that is read: name another file with --out")


def _replace_both(fresh: Path, out: Path, fresh_receipt: Path, receipt: Path) -> None:
    """Put the output and its receipt in their places; where the receipt cannot be, the output that was there comes back."""
    old = out.with_name(f".{out.name}.{os.getpid()}.old.tmp")
    was_there = out.exists()
    if was_there:
        os.replace(out, old)
    try:
        os.replace(fresh, out)
        os.replace(fresh_receipt, receipt)
    except BaseException:
        if was_there:
            os.replace(old, out)
        else:
            out.unlink(missing_ok=True)
        raise
    old.unlink(missing_ok=True)


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


def _text(record: dict[str, Any]) -> str:
    # Surrogates that stand alone cannot be written as UTF-8; as escapes they can.
    return json.dumps(record, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"


def _write_conditions(found: Path, settled: Path, conditions: Conditions, is_packed: bool) -> None:
    """Write lines anew with their conditions, which are known once all are seen; one at a time, since there may be millions."""
    with gzip.open(found, "rb") if is_packed else found.open("rb") as old, _lines(settled, is_packed) as lines:
        for line in old:
            lines.write(_text(conditions.settled(json.loads(line))))
    os.replace(settled, found)


def _take(
    found: Found, receipt: Receipt, source_format: str, source: Source, lines: _lines, rejections: IO[str], told: Callable[[Rejected], None]
) -> None:
    if not isinstance(found, Note):
        receipt.per_file[found.file] += 1
    if isinstance(found, Debate | Battery | Rejected):
        receipt.losses.take(found)
    if isinstance(found, Debate | Battery):
        of = to_record if isinstance(found, Debate) else Battery.to_record
        record = of(found, source_format, source.settings, CODER_VERSION)
        if isinstance(found, Debate):
            receipt.conditions.see(record)
        lines.write(_text(record))
        receipt.written += 1
        receipt.without_key += found.gold is None
        receipt.without_model += "model_name" not in record
        if found.unread_key:
            receipt.notes[str(found.unread_key)] += 1
        receipt.kinds[found.kind] += 1
        receipt.answers.update("unparsed" if answer is None else "parsed" for answer in found.answers())
    elif isinstance(found, Rejected):
        receipt.rejected += found.n
        rejections.write(json.dumps({k: v for k, v in asdict(found).items() if v is not None and not (k == "n" and v == 1)}) + "\n")
        told(found)
    elif isinstance(found, Aside):
        receipt.set_aside[(found.file, found.reason)] += 1
    elif isinstance(found, Note):
        receipt.notes[found.what] += 1


def _write_receipt(fresh: Path, receipt: Receipt, source_format: str, source: Source, output: dict[str, Any] | None, listed: Path) -> None:
    """Rejections are copied line by line, since there may be as many as records."""
    settings = asdict(source.settings) | {
        key: None if (path := getattr(source.settings, key)) is None else source.listed(path) for key in ("mapping", "gold")
    }
    head = {
        "schema": RECEIPT,
        "format": source_format,
        "settings": settings,
        "coder_version": CODER_VERSION,
        "inputs": [source.listed(path) for path in source.files],
        "output": output,
        "debates": {"read": receipt.read, "written": receipt.written, "rejected": receipt.rejected, "without_key": receipt.without_key},
        "losses": receipt.losses.as_record(),
        "exit_status": receipt.exit_status,
        "answers": {kind: receipt.answers[kind] for kind in ("parsed", "unparsed")},
        "kinds": dict(sorted(receipt.kinds.items())),
        "conditions_by": list(receipt.conditions.differing),
        "rows_set_aside": [{"file": f, "reason": r, "n": n} for (f, r), n in receipt.set_aside.items()],
        "files_set_aside": [{"file": f, "reason": r} for f, r in receipt.files_set_aside],
        "notes": dict(receipt.notes),
        "unknown_agents": receipt.agents.listed(),
    }
    # A name of a file may hold bytes that are no UTF-8: as escapes they are JSON.
    with fresh.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file, listed.open(encoding="utf-8") as rejections:
        file.write(json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}") + ',\n "rejections": [')
        separator = "\n  "
        for line in rejections:
            file.write(separator + line.rstrip("\n"))
            separator = ",\n  "
        file.write("\n ]\n}\n" if receipt.rejected else "]\n}\n")
