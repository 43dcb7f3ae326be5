"""Where things stand in a flat message list: as a mapping says, and what it does not name as the shape of the first records tells."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from debate_ledger.importers.agents import Aliases, proposals, read_aliases, shown
from debate_ledger.importers.debate import MAX_ROUNDS, Bad, shape_of, whole_number
from debate_ledger.importers.mapping import at, read_mapping

EXAMPLE = """\
messages: messages            # the list, in a record; "" where a file is one list of messages
agent: name                   # who spoke, in a message
content: content              # what was said: a text, or a list of parts
round: round                  # optional; without it a round begins when an agent that has spoken in it speaks again
first_round: 0                # what the log calls the independent answers
error: error                  # optional: the call failed, and the agent is absent
question: question            # in a record: the text; optional, as are question_id, options and all below
debate: id                    # tells debates apart
gold: answer
model: model                  # in a message or in a record
planned: 3                    # agents that were planned, or where a record says so
moderators: [Judge, {pattern: "chat.*"}]   # who does not debate (default: moderator, judge, manager, user, …; [] for nobody)
empty: absent                 # what an empty reply is (default), or unparsed: asked, and no answer found
failed: [{pattern: "ERROR.*"}]   # more texts that a failed call left, beside the usual messages of errors
agents:                       # spellings of one agent
  Ada: [ada-agent, ADA]
