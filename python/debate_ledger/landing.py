"""What lies in the data folders, and the lines that need more care than DuckDB's line reader takes.

`scan_folders` looks at every file once: it hashes the bytes, counts the lines, and decides who reads them. Well-formed JSONL goes to
DuckDB's reader (fast); feature-matrix CSV and JSONL with bytes that this reader stumbles over go through `converted_lines`
(slower, line by line); what is no text at all is reported with the way out, and everything else still lands.

Files of the verifier audit (`audit_files`) are containers, not lines: each becomes a few safe records, which are its lines from here on.
JSONL files of the audit that hold transcripts are read the same way, so that no text of them comes any further.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import IO

import pyarrow as pa

from debate_ledger.audit_files import AUDIT_SUFFIXES, audit_kind, audit_records, withheld_kind, withheld_records

CHUNK = 1 << 22
WINDOW = 1 << 16
csv.field_size_limit(1 << 30)  # a long cell is no reason to stop
#: Lines of a CSV file over which one quoted cell may reach; a quote that is not closed by then is a slip.
MAX_CELL_LINES = 50
#: Flags of a gzip header that DuckDB reads: an extra field, a name.
DUCKDB_GZIP_FLAGS = 0x04 | 0x08
CONTROL_CHARACTERS = bytes([*range(9), *range(14, 32)])
BOM = b"\xef\xbb\xbf"
#: Longest line that is parsed; a longer one is rejected.
MAX_LINE_BYTES = 64 * 1024 * 1024
#: Characters of such a line that are kept, as of any rejected line.
TEXT_KEPT = 100_000
LINE_SUFFIXES = (".jsonl", ".jsonl.gz", ".csv", ".csv.gz")
SUFFIXES = (*LINE_SUFFIXES, *AUDIT_SUFFIXES)
#: JSON that the command line writes beside data; it is about the data, and no data.
RECEIPT_SUFFIX = ".receipt.json"
#: A CSV file is a feature matrix if its header holds all names of one of these sets (`ledger_formats` 1.13: builder and schema).
FEATURE_MATRIX_HEADERS = (
    frozenset({"question_id", "collapsed", "corrected", "init_majority_correct", "r1_majority_changed"}),
    frozenset({"question_id", "collapsed", "corrected", "initial_majority_correct", "r1_majority_changed"}),
)

FILES_SCHEMA = pa.schema(
    [
        ("file_id", pa.int32()),
        ("file_key", pa.string()),
        ("stem", pa.string()),
        ("file", pa.string()),
        ("folder", pa.string()),
        ("path", pa.string()),
        ("format", pa.string()),
        ("reader", pa.string()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("n_bytes", pa.int64()),
        ("sha256", pa.string()),
        ("n_lines", pa.int64()),
        ("longest_line_bound", pa.int64()),
    ]
)
LINES_SCHEMA = pa.schema(
    [
        ("path", pa.string()),
        ("line_number", pa.int64()),
        ("line", pa.string()),
        ("original", pa.string()),
        ("kind", pa.string()),
        ("reason", pa.string()),
        ("is_record", pa.bool_()),
    ]
)


class LandingError(Exception):
    """A data folder cannot be used as asked; the message says which one and what to do."""


@dataclass(frozen=True)
class Found:
    """A file below one of the data folders: where it is, and how people call it."""

    path: Path
    file: str
    folder: str


def data_roots(data_dir: str = "", extra_data: str | Sequence[str] = "") -> list[Path]:
    """Folders to land, in order: the data folder, then the further ones.

    An argument wins over the environment (``LEDGER_DATA``, ``LEDGER_EXTRA_DATA``, the latter separated like ``PATH``), which wins
    over the default ``data``. Raises LandingError for a folder that does not exist.
    """
    first = data_dir or os.environ.get("LEDGER_DATA") or "data"
    further = extra_data or os.environ.get("LEDGER_EXTRA_DATA") or []
    if isinstance(further, str):
        further = [part for part in further.split(os.pathsep) if part]
    roots = [Path(p).expanduser() for p in [first, *further]]
    for root in roots:
        if not root.is_dir():
            raise LandingError(
                f"data folder '{root}' is not there (current folder: {Path.cwd()}); "
                "set LEDGER_DATA (or the var data_dir), and LEDGER_EXTRA_DATA (or extra_data), to existing folders"
            )
    return roots


def find_files(roots: Sequence[Path]) -> list[Found]:
    """Files to land below the roots, sorted by root and relative path; links are followed, each real file is taken once."""
    found: list[Found] = []
    seen_files: set[Path] = set()
    unlistable: list[OSError] = []
    for root in roots:
        seen_folders: set[Path] = set()
        below: list[Path] = []
        # A folder that cannot be listed is taken along, so that it is reported like a file that cannot be opened.
        for folder, names, files in os.walk(root, followlinks=True, onerror=unlistable.append):
            real = Path(folder).resolve()
            if real in seen_folders:  # a link that points back up
                names.clear()
                continue
            seen_folders.add(real)
            names[:] = [n for n in names if not n.startswith(".")]
            below += [Path(folder, n) for n in files if n.endswith(SUFFIXES) and not (n.startswith(".") or n.endswith(RECEIPT_SUFFIX))]
        below += [Path(error.filename) for error in unlistable]
        unlistable.clear()
        for path in sorted(below, key=lambda p: p.relative_to(root).as_posix()):
            if (real := path.resolve()) in seen_files:
                continue
            seen_files.add(real)
            relative = path.relative_to(root)
            own_folder = relative.parts[0] if len(relative.parts) > 1 else root.resolve().name
            found.append(Found(path, (Path(root.resolve().name) / relative).as_posix(), own_folder))
    return found


def stem(name: str) -> str:
    """File name without the endings that say how it is stored: ``x.pre_1.jsonl.gz`` is ``x.pre_1``."""
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


def file_keys(files: Sequence[Found]) -> list[str]:
    """A unique key per file: its stem; where stems collide, the path from the data folder on; where those collide, the full path."""
    candidates = [
        [_printable(stem(Path(f.file).name)) for f in files],
        [_printable(f.file) for f in files],
        [f"{_printable(f.file)}#{i + 1}" for i, f in enumerate(files)],
    ]
    keys = candidates[0]
    for better in candidates[1:]:
        clashing = {key for key, n in Counter(keys).items() if n > 1}
        keys = [b if key in clashing else key for key, b in zip(keys, better, strict=True)]
    return keys


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb")


def _hash_file(path: Path) -> tuple[str | None, int | None]:
    """sha256 and size of the bytes on disk; (None, None) for a file that cannot be read, which `scan_file` reports."""
    digest, size = hashlib.sha256(), 0
    if not path.is_file():  # reading from a pipe would wait for ever
        return None, None
    try:
        with path.open("rb", buffering=0) as raw:
            # Large pieces, since after each one this thread waits for the interpreter that the look through the text holds; into the
            # same memory, since fresh memory takes as long to get as the piece takes to hash.
            piece = memoryview(bytearray(min(4 * CHUNK, os.fstat(raw.fileno()).st_size + 1)))
            while n := raw.readinto(piece):
                digest.update(piece[:n])
                size += n
    except OSError:
        return None, None
    return digest.hexdigest(), size


@dataclass
class _Text:
    """What one pass over the decoded bytes of a file finds."""

    n_lines: int = 0
    longest: int = 0  # no line has more bytes; the longest one may have up to WINDOW less
    plain: bool = True  # DuckDB's line reader takes it as it is


def _printable(name: str) -> str:
    """Name of a file with the bytes that are no UTF-8 escaped."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _is_binary(start: bytes) -> bool:
    """Whether a file begins like UTF-16 or binary data: its mark, or more than one control character in fifty."""
    controls = len(start) - len(start.translate(None, CONTROL_CHARACTERS))
    return start.startswith((b"\xff\xfe", b"\xfe\xff")) or controls * 50 > len(start)


