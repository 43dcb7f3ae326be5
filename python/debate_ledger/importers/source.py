"""The files that an import reads: each once, under one name that the lines, the reasons and the receipt share."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.agents import Aliases
from debate_ledger.importers.debate import Coding, Settings
from debate_ledger.importers.streaming import BrokenFile, Progress, content_sha256, opened, sha256_of, unreadable

#: Receipts lie beside the files that were written, and so among logs sometimes.
RECEIPT_ENDING = ".receipt.json"


@dataclass(frozen=True)
class Used:
    """A file that is read, as it was when its turn came (time in nanoseconds). ``is_log``: debates are expected in it."""

    path: Path
    name: str
    bytes: int
    changed_at: int
    sha256: str
    is_log: bool = False


@dataclass
class Source:
    """Files (or folders of files) to read, with how to read them."""

    paths: list[Path]
    settings: Settings
    progress: Progress | None = None
    #: Every file that is read, in order, for the receipt.
    files: dict[Path, Used] = field(default_factory=dict)
    #: Name and reason of files that give no debate: named twice, the same as another, empty.
    set_aside: list[tuple[str, str]] = field(default_factory=list)
    #: Spellings of agents, as the mapping gives them; set by the reader that reads it.
    aliases: Aliases | None = None
    _taken: dict[Any, Path] = field(default_factory=dict)
    _digests: dict[Path, Used] = field(default_factory=dict)

    @property
    def coding(self) -> Coding:
        """The coder under these settings."""
        return Coding(self.settings)

    def whose(self) -> Aliases:
        """Who is who: the aliases of the mapping, and whether agents are read by position."""
        found = self.aliases or Aliases()
        return replace(found, by_position=found.by_position or self.settings.agents_by_position)

    def name(self, path: Path) -> str:
        """The name of a file or folder in lines and reasons: without folders where that tells it, else below what the paths share.

        So the same logs give the same lines, wherever they lie.
        """
        own = _whole(path)
        among = {_whole(p) for p in self.paths} | {own}
        if sum(p.name == own.name for p in among) == 1:
            return own.name
        return own.relative_to(os.path.commonpath([p.parent for p in among])).as_posix()

    def as_typed(self, path: Path) -> str | None:
        """The path that was typed; None for an absolute one, since the folders of whoever ran it are nobody's business."""
        return None if path.is_absolute() else path.as_posix()

    def logs(self) -> Iterator[Path]:
        """Every log that was named, once. Raises ValueError where one cannot be read, before the first is read."""
        named = []
        for path in self.paths:
            readable(path)
            if path.name.endswith(RECEIPT_ENDING):
                self.set_aside.append((self._shown(path), "the receipt of an import, no log"))
            elif self._is_first(path, ("file", *identity([path])), "the same file as"):
                named.append(path)
        for path in named:
            # To look whether two logs hold the same, each is read once more.
            if len(named) == 1 or self.is_new_content(path, [path]):
                yield path

    def is_new(self, folder: Path, files: Sequence[Path]) -> bool:
        """Is a log of several files new? One that was taken before, or is a copy of one, is set aside."""
        return self._is_first(folder, ("file", *identity(files)), "the same files as") and self.is_new_content(folder, files)

    def is_new_content(self, log: Path, files: Sequence[Path]) -> bool:
        """Does no log that was taken hold the same? Debates would be counted twice. Empty files are told as such."""
        used = [self._read(p) for p in files]
        if not any(u.bytes for u in used):
            return True
        inner = [p.relative_to(log).as_posix().removesuffix(".gz") if p != log else "" for p in files]
        key = tuple((i, content_sha256(u.path, u.sha256)) for i, u in zip(inner, used, strict=True))
        return self._is_first(log, ("content", *key), "the same content as")

    def _is_first(self, log: Path, key: tuple[Any, ...], what: str) -> bool:
        first = self._taken.get(key)
        if first is None:
            self._taken[key] = log
            return True
        alike = "" if key[0] == "file" else "; two runs that came out alike are imported by two calls"
        self.set_aside.append((self._shown(log), f"{what} {self._shown(first)}: taken once{alike}"))
        return False

    def _shown(self, path: Path) -> str:
        return self.as_typed(path) or self.name(path)

    def _read(self, path: Path) -> Used:
        """A file with its size and digest. Raises ValueError."""
        if path not in self._digests:
            readable(path)
            try:
                before = path.stat()
                self._digests[path] = Used(path, "", before.st_size, before.st_mtime_ns, sha256_of(path))
            except OSError as error:
                raise ValueError(unreadable(path, error).told(path)) from error
        return self._digests[path]

    def used(self, path: Path, name: str | None = None, is_log: bool = True, mend: str = "") -> Path:
        """Note that a file is read, under ``name``; ``mend`` is for one that is not there. Raises ValueError."""
        readable(path, mend)
        self.files.setdefault(path, replace(self._read(path), name=name or self.name(path), is_log=is_log))
        return path

    def listed(self, path: Path) -> dict[str, Any]:
        """A file for the receipt: its name, the path as it was typed if that is relative, size and SHA-256."""
        found = self.files.get(path) or self._read(path)
        typed = self.as_typed(path)
        return {
            "file": found.name or path.name,
            **({"path": typed} if typed is not None else {}),
            "bytes": found.bytes,
            "sha256": found.sha256,
        }

    def check_unchanged(self) -> None:
        """Raises ValueError where a file is another one than when its digest was taken: the receipt would be of what was not read."""
        for used in self.files.values():
            try:
                now = used.path.stat()
            except OSError as error:
                raise ValueError(
                    unreadable(used.path, error, "leave the logs where they are while they are read").told(used.path)
                ) from error
            if (now.st_size, now.st_mtime_ns) != (used.bytes, used.changed_at):
                raise ValueError(f"{used.path}: it changed while it was read (import it again when its run has ended)")

    def without_debates(self, counted: dict[str, int]) -> None:
        """Set aside the logs in which there was neither a debate nor a rejected one, and say what is in them."""
        for used in self.files.values():
            if used.is_log and not counted.get(used.name):
                self.set_aside.append((used.name, what_is_there(used.path)))


