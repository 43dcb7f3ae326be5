"""Change logs: `meta.csv`, `summary.csv` and a table of flips; the rounds are rebuilt backwards from the final answers.

A debate is a (condition, sample). The condition is a column of that name, or the folder where several are read.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import MAX_ROUNDS, Agent, Bad, Debate, Found, Note, Rejected, label_note, valid_answer, whole_number
from debate_ledger.importers.normalise import kind_of, normalise_answer
from debate_ledger.importers.records import attempt
from debate_ledger.importers.source import Source, entries, readable, what_is_there
from debate_ledger.importers.streaming import BrokenFile, Spool, csv_rows, no_columns, opened

#: Names under which a column is found, the first that is there counts.
COLUMNS: dict[str, tuple[str, ...]] = {
    "sample": ("sample", "sample_id", "question_id", "question", "id"),
    "condition": ("condition", "setting", "arm"),
    "gold": ("correct_label", "correct_answer", "correct", "gold", "label"),
    "majority": ("final_majority", "majority", "majority_answer"),
    "agent": ("model", "agent", "agent_id"),
    "final": ("final_answer", "final", "answer"),
    "flips": ("flip_rounds", "flips"),
    "round": ("round", "flip_round"),
    "from": ("from", "from_answer", "old", "before"),
    "to": ("to", "to_answer", "new", "after"),
    "rounds": ("n_rounds", "rounds", "num_rounds"),
}
_FOLDER = "name the folder that holds meta.csv, summary.csv and the flips, or the folder of such folders"
_NEEDED = {"meta": ("sample", "gold"), "summary": ("sample", "agent", "final"), "flips": ("sample", "agent", "round", "from", "to")}


def read(source: Source) -> Iterator[Found]:
    """Debates of each folder (or of its folders, one per condition). Raises ValueError where the three tables are not there."""
    folders = []
    for path in source.paths:
        inner = entries(path, _FOLDER)
        found = [path] if os.path.exists(path / "meta.csv") else [f for f in inner if os.path.exists(f / "meta.csv")]
        if not found:
            raise ValueError(f"{path}: no meta.csv in it or in a folder of it ({_FOLDER})")
        folders += found
    several = len({f.resolve() for f in folders}) > 1
    new = [(f, files) for f in folders if source.is_new(f, list((files := _files(f)).values()))]
    # Folders inside the named ones are told apart by their own names too.
    named = replace(source, paths=[f for f, _ in new])
    for folder, files in new:
        yield from _folder(folder, files, named.name(folder), several, source)


def _files(folder: Path) -> dict[str, Path]:
    files = {"meta": folder / "meta.csv", "summary": folder / "summary.csv"}
    tables = [p for p in entries(folder, _FOLDER) if p.name.endswith(".csv") and p not in files.values()]
    flips = [p for p in tables if "flip" in p.name or "change" in p.name] or tables
    if len(flips) != 1:
        several = f"{len(flips)} tables could be the flips: leave one of them"
        raise ValueError(
            f"{folder}: {several if flips else 'no table of flips: put one'} beside meta.csv and summary.csv, such as flips.csv"
        )
    files["flips"] = flips[0]
    for path in files.values():
        readable(path, "a change log has meta.csv, summary.csv and a table of flips")
    return files


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


def _folder(folder: Path, files: dict[str, Path], called: str, is_one_of_several: bool, source: Source) -> Iterator[Found]:
    last_rounds: dict[str, int] = {}
    kinds: set[str | None] = set()
    n_groups = 0
    with Spool() as spool:
        for what, path in files.items():
            columns: dict[str, str] = {}
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
                        if what == "meta" and cells["gold"]:
                            kinds.add(kind_of(cells["gold"]))
                        if what == "flips":
                            last_rounds[key] = max(last_rounds.get(key, 0), whole_number(cells["round"]) or 0)
                        spool.add([key, cells["sample"]], {"what": what, **cells})
                if not columns:
                    raise BrokenFile("a table without a header", None, f"its columns are {', '.join(_NEEDED[what])}")
            except BrokenFile as error:
                # What the rest of the file would say about the samples before is not known.
                raise ValueError(error.told(name)) from error
        # A sample without a key has the kind of the others, where they have one.
        usual = kinds.pop() if len(kinds) == 1 else None
        for number, ((key, sample), rows) in enumerate(spool.groups(), start=1):
            n_groups = number
            arguments = (key, sample, rows, number, last_rounds.get(key, 0), usual, folder, source)
            yield from attempt(rows[0]["_file"], number, rows[0]["_line"], _debate, *arguments)
    if not n_groups:
        for path in files.values():
            source.set_aside.append((f"{called}/{path.name}", what_is_there(path)))


def _debate(
    condition: str, sample: str, rows: list[dict[str, Any]], number: int, last_flip: int, usual: str | None, folder: Path, source: Source
) -> Iterator[Found]:
    for row in rows:
        if row["_wrong"]:
            raise Bad(f"{row['_file']}:{row['_line']}: {row['_wrong'][0]}", row["_wrong"][1])
    kinds = {what: [r for r in rows if r["what"] == what] for what in ("meta", "summary", "flips")}
    if not kinds["summary"]:
        raise Bad("no row in summary.csv, so no final answers", "give every sample its final answers")
    if len(kinds["meta"]) > 1:
        raise Bad(f"{len(kinds['meta'])} rows in meta.csv", "one row per condition and sample")
    meta = kinds["meta"][0] if kinds["meta"] else {}
    if not meta:
        yield Note("no row in meta.csv: no key")
    coding = source.coding
    options = coding.options(None)
    kind = usual if usual and source.settings.kind == "auto" else coding.kind(meta.get("gold"), source.settings.benchmark, options)
    stated = meta.get("rounds") or ""
    given = whole_number(stated)
    if stated and given is None:
        raise Bad(f"{meta['_file']}:{meta['_line']}: the number of rounds is none", f"give a whole number from 0 to {MAX_ROUNDS}")
    # The argument counts, then the table, then the last flip of the condition: a round in which nobody ever flips leaves no trace.
    last = source.settings.rounds if source.settings.rounds is not None else last_flip if given is None else given
    if source.settings.rounds is None and given is None:
        yield Note(f"rounds taken as {last}, the last round with a flip (--rounds sets it)")
    elif given is not None and given != last:
        yield Note(f"rounds taken as {last} (--rounds), where meta.csv states another number")
    states = _replayed(kinds["summary"], kinds["flips"], last, kind, options)
    for row in kinds["summary"]:
        yield from label_note(row["final"], valid_answer(row["final"], kind, options), kind)
    for row in kinds["flips"]:
        yield from label_note(row["from"], valid_answer(row["from"], kind, options), kind)
    benchmark = source.settings.benchmark or folder.resolve().name
    question = f"{benchmark}_{sample}"
    stored = {}
    if meta and "majority" in meta:
        stored["majority_answer"] = normalise_answer(meta["majority"], kind)
    yield Debate(
        question_id=question,
        debate_id=condition or None,
        rounds=[[Agent(a, answers[r], model=a) for a, answers in states.items()] for r in range(last + 1)],
        gold=coding.gold(meta.get("gold"), kind, options),
        kind=kind,
        file=rows[0]["_file"],
        record=number,
        line=rows[0]["_line"],
        benchmark=benchmark,
        options=options if kind == "choice" else None,
        n_rounds=last,
        stored=stored,
    )


def _replayed(
    summary: list[dict[str, Any]], flips: list[dict[str, Any]], last: int, kind: str, options: tuple[str, ...] | None
) -> dict[str, list[str | None]]:
    """Answers by agent and round (0 to ``last``), from the final ones and the changes that led there.

    Raises Bad where a change does not lead to what comes after it, or the summary's rounds of flips are others.
    """
    states: dict[str, list[str | None]] = {}
    changes: dict[str, dict[int, dict[str, Any]]] = {}
    for flip in flips:
        place = f"{flip['_file']}:{flip['_line']}"
        number = whole_number(flip["round"], 1, last)
        if number is None:
            raise Bad(f"{place}: a flip in no round from 1 to {last}", "round r is the change from state r - 1 to state r; see --rounds")
        if changes.setdefault(flip["agent"], {}).setdefault(number, flip) is not flip:
            raise Bad(f"{place}: a second flip of one agent in one round", "keep one")
    for row in summary:
        agent, place = row["agent"], f"{row['_file']}:{row['_line']}"
        if not agent or agent in states:
            raise Bad(f"{place}: " + ("no agent" if not agent else "a second final answer of one agent"), "one row per sample and agent")
        own = changes.pop(agent, {})
        listed = _listed(row.get("flips"), place)
        if listed is not None and sorted(listed) != sorted(own):
            raise Bad(f"{place}: flips in rounds {sorted(listed)}, the table of flips has {sorted(own)}", "correct one of the two tables")
        answers = [valid_answer(row["final"], kind, options)]
        for number in range(last, 0, -1):
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
