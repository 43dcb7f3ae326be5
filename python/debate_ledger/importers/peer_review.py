"""Message lists with review turns: one JSON array per file of {question, answer, agent_contexts}; the mode stands in the file's name.

Only answers are read as answers. A review weighs the options of others, so what it names is no answer of the reviewer. A run may go
through its reviews several times, and every agent reviews each of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Bad, Debate, Found, expect, field_of, holding, panels, text_id
from debate_ledger.importers.du import replies
from debate_ledger.importers.records import as_one, of_documents
from debate_ledger.importers.source import Source, stem

#: Mode and how many replies of an agent lead from one answer to the next, the last of them the answer; None where it answers once.
#: Between two answers of feedback and of a peer review an agent says one thing about each of the others: see `_period`.
MODES: dict[str, int | None] = {
    "peer_review": 3,
    "self_correction": 2,
    "feedback": 3,
    "debate": 1,
    "single_agent": None,
}
#: Short names of modes, for files and the command line.
_SHORT = {"single": "single_agent"}
_SHAPE = "a log is one list of {question, answer, agent_contexts: [[{role, content}]]}"


def mode_of(path: Path, given: str = "") -> str:
    """The mode of a file. Raises ValueError where neither ``given`` nor the name tells one."""
    if given:
        given = _SHORT.get(given, given)
        if given not in MODES:
            raise ValueError(f"--mode {given}: it is one of {', '.join(MODES)}")
        return given
    if not (found := _named(path)):
        raise ValueError(f"{path.name}: no mode in the file's name: give --mode, one of {', '.join(MODES)}")
    return found[0]


def _named(path: Path) -> tuple[str, str] | None:
    """(mode, what stands before it) in the name of a file: `gsm8k_debate_3.json` tells its benchmark before the mode."""
    name = stem(path).replace("-", "_")
    # The last name counts: `debate_peer_review` is a peer review in a project about debates; and the longest of those that end there.
    found = [(name.rfind(mode) + len(mode), len(mode), mode) for mode in (*MODES, *_SHORT) if mode in name]
    if not found:
        return None
    mode = max(found)[2]
    return _SHORT.get(mode, mode), name.rpartition(mode)[0].strip("_")


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one question in memory at a time."""
    for path in source.logs():
        yield from as_one(_file(source.used(path), source, mode_of(path, source.settings.mode)))


def _file(path: Path, source: Source, mode: str) -> Iterator[Found]:
    coding, name, named = source.coding, source.name(path), _named(path)
    task = source.settings.benchmark or (named[1] if named else "") or stem(path)

    def debate(record: int, value: Any) -> Iterator[Found]:
        expect(value, "a record", dict)
        question, raw_gold = field_of(value, "question", str), value.get("answer")
        contexts = field_of(value, "agent_contexts", list)
        all_said = [replies(c, f"agent_contexts[{i}]") for i, c in enumerate(contexts)]
        period = _period(mode, all_said)
        said = [_answers(own, period, mode) for own in all_said]
        present = panels(said)
        with holding(len(present) - 1):
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
                mode=mode,
                task=task,
                n_agents=len(contexts),
                is_coded=True,
            )

    yield from of_documents(path, name, source, "[", _SHAPE, debate)


def _period(mode: str, said: list[dict[int, str | None]]) -> int | None:
    """How many replies lead from one answer of an agent to the next, where it reviews each of the others: as many as there are agents."""
    period = MODES[mode]
    if mode not in ("feedback", "peer_review"):
        return period
    last = max((max(own) for own in said if own), default=0)
    # A log of two agents, or of one, may be a part of one of three.
    return len(said) if len(said) > 2 or (len(said) == 2 and last and last % 2 == 0) else period


def _answers(said: dict[int, str | None], period: int | None, mode: str) -> dict[int, str | None]:
    """An agent's answers by round. A run that broke off in its first reviews has no last answer; what stands there is a review."""
    last = max(said, default=0)
    whole = 0 if period is None else period
    if last > whole and (period is None or last % period):
        raise Bad(
            f"{last + 1} replies of an agent, the mode {mode} has {whole + 1}",
            "give the right --mode, or take out what is no reply",
        )
    return {place // (period or 1): reply for place, reply in said.items() if not place % (period or 1)}
