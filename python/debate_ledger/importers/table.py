"""Any table mapped by a small YAML file: CSV or JSON Lines of one answer per row, or JSON Lines with a panel's answers in a list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.agents import read_aliases
from debate_ledger.importers.debate import (
    KEY,
    MAX_ROUNDS,
    MISSING,
    Agent,
    Bad,
    Debate,
    Found,
    Note,
    Rejected,
    expect,
    holding,
    label_note,
    panels,
    shape_of,
    text_id,
    valid_answer,
    whole_number,
)
from debate_ledger.importers.mapping import at, is_among, read_mapping
from debate_ledger.importers.records import as_one, attempt
from debate_ledger.importers.source import Source, stem
from debate_ledger.importers.streaming import BrokenFile, Spool, csv_rows, json_lines, no_columns, opened
from debate_ledger.importers.table_lists import LISTS, spread

EXAMPLE = """\
columns:
  question: item        # an identifier, or the text of the question with question_is_text: true
  debate: run           # optional, where a question was debated several times
  round: turn           # optional; without it every row is an independent answer
  agent: bot            # left out where answer or text is a list of what all agents said
  answer: vote          # the label, or text: what was said
  gold: key             # optional, as are model, benchmark, mode, task and condition
unparsed: ["", "N/A"]   # asked, and gave no answer (default: "" and null)
absent: ["-"]           # was not asked (default: nothing)
first_round: 0          # what the table calls the independent answers (default 0)
options: [A, B, C, D]   # optional
lists: rounds           # what a list of lists holds: rounds (default) or agents
agents:                 # optional: spellings of one agent, or by_position where its names never meet
  Judge: [judge-agent, JUDGE]
  ada: {pattern: "ada.*"}
"""
#: What tells the runs of a question apart, where a column has it.
_RUN = ("mode", "task", "condition")
_COLUMNS = ("question", "debate", "round", "agent", "answer", "text", "gold", "model", "benchmark", *_RUN)
#: Rows in which a column that every row needs has to be found; one that rows may leave out has the whole file.
_FIRST = 100
_NAME = (str, int, float, type(None))
#: Types of cells; those of a CSV file are texts.
_CELLS: dict[str, tuple[type, ...]] = {
    "debate": _NAME, "agent": (str, int, type(None)), "answer": KEY, "text": _NAME, "gold": KEY, "model": _NAME, "benchmark": _NAME,
    **dict.fromkeys(_RUN, _NAME),
}  # fmt: skip
_KEYS: dict[str, type | tuple[type, ...]] = {
    "columns": dict,
    "unparsed": list,
    "absent": list,
    "first_round": int,
    "question_is_text": bool,
    "options": list,
    "lists": str,
    "agents": (dict, str),
}


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, their rows grouped on disk. Raises ValueError for a mapping, or a header, that is wrong."""
    mapping = read_mapping(source.settings.mapping, _KEYS, ("columns",), EXAMPLE)
    columns, place = mapping["columns"], source.settings.mapping
    source.aliases = read_aliases(mapping.get("agents"), str(place))
    unknown = [c for c in columns if c not in _COLUMNS]
    if unknown:
        raise ValueError(f"{place}: columns knows no {', '.join(map(str, unknown))} (it knows {', '.join(_COLUMNS)})")
    for role, column in columns.items():
        if not isinstance(column, str):
            raise ValueError(f"{place}: columns.{role} is {shape_of(column)} (write the name of a column, in quotes)")
    if "question" not in columns or ("answer" in columns) == ("text" in columns):
        raise ValueError(f"{place}: columns needs question, agent, and answer or text (one of them), as in\n{EXAMPLE}")
    if mapping.get("lists", LISTS[0]) not in LISTS:
        raise ValueError(f"{place}: lists is {mapping['lists']!r} (it is one of {', '.join(LISTS)})")
    for option in mapping.get("options", []):
        if not (isinstance(option, str) and len(option) == 1 and "A" <= option <= "Z"):
            raise ValueError(f"{place}: options holds what is no capital letter (write them as [A, B, C, D]; Y and N in quotes)")
    for key in ("unparsed", "absent"):
        for value in mapping.get(key, []):
            if isinstance(value, (dict, list)):
                raise ValueError(f'{place}: {key} holds {shape_of(value)} (write the values of cells, such as ["-"])')
    for path in source.logs():
        yield from as_one(_file(source.used(path), source, mapping))


