"""Agora: one JSON array of {question, answer, agent_response: {agent: [text per round]}}; the agents are different models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Coding, Debate, Found, Note, expect, field_of, panels, text_id
from debate_ledger.importers.records import of_documents
from debate_ledger.importers.source import Source, stem

#: A question this short may stand in an honest reply; a longer one that stands there word by word is the prompt come back.
MIN_ECHO = 20
_SHAPE = "a log is one list of {question, answer, agent_response: {agent: [text per round]}}"


def is_echo(text: str, question: str) -> bool:
    """Does a reply repeat the prompt? All options stand in it then, and a label found there is nobody's answer."""
    said, asked = (" ".join(t.split()).casefold() for t in (text, question))
    return said == asked or (len(asked) >= MIN_ECHO and asked in said)


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    for path in source.logs():
        yield from _file(source.used(path), source)


def _file(path: Path, source: Source) -> Iterator[Found]:
    coding, task, name = source.coding, source.settings.benchmark or stem(path), source.name(path)

    def debate(record: int, value: Any) -> Iterator[Found]:
        expect(value, "a record", dict)
        question, raw_gold = field_of(value, "question", str), value.get("answer")
        said: dict[str, dict[int, str]] = {}
        for agent, texts in field_of(value, "agent_response", dict).items():
            place = f"the reply of agent {len(said) + 1}"
            if not agent.strip():
                raise Bad("an agent without a name in agent_response", "name every agent")
            expect(texts, f"{place} in agent_response", list)
            said[agent] = {r: t for r, t in enumerate(texts) if expect(t, f"{place} in round {r}", str, type(None)) is not None}
        options = coding.options_of(question, raw_gold)
        kind = coding.kind(raw_gold, task, options, "answer")
        options = options if kind == "choice" else None
        agents = list(said)
        for agent in agents:
            yield from (Note("replies that repeat the whole prompt: unparsed") for t in said[agent].values() if is_echo(t, question))
        present = panels([said[a] for a in agents])
        yield Debate(
            question_id=text_id(task, question),
            rounds=[[_agent(coding, agents[i], said[agents[i]][r], question, kind, options) for i in p] for r, p in enumerate(present)],
            gold=coding.gold(raw_gold, kind, options),
            kind=kind,
            file=name,
            record=record,
            benchmark=task,
            options=options,
            is_coded=True,
        )

    yield from of_documents(path, name, source, "[", _SHAPE, debate)


def _agent(coding: Coding, name: str, text: str, question: str, kind: str, options: tuple[str, ...] | None) -> Agent:
    if is_echo(text, question):
        return Agent(name, None, None, text, name)
    return coding.agent(name, text, kind, options, model=name)
