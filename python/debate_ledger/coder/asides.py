"""Where a text with numbers tells others' answers or former ones, denies or supposes one, gives up, or goes on with the next question.

In Python alone, so a sentence is gone through clause by clause: a clause about others ("Agent 2 got 17") is theirs, and a phrase or
subordinate clause about them ("Based on the other agents' answers, …", "Although agent 2 says 17, …") leaves the main clause to the
author. All texts here are folded and in lower case, and have the length of the text as written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import NamedTuple

# Who else speaks ----------------------------------------------------------------------------------------------------------------------

_COUNT = r"(?: ?#?[0-9]{1,2}(?:(?:,| and|, and| or|/) ?(?:agent )?#?[0-9]{1,2}){0,8}| [a-hj-z](?![a-z]))"
_AGENTS = (
    rf"(?:(?:agents?|debaters?|my (?:peers?|colleagues?|teammates?|opponents?)|"
    rf"(?:other|another|first|second|third|previous) (?:agent|solution|response|debater|peer)s?)"
    rf"(?:{_COUNT})?|(?:agent )?(?:solutions?|responses?){_COUNT})(?: \([^()\n]{{1,40}}\))?"
)
_SAYS = (
    r"(?:argue|say|state|claim|suggest|believe|conclude|choose|select|pick|answer|guesse?|mention|propose|obtain|calculate|compute|"
    r"report|give|arrive|reache?|derive|assume|use|insist|count|come|end|disagree|agree|stick|put)(?:s|d|ed)?|"
    r"said|thinks?|thought|chose|identif(?:y|ies|ied)|gets?|got|finds?|found|has|have|had|gave|came|went|made|makes?|wrote|writes?"
)
#: What people in the story of a question rarely do.
_ARGUES = "(?:argue|claim|suggest|believe|conclude|state|propose)(?:s|d|ed)?"
_ADVERBS = (
    r"(?: (?:has|have|had|also|both|all|each|correctly|incorrectly|rightly|wrongly|mistakenly|initially|originally|first|still|then|now))*"
)
_KIND_OF = "(?: (?:final|own|first|initial|last|wrong|incorrect|updated|proposed))*"
_RESULT = r"(?:answer|result|solution|value|total|response|conclusion|estimate|calculation|number|claim|argument|reasoning|suggestion)s?"
_BY = "(?:of|from|by|(?:given|provided|found|proposed|suggested|offered|obtained|presented|shared) by)"
#: Another one's answer is told here, not only named.
_TOLD = r"(?= ?(?:is|was|are|were|of|that|remains|being|would be|[:=(]|,? ?[-$]?[0-9])(?![a-z]))"
#: Where another one's statement begins; "agent 2 is right" is sorted out below.
_OTHERS = re.compile(
    rf"(?<![a-z])(?:{_AGENTS}(?:,? (?:who|which|that))?{_ADVERBS} (?:{_SAYS})|(?:they|he|she|the others|the majority){_ADVERBS} {_ARGUES}|"
    rf"(?P<named>(?:{_AGENTS}'s?{_KIND_OF} {_RESULT}|(?:their|his|her){_KIND_OF} (?:answer|solution|response|conclusion)s?){_TOLD}|"
    rf"{_AGENTS}'s? (?:is|was|are|were)|"
    rf"(?:the )?{_RESULT} {_BY} (?:the )?(?:other |two )*{_AGENTS}{_TOLD}|"
    rf"(?:majority|consensus|most common|most popular)(?: among (?:the )?{_AGENTS}|(?: (?:answer|vote|opinion|view|result))+){_TOLD}|"
    rf"consensus{_TOLD})|"
    rf"(?P<view>according to (?:the )?(?:other )?{_AGENTS}|in (?:the )?(?:other )?{_AGENTS}'s? (?:view|opinion|reasoning))|"
    rf"(?P<addressed>to {_AGENTS}:)|(?P<disagreed>disagree[sd]? with)|(?P<denied>"
    r"(?:if|suppose|supposing|assume|assuming|whether)(?: that)? (?:the|my|their)(?: (?:correct|final))? answer (?:is|was|were|be)|"
    r"(?:(?<=n't )|(?:not|never) )(?:think|believe|say|agree|claim)))(?![a-z])"
)
_GOT = "(?:said|answered|got|thought|had|calculated|computed|concluded|stated|gave|found|believed|wrote|arrived at|came up with|chose)"
_KEPT = re.compile(r"[^.!?\n]{0,100}(?<![a-z])(?:stand|stay|keep|kept|maintain|correct|right|confirm|still|remain|agree|the same)")
#: What was said before, unless it holds on: "Initially I got 54", "Previous answer: 3", "from 3" where that was changed.
_FORMER = re.compile(
    rf"(?<![a-z])(?:(?:initially|originally|previously|earlier|at first),? (?:i|we) {_GOT}|"
    rf"(?:i|we) (?:had |have )?(?:initially|originally|previously|first|mistakenly|wrongly|incorrectly|erroneously) {_GOT}|"
    r"(?:previous|earlier|old|initial|original|former|first|prior)(?: final)? (?:answer|result|response|solution)(?: is|[ *_]*:))(?![a-z])"
    r"(?:[^.!?\n,]|,(?=[0-9])|\.(?=[0-9])){0,80}|"
    r"(?P<changed>(?<![a-z])(?:chang|correct|revis|updat|switch|adjust|mov)(?:e|ed|es|ing)?(?: [a-z]+){1,5} from \$?[0-9][0-9.,]*"
    r"(?= [a-z ]{0,20}to ))"
)
#: A list of what is given, or of what others answered.
_LIST_HEAD = re.compile(
    r"(?:(?<=\n)|^)(?=[^\n]{0,80}(?:given|known|we know|facts|information|data|other (?:agents|solutions|responses|answers)|agents'))"
    r"(?![^\n]{0,40}(?<![a-z])(?:based|using|so|therefore|thus|hence)(?![a-z]))[^\n]{0,120}:[ ]*\n"
    r"(?P<items>(?: *\n)*(?: *(?:[-;]|\(?[0-9]{1,2}[.)])(?! *(?:so|therefore|thus|hence)(?![a-z]))[^=\n]*(?:\n|$))+)"
)
#: A line of another agent: with its score, or with what it says.
_LISTED = re.compile(
    r"(?:(?<=\n)|^)[ *#>-]*agent(?: solution)? ?#?[0-9]+[ *]*[:-]+[ *]*(?:\(?score:? *(?:of )?)?\(?[0-9][^\n]*|"
    r"(?<=\n)[ *#>-]*agent(?: solution)? ?#?[0-9]+[ *]*:(?![ *]*(?:i|i'm|i've|my|we|our)(?![a-z]))[^\n]*"
)

#: "Confidence in updated answer: 9", "I rate my confidence in this as 10/10": a sentence of its own about one's answer.
_CONFIDENCE = re.compile(
    r"(?:(?<=\n)|^|(?<=[.!?})\]] ))[ *_(-]*(?:on a scale (?:of|from) [0-9]+ ?(?:-|to) ?[0-9]+,? )?(?:i(?: would|'d)? (?:rate|give) )?"
    r"(?:my )?(?:level of )?confidence(?![a-z])(?:\([^)\n]*\)|[^\n0-9.!?(])*[0-9]+(?:\.[0-9]+)?(?: *(?:/|out of) *[0-9]+| *%)?[.)*_]*"
)

# Clauses ------------------------------------------------------------------------------------------------------------------------------

#: Up to the end of a sentence or a line; a point before a digit is one of a number.
SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?=[0-9]))+")
_SENTENCE_START = re.compile(r"[^.!?\n]*\Z")
_COMMA = re.compile(r"[,;:](?![0-9])[ ,]*|[ ,]+(?=(?:but|while|whereas|although|however|yet|so|and|therefore|thus|hence)(?![a-z]))")
#: A phrase or subordinate clause, after which the main clause comes: "based on", "considering", "although".
_LEADS = re.compile(
    r"[ *(]*(?:(?:and|but|so|now|then|also|again|however|thus|therefore|hence|finally|even|just|carefully|having|,) ?)*"
    r"(?:based|given|after|upon|in (?:light|view|accordance|agreement|line)|by|from|with|as|per|although|though|while|whereas|"
    r"since|because|despite|contrary|unlike|like|compared|regardless|due|thanks|[a-z]{3,}ing)(?![a-z])"
)
_FIRST_PERSON = "(?:i|i'm|i've|i'd|i'll|we|we've|my|our)"
#: Where the author goes on after what others say.
_OWN = re.compile(
    rf"(?:and |so |then |,)*{_FIRST_PERSON}(?![a-z])|(?:so|therefore|thus|hence)(?![a-z])|"
    rf"(?:and )?the (?:correct|final|right|true|actual) (?:answer|result|total|value|solution)(?![a-z])|"
    rf"(?:but|while|whereas|although|however|yet)(?! (?:(?:then|also|later|still|they|he|she|their|his|her|its|others?)|{_SAYS})(?![a-z]))"
)
#: A main clause would not begin so.
_GOES_ON = re.compile(r"(?:and |or )*(?:[-$]?[0-9][0-9.,]*(?! *(?:is|was|seems|must|looks|=))|which|who|whose|where|that|namely)(?![a-z])")
_AGREED = re.compile(
    r"(?<!dis)(?:agree(?:s|d|ing)?(?: (?:fully|completely|mostly))? with|concur(?:s|ring)? with|sid(?:e|ing) with|in agreement with|"
    r"matche?s?|consistent with|same as|confirm(?:s|ed)?(?: that)?)(?: [a-z]+){0,5} *$"
)
#: The author is one of them.
_ALL = re.compile(r"(?<![a-z])all (?:of )?(?:the |our )?(?:two |three |four |five )?\Z")
_NOT_AGREED = re.compile(r"(?:not|n't|never|cannot)(?: [a-z]+){0,2} agree")
_RIGHT = re.compile(
    r"[^,;:]{0,40}?(?<![a-z])(?:is|are|was|were|seems?|looks?)(?: (?:also|all|both|indeed|the|in fact|clearly))*"
    r" (?:correct|right|accurate|valid|consistent|sound|in agreement)(?![a-z])"
)
#: A box after these has a subject of its own, which is no part of what another one says.
_OWN_SUBJECT = re.compile(r"[,;] *(?:and |so |thus |then )*(?:the|there|it|this|we|i)(?![a-z]| (?:other|first|second|third|agent))")


class Aside(NamedTuple):
    """Part of a sentence that is not the author's: its place, and up to where a box within it is nobody's but theirs."""

    start: int
    end: int
    boxes_end: int


def others(text: str) -> list[Aside]:
    """What is said about others' answers, what was said before, what is denied, only supposed, or given, and how sure one is."""
    found = [Aside(*match.span(), match.end()) for match in _LISTED.finditer(text)]
    found += [Aside(*match.span(), match.end()) for match in _FORMER.finditer(text) if match["changed"] or not _is_kept(text, match)]
    found += [Aside(*match.span("items"), match.end()) for match in _LIST_HEAD.finditer(text)]
    found += [Aside(*match.span(), match.end()) for match in _CONFIDENCE.finditer(text)] if "confidence" in text else []
    starts = list(_OTHERS.finditer(text))
    sentences = SENTENCE.finditer(text) if starts else ()
    at = 0
    for sentence in sentences:
        here = []
        while at < len(starts) and starts[at].start() < sentence.end():
            if starts[at].start() >= sentence.start():
                here.append(starts[at])
            at += 1
        if here:
            found += _of_sentence(text, sentence.start(), sentence.end(), here)
    return sorted(found)


