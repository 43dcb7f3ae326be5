"""Any table, CSV or JSON Lines, of one answer per row, mapped by a small YAML file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Debate, Found, Rejected, Source, panels, stem, text_id, valid_answer
from debate_ledger.importers.mapping import at, read_mapping
from debate_ledger.importers.streaming import BrokenFile, Spool, csv_rows, json_lines, opened

EXAMPLE = """\
columns:
  question: item        # an identifier, or the text of the question with question_is_text: true
  debate: run           # optional, where a question was debated several times
  round: turn           # optional; without it every row is an independent answer
  agent: bot
  answer: vote          # the label, or text: what was said
  gold: key             # optional, as are model and benchmark
unparsed: ["", "N/A"]   # asked, and gave no answer (default: "" and null)
absent: ["-"]           # was not asked (default: nothing)
first_round: 0          # what the table calls the independent answers (default 0)
options: [A, B, C, D]   # optional
"""
_COLUMNS = ("question", "debate", "round", "agent", "answer", "text", "gold", "model", "benchmark")
_KEYS: dict[str, type | tuple[type, ...]] = {
    "columns": dict,
    "unparsed": list,
    "absent": list,
    "first_round": int,
    "question_is_text": bool,
    "options": list,
}


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, their rows grouped on disk. Raises ValueError for a mapping, or a header, that is wrong."""
    mapping = read_mapping(source.settings.mapping, _KEYS, ("columns",), EXAMPLE)
    columns, place = mapping["columns"], source.settings.mapping
    unknown = [c for c in columns if c not in _COLUMNS] + [c for c in columns if not isinstance(columns[c], str)]
    if unknown:
        raise ValueError(f"{place}: columns knows no {', '.join(map(str, unknown))}: {', '.join(_COLUMNS)}, each the name of a column")
    if not {"question", "agent"} <= set(columns) or ("answer" in columns) == ("text" in columns):
        raise ValueError(f"{place}: columns needs question, agent, and answer or text (one of them), as in\n{EXAMPLE}")
    if not all(isinstance(o, str) and len(o) == 1 and "A" <= o <= "Z" for o in mapping.get("options", [])):
        raise ValueError(f"{place}: options are capital letters, such as [A, B, C, D]")
    for path in source.paths:
        yield from _file(source.used(path), source, mapping)


def _rows(path: Path, source: Source) -> Iterator[tuple[int, Any, BrokenFile | None]]:
    with opened(path, source.progress) as file:
        yield from csv_rows(file) if path.name.removesuffix(".gz").endswith(".csv") else json_lines(file)


def _file(path: Path, source: Source, mapping: dict[str, Any]) -> Iterator[Found]:
    name, columns = source.name(path), mapping["columns"]
    is_csv = path.name.removesuffix(".gz").endswith(".csv")
    with Spool() as spool:
        broken: BrokenFile | None = None
        last: list[Any] = []
        try:
            for number, (line, row, wrong) in enumerate(_rows(path, source)):
                if is_csv and number == 0 and not wrong:
                    missing = [c for c in columns.values() if c not in row]
                    if missing:
                        raise ValueError(f"{name}:1: no column {', '.join(missing)}: it has {', '.join(row)}")
                question = at(row, columns["question"]) if isinstance(row, dict) else None
                if not isinstance(question, (str, int)) or not str(question).strip():
                    reason, mend = (wrong.reason, wrong.mend) if wrong else ("a row without a question", "every row names its question")
                    yield Rejected(name, reason, mend, None, line)
                    continue
                cells = {role: at(row, column, missing=None) for role, column in columns.items()}
                debate = cells.get("debate")
                last = [str(question), None if debate is None else str(debate)]
                spool.add(
                    last,
                    {"line": line, "cells": cells, "wrong": [wrong.reason, wrong.mend] if wrong else None},
                )
        except BrokenFile as error:
            broken = error
        for number, (key, rows) in enumerate(spool.groups(), start=1):
            if broken and key == last:
                mend = "mend the file: the rest of the debate may stand behind the break"
                yield Rejected(name, "the file breaks off in this debate", mend, number, rows[0]["line"])
                continue
            try:
                yield _debate(*key, rows, number, name, path, source, mapping)
            except Bad as error:
                yield Rejected(name, error.reason, error.mend, number, rows[0]["line"])
        if broken:
            yield Rejected(name, broken.reason, broken.mend, None, broken.line)


