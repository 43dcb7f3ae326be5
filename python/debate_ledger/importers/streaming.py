"""Readers whose memory does not grow with the file: a JSON document part by part, JSON Lines, CSV, and rows grouped on disk.

Every reader says where it is: records are counted from 1, and so are lines.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import io
import json
import os
import re
import shlex
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

#: One record (a debate, a line) may not be longer than this many characters: a file that lost a quotation mark would else be held whole.
RECORD_LIMIT = 64 * 2**20
CHUNK = 2**20
#: A value that is cut by the end of the buffer fails this close to it (`\ud83d\ude00` is the longest token that can be cut in two).
NEAR_END = 16

Progress = Callable[[Path, float], None]


class BrokenFile(ValueError):
    """A file that cannot be read, or not from here on; ``line`` counts from 1, None where no line is to blame."""

    def __init__(self, reason: str, line: int | None, mend: str) -> None:
        super().__init__(reason)
        self.reason, self.line, self.mend = reason, line, mend

    def told(self, name: object) -> str:
        """One sentence with the file, the place and the mend."""
        return f"{name}{'' if self.line is None else f':{self.line}'}: {self.reason} ({self.mend})"


#: How files begin that are no text: what they are, and the mend.
_NO_TEXT = (
    (rb"\x1f\x8b", "gzip data", "end the file's name in .gz, or unpack it"),
    (rb"PK(\x03\x04|\x05\x06)", "a zip archive", "unpack it and name the files in it (.eval logs: ledger import inspect)"),
    (rb"\xff\xfe|\xfe\xff", "UTF-16 text", "write the file as UTF-8"),
    (rb"BZh\d1AY&SY|\xfd7zXZ|\x28\xb5\x2f\xfd", "a packed file of another kind than gzip", "unpack it, and name the unpacked file"),
    (rb"PAR1", "a Parquet file", "write it as CSV or JSON Lines"),
    (rb"\x93NUMPY", "a NumPy file", "write it as JSON or CSV"),
)
#: So much of a file is looked at to tell that it is no text.
_HEAD = 1024


def _no_text(path: Path, head: bytes) -> BrokenFile | None:
    """What is wrong with a file that begins so; None for what may be text."""
    is_named_pickle = path.suffix in (".p", ".pkl", ".pickle") and head.strip()[:1] not in (b"", b"{", b"[")
    if is_named_pickle or re.match(rb"\x80[\x02-\x05]", head):
        # Another file than any that is there already, and names that no shell takes apart.
        convert = "import json, pickle, sys; json.dump(pickle.load(open(sys.argv[1], 'rb')), open(sys.argv[2], 'x'), default=float)"
        names = f"{shlex.quote(path.name)} {shlex.quote(path.stem + '.from_pickle.json')}"
        return BrokenFile(
            "a pickle, which is refused, since reading it can run code",
            None,
            f'where you trust whoever wrote it, write it as JSON and import that: python -c "{convert}" {names}',
        )
    for begins, what, mend in _NO_TEXT:
        if re.match(begins, head):
            return BrokenFile(f"{what}, no text in UTF-8", None, mend)
    if b"\0" in head:
        return BrokenFile("a binary file, no text", None, "name a text file in UTF-8: JSON, JSON Lines or CSV")
    return None


def unreadable(path: Path, error: OSError, mend: str = "look at the name and the folder") -> BrokenFile:
    """An error of the file system as a reason with its mend; ``mend`` is for a file that is not there."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return BrokenFile("no such file or folder", None, mend)
    if isinstance(error, IsADirectoryError) or os.path.isdir(path):
        return BrokenFile("a folder, no file", None, f"name the files in it, such as {path / '*'}")
    if isinstance(error, PermissionError):
        return BrokenFile("may not be read", None, "look at its permissions and those of its folder")
    return BrokenFile(f"cannot be read ({error.strerror or error})", None, "copy it to another place and name the copy")