def _is_kept(text: str, match: re.Match[str]) -> bool:
    """Whether the author holds on to what was said before, in the same sentence."""
    before = _SENTENCE_START.search(text, max(0, match.start() - 100), match.start())
    return _KEPT.match(text, match.start() if before is None else before.start()) is not None


def _of_sentence(text: str, start: int, end: int, starts: list[re.Match[str]]) -> list[Aside]:
    begins = [match.start() for match in starts]
    cuts = []
    for comma in _COMMA.finditer(text, start, end):
        place = bisect_left(begins, comma.start()) - 1
        if place < 0 or starts[place].end() <= comma.start():
            cuts.append(comma)
    edges = [start, *(m.end() for m in cuts), end]
    behind_commas = {m.end() for m in cuts if m[0].strip(" ")}
    found: list[Aside] = []
    since: int | None = None
    is_led, at, view = False, 0, False
    for first, last in pairwise(edges):
        # The main clause begins behind a comma, and not with what goes on with a list or a relative clause.
        is_main = is_led and first in behind_commas and not _GOES_ON.match(text, first, last)
        if since is not None and (is_main or _OWN.match(text, first, last)):
            found.append(_aside(text, since, first, view))
            since = None
        while at < len(starts) and starts[at].start() < last:
            match = starts[at]
            at += 1
            if since is None and not _is_agreed(text, first, last, match):
                since, view = match.start(), match["view"] is not None
                is_led = match["disagreed"] is not None or (
                    not match["view"] and not match["denied"] and _LEADS.match(text, first, match.start()) is not None
                )
    if since is not None:
        found.append(_aside(text, since, end, view))
    return found


