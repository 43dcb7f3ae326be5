"""Logs of the llm_multiagent_debate family: one object per file, keyed by the question, or a list of trials.

A value is [contexts, key, …]; contexts are lists of messages, one list per agent. A trial is such a value, or an object of one question or
of several. There are no identifiers, models or round numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import (
    MISSING,
    Aside,
    Bad,
    Debate,
    Found,
    Note,
    Rejected,
    expect,
    field_of,
    holding,
    panels,
    shape_of,
    text_id,
    text_of,
)
from debate_ledger.importers.normalise import kind_of
from debate_ledger.importers.options import options_in
from debate_ledger.importers.records import attempt
from debate_ledger.importers.source import Source, stem
from debate_ledger.importers.streaming import BrokenFile, JsonStream, opened

#: `math_agents3_rounds2`, and what ran after it.
_WORDS = re.compile(r"(?:(?P<task>.+?)_)?agents?_?(?P<agents>\d+)_rounds?_?(?P<rounds>\d+)(?P<rest>(?:_.*)?)")
#: `mmlu_3_2`: the part from the numbers of agents and rounds on.
_NUMBERS = re.compile(r"_(?P<agents>\d+)_(?P<rounds>\d+)(?P<rest>(?:_.*)?)")
#: How a prompt of a later round shows what the others said.
_OTHERS = re.compile(r"\bOne agent(?:'s)? (?:solution|response|opinion|answer)\b")
_KEYS = {
    "contexts": ("agent_contexts", "contexts", "agents"),
    "gold": ("answer", "gold", "correct_label"),
    "question": ("question", "expression"),
}
_SHAPE = "a log is one object, question → [agent contexts, key], a list of such trials, or such objects in lines"
_VALUE = "a value is [agent contexts, key], or {agent_contexts, answer, question}"


@dataclass(frozen=True)
class Named:
    """What a file's name tells: the task, the numbers of agents and of debate rounds that were planned, and what ran."""

    task: str
    agents: int | None = None
    rounds: int | None = None
    condition: str | None = None


def named(name: str, agents: int, answers: int) -> Named:
    """What a name without its ending tells, where the first debate of the file has so many agents and so many answers of each.

    A name may hold other numbers, such as trials, shots or a model's: of all pairs the one counts that is right of that debate, then one
    with its agents and more rounds, then any with its agents; else a pair at the end of the name.
    """
    found = _WORDS.fullmatch(name)
    pairs = [(found["task"] or name, found)] if found else []
    if not found:
        places = [i for i in range(1, len(name)) if name[i] == "_"]
        pairs = [(name[:i], pair) for i in places if (pair := _NUMBERS.fullmatch(name, i))]

    def fit(pair: tuple[str, re.Match[str]]) -> int:
        more = int(pair[1]["rounds"]) - answers
        same = int(pair[1]["agents"]) == agents
        return (3 if more == 0 else 2 if more > 0 else 1) if same else 0

    pairs = [p for p in pairs if found or fit(p) or not p[1]["rest"]]
    if not pairs:
        return Named(name)
    task, pair = max(pairs, key=fit)
    # The first of several further numbers is that of trials; what stands there alone tells no runs apart.
    rest = re.sub(r"^\d+(?:_(?=.*[^\d_])|$)", "", pair["rest"].strip("_"))
    return Named(task, int(pair["agents"]), max(int(pair["rounds"]) - 1, 0), rest or None)


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
    """Debates of each file, one trial in memory at a time."""
    for path in source.logs():
        yield from _File(source.used(path), source).read()


