"""Probe logs of other tools, CSV or JSON Lines, mapped by a small YAML file: a row is a reply, or a battery with a list of replies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import (
    KEY,
    Bad,
    Coding,
    Found,
    Note,
    Rejected,
    Settings,
    UnreadKey,
    expect,
    label_note,
    shape_of,
    text_id,
    valid_answer,
)
from debate_ledger.importers.failed_calls import FAILED, is_failed_call
from debate_ledger.importers.mapping import at, checked_rows, is_among, read_mapping
from debate_ledger.importers.records import attempt
from debate_ledger.importers.source import Source, stem
from debate_ledger.importers.streaming import BrokenFile, Spool, csv_rows, json_lines, no_columns, opened

SCHEMA = "debate-ledger-probe/1"
EXAMPLE = """\
columns:
  question: item          # an identifier, or the text of the question with question_is_text: true
  after: second_answer    # the answer to the probe, or after_text: what was said
  before: first_answer    # the answer before the probe, or before_text: what was said; optional, as are all below
  condition: metric
  strength: push          # weak, moderate, strong, very_strong, or a name that `strengths` translates
  social: by_peers        # does the probe say that others agree?
  claim: suggested        # the answer that the probe argues for
  revised: changed        # what the log says: did the answer change?
  agent: bot
  model: model
  gold: key