def _aside(text: str, start: int, end: int, view: bool) -> Aside:
    own = None if view else _OWN_SUBJECT.search(text, start, end)
    return Aside(start, end, end if own is None else own.start())


def _is_agreed(text: str, first: int, last: int, match: re.Match[str]) -> bool:
    """Whether the author makes it their own: "I agree with agent 2's answer of 5", "agent 2's answer is correct"."""
    if match["view"] or match["denied"] or match["disagreed"]:
        return False
    before = text[max(first, match.start() - 60) : match.start()]
    if "agree" in match[0] and _ALL.search(before):
        return True
    if _AGREED.search(before) and not _NOT_AGREED.search(before):
        return True
    return match["named"] is not None and _RIGHT.match(text, max(match.start(), match.end() - 4), last) is not None


# Giving up, and going on --------------------------------------------------------------------------------------------------------------

_FIND_OUT = "(?:determine|answer|solve|calculate|compute|know|conclude|establish)(?:d|ed|n)?"
#: No answer is given, and why. Not "cannot be computed directly", after which it is.
GIVEN_UP = re.compile(
    rf"(?<![a-z])(?:(?P<of_all>(?:answer|question|problem|solution)(?: to [^.!?\n,]{{1,40}}| itself)?"
    rf" (?:cannot|can not|can't|could not|couldn't) be (?:[a-z]+ly )?(?:{_FIND_OUT}|given|found)|"
    r"(?:answer|solution)(?: is|:) *(?:unknown|undefined|indeterminate|undetermined|inconclusive|unclear|impossible|not available|n/a|"
    r"none)|"
    r"(?:there is|there's|has) no (?:definitive |definite |single |unique |numerical |valid |correct )?(?:answer|solution))|"
    rf"(?:cannot|can not|can't|could not|couldn't) be (?:[a-z]+ly )?{_FIND_OUT}|"
    rf"(?:i|we) (?:cannot|can not|can't|could not|couldn't) (?:[a-z]+ly )?(?:{_FIND_OUT}|"
    r"(?:give|provide|state|offer|reach|name)(?: (?:a|an|the|any))?(?: [a-z]+)? (?:answer|solution|number))|"
    rf"(?:impossible|not possible|unable|no way|not able) to (?:[a-z]+ly )?(?:{_FIND_OUT}|say|tell|"
    r"(?:give|provide|state|name|choose|pick|offer)(?: [a-z]+){1,3} (?:answer|number|value))|"
    r"(?:i|we) (?:cannot|can not|can't|could not|couldn't) (?:choose|pick|decide on|settle on)(?: [a-z]+){0,3} (?:answer|number|value)|"
    r"(?:insufficient|not enough|not sufficient|no (?:numerical|definite|definitive|unique|single|clear) (?:answer|solution|value)(?= |\.)|"
    r"(?:not|(?:is|are|do|does|have|has)n't) (?:have |provide |give |contain |include )?(?:us |me )?(?:enough|sufficient))"
    r" (?:information|data|details)|"
    r"missing (?:some |important |necessary )?(?:information|data|details)|"
    r"information (?:provided |given )?is (?:insufficient|not (?:enough|sufficient)))"
    r"(?![a-z]|,? (?:directly|yet|until|unless|without|immediately|independently))"
)
_ANOTHER = r"(?:a similar|another|a new|the next|next|new|similar)(?: practice| example)? (?:question|problem|exercise)"
#: Where the next question begins, in a text that goes on by itself.
_NEXT = re.compile(
    r"(?:(?<=\n)|^)[ *_#>]*(?:(?:new |next )?(?:question|problem|exercise)|q|user|human|instruction)(?: ?#?(?P<number>[0-9]{1,3}))?[ *_]*:|"
    r"(?:(?<=\n)|^)#+ *(?:question|problem|instruction)s?(?: ?#?[0-9]{1,3})? *(?=\n)|(?:(?<=\n)|^)[ *_#>]*q[0-9]{1,3}[ *_]*[.)]|"
    rf"(?:(?<=\n)|^)[ *_#>]*(?:(?:here is|here's|now|let's try|try) {_ANOTHER}[^\n:?]*|{_ANOTHER})[*_ ]*(?=:|\n)|"
    r"(?<=[.!?] )(?:question|q):|"
    r"<\|(?:endoftext|end_of_text|im_end|eot_id|end)\|>"
)
_ASKED = re.compile(r"(?:how|what|which|find|calculate|who|where|when)(?![a-z])[^.!?\n]{0,300}\?")


def next_question(text: str, stated: list[int], hashes: list[int]) -> int:
    """Where the next question begins; the length of the text if there is none.

    ``stated`` are the ends of answers, without which no question is the next one; ``hashes`` those of lines "#### 5", after which a
    question needs no heading if another such line follows it. Questions numbered from 1 on are parts of one solution.
    """
    parts = False
    found = len(text)
    for match in _NEXT.finditer(text) if stated else ():
        parts = parts or match["number"] == "1"
        if stated[0] <= match.start() and not (parts and match["number"]):
            found = match.start()
            break
    if len(hashes) > 1 and _ASKED.search(text, hashes[0], hashes[1]):
        found = min(found, hashes[0])
    return found
