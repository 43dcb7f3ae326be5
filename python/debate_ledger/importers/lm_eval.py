"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`. Repeats of a document are independent answers, a panel that never debated."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import (
    KEY,
    Agent,
    Aside,
    Bad,
    Coding,
    Debate,
    Found,
    Note,
    UnreadKey,
    expect,
    field_of,
    letters,
)
from debate_ledger.importers.lm_targets import OF_LIKELIHOODS, OF_TEXTS, Votes, is_right, listed, readings
from debate_ledger.importers.records import as_one, of_lines
from debate_ledger.importers.source import Source, stem
from debate_ledger.importers.streaming import BrokenFile, json_lines, opened

_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d{2}-\d{2}T.*))?")


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one document in memory at a time."""
    for path in source.logs():
        yield from as_one(_file(source.used(path), source))


def _file(path: Path, source: Source) -> Iterator[Found]:
    named = _NAME.fullmatch(stem(path))
    task = named["task"] if named else stem(path)
    benchmark = source.settings.benchmark or task
    # The harness writes into a folder named after the model, with __ for the slash.
    model = path.absolute().parent.name.replace("__", "/", 1) if "__" in path.absolute().parent.name else None
    name = source.name(path)
    wanted = source.settings.filter
    kept, n_kept, others = wanted, 0, dict[str, None]()
    votes = _votes(path, wanted, benchmark, source.coding)

    def debate(record: int, value: Any) -> Iterator[Found]:
        nonlocal kept, n_kept
        expect(value, "a row", dict)
        doc_id = str(field_of(value, "doc_id", str, int)).strip()
        if not doc_id:
            raise Bad("doc_id is blank", "every document has a number or a name")
        # Each filter writes every document once more, with the same replies; old logs have no such field.
        named = field_of(value, "filter", str, type(None))
        if named is not None:
            kept = kept or named
            if named != kept:
                others.setdefault(named)
                yield Aside(name, f"a row of another filter than {kept}")
                return
        elif wanted:
            yield Note("rows without the field filter, which are taken whatever --filter says")
        n_kept += 1
        row = _read(value, benchmark, source.coding)
        gold, reading = row.key(votes)
        if reading == "unread" and (found := row.key_of_two(is_right(value, "acc"))):
            gold, reading = found, "acc"
        yield from _notes(value, row, gold, reading)
        yield Debate(
            question_id=f"{task}_{doc_id}",
            rounds=[row.panel],
            gold=gold,
            kind=row.kind,
            file=name,
            record=record,
            benchmark=benchmark,
            model=model,
            options=row.options,
            n_rounds=0,
            # Repeats were planned, all of them.
            n_agents=len(row.panel),
            mode="panel" if len(row.panel) > 1 else "single_agent",
            task=task,
            no_key="unread" if reading == "unread" else "",
            is_coded=row.is_coded,
        )

    yield from of_lines(path, name, source, debate)
    if others and not n_kept:
        source.set_aside.append((name, f"no row of the filter {wanted}: --filter is one of {', '.join(others)}"))


@dataclass
class _Row:
    """What a row holds: its panel, and its target with the letters that it may mean."""

    panel: list[Agent]
    target: Any
    kind: str
    options: tuple[str, ...] | None
    is_coded: bool
    #: Log-likelihoods that are no numbers.
    n_unknown: int = 0
    letters: dict[str, str] | None = None
    #: The key where it is no letter.
    gold: str | UnreadKey | None = None

    def key(self, votes: Votes) -> tuple[str | UnreadKey | None, str]:
        """The key, and how it was read: "" where it is no letter, or there is none, "unread" where none of the readings fits."""
        if isinstance(self.target, list):
            return None, "unread"
        if self.letters is None or self.target is None or (isinstance(self.target, str) and not self.target.strip()):
            return self.gold, ""
        for reading in votes.order(OF_TEXTS if self.is_coded else OF_LIKELIHOODS):
            if reading in self.letters:
                return self.letters[reading], reading
        return None, "unread"

    def key_of_two(self, right: bool | None) -> str | None:
        """The key of a row of two options that says whether its answer is right: the answer, or the other one."""
        answer = self.panel[0].answer
        if self.is_coded or right is None or answer is None or isinstance(self.target, list) or len(self.options or ()) != 2:
            return None
        return answer if right else next(o for o in self.options or () if o != answer)


def _votes(path: Path, wanted: str, task: str, coding: Coding) -> Votes:
    """What the rows say about how their targets are to be read: a look at the whole file before its first debate, if targets may differ.

    What cannot be read says nothing here, and is told when its turn comes.
    """
    votes = Votes()
    try:
        with opened(path) as file:
            for _, value, broken in json_lines(file):
                if broken or not isinstance(value, dict) or (wanted and value.get("filter") not in (wanted, None)):
                    continue
                if is_right(value, "acc") is None and is_right(value, "exact_match") is None:
                    continue
                try:
                    row = _read(value, task, coding)
                except (Bad, RecursionError):
                    continue
                if row.letters is None:
                    # The rows of a file are of one task.
                    return votes
                votes.see(row.letters, row.panel[0].answer, is_right(value, "exact_match" if row.is_coded else "acc"))
    except BrokenFile:
        pass
    return votes


def _notes(value: dict[str, Any], row: _Row, gold: str | None, reading: str) -> Iterator[Note]:
    if row.n_unknown:
        yield Note("rows with log-likelihoods that are no numbers: such an option is not the answer")
    if reading == "unread":
        what = "several targets" if isinstance(row.target, list) else "a target that is no letter, no place and no text of an option"
        yield Note(f"{what}: no key")
    if reading == "acc":
        yield Note("keys told by acc: of two options the answer where it is 1, else the other")
    if reading == "place from 1":
        yield Note("keys read as places from 1, since the rows' own scores say so")
    right, answer = None if row.is_coded else is_right(value, "acc"), row.panel[0].answer
    if right is not None and None not in (gold, answer) and (answer == gold) != right:
        yield Note("rows whose acc contradicts their answer and key: look whether the key is read as the task means it")


def _is_likelihood(reply: Any) -> bool:
    """Is a reply the log-likelihood of a request? The harness writes (number, is it greedy), as numbers or as texts."""
    return isinstance(reply, list) and len(reply) == 2 and str(reply[1]) in ("True", "False", "0", "1") and _number(reply[0]) is not None


def _number(value: Any) -> float | None:
    """A log-likelihood; NaN where it is none (bare tokens of no number are null), None for what is no number at all."""
    if value is None:
        return math.nan
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _choices(doc: Any) -> list[Any] | None:
    """Texts of the options: `choices` of a document as a list or as {text, label}, `options`, or `endings`."""
    for key in ("choices", "options", "endings") if isinstance(doc, dict) else ():
        found = doc.get(key)
        found = found.get("text") if isinstance(found, dict) else found
        if isinstance(found, list) and found:
            return found
    return None


def _continuations(value: dict[str, Any]) -> list[str]:
    """What the harness asked the likelihood of, by request; arguments are lists of (context, continuation), or objects in newer logs."""
    arguments = value.get("arguments")
    requests = list(arguments.values()) if isinstance(arguments, dict) else arguments if isinstance(arguments, list) else []
    found = [r.get("arg_1") if isinstance(r, dict) else r[1] if isinstance(r, list) and len(r) == 2 else None for r in requests]
    return [str(f) for f in found] if all(isinstance(f, str) for f in found) else []


def _read(value: dict[str, Any], task: str, coding: Coding) -> _Row:
    """The panel and the target of a row. Raises Bad."""
    replies, choices = field_of(value, "resps", list), _choices(field_of(value, "doc", dict, type(None)))
    if not replies or not all(expect(r, f"resps[{i}]", list) for i, r in enumerate(replies)):
        raise Bad("resps holds no reply", "resps is a list of lists of replies: run the document again, or leave it out")
    target = listed(expect(value.get("target"), "target", *KEY, list))
    if isinstance(target, list):
        for i, one in enumerate(target):
            expect(one, f"target[{i}]", *KEY)
        target = target[0] if len(target) == 1 else target or None
    if _is_likelihood(replies[0][0]):
        return _of_likelihoods(replies, target, choices, _continuations(value))
    if len(replies) > 1:
        raise Bad(f"{len(replies)} requests with texts", "a generation task has one request per document, its repeats are the inner list")
    texts = replies[0]
    if any(isinstance(t, list) for t in texts):
        raise Bad("replies of which only some are log-likelihoods", "a log-likelihood is (number, true or false), the same for all")
    for k, text in enumerate(texts):
        expect(text, f"resps[0][{k}]", str, type(None))
    labels = coding.options(letters(len(choices)) if choices else None)
    is_letter = labels is not None and coding.settings.kind in ("auto", "choice")
    first = target[0] if isinstance(target, list) else target
    kind = "choice" if is_letter else coding.kind(first, task, place="target")
    options = labels if is_letter else None
    panel = [coding.agent(str(k + 1), text, kind, options) for k, text in enumerate(texts)]
    if is_letter and labels:
        return _Row(panel, target, kind, options, True, letters=readings(target, labels, choices))
    return _Row(panel, target, kind, options, True, gold=None if isinstance(target, list) else coding.gold(target, kind))


def _of_likelihoods(replies: list[list[Any]], target: Any, choices: list[Any] | None, continuations: list[str]) -> _Row:
    """A panel of the options with the greatest log-likelihood, one agent per repeat. Raises Bad."""
    if any(not _is_likelihood(reply) for request in replies for reply in request) or len({len(r) for r in replies}) > 1:
        raise Bad("requests without one log-likelihood each", "every option has (log-likelihood, is greedy) per repeat")
    if choices and len(choices) != len(replies):
        raise Bad(
            f"{len(replies)} log-likelihoods for {len(choices)} options",
            "leave the task out: only tasks with one request per option are read",
        )
    if len(replies) == 1:
        raise Bad("a single log-likelihood, which chooses between no options", "leave the task out: only tasks of several options are read")
    scores = [[_number(reply[0]) or 0.0 for reply in request] for request in replies]
    labels = letters(len(scores))
    panel = []
    for k in range(len(scores[0])):
        known = [i for i in range(len(scores)) if not math.isnan(scores[i][k])]
        # As the harness does: the first of equal ones.
        panel.append(Agent(str(k + 1), labels[max(known, key=lambda i, k=k: scores[i][k])] if known else None))
    unknown = sum(math.isnan(s) for request in scores for s in request)
    texts = choices or (continuations if len(continuations) == len(labels) else None)
    return _Row(panel, target, "choice", labels, False, unknown, readings(target, labels, texts))
