"""Agora: one JSON array of {question, answer, agent_response: {agent: [text per round]}}; the agents are different models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Bad, Debate, Found, Note, expect, field_of, holding, panels, text_id
from debate_ledger.importers.echoes import own_part
from debate_ledger.importers.records import as_one, of_documents
from debate_ledger.importers.source import Source, stem

_SHAPE = "a log is one list of {question, answer, agent_response: {agent: [text per round]}}"


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    for path in source.logs():
        yield from as_one(_file(source.used(path), source))


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
        agents = list(said)
        present = panels([said[a] for a in agents])
        own = {a: {r: own_part(t, question) for r, t in said[a].items()} for a in agents}
        for agent in agents:
            for r, text in said[agent].items():
                if own[agent][r] is None and text.strip():
                    yield Note("replies that only repeat the prompt: unparsed")
                elif own[agent][r] != text and text.strip():
                    yield Note("replies that repeat the prompt: only what stands after it is read")
        with holding(len(present) - 1):
            options = coding.options_of(question, raw_gold)
            kind = coding.kind(raw_gold, task, options, "answer")
            options = options if kind == "choice" else None
            yield Debate(
                question_id=text_id(task, question),
                # What is kept of a reply is what was read, so that whoever reads it again reads over the same.
                rounds=[
                    [coding.agent(a, own[a][r], kind, options, model=a) for a in (agents[i] for i in p)] for r, p in enumerate(present)
                ],
                gold=coding.gold(raw_gold, kind, options),
                kind=kind,
                file=name,
                record=record,
                benchmark=task,
                task=task,
                n_agents=len(agents),
                options=options,
                is_coded=True,
            )

    yield from of_documents(path, name, source, "[", _SHAPE, debate)
