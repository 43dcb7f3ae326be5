"""Number answers: which of the numbers of a text is its answer, and the normal form of a number."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from debate_ledger.coder.asides import GIVEN_UP, Aside, next_question, others
from debate_ledger.coder.expressions import Expression, expressions, unmarked
from debate_ledger.coder.parts import BEFORE, NOUN, VERB
from debate_ledger.coder.patterns import ci
from debate_ledger.coder.read_over import THOUGHTS

#: Powers of ten beyond this stay written as powers.
MAX_EXPONENT = 30
Number = tuple[str, str, int, int, str | None]

# What a text says about its numbers. In Python alone, so what stands before and behind may be looked at. -----------------------------

#: What is read over is written as this, so that a text stays as long as it is.
_OVER = "\x02"
_THOUGHTS = re.compile(THOUGHTS)
_NUMBERED = (
    "step|agent|debater|assistant|round|figure|fig|table|question|problem|equation|eqn|eq|section|chapter|method|approach|solution|"
    "response|iteration|turn|example|theorem|lemma|exercise|option|choice|case|part"
)
_LABEL_NUMBER = r"#?\(?[0-9]{1,3}(?:\.[0-9]+)*\)?"
#: Numbers that count steps, agents and the like.
_LABELS = re.compile(
    rf"(?<![A-Za-z])(?:(?:{_NUMBERED})s ?{_LABEL_NUMBER}"
    rf"(?:(?:, and|,| and| or| to|-|,? ?&) ?(?:(?:{_NUMBERED}) )?{_LABEL_NUMBER}){{0,8}}"
    rf"|(?:{_NUMBERED})\.? ?{_LABEL_NUMBER}|(?:from|by|using|in|see) \([0-9]{{1,2}}\))(?![0-9A-Za-z(]|[.,:/^-][0-9]| ?[=*/+^])"
    # Numbers of headings.
    r"|(?:(?<=\n)|^)#+ *[0-9]{1,2}(?:\.[0-9]{1,2})*[.):](?= +[^ \n])"
)
#: Letters of options.
_OPTIONS = re.compile(r"(?<![0-9A-Za-z])\(?[A-J]\)(?= )")
#: "1." and "(1)" before what they number.
_MARKERS = re.compile(r"(?:(?:(?<=\n)|^) *(?P<mark>)[(\[]?(?P<line>[0-9]{1,2})[.):\]]|(?<=[ \n])\((?P<inline>[0-9]{1,2})\))(?= +[^ \n])")
_NEGATED = re.compile(
    r"(?:(?<![A-Za-z])(?i:not|never|nor|neither|cannot|instead of|rather than|no longer|unlike|except|than)|n't)"
    r"(?: (?i:be|the|a|an|equals?|to|simply|just|exactly|is|was|get|actually|really|necessarily))* *\(?$"
)
#: Before an equation: it is where something starts, not where it leads to.
_GIVEN = re.compile(r"(?<![A-Za-z])(?i:when|if|for|where|let|at|suppose|assuming|assume|with|given|while) *$")
_WRONG = re.compile(
    r"[ )]*,? (?i:(?:which |that )?(?:is|was|are|were|would be|seems|must be|appears)(?: (?:also|clearly|obviously|definitely|therefore|"
    r"simply|just|actually))* (?:not (?:the |a )?(?:correct|right|final|answer|solution|true)|incorrect|inaccurate|wrong|false|mistaken|"
    r"ruled out|impossible|too (?:high|low|large|small|big)))(?![A-Za-z])"
)

#: A statement, by how far what follows can be trusted: after a weak one only a number with which the sentence ends.
_HEADS = re.compile(
    rf"(?P<strong>{NOUN}{BEFORE}(?:,[^,.;:\n]{{1,80}},)?{VERB}|{ci('final answer')}[ _]|"
    r"(?:(?<=\n)|^)[ #]*(?i:(?:the |my )?(?:final )?answer) *(?=\n))"
    rf"|(?P<total>{ci('(?:total|result) is')}[ _])|(?P<weak>{ci('(?:therefore,?|equals)')}[ _])|(?P<hashes>(?<!#)####(?!#))"
)
_TO = re.compile(r"(?i: (?:to|as))[^A-Za-z]*$")
#: What may stand between the head and the number.
_AFTER = re.compile(
    r"(?:[ \n:,=\u2248]++|\\approx|\([A-Z]\)|\(|(?i:the|approximately|approx|about|around|roughly|is|be|total|exactly|precisely|"
    r"equal to|equals|therefore|thus|then|simply|just|now|still|indeed|only|again|also|number|value|of|given by|"
    r"USD|US)(?=[ :,=\n$])){0,12}+"
)
_ENDS = re.compile(r"[ )\]}]*(?:[.!?;](?![0-9])|\n|$)")
_REST = re.compile(r"[ .%]*")


#: Characters of the longest text that may be one number.
_LONGEST = 1000
#: What may stand around it.
_WRAPPED = re.compile(
    r"(?:\*\*(.*)\*\*|\$\$((?:\\\$|[^$])*[^$ ])\$\$|\$((?:\\\$|[^$])*[^$ ])\$|\\\((.*)\\\)|\\\[(.*)\\\]|"
    r"\\(?:boxed|text|textbf|mathrm|mathbf)\{(.*)\})(%?\.?)"
)
_BRACKETED = re.compile(r"\A\(([^()]*)\)(?=\.?\Z)")


def find_number(text: str) -> Number | None:
    """Normal form, rule, span and unit of the number that a text states: the last stated one, else the last one at all.

    ``text`` is folded. None also where the last statement states no number that is understood, or several, or says that there is none.
    """
    # A box or an answer in the thoughts before a reply is not the reply's.
    plain, boxes, tags = unmarked(_without(text, [match.span() for match in _THOUGHTS.finditer(text)]))
    # Folding left no letter that is longer in lower case.
    asides = others(plain.lower())
    spoken = _without(plain, [aside[:2] for aside in asides])
    lower = spoken.lower()
    markers = _markers(spoken)
    labels = [match.span() for match in _LABELS.finditer(lower)] + [match.span() for match in _OPTIONS.finditer(spoken)]
    found = list(expressions(_without(spoken, markers + labels)))
    own = _boxes_of_author(boxes, plain, asides)
    statements = _stated(spoken, plain, found, {start for start, _ in markers}, own, tags)
    end = next_question(
        lower, [s.end for s in statements if s.expression.value is not None], [s.end for s in statements if s.name == "hashes"]
    )
    statements = [s for s in statements if s.end <= end]
    rule, chosen = "stated", statements[-1].expression if statements else None
    if chosen is None:
        left = [e for e in found if e.has_digits and e.end <= end and not _is_refused(spoken, e) and not _is_given(spoken, e)]
        rule, chosen = "last_number", left[-1] if left else None
    if chosen is None or chosen.value is None:
        return None
    unit = None if chosen.unit is None else plain[slice(*chosen.unit)].replace(" ^", "^")
    unit = "°" if unit is not None and "circ" in unit else unit
    return normal_form(chosen.value, chosen.is_quotient), rule, *chosen.span, unit


def read_number(text: str) -> Fraction | None:
    """The value of a folded text that is a number and nothing else (a percent sign, money, marks and a full stop apart); else None."""
    text = re.sub("[ \n]+", " ", text).strip().removeprefix("####").lstrip(" ")
    if len(text) > _LONGEST:
        return None
    for _ in range(3):
        match = _WRAPPED.fullmatch(text)
        text = text if match is None else "".join(group or "" for group in match.groups()).strip(" ")
    text = _BRACKETED.sub(r"\1", text).removesuffix(".")
    plain = unmarked(text).text
    if plain != text.replace("\\$", " $").replace("\\%", " %"):
        # There are marks within.
        return None
    plain = plain.strip(" ")
    found = list(expressions(plain))
    is_whole = len(found) == 1 and found[0].is_bare and (found[0].start, found[0].end) == (0, len(plain))
    return found[0].value if is_whole else None


def normal_form(value: Fraction, is_quotient: bool = False) -> str:
    r"""A number as text: no thousands separators, no zeros that say nothing; what is written as a fraction in lowest terms.

    9.0 and 9 are "9", 1,000 is "1000", 2.50 is "2.5", -0 is "0", 6/8 and \frac{6}{8} are "3/4", 1.2e3 is "1200". Beyond
    ``MAX_EXPONENT`` powers of ten stay written as powers.
    """
    found = None if is_quotient else decimal_of(value)
    if found is None:
        return str(value)
    figures, power = found
    return f"{figures}e{power}" if abs(power) > MAX_EXPONENT else written_out(figures, power)


def decimal_of(value: Fraction) -> tuple[str, int] | None:
    """Figures (a whole number, with its sign and without zeros at its end) and power of ten; None where no decimal ends."""
    rest, places = value.denominator, [0, 0]
    for at, factor in enumerate((2, 5)):
        while rest % factor == 0:
            rest, places[at] = rest // factor, places[at] + 1
    if rest != 1:
        return None
    digits = str(value.numerator * 10 ** max(places) // value.denominator)
    figures = digits.rstrip("0")
    return (figures, len(digits) - len(figures) - max(places)) if figures else ("0", 0)


def written_out(figures: str, power: int) -> str:
    """The plain decimal of figures times a power of ten."""
    sign, digits = ("-", figures[1:]) if figures[0] == "-" else ("", figures)
    if power >= 0:
        return sign + digits + "0" * power
    digits = digits.rjust(1 - power, "0")
    return f"{sign}{digits[:power]}.{digits[power:]}"


def _markers(text: str) -> list[tuple[int, int]]:
    """Where the parts of a list are numbered: in rows that count from 1 on."""
    places, last = [], {"line": 0, "inline": 0}
    for match in _MARKERS.finditer(text):
        name = "line" if match["line"] else "inline"
        if int(match[name]) in (1, last[name] + 1):
            last[name] = int(match[name])
            places.append((match.start("mark") if match["line"] else match.start(), match.end()))
    return places


def _without(text: str, places: list[tuple[int, int]]) -> str:
    if not places:
        return text
    characters = list(text)
    for start, end in places:
        characters[start:end] = _OVER * (end - start)
    return "".join(characters)


def _is_refused(text: str, expression: Expression) -> bool:
    before = text[max(0, expression.start - 60) : expression.start]
    return _NEGATED.search(before) is not None or _WRONG.match(text, expression.end) is not None


def _is_given(text: str, expression: Expression) -> bool:
    """Whether "x = 2" is said of what something holds for."""
    start, end = expression.start, expression.end
    return "=" in text[start:end] and _GIVEN.search(text[max(0, start - 20) : start]) is not None


class Statement(NamedTuple):
    """What a text states at a place: one number, or an expression without a value where that is none, several or not understood."""

    end: int
    name: str
    expression: Expression


_NOTHING = Expression(0, 0, False)


def _boxes_of_author(boxes: list[tuple[int, int]], text: str, asides: list[Aside]) -> list[tuple[int, int]]:
    """The boxes that are not in a clause of what others say, that hold something, and are not refused."""
    starts = [aside.start for aside in asides]
    kept = []
    for (start, end), (inner, _) in pairwise([*boxes, (len(text) + 1, 0)]):
        if inner < end:
            # Of boxes within a box the innermost one counts.
            continue
        place = bisect_right(starts, start) - 1
        is_theirs = place >= 0 and start < asides[place].end and start < asides[place].boxes_end
        if not is_theirs and text[start:end].strip() and not _PLACEHOLDER.fullmatch(text, start, end):
            kept.append((start, end))
    return kept


def _stated(
    text: str, plain: str, found: list[Expression], markers: set[int], boxes: list[tuple[int, int]], tags: list[int]
) -> list[Statement]:
    """What each statement states, in their order."""
    starts = [e.start for e in found]
    statements = _boxed(plain, found, starts, boxes)
    first_box = statements[0].end if statements else len(text) + 1
    heads = [(match.end(), match.lastgroup, match.start()) for match in _HEADS.finditer(text)] + [(at, "strong", at) for at in tags]
    for at, name, other in heads:
        skipped = _AFTER.match(text, at)
        if name == "strong" and skipped is not None and skipped.end() in markers:
            # "Answer: 1. …" begins a list.
            statements.append(Statement(at, "list", _NOTHING))
            continue
        place = bisect_left(starts, at)
        expression = found[place] if place < len(found) else None
        if expression is None or not _AFTER.fullmatch(text, at, expression.start) or _is_refused(text, expression):
            continue
        is_end = _ENDS.match(text, expression.end) is not None
        if name == "hashes":
            # The number is all of its line; a heading goes on.
            line = text.find("\n", expression.end)
            is_stated = _REST.fullmatch(text, expression.end, len(text) if line < 0 else line) is not None
        elif name == "weak" or _TO.search(text, other, at):
            is_stated = is_end and expression.value is not None
        else:
            is_stated = True
        # A box is a clearer statement than these.
        is_stated = is_stated and (name not in ("weak", "total") or at < first_box)
        if is_stated:
            statements.append(Statement(expression.end, str(name), expression))
    is_earlier = min((s.end for s in statements), default=len(text) + 1)
    for match in GIVEN_UP.finditer(text.lower()):
        if match["of_all"] or match.start() < is_earlier:
            statements.append(Statement(match.end(), "given_up", _NOTHING))
    return sorted(statements, key=lambda s: s.end)


#: Between two boxes of which the author leaves open which one holds.
_OR = re.compile(
    r" *(?:[A-Za-z]+ ?){0,2}(?:,|/|,? ?(?i:or|and|and/or)(?![A-Za-z]))(?: ?(?i:or|and|possibly|maybe|perhaps|even|about|the))* *"
)
#: Around a box: what makes its number a part of something larger.
_LARGER = re.compile(
    r" *(?:[-+*/^\u00d7\u00f7]|\\(?:times|cdot|div)) *[-(]?[0-9\\]|[*/^A-Za-z\u00b2\u00b3\u03c0\u2070-\u207b]|"
    r" *(?i:hundred|thousand|million|billion|trillion|dozen|squared|cubed)(?![A-Za-z])|\\(?:pi|sqrt)"
)
_PART_OF = re.compile(r"[-+/^0-9.\u221a\u00b1] {7}$")
#: Words in a box that say more of its number than what it counts.
_NO_NUMBER = re.compile(r"(?<![A-Za-z])(?i:not|no|none|cannot|or|and|never|than|least|most)(?![A-Za-z])|n't")
_PLACEHOLDER = re.compile(r" *(?i:(?:the |your |my |final |correct |numerical )*(?:answer|number|result|value)|\.\.\.|\u2026) *")


def _boxed(text: str, found: list[Expression], starts: list[int], boxes: list[tuple[int, int]]) -> list[Statement]:
    """What each box states: its one number. Of two that a comma or an "or" joins, neither, unless they are the same."""
    statements: list[Statement] = []
    last = 0
    for start, end in boxes:
        expression = _in_box(text, found, starts, start, end)
        if statements and expression.value != statements[-1].expression.value and _OR.fullmatch(text, last, start):
            expression = Expression(start, end, True)
        statements.append(Statement(end, "box", expression))
        last = end
    return statements


def _in_box(text: str, found: list[Expression], starts: list[int], start: int, end: int) -> Expression:
    """The number in a box, with a unit behind it; an expression without a value for anything else."""
    for expression in found[max(0, bisect_left(starts, start) - 1) :][:2]:
        inside = start <= expression.span[0] < expression.span[1] <= end
        ends = expression.end if expression.end <= end else expression.span[1]
        around = _AFTER.fullmatch(text, start, max(start, expression.start)) and _REST.fullmatch(text, ends, end)
        if expression.value is not None and inside and around:
            return expression
    # What stands around it may make another thing of the number, such as an amount ("\boxed{5} 8 dollar kites"), but not of the box.
    nothing = Expression(start, end, True)
    inner = list(expressions(text[start:end]))
    if len(inner) != 1 or inner[0].value is None or _LARGER.match(text, end + 1) or _PART_OF.match(text, max(0, start - 8), start):
        return nothing
    [number] = inner
    if _NO_NUMBER.search(text, start, start + number.start) or _NO_NUMBER.search(text, start + number.end, end):
        return nothing
    unit = None if number.unit is None else (number.unit[0] + start, number.unit[1] + start)
    span = number.span[0] + start, number.span[1] + start
    return replace(number, start=number.start + start, end=number.end + start, span=span, unit=unit)