def _is_among(value: Any, values: list[Any]) -> bool:
    """Is a cell one of the mapping's values? Texts are compared without white space around them, numbers as they are written."""
    return any(value is v if v is None or value is None else str(value).strip() == str(v).strip() for v in values)


def _one(rows: list[dict[str, Any]], role: str) -> Any:
    """The value that all rows of a debate share; empty cells say nothing. Raises Bad where they differ."""
    found: dict[str, Any] = {}
    for row in rows:
        value = row["cells"].get(role)
        if value is not None and str(value).strip():
            found.setdefault(str(value).strip(), value)
    if len(found) > 1:
        raise Bad(f"rows of one debate differ in {role}", "name the column that tells the debates apart as `debate`")
    return next(iter(found.values()), None)


def _debate(
    question: str,
    debate: str | None,
    rows: list[dict[str, Any]],
    number: int,
    name: str,
    path: Path,
    source: Source,
    mapping: dict[str, Any],
) -> Debate:
    coding, unparsed, absent = source.coding, mapping.get("unparsed", ["", None]), mapping.get("absent", [])
    for row in rows:
        if row["wrong"]:
            raise Bad(f"line {row['line']}: {row['wrong'][0]}", row["wrong"][1])
    task = source.settings.benchmark or _one(rows, "benchmark") or stem(path)
    raw_gold = _one(rows, "gold")
    options = coding.options(tuple(mapping.get("options", [])) or None)
    kind = coding.kind(raw_gold, task, options)
    options = options if kind == "choice" else None
    role = "answer" if "answer" in mapping["columns"] else "text"
    said: dict[str, dict[int, dict[str, Any]]] = {}
    for row in rows:
        cells = row["cells"]
        agent = cells["agent"]
        if not isinstance(agent, (str, int)) or not str(agent).strip():
            raise Bad(f"line {row['line']}: no agent", "every row names its agent")
        own = said.setdefault(str(agent).strip(), {})
        if isinstance(cells[role], (dict, list)):
            raise Bad(f"line {row['line']}: {role} is an object or a list", "give it as text")
        number_of_round = _round(row, mapping)
        if number_of_round in own:
            raise Bad(f"line {row['line']}: a second row of one agent in one round", "keep one, or name the column of the debate")
        own[number_of_round] = row
    agents = list(said)
    asked = [{r: row for r, row in said[a].items() if not _is_among(row["cells"][role], absent)} for a in agents]
    present = panels(asked)

    def agent_of(agent: str, row: dict[str, Any]) -> Agent:
        value, model = row["cells"][role], row["cells"].get("model")
        model = str(model) if model is not None and str(model).strip() else None
        if _is_among(value, unparsed) or value is None:
            return Agent(agent, None, model=model)
        if role == "answer":
            return Agent(agent, valid_answer(value, kind, options), model=model)
        return coding.agent(agent, str(value), kind, options, model=model)

    return Debate(
        question_id=text_id(task, question) if mapping.get("question_is_text") else question.strip(),
        debate_id=debate,
        rounds=[[agent_of(agents[i], asked[i][r]) for i in p] for r, p in enumerate(present)],
        gold=coding.gold(raw_gold, kind, options),
        kind=kind,
        file=name,
        record=number,
        line=rows[0]["line"],
        benchmark=task,
        options=options,
        is_coded=role == "text",
    )


def _round(row: dict[str, Any], mapping: dict[str, Any]) -> int:
    if "round" not in mapping["columns"]:
        return 0
    given, first = row["cells"]["round"], mapping.get("first_round", 0)
    text = str(given).strip()
    text = text[:-2] if text.endswith(".0") else text
    if isinstance(given, bool) or not text.lstrip("-").isdecimal() or len(text) > 6 or int(text) < first:
        raise Bad(f"line {row['line']}: the round is no whole number from {first} on", "correct it, or `first_round` of the mapping")
    return int(text) - first
