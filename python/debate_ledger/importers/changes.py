"""Change logs: `meta.csv`, `summary_all.csv` and `flips_all.csv`; the rounds are rebuilt backwards from the final answers.

A debate is a (condition, sample). The condition is a column of that name, or the folder. Rounds are counted from 0 or from 1.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import (
    MAX_ROUNDS,
    Agent,
    Aside,
    Bad,
    Debate,
    Found,
    Note,
    Rejected,
    holding,
    label_note,
    valid_answer,
    whole_number,
)
from debate_ledger.importers.normalise import kind_of, normalise_answer
from debate_ledger.importers.records import attempt
from debate_ledger.importers.source import Source, entries, readable, what_is_there
from debate_ledger.importers.streaming import BrokenFile, Spool, csv_rows, no_columns, opened

#: Names under which a column is found, the first that is there counts.
COLUMNS: dict[str, tuple[str, ...]] = {
    "sample": ("sample", "sample_id", "question_id", "question", "id"),
    "condition": ("condition", "setting", "arm"),
    "task": ("metric", "task"),
    "gold": ("correct_label", "correct_answer", "correct", "gold", "label"),
    "majority": ("final_majority_label", "final_majority", "majority", "majority_answer"),
    "agent": ("model", "agent", "agent_id"),
    "final": ("final_answer", "final", "answer"),
    "flips": ("flip_rounds", "flips"),
    "n_flips": ("num_flips", "n_flips"),
    "flip_rate": ("flip_rate",),
    "round": ("round", "flip_round"),
    "from": ("old_answer", "from", "from_answer", "old", "before"),
    "to": ("new_answer", "to", "to_answer", "new", "after"),
    "rounds": ("n_rounds", "rounds", "num_rounds"),
}
_FOLDER = "name the folder that holds meta.csv, summary_all.csv and flips_all.csv, or the folder of such folders"
_NEEDED = {"meta": ("sample", "gold"), "summary": ("sample", "agent", "final"), "flips": ("sample", "agent", "round", "from", "to")}


@dataclass
class Facts:
    """What the tables of a folder tell together, by condition; rounds are numbered as the tables number them."""

    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    kinds: set[str | None] = field(default_factory=set)
    #: Changes by round.
    rounds: Counter[int] = field(default_factory=Counter)
    last: dict[str, int] = field(default_factory=dict)
    #: Debate rounds: changes divided by their rate.
    held: dict[str, int] = field(default_factory=dict)
    n_agents: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: The most agents that a sample of a condition has.
    most_agents: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, key: str, cells: dict[str, Any]) -> None:
        """Take up a row of one of the tables."""
        if what == "meta" and cells["gold"]:
            self.kinds.add(kind_of(cells["gold"]))
        if what == "summary":
            self.n_agents[(key, cells["sample"])] += 1
            self.most_agents[key] = max(self.most_agents.get(key, 0), self.n_agents[(key, cells["sample"])])
            if held := _held(cells):
                self.held[key] = max(self.held.get(key, 0), held)
        number = whole_number(cells["round"]) if what == "flips" else None
        if number is not None:
            self.rounds[number] += 1
            self.last[key] = max(self.last.get(key, 0), number)


def read(source: Source) -> Iterator[Found]:
    """Debates of each folder (or of its folders, one per condition). Raises ValueError where the three tables are not there."""
    folders = []
    for path in source.paths:
        inner = entries(path, _FOLDER)
        found = [path] if _table(inner, "meta") else [f for f in inner if os.path.isdir(f) and _table(entries(f, _FOLDER), "meta")]
        if not found:
            raise ValueError(f"{path}: no meta.csv in it or in a folder of it ({_FOLDER})")
        folders += found
    several = len({f.resolve() for f in folders}) > 1
    new = [(f, files) for f in folders if source.is_new(f, list((files := _files(f)).values()))]
    # Folders inside the named ones are told apart by their own names too.
    named = replace(source, paths=[f for f, _ in new])
    # The same samples stand in every condition, so questions are named by what the folders share.
    shared = Path(os.path.commonpath([f.resolve().parent for f, _ in new])).name if several else new[0][0].resolve().name
    benchmark = source.settings.benchmark or shared
    with ExitStack() as stack:
        spooled = []
        for folder, files in new:
            called = named.name(folder)
            spool, facts = stack.enter_context(Spool()), Facts()
            yield from _spooled(files, called, several, source, spool, facts)
            for path in entries(folder, _FOLDER):
                if path.suffix == ".csv" and path not in files.values():
                    source.set_aside.append((f"{called}/{path.name}", "a table that says nothing of answers beyond the other three"))
            spooled.append((called, files, spool, facts))
        first, told = _first_round([facts for *_, facts in spooled], source)
        for called, files, spool, facts in spooled:
            if told and facts.rounds:
                yield Note(f"{called}: {told}")
            # A sample without a key has the kind of the others, where they have one.
            usual = facts.kinds.copy().pop() if len(facts.kinds) == 1 else None
            number = 0
            for number, ((key, sample), rows) in enumerate(spool.groups(), start=1):
                condition = "; ".join(dict.fromkeys(c for c in (called if several else "", key) if c)) or called
                reader = _Reader(source, benchmark, condition, first, usual, facts)
                yield from attempt(rows[0]["_file"], number, rows[0]["_line"], reader.debate, key, sample, rows, number)
            if not number:
                for path in files.values():
                    source.set_aside.append((f"{called}/{path.name}", what_is_there(path)))


def _table(among: Sequence[Path], what: str) -> list[Path]:
    """The tables of a kind: `meta.csv` or `meta_all.csv`."""
    return [p for p in among if re.fullmatch(rf"{what}(?:_all)?\.csv", p.name)]


def _files(folder: Path) -> dict[str, Path]:
    among = entries(folder, _FOLDER)
    files = {}
    for what in ("meta", "summary"):
        found = _table(among, what)
        if len(found) > 1:
            raise ValueError(f"{folder}: {found[0].name} and {found[1].name} are both there: leave one of them")
        files[what] = found[0] if found else folder / f"{what}.csv"
    tables = [p for p in among if p.suffix == ".csv" and p not in files.values() and "influence" not in p.name]
    flips = [p for p in tables if "flip" in p.name or "change" in p.name] or tables
    if len(flips) != 1:
        several = f"{len(flips)} tables could be the flips: leave one of them"
        raise ValueError(
            f"{folder}: {several if flips else 'no table of flips: put one'} beside meta.csv and summary.csv, such as flips_all.csv"
        )
    files["flips"] = flips[0]
    for path in files.values():
        readable(path, "a change log has meta.csv, summary.csv or summary_all.csv, and a table of flips")
    return files


def _first_round(found: Sequence[Facts], source: Source) -> tuple[int, str]:
    """(what the tables call the round of the independent answers, a note where only the rounds of changes tell it).

    Nobody changes in that round. So a log whose changes begin in round 1 counts from 0, and one in which none stands there from 1; so
    does one with a change in a round that would not have been held if it counted from 0.
    """
    if source.settings.first_round is not None:
        return source.settings.first_round, ""
    rounds = sum((f.rounds for f in found), Counter())
    if any(f.last.get(key, 0) == held + 1 for f in found for key, held in f.held.items()):
        return 1, ""
    if rounds[1]:
        return 0, ""
    has_names = any(f.columns.get("flips", {}).get("to") == "new_answer" for f in found)
    if not rounds:
        return int(has_names), ""
    return 1, "" if has_names else "rounds counted from 1, since no change stands in round 1 (--first-round 0 where they count from 0)"


def _held(cells: dict[str, Any]) -> int | None:
    """Debate rounds of a row of the summary: its changes divided by their rate."""
    try:
        held = float(cells.get("n_flips") or "") / float(cells.get("flip_rate") or "")
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return round(held) if 0.5 < held <= MAX_ROUNDS and abs(held - round(held)) < 0.01 else None


def _columns(header: Sequence[str], what: str) -> dict[str, str]:
    found = {role: next((c for c in names if c in header), "") for role, names in COLUMNS.items()}
    missing = [role for role in _NEEDED[what] if not found[role]]
    if missing:
        raise no_columns(
            [f"for {role}" for role in missing],
            header,
            "name it one of these: " + "; ".join(f"{role}: {', '.join(COLUMNS[role])}" for role in missing),
        )
    return {role: column for role, column in found.items() if column}


def _spooled(files: dict[str, Path], called: str, is_one_of_several: bool, source: Source, spool: Spool, facts: Facts) -> Iterator[Found]:
    """Put the rows of a folder's tables together by sample, and take up what they tell."""
    for what, path in files.items():
        columns: dict[str, str] = facts.columns.setdefault(what, {})
        name = f"{called}/{path.name}"
        source.used(path, name, is_log=False)

        def check(header: Sequence[str], what: str = what, columns: dict[str, str] = columns) -> None:
            columns |= _columns(header, what)

        try:
            with opened(path, source.progress) as file:
                for line, row, wrong in csv_rows(file, check):
                    cells = {role: (row.get(column) or "").strip() for role, column in columns.items()}
                    if not cells["sample"]:
                        yield Rejected(name, "a row without a sample", "every row names its sample", None, line)
                        continue
                    key = cells.get("condition") or (called if is_one_of_several else "")
                    cells |= {"_file": name, "_line": line, "_wrong": [wrong.reason, wrong.mend] if wrong else None}
                    facts.add(what, key, cells)
                    spool.add([key, cells["sample"]], {"what": what, **cells})
            if not columns and what != "flips":
                raise BrokenFile("a table without a header", None, f"its columns are {', '.join(_NEEDED[what])}")
        except BrokenFile as error:
            # What the rest of the file would say about the samples before is not known.
            raise ValueError(error.told(name)) from error