@contextmanager
def opened(path: Path, progress: Progress | None = None) -> Iterator[BinaryIO]:
    """A file's bytes, unpacked where its name ends in .gz; ``progress`` gets the share that was read, as often as a chunk is.

    Raises BrokenFile for a file that cannot be opened or read on, that is no text, and for a gzip stream that breaks off or is none.
    """
    try:
        size = max(path.stat().st_size, 1)
        with path.open("rb") as raw:
            plain: Any = gzip.open(raw) if path.name.endswith(".gz") else raw  # noqa: SIM115
            wrong = _no_text(path, plain.peek(_HEAD)[:_HEAD])
            if wrong:
                raise wrong
            yield _Told(plain, lambda: progress(path, raw.tell() / size)) if progress else plain
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BrokenFile(f"no whole gzip stream ({error})", None, "fetch it again, or unpack it and name the unpacked file") from error
    except OSError as error:
        raise unreadable(path, error) from error


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, as they lie there. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content_sha256(path: Path, sha256: str) -> str:
    """The SHA-256 of what a file holds, unpacked, without a byte order mark, carriage returns and line ends at the end.

    Two files that were packed at different times, or saved by two editors, hold the same, and differ. A packed archive is its bytes, by
    ``sha256``; so is a stream that breaks off, which is told by whoever reads it.
    """
    if path.name.endswith((".eval", ".zip")):
        return sha256
    digest, is_first, ends = hashlib.sha256(), True, 0
    try:
        with opened(path) as file:
            while data := file.read(CHUNK):
                data = (data.removeprefix(codecs.BOM_UTF8) if is_first else data).replace(b"\r", b"")
                is_first = False
                shorter = data.rstrip(b"\n")
                if shorter:
                    digest.update(b"\n" * ends + shorter)
                    ends = 0
                ends += len(data) - len(shorter)
    except BrokenFile:
        return sha256
    return digest.hexdigest()


class _Told:
    """A binary file that tells, about once a megabyte, that it was read on."""

    def __init__(self, file: BinaryIO, tell: Callable[[], None]) -> None:
        self._file, self._tell, self._untold = file, tell, 0

    def _count(self, data: bytes) -> bytes:
        self._untold += len(data)
        if self._untold >= CHUNK:
            self._untold = 0
            self._tell()
        return data

    def read(self, n: int = -1) -> bytes:
        return self._count(self._file.read(n))

    def readline(self, n: int = -1) -> bytes:
        return self._count(self._file.readline(n))


def repeated_key(pairs: list[tuple[str, Any]]) -> str:
    """The first key that stands twice."""
    keys = [key for key, _ in pairs]
    return next(key for i, key in enumerate(keys) if key in keys[:i])


class _Repeated(Exception):
    """A key that stands twice in one object."""


def _no_number(_: str) -> None:
    """NaN, Infinity and -Infinity, which Python writes and JSON does not know: they name no key, no model and no answer."""


def _whole_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Repeated(repeated_key(pairs))
    return found


