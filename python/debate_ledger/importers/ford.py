"""FORD round tables: a folder per round, in each `<task>_agreed.jsonl` and `<task>_candidate.jsonl`.

A debate stands in the candidate file of every round that it did not finish and in the agreed file of the round where it did. So the debates
are all agreed rows and the candidate rows of the last round; a candidate row that a later round has again is set aside.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Aside, Bad, Debate, Found, Note, Rejected, Source, each, text_id, valid_answer
from debate_ledger.importers.normalise import normalise_answer, options_in
from debate_ledger.importers.streaming import BrokenFile, Spool, json_lines, opened

_FILE = re.compile(r"(?P<task>.+)_(?P<what>agreed|candidate)\.jsonl(?:\.gz)?")
#: Speakers and answers that stand for nobody.
_PLACEHOLDERS = ("system", "none", "")


def _order(folder: Path) -> tuple[list[int], str]:
    """Rounds by their numbers, so that round1_10 comes after round1_9."""
    return [int(n) for n in re.findall(r"\d+", folder.name)], folder.name


def read(source: Source) -> Iterator[Found]:
    """Debates of each table (a folder of round folders), the last round first. Raises ValueError for a folder that is none."""
    for table in source.paths:
        if not table.is_dir():
            raise ValueError(f"{table} is no folder: name the folder that holds the rounds (round1_1, round1_2, …)")
        tasks: dict[str, list[tuple[Path, dict[str, Path]]]] = {}
        for folder in sorted((f for f in table.iterdir() if f.is_dir()), key=_order):
            for path in sorted(folder.iterdir()):
                named = _FILE.fullmatch(path.name)
                if named:
                    rounds = tasks.setdefault(named["task"], [])
                    if not rounds or rounds[-1][0] != folder:
                        rounds.append((folder, {}))
                    rounds[-1][1][named["what"]] = path
        if not tasks:
            raise ValueError(
                f"{table}: no folder in it holds <task>_agreed.jsonl or <task>_candidate.jsonl: name the folder above the rounds"
            )
        for task, rounds in sorted(tasks.items()):
            with Spool() as later:
                # Backwards, so that it is known of a row whether a later round has it.
                for place, (_, files) in enumerate(reversed(rounds)):
                    here: list[str] = []
                    for what, path in sorted(files.items()):
                        superseded = later if what == "candidate" and place else None
                        name = f"{table.name}/{path.parent.name}/{path.name}"
                        yield from _file(source.used(path), name, task, source, superseded, here)
                    for digest in here:
                        later.see(digest)


def _digest(row: dict[str, Any]) -> str:
    return hashlib.sha256(f"{row['Q']}\n{row.get('O')}".encode("utf-8", "surrogatepass")).hexdigest()


def _file(path: Path, name: str, task: str, source: Source, superseded: Spool | None, seen: list[str]) -> Iterator[Found]:
    def records() -> Iterator[tuple[int, int | None, Any]]:
        with opened(path, source.progress) as file:
            for number, (line, value, broken) in enumerate(json_lines(file), start=1):
                yield number, line, broken or value

    def debate(record: int, value: Any) -> Iterator[Found]:
        if isinstance(value, BrokenFile):
            raise Bad(value.reason, value.mend)
        if not isinstance(value, dict) or not isinstance(value.get("Q"), str):
            raise Bad("no object with a question Q", "a row is {Q, O, A, P, M}")
        digest = _digest(value)
        seen.append(digest)
        if superseded is not None:
            if superseded.has_seen(digest):
                yield Aside(name, "a candidate that a later round has again")
                return
            raise Bad("a candidate that no later round has: the debate was not carried on", "run the rounds after it, or leave it out")
        yield from _debate(value, name, record, task, source)

    try:
        yield from each(name, records(), debate)
    except BrokenFile as error:
        yield Rejected(name, error.reason, error.mend, None, error.line)


def _debate(value: dict[str, Any], name: str, record: int, task: str, source: Source) -> Iterator[Found]:
    answers, speakers = value.get("P"), value.get("M")
    if not isinstance(answers, list) or not isinstance(speakers, list) or len(answers) != len(speakers):
        raise Bad("P and M are no lists of one length", "P holds the answers and M their speakers, in parallel")
    if not all(s is None or isinstance(s, str) for s in speakers) or not all(a is None or isinstance(a, str) for a in answers):
        raise Bad("an answer or a speaker that is no text", "answers and speakers are texts or null")
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
        if latest[speaker] is None and given is not None and given.strip().casefold() not in _PLACEHOLDERS:
            outside = normalise_answer(given, kind) is not None
            yield Note("an answer that is none of the options: unparsed" if outside else "an answer that is no label: unparsed")
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
