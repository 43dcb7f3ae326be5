"""Inspect AI logs. Epochs of a sample are independent answers, a panel that never debated; a YAML file maps a solver of several agents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers.agents import read_aliases
from debate_ledger.importers.debate import (
    KEY,
    MAX_ROUNDS,
    MISSING,
    Agent,
    Bad,
    Debate,
    Found,
    Note,
    Rejected,
    expect,
    field_of,
    holding,
    label_note,
    letters,
    panels,
    text_of,
    valid_answer,
    whole_number,
)
from debate_ledger.importers.failed_calls import is_failed_call
from debate_ledger.importers.inspect_files import UNREADABLE, json_samples, packed_samples
from debate_ledger.importers.mapping import at, read_mapping
from debate_ledger.importers.options import Options
from debate_ledger.importers.records import as_one, attempt
from debate_ledger.importers.source import Source
from debate_ledger.importers.streaming import BrokenFile, Spool
from debate_ledger.importers.words import short_label

EXAMPLE = """\
agents: store.debate.turns   # a list in the sample: messages, or below store or metadata
where: {role: assistant}     # entries that count (optional)
agent: speaker               # who spoke, in an entry
round: turn                  # optional; without it an agent's entries are its rounds in their order
first_round: 0               # what the logs call the independent answers (optional)
text: content                # what was said, or answer: the label itself
model: model                 # optional
aliases: {Judge: [judge-agent], ada: {pattern: "ada.*"}}   # optional: spellings of one agent, or by_position
"""
_KEYS: dict[str, type | tuple[type, ...]] = {
    "agents": str,
    "where": dict,
    "agent": str,
    "round": str,
    "first_round": int,
    "text": str,
    "answer": str,
    "model": str,
    "aliases": (dict, str),
}
_ATTACHED = "attachment://"
_NONE = type(None)
#: Types of the fields of a sample that are read; those of `error` and of what a mapping names are anything.
_FIELDS: dict[str, tuple[type, ...]] = {
    "id": (str, int), "choices": (list, _NONE), "target": (*KEY, list), "output": (dict, _NONE), "scores": (dict, _NONE),
    "attachments": (dict, _NONE),
}  # fmt: skip


def read(source: Source) -> Iterator[Found]:
    """Debates of each log. Raises ValueError for a mapping that is wrong, and where `inspect_ai` is needed and missing."""
    mapping = None
    if source.settings.mapping:
        mapping = read_mapping(source.settings.mapping, _KEYS, ("agents", "agent"), EXAMPLE)
        if ("text" in mapping) == ("answer" in mapping):
            raise ValueError(f"{source.settings.mapping}: give text or answer, one of them, as in\n{EXAMPLE}")
        source.aliases = read_aliases(mapping.get("aliases"), str(source.settings.mapping), "aliases")
    for path in source.logs():
        yield from as_one(_file(source.used(path), source, mapping))


def _file(path: Path, source: Source, mapping: dict[str, Any] | None) -> Iterator[Found]:
    name = source.name(path)
    header: dict[str, Any] = {}
    samples = packed_samples(path, header) if path.name.endswith(".eval") else json_samples(path, header, source.progress)
    done = 0
    with Spool() as spool:
        try:
            for line, sample in samples:
                done += 1
                if mapping is not None:
                    yield from attempt(name, done, line, _mapped, sample, done, name, header, mapping, source)
                else:
                    yield from attempt(name, done, line, _epochs, sample, header, source, spool, done, line)
        except BrokenFile as error:
            yield Rejected(name, error.reason, error.mend, done or None, error.line)
            if done and mapping is None:
                yield Note("a log that breaks off: its panels may lack epochs")
        for (sample_id,), rows in spool.groups():
            yield from attempt(name, rows[0]["record"], rows[0]["line"], _panel, sample_id, rows, name, header, source)


def _epochs(sample: Any, header: dict[str, Any], source: Source, spool: Spool, record: int, line: int | None) -> Iterator[Found]:
    """Put a sample's answer to its group. One that cannot be read rejects the whole panel, which would be another one without it."""
    sample = _checked(sample)
    place = {"record": record, "line": line}
    try:
        row = place | _answer(sample, header, source)
    except Bad as error:
        row = place | {"bad": [error.reason, error.mend]}
    spool.add([sample["id"]], row)
    yield from ()