class JsonStream:
    """A JSON text read part by part from a sliding buffer: the caller opens objects and lists and takes their values in turn."""

    def __init__(self, file: BinaryIO, limit: int = RECORD_LIMIT, chunk: int = CHUNK) -> None:
        self._file, self._limit, self._chunk = file, limit, chunk
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._parse = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=_no_number).raw_decode
        #: A key that stands twice in one object of the last value.
        self.repeated: str | None = None
        self._text, self._at, self._ended = "", 0, False
        self.line = 1

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            self.repeated = repeated_key(pairs)
        return found

    def _more(self) -> bool:
        """Read on; false at the end of the file."""
        if self._ended:
            return False
        if len(self._text) - self._at > self._limit:
            mend = "look for a quotation mark or a bracket that is missing there"
            raise BrokenFile(f"a value longer than {self._limit:,} characters", self.line, mend)
        data = self._file.read(max(self._chunk, len(self._text) - self._at))
        try:
            fresh = self._decode(data, not data)
        except UnicodeDecodeError as error:
            line = self.line + self._text.count("\n", self._at)
            raise BrokenFile(f"no UTF-8 text ({error.reason})", line, "write the file as UTF-8") from error
        self._ended = not data
        if fresh:
            self._text, self._at = self._text[self._at :] + fresh, 0
        return not self._ended

    def _move(self, to: int) -> None:
        self.line += self._text.count("\n", self._at, to)
        self._at = to

    def peek(self) -> str:
        """The next character that is no white space; "" at the end of the file."""
        while True:
            at, text = self._at, self._text
            while at < len(text) and text[at] in " \t\r\n":
                at += 1
            self._move(at)
            if at < len(text):
                return text[at]
            if not self._more():
                return ""

    def begins(self, wanted: str, shape: str) -> str:
        """The bracket that the next document begins with, one of ``wanted``; "" at the end of the file. ``shape`` is the mend."""
        found = self.peek()
        if found and found not in wanted:
            what = {"{": "an object", "[": "a list", '"': "a text"}.get(found, f"{found!r}")
            names = " or ".join({"{": "an object", "[": "a list"}[w] for w in wanted)
            raise BrokenFile(f"the JSON begins with {what} where {names} should stand", self.line, shape)
        return found

    def take(self, wanted: str) -> str:
        """The next character, which has to be one of ``wanted``."""
        found = self.peek()
        if not found or found not in wanted:
            names = " or ".join(wanted)
            reason = f"the JSON breaks off where {names} should stand" if not found else f"{found!r} stands where {names} should"
            raise BrokenFile(f"no JSON: {reason}", self.line, "write or fetch the file again; what stands before was read")
        self._move(self._at + 1)
        return found

    def value(self) -> Any:
        """The next value, whole. Raises BrokenFile."""
        self.peek()
        while True:
            self.repeated = None
            try:
                found, end = self._parse(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - NEAR_END
                if cut and self._more():
                    continue
                line = self.line + self._text.count("\n", self._at, min(error.pos, len(self._text)))
                what, mend = ("it breaks off", "write or fetch the file again") if cut else (error.msg, "correct it there")
                raise BrokenFile(f"no JSON: {what}", line, f"{mend}; what stands before was read") from error
            except (RecursionError, ValueError) as error:
                reason = "nested too deep" if isinstance(error, RecursionError) else "a number with too many digits"
                raise BrokenFile(f"a value that cannot be read: {reason}", self.line, "look at the record that begins there") from error
            # A number may go on, by a digit, or as `1.5` or `1e+5` that is cut after its first digit.
            if end >= len(self._text) - 2 and self._text[end - 1] not in '"]}' and self._more():
                continue
            self._move(end)
            return found

    def members(self) -> Iterator[str]:
        """The keys of an object; the caller takes the value after each."""
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        while True:
            if self.peek() != '"':
                self.take('"')
            key = self.value()
            self.take(":")
            yield key
            if self.take(",}") == "}":
                return

    def items(self) -> Iterator[int]:
        """The places of a list from 1 on; the caller takes the value at each."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        place = 0
        while True:
            place += 1
            yield place
            if self.take(",]") == "]":
                return


def json_lines(file: BinaryIO, limit: int = RECORD_LIMIT) -> Iterator[tuple[int, Any, BrokenFile | None]]:
    """Lines of a JSON Lines file as (line, value, None), or (line, None, what is wrong with that line); blank lines are left out."""
    number = 0
    while data := file.readline(limit):
        number += 1
        if len(data) == limit and not data.endswith(b"\n"):
            while (rest := file.readline(limit)) and not rest.endswith(b"\n"):
                pass
            yield number, None, BrokenFile(f"a line longer than {limit:,} bytes", number, "a line holds one record")
            continue
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                yield number, json.loads(text, object_pairs_hook=_whole_object, parse_constant=_no_number), None
        except _Repeated as error:
            yield number, None, BrokenFile(f"the key {str(error)!r} stands twice in one object", number, "keep one of the two")
        except UnicodeDecodeError:
            yield number, None, BrokenFile("no UTF-8 text", number, "write the file as UTF-8")
        except json.JSONDecodeError as error:
            yield number, None, BrokenFile(f"no JSON: {error.msg}", number, _line_mend(text))
        except (RecursionError, ValueError):
            yield number, None, BrokenFile("a value that cannot be read", number, "nested too deep, or a number with too many digits")


def _line_mend(text: str) -> str:
    """What to do about a line that is no JSON."""
    if text in ("{", "["):
        return "the value goes on in the next line: write every record on one line"
    if text.startswith(("{", "[")) and not text.endswith(("}", "]")):
        return "the line was cut short: write or fetch it again"
    return "a line holds one JSON value: correct it, or name a log of this format"


def csv_rows(
    file: BinaryIO, check: Callable[[list[str]], None] = lambda _: None
) -> Iterator[tuple[int, dict[str, str], BrokenFile | None]]:
    """Rows of a CSV file with a header as (line, row, None), or (line, row, what is wrong); an empty file has none.

    ``check`` gets the header and raises what it finds wrong. Raises BrokenFile where the file breaks off.
    """
    csv.field_size_limit(RECORD_LIMIT)
    data = io.TextIOWrapper(_Readable(file), encoding="utf-8-sig", newline="")
    rows = csv.reader(data)
    try:
        header = next((row for row in rows if any(cell.strip() for cell in row)), None)
        if header is None:
            return
        if len(set(header)) < len(header):
            twice = sorted({h for h in header if header.count(h) > 1})
            raise BrokenFile(f"columns that stand twice: {', '.join(twice)}", rows.line_num, "name every column once")
        check(header)
        for row in rows:
            if not row:
                continue
            wrong = None
            if len(row) != len(header):
                wrong = BrokenFile(f"{len(row)} fields, the header has {len(header)}", rows.line_num, "quote fields that hold commas")
            yield rows.line_num, dict(zip(header, row, strict=False)), wrong
    except UnicodeDecodeError as error:
        raise BrokenFile("no UTF-8 text", rows.line_num + 1, "write the file as UTF-8") from error
    except csv.Error as error:
        raise BrokenFile(f"no CSV: {error}", rows.line_num, "look for a quotation mark that is missing") from error


def no_columns(missing: Sequence[str], header: Sequence[str], mend: str) -> BrokenFile:
    """The fault of a header that lacks columns: it names those that are there, and says so where they are parted by another sign."""
    other = next((name for sign, name in ((";", "semicolons"), ("\t", "tabs")) if len(header) == 1 and sign in header[0]), None)
    there = ", ".join(name[:40] for name in header[:20])
    return BrokenFile(
        f"no column {', '.join(missing)}; there are: {there}",
        1,
        f"the header is parted by {other}: write the table with commas" if other else mend,
    )


class _Readable(io.RawIOBase):
    """The least that a text wrapper needs of a binary file."""

    def __init__(self, file: BinaryIO) -> None:
        self._source = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._source.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Spool:
    """Rows that belong together but stand apart in a file, grouped on disk.

    Raises ValueError where the disk has no room for them.
    """

    def __init__(self) -> None:
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="ledger-import-")
        except OSError as error:
            raise self._no_room(tempfile.gettempdir(), error) from error
        self._con = sqlite3.connect(Path(self._folder.name) / "rows.db", isolation_level=None)
        for setting in ("journal_mode = off", "synchronous = off", "temp_store = file"):
            self._run(f"pragma {setting}")
        self._run("create table rows (n integer primary key, k text not null, v text not null)")
        self._run("create table seen (k text primary key, v text) without rowid")
        self._run("begin")

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._con.close()
        self._folder.cleanup()

    @staticmethod
    def _no_room(place: str, error: Exception) -> ValueError:
        return ValueError(f"{place}: rows are grouped in a file there, which cannot be written ({error}): make room, or set TMPDIR")

    def _run(self, query: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._con.execute(query, values)
        except sqlite3.Error as error:
            raise self._no_room(self._folder.name, error) from error

    def add(self, key: list[Any], value: Any) -> None:
        """Put a row (anything that JSON can hold) to its group."""
        self._run("insert into rows (k, v) values (?, ?)", (json.dumps(key), json.dumps(value)))

    def groups(self) -> Iterator[tuple[list[Any], list[Any]]]:
        """Every group with its rows as they came, in the order in which the groups began."""
        self._run("create index if not exists by_key on rows (k, n)")
        found = self._run("select k, v from rows inner join (select k, min(n) as began from rows group by k) using (k) order by began, n")
        last, rows = None, []
        for key, value in found:
            if key != last:
                if last is not None:
                    yield json.loads(last), rows
                last, rows = key, []
            rows.append(json.loads(value))
        if last is not None:
            yield json.loads(last), rows

    def see(self, key: str) -> None:
        """Remember a key."""
        self._run("insert or ignore into seen values (?, null)", (key,))

    def has_seen(self, key: str) -> bool:
        """Whether the key was remembered."""
        return self._run("select 1 from seen where k = ?", (key,)).fetchone() is not None

    def value(self, key: str, value: str) -> str:
        """The first value that was given for a key, which is ``value`` where there was none."""
        self._run("insert or ignore into seen values (?, ?)", (key, value))
        return self._run("select v from seen where k = ?", (key,)).fetchone()[0]
