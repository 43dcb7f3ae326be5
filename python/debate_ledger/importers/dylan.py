"""Logs of DyLAN: JSON Lines of N agents × 3 rounds of text or null, beside a text file with a list of right and wrong.

The logs have no key. Where the flags belong to the rows, a right end tells it: the end's only majority is the key. What several runs say
about one question is put together; what stays open is missing. A key that is known only where a debate ended right hides every collapse, so
`--gold` takes the benchmark's own keys.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Debate, Found, Note, Rejected, Source, each, stem
from debate_ledger.importers.normalise import normalise_answer
from debate_ledger.importers.streaming import BrokenFile, csv_rows, json_lines, opened

_NAME = re.compile(r"(?P<subject>.+?)_test(?:_(?P<offset>\d+))?_(?P<agents>\d+)3")
OPTIONS = ("A", "B", "C", "D")


def read(source: Source) -> Iterator[Found]:
    """Debates of each file; two passes where the flags are to tell the keys."""
    paths = [source.used(p) for p in source.paths if not p.name.endswith(".txt")]
    if not paths:
        raise ValueError("no .json file of DyLAN among the files: name the logs, their .txt files are found beside them")
    flags, aligned = {}, {}
    for path in paths:
        flags[path], aligned[path], told = _flags(path, source)
        yield from told
    golds = _given(source) if source.settings.gold else _told_by_flags(paths, flags, source)
    for path in paths:
        yield from _file(path, source, golds if aligned[path] else None, flags[path])


def _n_rows(path: Path) -> int:
    with opened(path) as file:
        return sum(1 for _ in json_lines(file))


def _flags(path: Path, source: Source) -> tuple[list[bool] | None, bool, list[Note]]:
    """(flags, do the rows belong to the questions, notes): flags are None where missing, no list, or of another number than the rows.

    In the last case a run was appended to one of the two files, and the number of a row does not tell its question.
    """
    beside = path.with_name(re.sub(r"\.jsonl?(\.gz)?$", "", path.name) + ".txt")
    if not beside.exists():
        return None, True, [Note(f"{path.name}: no .txt file beside it, so no flags")]
    source.used(beside)
    first = beside.read_text(encoding="utf-8-sig", errors="replace").partition("\n")[0]
    try:
        found = ast.literal_eval(first.strip() or "None")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(f, bool) for f in found):
        return None, True, [Note(f"{beside.name}: the first line is no list of True and False, so no flags")]
    try:
        rows = _n_rows(path)
    except (BrokenFile, OSError):
        return None, True, []
    if len(found) != rows:
        return None, False, [Note(f"{beside.name}: {len(found)} flags for {rows} rows, which cannot be aligned: no flags")]
    return found, True, []


def _given(source: Source) -> dict[str, str]:
    """Keys by question from a CSV with question_id and correct_label. Raises ValueError."""
    path = source.used(source.settings.gold)  # type: ignore[arg-type]
    golds: dict[str, str] = {}
    try:
        with opened(path) as file:
            for line, row, wrong in csv_rows(file):
                label = normalise_answer(row.get("correct_label"), "choice")
                if wrong or not row.get("question_id") or label is None:
                    raise ValueError(f"{path.name}:{line}: a row has question_id and correct_label (a letter), as the header names them")
                if golds.setdefault(row["question_id"], label) != label:
                    raise ValueError(f"{path.name}:{line}: a second key for one question: keep one")
    except BrokenFile as error:
        raise ValueError(f"{path.name}:{error.line}: {error.reason}: {error.mend}") from error
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
        except (BrokenFile, OSError):
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
    if not isinstance(value, list) or not value or not all(isinstance(a, list) for a in value):
        raise Bad("a line is no list of agents", "a line is a list of agents, each a list of its texts by round")
    if agents is not None and len(value) != agents:
        raise Bad(
            f"{len(value)} agents, the file's name says {agents}", "a line is one list per agent; rename the file if its name is wrong"
        )
    if len({len(a) for a in value}) > 1:
        raise Bad("agents with different numbers of rounds", "give null where an agent was not asked")
    if not all(t is None or isinstance(t, str) for a in value for t in a):
        raise Bad("a reply is neither a text nor null", "a reply is a text; null where an agent was not asked")
    options = coding.options(OPTIONS)
    rounds = [
        [coding.agent(str(i + 1), a[r], "choice", options) for i, a in enumerate(value) if a[r] is not None] for r in range(len(value[0]))
    ]
    while rounds and not rounds[-1]:
        rounds.pop()
    if not rounds or not rounds[0]:
        raise Bad("nobody was asked before the debate", "a debate begins with independent answers")
    return rounds


def _file(path: Path, source: Source, golds: dict[str, str] | None, flags: list[bool] | None) -> Iterator[Found]:
    subject, _, _ = _name(path)

    def records() -> Iterator[tuple[int, int | None, Any]]:
        with opened(path, source.progress) as file:
            for number, (line, value, broken) in enumerate(json_lines(file), start=1):
                yield number, line, broken or value

    def debate(record: int, value: Any) -> Iterator[Found]:
        if isinstance(value, BrokenFile):
            raise Bad(value.reason, value.mend)
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

    try:
        yield from each(source.name(path), records(), debate)
    except BrokenFile as error:
        yield Rejected(source.name(path), error.reason, error.mend, None, error.line)
