"""Python's engine of the answer coder: runs the rules of ``coder.rules`` over one text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from debate_ledger.coder.characters import FOLDS, LETTERS_OF
from debate_ledger.coder.expressions import before_folding
from debate_ledger.coder.numbers import find_number, read_number
from debate_ledger.coder.parts import AFTER, ANY_WORDS, BEFORE, NAMES_SEVERAL, NONE, WORDS
from debate_ledger.coder.patterns import BARE, LABEL, OPTIONS_IN_ORDER, Profile, ReadOver
from debate_ledger.coder.read_over import FIRST_ANSWERED
from debate_ledger.coder.robust import YES_NO, YES_NO_LABEL
from debate_ledger.coder.rules import DEFAULT_OPTIONS, KINDS, PROFILES


@dataclass(frozen=True, slots=True)
class Coded:
    """One decision: the answer, the rule that found it, and where it stands in the text (characters, end excluded).

    Without an answer ``answer``, ``rule``, ``start`` and ``end`` are None. ``unit`` is that of a number, as written.
    """

    answer: str | None = None
    rule: str | None = None
    start: int | None = None
    end: int | None = None
    kind: str = "choice"
    unit: str | None = None


_LETTERS = str.maketrans(LETTERS_OF)
_ASCII_FOLD = re.compile("[\t\x0b\x0c\r\x1c-\x1f]")
_IN_ORDER = re.compile(OPTIONS_IN_ORDER)
_BARE = re.compile(BARE)
_LABEL = re.compile(LABEL)
_WORDS = re.compile(YES_NO_LABEL)
_NONE, _SEVERAL = re.compile(NONE), re.compile(NAMES_SEVERAL)


def code_answer(text: str | None, options: Sequence[str] | None = None, profile: str = "robust", kind: str = "choice") -> Coded:
    """The answer that a text states.

    ``options`` are the question's own labels (a text of single letters will do); a label is compared in upper case and returned as the
    option is written. Without options: A–J for a choice, any letter or number of up to two digits for a label. ``kind`` is one of
    "choice", "label", "yes_no" and "number"; the last two have no options, and a yes_no is "yes" or "no" (true and false are read as
    these). The published profiles and ``last_bracketed`` know choices and labels only.

    Raises ``ValueError`` for an unknown profile or kind, and for options that are empty or the same.
    """
    if profile not in PROFILES:
        raise ValueError(f"no profile {profile!r}: choose one of {', '.join(PROFILES)}")
    if kind not in KINDS:
        raise ValueError(f"no kind of answer {kind!r}: choose one of {', '.join(KINDS)}")
    if kind in ("yes_no", "number") and profile != "robust":
        raise ValueError(f"the profile {profile!r} reads choices and labels only; take 'robust' for the kind {kind!r}")
    if not text:
        return Coded(kind=kind)
    if kind == "number":
        return _number(text)
    if kind == "yes_no":
        found = _decide(text, {}, YES_NO, _WORDS)
    else:
        labels = _labels(tuple(options) if options is not None else DEFAULT_OPTIONS[kind])
        found = _decide(text, labels, PROFILES[profile], _LABEL)
    return Coded(kind=kind) if found is None else Coded(*found, kind=kind)


@cache
def _labels(options: tuple[str, ...]) -> dict[str, str]:
    """Label in upper case → option as written, in the order of the options."""
    labels = {option.strip().upper(): option.strip() for option in options}
    if not labels or "" in labels or len(labels) < len(options):
        raise ValueError(f"options {list(options)!r} hold an empty or a repeated label, or none at all: give each option one label")
    return labels


#: The database takes a time that grows with the length of a text. Here a phrase that is repeated ("answer: answer: …") would be taken
#: apart anew from each of its words: so what may stand between a head and its label ends after as many parts, and what has one reading
#: only is not taken apart again.
_FAR = 60
_IN_PYTHON = {
    AFTER: rf"(?:[ \n]++|{AFTER.removeprefix('(?:').removesuffix('*')}{{0,{_FAR}}}+",
    BEFORE: f"{BEFORE.removesuffix('*')}{{0,{_FAR}}}",
    ANY_WORDS: f"{ANY_WORDS.removesuffix('*?')}{{0,{_FAR}}}?",
    WORDS: f"{WORDS.removesuffix('*')}{{0,{_FAR}}}",
    FIRST_ANSWERED: f"(?>{FIRST_ANSWERED})",
}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for unbounded, bounded in _IN_PYTHON.items():
        pattern = pattern.replace(unbounded, bounded)
    return re.compile(pattern)


def folded(text: str, folds: str) -> str:
    """A text with its characters folded, one for one."""
    if folds == "none" or (text.isascii() and (folds == "published" or _ASCII_FOLD.search(text) is None)):
        return text
    for characters, target in FOLDS[folds]:
        text = _compiled(f"[{characters}]").sub(target, text)
    return text.translate(_LETTERS) if folds == "normal" else text


def prepared(text: str, folds: str) -> str:
    """A text as the patterns want it: folded, with a line end on both sides, and each line end doubled."""
    return "\n" + folded(text, folds).replace("\n", "\n\n") + "\n"


def read_over(text: str, patterns: Sequence[ReadOver]) -> tuple[str, list[list[tuple[int, int]]]]:
    """A prepared text without what is not its author's own statement, and the cuts of each pattern (place, how much is gone)."""
    all_cuts = []
    for over in patterns:
        parts, cuts, length, done = [], [], 0, 0
        for match in _compiled(over.pattern).finditer(text) if any(sign in text for sign in over.signs or ("",)) else ():
            # A group comes first in its pattern, and stays.
            start = match.end(match.lastindex) if match.lastindex else match.start()
            parts += [text[done:start], over.mark]
            length += start - done + len(over.mark)
            done = match.end()
            cuts.append((length, done - length))
        text = "".join([*parts, text[done:]])
        all_cuts.append(cuts)
    return text, all_cuts


