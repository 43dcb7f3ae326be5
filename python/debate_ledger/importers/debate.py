"""What a reader of a format finds (a debate, a reason for none, a row that is no debate of its own), and the canonical line of a debate."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from debate_ledger.coder import PROFILES, code_answer
from debate_ledger.console import WrongCall
from debate_ledger.importers.failed_calls import is_error_message, is_failed_call
from debate_ledger.importers.normalise import KINDS, kind_of, normalise_answer
from debate_ledger.importers.options import Options, is_no_key, letter_of_key, options_in
from debate_ledger.importers.words import short_label

SCHEMA = "debate-ledger/1"
#: No debate is longer; a round number beyond is a slip (a time, an identifier), and would fill the memory with empty rounds.
MAX_ROUNDS = 1000
#: The profile that reads every kind of answer; the others know choices and labels only.
ALL_KINDS = "robust"
#: Types of a key.
KEY = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Settings:
    """How logs are read; every field stands in the receipt."""

    profile: str = "robust"
    kind: str = "auto"
    options: tuple[str, ...] = ()
    benchmark: str = ""
    model: str = ""
    mode: str = ""
    mapping: Path | None = None
    gold: Path | None = None
    scorer: str = ""
    filter: str = ""
    rounds: int | None = None
    first_round: int | None = None
    keep_text: bool = False
    agents_by_position: bool = False

    def __post_init__(self) -> None:
        if self.kind != "auto" and self.kind not in KINDS:
            raise WrongCall(f"--kind {self.kind}: it is auto, {', '.join(KINDS)}")
        if self.profile not in PROFILES:
            raise WrongCall(f"--profile {self.profile}: it is one of {', '.join(PROFILES)}")
        if self.kind in ("number", "yes_no") and self.profile != ALL_KINDS:
            raise WrongCall(
                f"--kind {self.kind} --profile {self.profile}: only the profile {ALL_KINDS} reads numbers and yes/no: take that"
            )
        if self.rounds is not None and not 0 <= self.rounds <= MAX_ROUNDS:
            raise WrongCall(f"--rounds {self.rounds}: a number of debate rounds, from 0 to {MAX_ROUNDS}")
        if self.first_round not in (None, 0, 1):
            raise WrongCall(f"--first-round {self.first_round}: what the log calls the independent answers, 0 or 1")


@dataclass
class Agent:
    """One agent in one round. ``answer`` None: asked, and no answer was found. ``text`` is what it said, if the log has it."""

    agent_id: str
    answer: str | None
    rule: str | None = None
    text: str | None = None
    model: str | None = None
    carried: bool = False
    #: The text is the message of a failed call: the agent leaves the round before the debate is written (`failed_calls`).
    is_failed: bool = False


@dataclass(frozen=True)
class UnreadKey:
    """A key that stands in the log and is no answer as read: the reason and the mend. Its debate comes in without a key."""

    reason: str
    mend: str
    #: False where what stands there says that there is no key, so that none is lost.
    is_lost: bool = True

    def __str__(self) -> str:
        return f"{self.reason}: the debate comes in without a key ({self.mend})"


@dataclass
class Debate:
    """One debate as found; ``rounds[0]`` are the independent answers, an agent that was not asked in a round stands not in it."""

    question_id: str
    rounds: list[list[Agent]]
    #: The key; one that was not read becomes None, and ``unread_key`` says why.
    gold: str | UnreadKey | None
    kind: str
    file: str
    record: int
    line: int | None = None
    debate_id: str | int | None = None
    benchmark: str | None = None
    model: str | None = None
    options: tuple[str, ...] | None = None
    category: str | None = None
    n_rounds: int | None = None
    #: Agents that were planned, where the log tells it; fewer may have been asked.
    n_agents: int | None = None
    #: Names of agents that were planned, where a mapping lists them.
    agents: tuple[str, ...] = ()
    #: What tells runs apart: how the panel worked (debate, single_agent, self_correction, …), what it was asked, under which condition.
    mode: str | None = None
    task: str | None = None
    condition: str | None = None
    #: Why there is no key: "" where the log has none, "unread" where one stands there that is no answer as read, "not_stated" where the log
    #: says whether the end was right, which names no key.
    no_key: str = ""
    #: The panel's end as the log has it: `majority_answer`, `majority_correct`.
    stored: dict[str, Any] = field(default_factory=dict)
    is_coded: bool = False
    unread_key: UnreadKey | None = None

    def __post_init__(self) -> None:
        if isinstance(self.gold, UnreadKey):
            self.unread_key, self.gold, self.no_key = self.gold, None, "unread" if self.gold.is_lost else ""

    def answers(self) -> Iterator[str | None]:
        """Every answer of every round; None for one that was not found."""
        return (agent.answer for panel in self.rounds for agent in panel)


@dataclass(frozen=True)
class Rejected:
    """``n`` debates that do not come in, and the way out; no text of the log stands in the reason."""

    file: str
    reason: str
    mend: str
    record: int | None = None
    line: int | None = None
    n: int = 1
    #: Debate rounds that the record holds, where they can be counted: a loss that grows with the rounds bends the ledger.
    rounds: int | None = None

    def __str__(self) -> str:
        # A file may be one long line, so the record is told where it is another number.
        place = "" if self.line is None else f":{self.line}"
        if self.record is not None and self.record != self.line:
            place += f"{',' if place else ':'} record {self.record}"
        of_all = "" if self.n == 1 else f", and {self.n - 1:,} more like it"
        return f"{self.file}{place}: {self.reason}{of_all} ({self.mend})"


@dataclass(frozen=True)
class Aside:
    """A row that is read and is no debate of its own, such as one that a later file has again; counted by reason."""

    file: str
    reason: str


@dataclass(frozen=True)
class Note:
    """Something that happened to a debate which comes in; counted by what."""

    what: str


class Bad(ValueError):
    """A record that gives no debate: the reason and the mend; ``rounds`` are the debate rounds that it holds, where they were counted."""

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(reason)
        self.reason, self.mend = reason, mend
        self.rounds: int | None = None


@contextmanager
def holding(rounds: int) -> Iterator[None]:
    """What is `Bad` within is so of a record that holds so many debate rounds."""
    try:
        yield
    except Bad as error:
        error.rounds = rounds
        raise


Found = Debate | Rejected | Aside | Note
MISSING = object()
_TYPES = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def shape_of(value: object) -> str:
    """What a value is, without what it holds: that may be a text of the log."""
    return "missing" if value is MISSING else _TYPES.get(type(value), type(value).__name__)


def expect(value: Any, place: str, *types: type) -> Any:
    """The value, if it is of one of the types; ``place`` says where it stands in its record.

    A boolean is no number, and a whole number is a number. Raises Bad with what was found and what is expected.
    """
    if type(value) in types or (type(value) is int and float in types):
        return value
    # A whole number is told as a number where both will do.
    names = [n for t in types if t is not int or float not in types for n in (("true", "false") if t is bool else (_TYPES[t],))]
    wanted = ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]
    raise Bad(f"{place} is {shape_of(value)}; it has to be {wanted}", f"write {place} as {wanted}")


def field_of(record: Mapping[str, Any], name: str, *types: type, within: str = "") -> Any:
    """The value of a record's field, null where it is missing and may be null. Raises Bad for one of another type."""
    value = record.get(name, None if type(None) in types else MISSING)
    # There are millions of fields; their place is only told where it is needed.
    return value if type(value) in types else expect(value, f"{within}{name}", *types)