def _checked(sample: Any) -> dict[str, Any]:
    """A sample whose fields are of their types, with long texts put back. Raises Bad."""
    expect(sample, "a sample", dict)
    if UNREADABLE in sample:
        raise Bad(f"a sample that cannot be read: {sample[UNREADABLE]}", "look at it with `inspect log dump`")
    for key, types in _FIELDS.items():
        field_of(sample, key, *types)
    for i, choice in enumerate(sample.get("choices") or [], start=1):
        expect(choice, f"choice {i}", str, int, float)
    if isinstance(sample.get("target"), list):
        for one in sample["target"]:
            expect(one, "an entry of target", *KEY)
    return _resolved(sample, sample.get("attachments") or {})


def _resolved(value: Any, attachments: dict[str, str]) -> Any:
    """A sample with long texts put back that the log keeps apart."""
    if isinstance(value, str):
        if not value.startswith(_ATTACHED):
            return value
        key = value.removeprefix(_ATTACHED)
        return expect(attachments[key], "an attachment", str) if key in attachments else value
    if isinstance(value, list):
        return [_resolved(v, attachments) for v in value]
    if isinstance(value, dict):
        return {k: _resolved(v, attachments) for k, v in value.items() if k not in ("events", "attachments")}
    return value


def _options(sample: dict[str, Any]) -> Options | None:
    choices = [str(choice) for choice in sample.get("choices") or []]
    return Options.of(dict(zip(letters(len(choices)), choices, strict=True))) if choices else None


def _gold(sample: dict[str, Any], kind: str, options: tuple[str, ...] | None) -> tuple[str | None, str]:
    """(key, why there is none though targets stand there): several that differ are no key, since a debate has one."""
    keys = {valid_answer(t, kind, options) for t in _listed(sample.get("target")) if t is not None and str(t).strip()}
    if len(keys) > 1:
        return None, "several targets"
    return next(iter(keys), None), "a target that is no answer of its kind" if keys == {None} else ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _named(header: dict[str, Any], key: str) -> str | None:
    """A name in the head of a log, such as its task or model."""
    head = header.get("eval")
    found = head.get(key) if isinstance(head, dict) else None
    return found if isinstance(found, str) and found.strip() else None


def _task(header: dict[str, Any], source: Source) -> str | None:
    return source.settings.benchmark or _named(header, "task")


def _question(sample_id: Any, header: dict[str, Any]) -> str:
    if isinstance(sample_id, bool) or not isinstance(sample_id, (int, str)) or not str(sample_id).strip():
        raise Bad("a sample without an id", "every sample has an id, a text or a number")
    # Tasks that are told to be of one benchmark have samples of the same numbers.
    task = _named(header, "task")
    return f"{task}_{sample_id}".strip() if task else str(sample_id).strip()


def _epoch(sample: dict[str, Any]) -> int:
    return expect(sample.get("epoch", 1), "epoch", int)


def _kind(sample: dict[str, Any], header: dict[str, Any], source: Source) -> tuple[str, tuple[str, ...] | None]:
    target = sample.get("target")
    first = next(iter(_listed(target)), None)
    options = source.coding.options(_options(sample))
    kind = source.coding.kind(first, _task(header, source), options, "target")
    return kind, options if kind == "choice" else None


def _is_shuffled(header: dict[str, Any]) -> bool:
    """Did a solver shuffle the options? Then a letter in a text is not the letter of the sample; the scorer's answer is."""
    steps = at(header, "plan.steps")
    return any(bool(at(step, "params.shuffle")) for step in steps if isinstance(step, dict)) if isinstance(steps, list) else False


def _reply(sample: dict[str, Any]) -> str | None:
    """What the model said: the completion, or the first message that the output holds, since many logs keep no completion."""
    output = sample.get("output") or {}
    text = text_of(output.get("completion"), "output.completion")
    choices = field_of(output, "choices", list, _NONE, within="output.")
    if (text and text.strip()) or not choices:
        return text
    message = field_of(expect(choices[0], "output.choices[0]", dict), "message", dict, _NONE, within="output.choices[0].")
    said = text_of((message or {}).get("content"), "output.choices[0].message.content")
    return text if said is None else said