@dataclass(frozen=True)
class _Reader:
    """How samples of a folder are read; ``first`` is the tables' number of the round of the independent answers."""

    source: Source
    benchmark: str
    condition: str
    first: int
    usual: str | None
    facts: Facts

    def debate(self, key: str, sample: str, rows: list[dict[str, Any]], number: int) -> Iterator[Found]:
        """The debate on a sample, from its rows in the tables."""
        for row in rows:
            if row["_wrong"]:
                raise Bad(f"{row['_file']}:{row['_line']}: {row['_wrong'][0]}", row["_wrong"][1])
        kinds = {what: [r for r in rows if r["what"] == what] for what in ("meta", "summary", "flips")}
        if len(kinds["meta"]) > 1:
            raise Bad(f"{len(kinds['meta'])} rows in meta.csv", "one row per condition and sample")
        meta = kinds["meta"][0] if kinds["meta"] else {}
        if not kinds["summary"]:
            if meta and not kinds["flips"] and not meta["gold"] and not meta.get("majority"):
                yield Aside(meta["_file"], "a sample without a debate: no answers, no key")
                return
            raise Bad("no row in the summary, so no final answers", "give every sample its final answers")
        if not meta:
            yield Note("no row in meta.csv: no key")
        last, told = self._rounds(key, meta, kinds["summary"])
        yield from [Note(told)] if told else []
        with holding(last):
            yield from self._debate(key, sample, meta, kinds, last, number)

    def _rounds(self, key: str, meta: dict[str, Any], summary: list[dict[str, Any]]) -> tuple[int, str]:
        """(debate rounds, a note where they are taken from less than a number of them).

        The argument counts, then the table, then the rate of changes, then the last change of the condition: a round in which nobody
        ever changes leaves no other trace.
        """
        stated = meta.get("rounds") or ""
        given = whole_number(stated)
        if stated and given is None:
            raise Bad(f"{meta['_file']}:{meta['_line']}: the number of rounds is none", f"give a whole number from 0 to {MAX_ROUNDS}")
        last_change = self.facts.last.get(key, 0)
        if given is not None and last_change <= given:
            # Where rounds are counted from 1, the first of them is the independent answers.
            given = max(given - self.first, 0)
        if self.source.settings.rounds is not None:
            last = self.source.settings.rounds
            return last, f"rounds taken as {last} (--rounds), where meta.csv states another number" if given not in (None, last) else ""
        if given is not None:
            return given, ""
        held = next((h for h in map(_held, summary) if h), None) or self.facts.held.get(key)
        if held:
            return held, ""
        last = max(last_change - self.first, 0)
        return last, f"rounds taken as {last}, the last round with a flip (--rounds sets it)"

    def _kind(self, meta: dict[str, Any], summary: list[dict[str, Any]], options: tuple[str, ...] | None) -> str:
        if self.source.settings.kind == "auto":
            if self.usual:
                return self.usual
            answers = {kind_of(row["final"]) for row in summary if row["final"]}
            if not meta.get("gold") and len(answers) == 1:
                return answers.pop() or "label"
        return self.source.coding.kind(meta.get("gold"), self.source.settings.benchmark, options)

    def _debate(
        self, key: str, sample: str, meta: dict[str, Any], kinds: dict[str, list[dict[str, Any]]], last: int, number: int
    ) -> Iterator[Found]:
        coding = self.source.coding
        options = coding.options(None)
        kind = self._kind(meta, kinds["summary"], options)
        gold = coding.gold(meta.get("gold"), kind, options)
        states = _replayed(kinds["summary"], kinds["flips"], last, self.first, kind, options)
        for row in kinds["summary"]:
            yield from label_note(row["final"], valid_answer(row["final"], kind, options), kind)
        for row in kinds["flips"]:
            yield from label_note(row["from"], valid_answer(row["from"], kind, options), kind)
        first_row = next(row for rows in (kinds["meta"], kinds["summary"]) for row in rows)
        yield Debate(
            question_id=f"{self.benchmark}_{sample}",
            debate_id=key or None,
            rounds=[[Agent(a, answers[r], model=a) for a, answers in states.items()] for r in range(last + 1)],
            gold=gold,
            kind=kind,
            file=first_row["_file"],
            record=number,
            line=first_row["_line"],
            benchmark=self.benchmark,
            options=options if kind == "choice" else None,
            n_rounds=last,
            n_agents=self.facts.most_agents.get(key),
            mode="debate",
            task=meta.get("task") or None,
            condition=self.condition,
            stored={"majority_answer": normalise_answer(meta["majority"], kind)} if meta and "majority" in meta else {},
        )