def whole_number(value: object, first: int = 0, last: int = MAX_ROUNDS) -> int | None:
    """A whole number from ``first`` to ``last``, given as a number or as digits (3, "3", 3.0, "3.0"); None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    found = re.fullmatch(r"\s*(-?\d{1,9})(?:\.0*)?\s*", str(value), re.ASCII)
    return int(found[1]) if found and first <= int(found[1]) <= last else None


class Coding:
    """Answers from texts, by the coder of the package under one profile."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def kind(self, gold: object, benchmark: str | None, options: tuple[str, ...] | None = None, place: str = "the key") -> str:
        """What kind of answer is asked for; ``place`` names the field of the key. Raises Bad where nothing tells it."""
        expect(gold, place, *KEY)
        if self.settings.kind != "auto":
            return self.settings.kind
        of_key = None if is_no_key(gold, _known(options), "") else gold
        found = kind_of(of_key, benchmark, bool(options) or letter_of_key(of_key) is not None)
        if found is None:
            raise Bad("nothing tells what kind of answer is asked for (no key, no options)", f"give --kind: {', '.join(KINDS)}")
        return found

    def options(self, found: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Labels of the options: those of the command line before those of the log, whose texts are known all the same."""
        known = _known(found)
        if self.settings.options and known:
            return Options(self.settings.options, known.texts)
        return self.settings.options or found

    def options_of(self, question: object, gold: object) -> tuple[str, ...] | None:
        """Labels of the options that a question's text lists; those of the command line before them.

        Where the key is another letter, a number, yes or no, or none of two options, the text was misread (a question about "A) …" and no
        more), and they are not known. A text that is none of three options or more is a key that cannot be read.
        """
        found = options_in(question)
        is_given = gold is not None and str(gold).strip() and not is_no_key(gold, found, "")
        if found and is_given and found.named(gold) is None and (kind_of(gold) != "label" or len(found) == 2):
            found = None
        return self.options(found)

    def code(self, text: str | None, kind: str, options: tuple[str, ...] | None) -> tuple[str | None, str | None]:
        """(answer, rule of the coder) of a text; an empty text, or one without an answer, has (None, None)."""
        if not text or not text.strip():
            return None, None
        if kind == "label":
            return short_label(text)
        if kind != "choice" and self.settings.profile != ALL_KINDS:
            what = "numbers" if kind == "number" else "yes/no"
            raise Bad(f"the profile {self.settings.profile} reads no {what}", f"--profile {ALL_KINDS} does")
        coded = code_answer(text, options=list(options) if options and kind == "choice" else None, profile=self.settings.profile, kind=kind)
        answer = valid_answer(coded.answer, kind, options)
        if answer is None and (known := _known(options)) and known.texts:
            # A reply that names no letter may name an option by its text.
            label, rule = short_label(text)
            answer = known.named(label) if label is not None and len(label) > 1 else None
            return answer, rule if answer is not None else None
        return answer, coded.rule if answer is not None else None

    def agent(self, agent_id: str, text: str | None, kind: str, options: tuple[str, ...] | None, model: str | None = None) -> Agent:
        """An agent whose answer stands in a text."""
        if is_failed_call(text, kind):
            return Agent(agent_id, None, model=model, is_failed=True)
        answer, rule = self.code(text, kind, options)
        return Agent(agent_id, answer, rule, text, model)

    def stated(self, agent_id: str, value: Any, kind: str, options: tuple[str, ...] | None, model: str | None = None) -> Agent:
        """An agent whose answer stands in a field of its own."""
        is_failed = isinstance(value, str) and is_error_message(value, kind)
        return Agent(agent_id, None if is_failed else valid_answer(value, kind, options), model=model, is_failed=is_failed)

    def gold(self, value: object, kind: str, options: tuple[str, ...] | None = None) -> str | UnreadKey | None:
        """The key, normalised; None where there is none, an `UnreadKey` where it is no answer of that kind, or none of the options.

        Raises Bad for what cannot be a key.
        """
        expect(value, "the key", *KEY)
        if value is None or (isinstance(value, str) and not value.strip()) or (isinstance(value, float) and not math.isfinite(value)):
            return None
        if is_no_key(value, _known(options), self.settings.kind):
            return UnreadKey("the key says that there is none (N/A, nan, none, …)", "give the key, if there is one", is_lost=False)
        found = _normalised(value, kind, options)
        if found is None and kind == "choice":
            found = letter_of_key(value) if not (known := _known(options)) or not known.texts else None
        if found is None and kind == "choice" and options:
            return UnreadKey("the key is none of the options, or more than one", "write its letter, or give --options")
        if found is None:
            another = "--kind" if self.settings.kind == "auto" else "another --kind"
            return UnreadKey(f"the key is no answer of the kind {kind}", f"give {another}, or correct the key")
        if kind == "choice" and options and found not in options:
            return UnreadKey("the key is none of the options", "correct the key, or give --options")
        return found


def valid_answer(value: object, kind: str, options: tuple[str, ...] | None = None) -> str | None:
    """An answer, normalised; None for one that is none of the options, and for X, the placeholder of "(X)" in prompts."""
    found = _normalised(value, kind, options)
    if kind == "choice" and found is not None and ((options and found not in options) or (not options and found == "X")):
        return None
    return found


def _known(options: tuple[str, ...] | None) -> Options | None:
    return options if isinstance(options, Options) else None


def _normalised(value: object, kind: str, options: tuple[str, ...] | None) -> str | None:
    """An answer, normalised; one that is the text of an option, or its letter and text, is its letter."""
    known = _known(options)
    return known.named(value) if kind == "choice" and known else normalise_answer(value, kind)


def label_note(value: object, answer: str | None, kind: str) -> list[Note]:
    """A note on a label that says something, and is no answer as read; nothing where there is an answer, or nothing is said."""
    if answer is not None or value is None or not str(value).strip() or is_error_message(str(value), kind):
        return []
    outside = normalise_answer(value, kind) is not None
    return [Note("an answer that is none of the options: unparsed" if outside else f"an answer that is no {_KINDS[kind]}: unparsed")]


_KINDS = {"choice": "label", "number": "number", "yes_no": "yes or no", "label": "label"}
#: Parts of a message that are no part of the reply.
_NO_REPLY = ("reasoning", "thinking", "redacted_thinking")


def text_of(content: object, place: str = "content") -> str | None:
    """The text of a message: a text, or a list of parts (texts and objects) of which those with a text count. Raises Bad for others.

    What a model thought before its reply is no part of the reply.
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        expect(content, place, str, list, type(None))
    parts = [expect(p, f"a part of {place}", str, dict) for p in content]  # type: ignore[union-attr]
    said = [p for p in parts if isinstance(p, str) or p.get("type") not in _NO_REPLY]
    texts = [p if isinstance(p, str) else field_of(p, "text", str, type(None), within=f"a part of {place}: ") for p in said]
    return "\n".join(t for t in texts if t is not None)


def text_id(prefix: str | None, text: str) -> str:
    """An identifier of a question that has none: the first 16 hex digits of the SHA-256 of its text, white space made one."""
    digest = hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{prefix}_{digest}" if prefix else digest


def letters(n: int) -> tuple[str, ...]:
    """The first ``n`` capital letters. Raises Bad for more than 26."""
    if n > 26:
        raise Bad(f"{n} options, there are 26 letters", "give --kind label")
    return tuple(chr(ord("A") + i) for i in range(n))


def panels(texts: list[dict[int, Any]]) -> list[list[int]]:
    """Which agents (by place) answered in each round, from each agent's replies by round.

    Raises Bad where nobody answered the first time.
    """
    last = max((r for replies in texts for r in replies), default=-1)
    if last > MAX_ROUNDS:
        raise Bad(f"a reply in round {last}", f"a debate has at most {MAX_ROUNDS} rounds: look whether another number stands there")
    found = [[i for i, replies in enumerate(texts) if r in replies] for r in range(last + 1)]
    check_first(found)
    return found


def check_first(rounds: Sequence[Sequence[Any]]) -> None:
    """Raises Bad where nobody answered before the debate."""
    if not rounds:
        raise Bad("no agent answered", "look whether the run failed there")
    if not rounds[0]:
        raise Bad(
            "no agent has an answer of its own before the debate",
            "look whether the first round failed, or whether the log counts its rounds from another number on",
        )


def to_record(debate: Debate, source_format: str, settings: Settings, coder_version: str) -> dict[str, Any]:
    """The canonical line of a debate (schemas/canonical_debate.schema.json), its keys in a fixed order; what is not known has no key."""
    record: dict[str, Any] = {"schema": SCHEMA, "question_id": debate.question_id}
    if debate.debate_id is not None:
        record["debate_id"] = debate.debate_id
    optional: Mapping[str, Any] = {
        "benchmark": settings.benchmark or debate.benchmark,
        "category": debate.category,
        "mode": debate.mode,
        "task": debate.task,
        "condition": debate.condition,
        "task_kind": debate.kind,
        "options": list(debate.options) if debate.options and debate.kind == "choice" else None,
    }
    record |= {k: v for k, v in optional.items() if v}
    record["correct_label"] = debate.gold
    models = {a.model for r in debate.rounds for a in r}
    model = settings.model or debate.model or _panel_model(debate)
    if model:
        record["model_name"] = model
    record["initial_states"] = [_state(a, 0, settings, models) for a in debate.rounds[0]]
    record["round_traces"] = [[_state(a, r, settings, models) for a in panel] for r, panel in enumerate(debate.rounds) if r]
    if debate.n_rounds is not None:
        record["n_rounds"] = debate.n_rounds
    if debate.n_agents is not None:
        record["n_agents"] = debate.n_agents
    if debate.agents:
        record["agents"] = list(debate.agents)
    if debate.gold is None and debate.no_key:
        record["no_key"] = debate.no_key
    record |= debate.stored
    if debate.is_coded:
        record["coder"] = {"version": coder_version, "profile": settings.profile}
    record |= {"source_format": source_format, "source_file": debate.file, "source_record": debate.record}
    if debate.line is not None:
        record["source_line"] = debate.line
    return record


def _panel_model(debate: Debate) -> str | None:
    """The models of the agents in their order, joined by " + "; one name where all are the same; None where one is not known."""
    names: dict[str, str | None] = {}
    for panel in debate.rounds:
        for agent in panel:
            names.setdefault(agent.agent_id, agent.model)
    if not names or None in names.values():
        return None
    return " + ".join(dict.fromkeys(names.values()))  # type: ignore[arg-type]


def _state(agent: Agent, number: int, settings: Settings, models: set[str | None]) -> dict[str, Any]:
    state: dict[str, Any] = {"agent_id": agent.agent_id, "answer": agent.answer, "round_num": number}
    if agent.model and len(models) > 1:
        state["model"] = agent.model
    if agent.rule:
        state["rule"] = agent.rule
    if agent.carried:
        state["carried"] = True
    if settings.keep_text and agent.text is not None:
        state["reasoning"] = agent.text
    return state
