"""Logs of the llm_multiagent_debate family: one object per file, keyed by the question, or a list of trials.

A value is [contexts, key, …]; contexts are lists of messages, one list per agent. There are no identifiers, models or round numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Bad, Debate, Found, Rejected, Source, each, panels, stem, text_id, text_of
from debate_ledger.importers.streaming import BrokenFile, JsonStream, opened

_NAME = re.compile(r"(?P<task>.+)_(?P<agents>\d+)_(?P<rounds>\d+)")
_KEYS = {
    "contexts": ("agent_contexts", "contexts", "agents"),
    "gold": ("answer", "gold", "correct_label"),
    "question": ("question", "expression"),
}


def replies(context: object) -> dict[int, str | None]:
    """What an agent said, by round: the number of the prompt that it answers, from 0. A prompt without a reply (a failed call) has none.

    A list without any prompt is taken as the replies in their order. Raises Bad for what is no list of messages, and for two
    replies to one prompt.
    """
    if not isinstance(context, list) or not all(isinstance(m, dict) and "role" in m for m in context):
        raise Bad("an agent is no list of messages with role and content", "give [{role, content}, …] per agent")
    said = [m for m in context if m["role"] in ("user", "assistant")]
    if all(m["role"] == "assistant" for m in said):
        return {i: text_of(m.get("content")) for i, m in enumerate(said)}
    found: dict[int, str | None] = {}
    prompts = 0
    for message in said:
        if message["role"] == "user":
            prompts += 1
            continue
        if prompts == 0 or prompts - 1 in found:
            what = "a reply before the first prompt" if prompts == 0 else f"two replies to prompt {prompts} of one agent"
            raise Bad(what, "one reply per prompt and round: take out what is no answer")
        found[prompts - 1] = text_of(message.get("content"))
    return found


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    for path in source.paths:
        yield from _file(source.used(path), source)


def _file(path: Path, source: Source) -> Iterator[Found]:
    named = _NAME.fullmatch(stem(path))
    task = source.settings.benchmark or (named["task"] if named else stem(path))
    planned = max(int(named["rounds"]) - 1, 0) if named else None
    done = 0

    def records(stream: JsonStream) -> Iterator[tuple[int, int | None, Any]]:
        nonlocal done
        # A run that was appended to the file makes a second document.
        while start := stream.peek():
            if start == "{":
                for key in stream.members():
                    done, line = done + 1, stream.line
                    yield done, line, (key, stream.value())
            else:
                for _ in stream.items():
                    stream.peek()
                    done, line = done + 1, stream.line
                    yield done, line, (None, stream.value())

    def debate(record: int, value: tuple[str | None, Any]) -> Iterator[Found]:
        yield _debate(path, record, *value, task=task, planned=planned, source=source)

    try:
        with opened(path, source.progress) as file:
            yield from each(source.name(path), records(JsonStream(file)), debate)
    except BrokenFile as error:
        yield Rejected(source.name(path), error.reason, error.mend, done or None, error.line)


def _debate(path: Path, record: int, question: str | None, value: Any, task: str, planned: int | None, source: Source) -> Debate:
    coding = source.coding
    if isinstance(value, dict) and len(value) == 1 and question is None:
        # A list of objects with one question each.
        ((question, value),) = value.items()
    if isinstance(value, dict):
        found = {name: next((value[k] for k in keys if k in value), None) for name, keys in _KEYS.items()}
        contexts, raw_gold, question = found["contexts"], found["gold"], question or found["question"]
    elif isinstance(value, list) and len(value) >= 2:
        contexts, raw_gold = value[0], value[1]
    elif isinstance(value, list) and len(value) == 1:
        contexts, raw_gold = value[0], None
    else:
        contexts, raw_gold = None, None
    if not isinstance(contexts, list) or not contexts:
        raise Bad("no agents: a value is [agent contexts, key]", "give a list of agents, each a list of messages, and the key")
    said = [replies(c) for c in contexts]
    present = panels(said)
    if not question:
        # The prompt of the first round, where all agents were asked the same, is the question.
        firsts = {_first_prompt(c) for c in contexts}
        question = firsts.pop() if len(firsts) == 1 else None
    options = coding.options_of(question, raw_gold)
    kind = coding.kind(raw_gold, task, options)
    options = options if kind == "choice" else None
    rounds = [[coding.agent(str(i + 1), said[i][r], kind, options) for i in present[r]] for r in range(len(present))]
    return Debate(
        question_id=text_id(task, str(question)) if question else f"{task}_record_{record}",
        rounds=rounds,
        gold=coding.gold(raw_gold, kind, options),
        kind=kind,
        file=source.name(path),
        record=record,
        benchmark=task,
        options=options,
        n_rounds=planned,
        is_coded=True,
    )


def _first_prompt(context: list[dict[str, Any]]) -> str | None:
    return next((text_of(m.get("content")) for m in context if m["role"] == "user"), None)