def _whole(path: Path) -> Path:
    """A path from the root on, without `.` and `..`; links stay."""
    return Path(os.path.abspath(path))


def fault_of(path: Path, mend: str = "") -> BrokenFile | None:
    """What is wrong with a path that is no file which can be read; ``mend`` is for one that is not there."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            # A pipe can be read once only; files are read for their digest too.
            return BrokenFile("no plain file", None, "write what comes from there to a file, and name that")
        with path.open("rb"):
            return None
    except OSError as error:
        return unreadable(path, error, mend) if mend else unreadable(path, error)


def readable(path: Path, mend: str = "") -> None:
    """Raises ValueError, with the mend, for what is no file that can be read; ``mend`` is for one that is not there."""
    if fault := fault_of(path, mend):
        raise ValueError(fault.told(path))


def entries(folder: Path, mend: str) -> list[Path]:
    """What is in a folder, by name. Raises ValueError, with the mend, where it is none or cannot be read."""
    if not os.path.isdir(folder):
        raise ValueError(f"{folder}: no folder ({mend})")
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise ValueError(f"{folder}: cannot be looked into ({error.strerror}): look at its permissions") from error


def identity(paths: Sequence[Path]) -> list[tuple[int, int]]:
    """What is the same for one file under several names: other folders, links."""
    found = [p.stat() for p in paths]
    return [(s.st_dev, s.st_ino) for s in found]


def what_is_there(path: Path) -> str:
    """What a file holds in which no debate was found."""
    try:
        with opened(path) as file:
            head = file.read(4096)
    except BrokenFile as error:
        return error.reason
    text = "".join(head.decode("utf-8-sig", errors="replace").split())
    if not text:
        return "an empty file" if not head else "a file of white space"
    known = {"[]": "an empty list", "{}": "an empty object", "null": "nothing but null"}
    if text in known:
        return known[text]
    if path.name.removesuffix(".gz").endswith(".csv"):
        return "a header without rows"
    return "no debate in it"


def stem(path: Path) -> str:
    """A file's name without .gz and its ending."""
    return re.sub(r"\.(jsonl?|csv|txt|eval)$", "", re.sub(r"\.gz$", "", path.name))