def _replayed(
    summary: list[dict[str, Any]], flips: list[dict[str, Any]], last: int, first: int, kind: str, options: tuple[str, ...] | None
) -> dict[str, list[str | None]]:
    """Answers by agent and round (0 to ``last``), from the final ones and the changes that led there.

    ``first`` is what the tables call round 0.
    Raises Bad where a change does not lead to what comes after it, or the summary's rounds of flips are others.
    """
    states: dict[str, list[str | None]] = {}
    changes: dict[str, dict[int, dict[str, Any]]] = {}
    for flip in flips:
        place = f"{flip['_file']}:{flip['_line']}"
        number = whole_number(flip["round"], 1 + first, last + first)
        if number is None:
            raise Bad(
                f"{place}: a flip in no round from {1 + first} to {last + first}",
                "round r is the change from state r - 1 to state r; see --rounds and --first-round",
            )
        if changes.setdefault(flip["agent"], {}).setdefault(number, flip) is not flip:
            raise Bad(f"{place}: a second flip of one agent in one round", "keep one")
    for row in summary:
        agent, place = row["agent"], f"{row['_file']}:{row['_line']}"
        if not agent or agent in states:
            raise Bad(f"{place}: " + ("no agent" if not agent else "a second final answer of one agent"), "one row per sample and agent")
        own = changes.pop(agent, {})
        listed = _listed(row.get("flips"), place)
        if listed is not None and sorted(listed) != sorted(own):
            no_table = (
                "the table of flips lacks the sample; its tool writes an empty one where the first sample has no flip: write it again"
            )
            mend = "correct one of the two tables" if flips else no_table
            raise Bad(f"{place}: flips in rounds {sorted(listed)}, the table of flips has {sorted(own)}", mend)
        answers = [valid_answer(row["final"], kind, options)]
        for number in range(last + first, first, -1):
            after, before = answers[0], answers[0]
            if number in own:
                flip = own[number]
                if valid_answer(flip["to"], kind, options) != after:
                    raise Bad(f"{flip['_file']}:{flip['_line']}: the flip does not lead to the answer that follows", "correct the flip")
                before = valid_answer(flip["from"], kind, options)
            answers.insert(0, before)
        states[agent] = answers
    if changes:
        flip = next(iter(next(iter(changes.values())).values()))
        raise Bad(f"{flip['_file']}:{flip['_line']}: a flip of an agent without a final answer", "give the agent a row in summary.csv")
    return states


def _listed(text: str | None, place: str) -> list[int] | None:
    if text is None or not text.strip():
        return None if text is None else []
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise Bad(f"{place}: flip_rounds is no list", "write it as [1, 3]") from error
    if not isinstance(found, (list, tuple)) or not all(whole_number(n, 1) is not None for n in found):
        raise Bad(f"{place}: flip_rounds is no list of rounds, from 1 on", "write it as [1, 3]")
    return [int(n) for n in found]
