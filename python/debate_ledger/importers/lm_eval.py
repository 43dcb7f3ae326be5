"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`. Repeats of a document are independent answers, a panel that never debated."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    expect,
    field_of,
    letters,
    valid_answer,
)
from debate_ledger.importers.normalise import normalise_answer
from debate_ledger.importers.records import of_lines
from debate_ledger.importers.source import Source, stem

_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d{2}-\d{2}T.*))?")


def read(source: Source) -> Iterator[Found]:
    """Debates of each file, one document in memory at a time."""
    for path in source.logs():
        yield from _file(source.used(path), source)


def _file(path: Path, source: Source) -> Iterator[Found]:
    named = _NAME.fullmatch(stem(path))
    task = source.settings.benchmark or (named["task"] if named else stem(path))
    # The harness writes into a folder named after the model, with __ for the slash.
    model = path.absolute().parent.name.replace("__", "/", 1) if "__" in path.absolute().parent.name else None
    name = source.name(path)
    wanted = source.settings.filter
    kept, n_kept, others = wanted, 0, dict[str, None]()

    def debate(record: int, value: Any) -> Iterator[Found]:
        nonlocal kept, n_kept
        expect(value, "a row", dict)
        doc_id = field_of(value, "doc_id", str, int)
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
        panel, gold, kind, options, is_coded = _panel(value, task, source.coding)
        yield Debate(
            question_id=f"{task}_{doc_id}",
            rounds=[panel],
            gold=gold,
            kind=kind,
            file=name,
            record=record,
            benchmark=task,
            model=model,
            options=options,
            n_rounds=0,
            is_coded=is_coded,
        )

    yield from of_lines(path, name, source, debate)
    if others and not n_kept:
        source.set_aside.append((name, f"no row of the filter {wanted}: --filter is one of {', '.join(others)}"))


def _likelihood(reply: Any) -> float | None:
    """The log-likelihood of a request, which the harness writes as (number, is it greedy), as numbers or as texts; None for a text."""
    if isinstance(reply, (list, tuple)) and len(reply) == 2 and str(reply[1]) in ("True", "False", "0", "1"):
        try:
            return float(reply[0])
        except (TypeError, ValueError):
            return None
    return None


def _choices(doc: Any) -> list[Any] | None:
    """Texts of the options of a document: `choices` as a list or as {text, label}, `options`, or `endings`."""
    if not isinstance(doc, dict):
        return None
    for key in ("choices", "options", "endings"):
        found = doc.get(key)
        found = found.get("text") if isinstance(found, dict) else found
        if isinstance(found, list) and found:
            return found
    return None


def _panel(value: dict[str, Any], task: str, coding: Coding) -> tuple[list[Agent], str | None, str, tuple[str, ...] | None, bool]:
    """(agents, key, kind, options, were texts coded?) of a row."""
    replies, choices = field_of(value, "resps", list), _choices(field_of(value, "doc", dict, type(None)))
    if not replies or not all(expect(r, f"resps[{i}]", list) for i, r in enumerate(replies)):
        raise Bad("resps holds no reply", "resps is a list of lists of replies: run the document again, or leave it out")
    target = expect(value.get("target"), "target", *KEY, list)
    if isinstance(target, list):
        if len(target) != 1:
            raise Bad(f"target is a list of {len(target)}", "a debate has one key: write target as that")
        target = expect(target[0], "target[0]", *KEY)
    if _likelihood(replies[0][0]) is not None:
        scores = [[_likelihood(reply) for reply in request] for request in replies]
        if any(s is None or s != s for request in scores for s in request) or len({len(r) for r in scores}) > 1:
            raise Bad("requests without one log-likelihood each", "every option has (log-likelihood, is greedy) per repeat")
        if choices and len(choices) != len(scores):
            raise Bad(
                f"{len(scores)} log-likelihoods for {len(choices)} options",
                "leave the task out: only tasks with one request per option are read",
            )
        labels = letters(len(scores))
        # As the harness does: the first of equal ones.
        best = [max(range(len(scores)), key=lambda i, k=k: scores[i][k]) for k in range(len(scores[0]))]
        panel = [Agent(str(k + 1), labels[i]) for k, i in enumerate(best)]
        return panel, _letter(target, labels, choices), "choice", labels, False
    if len(replies) > 1:
        raise Bad(f"{len(replies)} requests with texts", "a generation task has one request per document, its repeats are the inner list")
    texts = replies[0]
    if any(isinstance(t, list) for t in texts):
        raise Bad("replies of which only some are log-likelihoods", "a log-likelihood is (number, true or false), the same for all")
    for k, text in enumerate(texts):
        expect(text, f"resps[0][{k}]", str, type(None))
    labels = coding.options(letters(len(choices)) if choices else None)
    is_letter = labels is not None and coding.settings.kind in ("auto", "choice")
    kind = "choice" if is_letter else coding.kind(target, task, place="target")
    gold = _letter(target, labels, choices) if is_letter else coding.gold(target, kind)
    options = labels if is_letter else None
    return [coding.agent(str(k + 1), text, kind, options) for k, text in enumerate(texts)], gold, kind, options, True


def _letter(target: Any, labels: tuple[str, ...], choices: list[Any] | None) -> str | None:
    """The key's letter: of a place from 0, of an option's text, or the letter itself. Raises Bad for a key that is none of the options."""
    if target is None or (isinstance(target, str) and not target.strip()):
        return None
    if isinstance(target, str) and choices and [str(c).strip() for c in choices].count(target.strip()) == 1:
        return labels[[str(c).strip() for c in choices].index(target.strip())]
    if (
        isinstance(target, (int, str))
        and not isinstance(target, bool)
        and re.fullmatch(r"\s*\d{1,2}\s*", str(target))
        and int(target) < len(labels)
    ):
        return labels[int(target)]
    found = valid_answer(target, "choice", labels) if normalise_answer(target, "choice") else None
    if found is None:
        raise Bad("the key is none of the options", "the key is a letter, a place from 0 on, or the text of an option")
    return found
