r"""Labels of more than a letter (words, names, formulas): which of them a text states.

What is not its author's own (thoughts before a reply, others' and former answers, the next question) is read over as in texts with
numbers. A whole sentence is never a label, so the last line of a text is one only behind "Answer:" and the like.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from debate_ledger.coder.asides import GIVEN_UP, Aside, next_question, others
from debate_ledger.coder.engine import folded
from debate_ledger.coder.expressions import unmarked
from debate_ledger.coder.read_over import THOUGHTS
from debate_ledger.importers.normalise import normalise_answer

#: More than this is a sentence, not a label.
MAX_LABEL, _MAX_WORDS = 80, 12
_THOUGHTS = re.compile(THOUGHTS)
_HEAD = re.compile(
    r"(?<![a-z'])(?P<other>(?:previous|earlier|old|initial|original|former|first|prior|second[ -]best|next[ -]best|alternative|incorrect|"
    r"wrong|worst) +)?(?:(?:final|correct|right|best|updated|revised|new) +)*answer(?: to [^.:\n]{1,60})?"
    r"(?: *[:=]|(?P<verb> +(?:is|remains|would be|should be|must be|will be)(?: +(?:still|therefore|thus|indeed|simply))*(?: *:)?)(?= )|"
    r"(?P<line> *(?=\n)))"
)
#: Only at the start of a line is a word without a colon a heading.
_HEADING = re.compile(r"(?:^|\n)[ #]*(?:the |my |final )*$")
_BLANKS = re.compile(r"[\s*_]*")
#: Where what is stated ends within its line: at a sentence end (of a word that is no abbreviation), or where a reason follows.
_END = re.compile(
    r"(?<=[a-z0-9)}\]$\"'*][a-z0-9)}\]$\"'*])[.!?;](?= |$)|,? (?:because|since)(?![a-z])|"
    r", (?:as|which|so|and|but|not|rather than)(?![a-z])|</|[?]? *(?:\n|$)"
)
#: Behind "the answer is": no label, but what is said of the answer.
_NO_LABEL = re.compile(
    r"(?:not|wrong|incorrect|correct|right|clear|obvious|that|in|to|from|based|given|found|as|because|what|where|when|how|also|therefore|"
    r"the same|supported|consistent|likely|still|now|one of|among|between|yet)(?![a-z])"
)
_REFUSED = re.compile(
    r"cannot|can't|can not|it depends|depends on|unable to|not enough information to|impossible to|not possible to|n/a(?![a-z])"
)
_SEVERAL = re.compile(r"either |[a-z0-9)}$*] or [a-z0-9({$\\*]")
_PRONOUN = re.compile(r"(?:I|We|It|You|They|He|She|There|Let's|Let us|i|we|it)(?:'[a-z]+)? [a-z]")
_FINITE = re.compile(
    r" (?:is|are|was|were|am|has|have|had|does|do|did|will|would|should|could|can|cannot|must|might|because|since|therefore|I|we|it's|"
    r"[a-z]+n't)(?![A-Za-z])"
)
_FORMULA = re.compile(r"\A\\[(\[](.*)\\[)\]]\Z")
_SMALL = re.compile(r"(?<![A-Za-z'])(?!(?:of|the|and|in|a|an|to|for|on|at|by|with)(?![a-z]))[a-z]{2,}")


def short_label(text: str) -> tuple[str | None, str | None]:
    r"""(label, rule) of a text that asks for words or a formula: the last box or "Answer: …", else the whole of a text of one short line.

    (None, None) where the last statement is a sentence, names several labels, or says that there is no answer.
    """
    text = _THOUGHTS.sub(lambda match: " " * len(match[0]), text)
    if not text.strip():
        return None, None
    marks = unmarked(folded(text, "normal"))
    lower = marks.text.lower()
    asides = others(lower)
    starts = [aside.start for aside in asides]
    found = [(end, "boxed", text[start:end]) for start, end in _boxes(marks.boxes, lower, asides, starts)]
    found += [(at, "stated", text[at : _end(text, at)]) for at in marks.tags]
    for match in _HEAD.finditer(lower):
        place = bisect_right(starts, match.start()) - 1
        is_theirs = match["other"] is not None or (place >= 0 and match.start() < asides[place].end)
        if is_theirs or (match["line"] is not None and not _HEADING.search(lower, max(0, match.start() - 20), match.start())):
            continue
        at = _BLANKS.match(text, match.end()).end()  # type: ignore[union-attr]
        end = _end(text, at)
        said = text[at:end]
        if text[end : end + 1] != "?" and not (match["verb"] and (_NO_LABEL.match(said.lower()) or _is_sentence(said))):
            found.append((match.end(), "stated", said))
    end = next_question(lower, sorted(at for at, *_ in found), [])
    found = sorted(one for one in found if one[0] <= end)
    given_up = [m.start() for m in GIVEN_UP.finditer(lower, 0, end) if m["of_all"] or not found]
    if found and not (given_up and given_up[-1] > found[-1][0]):
        return _label(found[-1][2], found[-1][1])
    # A text of one short line is the label itself; the last line of a longer one is any sentence.
    only = text.strip().strip("* ")
    if found or given_up or asides or "\n" in only or (only.endswith(".") and len(_SMALL.findall(only)) > 2):
        return None, None
    return _label(only, "whole_text")


def _boxes(boxes: list[tuple[int, int]], lower: str, asides: list[Aside], starts: list[int]) -> list[tuple[int, int]]:
    """The boxes that are their author's and hold something; the innermost one of several within each other."""
    kept = []
    for (start, end), (inner, _) in pairwise([*boxes, (len(lower) + 1, 0)]):
        place = bisect_right(starts, start) - 1
        is_theirs = place >= 0 and start < min(asides[place].end, asides[place].boxes_end)
        if inner >= end and not is_theirs and lower[start:end].strip() not in ("", "answer", "your answer", "final answer"):
            kept.append((start, end))
    return kept


def _end(text: str, at: int) -> int:
    # What goes on beyond this is too long anyway.
    match = _END.search(text, at, at + 3 * MAX_LABEL)
    return min(len(text), at + 3 * MAX_LABEL) if match is None else match.start()


def _is_sentence(said: str) -> bool:
    """Whether it is one, and no label: a pronoun with a verb, a verb of being or having, or too many words."""
    said = said.strip("* ")
    if len(said) > MAX_LABEL or len(said.split()) > _MAX_WORDS:
        return True
    # A formula may hold anything.
    return "\\" not in said and "$" not in said and (_PRONOUN.match(said) is not None or _FINITE.search(said) is not None)


def _label(said: str, rule: str) -> tuple[str | None, str | None]:
    lower = said.lower()
    if _is_sentence(said) or _REFUSED.search(lower) or _SEVERAL.search(lower) or said.endswith("?"):
        return None, None
    label = normalise_answer(_FORMULA.sub(r"\1", said.rstrip(". ")), "label")
    return (None, None) if label is None else (label, rule)