class _File:
    """A log that is being read: its records are counted, and its name is understood by its first debate."""

    def __init__(self, path: Path, source: Source) -> None:
        self.path, self.source, self.name = path, source, source.name(path)
        self.record = 0
        self.named: Named | None = None

    def read(self) -> Iterator[Found]:
        """What is found in the documents of the file; a run that was appended, and a line, is a document."""
        try:
            with opened(self.path, self.source.progress) as file:
                stream = JsonStream(file)
                while begin := stream.begins("{[", _SHAPE):
                    yield from self._object(stream) if begin == "{" else self._list(stream)
        except BrokenFile as error:
            yield Rejected(self.name, error.reason, error.mend, self.record or None, error.line)

    def _list(self, stream: JsonStream) -> Iterator[Found]:
        """Trials. One that is an object without the names of `_KEYS` holds its questions as keys."""
        for place in stream.items():
            stream.peek()
            line = stream.line
            value = stream.value()
            if stream.repeated is not None:
                yield self._repeated(stream.repeated, line)
            elif value == {}:
                yield Aside(self.name, "a trial without a question")
            elif isinstance(value, dict) and not _is_record(value):
                for question, one in value.items():
                    yield from self._found(line, question, one, place)
            else:
                yield from self._found(line, None, value)

    def _object(self, stream: JsonStream) -> Iterator[Found]:
        """Questions with their values, or the fields of one record, which may have others that are no value of a question."""
        before = self.record
        fields: dict[str, Any] = {}
        others: list[tuple[int, int, str, Any]] = []
        begins = stream.line
        for key in stream.members():
            stream.peek()
            line = stream.line
            value = stream.value()
            if stream.repeated is not None:
                yield self._repeated(stream.repeated, line)
            elif _is_record({key: value}) or fields:
                fields[key] = value
            elif isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], list)):
                yield from self._found(line, key, value)
            else:
                self.record += 1
                others.append((self.record, line, key, value))
        if fields and self.record == before + len(others):
            self.record = before
            yield from self._found(begins, None, {key: value for *_, key, value in others} | fields)
            return
        for record, line, key, value in [*others, *((self.record, begins, k, v) for k, v in fields.items())]:
            yield from attempt(self.name, record, line, self._debate, record, key, value, None)

    def _repeated(self, key: str, line: int) -> Rejected:
        self.record += 1
        return Rejected(self.name, f"the key {key!r} stands twice in one object", "keep one of the two", self.record, line)

    def _found(self, line: int, question: str | None, value: Any, trial: int | None = None) -> list[Found]:
        self.record += 1
        return attempt(self.name, self.record, line, self._debate, self.record, question, value, trial)

    def _debate(self, record: int, question: str | None, value: Any, trial: int | None) -> Iterator[Found]:
        if isinstance(value, dict):
            places = {role: next((k for k in keys if k in value), keys[0]) for role, keys in _KEYS.items()}
            contexts, raw_gold = value.get(places["contexts"], MISSING), value.get(places["gold"])
            question = question or field_of(value, places["question"], str, type(None))
        elif isinstance(value, list) and len(value) > 1 and all(map(_is_conversation, value)):
            # Without a key the agents stand where it would be.
            places = {"contexts": "the value", "gold": "the key"}
            contexts, raw_gold = value, None
        elif isinstance(value, list) and value:
            places = {"contexts": "the first entry of the value", "gold": "its second entry, the key,"}
            contexts, raw_gold = value[0], value[1] if len(value) > 1 else None
        else:
            raise Bad(f"a value that is {'an empty list' if value == [] else shape_of(value)}", _VALUE)
        if not expect(contexts, places["contexts"], list):
            raise Bad("no agents: the list of agents is empty", _VALUE)
        contexts = _conversations(contexts)
        if all(_OTHERS.search(_first_prompt(c) or "") for c in contexts if _is_conversation(c)) and any(map(_is_conversation, contexts)):
            raise Bad(
                "the first prompt of every agent shows answers of others: its own first answer is not kept",
                "a debate begins with independent answers: leave out what a run kept of its last round alone",
            )
        said = [replies(c, f"agent {n}: messages") for n, c in enumerate(contexts, start=1)]
        present = panels(said)
        if self.named is None:
            self.named = named(stem(self.path), len(contexts), len(present))
        tells = self.named
        task = self.source.settings.benchmark or tells.task
        if not question:
            # The prompt of the first round, where all agents were asked the same, is the question.
            firsts = {_first_prompt(c) for c in contexts}
            question = firsts.pop() if len(firsts) == 1 else None
        with holding(len(present) - 1):
            yield from self._panel(record, question, raw_gold, places["gold"], trial, said, present, tells, task, len(contexts))

    def _panel(
        self, record: int, question: str | None, raw_gold: Any, gold_place: str, trial: int | None, said: list[dict[int, str | None]],
        present: list[list[int]], tells: Named, task: str, n_agents: int,
    ) -> Iterator[Found]:  # fmt: skip
        coding = self.source.coding
        no_key = ""
        if self.source.settings.kind in ("auto", "choice") and _is_place(raw_gold, question, task):
            yield Note("a number as key where letters are asked for: not read, since it may count from 0 or from 1 (write the letter)")
            raw_gold, no_key = None, "unread"
        options = coding.options_of(question, raw_gold)
        kind = "choice" if no_key else coding.kind(raw_gold, task, options, gold_place)
        options = options if kind == "choice" else None
        held = len(present) - 1
        if tells.rounds is not None and tells.rounds < held:
            yield Note(f"debates of more rounds than the {tells.rounds} that the name of their file tells: its rounds are left out")
        elif tells.rounds is not None and tells.rounds > held:
            yield Note(f"debates of fewer rounds than the {tells.rounds} that the name of their file tells")
        elif not held:
            yield Note("one answer per agent: a panel of independent answers, no debate")
        yield Debate(
            question_id=text_id(task, str(question)) if question else f"{task}_record_{record}",
            debate_id=trial,
            rounds=[[coding.agent(str(i + 1), said[i][r], kind, options) for i in present[r]] for r in range(len(present))],
            gold=coding.gold(raw_gold, kind, options),
            kind=kind,
            file=self.name,
            record=record,
            benchmark=task,
            options=options,
            n_rounds=tells.rounds if tells.rounds is not None and tells.rounds >= held else None,
            n_agents=max(tells.agents or 0, n_agents),
            mode=_mode(max(tells.agents or 0, n_agents), tells.rounds, held),
            condition=tells.condition,
            no_key=no_key,
            is_coded=True,
        )


