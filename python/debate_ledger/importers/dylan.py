"""Logs of DyLAN: JSON Lines of N agents × 3 rounds of text or null, beside a text file with a list of right and wrong.

The logs have no key. Where the flags belong to the rows, a right end tells it: the end's only majority is the key. What several runs say
about one question is put together; what stays open is missing. A key that is known only where a debate ended right hides every collapse, so
`--gold` takes the benchmark's own keys.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Debate, Found, Note, expect
from debate_ledger.importers.normalise import normalise_answer
from debate_ledger.importers.records import of_lines
from debate_ledger.importers.source import Source, stem
from debate_ledger.importers.streaming import RECORD_LIMIT, BrokenFile, csv_rows, json_lines, no_columns, opened

_NAME = re.compile(r"(?P<subject>.+?)_test(?:_(?P<offset>\d+))?_(?P<agents>\d+)3")
OPTIONS = ("A", "B", "C", "D")
#: Names of each side that are shown where keys and logs have none in common.
SHOWN_NAMES = 3
_GOLD = "--gold names a CSV file with the columns question_id and correct_label (a letter)"


def read(source: Source) -> Iterator[Found]:
    """Debates of each file; two passes where the flags are to tell the keys."""
    texts = [p for p in source.paths if p.name.endswith(".txt")]
    source.paths = [p for p in source.paths if p not in texts]
    if not source.paths:
        raise ValueError("no .json file of DyLAN among the files: name the logs, their .txt files are found beside them")
    paths = [source.used(p) for p in source.logs()]
    for path in texts:
        if not any(_beside(p).absolute() == path.absolute() for p in paths):
            source.set_aside.append((source.as_typed(path) or path.name, "flags of no log: no .json file of that name was named"))
    flags, aligned = {}, {}
    for path in paths:
        flags[path], aligned[path], told = _flags(path, source)
        yield from told
    golds = _given(source) if source.settings.gold else _told_by_flags(paths, flags, source)
    asked: dict[str, None] = {}
    matched = False
    for path in paths:
        for found in _file(path, source, golds if aligned[path] else None, flags[path]):
            if isinstance(found, Debate):
                matched = matched or found.gold is not None
                if len(asked) < SHOWN_NAMES:
                    asked.setdefault(found.question_id)
            yield found
    if source.settings.gold and asked and not matched:
        keys = ", ".join(name[:40] for name in list(golds)[:SHOWN_NAMES]) or "no question"
        name = source.name(source.settings.gold)
        yield Note(f"no key: no question of {name} is one of the logs: it has {keys}; the logs have {', '.join(asked)}")


def _beside(path: Path) -> Path:
    """The file with the flags of a log."""
    return path.with_name(re.sub(r"\.jsonl?(\.gz)?$", "", path.name) + ".txt")


def _n_rows(path: Path) -> int:
    with opened(path) as file:
        return sum(1 for _ in json_lines(file))


def _flags(path: Path, source: Source) -> tuple[list[bool] | None, bool, list[Note]]:
    """(flags, do the rows belong to the questions, notes): flags are None where missing, no list, or of another number than the rows.

    In the last case a run was appended to one of the two files, and the number of a row does not tell its question.
    """
    beside = _beside(path)
    if not os.path.exists(beside):
        return None, True, [Note(f"{source.name(path)}: no .txt file beside it, so no flags")]
    name = source.name(path).removesuffix(path.name) + beside.name
    source.used(beside, name, is_log=False)
    try:
        with opened(beside) as file:
            # A flag takes seven bytes, and a file has at most some thousand rows.
            first = file.readline(RECORD_LIMIT).decode("utf-8-sig", errors="replace")
    except BrokenFile as error:
        return None, True, [Note(f"{name}: {error.reason}, so no flags")]
    try:
        found = ast.literal_eval(first.strip() or "None")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(f, bool) for f in found):
        return None, True, [Note(f"{name}: the first line is no list of True and False, so no flags")]
    try:
        rows = _n_rows(path)
    except BrokenFile:
        return None, True, []
    if len(found) != rows:
        return None, False, [Note(f"{name}: {len(found)} flags for {rows} rows, which cannot be aligned: no flags")]
    return found, True, []


def _given(source: Source) -> dict[str, str]:
    """Keys by question from a CSV with question_id and correct_label. Raises ValueError."""
    path = source.used(source.settings.gold, is_log=False, mend=_GOLD)  # type: ignore[arg-type]
    options = source.settings.options or OPTIONS
    golds: dict[str, str] = {}

    def check(header: list[str]) -> None:
        missing = [c for c in ("question_id", "correct_label") if c not in header]
        if missing:
            raise no_columns(missing, header, _GOLD)

    try:
        with opened(path) as file:
            for line, row, wrong in csv_rows(file, check):
                if wrong:
                    raise wrong
                question, label = row["question_id"].strip(), normalise_answer(row["correct_label"], "choice")
                if not question:
                    raise BrokenFile("a row without question_id", line, "name the question, or take the row out")
                if label not in options:
                    raise BrokenFile(
                        f"correct_label is none of {', '.join(options)}", line, "correct it, take the row out, or give --options"
                    )
                if golds.setdefault(question, label) != label:
                    raise BrokenFile("a second key for one question", line, "keep one")
    except BrokenFile as error:
        raise ValueError(error.told(path)) from error
    return golds


def _told_by_flags(paths: list[Path], flags: dict[Path, list[bool] | None], source: Source) -> dict[str, str]:
    """Keys by question: what a debate that ended right ended on, or the one option that no wrong end leaves; none where runs disagree."""
    # The flags judge the end as the runs read it, whatever profile reads it now.
    source = replace(source, settings=replace(source.settings, profile="last_bracketed"))
    right: dict[str, set[str]] = {}
    wrong: dict[str, set[str]] = {}
    for path in paths:
        if flags[path] is None:
            continue
        try:
            with opened(path) as file:
                for number, (_, value, broken) in enumerate(json_lines(file)):
                    if broken:
                        continue
                    try:
                        rounds = _rounds(value, path, source)
                    except Bad:
                        continue
                    end = _only_majority(rounds[-1])
                    if end is not None:
                        told = right if flags[path][number] else wrong  # type: ignore[index]
                        told.setdefault(_question(path, number), set()).add(end)
        except BrokenFile:
            continue
    options = source.settings.options or OPTIONS
    golds = {}
    for question in {**right, **wrong}:
        said, ruled_out = right.get(question, set()), wrong.get(question, set())
        left = said - ruled_out if said else set(options) - ruled_out
        if len(left) == 1 and len(said) <= 1:
            golds[question] = left.pop()
    return golds


def _only_majority(panel: list[Agent]) -> str | None:
    """The most frequent answer, None where nobody has one or several lead."""
    counts = Counter(a.answer for a in panel if a.answer is not None).most_common(2)
    return counts[0][0] if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]) else None


def _name(path: Path) -> tuple[str, int, int | None]:
    """(subject, number of the first row, agents) of a file's name; a row is counted from 0, as the benchmark's file is."""
    named = _NAME.fullmatch(stem(path))
    if named is None:
        return stem(path), 0, None
    return named["subject"], int(named["offset"] or 0), int(named["agents"])


def _question(path: Path, number: int) -> str:
    subject, offset, _ = _name(path)
    return f"{subject}_{offset + number}"


def _rounds(value: Any, path: Path, source: Source) -> list[list[Agent]]:
    """The panels of a line; rounds at the end in which nobody was asked were not held."""
    _, _, agents = _name(path)
    coding = source.coding
    if not expect(value, "a line", list):
        raise Bad("a line without agents", "a line is a list of agents, each a list of its texts by round")
    for i, texts in enumerate(value, start=1):
        for r, text in enumerate(expect(texts, f"agent {i}", list)):
            expect(text, f"the reply of agent {i} in round {r}", str, type(None))
    if agents is not None and len(value) != agents:
        raise Bad(
            f"{len(value)} agents, the file's name says {agents}", "a line is one list per agent; rename the file if its name is wrong"
        )
    if len({len(a) for a in value}) > 1:
        raise Bad("agents with different numbers of rounds", "give null where an agent was not asked")
    options = coding.options(OPTIONS)
    rounds = [
        [coding.agent(str(i + 1), a[r], "choice", options) for i, a in enumerate(value) if a[r] is not None] for r in range(len(value[0]))
    ]
    while rounds and not rounds[-1]:
        rounds.pop()
    if not rounds or not rounds[0]:
        raise Bad("nobody was asked before the debate", "look whether the run failed there, and leave the line out")
    return rounds


def _file(path: Path, source: Source, golds: dict[str, str] | None, flags: list[bool] | None) -> Iterator[Found]:
    subject, _, _ = _name(path)

    def debate(record: int, value: Any) -> Iterator[Found]:
        rounds = _rounds(value, path, source)
        question = f"{stem(path)}_row_{record}" if golds is None else _question(path, record - 1)
        gold = (golds or {}).get(question)
        if gold is None:
            yield Note("no key known")
        elif not source.settings.gold:
            yield Note("keys told by the run's own flags: collapses are missed, see docs/import.md")
        yield Debate(
            question_id=question,
            rounds=rounds,
            gold=gold,
            kind="choice",
            file=source.name(path),
            record=record,
            benchmark="mmlu",
            category=subject,
            options=source.coding.options(OPTIONS),
            n_rounds=len(value[0]) - 1,
            stored={} if flags is None else {"majority_correct": flags[record - 1]},
            is_coded=True,
        )

    yield from of_lines(path, source.name(path), source, debate)