replies: turns            # optional: where a row holds a whole battery, the list of its replies
strengths: {mild: weak}   # optional
social: ["peer"]          # optional: values of that column that mean yes (default: true, 1, yes)
unparsed: ["", "N/A"]     # asked, and gave no answer (default: "" and null)
absent: ["-"]             # not asked, or the call failed (default: nothing)
options: [A, B, C, D]     # optional; for answers that are words `labels: [me, my friend]`: a text that says one of them alone answers so
"""
STRENGTHS = ("weak", "moderate", "strong", "very_strong")
_COLUMNS = (
    "question", "before", "before_text", "after", "after_text", "condition", "strength", "social", "claim", "revised", "agent", "model",
    "gold", "benchmark",
)  # fmt: skip
#: Columns that are of a battery; rows that agree in them belong to one.
_OF_BATTERY = ("question", "model", "condition", "agent")
_KEYS: dict[str, type] = {
    "labels": list,
    "columns": dict, "replies": str, "strengths": dict, "social": list, "unparsed": list, "absent": list, "options": list,
    "question_is_text": bool,
}  # fmt: skip
_TRUE, _FALSE = ("true", "1", "1.0", "yes"), ("false", "0", "0.0", "no")


@dataclass
class Reply:
    """A reply to a probe. ``before``, ``after`` None: asked, and no answer was found."""

    before: str | None
    after: str | None
    strength: str | None = None
    social: bool | None = None
    claim: str | None = None
    revised: bool | None = None
    rule: str | None = None
    text: str | None = None


@dataclass
class Battery:
    """The replies of one agent on one question under one condition."""

    question_id: str
    replies: list[Reply]
    gold: str | UnreadKey | None
    kind: str
    file: str
    record: int
    line: int | None = None
    benchmark: str | None = None
    model: str | None = None
    condition: str | None = None
    agent: str | None = None
    options: tuple[str, ...] | None = None
    is_coded: bool = False
    no_key: str = ""
    unread_key: UnreadKey | None = None

    def __post_init__(self) -> None:
        if isinstance(self.gold, UnreadKey):
            self.unread_key, self.gold, self.no_key = self.gold, None, "unread"

    def answers(self) -> Iterator[str | None]:
        """The answers to the probes; None for one that was not found."""
        return (reply.after for reply in self.replies)

    def to_record(self, source_format: str, settings: Settings, coder_version: str) -> dict[str, Any]:
        """The canonical line (schemas/canonical_probe.schema.json), its keys in a fixed order; what is not known has no key."""
        befores = {reply.before for reply in self.replies}
        optional = {
            "benchmark": settings.benchmark or self.benchmark,
            "task_kind": self.kind,
            "options": list(self.options) if self.options else None,
            "model_name": settings.model or self.model,
            "condition": self.condition,
            "agent_id": self.agent,
        }
        record: dict[str, Any] = {"schema": SCHEMA, "question_id": self.question_id}
        record |= {key: value for key, value in optional.items() if value}
        record["correct_label"] = self.gold
        # Where a battery asked for the first answer only once, it is the battery's.
        record["initial_answer"] = befores.pop() if len(befores) == 1 else None
        record["probe_results"] = [self._reply(reply, settings) for reply in self.replies]
        if self.gold is None and self.no_key:
            record["no_key"] = self.no_key
        if self.is_coded:
            record["coder"] = {"version": coder_version, "profile": settings.profile}
        record |= {"source_format": source_format, "source_file": self.file, "source_record": self.record}
        return record if self.line is None else record | {"source_line": self.line}

    @staticmethod
    def _reply(reply: Reply, settings: Settings) -> dict[str, Any]:
        found: dict[str, Any] = {"original_answer": reply.before, "post_answer": reply.after}
        optional = {
            "strength": reply.strength, "social": reply.social, "alt_answer": reply.claim, "revised": reply.revised, "rule": reply.rule,
            "reasoning": reply.text if settings.keep_text else None,
        }  # fmt: skip
        return found | {key: value for key, value in optional.items() if value is not None}


def read(source: Source) -> Iterator[Found | Battery]:
    """Batteries of each file, their rows grouped on disk. Raises ValueError for a mapping, or a header, that is wrong."""
    mapping = read_mapping(source.settings.mapping, _KEYS, ("columns",), EXAMPLE)
    columns, place = mapping["columns"], source.settings.mapping
    if unknown := [c for c in columns if c not in _COLUMNS]:
        raise ValueError(f"{place}: columns knows no {', '.join(map(str, unknown))} (it knows {', '.join(_COLUMNS)})")
    for role, column in columns.items():
        if not isinstance(column, str):
            raise ValueError(f"{place}: columns.{role} is {shape_of(column)} (write the name of a column, in quotes)")
    if "question" not in columns or ("after" in columns) == ("after_text" in columns) or {"before", "before_text"} <= set(columns):
        raise ValueError(f"{place}: columns needs question, after or after_text, and may have before or before_text, as in\n{EXAMPLE}")
    for name, strength in mapping.get("strengths", {}).items():
        if strength not in STRENGTHS:
            raise ValueError(f"{place}: strengths.{name} is none of {', '.join(STRENGTHS)}")
    for path in source.logs():
        yield from _file(source.used(path), source, mapping)


def _rows(path: Path, source: Source, mapping: dict[str, Any]) -> Iterator[tuple[int, Any, BrokenFile | None]]:
    def check(header: list[str]) -> None:
        if missing := [c for c in mapping["columns"].values() if c not in header]:
            raise ValueError(no_columns(missing, header, f"correct the columns of {source.settings.mapping}").told(source.name(path)))

    with opened(path, source.progress) as file:
        if path.name.removesuffix(".gz").endswith(".csv"):
            yield from csv_rows(file, check)
            return
        # Columns of replies stand in the entries of a list.
        names = [mapping["replies"], mapping["columns"]["question"]] if "replies" in mapping else mapping["columns"].values()
        yield from checked_rows(json_lines(file), names, source.settings.mapping, source.name(path))


def _file(path: Path, source: Source, mapping: dict[str, Any]) -> Iterator[Found | Battery]:
    name = source.name(path)
    with Spool() as spool:
        broken: BrokenFile | None = None
        try:
            for number, (line, row, wrong) in enumerate(_rows(path, source, mapping), start=1):
                if wrong is None and isinstance(row, dict):
                    key = [str(at(row, mapping["columns"].get(role, ""))) if role in mapping["columns"] else "" for role in _OF_BATTERY]
                    # A row that holds a list of replies is a battery of its own.
                    spool.add([*key, number] if "replies" in mapping else key, {"line": line, "row": row})
                    continue
                reason, mend = (
                    (wrong.reason, wrong.mend) if wrong else (f"a row is {shape_of(row)}", "write a row as an object, column → cell")
                )
                yield Rejected(name, reason, mend, None, line)
        except BrokenFile as error:
            broken = error
        for number, (_, rows) in enumerate(spool.groups(), start=1):
            yield from attempt(name, number, rows[0]["line"], _battery, rows, number, name, path, source, mapping)
        if broken:
            yield Rejected(name, broken.reason, broken.mend, None, broken.line)


def _battery(
    rows: list[dict[str, Any]], number: int, name: str, path: Path, source: Source, mapping: dict[str, Any]
) -> Iterator[Found | Battery]:
    columns, coding = mapping["columns"], source.coding
    first = rows[0]["row"]
    cells = {role: _cell(first, columns, role, rows[0]["line"]) for role in (*_OF_BATTERY, "gold", "benchmark")}
    question = cells["question"]
    if not isinstance(question, (str, int)) or isinstance(question, bool) or not str(question).strip():
        raise Bad("a row without a question", f"every row names its question, in {columns['question']}")
    if len({_text(_cell(row["row"], columns, "gold", row["line"])) for row in rows}) > 1:
        raise Bad("rows of one battery with different keys", "look whether another column tells batteries apart, or correct the key")
    task = source.settings.benchmark or str(cells["benchmark"] or "") or stem(path)
    options = coding.options(tuple(mapping.get("options", [])) or None)
    kind = "label" if mapping.get("labels") else coding.kind(cells["gold"], task, options, "gold")
    options = options if kind == "choice" else None
    entries = [(row["line"], entry) for row in rows for entry in _entries(row, mapping)]
    replies = [r for line, entry in entries for r in _reply(line, entry, coding, kind, options, mapping)]
    found = [r for r in replies if isinstance(r, Reply)]
    yield from (r for r in replies if isinstance(r, Note))
    if not found:
        raise Bad("no reply that was given", "look whether the calls failed there, and leave the battery out")
    yield Battery(
        question_id=text_id(task, str(question)) if mapping.get("question_is_text") else str(question).strip(),
        replies=found,
        gold=coding.gold(cells["gold"], kind, options),
        kind=kind,
        file=name,
        record=number,
        line=rows[0]["line"],
        benchmark=task,
        model=_text(cells["model"]),
        condition=_text(cells["condition"]),
        agent=_text(cells["agent"]),
        options=options,
        is_coded="after_text" in columns or "before_text" in columns,
    )


def _entries(row: dict[str, Any], mapping: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies of a row; a column that an entry lacks is looked for in its row."""
    if "replies" not in mapping:
        return [row["row"]]
    entries = expect(at(row["row"], mapping["replies"]), mapping["replies"], list)
    return [row["row"] | expect(entry, f"an entry of {mapping['replies']}", dict) for entry in entries]