def _chunks(path: Path, text: _Text) -> Iterator[bytes]:
    """Decoded bytes of a file, piece by piece.

    Not plain is a gzip stream that DuckDB's reader does not take: zeros after a member, as block devices and tape leave them, and headers
    with more than a name and an extra field.
    """
    with path.open("rb") as raw:
        if not path.name.endswith(".gz"):
            while chunk := raw.read(CHUNK):
                yield chunk
            return
        packed = raw.read(CHUNK)
        while packed:
            if packed[0] == 0:
                text.plain = False
                packed = packed.lstrip(b"\0") or raw.read(CHUNK)
                continue
            packed += raw.read(4 - len(packed)) if len(packed) < 4 else b""
            text.plain &= not packed[3:] or not packed[3] & ~DUCKDB_GZIP_FLAGS
            member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            while not member.eof:
                if not packed and not (packed := raw.read(CHUNK)):
                    raise EOFError("the stream ends before its end mark")
                chunk = member.decompress(packed, CHUNK)
                packed = member.unconsumed_tail
                if chunk:
                    yield chunk
            packed = member.unused_data or raw.read(CHUNK)


def _look_through(path: Path) -> _Text:
    """Count lines and find what DuckDB's reader does not take. Raises OSError, EOFError or zlib.error for a broken gzip stream."""
    text = _Text()
    size = line_start = 0  # in bytes from the start of the file; the line that begins last
    tail = b""  # up to three bytes of a character that the last chunk cut
    with closing(_chunks(path, text)) as chunks:
        for chunk in chunks:
            text.n_lines += chunk.count(b"\n")
            # Cutting out every line takes longer than all the rest of this look.
            for at in range(0, len(chunk), WINDOW):
                if (last := chunk.rfind(b"\n", at, at + WINDOW)) >= 0:
                    text.longest = max(text.longest, size + last - line_start)
                    line_start = size + last + 1
            if text.plain:
                # Char 30 is the column separator given to DuckDB; its reader guesses line ends per scan, so any CR is kept from it.
                text.plain = not (b"\r" in chunk or b"\x1e" in chunk or b"\x00" in chunk or (size == 0 and chunk.startswith(BOM)))
                if tail or not chunk.isascii():
                    text.plain, tail = _is_utf8(tail + chunk, text.plain)
            size += len(chunk)
    text.plain = text.plain and not tail
    text.longest = max(text.longest, size - line_start)
    if size > line_start:
        text.n_lines += 1
    return text


