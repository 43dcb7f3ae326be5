"""Canonical files checked: against the schema, and against what a schema cannot say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from debate_ledger.importers.agents import Tally
from debate_ledger.importers.normalise import normalise_answer
from debate_ledger.importers.probes import SCHEMA as PROBE_SCHEMA
from debate_ledger.importers.source import fault_of, identity
from debate_ledger.importers.streaming import BrokenFile, Spool, json_lines, opened


@dataclass(frozen=True)
class Problem:
    """Something wrong on a line, and the mend."""

    file: str
    line: int | None
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.file}{'' if self.line is None else f':{self.line}'}: {self.what} ({self.mend})"


@dataclass(frozen=True)
class Remark:
    """Something to know about a file in which nothing need be wrong."""

    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


@cache
def validator(kind: str = "debate") -> Draft202012Validator:
    """The checker of schemas/canonical_<kind>.schema.json; a kind is debate or probe."""
    text = (files("debate_ledger") / "schemas" / f"canonical_{kind}.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def problems(record: Any) -> Iterator[tuple[str, str]]:
    """(what is wrong, mend) of one line, in the order of its keys."""
    is_battery = isinstance(record, dict) and record.get("schema") == PROBE_SCHEMA
    errors = sorted(
        validator("probe" if is_battery else "debate").iter_errors(record), key=lambda e: ([str(p) for p in e.absolute_path], e.message)
    )
    told: dict[tuple[str, str], None] = {}
    for error in errors:
        place = ".".join(str(p) for p in error.absolute_path) or "the line"
        # A message may hold the value, and that a text of the log. The checker has one error per missing key, and here each names all.
        for what in _told(error):
            told.setdefault((f"{place}: {what}", "docs/import.md has the keys and their types"))
    yield from told
    if errors:
        return
    if "no_key" in record and record["correct_label"] is not None:
        yield "no_key stands beside a key", "take it away, or the key"
    if record["question_id"] != record["question_id"].strip():
        yield "question_id has white space around it", "take it away: it would be another question"
    if is_battery:
        replies = list(enumerate(record["probe_results"], start=1))
        labels = [("initial_answer", record["initial_answer"])]
        labels += [(f"reply {n}, {key}", r.get(key)) for n, r in replies for key in ("original_answer", "post_answer", "alt_answer")]
        yield from _label_problems(record, labels)
        return
    rounds = [record["initial_states"], *record["round_traces"]]
    for number, panel in enumerate(rounds):
        ids = [a["agent_id"] for a in panel]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            yield f"round {number}: agents that stand twice: {', '.join(twice)}", "every agent once per round"
        odd = sorted({a["round_num"] for a in panel if a.get("round_num", number) != number})
        if odd:
            yield f"round {number}: round_num says {', '.join(map(str, odd))}", "rounds stand in their order, 0 is initial_states"
        if number == 0 and any(a.get("carried") for a in panel):
            yield "round 0: an answer is carried", "nothing comes before the independent answers"
    if rounds and not rounds[-1] and len(rounds) > 1:
        yield f"round {len(rounds) - 1}: nobody was asked in the last round", "leave out rounds that were not held"
    if "n_rounds" in record and record["n_rounds"] < len(rounds) - 1:
        yield (
            f"n_rounds is {record['n_rounds']}, {len(rounds) - 1} rounds were held",
            "n_rounds is the number of debate rounds, without round 0",
        )
    answers = [(f"round {r}, agent {a['agent_id']}", a["answer"]) for r, panel in enumerate(rounds) for a in panel]
    yield from _label_problems(record, answers)


def _label_problems(record: dict[str, Any], answers: list[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    kind, options = record["task_kind"], record.get("options")
    for place, label in [("correct_label", record["correct_label"]), *answers]:
        if label is None:
            continue
        if normalise_answer(label, kind) != label:
            yield f"{place}: a label that is not written as {kind} labels are", "one spelling per answer: docs/import.md, labels"
        elif options and kind == "choice" and label not in options:
            yield f"{place}: a label that is none of the options", "null where no option was named"


def _told(error: Any) -> list[str]:
    """What an error of the schema says, in words and without the value."""
    rule, wanted = error.validator, error.validator_value
    if rule == "required":
        return [f"{key} missing" for key in wanted if key not in error.instance]
    if rule == "additionalProperties":
        return [f"{key[:40]} is no key of it" for key in error.instance if key not in error.schema["properties"]]
    if rule == "type":
        return [f"is no {wanted if isinstance(wanted, str) else ' or '.join(wanted)}"]
    if rule in ("enum", "const"):
        return [f"is none of {', '.join(map(str, wanted))}" if isinstance(wanted, list) else f"is not {wanted}"]
    if rule in ("minLength", "minItems"):
        return ["is empty"]
    if rule == "pattern":
        return ["is blank" if wanted == "\\S" else "is no capital letter"]
    if rule == "minimum":
        return [f"is less than {wanted}"]
    if rule == "uniqueItems":
        return ["holds a value twice"]
    return [f"breaks the rule {rule} {wanted}"]


def validate_files(paths: list[Path]) -> Iterator[Problem | Remark | int]:
    """Every problem in the files, and remarks; at the end of each file the number of its lines. Files are named as they were given."""
    seen: dict[tuple[int, int], Path] = {}
    with Spool() as spool:
        for path in paths:
            n, name, broken, agents = 0, str(path), False, Tally()
            try:
                if fault := fault_of(path):
                    raise fault
                (file_id,) = identity([path])
                if file_id in seen:
                    yield Problem(name, None, f"the same file as {seen[file_id]}, which was checked", "name every file once")
                    continue
                seen[file_id] = path
                with opened(path) as file:
                    for n, record, wrong in json_lines(file):
                        if wrong:
                            yield Problem(name, n, wrong.reason, wrong.mend)
                            continue
                        wrongs = [Problem(name, n, what, mend) for what, mend in problems(record)]
                        yield from wrongs
                        if not wrongs and "initial_states" in record:
                            panels = [record["initial_states"], *record["round_traces"]]
                            agents.add([[a["agent_id"] for a in p] for p in panels], record.get("n_agents"), record.get("agents", ()))
                        yield from _across(record, name, n, spool)
            except BrokenFile as error:
                broken = True
                yield Problem(name, error.line, error.reason, error.mend)
            if n == 0 and not broken:
                yield Problem(name, None, "no line", "give one debate per line")
            yield from (Remark(name, what) for what in agents.told())
            yield n


def _across(record: Any, name: str, line: int, spool: Spool) -> Iterator[Problem]:
    """What two lines say of one question, and a record that was imported twice."""
    if not isinstance(record, dict) or not isinstance(record.get("question_id"), str):
        return
    if all(k in record for k in ("source_format", "source_file", "source_record")):
        key = json.dumps(["source", *(record[k] for k in ("source_format", "source_file", "source_record")), record.get("debate_id")])
        if spool.has_seen(key):
            yield Problem(name, line, "the same record of the same source stands on an earlier line", "import every log once")
        spool.see(key)
    if record.get("correct_label") is not None:
        question = [record.get("benchmark"), record["question_id"]]
        known = spool.value(json.dumps(["gold", *question]), json.dumps(record["correct_label"]))
        if known != json.dumps(record["correct_label"]):
            yield Problem(
                name, line, "another key for the same question on an earlier line", "one key per question, or another question_id"
            )
