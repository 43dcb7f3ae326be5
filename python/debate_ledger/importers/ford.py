"""FORD round tables: a folder per round, in each `<task>_agreed.jsonl` and `<task>_candidate.jsonl`.

A debate stands in the candidate file of every round that it did not finish and in the agreed file of the round where it did. So the debates
are all agreed rows and the candidate rows of the last round; a candidate row that a later round has again is set aside.

A speaker is a slot, a place in the table: the names beside the answers may change between the independent answers and the turns.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import (
    Agent,
    Aside,
    Bad,
    Debate,
    Found,
    Note,
    expect,
    field_of,
    holding,
    label_note,
    text_id,
    valid_answer,
)
from debate_ledger.importers.normalise import normalise_answer
from debate_ledger.importers.options import options_in
from debate_ledger.importers.records import of_lines
from debate_ledger.importers.source import Source, entries
from debate_ledger.importers.streaming import BrokenFile, Spool, json_lines, opened

_FILE = re.compile(r"(?P<task>.+)_(?P<what>agreed|candidate)\.jsonl(?:\.gz)?")
#: Versions that lie beside the files that count, such as `<task>_agreed2.jsonl`.
_OTHER_VERSION = re.compile(r".+_(?:agreed|candidate)\d+\.jsonl(?:\.gz)?")
#: Speakers and answers that stand for nobody.
_PLACEHOLDERS = ("system", "none", "")
#: So many placeholders stand before the first answer.
_HEAD = 2
_FIELDS: dict[str, tuple[type, ...]] = {"Q": (str,), "O": (str, type(None)), "A": (str, type(None)), "P": (list,), "M": (list,)}
_FOLDER = "name the folder above the rounds, which holds round0, round1_…, round2_…"


def _order(folder: Path) -> tuple[list[int], str]:
    """Rounds by their numbers, so that round1_10 comes after round1_9."""
    return [int(n) for n in re.findall(r"\d+", folder.name)], folder.name


def read(source: Source) -> Iterator[Found]:
    """Debates of each table (a folder of round folders), the last round first. Raises ValueError for a folder that is none."""
    for table in source.paths:
        tasks: dict[str, list[tuple[Path, dict[str, Path]]]] = {}
        for folder in sorted((f for f in entries(table, _FOLDER) if os.path.isdir(f)), key=_order):
            for path in entries(folder, _FOLDER):
                named = _FILE.fullmatch(path.name)
                if named:
                    rounds = tasks.setdefault(named["task"], [])
                    if not rounds or rounds[-1][0] != folder:
                        rounds.append((folder, {}))
                    if named["what"] in rounds[-1][1]:
                        raise ValueError(f"{path}: a second file of that kind, packed and unpacked: leave one in the folder")
                    rounds[-1][1][named["what"]] = path
                elif _OTHER_VERSION.fullmatch(path.name):
                    what = "another version of a file that counts: to read it, rename it to …_agreed.jsonl or …_candidate.jsonl"
                    source.set_aside.append((f"{source.name(table)}/{folder.name}/{path.name}", what))
        if not tasks:
            raise ValueError(f"{table}: no folder in it holds <task>_agreed.jsonl or <task>_candidate.jsonl ({_FOLDER})")
        if not source.is_new(table, [p for rounds in tasks.values() for _, files in rounds for p in files.values()]):
            continue
        for task, rounds in sorted(tasks.items()):
            yield from _task(table, task, rounds, source)


def _task(table: Path, task: str, rounds: list[tuple[Path, dict[str, Path]]], source: Source) -> Iterator[Found]:
    name = source.name(table)
    n_slots = _n_slots(rounds)
    with Spool() as later:
        # Backwards, so that it is known of a row whether a later round has it.
        for place, (_, files) in enumerate(reversed(rounds)):
            here: list[str] = []
            for what, path in sorted(files.items()):
                superseded = later if what == "candidate" and place else None
                used = f"{name}/{path.parent.name}/{path.name}"
                yield from _file(source.used(path, used), used, table, task, n_slots, source, superseded, here)
            for digest in here:
                later.see(digest)


def _n_slots(rounds: list[tuple[Path, dict[str, Path]]]) -> int | None:
    """Speakers of a task, None where no row can be read.

    The number in a folder's name tells how many turns its rows hold after one answer of each speaker (`round2_…`: two). Else it is
    the first name that comes again, since turns go round the table; and where none does, nobody had a turn.
    """
    folder = rounds[0][0]
    rows: Counter[tuple[Any, ...]] = Counter()
    lengths: Counter[int] = Counter()
    for place, path in [(f, path) for f, files in rounds for path in files.values()]:
        for names in _names_in(path):
            rows[names] += 1
            lengths[len(names)] += place == folder
    shortest = max(lengths, key=lambda n: (lengths[n], -n), default=0)
    again: Counter[int] = Counter()
    for names, count in rows.items():
        # A name that comes again at once tells nothing: a table has two speakers or more.
        if 1 < _again(names) < len(names):
            again[_again(names)] += count
    turns = re.fullmatch(r"\D*(\d+)(?:_\D.*)?", folder.name)
    told = [shortest - int(turns[1])] if turns else []
    usual = [n for n, _ in again.most_common(1)]
    hints = [*told, *usual, *((shortest - 1, shortest) if usual else (shortest, shortest - 1))]
    return next((n for n in hints if 1 < n <= shortest and _fits(rows, n)), None)


def _fits(rows: Counter[tuple[Any, ...]], n: int) -> bool:
    """Whether turns go round a table of ``n`` in half of the rows that are long enough to tell; one row out of order tells nothing."""
    long = {names: count for names, count in rows.items() if len(names) > 2 * n}
    return 2 * sum(count for names, count in long.items() if _goes_round(names, n)) >= sum(long.values())


def _names_in(path: Path) -> Iterator[tuple[Any, ...]]:
    """The speakers of each row of a file that can be read."""
    try:
        with opened(path) as file:
            for _, value, broken in json_lines(file):
                names = value.get("M") if isinstance(value, dict) and not broken else None
                if isinstance(names, list) and all(isinstance(n, (str, type(None))) for n in names):
                    yield tuple(_spoken(names))
    except BrokenFile:
        # Told where the debates are read.
        return


def _again(names: tuple[Any, ...]) -> int:
    """How many names stand before the first that comes again; all, where none does."""
    return next((i for i, name in enumerate(names) if name in names[:i]), len(names))


def _goes_round(names: tuple[Any, ...], n: int) -> bool:
    """Whether every turn after the first of each of ``n`` speakers is under the name of that one."""
    return all(names[i] == names[i - n] for i in range(2 * n, len(names)))


def _is_nobody(name: object) -> bool:
    return name is None or (isinstance(name, str) and name.strip().casefold() in _PLACEHOLDERS)


def _spoken(of_places: list[Any], speakers: list[Any] | None = None) -> list[Any]:
    """Entries after the placeholders at the head, which are no slots."""
    speakers = of_places if speakers is None else speakers
    n = next((i for i, s in enumerate(speakers[:_HEAD]) if not _is_nobody(s)), min(_HEAD, len(speakers)))
    return of_places[n:]


def _digest(row: dict[str, Any]) -> str:
    return hashlib.sha256(f"{row['Q']}\n{row.get('O')}".encode("utf-8", "surrogatepass")).hexdigest()


def _file(
    path: Path, name: str, table: Path, task: str, n_slots: int | None, source: Source, superseded: Spool | None, seen: list[str]
) -> Iterator[Found]:
    rows: set[bytes] = set()

    def debate(record: int, value: Any) -> Iterator[Found]:
        expect(value, "a row", dict)
        for key, types in _FIELDS.items():
            field_of(value, key, *types)
        digest, whole = _digest(value), hashlib.sha256(json.dumps([value.get(key) for key in _FIELDS]).encode()).digest()
        if whole in rows:
            # The run was appended once more, and came out alike.
            yield Aside(name, "a row that stands in the file twice: taken once")
            return
        rows.add(whole)
        seen.append(digest)
        if superseded is not None:
            if superseded.has_seen(digest):
                yield Aside(name, "a candidate that a later round has again")
                return
            raise Bad("a candidate that no later round has: the debate was not carried on", "run the rounds after it, or leave it out")
        yield from _debate(value, name, record, table, task, n_slots, source)

    yield from of_lines(path, name, source, debate)


def _slots(names: list[str | None], n_slots: int | None) -> int:
    """How many speakers a row has: as many as its task, else as many as stand before the first name that comes again.

    Raises Bad where turns go round the table in neither way.
    """
    for n in (n_slots, _again(tuple(names))):
        if n and _goes_round(tuple(names), n):
            return n
    raise Bad("turns that do not go round the table", "a row begins with one answer of each speaker, and its turns keep their order")


def _debate(value: dict[str, Any], name: str, record: int, table: Path, task: str, n_slots: int | None, source: Source) -> Iterator[Found]:
    answers, speakers = value["P"], value["M"]
    for key in ("P", "M"):
        for place, one in enumerate(value[key]):
            expect(one, f"{key}[{place}]", str, type(None))
    if len(answers) != len(speakers):
        raise Bad(
            f"{len(answers)} answers in P for {len(speakers)} speakers in M",
            "P holds the answers and M their speakers, one beside the other",
        )
    answers, names = _spoken(answers, speakers), _spoken(speakers)
    with holding(max(len(names) - (n_slots or len(names)), 0)):
        yield from _read(value, answers, names, _slots(names, n_slots), name, record, table, task, source)


def _read(
    value: dict[str, Any], answers: list[str | None], names: list[str | None], n: int, name: str, record: int, table: Path, task: str,
    source: Source,
) -> Iterator[Found]:  # fmt: skip
    if all(_is_nobody(s) for s in names[:n]):
        raise Bad("no independent answer of any speaker", "a row begins with one answer of each speaker")
    coding = source.coding
    read = _Answers(value, task, source)
    gold = coding.gold(value.get("A"), read.kind, read.options)
    latest: dict[int, tuple[str | None, str | None]] = {}
    rounds: list[list[Agent]] = []
    spoke: set[int] = set()
    for place, (speaker, given) in enumerate(zip(names, answers, strict=True)):
        slot = place % n
        if not _is_nobody(speaker):
            spoke.add(slot)
            latest[slot] = (read.answer(given), speaker)
            if not _is_nobody(given):
                yield from label_note(given, latest[slot][0], read.kind)
        if place >= n - 1 or place == len(names) - 1:
            # The state after a turn is the latest answer of each agent; who did not speak carries its own on.
            rounds.append([_agent(s, *latest[s], carried=s not in spoke) for s in sorted(latest)])
            spoke = set()
    for slot in range(n):
        called = list(dict.fromkeys(s for s in names[slot::n] if not _is_nobody(s)))
        if len(called) > 1:
            yield Note(f"speaker {slot + 1} is called {', then '.join(called)}: one speaker")
    first = [s for s in names[:n] if not _is_nobody(s)]
    yield Debate(
        question_id=text_id(task, value["Q"] + "\n" + str(value.get("O") or "")),
        rounds=rounds,
        gold=gold,
        kind=read.kind,
        file=name,
        record=record,
        benchmark=task,
        # The names of the independent answers, which all rows of a table share: a later one would tell how long a debate went on.
        model=" + ".join(dict.fromkeys(first)),
        options=read.options,
        n_agents=n,
        mode="debate",
        task=task,
        condition=table.absolute().name,
    )


def _agent(slot: int, answer: str | None, speaker: str | None, carried: bool) -> Agent:
    return Agent(str(slot + 1), answer, model=speaker, carried=carried)


class _Answers:
    """How the answers of a row are read: letters of its options, or yes and no where these are the options and the key is one of them."""

    def __init__(self, value: dict[str, Any], task: str, source: Source) -> None:
        gold, coding = value.get("A"), source.coding
        listed = options_in(value.get("O"))
        self.options = coding.options(listed)
        self._texts: dict[str, str | None] = {}
        if self.options and normalise_answer(gold, "choice") is None and normalise_answer(gold, "yes_no") is not None:
            self._texts = {letter: normalise_answer(text, "yes_no") for letter, text in (listed.texts if listed else {}).items()}
            self.options = None
        self.kind = coding.kind(gold, task, self.options)
        self.options = self.options if self.kind == "choice" else None

    def answer(self, given: str | None) -> str | None:
        """The answer; a letter is its option's text where the answers are yes and no."""
        if self.kind == "yes_no":
            given = self._texts.get(normalise_answer(given, "choice") or "") or given
        return valid_answer(given, self.kind, self.options)