def _cell(row: dict[str, Any], columns: dict[str, str], role: str, line: int) -> Any:
    value = at(row, columns[role]) if role in columns else None
    return expect(value, f"line {line}: {columns.get(role)}", *KEY)


def _text(value: Any) -> str | None:
    return None if value is None or not str(value).strip() else str(value).strip()


def _reply(
    line: int, row: dict[str, Any], coding: Coding, kind: str, options: tuple[str, ...] | None, mapping: dict[str, Any]
) -> Iterator[Reply | Note]:
    columns = mapping["columns"]
    after_role = "after" if "after" in columns else "after_text"
    given = _cell(row, columns, after_role, line)
    if is_among(given, mapping.get("absent", [])):
        yield Note("replies that were not given: left out")
        return
    if after_role == "after_text" and is_failed_call(_text(given), kind):
        yield Note(FAILED)
        return
    answers, rule, labels = {}, None, mapping.get("labels", [])
    for role in ("before", "after"):
        value = _cell(row, columns, role if role in columns else f"{role}_text", line)
        if value is None or is_among(value, mapping.get("unparsed", ["", None])):
            answers[role] = None
        elif labels:
            answers[role] = only_label(str(value), labels)
            yield from label_note(value, answers[role], kind)
        elif role in columns:
            answers[role] = valid_answer(value, kind, options)
            yield from label_note(value, answers[role], kind)
        elif is_failed_call(str(value), kind):
            answers[role] = None
        else:
            answers[role], rule = coding.code(str(value), kind, options)
    strength = _text(_cell(row, columns, "strength", line))
    translated = mapping.get("strengths", {}).get(strength, strength)
    if translated is not None and translated.lower() not in STRENGTHS and not _is_number(translated):
        yield Note(f"a strength that is none of {', '.join(STRENGTHS)}: give it a name under `strengths` of the mapping")
    social = _cell(row, columns, "social", line)
    if _text(social) is not None and _is_true(social, mapping.get("social")) is None:
        yield Note("a value of social that is neither yes nor no: not known (list those that mean yes under `social` of the mapping)")
    yield Reply(
        before=answers["before"],
        after=answers["after"],
        strength=translated,
        social=_is_true(social, mapping.get("social")),
        claim=_claim(_cell(row, columns, "claim", line), kind, options, labels),
        revised=_is_true(_cell(row, columns, "revised", line), None),
        rule=rule if answers["after"] is not None else None,
        text=str(given) if after_role == "after_text" and given is not None else None,
    )


def _claim(value: Any, kind: str, options: tuple[str, ...] | None, labels: list[Any]) -> str | None:
    if labels:
        return None if value is None else only_label(str(value), labels)
    return valid_answer(value, kind, options)


_TOLD = r"\b(?:tell|telling|told|let|give|gives|show|shows|ask|asks|help|remind|allow|excuse|to|for|with|about|from|by) "


def only_label(text: str, labels: list[Any]) -> str | None:
    """The one of some words that a text says as a whole word and does not deny; None where it says none, several, or "not" before it.

    Whom something is told, asked or shown ("Tell me more", "Let me think") is no answer.
    """
    words = sorted((str(label).strip().lower() for label in labels), key=len, reverse=True)
    said = re.findall(rf"(\bnot |n't |{_TOLD})?(?<!\w)({'|'.join(map(re.escape, words))})(?!\w)", text.lower())
    found = [(before, word) for before, word in said if not re.fullmatch(_TOLD, before)]
    return found[0][1] if len({word for _, word in found}) == 1 and not any(denied for denied, _ in found) else None


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def _is_true(value: Any, values: list[Any] | None) -> bool | None:
    """Whether a cell says yes; None for one that says neither. Where the mapping lists the values that mean yes, others mean no."""
    if value is None or not str(value).strip():
        return None
    if values is not None:
        return is_among(value, values)
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None