def _mode(agents: int, planned: int | None, held: int) -> str | None:
    """How a panel worked; None where only its rounds would tell it, which would part debates that broke off from the others."""
    if agents == 1:
        return "single_agent"
    return None if planned is None else "debate" if planned or held else "panel"


def _is_record(value: dict[str, Any]) -> bool:
    """Whether an object has fields of a record, rather than questions as keys: a question's value is a list that begins with a list."""
    return any(
        name in value and (role != "gold" or not isinstance(value[name], (list, dict))) for role, names in _KEYS.items() for name in names
    )


def _is_conversation(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(m, dict) and "role" in m for m in value)


def _conversations(contexts: list[Any]) -> list[Any]:
    """The messages of each agent; where an agent has one text or one message alone, that is its answer."""
    if all(isinstance(c, str) for c in contexts):
        return [[{"role": "assistant", "content": c}] for c in contexts]
    if all(isinstance(c, dict) for c in contexts):
        # A conversation that stands where the list of agents should is that of one agent.
        is_one = any(c.get("role") == "user" for c in contexts)
        return [contexts] if is_one else [[{"role": "assistant", **c}] for c in contexts]
    return contexts


def _is_place(gold: object, question: str | None, task: str) -> bool:
    """Whether a key is a number where the question lists options, or its benchmark has them."""
    is_number = not isinstance(gold, bool) and isinstance(gold, (int, str)) and re.fullmatch(r"\s*\d{1,2}\s*", str(gold)) is not None
    of_name = kind_of(None, task)
    return is_number and (of_name == "choice" or (of_name != "number" and options_in(question) is not None))


def _first_prompt(context: list[dict[str, Any]]) -> str | None:
    return next((text_of(m.get("content")) for m in context if m["role"] == "user"), None)
