"""FORD round tables: a folder per round, in each `<task>_agreed.jsonl` and `<task>_candidate.jsonl`.

A debate stands in the candidate file of every round that it did not finish and in the agreed file of the round where it did. So the debates
are all agreed rows and the candidate rows of the last round; a candidate row that a later round has again is set aside.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Aside, Bad, Debate, Found, expect, field_of, label_note, text_id, valid_answer
from debate_ledger.importers.normalise import options_in
from debate_ledger.importers.records import of_lines
from debate_ledger.importers.source import Source, entries
from debate_ledger.importers.streaming import Spool

_FILE = re.compile(r"(?P<task>.+)_(?P<what>agreed|candidate)\.jsonl(?:\.gz)?")
#: Speakers and answers that stand for nobody.
_PLACEHOLDERS = ("system", "none", "")
_FIELDS: dict[str, tuple[type, ...]] = {"Q": (str,), "O": (str, type(None)), "A": (str, type(None)), "P": (list,), "M": (list,)}
_FOLDER = "name the folder above the rounds, which holds round1_1, round1_2, …"


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
        if not tasks:
            raise ValueError(f"{table}: no folder in it holds <task>_agreed.jsonl or <task>_candidate.jsonl ({_FOLDER})")
        if not source.is_new(table, [p for rounds in tasks.values() for _, files in rounds for p in files.values()]):
            continue
        name = source.name(table)
        for task, rounds in sorted(tasks.items()):
            with Spool() as later:
                # Backwards, so that it is known of a row whether a later round has it.
                for place, (_, files) in enumerate(reversed(rounds)):
                    here: list[str] = []
                    for what, path in sorted(files.items()):
                        superseded = later if what == "candidate" and place else None
                        used = f"{name}/{path.parent.name}/{path.name}"
                        yield from _file(source.used(path, used), used, task, source, superseded, here)
                    for digest in here:
                        later.see(digest)


def _digest(row: dict[str, Any]) -> str:
    return hashlib.sha256(f"{row['Q']}\n{row.get('O')}".encode("utf-8", "surrogatepass")).hexdigest()


def _file(path: Path, name: str, task: str, source: Source, superseded: Spool | None, seen: list[str]) -> Iterator[Found]:
    def debate(record: int, value: Any) -> Iterator[Found]:
        expect(value, "a row", dict)
        for key, types in _FIELDS.items():
            field_of(value, key, *types)
        digest = _digest(value)
        seen.append(digest)
        if superseded is not None:
            if superseded.has_seen(digest):
                yield Aside(name, "a candidate that a later round has again")
                return
            raise Bad("a candidate that no later round has: the debate was not carried on", "run the rounds after it, or leave it out")
        yield from _debate(value, name, record, task, source)

    yield from of_lines(path, name, source, debate)


def _debate(value: dict[str, Any], name: str, record: int, task: str, source: Source) -> Iterator[Found]:
    answers, speakers = value["P"], value["M"]
    for key in ("P", "M"):
        for place, one in enumerate(value[key]):
            expect(one, f"{key}[{place}]", str, type(None))
    if len(answers) != len(speakers):
        raise Bad(
            f"{len(answers)} answers in P for {len(speakers)} speakers in M",
            "P holds the answers and M their speakers, one beside the other",
        )
    turns = [(s, a) for s, a in zip(speakers, answers, strict=True) if (s or "").strip().casefold() not in _PLACEHOLDERS]
    agents = list(dict.fromkeys(s for s, _ in turns))
    if not agents or [s for s, _ in turns[: len(agents)]] != agents:
        raise Bad("no independent answer of every speaker before the first turn", "a row begins with one answer of each speaker")
    coding = source.coding
    options = coding.options(options_in(value.get("O")))
    kind = coding.kind(value.get("A"), task, options)
    options = options if kind == "choice" else None
    gold = coding.gold(value.get("A"), kind, options)
    latest: dict[str, str | None] = {}
    rounds: list[list[Agent]] = []
    for place, (speaker, given) in enumerate(turns):
        latest[speaker] = valid_answer(given, kind, options)
        if (given or "").strip().casefold() not in _PLACEHOLDERS:
            yield from label_note(given, latest[speaker], kind)
        if place >= len(agents) - 1:
            # The state after a turn is the latest answer of each agent; who did not speak carries its own on.
            speaks = place >= len(agents)
            rounds.append([Agent(a, latest[a], model=a, carried=speaks and a != speaker) for a in agents])
    yield Debate(
        question_id=text_id(task, value["Q"] + "\n" + str(value.get("O") or "")),
        rounds=rounds,
        gold=gold,
        kind=kind,
        file=name,
        record=record,
        benchmark=task,
        options=options,
    )
