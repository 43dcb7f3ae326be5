"""Readers whose memory does not grow with the file: a JSON document part by part, JSON Lines, CSV, and rows grouped on disk.

Every reader says where it is: records are counted from 1, and so are lines.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator
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
    """A file that cannot be read on from here; ``line`` counts from 1."""

    def __init__(self, reason: str, line: int | None, mend: str) -> None:
        super().__init__(reason)
        self.reason, self.line, self.mend = reason, line, mend


@contextmanager
def opened(path: Path, progress: Progress | None = None) -> Iterator[BinaryIO]:
    """A file's bytes, unpacked where its name ends in .gz; ``progress`` gets the share that was read, as often as a chunk is.

    Raises OSError, and BrokenFile for a gzip stream that breaks off or is none.
    """
    size = max(path.stat().st_size, 1)
    with path.open("rb") as raw:
        plain: BinaryIO = gzip.open(raw) if path.name.endswith(".gz") else raw  # type: ignore[assignment]  # noqa: SIM115
        try:
            yield _Told(plain, lambda: progress(path, raw.tell() / size)) if progress else plain
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise BrokenFile(f"no whole gzip stream ({error})", None, "fetch it again, or unpack it and name the unpacked file") from error


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


class JsonStream:
    """A JSON text read part by part from a sliding buffer: the caller opens objects and lists and takes their values in turn."""

    def __init__(self, file: BinaryIO, limit: int = RECORD_LIMIT, chunk: int = CHUNK) -> None:
        self._file, self._limit, self._chunk = file, limit, chunk
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._parse = json.JSONDecoder().raw_decode
        self._text, self._at, self._ended = "", 0, False
        self.line = 1

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
            try:
                found, end = self._parse(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - NEAR_END
                if cut and self._more():
                    continue
                line = self.line + self._text.count("\n", self._at, min(error.pos, len(self._text)))
                what = "it breaks off" if cut else error.msg
                raise BrokenFile(f"no JSON: {what}", line, "write or fetch the file again; what stands before was read") from error
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
                yield number, json.loads(text), None
        except UnicodeDecodeError:
            yield number, None, BrokenFile("no UTF-8 text", number, "write the file as UTF-8")
        except json.JSONDecodeError as error:
            whole = data.rstrip().endswith((b"}", b"]"))
            mend = "a line holds one JSON value" if whole else "the line was cut short: write or fetch it again"
            yield number, None, BrokenFile(f"no JSON: {error.msg}", number, mend)
        except (RecursionError, ValueError):
            yield number, None, BrokenFile("a value that cannot be read", number, "nested too deep, or a number with too many digits")


def csv_rows(file: BinaryIO) -> Iterator[tuple[int, dict[str, str], BrokenFile | None]]:
    """Rows of a CSV file with a header as (line, row, None), or (line, row, what is wrong). Raises BrokenFile where it breaks off."""
    csv.field_size_limit(RECORD_LIMIT)
    data = io.TextIOWrapper(_Readable(file), encoding="utf-8-sig", newline="")
    rows = csv.reader(data)
    try:
        header = next(rows, None)
        if header is None:
            raise BrokenFile("an empty file", 1, "give a table with a header line")
        if len(set(header)) < len(header):
            twice = sorted({h for h in header if header.count(h) > 1})
            raise BrokenFile(f"columns that stand twice: {', '.join(twice)}", 1, "name every column once")
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
    """Rows that belong together but stand apart in a file, grouped on disk."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ledger-import-")
        self._con = sqlite3.connect(Path(self._folder.name) / "rows.db", isolation_level=None)
        for setting in ("journal_mode = off", "synchronous = off", "temp_store = file"):
            self._con.execute(f"pragma {setting}")
        self._con.execute("create table rows (n integer primary key, k text not null, v text not null)")
        self._con.execute("create table seen (k text primary key, v text) without rowid")
        self._con.execute("begin")

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._con.close()
        self._folder.cleanup()

    def add(self, key: list[Any], value: Any) -> None:
        """Put a row (anything that JSON can hold) to its group."""
        self._con.execute("insert into rows (k, v) values (?, ?)", (json.dumps(key), json.dumps(value)))

    def groups(self) -> Iterator[tuple[list[Any], list[Any]]]:
        """Every group with its rows as they came, in the order in which the groups began."""
        self._con.execute("create index if not exists by_key on rows (k, n)")
        found = self._con.execute(
            "select k, v from rows inner join (select k, min(n) as began from rows group by k) using (k) order by began, n"
        )
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
        self._con.execute("insert or ignore into seen values (?, null)", (key,))

    def has_seen(self, key: str) -> bool:
        """Whether the key was remembered."""
        return self._con.execute("select 1 from seen where k = ?", (key,)).fetchone() is not None

    def value(self, key: str, value: str) -> str:
        """The first value that was given for a key, which is ``value`` where there was none."""
        self._con.execute("insert or ignore into seen values (?, ?)", (key, value))
        return self._con.execute("select v from seen where k = ?", (key,)).fetchone()[0]
