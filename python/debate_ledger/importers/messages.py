"""Flat message lists, as users of AutoGen, AG2 and LangGraph have them: one debate per line or file, everybody's messages in one list.

A call that failed, and an empty reply, is no statement: the agent is absent from that round. Tools, users and moderators do not debate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from debate_ledger.importers.agents import Aliases, shown
from debate_ledger.importers.debate import (
    KEY,
    MAX_ROUNDS,
    Agent,
    Bad,
    Debate,
    Found,
    Note,
    Rejected,
    expect,
    letters,
    panels,
    text_id,
    whole_number,
)
from debate_ledger.importers.failed_calls import FAILED, is_failed_call
from debate_ledger.importers.mapping import at
from debate_ledger.importers.message_paths import (
    LISTS,
    N_LOOKED_AT,
    Paths,
    find_paths,
    is_bare,
    is_message,
    keys_of,
    lists_in,
    mapping_text,
    plain,
    read_paths,
)
from debate_ledger.importers.options import Options
from debate_ledger.importers.records import attempt
from debate_ledger.importers.source import Source, stem
from debate_ledger.importers.streaming import BrokenFile, JsonStream, Progress, json_lines, opened
from debate_ledger.importers.turns import Turn, one_name, rounds_of

_SHAPE = "a log is one debate, or a list of debates, each with its list of messages"
#: Roles and types of messages that are no statement: of tools, events inside a framework, instructions.
_NO_STATEMENT = re.compile(
    r"system|developer|tool|function|remove|tool\w*message|tool_?call\w*|\w*event|stopmessage|handoffmessage", re.IGNORECASE
)
_USERS = frozenset(("user", "human"))
#: Parts of a message that are texts; others are thoughts, pictures, calls.
_TEXTS = ("text", "output_text", "input_text", None)
_NO_ERROR = ("", "none", "null", "false", "0", "ok", "success")
#: Names that are told one by one as left out.
SHOWN = 12


@dataclass
class _Message:
    """A turn of a debater. ``text`` None: the call failed, or the reply was empty."""

    place: int
    agent: str
    text: str | None
    round: int | None
    model: str | None
    after_break: bool


def read(source: Source) -> Iterator[Found]:
    """Debates of each file. Raises ValueError for a mapping that is wrong."""
    given, aliases = read_paths(source.settings.mapping)
    for path in source.logs():
        yield from _file(source.used(path), source, given, aliases)


def _file(path: Path, source: Source, given: Mapping[str, Any], aliases: Aliases) -> Iterator[Found]:
    name = source.name(path)
    try:
        sample = head(path)
        paths = find_paths(sample, given, aliases) if sample else None
    except BrokenFile as error:
        yield Rejected(name, error.reason, error.mend, None, error.line)
        return
    except Bad as error:
        if source.settings.mapping:
            raise ValueError(f"{source.settings.mapping}: {name}: {error.reason} ({error.mend})") from error
        # What a file holds is told once, not for each of its records.
        yield Rejected(name, error.reason, error.mend)
        return
    if paths is None:
        # No record can be read.
        for record, (line, _, wrong) in enumerate(records_of(path), start=1):
            if wrong:
                yield Rejected(name, wrong.reason, wrong.mend, record, line)
        return
    source.aliases = paths.debaters()
    taken = {k: v for k, v in paths.found.items()} | ({} if paths.fields["round"] else {"rounds": "by turn order"})
    yield Note(f"{name}: taken as {', '.join(f'{k}: {v}' if v != '' else f'{k}: the whole list' for k, v in taken.items())}")
    record = 0
    for record, (line, value, wrong) in enumerate(records_of(path, source.progress), start=1):
        if wrong:
            yield Rejected(name, wrong.reason, wrong.mend, record, line)
        else:
            yield from attempt(name, record, line, _debate, value, record, name, path, paths, source)


def head(path: Path, n: int = N_LOOKED_AT) -> list[Any]:
    """The first records of a log that can be read. Raises BrokenFile where the file cannot be opened."""
    return [value for _, value, wrong in islice(records_of(path), n) if not wrong]


def proposed_mapping(path: Path) -> str | None:
    """A mapping of a log with the places as found, who was left out, and who may be one agent; None where it is no message list."""
    try:
        sample = head(path)
        paths = find_paths(sample, {}, Aliases()) if sample else None
    except (BrokenFile, Bad):
        return None
    if paths is None:
        return None
    debaters: Counter[str] = Counter()
    moderators: set[str] = set()
    panels_seen: set[int] = set()
    for record in sample:
        listed = at(record, paths.messages)
        messages = [m for m in map(plain, listed) if isinstance(m, dict)] if isinstance(listed, list) else []
        names = [str(n).strip() for m in messages if isinstance(n := at(m, paths.fields["agent"] or ""), (str, int))]
        left_out = {n for n in names if paths.does_not_debate(n)}
        moderators |= left_out
        try:
            said, _ = _turns(messages, paths, Counter())
        except Bad:
            continue
        debaters.update(m.agent for m in said)
        if said:
            panels_seen.add(len(set(one_name(dict.fromkeys(m.agent for m in said)).values())))
    if not debaters:
        return None
    return mapping_text(paths, debaters, moderators, panels_seen.pop() if len(panels_seen) == 1 else None)


def records_of(path: Path, progress: Progress | None = None) -> Iterator[tuple[int | None, Any, BrokenFile | None]]:
    """(line, record, what is wrong) of every debate in a file: a line, an item of a list, the values of an object, or the whole file.

    A value keyed by an identifier is {"debate_id": key, …}. A file, or a JSON Lines file, of bare messages is one debate.
    """
    try:
        with opened(path, progress) as file:
            values = _values(file, path.name.removesuffix(".gz").endswith((".jsonl", ".ndjson")))
            first = next(values, None)
            if first is None:
                return
            if first[2] is None and is_bare(first[1]):
                yield from _one_debate(first, values)
                return
            yield from _records(first)
            for one in values:
                yield from _records(one)
    except BrokenFile as error:
        yield error.line, None, error


_Value = tuple[int | None, Any, BrokenFile | None]


def _records(one: _Value) -> Iterator[_Value]:
    line, value, wrong = one
    if wrong is None and isinstance(value, list) and value and not is_message(value[0]):
        # A line, or a document, that holds several debates.
        yield from ((line, inner, None) for inner in value)
    elif wrong is None and isinstance(value, dict) and value and not set(value) & set(LISTS) and all(map(_holds_messages, value.values())):
        yield from ((line, _keyed(key, inner), None) for key, inner in value.items())
    else:
        yield one


def _holds_messages(value: Any) -> bool:
    return any(lists_in(value)) if isinstance(value, dict) else isinstance(value, list) and bool(value) and all(map(is_message, value))


def _keyed(key: str, value: Any) -> dict[str, Any]:
    return {"debate_id": key, **(value if isinstance(value, dict) else {"messages": value})}


def _one_debate(first: _Value, others: Iterator[_Value]) -> Iterator[_Value]:
    """Bare messages, which are one debate; what is wrong with one is wrong with the debate."""
    messages = [first[1]]
    for line, value, wrong in others:
        if wrong:
            yield line, None, wrong
            return
        messages.append(value)
    yield first[0], messages, None


def _values(file: Any, are_lines: bool) -> Iterator[_Value]:
    """Lines of a JSON Lines file, or the items of the lists and the objects that are a file."""
    if are_lines:
        yield from json_lines(file)
        return
    stream = JsonStream(file)
    while begin := stream.begins("{[", _SHAPE):
        for _ in [1] if begin == "{" else stream.items():
            stream.peek()
            line, value = stream.line, stream.value()
            if stream.repeated is not None:
                yield line, None, BrokenFile(f"the key {shown(stream.repeated)!r} stands twice in one object", line, "keep one of the two")
            else:
                yield line, value, None


def _debate(value: Any, record: int, name: str, path: Path, paths: Paths, source: Source) -> Iterator[Found]:
    if paths.messages:
        expect(value, "a record", dict)
    listed = at(value, paths.messages)
    if not isinstance(listed, list):
        raise Bad(
            f"no list {paths.messages or 'of messages'} in the record; there are: {keys_of([value])}", "name it as messages in the mapping"
        )
    notes: Counter[str] = Counter()
    messages, asked = _turns([expect(plain(m), f"message {n}", dict) for n, m in enumerate(listed, start=1)], paths, notes)
    if not messages:
        raise Bad("no message of an agent that debates", "say in the mapping who does: moderators names those that do not")

    def own(role: str) -> Any:
        where = paths.fields.get(role)
        found = at(value, where) if where else None
        return None if isinstance(found, str) and not found.strip() else found

    coding, debate_id = source.coding, own("debate")
    expect(debate_id, paths.fields["debate"] or "debate", str, int, type(None))
    benchmark = own("benchmark")
    task = source.settings.benchmark or (str(benchmark) if isinstance(benchmark, (str, int)) else "") or stem(path)
    question = own("question")
    question = expect(question, paths.fields["question"] or "question", str, type(None)) or asked
    question_id = expect(own("question_id"), paths.fields["question_id"] or "question_id", str, int, type(None))
    gold = expect(own("gold"), paths.fields["gold"] or "gold", *KEY)
    options = coding.options(_options(own("options"))) or coding.options_of(question, gold)
    kind = coding.kind(gold, task, options, paths.fields["gold"] or "the key")
    options = options if kind == "choice" else None
    for message in messages:
        if is_failed_call(message.text, kind):
            message.text = None
            notes[FAILED] += 1
    said, first = _by_agent(messages, paths, notes)
    agents = list(said)
    coded: list[dict[int, Agent]] = []
    for agent in agents:
        replies: dict[int, Agent] = {}
        for number, turns in said[agent].items():
            found = [coding.agent(agent, m.text, kind, options, m.model) for m in turns]
            if len(found) > 1:
                notes["several messages of one agent in one round: the last that states an answer counts"] += 1
            replies[number] = next((a for a in reversed(found) if a.answer is not None), found[-1])
        coded.append(replies)
    present = panels(coded)
    model = at(value, paths.fields["model"]) if paths.fields["model"] and isinstance(value, dict) else None
    yield from (Note(what) for what in notes.elements())
    yield Debate(
        question_id=str(question_id) if question_id is not None else _id(task, question, debate_id, path, record),
        debate_id=debate_id,
        rounds=[[coded[i][r] for i in p] for r, p in enumerate(present)],
        gold=coding.gold(gold, kind, options),
        kind=kind,
        file=name,
        record=record,
        benchmark=task,
        category=_text(own("category")),
        model=_text(model),
        options=options,
        n_agents=_planned(own("planned"), paths),
        # Whose first call failed was there from the start, and is no new name later.
        agents=() if all(0 in said[agent] for agent in first) else tuple(first),
        mode=_text(own("mode")),
        task=_text(own("task")),
        condition=_text(own("condition")),
        is_coded=True,
    )


def _text(value: Any) -> str | None:
    return str(value).strip() or None if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None


def _id(task: str, question: str | None, debate_id: str | int | None, path: Path, record: int) -> str:
    if question:
        return text_id(task, question)
    return f"{task}_{debate_id}" if debate_id is not None else f"{stem(path)}_record_{record}"


def _planned(stated: Any, paths: Paths) -> int | None:
    return paths.planned if paths.planned is not None else whole_number(stated, 1)


def _options(stated: Any) -> Options | None:
    """The options of a list, or of an object by letter, with their texts."""
    if isinstance(stated, dict) and stated and all(len(k) == 1 and "A" <= k <= "Z" for k in stated):
        return Options.of(stated)
    if isinstance(stated, list) and 2 <= len(stated) <= 26:
        return Options.of(dict(zip(letters(len(stated)), stated, strict=True)))
    return None


def _turns(messages: list[dict[str, Any]], paths: Paths, notes: Counter[str]) -> tuple[list[_Message], str | None]:
    """(turns of the debaters, the question as a user asked it before the first turn)."""
    found: list[_Message] = []
    asked, is_after_break, who = None, False, paths.fields["agent"] or ""
    for place, message in enumerate(messages, start=1):
        roles = [v.strip().casefold() for key in ("role", "type") if isinstance(v := message.get(key), str)]
        if any(_NO_STATEMENT.fullmatch(role) for role in roles):
            notes["messages of tools, of the system and of events: left out"] += 1
            is_after_break |= "system" in roles
            continue
        if _calls_a_tool(message):
            notes["messages that call a tool: left out"] += 1
            continue
        speaker = expect(at(message, who), f"message {place}: {who}", str, int, type(None))
        name = "" if speaker is None else str(speaker).strip()
        is_user = not name and any(role in _USERS for role in roles)
        if not name or paths.does_not_debate(name):
            if asked is None and not found and (is_user or re.fullmatch(r"(?i)user.*|human.*|admin.*", name)):
                asked = _said(message, place, paths)
            notes[f"messages of {shown(name)}, who does not debate: left out" if name else _NAMELESS[is_user]] += 1
            is_after_break = True
            continue
        model = at(message, paths.fields["model"]) if paths.fields["model"] else None
        found.append(
            _Message(
                place, paths.aliases.agent_of(name), _statement(message, place, paths, notes), _round(message, place, paths), _text(model),
                is_after_break,
            )
        )  # fmt: skip
        is_after_break = False
    return found, asked


_NAMELESS = {True: "messages of the user: left out", False: "messages without a name: left out"}


def _calls_a_tool(message: dict[str, Any]) -> bool:
    if any(message.get(key) for key in ("tool_calls", "function_call", "tool_responses")):
        return True
    content = message.get("content")
    parts = [p for p in content if isinstance(p, dict)] if isinstance(content, list) else []
    return any(p.get("type") in ("tool_use", "tool_call", "function_call", "tool_result") for p in parts)


def _said(message: dict[str, Any], place: int, paths: Paths) -> str | None:
    """The text of a message, of parts those that are texts. Raises Bad for an object."""
    where = paths.fields["content"] or ""
    content = at(message, where)
    if not isinstance(content, list):
        if isinstance(content, dict):
            keys = ", ".join(f"{where}.{shown(k)}" for k in content)
            raise Bad(f"message {place}: {where} is an object", f"say in the mapping which part is the text: content: {keys or where}")
        return expect(content, f"message {place}: {where}", str, type(None))
    parts = [expect(p, f"message {place}: a part of {where}", str, dict) for p in content]
    texts = [p if isinstance(p, str) else p.get("text") for p in parts if isinstance(p, str) or p.get("type") in _TEXTS]
    return "\n".join(t for t in texts if isinstance(t, str))


def _statement(message: dict[str, Any], place: int, paths: Paths, notes: Counter[str]) -> str | None:
    """What an agent said; None where the call failed or the reply is empty, which is counted."""
    text = _said(message, place, paths)
    error = at(message, paths.fields["error"]) if paths.fields["error"] else None
    if error and str(error).strip().casefold() not in _NO_ERROR:
        beside = f", beside a text that does not count (error: {paths.fields['error']} of the mapping)" if text and text.strip() else ""
        notes[f"calls that failed: absent{beside}"] += 1
        return None
    if not text or not text.strip():
        if not paths.are_empty_absent:
            return ""
        notes["empty replies: absent, since they state nothing"] += 1
        return None
    if paths.failed is not None and text.strip() in paths.failed:
        notes[FAILED] += 1
        return None
    return text


def _round(message: dict[str, Any], place: int, paths: Paths) -> int | None:
    where = paths.fields["round"]
    if where is None:
        return None
    stated = at(message, where)
    found = whole_number(stated, paths.first_round, paths.first_round + MAX_ROUNDS)
    if found is None:
        what = "missing" if stated is None else "no number of a round"
        mend = (
            f"every message of an agent has a round, a whole number from {paths.first_round} on: correct it, or first_round of the mapping"
        )
        raise Bad(f"message {place}: {where} is {what}", mend)
    return found - paths.first_round


def _by_agent(messages: list[_Message], paths: Paths, notes: Counter[str]) -> tuple[dict[str, dict[int, list[_Message]]], list[str]]:
    """(statements by agent and round, agents who were asked first): a call that failed holds the place of its agent and is no statement."""
    if paths.fields["round"]:
        numbers: list[int] = [m.round for m in messages]  # type: ignore[misc]
    else:
        names = _one_name(tuple(dict.fromkeys(m.agent for m in messages)))
        numbers, told = rounds_of([Turn(names[m.agent], m.text is None, m.after_break) for m in messages])
        if told:
            notes[f"debates in which an agent has no turn in a round; the rounds are {told}"] += 1
    said: dict[str, dict[int, list[_Message]]] = {}
    for message, number in zip(messages, numbers, strict=True):
        own = said.setdefault(message.agent, {})
        if message.text is not None:
            own.setdefault(number, []).append(message)
    first = dict.fromkeys(m.agent for m, number in zip(messages, numbers, strict=True) if number == 0)
    return said, list(first)


@lru_cache(maxsize=256)
def _one_name(names: tuple[str, ...]) -> dict[str, str]:
    return one_name(names)