"""
#: Names of fields, the likeliest first.
LISTS = (
    "messages", "chat_history", "chat_messages", "history", "conversation", "transcript", "turns", "dialogue", "dialog", "discussion",
    "debate", "message_thread", "log", "chat", "responses",
)  # fmt: skip
IN_MESSAGE: dict[str, tuple[str, ...]] = {
    "agent": (
        "name", "source", "speaker", "agent", "agent_name", "agent_id", "sender", "author", "from", "participant", "role_name",
        "agent.name", "sender.name", "author.name", "metadata.agent", "metadata.name", "additional_kwargs.name", "role",
    ),
    "content": ("content", "text", "message", "response", "reply", "utterance", "output", "answer", "body"),
    "round": (
        "round", "round_num", "round_number", "round_index", "round_idx", "round_id", "debate_round", "iteration", "metadata.round",
        "additional_kwargs.round",
    ),
    "error": ("error", "error_message", "exception", "metadata.error", "additional_kwargs.error"),
}  # fmt: skip
IN_RECORD: dict[str, tuple[str, ...]] = {
    "question": ("question", "problem", "query", "task", "prompt", "input", "topic"),
    "question_id": ("question_id", "qid", "item_id", "question.id", "task_id"),
    "debate": ("debate_id", "id", "conversation_id", "chat_id", "thread_id", "run_id", "session_id"),
    "gold": (
        "gold", "gold_answer", "correct_label", "correct_answer", "ground_truth", "target", "key", "answer", "label", "reference_answer",
        "expected_answer", "solution",
    ),
    "options": ("options", "choices"),
    "planned": ("n_agents", "num_agents", "agents_planned", "planned_agents"),
    "mode": ("mode",),
    "condition": ("condition",),
}  # fmt: skip
MODELS = ("model", "model_name", "metadata.model", "response_metadata.model_name")
_KEYS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("messages", "round", "error", "model", "mode", "task", "condition", "category", "benchmark"), (str, type(None))),
    **dict.fromkeys(("question", "question_id", "debate", "gold", "options"), (str, type(None))),
    "agent": str, "content": str, "first_round": int, "planned": (int, str, type(None)), "moderators": list, "failed": list,
    "agents": (dict, str), "empty": str,
}  # fmt: skip
#: Keys of a row that tell which of several debates a message is of.
_OF_A_ROW = frozenset((
    "question", "question_id", "qid", "item", "item_id", "problem", "debate_id", "conversation_id", "chat_id", "thread_id", "run_id",
))  # fmt: skip
#: Roles of a chat; a list that names nothing else names no agents.
ROLES = frozenset(("user", "assistant", "system", "tool", "function", "developer", "human", "ai", "model"))
#: Records, and levels of a record, that are looked at for what a mapping does not say.
N_LOOKED_AT, DEPTH = 200, 3
#: Who speaks in a log without debating, where no mapping says so: names without case, blanks, hyphens, numbers and "agent".
_MODERATORS = re.compile(
    r"(the)?((group)?(chat)?(manager|admin|administrator)|(chat|debate)?(moderator|facilitator|host|judge|referee|mediator)|user|human|userproxy"
    r"|humanproxy|system|tool|tools|supervisor|orchestrator|magenticoneorchestrator|coordinator|selector|router|environment|executor)"
)


class Names:
    """Names and patterns for whole names; a spelling of a name counts as it."""

    def __init__(self, given: Sequence[Any], place: str) -> None:
        self._names, self._patterns = set[str](), list[re.Pattern[str]]()
        for one in given:
            if isinstance(one, dict) and list(one) == ["pattern"] and isinstance(one["pattern"], str):
                try:
                    self._patterns.append(re.compile(one["pattern"], re.DOTALL))
                except re.error as error:
                    raise ValueError(f"{place}: {one['pattern']!r} is no regular expression ({error}): correct the pattern") from error
            elif isinstance(one, (str, int)) and not isinstance(one, bool):
                self._names.add(str(one).strip())
            else:
                raise ValueError(f'{place} holds {shape_of(one)} (write texts, or patterns such as {{pattern: "chat.*"}})')

    def __contains__(self, name: str) -> bool:
        return name in self._names or any(p.fullmatch(name) for p in self._patterns)


def is_moderator(name: str) -> bool:
    """Whether a name is, in most logs, that of somebody who does not debate."""
    plain = re.sub(r"[\W_]+", "", name.casefold())
    return bool(_MODERATORS.fullmatch(re.sub(r"(agent|v?\d+)+$", "", plain) or plain))


@dataclass(frozen=True)
class Paths:
    """Where things stand, and who is who; None for what is not there."""

    messages: str
    fields: Mapping[str, str | None]
    aliases: Aliases = field(default_factory=Aliases)
    planned: int | None = None
    first_round: int = 0
    moderators: Names | None = None
    failed: Names | None = None
    are_empty_absent: bool = True
    #: What was found by shape, as a mapping would say it.
    found: Mapping[str, Any] = field(default_factory=dict)

    def does_not_debate(self, name: str) -> bool:
        """Whether a name, or the agent that it is a spelling of, is left out."""
        agent = self.aliases.agent_of(name)
        if self.moderators is not None:
            return name in self.moderators or agent in self.moderators
        return is_moderator(agent)

    def debaters(self) -> Aliases:
        """The aliases without those of who is left out, whose number is that of the agents."""
        listed = self.aliases
        out = {a for a in listed.agents if self.does_not_debate(a)}
        return Aliases(
            {n: a for n, a in listed.names.items() if a not in out},
            tuple((p, a) for p, a in listed.patterns if a not in out),
            listed.by_position,
            tuple(a for a in listed.agents if a not in out),
        )


def plain(message: Any) -> Any:
    """A message without the wrapping of serialised ones: {lc, type: constructor, kwargs} and {type, data}."""
    if not isinstance(message, dict):
        return message
    inner = message.get("kwargs")
    if isinstance(inner, dict) and message.get("type") == "constructor":
        return inner
    inner = message.get("data")
    if isinstance(inner, dict) and set(message) == {"type", "data"}:
        return {"type": message["type"], **inner}
    return message


def is_message(value: Any) -> bool:
    """Whether a value looks like one message: it says what was said, and by whom."""
    value = plain(value)
    if not isinstance(value, dict):
        return False
    said = [at(value, path) for path in IN_MESSAGE["content"] if path in value]
    is_said = any(v is None or isinstance(v, (str, list)) for v in said)
    return is_said and any(isinstance(at(value, path), (str, int)) for path in (*IN_MESSAGE["agent"], "type"))


def is_bare(value: Any) -> bool:
    """Whether a record is one message of a log that is one debate; a row that names its question or debate is of a table."""
    return is_message(value) and not _OF_A_ROW & set(plain(value)) and not any(lists_in(value))


def lists_in(value: Any, depth: int = DEPTH) -> Iterator[tuple[str, list[Any]]]:
    """(path, list) of every list of messages in a record."""
    if not isinstance(value, dict) or depth == 0:
        return
    for key, inner in value.items():
        if isinstance(inner, list):
            if inner and sum(map(is_message, inner)) * 2 > len(inner):
                yield key, inner
        else:
            yield from ((f"{key}.{path}", found) for path, found in lists_in(inner, depth - 1))


def read_paths(place: Path | None) -> tuple[dict[str, Any], Aliases]:
    """The mapping of a file and its aliases; {} where none is given. Raises ValueError with the mend."""
    if place is None:
        return {}, Aliases()
    given = read_mapping(place, _KEYS, (), EXAMPLE)
    if not 0 <= given.get("first_round", 0) <= MAX_ROUNDS:
        raise ValueError(f"{place}: first_round is no number of a round")
    planned = given.get("planned")
    if isinstance(planned, int) and not 1 <= planned <= MAX_ROUNDS:
        raise ValueError(f"{place}: planned is no number of agents")
    if given.get("empty", "absent") not in ("absent", "unparsed"):
        raise ValueError(f"{place}: empty is absent or unparsed: write one of them")
    for key in ("moderators", "failed"):
        Names(given.get(key, []), f"{place}: {key}")
    return given, read_aliases(given.get("agents"), str(place))


def find_paths(records: Sequence[Any], given: Mapping[str, Any], aliases: Aliases) -> Paths:
    """Where things stand in the first records of a log, as ``given`` and by shape.

    Raises Bad, with what is there, where the messages, who spoke and what was said cannot be found, or a path that the mapping names is in
    none of the records.
    """
    where = _messages(records, given)
    lists = [found for r in records if isinstance(found := at(r, where), list)]
    messages = [m for found in lists for m in map(plain, found) if isinstance(m, dict)]
    if not messages:
        raise Bad(f"no message in {where or 'the list'}", "name another list as messages in the mapping")
    fields: dict[str, str | None] = {}
    found: dict[str, Any] = {} if "messages" in given else {"messages": where}
    objects = [r for r in records if isinstance(r, dict)]
    # An error stands in the messages that failed, which may come later.
    sought: list[tuple[str, Sequence[Any], tuple[str, ...], bool]] = [
        *((role, messages, names, role in ("agent", "content")) for role, names in IN_MESSAGE.items()),
        *((role, objects, _below(names, where), False) for role, names in IN_RECORD.items()),
        ("model", [*messages, *objects], MODELS, False),
        *((role, objects, (), False) for role in ("task", "category", "benchmark")),
    ]
    for role, among, names, is_needed in sought:
        if role in given:
            path = given[role]
            fields[role] = path if isinstance(path, str) else None
            if isinstance(path, str) and role != "error" and not any(_has(value, path) for value in among):
                raise Bad(f"no {path} for {role}; there are: {keys_of(among)}", "correct the mapping")
            continue
        path = _first(role, among, names)
        # A call may fail after the records that are looked at.
        fields[role] = path or ("error" if role == "error" else None)
        if path is not None:
            found[role] = path
        elif is_needed:
            named = "who spoke" if role == "agent" else "what was said"
            raise Bad(f"nothing in the messages says {named}; there are: {keys_of(among)}", f"give {role} in a mapping (--map)")
    first_round = given.get("first_round", 0)
    if fields["round"] and "first_round" not in given:
        numbers = [n for m in messages if (n := whole_number(at(m, fields["round"]))) is not None]
        first_round = found["first_round"] = min(numbers, default=0)
    planned = given.get("planned")
    return Paths(
        where,
        fields,
        aliases,
        planned if isinstance(planned, int) else None,
        first_round,
        Names(given["moderators"], "moderators") if "moderators" in given else None,
        Names(given["failed"], "failed") if "failed" in given else None,
        given.get("empty", "absent") == "absent",
        found,
    )


def _messages(records: Sequence[Any], given: Mapping[str, Any]) -> str:
    """The path of the list of messages; "" where a record is the list itself."""
    if "messages" in given:
        path = given["messages"] or ""
        if not any(isinstance(at(r, path), list) for r in records):
            raise Bad(f"no list {path or 'of messages'} in the records; there are: {keys_of(records)}", "correct messages in the mapping")
        return path
    if any(isinstance(r, list) and r and is_message(r[0]) for r in records):
        return ""
    counts: Counter[str] = Counter()
    for record in records:
        counts.update(path for path, _ in lists_in(record))
    if not counts and any(map(is_message, records)):
        reason = f"every record is one message; there are: {keys_of(records)}"
        raise Bad(reason, "rows that name their question or debate are a table: ledger import table --map FILE.yml")
    if not counts:
        raise Bad(f"no list of messages in the records; there are: {keys_of(records)}", "give messages in a mapping (--map)")

    def likely(path: str) -> tuple[int, int, str]:
        name = path.rpartition(".")[2]
        return (LISTS.index(name) if name in LISTS else len(LISTS), -counts[path], path)

    return min(counts, key=likely)


def _below(names: tuple[str, ...], messages: str) -> tuple[str, ...]:
    """Names in a record, and beside the messages where these stand deeper."""
    parent = messages.rpartition(".")[0]
    beside = tuple(f"{parent}.{n}" for n in names) if parent else ()
    return (*beside, *names)


def _has(value: Any, path: str) -> bool:
    missing = object()
    return at(value, path, missing) is not missing


#: What a field has to hold for its name to count.
_FITS: dict[str, Callable[[Any], bool]] = {
    "agent": lambda v: isinstance(v, (str, int)) and not isinstance(v, bool) and bool(str(v).strip()),
    "content": lambda v: isinstance(v, (str, list)),
    "round": lambda v: whole_number(v) is not None,
    "error": lambda v: isinstance(v, (str, dict, bool)),
    "question": lambda v: isinstance(v, str) and bool(v.strip()),
    "gold": lambda v: isinstance(v, (str, int, float)),
    "options": lambda v: isinstance(v, (list, dict)) and len(v) > 1,
    "planned": lambda v: whole_number(v, 1) is not None,
}


def _first(role: str, among: Sequence[Any], names: Iterable[str]) -> str | None:
    """The first name that holds what it should: a speaker and a text in a third of the messages at least, others anywhere."""
    fits = _FITS.get(role, lambda v: isinstance(v, (str, int)) and not isinstance(v, bool) and bool(str(v).strip()))
    for path in names:
        values = [v for value in among if fits(v := at(value, path))]
        if not values or (role in ("agent", "content") and len(values) * 3 < len(among)):
            continue
        if role == "agent" and all(str(v).strip().casefold() in ROLES for v in values):
            continue
        return path
    return None


def keys_of(values: Iterable[Any]) -> str:
    """The keys of some objects, those of nested ones as paths; what else stands there where there are none."""
    keys: dict[str, None] = {}
    shapes: dict[str, None] = {}
    for value in values:
        if not isinstance(value, dict):
            shapes.setdefault(shape_of(value))
            continue
        for key, inner in value.items():
            keys.setdefault(shown(key))
            if isinstance(inner, dict):
                keys.update((f"{shown(key)}.{shown(k)}", None) for k in inner)
        if len(keys) > 40:
            break
    return ", ".join(list(keys)[:40]) or ", ".join(shapes) or "nothing"


def mapping_text(paths: Paths, debaters: Counter[str], moderators: Iterable[str], planned: int | None) -> str:
    """A mapping that says what was found, to be looked at and saved; spellings of one agent are proposed."""
    lines = [f"{role}: {quoted(path)}" for role, path in paths.found.items()]
    if not paths.fields["round"]:
        lines.append("round: null   # no message states one: rounds by turn order")
    left_out = sorted({name for name in moderators if paths.does_not_debate(name)})
    lines.append(f"moderators: [{', '.join(map(quoted, left_out))}]")
    spellings = {n: a for n, a in proposals(debaters).items() if n != a}
    if planned is not None and "planned" not in paths.found:
        lines.append(f"planned: {planned}")
    if spellings:
        lines.append("agents:")
        for agent in sorted(set(spellings.values())):
            names = sorted(n for n, a in spellings.items() if a == agent)
            lines.append(f"  {quoted(agent)}: [{', '.join(map(quoted, names))}]")
    return "\n".join(lines) + "\n"


def quoted(value: Any) -> str:
    """A value as YAML: a name that could be read as another thing stands in quotes."""
    if isinstance(value, int):
        return str(value)
    if re.fullmatch(r"[A-Za-z][\w.-]*", value) and value.casefold() not in ("yes", "no", "on", "off", "y", "n", "true", "false", "null"):
        return value
    return json.dumps(value)