def _is_utf8(data: bytes, so_far: bool) -> tuple[bool, bytes]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data" and len(data) - error.start <= 3
        return (so_far, data[error.start :]) if cut else (False, b"")
    return so_far, b""


def _csv_header(path: Path) -> list[str]:
    with _open(path) as stream:
        line = stream.readline(1 << 20).decode("utf-8-sig", errors="replace")
    return next(csv.reader([line.rstrip("\r\n")]), [])


def _csv_problem(path: Path) -> tuple[str, str] | None:
    """Status and reason of a CSV file that does not land, by its header; None for a feature matrix."""
    try:
        header = _csv_header(path)
    except csv.Error as error:
        return "unreadable", f"the CSV header cannot be read ({error}): save the file with LF line ends"
    if not any(names <= set(header) for names in FEATURE_MATRIX_HEADERS):
        wanted = ", ".join(sorted(FEATURE_MATRIX_HEADERS[0]))
        return "skipped", f"CSV without the columns of a feature matrix (at least {wanted}): nothing landed"
    doubled = [name for name, n in Counter(header).items() if n > 1]
    if doubled:
        return "unreadable", f"the CSV header names {', '.join(doubled)} twice: name each column once"
    return None


def scan_file(found: Found) -> dict[str, object]:
    """What the text of one file is, as a row of `FILES_SCHEMA` without id, key and hash; never raises for what the file holds."""
    name = found.path.name
    row: dict[str, object] = {
        "stem": _printable(stem(name)),
        "file": _printable(found.file),
        "folder": _printable(found.folder),
        "path": _printable(str(found.path.absolute())),
    }
    row["format"] = next((s.removeprefix(".") for s in (".csv", *AUDIT_SUFFIXES) if name.removesuffix(".gz").endswith(s)), "jsonl")
    row.update(reader=None, status="unreadable", reason=None, n_lines=None, longest_line_bound=None)
    if row["path"] != str(found.path.absolute()):
        row["reason"] = "the name of the file or of a folder above it is not UTF-8: rename it"
        return row
    if not found.path.is_file():
        row["reason"] = "no file that can be read (a link to nothing, a pipe, or a folder that cannot be listed): remove it or mend it"
        return row
    try:
        with found.path.open("rb") as raw:
            head = raw.read(4096)
    except OSError as error:
        row["reason"] = f"the file cannot be opened ({error.strerror}): check its permissions or its link"
        return row
    is_gzip = head.startswith(b"\x1f\x8b")
    if is_gzip and not name.endswith(".gz"):
        row["reason"] = f"gzip data without the .gz ending: rename it to {name}.gz"
        return row
    if head and not is_gzip and name.endswith(".gz"):
        row["reason"] = f"the name ends in .gz but the data is not gzip: rename it to {name.removesuffix('.gz')} or compress it"
        return row
    if name.endswith(AUDIT_SUFFIXES):
        row.update(_scan_container(found.path))
        return row
    try:
        with _open(found.path) as stream:
            start = stream.read(4096)
        if _is_binary(start):
            row["reason"] = "not UTF-8 text (UTF-16 or binary data): save it as UTF-8, or move it out of the data folder"
            return row
        text = _look_through(found.path)
    except (OSError, EOFError, zlib.error) as error:
        row["reason"] = f"broken gzip stream ({error}): fetch or compress the file again"
        return row
    if row["format"] == "csv" and text.n_lines and (problem := _csv_problem(found.path)):
        row["status"], row["reason"] = problem
        return row
    row.update(n_lines=text.n_lines, longest_line_bound=text.longest, status="landed")
    if row["format"] == "jsonl" and withheld_kind(found.path):
        row["reader"] = "withheld"
        return row
    # DuckDB takes *, ? and [ in a path for a pattern, and stumbles over an empty .gz.
    is_pattern = any(c in str(row["path"]) for c in "*?[")
    if text.n_lines:
        is_for_duckdb = row["format"] == "jsonl" and text.plain and text.longest <= MAX_LINE_BYTES and not is_pattern
        row["reader"] = "lines" if is_for_duckdb else "converted"
    return row