def _is_csv(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(".csv")


def _rows(path: Path, source: Source, mapping: dict[str, Any]) -> Iterator[tuple[int, Any, BrokenFile | None]]:
    def check(header: list[str]) -> None:
        if missing := [c for c in mapping["columns"].values() if c not in header]:
            raise _lacking(missing, header, path, source)

    if _is_csv(path) and "agent" not in mapping["columns"]:
        raise ValueError(f"{source.settings.mapping}: columns needs agent, since no cell of a CSV file is a list of answers")
    for key in ("unparsed", "absent"):
        if _is_csv(path) and any(isinstance(v, bool) for v in mapping.get(key, [])):
            raise ValueError(
                f"{source.settings.mapping}: {key} holds true or false, cells are texts (write yes, no, true, false in quotes)"
            )
    with opened(path, source.progress) as file:
        yield from csv_rows(file, check) if _is_csv(path) else _checked(json_lines(file), path, source, mapping)


def _checked(
    rows: Iterator[tuple[int, Any, BrokenFile | None]], path: Path, source: Source, mapping: dict[str, Any]
) -> Iterator[tuple[int, Any, BrokenFile | None]]:
    """Rows of JSON Lines. Raises ValueError for columns that are not there, as one fault of the mapping and not one of every row."""
    columns, role = mapping["columns"], _role(mapping)
    unseen, first, broken = dict(columns), [], None
    try:
        while len(first) < _FIRST:
            first.append(next(rows))
    except StopIteration:
        pass
    except BrokenFile as error:
        broken = error
    objects = [row for _, row, _ in first if isinstance(row, dict) and row]
    keys = dict.fromkeys(k for row in objects for k in _keys(row))

    def look(row: Any) -> None:
        for one in [r for r, column in unseen.items() if isinstance(row, dict) and at(row, column, MISSING) is not MISSING]:
            del unseen[one]

    for row in objects:
        look(row)
    if objects and (missing := [unseen[r] for r in ("question", "agent", role) if r in unseen]):
        raise _lacking(missing, list(keys), path, source)
    cells = [at(row, columns[role]) for row in objects]
    are_lists = {isinstance(c, (list, dict)) for c in cells if c is not None}
    if len(are_lists) == 1 and are_lists == {"agent" in columns}:
        told = "holds lists of answers: leave agent out" if "agent" in columns else "holds no list: name the column of the agent"
        raise ValueError(f"{source.settings.mapping}: columns.{role}, {columns[role]}, {told}")
    yield from first
    if broken:
        raise broken
    for found in rows:
        if unseen:
            look(found[1])
        yield found
    if objects and unseen:
        raise _lacking(list(unseen.values()), list(keys), path, source)


def _keys(row: dict[str, Any]) -> Iterator[str]:
    """Names that a column may have: the keys of a row, and those of the objects in it."""
    for key, value in row.items():
        yield from (f"{key}.{inner}" for inner in value) if isinstance(value, dict) and value else (key,)


def _lacking(missing: list[str], there: list[str], path: Path, source: Source) -> ValueError:
    return ValueError(no_columns(missing, there, f"correct the columns of {source.settings.mapping}").told(source.name(path)))


def _role(mapping: dict[str, Any]) -> str:
    """What the answers are given as."""
    return "answer" if "answer" in mapping["columns"] else "text"


def _file(path: Path, source: Source, mapping: dict[str, Any]) -> Iterator[Found]:
    name, columns = source.name(path), mapping["columns"]
    # A row with a whole panel in it is a debate of its own, whatever other rows are on its question.
    is_whole = "agent" not in columns and "round" not in columns
    with Spool() as spool:
        broken: BrokenFile | None = None
        last: list[Any] = []
        try:
            for line, row, wrong in _rows(path, source, mapping):
                question = at(row, columns["question"]) if isinstance(row, dict) else None
                if not isinstance(question, (str, int)) or isinstance(question, bool) or not str(question).strip():
                    reason, mend = (wrong.reason, wrong.mend) if wrong else _no_question(row, question, columns["question"])
                    if not is_whole:
                        yield Note("rows whose question cannot be read: any debate of the file may lack them, so mend these rows first")
                    yield Rejected(name, reason, mend, None, line)
                    continue
                cells = {role: at(row, column, missing=None) for role, column in columns.items()}
                # A cell that is no name of a debate keeps its row apart, so that only that is rejected.
                last = [str(question), *(_name(cells.get(r)) for r in ("debate", *_RUN)), line if is_whole else None]
                spool.add(last, {"line": line, "cells": cells, "wrong": [wrong.reason, wrong.mend] if wrong else None})
        except BrokenFile as error:
            broken = error
        for number, (key, rows) in enumerate(spool.groups(), start=1):
            if broken and key == last and not is_whole:
                mend = "mend the file: the rest of the debate may stand behind the break"
                yield Rejected(name, "the file breaks off in this debate", mend, number, rows[0]["line"])
                continue
            yield from attempt(name, number, rows[0]["line"], _debate, *key[:2], rows, number, name, path, source, mapping)
        if broken:
            yield Rejected(name, broken.reason, broken.mend, None, broken.line)


def _name(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, (list, dict, bool)) else str(cell)


def _no_question(row: Any, question: Any, column: str) -> tuple[str, str]:
    if not isinstance(row, dict):
        return f"a row is {shape_of(row)}; it has to be an object", "write a row as an object, column → cell"
    if question is None or question == "" or isinstance(question, str):
        return "a row without a question", f"every row names its question, in {column}"
    return f"{column} is {shape_of(question)}; it has to be a text or a whole number", f"write {column} as a text or a whole number"


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
) -> Iterator[Found]:
    coding, unparsed, absent = source.coding, mapping.get("unparsed", ["", None]), mapping.get("absent", [])
    role, are_lists = _role(mapping), "agent" not in mapping["columns"]
    rows = [one for row in rows for one in (_spread(row, mapping) if are_lists else (_placed(row, mapping),))]
    for row in rows:
        for one, types in _CELLS.items():
            if one in row["cells"]:
                expect(row["cells"][one], f"line {row['line']}: {mapping['columns'].get(one, one)}", *types)
    task = source.settings.benchmark or str(_one(rows, "benchmark") or "") or stem(path)
    raw_gold = _one(rows, "gold")
    options = coding.options(tuple(mapping.get("options", [])) or None)
    if not options and mapping.get("question_is_text"):
        options = coding.options_of(question, raw_gold)
    kind = coding.kind(raw_gold, task, options, "gold")
    options = options if kind == "choice" else None
    said: dict[str, dict[int, dict[str, Any]]] = {}
    for row in rows:
        cells = row["cells"]
        agent = cells["agent"]
        if agent is None or not str(agent).strip():
            raise Bad(f"line {row['line']}: no agent", "every row names its agent")
        own = said.setdefault(str(agent).strip(), {})
        if row["round"] in own:
            raise Bad(f"line {row['line']}: a second row of one agent in one round", "keep one, or name the column of the debate")
        own[row["round"]] = row
    agents = list(said)
    asked = [{r: row for r, row in said[a].items() if not is_among(row["cells"][role], absent)} for a in agents]
    present = panels(asked)

    with holding(len(present) - 1):

        def agent_of(agent: str, row: dict[str, Any]) -> Agent:
            value, model = row["cells"][role], row["cells"].get("model")
            model = str(model) if model is not None and str(model).strip() else None
            if is_among(value, unparsed) or value is None:
                return Agent(agent, None, model=model)
            if role == "answer":
                return coding.stated(agent, value, kind, options, model)
            return coding.agent(agent, str(value), kind, options, model=model)

        if role == "answer":
            for row in (r for own in asked for r in own.values() if not is_among(r["cells"][role], unparsed)):
                yield from label_note(row["cells"][role], valid_answer(row["cells"][role], kind, options), kind)
        yield Debate(
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
            mode=_text(rows, "mode") or _mode(rows, mapping, len(present)),
            task=_text(rows, "task") or task,
            condition=_text(rows, "condition"),
            is_coded=role == "text",
        )


