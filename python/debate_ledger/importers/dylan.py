"""Logs of DyLAN: JSON Lines of N agents × 3 rounds of text or null, beside a text file with a list of right and wrong and their mean.

The logs have no key. Where the flags belong to the rows, a right end tells it: the end's only majority is the key. What several runs say
about one question is put together, whatever their number of agents, since row n is the same question in all of them; what stays open is
missing. A key that is known only where a debate ended right hides every collapse, so `--gold` takes the benchmark's own keys.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Debate, Found, Note, UnreadKey, expect, holding
from debate_ledger.importers.normalise import normalise_answer
from debate_ledger.importers.records import of_lines
from debate_ledger.importers.source import Source, entries, stem
from debate_ledger.importers.streaming import RECORD_LIMIT, BrokenFile, csv_rows, json_lines, no_columns, opened

_NAME = re.compile(r"(?P<subject>.+?)_test(?:_(?P<offset>\d+))?_(?P<agents>\d+)3")
#: A folder of a run: what it ran, and the number of agents.
_FOLDER = re.compile(r".+_(?P<agents>\d+)")
#: The flags, as Python writes them, and the mean after a blank.
_FIRST_LINE = re.compile(r"(?P<flags>\[[^\]]*\])(?:\s+(?P<mean>[0-9.]+(?:[eE]-?[0-9]+)?))?\s*")
OPTIONS = ("A", "B", "C", "D")
#: Names of each side that are shown where keys and logs have none in common.
SHOWN_NAMES = 3
_GOLD = "--gold names a CSV file with the columns question_id and correct_label (a letter)"


@dataclass(frozen=True)
class Flags:
    """What the text file beside a log says: a flag per row, or None with ``is_lost`` where it says something that cannot be used.

    ``numbers_rows``: whether the number of a row tells its question; not where a run was appended.
    """

    flags: list[bool] | None = None
    numbers_rows: bool = True
    is_lost: bool = False


def read(source: Source) -> Iterator[Found]:
    """Debates of each file; two passes where the flags are to tell the keys."""
    named = [p for path in source.paths for p in (_logs_in(path) if os.path.isdir(path) else [path])]
    texts = [p for p in named if p.name.endswith(".txt")]
    source.paths = [p for p in named if p not in texts]
    if not source.paths:
        raise ValueError("no .json file of DyLAN among the files: name the logs, their .txt files are found beside them")
    paths = [source.used(p) for p in source.logs()]
    for path in texts:
        if not any(_beside(p).absolute() == path.absolute() for p in paths):
            is_merged = path.name.endswith("_merged_file.txt")
            what = "flags of no log: no .json file of that name was named"
            what = "flags of several parts in one: the parts have their own" if is_merged else what
            source.set_aside.append((source.as_typed(path) or path.name, what))
    flags: dict[Path, Flags] = {}
    for path in paths:
        flags[path], told = _flags(path, source)
        yield from told
    golds, at_odds = (_given(source), set()) if source.settings.gold else _told_by_flags(paths, flags, source)
    asked: dict[str, None] = {}
    matched = False
    for path in paths:
        for found in _file(path, source, golds, at_odds, flags[path]):
            if isinstance(found, Debate):
                matched = matched or found.gold is not None
                if len(asked) < SHOWN_NAMES:
                    asked.setdefault(found.question_id)
            yield found
    if source.settings.gold and asked and not matched:
        keys = ", ".join(name[:40] for name in list(golds)[:SHOWN_NAMES]) or "no question"
        name = source.name(source.settings.gold)
        yield Note(f"no key: no question of {name} is one of the logs: it has {keys}; the logs have {', '.join(asked)}")


def _logs_in(folder: Path) -> list[Path]:
    """The logs of a folder, with the texts beside them."""
    return [p for p in entries(folder, "name a log, or a folder of logs") if re.search(r"\.(jsonl?(\.gz)?|txt)$", p.name)]


def _beside(path: Path) -> Path:
    """The file with the flags of a log."""
    return path.with_name(re.sub(r"\.jsonl?(\.gz)?$", "", path.name) + ".txt")


def _n_rows(path: Path) -> int:
    with opened(path) as file:
        return sum(1 for _ in json_lines(file))


def _flags(path: Path, source: Source) -> tuple[Flags, list[Note]]:
    """The flags of a log, checked: their number against the rows, and the mean that is written after them against the share of True."""
    beside = _beside(path)
    if not os.path.exists(beside):
        return Flags(), [Note(f"{source.name(path)}: no .txt file beside it, so no flags")]
    name = source.name(path).removesuffix(path.name) + beside.name
    source.used(beside, name, is_log=False)
    try:
        with opened(beside) as file:
            # A flag takes seven bytes, and a file has at most some thousand rows.
            first = file.readline(RECORD_LIMIT).decode("utf-8-sig", errors="replace")
    except BrokenFile as error:
        return Flags(is_lost=True), [Note(f"{name}: {error.reason}, so no flags")]
    found, mean = _first_line(first)
    if found is None:
        return Flags(is_lost=bool(first.strip())), [Note(f"{name}: the first line is no list of True and False, so no flags")]
    try:
        rows = _n_rows(path)
    except BrokenFile:
        # The break is told where the rows are read.
        return Flags(is_lost=True), []
    share = sum(found) / len(found) if found else None
    counts = f"{len(found)} flags, {rows} rows, mean {'not given' if mean is None else mean}, share of True {_shown(share)}"
    if len(found) != rows:
        mend = "a run was appended to one of the two files: keep the rows and the flags of one run"
        return Flags(None, False, True), [Note(f"{name}:1: flags and rows cannot be aligned ({counts}): no flags, no keys ({mend})")]
    if mean is not None and not _is_mean(mean, share):
        mend = "the list was changed or cut: write or fetch the file again, or give --gold"
        return Flags(is_lost=True), [Note(f"{name}:1: the mean is not that of the flags ({counts}): no flags, no keys ({mend})")]
    return Flags(found), []


def _first_line(text: str) -> tuple[list[bool] | None, str | None]:
    """(flags, the mean as it is written) of the first line; None for what is no list of True and False."""
    parts = _FIRST_LINE.fullmatch(text.strip())
    try:
        found = ast.literal_eval(parts["flags"]) if parts else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not parts or not isinstance(found, list) or not all(isinstance(f, bool) for f in found):
        return None, None
    return found, parts["mean"]


def _shown(share: float | None) -> str:
    return "none" if share is None else f"{share:.4g}"


def _is_mean(mean: str, share: float | None) -> bool:
    """Whether a mean, as it is written, is the share; one that was rounded to two places or more may be off by half of the last."""
    try:
        written = float(mean)
    except ValueError:
        return False
    places = len(mean.partition(".")[2]) if "e" not in mean.casefold() else 0
    return share is not None and abs(written - share) <= (0.5 * 10**-places if places > 1 else 0) + 1e-9


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


def _told_by_flags(paths: list[Path], flags: dict[Path, Flags], source: Source) -> tuple[dict[str, str], set[str]]:
    """(keys by question, questions on which runs are at odds).

    A key is what a debate that ended right ended on, or the one option that no wrong end leaves.
    """
    source = _as_run(source)
    right: dict[str, set[str]] = {}
    wrong: dict[str, set[str]] = {}
    for path in paths:
        own = flags[path].flags
        if own is None:
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
                    end = _end(rounds[-1], is_right=own[number])
                    if end is not None:
                        told = right if own[number] else wrong
                        told.setdefault(_question(path, number), set()).add(end)
        except BrokenFile:
            continue
    options = source.settings.options or OPTIONS
    golds, at_odds = {}, set()
    for question in {**right, **wrong}:
        said, ruled_out = right.get(question, set()), wrong.get(question, set())
        left = said - ruled_out if said else set(options) - ruled_out
        if len(said) > 1 or not left:
            at_odds.add(question)
        elif len(left) == 1:
            golds[question] = left.pop()
    return golds, at_odds


def _as_run(source: Source) -> Source:
    """The flags judge the end as the runs read it, whatever profile reads it now."""
    return replace(source, settings=replace(source.settings, profile="last_bracketed"))


def _end(panel: list[Agent], is_right: bool) -> str | None:
    """The answer that a run ended on, from the most frequent of its last panel; None where that leaves a choice.

    To a run no answer is an answer too, which may lead, and which is wrong.
    """
    counts = Counter(a.answer for a in panel)
    leading = [answer for answer, n in counts.items() if n == max(counts.values())]
    letters = [answer for answer in leading if answer is not None]
    return letters[0] if len(letters) == 1 and (is_right or len(leading) == 1) else None


def _name(path: Path) -> tuple[str, int, int | None]:
    """(subject, number of the first row, agents) of a file's name; a row is counted from 0, as the benchmark's file is."""
    named = _NAME.fullmatch(stem(path))
    if named is None:
        return stem(path), 0, None
    return named["subject"], int(named["offset"] or 0), int(named["agents"])


def _condition(path: Path, source: Source) -> str | None:
    """The folder of a run, where its name ends in the number of agents or where the logs lie in several folders."""
    folder = path.absolute().parent.name
    named, agents = _FOLDER.fullmatch(folder), _name(path)[2]
    is_of_run = named is not None and int(named["agents"]) == agents
    return folder if is_of_run or len({p.absolute().parent for p in source.paths}) > 1 else None


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


def _outside(rounds: list[list[Agent]], source: Source) -> Iterator[Note]:
    """A note on each answer that is a letter of the benchmark, and none of --options."""
    given = source.settings.options
    for agent in (a for panel in rounds for a in panel if given and a.answer is None and a.text and not a.is_failed):
        if source.coding.code(agent.text, "choice", OPTIONS)[0] is not None:
            yield Note(f"an answer that is none of --options {''.join(given)}: unparsed")


def _held(value: Any) -> int:
    """Debate rounds in which somebody was asked, of a line of whatever shape."""
    agents = [agent for agent in value if isinstance(agent, list)] if isinstance(value, list) else []
    return max((r for agent in agents for r, text in enumerate(agent) if text is not None), default=0)


def _file(path: Path, source: Source, golds: dict[str, str], at_odds: set[str], flags: Flags) -> Iterator[Found]:
    subject, _, _ = _name(path)
    condition = _condition(path, source)

    def debate(record: int, value: Any) -> Iterator[Found]:
        with holding(_held(value)):
            rounds = _rounds(value, path, source)
            yield from _outside(rounds, source)
        question = _question(path, record - 1) if flags.numbers_rows else f"{stem(path)}_row_{record}"
        gold: str | UnreadKey | None = golds.get(question) if flags.numbers_rows else None
        no_key = ""
        if gold is not None:
            if not source.settings.gold:
                yield Note("keys told by the run's own flags: collapses are missed, see docs/import.md")
            elif flags.flags is not None:
                is_right = flags.flags[record - 1]
                end = _end(_rounds(value, path, _as_run(source))[-1], is_right)
                if end is not None and (end == gold) != is_right:
                    yield Note("an end that --gold and the run's flag judge otherwise: look whether the rows are those questions")
        elif source.settings.gold and flags.numbers_rows:
            yield Note("no key known: not among those of --gold")
        elif flags.is_lost or question in at_odds:
            what = "the flags of the run cannot be used" if flags.is_lost else "the flags of several runs are at odds"
            gold = UnreadKey(what, "mend the .txt beside the log, or give the keys with --gold")
        elif flags.flags is not None:
            # A wrong end names no letter, and neither does an end without a majority.
            no_key = "not_stated"
            yield Note("no key stated: the debate ended wrong, or on no single answer")
        else:
            yield Note("no key known")
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
            n_agents=len(value),
            mode="debate",
            condition=condition,
            no_key=no_key,
            stored={} if flags.flags is None else {"majority_correct": flags.flags[record - 1]},
            is_coded=True,
        )

    yield from of_lines(path, source.name(path), source, debate)
