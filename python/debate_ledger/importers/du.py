"""Logs of the llm_multiagent_debate family: one object per file, keyed by the question, or a list of trials.

A value is [contexts, key, …]; contexts are lists of messages, one list per agent. There are no identifiers, models or round numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import MISSING, Bad, Debate, Found, Note, expect, field_of, panels, shape_of, text_id, text_of
from debate_ledger.importers.records import of_documents
from debate_ledger.importers.source import Source, stem

_NAME = re.compile(r"(?P<task>.+)_(?P<agents>\d+)_(?P<rounds>\d+)")
_KEYS = {
    "contexts": ("agent_contexts", "contexts", "agents"),
    "gold": ("answer", "gold", "correct_label"),
    "question": ("question", "expression"),
}
_SHAPE = "a log is one object, question → [agent contexts, key], or a list of such trials"
_VALUE = "a value is [agent contexts, key], or {agent_contexts, answer, question}"


def replies(context: object, place: str) -> dict[int, str | None]:
    """What an agent said, by round: the number of the prompt that it answers, from 0. A prompt without a reply (a failed call) has none.

    A list without any prompt is taken as the replies in their order. ``place`` says where the agent stands in its record. Raises Bad for
    what is no list of messages, and for two replies to one prompt.
    """
    expect(context, place, list)
    said = []
    for number, message in enumerate(context):  # type: ignore[arg-type, var-annotated]
        if type(message) is not dict or type(message.get("role")) is not str:
            field_of(expect(message, f"{place}[{number}]", dict), "role", str, within=f"{place}[{number}].")
        if message["role"] in ("user", "assistant"):
            content = message.get("content")
            said.append((message["role"], content if type(content) is str else text_of(content, f"{place}[{number}].content")))
    if all(role == "assistant" for role, _ in said):
        return {i: text for i, (_, text) in enumerate(said)}
    found: dict[int, str | None] = {}
    prompts = 0
    for role, text in said:
        if role == "user":
            prompts += 1
            continue
        if prompts == 0 or prompts - 1 in found:
            what = "a reply before the first prompt" if prompts == 0 else f"two replies to prompt {prompts} of one agent"
            raise Bad(what, "one reply per prompt and round: take out what is no answer")
        found[prompts - 1] = text
    return found


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    for path in source.logs():
        yield from _file(source.used(path), source)


def _file(path: Path, source: Source) -> Iterator[Found]:
    named = _NAME.fullmatch(stem(path))
    task = source.settings.benchmark or (named["task"] if named else stem(path))
    planned = max(int(named["rounds"]) - 1, 0) if named else None
    name = source.name(path)

    def debate(record: int, value: Any) -> Iterator[Found]:
        # An item of a list has no key; what an object holds comes with its own.
        question, value = value if isinstance(value, tuple) else (None, value)
        found = _debate(name, record, question, value, task=task, planned=planned, source=source)
        if planned is not None and planned < len(found.rounds) - 1:
            yield Note(f"debates of more rounds than the {planned} that the name of their file tells: its rounds are left out")
            found.n_rounds = None
        yield found

    yield from of_documents(path, name, source, "{[", _SHAPE, debate)


def _debate(name: str, record: int, question: str | None, value: Any, task: str, planned: int | None, source: Source) -> Debate:
    coding = source.coding
    if isinstance(value, dict) and len(value) == 1 and question is None:
        # A list of objects with one question each.
        ((question, value),) = value.items()
    if isinstance(value, dict):
        places = {role: next((k for k in keys if k in value), keys[0]) for role, keys in _KEYS.items()}
        contexts, raw_gold = value.get(places["contexts"], MISSING), value.get(places["gold"])
        question = question or field_of(value, places["question"], str, type(None))
    elif isinstance(value, list) and value:
        places = {"contexts": "the first entry of the value", "gold": "its second entry, the key,"}
        contexts, raw_gold = value[0], value[1] if len(value) > 1 else None
    else:
        raise Bad(f"a value that is {'an empty list' if value == [] else shape_of(value)}", _VALUE)
    if not expect(contexts, places["contexts"], list):
        raise Bad("no agents: the list of agents is empty", _VALUE)
    said = [replies(c, f"agent {n}: messages") for n, c in enumerate(contexts, start=1)]
    present = panels(said)
    if not question:
        # The prompt of the first round, where all agents were asked the same, is the question.
        firsts = {_first_prompt(c) for c in contexts}
        question = firsts.pop() if len(firsts) == 1 else None
    options = coding.options_of(question, raw_gold)
    kind = coding.kind(raw_gold, task, options, places["gold"])
    options = options if kind == "choice" else None
    rounds = [[coding.agent(str(i + 1), said[i][r], kind, options) for i in present[r]] for r in range(len(present))]
    return Debate(
        question_id=text_id(task, str(question)) if question else f"{task}_record_{record}",
        rounds=rounds,
        gold=coding.gold(raw_gold, kind, options),
        kind=kind,
        file=name,
        record=record,
        benchmark=task,
        options=options,
        n_rounds=planned,
        is_coded=True,
    )


def _first_prompt(context: list[dict[str, Any]]) -> str | None:
    return next((text_of(m.get("content")) for m in context if m["role"] == "user"), None)