def _text(rows: list[dict[str, Any]], role: str) -> str | None:
    found = _one(rows, role)
    return None if found is None else str(found).strip()


def _mode(rows: list[dict[str, Any]], mapping: dict[str, Any], n_rounds: int) -> str | None:
    """How a panel worked, where the mapping tells that nobody debated; a list of lists may be one of rounds."""
    if "round" in mapping["columns"] or n_rounds > 1 or any(row.get("is_nested") for row in rows):
        return None
    return "panel" if len(rows) > 1 else "single_agent"


def _placed(row: dict[str, Any], mapping: dict[str, Any]) -> dict[str, Any]:
    """A row with its round. Raises Bad for one that was read with a fault."""
    if row["wrong"]:
        raise Bad(f"line {row['line']}: {row['wrong'][0]}", row["wrong"][1])
    return row | {"round": _round(row, mapping)}


def _spread(row: dict[str, Any], mapping: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows that a row of lists stands for, one per agent and round."""
    role = _role(mapping)
    place = f"line {row['line']}: {mapping['columns'][role]}"
    row = _placed(row, mapping)
    cell = row["cells"][role]
    for agent, number, said in spread(cell, place, mapping.get("lists", LISTS[0])):
        if number and "round" in mapping["columns"]:
            raise Bad(f"{place} holds several rounds beside a column of the round", "leave the column of the round out")
        yield row | {
            "round": row["round"] + number,
            "cells": row["cells"] | {"agent": agent, role: said},
            "is_nested": any(isinstance(c, (list, dict)) for c in (cell.values() if isinstance(cell, dict) else cell)),
        }


def _round(row: dict[str, Any], mapping: dict[str, Any]) -> int:
    if "round" not in mapping["columns"]:
        return 0
    given, first = row["cells"]["round"], mapping.get("first_round", 0)
    found = whole_number(given, first, first + MAX_ROUNDS)
    if found is None:
        raise Bad(f"line {row['line']}: the round is no whole number from {first} on", "correct it, or `first_round` of the mapping")
    return found - first