def _answer(sample: dict[str, Any], header: dict[str, Any], source: Source) -> dict[str, Any]:
    """What one epoch says: the scorer's answer where it is a label, else the answer in the reply."""
    coding = source.coding
    kind, options = _kind(sample, header, source)
    scores = sample.get("scores") or {}
    if not scores and sample.get("score") is not None:
        # Logs of the first version have one score, without a name.
        scores = {"score": sample["score"]}
    scorer = source.settings.scorer or next(iter(scores), "")
    if source.settings.scorer and scorer not in scores and not sample.get("error"):
        raise Bad(f"no score by {scorer}", f"--scorer is one of {', '.join(scores) or 'none'}")
    score = field_of(scores, scorer, dict, _NONE, within="scores.") or {}
    given = field_of(score, "answer", *KEY, within=f"scores.{scorer}.")
    text = _reply(sample)
    failed = bool(sample.get("error")) or is_failed_call(text, kind)
    answer, rule = (None, None) if failed else _given(given, text, kind, options)
    if not failed and answer is None:
        if _is_shuffled(header) and kind == "choice":
            if given is None:
                raise Bad(
                    "the options were shuffled and the scorer keeps no answer",
                    "a letter in the text is another option; log the scorer's answer",
                )
        else:
            # Some scorers keep the whole reply as the answer, in logs that keep it nowhere else.
            answer, rule = coding.code(text if text and text.strip() else str(given or ""), kind, options)
    gold, no_key = _gold(sample, kind, options)
    return {
        "epoch": _epoch(sample),
        "answer": answer,
        "rule": rule,
        "text": text if source.settings.keep_text else None,
        "failed": failed,
        "gold": gold,
        "no_key": no_key,
        "kind": kind,
        "options": options,
    }


def _given(given: Any, text: str | None, kind: str, options: tuple[str, ...] | None) -> tuple[str | None, str | None]:
    """(answer, rule) of what a scorer took for the answer; (None, None) where that is no label but a text, which is read as texts are."""
    if kind == "label" and isinstance(given, str):
        said = given.strip()
        # A reply of a few words is read as a text too, by the same rules.
        if not said or said == (text or "").strip() or short_label(said)[1] != "whole_text":
            return None, None
    answer = valid_answer(given, kind, options)
    return answer, None if answer is None else "scorer"


def _panel(sample_id: Any, rows: list[dict[str, Any]], name: str, header: dict[str, Any], source: Source) -> Iterator[Found]:
    bad = next((r for r in rows if "bad" in r), None)
    if bad:
        reason, mend = bad["bad"]
        raise Bad(reason if bad is rows[0] else f"record {bad['record']}, another epoch: {reason}", mend)
    if len({r["epoch"] for r in rows}) < len(rows):
        raise Bad("one epoch of a sample stands twice", "keep one run in a log")
    if len({r["gold"] for r in rows}) > 1:
        raise Bad("epochs of one sample have different keys", "a sample has one target")
    first = rows[0]
    if first["no_key"]:
        yield Note(f"{first['no_key']}: no key")
    answered = sorted((r for r in rows if not r["failed"]), key=lambda r: r["epoch"])
    if len(answered) < len(rows):
        yield Note("epochs that failed: absent")
    if not answered:
        raise Bad("every epoch of the sample failed", "run it again")
    if any(r["rule"] == "scorer" for r in answered):
        yield Note("answers as the scorer logged them")
    yield Debate(
        question_id=_question(sample_id, header),
        rounds=[[Agent(str(r["epoch"]), r["answer"], r["rule"] if r["rule"] != "scorer" else None, r["text"]) for r in answered]],
        gold=first["gold"],
        no_key="unread" if first["no_key"] else "",
        kind=first["kind"],
        file=name,
        record=first["record"],
        line=first["line"],
        benchmark=_task(header, source),
        model=_named(header, "model"),
        options=tuple(first["options"]) if first["options"] else None,
        n_rounds=0,
        n_agents=(planned := _planned(rows, header)),
        mode="panel" if planned > 1 else "single_agent",
        task=_named(header, "task"),
        is_coded=any(r["rule"] != "scorer" for r in answered),
    )


