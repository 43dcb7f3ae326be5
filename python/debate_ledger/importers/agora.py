"""Agora: one JSON array of {question, answer, agent_response: {agent: [text per round]}}; the agents are different models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from debate_ledger.importers.debate import Agent, Bad, Coding, Debate, Found, Source, panels, stem, text_id
from debate_ledger.importers.peer_review import array

#: A question this short may stand in an honest reply; a longer one that stands there word by word is the prompt come back.
MIN_ECHO = 20


def is_echo(text: str, question: str) -> bool:
    """Does a reply repeat the prompt? All options stand in it then, and a label found there is nobody's answer."""
    said, asked = (" ".join(t.split()).casefold() for t in (text, question))
    return said == asked or (len(asked) >= MIN_ECHO and asked in said)


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    coding = source.coding
    for path in source.paths:
        task, name = source.settings.benchmark or stem(path), source.name(source.used(path))

        def debate(record: int, value: Any, task: str = task, name: str = name) -> Debate:
            if (
                not isinstance(value, dict)
                or not isinstance(value.get("question"), str)
                or not isinstance(value.get("agent_response"), dict)
            ):
                raise Bad("no object with question and agent_response", "a record is {question, answer, agent_response: {agent: [texts]}}")
            said = value["agent_response"]
            if not all(isinstance(t, list) and all(x is None or isinstance(x, str) for x in t) for t in said.values()):
                raise Bad("an agent without a list of texts", "give a list of texts, one per round; null where an agent was not asked")
            raw_gold, question = value.get("answer"), value["question"]
            options = coding.options_of(question, raw_gold)
            kind = coding.kind(raw_gold, task, options)
            options = options if kind == "choice" else None
            agents = list(said)
            present = panels([{r: t for r, t in enumerate(said[a]) if t is not None} for a in agents])
            return Debate(
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

        yield from array(path, source, debate)


def _agent(coding: Coding, name: str, text: str, question: str, kind: str, options: tuple[str, ...] | None) -> Agent:
    if is_echo(text, question):
        return Agent(name, None, None, text, name)
    return coding.agent(name, text, kind, options, model=name)