def _scan_container(path: Path) -> dict[str, object]:
    """Status, reason, reader and number of records of a file that is no text of lines: of the verifier audit, or of nothing known."""
    if audit_kind(path) is None:
        what, way = "NumPy file", ""
        if path.suffix == ".json":
            what, way = "JSON file", "; debates stand in JSON Lines, one object per line"
        return {"status": "skipped", "reason": f"a {what} that is none of the verifier audit by name and content: nothing landed{way}"}
    n_records = sum(1 for _ in audit_records(path))
    return {"status": "landed", "reader": "audit" if n_records else None, "n_lines": n_records, "longest_line_bound": None}


def scan_folders(roots: Sequence[Path]) -> pa.Table:
    """One row per file below the roots, in the order of `find_files`; see `FILES_SCHEMA`."""
    files = find_files(roots)
    with ThreadPoolExecutor(max_workers=1) as pool:  # hashing leaves the interpreter to the look through the text
        hashes = pool.map(_hash_file, [f.path for f in files])
        rows = [scan_file(f) for f in files]
    for i, (row, key, (sha256, n_bytes)) in enumerate(zip(rows, file_keys(files), hashes, strict=True)):
        row.update(file_id=i + 1, file_key=key, sha256=sha256, n_bytes=n_bytes)
    return pa.Table.from_pylist(rows, schema=FILES_SCHEMA)


def _byte_lines(path: Path) -> Iterator[bytes]:
    """Lines without their ending; unlike a text reader it ends a line at LF only, as the line count does."""
    with _open(path) as stream:
        for raw in stream:
            yield raw.removesuffix(b"\n")


def _decoded(raw: bytes) -> tuple[str, str | None]:
    """Text of a line and, when it is no UTF-8 text, the reason for which it is rejected (the text then shows the bytes escaped)."""
    try:
        text, reason = raw.decode("utf-8"), None
    except UnicodeDecodeError as error:
        text = raw.decode("utf-8", errors="backslashreplace")
        reason = f"byte {error.start + 1} of the line is not UTF-8: save the line as UTF-8"
    if "\x00" in text:
        text, reason = text.replace("\x00", "\\x00"), reason or "the line holds a NUL byte: write the line again"
    return text, reason


