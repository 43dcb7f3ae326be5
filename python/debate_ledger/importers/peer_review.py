"""Message lists with review turns: one JSON array per file of {question, answer, agent_contexts}; the mode stands in the file's name.

Only answers are read as answers. A review weighs the options of others, so what it names is no answer of the reviewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Bad, Debate, Found, expect, field_of, panels, text_id
from debate_ledger.importers.du import replies
from debate_ledger.importers.records import of_documents
from debate_ledger.importers.source import Source, stem

#: Mode and the replies of an agent that are answers, by place; () means every one. The longest name first: feedback holds no other name.
MODES: dict[str, tuple[int, ...]] = {
    "peer_review": (0, 3),
    "self_correction": (0, 2),
    "feedback": (0, 3),
    "debate": (),
    "single": (0,),
}
_SHAPE = "a log is one list of {question, answer, agent_contexts: [[{role, content}]]}"


def mode_of(path: Path, given: str = "") -> str:
    """The mode of a file. Raises ValueError where neither ``given`` nor the name tells one."""
    if given:
        if given not in MODES:
            raise ValueError(f"--mode {given}: it is one of {', '.join(MODES)}")
        return given
    name = stem(path).replace("-", "_")
    # The last name counts: `debate_peer_review` is a peer review in a project about debates.
    found = [(name.rfind(mode) + len(mode), mode) for mode in MODES if mode in name]
    if not found:
        raise ValueError(f"{path.name}: no mode in the file's name: give --mode, one of {', '.join(MODES)}")
    return max(found)[1]


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    for path in source.logs():
        yield from _file(source.used(path), source, mode_of(path, source.settings.mode))


def _file(path: Path, source: Source, mode: str) -> Iterator[Found]:
    coding, places = source.coding, MODES[mode]
    # `gsm8k_debate_3.json` tells its benchmark by what stands before the mode.
    before = stem(path).replace("-", "_").rpartition(mode)[0].strip("_")
    task = source.settings.benchmark or before or stem(path)

    name = source.name(path)

    def debate(record: int, value: Any) -> Iterator[Found]:
        expect(value, "a record", dict)
        question, raw_gold = field_of(value, "question", str), value.get("answer")
        contexts = field_of(value, "agent_contexts", list)
        said = [_answers(replies(c, f"agent_contexts[{i}]"), places, mode) for i, c in enumerate(contexts)]
        present = panels(said)
        options = coding.options_of(question, raw_gold)
        kind = coding.kind(raw_gold, task, options, "answer")
        options = options if kind == "choice" else None
        yield Debate(
            question_id=text_id(task, question),
            rounds=[[coding.agent(str(i + 1), said[i][r], kind, options) for i in present[r]] for r in range(len(present))],
            gold=coding.gold(raw_gold, kind, options),
            kind=kind,
            file=name,
            record=record,
            benchmark=task,
            options=options,
            is_coded=True,
        )

    yield from of_documents(path, name, source, "[", _SHAPE, debate)


def _answers(said: dict[int, str | None], places: tuple[int, ...], mode: str) -> dict[int, str | None]:
    """An agent's answers by round. A run that broke off in the reviews has no last answer; what stands there is a review."""
    if not places:
        return said
    if said and max(said) > places[-1]:
        raise Bad(
            f"{max(said) + 1} replies of an agent, the mode {mode} has {places[-1] + 1}",
            "give the right --mode, or take out what is no reply",
        )
    return {r: said[place] for r, place in enumerate(places) if place in said}