def _planned(rows: list[dict[str, Any]], header: dict[str, Any]) -> int:
    """How many epochs were planned; as many as there are, where the log does not tell."""
    found = whole_number(at(header, "eval.config.epochs"))
    return max(found or 0, len(rows))


def _mapped(
    sample: dict[str, Any], record: int, name: str, header: dict[str, Any], mapping: dict[str, Any], source: Source
) -> Iterator[Found]:
    """A sample of a multi-agent solver, one debate per epoch."""
    sample = _checked(sample)
    coding = source.coding
    entries = at(sample, mapping["agents"], MISSING)
    if not isinstance(entries, list):
        parent = at(sample, mapping["agents"].rpartition(".")[0], {})
        raise Bad(f"no list under {mapping['agents']}{_keys(parent)}", "correct `agents` of the mapping, or the sample failed")
    kind, options = _kind(sample, header, source)
    said: dict[str, dict[int, Any]] = {}
    where = mapping.get("where") or {}
    for place, entry in enumerate(entries):
        if any(at(entry, key) != wanted for key, wanted in where.items()):
            continue
        agent = at(entry, mapping["agent"])
        if isinstance(agent, bool) or not isinstance(agent, (str, int)) or not str(agent).strip():
            raise Bad(f"entry {place} without {mapping['agent']}{_keys(entry)}", "correct `agent` or `where` of the mapping")
        # Where an agent's entries are its rounds, its spellings count together.
        own = said.setdefault(str(agent) if "round" in mapping else source.whose().agent_of(str(agent)), {})
        number = len(own)
        if "round" in mapping:
            first = mapping.get("first_round", 0)
            given = whole_number(at(entry, mapping["round"]), first, first + MAX_ROUNDS)
            if given is None:
                raise Bad(
                    f"entry {place}: {mapping['round']} is no whole number from {first} on{_keys(entry)}",
                    "correct `round` or `first_round` of the mapping",
                )
            number = given - first
        if number in own:
            raise Bad(f"round {number} of an agent stands twice", "correct `round` of the mapping, or name with `where` what counts")
        own[number] = entry
    if entries and not said:
        raise Bad(f"no entry fits `where`{_keys(entries[0])}", "correct `where` of the mapping")
    agents = list(said)
    present = panels([said[a] for a in agents])

    with holding(len(present) - 1):

        def agent_of(agent: str, entry: Any) -> Agent:
            model = expect(at(entry, mapping["model"]), mapping["model"], str, _NONE) if "model" in mapping else None
            if "answer" in mapping:
                return coding.stated(agent, at(entry, mapping["answer"]), kind, options, model)
            return coding.agent(agent, text_of(at(entry, mapping["text"]), mapping["text"]), kind, options, model=model)

        if "answer" in mapping:
            for given in (at(e, mapping["answer"]) for own in said.values() for e in own.values()):
                expect(given, mapping["answer"], *KEY)
                yield from label_note(given, valid_answer(given, kind, options), kind)

        epoch = _epoch(sample)
        gold, no_key = _gold(sample, kind, options)
        if no_key:
            yield Note(f"{no_key}: no key")
        yield Debate(
            question_id=_question(sample["id"], header),
            debate_id=epoch,
            rounds=[[agent_of(agents[i], said[agents[i]][r]) for i in p] for r, p in enumerate(present)],
            gold=gold,
            no_key="unread" if no_key else "",
            kind=kind,
            file=name,
            record=record,
            benchmark=_task(header, source),
            model=None if "model" in mapping else _named(header, "model"),
            options=options,
            task=_named(header, "task"),
            is_coded="text" in mapping,
        )


def _keys(value: Any) -> str:
    """The first keys of an object, for a reason: names of fields, which are no texts of the log."""
    return f" (there are: {', '.join(str(k)[:40] for k in list(value)[:8])})" if isinstance(value, dict) and value else ""
