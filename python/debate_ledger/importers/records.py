"""Records of a file one at a time, whatever is wrong with one of them: it is rejected with its place, and the next one goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Aside, Bad, Debate, Found, Note, Rejected
from debate_ledger.importers.failed_calls import without_failed
from debate_ledger.importers.source import Source
from debate_ledger.importers.streaming import BrokenFile, JsonStream, json_lines, opened

Read = Callable[[int, Any], Iterable[Found]]


def attempt(file: str, record: int | None, line: int | None, find: Callable[..., Iterable[Found]], *arguments: Any) -> list[Found]:
    """What ``find(*arguments)`` finds in a record, or its rejection where it is called `Bad`."""
    try:
        found = [kept for one in find(*arguments) for kept in (without_failed(one) if isinstance(one, Debate) else (one,))]
    except Bad as error:
        return [Rejected(file, error.reason, error.mend, record, line, rounds=error.rounds)]
    except RecursionError:
        return [Rejected(file, "a record that is nested too deep", "look at its brackets", record, line)]
    for one in found:
        if isinstance(one, Debate) and one.line is None:
            one.line = line
    return found


def as_one(found: Iterable[Found]) -> Iterator[Found]:
    """What is found in a file, where all its records are rejected for the same reason as one rejection of all, at the place of the first.

    Then the file, or its mapping, has one flaw, and not each of its records.
    """
    held: list[Rejected] = []
    is_alike = True
    for one in found:
        if isinstance(one, (Note, Aside)):
            yield one
        elif is_alike and isinstance(one, Rejected) and (not held or _alike(one, held[0])):
            held.append(one)
        else:
            is_alike = False
            yield from held
            held.clear()
            yield one
    if held:
        yield replace(held[0], n=sum(one.n for one in held))


def _alike(one: Rejected, other: Rejected) -> bool:
    return (one.file, one.reason, one.mend, one.rounds) == (other.file, other.reason, other.mend, other.rounds)


def of_lines(path: Path, name: str, source: Source, read: Read) -> Iterator[Found]:
    """``read(record, value)`` over the lines of a JSON Lines file; broken lines are rejected, and so is where the file breaks off."""
    try:
        with opened(path, source.progress) as file:
            for record, (line, value, broken) in enumerate(json_lines(file), start=1):
                if broken:
                    yield Rejected(name, broken.reason, broken.mend, record, line)
                else:
                    yield from attempt(name, record, line, read, record, value)
    except BrokenFile as error:
        yield Rejected(name, error.reason, error.mend, None, error.line)


def of_documents(path: Path, name: str, source: Source, wanted: str, shape: str, read: Read) -> Iterator[Found]:
    """``read(record, value)`` over the items of the lists and the (key, value) of the objects that are a file, one after the other.

    A run that was appended to a file makes a second document. ``wanted`` are the brackets that a document may begin with, ``shape``
    tells what is expected. A file that breaks off gives what stands before the break, and one rejection.
    """
    record = 0
    try:
        with opened(path, source.progress) as file:
            stream = JsonStream(file)
            while begin := stream.begins(wanted, shape):
                for key in stream.members() if begin == "{" else stream.items():
                    record += 1
                    stream.peek()
                    line = stream.line
                    value = (key, stream.value()) if begin == "{" else stream.value()
                    if stream.repeated is not None:
                        reason = f"the key {stream.repeated!r} stands twice in one object"
                        yield Rejected(name, reason, "keep one of the two", record, line)
                        continue
                    yield from attempt(name, record, line, read, record, value)
    except BrokenFile as error:
        yield Rejected(name, error.reason, error.mend, record or None, error.line)
