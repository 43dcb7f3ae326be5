r"""Which number a text states: what stands behind "the answer is", in a box, in a line "#### 5"; else the one that the text ends with.

In Python alone, so what stands before and behind a number may be looked at. All texts here are folded and without marks
(``expressions.unmarked``), and have the length of the text as written; what is read over is a row of one sign in them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from debate_ledger.coder.asides import GIVEN_UP, SENTENCE, Aside, next_question, others
from debate_ledger.coder.expressions import Expression, expressions, unmarked
from debate_ledger.coder.parts import BEFORE, NOUN, VERB
from debate_ledger.coder.patterns import ci
from debate_ledger.coder.read_over import JSON_ANSWER, OWN_QUESTION, THOUGHTS

_OVER = "\x02"
_THOUGHTS, _JSON, _QUESTION = re.compile(THOUGHTS), re.compile(JSON_ANSWER), re.compile(OWN_QUESTION)
#: What a text states at a place: one number, or an expression without a value where that is none, several or not understood.
_NOTHING = Expression(0, 0, False)

# Numbers that only count something -----------------------------------------------------------------------------------------------------

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
#: "From 2 agents", "the other 2 solutions": how many speak.
_SPEAKERS = re.compile(
    r"(?<![a-z])(?:(?:solution|response|answer|opinion|reasoning|work|view|explanation|argument|result)s?(?: [a-z]+)? (?:from|of|by)|"
    r"other|with|(?:read|reviewed|reviewing|compared|comparing|considered|considering))(?: all| the| other)* "
    r"(?P<number>[0-9]{1,2}) (?:other |different )?(?:agents|debaters|peers|solutions|responses)(?![a-z])"
)
#: Letters of options.
_OPTIONS = re.compile(r"(?<![0-9A-Za-z])\(?[A-J]\)(?= )")
#: "1." and "(1)" before what they number.
_MARKERS = re.compile(r"(?:(?:(?<=\n)|^) *(?P<mark>)[(\[]?(?P<line>[0-9]{1,2})[.):\]]|(?<=[ \n])\((?P<inline>[0-9]{1,2})\))(?= +[^ \n])")

#: "In the two days", "in those 4 hours" behind an amount: not two numbers, unless the time is asked for.
_TIME = "(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|nights?|trips?|rounds?)"
_IN_TIME = re.compile(
    rf" in (?P<known>the |those |these |all )?(?:last |first |next |past )?"
    rf"(?:[0-9]{{1,4}}|two|three|four|five|six|seven|eight|nine|ten) {_TIME}"
    r"(?![a-z])"
)
_AMOUNT = re.compile(r"(?P<equal>= *|(?:answer|result)(?: is|:)[ *$]*|#### *)?(?<![0-9.,])[0-9][0-9.,]* [a-z]{2,}(?: [a-z]{2,})?$")

# What is refused, supposed or asked ----------------------------------------------------------------------------------------------------

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


# Statements ----------------------------------------------------------------------------------------------------------------------------

_ASKED = re.compile(r"[^.!?\n,]{0,25}\?")
_ONLY_IF = re.compile(r"(?: [A-Za-z]+){0,2},? only (?:if|when|where|in|under|for|after)(?![a-z])")
_CONDITION = re.compile(r"(?: [A-Za-z]+){0,3} (?i:if|unless|depending)(?![A-Za-z])")

#: No statement reaches further: a word that is repeated would be taken apart anew from each of its places.
_BEFORE = f"{BEFORE.removesuffix('*')}{{0,20}}"
#: A statement, by how far what follows can be trusted: after a weak one only a number with which the sentence ends.
_HEADS = re.compile(
    rf"(?P<strong>{NOUN}{_BEFORE}(?:,[^,.;:\n]{{1,80}},)?{VERB}|{ci('final answer')}[ _]|"
    r"(?:(?<=\n)|^)[ #]*(?i:(?:the |my )?(?:final )?answer) *(?=\n))"
    rf"|(?P<total>{ci('(?:total|result|sum)')} *(?:=|:|{ci('is')}[ _]))|"
    rf"(?P<weak>{ci('(?:therefore,?|equals)')}[ _])|(?P<hashes>(?<!#)####(?!#))"
)
_TO = re.compile(r"(?i: (?:to|as))[^A-Za-z]*$")
#: What may stand between the head and the number.
_AFTER = re.compile(
    r"(?:[ \n:,=\u2248]++|\\approx|\([A-Z]\)|\(|(?i:the|approximately|approx|about|around|roughly|is|be|total|exactly|precisely|as follows|"
    r"equal to|equals|therefore|thus|then|simply|just|now|still|indeed|only|again|also|number|value|of|given by|"
    r"USD|US)(?=[ :,=\n$])){0,12}+"
)
_ENDS = re.compile(r"[ )\]}]*(?:[.!?;](?![0-9])|\n|$)")
_REST = re.compile(r"[ .%]*")


#: "If it rained, the answer would be 9, but …": counts only where another answer stands before it or a turn follows.
_SUPPOSED = re.compile(
    r"(?<![a-z])if (?!i |we (?:had|were) |forced|asked)[^.,;\n]*, (?:then )?the (?:[a-z]+ )?answer would be (?:[^.,;\n]|[.,](?=[0-9]))*"
    r"(?P<turn>,? (?:but|however|yet|since|although))?"
)
_IS_STATED = re.compile(r"(?<![a-z])(?:answer(?: is|:)|boxed|####)")


def _supposed(plain: str) -> list[tuple[int, int]]:
    lower = plain.lower()
    stated = _IS_STATED.search(lower) if "would be" in lower else None
    matches = _SUPPOSED.finditer(lower) if "would be" in lower else ()
    return [m.span() for m in matches if m["turn"] or (stated is not None and stated.start() < m.start())]


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


def stated_number(text: str) -> tuple[str, Expression | None, str]:
    """The rule, the expression that it chose (without a value where it is no number; None where there is none), and the unmarked text."""
    # A box or an answer in the thoughts before a reply is not the reply's.
    own = _without(text, [match.span() for match in _THOUGHTS.finditer(text)])
    # Nor is what follows the answer of a JSON object, or a question that is repeated before "A:".
    own = _without(own, [(match.end(1), match.end()) for match in _JSON.finditer(own)] if '":' in own or "':" in own else [])
    plain, boxes, tags = unmarked(own)
    question = _QUESTION.match(own)
    tags += [] if question is None else [question.end()]
    # Folding left no letter that is longer in lower case.
    asides = others(plain.lower())
    spoken = _without(plain, [aside[:2] for aside in asides] + _supposed(plain))
    lower = spoken.lower()
    markers = _markers(spoken)
    counts = [match.span() for match in _LABELS.finditer(lower)] + [match.span() for match in _OPTIONS.finditer(spoken)]
    counts += [match.span("number") for match in _SPEAKERS.finditer(lower)]
    found = list(expressions(_without(spoken, markers + counts + _times(lower))))
    of_author = _boxed(plain, found, _boxes_of_author(boxes, plain, asides))
    statements = _stated(spoken, found, {start for start, _ in markers}, of_author, tags)
    ends = [s.end for s in statements if s.expression.value is not None]
    ends += [e.end for e in found if e.value is not None and _is_result(lower, e)]
    end = next_question(lower, sorted(ends), [s.end for s in statements if s.name == "hashes"])
    statements = [s for s in statements if s.end <= end]
    last = _last_number(spoken, lower, found, end)
    if statements and not _is_outdated(lower, statements[-1], last):
        return "stated", statements[-1].expression, plain
    return "last_number", last, plain


def _times(lower: str) -> list[tuple[int, int]]:
    places = []
    for match in _IN_TIME.finditer(lower):
        amount = _AMOUNT.search(lower, max(0, match.start() - 60), match.start())
        if amount and (match["known"] or amount["equal"]):
            places.append(match.span())
    return places


def _is_result(lower: str, expression: Expression) -> bool:
    """Whether it is the right side of an equation, or all of its line."""
    start, end = expression.start, expression.end
    alone = lower[start - 1 : start] in ("", "\n") and lower[end : end + 1] in ("", "\n")
    return alone or "=" in lower[start:end]


def _is_outdated(lower: str, statement: Statement, last: Expression | None) -> bool:
    """Whether a later number takes the place of a statement: a conclusion that of a mere total, a correction that of any."""
    if last is None or last.start < statement.end:
        return False
    if statement.name in ("total", "weak") and _concludes(lower, last, statement.end):
        return True
    turn = _TURN.search(lower, statement.end - 1, last.start)
    return turn is not None and _CORRECTED.search(lower, max(turn.end() - 1, last.start - 40), last.start) is not None


# The number at the end -----------------------------------------------------------------------------------------------------------------

_REASON = re.compile(r"(?<![a-z])(?:since|because|given that)(?![a-z])")
_WHILE = re.compile(
    r"(?<![a-z])(?:in|for|after|within|during|over|at|by)(?: (?:the|those|these|all|each|other|first|last|next|end|of)){0,4} *$"
)
#: The author changes their mind, and to what.
_TURN = re.compile(
    r"[.!?\n] *(?:wait|correction|scratch that|oops|hmm,? no|no,|on second thought|sorry|actually,? (?:i|it|there|the|that))(?![a-z])"
)
_CORRECTED = re.compile(
    r"(?::|=|(?<![a-z])(?:should be|is|are|it's|that's|be|so|makes|get|to))(?: (?:only|just|the|a|rather|then|equal to))* *\$?\Z"
)
_UNSURE = re.compile(r",? (?:or )?(?:possibly|maybe|perhaps) ")
_PURPOSE = re.compile(
    r"[a-z ]* to (?!get|make|obtain|give|find|have|be|reach|equal|yield|arrive|total|become)[a-z]+ (?:the |a |all |these )?"
)
_AND = re.compile(r"(?<![a-z])and(?![a-z])(?!.*(?:total|altogether|overall|so|therefore|thus|hence|=))")
_TIME_UNIT = re.compile(rf"[^a-z]*(?:of )?{_TIME}(?![a-z])")
_RULE = re.compile(r"\n *-{3,} *\n")
_SO = re.compile(
    r"[ *#>-]*(?:and |but )?(?:so|therefore|thus|hence|finally|then|this means|that means|in total|altogether|as a result)(?![a-z])"
)
_CHECK = re.compile(r"[ *#>-]*(?:to |we can |let's |let me |let us )?(?:double[- ]?)?(?:check|verif)|[ *#>-]*(?:indeed|note)(?![a-z])")


def _last_number(text: str, lower: str, found: list[Expression], end: int) -> Expression | None:
    """The last number that its author neither refuses, asks nor only reasons with; an expression without a value where that is unclear."""
    spans = [match.span() for match in SENTENCE.finditer(text)]
    begins = [start for start, _ in spans]
    left: list[tuple[Expression, int]] = []
    for e in found:
        place = max(0, bisect_right(begins, e.start) - 1)
        is_asked = text[spans[place][1] : spans[place][1] + 1] == "?"
        if e.has_digits and e.end <= end and not is_asked and not _is_refused(text, e) and not _is_given(text, e):
            left.append((e, place))
    # A remark below a rule, unless it works something out.
    rules = [match.start() for match in _RULE.finditer(text, 0, end)]
    above = [(e, place) for e, place in left if rules and e.end <= rules[-1]]
    if above and not any(_concludes(lower, e, rules[-1]) for e, _ in left):
        left = above
    while len(left) > 1 and left[-2][1] == left[-1][1]:
        (earlier, _), (last, _) = left[-2:]
        between = lower[earlier.end : last.start]
        if _REASON.search(between):
            left.pop()
            continue
        if (
            _UNSURE.fullmatch(between)
            or _PURPOSE.fullmatch(between)
            or (_AND.search(between) and _unit(lower, earlier) == _unit(lower, last) != "")
        ):
            # "3 eggs to bake 12 cakes", "3 km on Monday and 5 km on Tuesday": either of them may be the answer.
            return replace(last, value=None)
        time = _WHILE.search(between)
        if time is None or not _TIME_UNIT.match(lower, last.span[1] if last.value is not None else last.end):
            break
        left.pop()
        if "=" not in text[earlier.start : earlier.end] and not re.search("(?:the|those|these)(?![a-z])", time[0]):
            # The time may be what is asked for.
            return replace(last, value=None)
    if not left:
        return None
    last = left[-1][0]
    return replace(last, value=None) if _CONDITION.match(text, last.end) else last


def _unit(lower: str, expression: Expression) -> str:
    return "" if expression.unit is None else lower[slice(*expression.unit)].removesuffix("s")


def _concludes(lower: str, expression: Expression | None, after: int) -> bool:
    """Whether a number behind a place is worked out or concluded there, other than in a check."""
    if expression is None or expression.value is None or expression.start < after:
        return False
    start = max(lower.rfind(mark, after, expression.start) for mark in (". ", "\n", "! ")) + 1 or after
    if _CHECK.match(lower, start):
        return False
    return "=" in lower[expression.start : expression.end] or _SO.match(lower, start) is not None


# Statements of an answer ---------------------------------------------------------------------------------------------------------------


def _stated(text: str, found: list[Expression], markers: set[int], boxes: list[Statement], tags: list[int]) -> list[Statement]:
    """What each statement states, in their order."""
    starts = [e.start for e in found]
    statements = list(boxes)
    first_box = boxes[0].end if boxes else len(text) + 1
    heads = [(match.end(), match.lastgroup, match.start()) for match in _HEADS.finditer(text)] + [(at, "strong", at) for at in tags]
    for at, name, other in heads:
        skipped = _AFTER.match(text, at)
        if name == "strong" and skipped is not None and skipped.end() in markers:
            statements += _of_list(text, found, starts, skipped.end(), at)
            continue
        place = bisect_left(starts, at)
        if place < len(found) and not found[place].has_digits and place + 1 < len(found):
            # "three: 3"
            place += _SPELLED_OUT.fullmatch(text, found[place].end, found[place + 1].start) is not None
        expression = found[place] if place < len(found) else None
        first = bisect_left(starts, at)
        if expression is None or not _AFTER.fullmatch(text, at, found[first].start) or _is_refused(text, expression):
            continue
        is_end = _ENDS.match(text, expression.end) is not None
        if name == "hashes":
            # The number is all of its line; a heading goes on.
            line = text.find("\n", expression.end)
            is_stated = _REST.fullmatch(text, expression.end, len(text) if line < 0 else line) is not None
        elif name == "weak" or _TO.search(text, other, at):
            is_stated = is_end and expression.value is not None
        else:
            is_stated = _ASKED.match(text, expression.end) is None and _ONLY_IF.match(text, expression.end) is None
        # A box is a clearer statement than these.
        if is_stated and (name not in ("weak", "total") or at < first_box):
            statements.append(Statement(expression.end, str(name), expression))
    first_end = min((s.end for s in statements), default=len(text) + 1)
    for match in GIVEN_UP.finditer(text.lower()):
        if match["of_all"] or match.start() < first_end:
            statements.append(Statement(match.end(), "given_up", _NOTHING))
    return sorted(statements, key=lambda s: s.end)


_SPELLED_OUT = re.compile(r" *[:=(,] *[(]?\$?")
#: The end of a list: a line that is neither a part of it nor belongs to one, behind an empty one.
_LIST_END = re.compile(r"\n *\n(?=[^ \n\x02(-])")


def _of_list(text: str, found: list[Expression], starts: list[int], start: int, at: int) -> list[Statement]:
    """What "Answer: 1. …" states: the number behind the list, if there is one, else nothing."""
    end = _LIST_END.search(text, start)
    if end is None:
        return [Statement(at, "list", _NOTHING)]
    return [] if any(e.has_digits for e in found[bisect_left(starts, end.end()) :]) else [Statement(at, "list", _NOTHING)]


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
        is_refused = (
            _NEGATED.search(text[max(0, start - 60) : start].rstrip(" ") + " ") is not None or _WRONG.match(text, end + 1) is not None
        )
        if not is_theirs and not is_refused and text[start:end].strip() and not _PLACEHOLDER.fullmatch(text, start, end):
            kept.append((start, end))
    return kept


#: Between two boxes of which the author leaves open which one holds.
_OR = re.compile(
    r" *(?:[,/&]|(?:[A-Za-z]+ ?){0,2},? ?(?i:or|and|and/or)(?![A-Za-z]))(?: ?(?i:or|and|possibly|maybe|perhaps|even|about|the))* *"
)
#: Around a box: what makes its number a part of something larger.
_LARGER = re.compile(
    r" *(?:[-+*/^\u00d7\u00f7]|\\(?:times|cdot|div)) *[-(]?[0-9\\]|[*/^\u00b2\u00b3\u03c0\u2070-\u207b]|[A-Za-z](?![A-Za-z])|"
    r" *(?i:hundred|thousand|million|billion|trillion|dozen|squared|cubed)(?![A-Za-z])|\\(?:pi|sqrt)"
)
_PART_OF = re.compile(r"[-+/^0-9.\u221a\u00b1] {7}$")
#: Words in a box that say more of its number than what it counts.
_NO_NUMBER = re.compile(r"(?<![A-Za-z])(?i:not|no|none|cannot|or|and|never|than|least|most)(?![A-Za-z])|n't")
_PLACEHOLDER = re.compile(r" *(?i:(?:the |your |my |final |correct |numerical )*(?:answer|number|result|value)|\.\.\.|\u2026) *")


def _boxed(text: str, found: list[Expression], boxes: list[tuple[int, int]]) -> list[Statement]:
    """What each box states: its one number. Of two that a comma or an "or" joins, neither, unless they are the same."""
    starts = [e.start for e in found]
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
    # In "5 (five)" the word says it again.
    inner = [e for e in expressions(text[start:end]) if e.has_digits or e.value is not None]
    if len(inner) != 1 or inner[0].value is None or _LARGER.match(text, end + 1) or _PART_OF.match(text, max(0, start - 8), start):
        return nothing
    [number] = inner
    if _NO_NUMBER.search(text, start, start + number.start) or _NO_NUMBER.search(text, start + number.end, end):
        return nothing
    unit = None if number.unit is None else (number.unit[0] + start, number.unit[1] + start)
    span = number.span[0] + start, number.span[1] + start
    return replace(number, start=number.start + start, end=number.end + start, span=span, unit=unit)