def _jsonl_lines(path: Path) -> Iterator[dict[str, object]]:
    for number, raw in enumerate(_byte_lines(path), start=1):
        if number == 1:
            raw = raw.removeprefix(BOM)
        text, reason = _decoded(raw[:MAX_LINE_BYTES])
        if len(raw) > MAX_LINE_BYTES:
            text, reason = text[:TEXT_KEPT], f"the line has {len(raw):,} bytes, more than {MAX_LINE_BYTES:,}: split it, or leave texts out"
        yield {"line_number": number, "line": None if reason else text.rstrip("\r"), "original": text, "reason": reason}


def _opens_a_cell(text: str) -> bool:
    """Whether a quoted cell begins in the text and does not end in it."""
    try:
        list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        return str(error) == "unexpected end of data"
    return False


def _broken_cells(rows: Iterator[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Rows of a CSV file, those over which one cell reaches with the reason: its second half would pass for a row of its own."""
    ahead: deque[dict[str, object]] = deque()
    while row := ahead.popleft() if ahead else next(rows, None):
        if row["reason"] or '"' not in str(row["original"]) or not _opens_a_cell(str(row["original"])):
            yield row
            continue
        ahead.extend(islice(rows, MAX_CELL_LINES - len(ahead)))
        texts = accumulate((str(r["original"]) for r in ahead), lambda a, b: f"{a}\n{b}", initial=str(row["original"]))
        closing_line = next((n for n, text in enumerate(texts) if n and not _opens_a_cell(text)), None)
        what = f"a cell that begins in line {row['line_number']}"
        if closing_line is None:
            yield {**row, "reason": f"{what} is never closed: close or double its quote"}
            continue
        reason = f"{what} holds a line break: write it as a blank"
        yield {**row, "reason": reason}
        for _ in range(closing_line):
            yield {**ahead.popleft(), "reason": reason}


def _csv_texts(path: Path) -> Iterator[dict[str, object]]:
    for number, raw in enumerate(_byte_lines(path), start=1):
        text, reason = _decoded((raw.removeprefix(BOM) if number == 1 else raw).rstrip(b"\r"))
        yield {"line_number": number, "line": None, "original": text, "reason": reason}


def _csv_lines(path: Path) -> Iterator[dict[str, object]]:
    header: list[str] | None = None
    for row in _broken_cells(_csv_texts(path)):
        text = str(row["original"])
        if header is None:
            header = next(csv.reader([text]), [])
            row["kind"] = "header"
        elif not text.strip():
            row["kind"] = "blank"
        elif row["reason"] is None:
            try:
                fields = next(csv.reader(io.StringIO(text)), [])
            except csv.Error as error:
                row["reason"] = f"not a CSV row ({error}): write the row again"
                yield row
                continue
            if len(fields) != len(header):
                row["reason"] = f"the row has {len(fields)} fields, the header has {len(header)}: complete the row"
            else:
                # An empty cell is a missing value, like a JSON null.
                row["line"] = json.dumps({k: v if v != "" else None for k, v in zip(header, fields, strict=True)})
        yield row


#: Who reads the files that DuckDB's reader is not given, by reader and format.
READERS = {
    ("converted", "jsonl"): _jsonl_lines,
    ("converted", "csv"): _csv_lines,
    ("withheld", "jsonl"): withheld_records,
    **{("audit", suffix.removeprefix(".")): audit_records for suffix in AUDIT_SUFFIXES},
}


def converted_lines(files: Iterable[tuple[str, str, str]], batch_rows: int = 20_000) -> Iterator[pa.RecordBatch]:
    """Lines of the files that DuckDB's reader is not given, in batches of `LINES_SCHEMA`.

    ``files`` holds (path, format, reader). A CSV row becomes a JSON object of its cells (text; an empty cell is null), so that it
    goes through the same typing as a JSONL line. ``original`` is the line as it stands in the file, for the hash and for rejects; of a
    file of the audit it is the safe record, since its texts stay where they are.
    """
    batch: list[dict[str, object]] = []
    size = 0
    for path, form, reader in files:
        for row in READERS[reader, form](Path(path)):
            batch.append({"path": path, "kind": None, "is_record": reader in ("audit", "withheld"), **row})
            size += len(str(row["original"]))
            if len(batch) >= batch_rows or size > MAX_LINE_BYTES:
                yield pa.RecordBatch.from_pylist(batch, schema=LINES_SCHEMA)
                batch, size = [], 0
    yield pa.RecordBatch.from_pylist(batch, schema=LINES_SCHEMA)