def _decide(text: str, labels: dict[str, str], profile: Profile, label: re.Pattern[str]) -> tuple[str, str, int, int] | None:
    padded = prepared(text, profile.folds)
    own, all_cuts = read_over(padded, profile.read_over) if profile.read_over else (padded, [])
    valid = labels if profile.labels is None else dict(profile.labels)
    for rule in profile.rules:
        found = _TAKES[rule.take](_compiled(rule.pattern), own, valid, label)
        if found == STOP:
            return None
        if found is not None:
            answer, at, end = found
            length = end - at
            # Back to the places of the text: with what was read over, without the padding, and with single line ends.
            for cuts in reversed(all_cuts):
                at += next((less for place, less in reversed(cuts) if place <= at), 0)
            start = at - 1 - padded.count("\n", 1, at) // 2
            return answer, rule.name, start, start + length
    return None


Found = tuple[str, int, int] | None
#: What a take returns where the search ends without an answer.
STOP = ("", -1, -1)


def _of_match(match: re.Match[str], label: re.Pattern[str]) -> tuple[str, int, int]:
    """Label in upper case, and its span, of the first group that took part; no label where none did."""
    inner = label.search(match.string, *match.span(match.lastindex)) if match.lastindex else None
    return ("", 0, 0) if inner is None else (inner[0].upper(), *inner.span())


def _first(pattern: re.Pattern[str], text: str, valid: dict[str, str], label: re.Pattern[str]) -> Found:
    match = pattern.search(text)
    if match is None:
        return None
    name, *span = _of_match(match, label)
    return (valid[name], *span) if name in valid else None


def _last(pattern: re.Pattern[str], text: str, valid: dict[str, str], label: re.Pattern[str]) -> Found:
    found = None
    for match in pattern.finditer(text):
        name, *span = _of_match(match, label)
        if name in valid:
            found = (valid[name], *span)
    return found


def _stated(pattern: re.Pattern[str], text: str, valid: dict[str, str], label: re.Pattern[str]) -> Found:
    found = None
    for match in pattern.finditer(text):
        name, *span = _of_match(match, label)
        group = match[match.lastindex] if match.lastindex else ""
        if _NONE.match(group) or (name in valid and _SEVERAL.match(group)):
            found = STOP
        elif name in valid:
            found = (valid[name], *span)
    return found


def _run(pattern: re.Pattern[str], text: str, valid: dict[str, str], label: re.Pattern[str]) -> Found:
    found = None
    for match in pattern.finditer(text):
        # Every second character is a letter.
        for place in range(match.start(1), match.end(1), 2):
            if text[place] in valid:
                found = (valid[text[place]], place, place + 1)
    return found


def _unlisted(pattern: re.Pattern[str], text: str, valid: dict[str, str], label: re.Pattern[str], only: bool = False) -> Found:
    order = list(valid)
    spans, places = [], ""
    for match in pattern.finditer(text):
        name, *span = _of_match(match, label) if match.lastindex and _BARE.fullmatch(match[match.lastindex]) else ("", 0, 0)
        spans.append(span)
        places += chr(65 + order.index(name)) if name in valid else "-"
    kept = _IN_ORDER.sub(lambda row: "-" * len(row[0]), places).rstrip("-")
    if only and len(set(kept) - {"-"}) > 1:
        return None
    return (valid[order[ord(kept[-1]) - 65]], *spans[len(kept) - 1]) if kept else None


def _only(pattern: re.Pattern[str], text: str, valid: dict[str, str], label: re.Pattern[str]) -> Found:
    return _unlisted(pattern, text, valid, label, only=True)


_TAKES = {"first": _first, "last": _last, "stated": _stated, "run": _run, "unlisted": _unlisted, "only": _only}


def bare_number(text: str) -> Fraction | None:
    """The value of a text that is a number and nothing else, such as an answer key; None for any other text.

    It reads the spellings that ``code_answer`` reads in texts, by the same rules. A percent sign and money are no part of the value; a
    text with a unit or an equation is none.
    """
    return read_number(folded(before_folding(text), "normal"))


def _number(text: str) -> Coded:
    found = find_number(folded(before_folding(text), "normal"))
    if found is None:
        return Coded(kind="number")
    answer, rule, start, end, unit = found
    return Coded(answer, rule, start, end, "number", unit)
