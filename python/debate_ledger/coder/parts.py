"""Small parts of the robust patterns: labels and what surrounds them, agents, and the words of a statement.

Each may stand next to marks of bold, quotes, brackets and LaTeX.
"""

from __future__ import annotations

from debate_ledger.coder.characters import WORD
from debate_ledger.coder.patterns import ci

NW = f"[^{WORD}]"
#: What may stand before a label, and close behind it.
OPEN = r"(?:<[a-z]+>|[ \n*_\"'`$(\[{<>~]|\\[a-z]+ ?\{|\\[(\[])"
CLOSE = r"(?:[*_\"'`$)\]}]|\\[)\]])*"
#: After a capital letter: neither a word, nor "B's", "B-cell", "C++", "A/B", "E = mc".
_BOUND = rf"(?:[^{WORD} '+#/=&^-]| [^=+^]|-[^{WORD}-])"
#: Words that go on after a label that could be the article or the pronoun.
GOES_ON = ci(" +(?:because|since|as|due|based|which|and|or|but|is|given|in|by|from|for|with|when|if|not|while|instead)") + NW
AND = ci(r"(?:(?:,| ) *(?:and/or|and|or|&) *(?:possibly |maybe |perhaps |even )?(?:option |choice |answer )?|/ *)")
WRAPPED = r"[(\[*\"'$]*"
NOT = ci(
    "(?:not|nor|neither|isn't|than|eliminate|eliminated|eliminating|exclude|excluded|excluding|rule out|ruled out|"
    "ruling out|reject|rejected|"
    "discard|discarded|cross out|crossed out|unlike|contradicts|considered|tempted by) (?:option |choice |answer )?"
)
IS_WRONG = r"(?:,[^.,\n]*,)?" + ci(
    r"[ *]+(?:is|are|was|were|can|cannot|can't|isn't|does|seems|would|could|may|might|should)"
    r"(?: (?:also|all|both|clearly|be|obviously|definitely|therefore|considered|only|entirely|simply))* ?"
    r"(?:not|incorrect|inaccurate|wrong|false|ruled|eliminated|invalid|excluded|irrelevant|unlikely|implausible|unsupported|partially|"
    r"out|too|tempting|a bad)"
)
#: Several labels: "A or B", "(A), (B) and (C)", "both A and B".
ANY_LABEL = rf"[A-Za-z0-9]{CLOSE}"
#: "A, C" and "1, 3"; a small letter after a comma is a word too often.
_COMMAS = "|".join(rf"{one}{CLOSE}(?: *, *{WRAPPED}{one}{CLOSE}){{1,9}}" for one in ("[A-HJ-Z]", "[0-9][0-9]?"))
SEVERAL = (
    rf"(?:[A-Z](?: *[,&/] *[A-Z]){{1,9}} *[)\]}}]|"
    rf"{ANY_LABEL}(?: *, *{WRAPPED}{ANY_LABEL}){{0,9}}{AND}{WRAPPED}{ANY_LABEL}|{_COMMAS})"
)
#: "(C) two or (B) one", and two boxes.
TWO = (
    rf"[A-Z]\)[^.,;:()\n]*,? or (?:{ci('option|choice|answer')} )?\(?[A-Z]\)|"
    rf"[A-Za-z]{CLOSE}\.? *(?:,|,? ?or|/)[ $\\(\[]*boxed ?\{{"
)
#: No label: "the answer cannot be determined", "answer: it depends".
_NOT_KNOWN = (
    ci(
        " (?:cannot|can't|can not|could not)(?: yet| really| actually)? be (?:determined|answered|known|decided|given|told|established)"
        "(?: (?:from|with|without|based|given|because|since|by)"
    )
    + "|[.,;\n])"
)
CANNOT_TELL = ci("(?:the |this )?(?:correct |final |right )?(?:answer|question)(?: to (?:the|this) question)?") + _NOT_KNOWN
IT_CANNOT_BE_TOLD = ci("it") + _NOT_KNOWN
_UNCLEAR = (
    ci("(?:it|that) depends")
    + f"{NW}|"
    + ci("(?:unclear|uncertain|unknown|undetermined|indeterminate|inconclusive|not clear)(?: (?:from|with|without|because|since|to me)")
    + "|[*_.,;!\n])"
)
#: What a statement says that says that there is no answer.
NONE = f"{CANNOT_TELL}|{IT_CANNOT_BE_TOLD}|{_UNCLEAR}"
#: Names several labels: what a statement says then is no answer.
NAMES_SEVERAL = f"{TWO}|{SEVERAL}"
#: One label with what stands after it.
ONE_LABEL = "|".join(
    (
        _UNCLEAR,
        TWO,
        SEVERAL + "(?:[.,;:!?\\n]|" + ci(" +(?:because|since|depending|are (?:both |all )?correct)") + ")",
        r"(?:[A-Za-z]|[0-9][0-9]?)[ *_\"'`$]*[)\]}]",
        rf"[B-HJ-Z]{CLOSE}{_BOUND}",
        rf"[AI]{CLOSE}(?:[.,;:!?<\\]| *\n| *[(\[]| +-|{GOES_ON})",
        rf"[a-z]{CLOSE}(?:\.? *\n|[.;] |<|\\|,? +{ci('(?:because|since)')})",
        rf"[0-9][0-9]?{CLOSE}(?:[.,;:!?]? *\n|[.,;:!?] |<|\\| *[(\[]| - |{GOES_ON})",
    )
)
#: A label in brackets or in bold. A small i in brackets numbers the parts of a list.
ONE = "(?:[A-Za-hj-z]|[0-9][0-9]?)"
IN_BRACKETS = rf"[(\[] ?(?:\*\*)?{ONE}(?:\*\*)? ?[)\]]"
IN_BOLD = r"\*\*(?:[A-Z]|[0-9][0-9]?)[.):]*\*\*"
MARKED = rf"(?:{IN_BRACKETS}|{IN_BOLD})"
#: Words of small letters.
WORDS = "(?: [a-z']+)*"
#: Any words of one clause.
ANY_WORDS = r"(?:[^ .,;:\n]+ +)*?"
_NUMBERED = ci(" ?[_#-]?(?:solutions? ?)?#?[0-9]+")
AGENT = rf"(?:{_NUMBERED}| (?:[A-HJ-Z]|[A-Z][a-z]+))[*_]*(?: \([^()\n]*\))?"
#: "Agent 2", "agents 1 and 3", "both agents", "the first agent", "they", "others".
WHO = (
    ci("(?:(?:the |my |both |all )?(?:two |other |first |second |third |fellow )?")
    + ci("(?:agents?|peers?|debaters?|colleagues?)")
    + rf"(?:{AGENT}(?:(?: ?,| and| &|, and)(?:{ci(' agents?')})?{_NUMBERED}){{0,4}})?"
    + ci("|(?:solution|response|participant|expert|model|assistant|student|player)s? #?[0-9]+")
    + ci("|(?:the |my )?(?:opponent|critic|judge|moderator|majority|other side|affirmative side|negative side)")
    + ci("|everyone else|the others?|others|they)")
)
NOUN = ci("(?:answer|option|choice|response|solution|conclusion|vote|selection|pick|guess)")
#: Words between "answer" and "is".
BEFORE = ci(
    r"(?:[*_\"'`)\]<>]| +(?:to|for|of|in|on|here|the|this|these|that|above|given|question|problem|case|statement|option|choice|would|"
    r"should|must|will|could|can|may|might|still|now|then|thus|therefore|also|letter|my|our|your|most|likely|probably|"
    r"correct|final|i|we|have|has|"
    r"choose|chose|select|selected|agree|believe|think|provided|based|analysis|remains?|becomes?|changes?|goes|number|"
    r"[0-9]+)[,*]*)*"
)
VERB = rf"(?: *:| *=| *->| *→|{ci(' +(?:is|are|be|remains|stays|becomes|as|to)')}{NW}(?: *:)?)"
#: Words between "is" and the label; no "not", so a refused label is not read.
AFTER = (
    rf"(?:{OPEN}|[:,=]|"
    + ci(
        r"(?:most likely|likely|probably|definitely|clearly|obviously|certainly|undoubtedly|indeed|therefore|thus|"
        r"still|now|also|again|option|choice|answer|letter|the|"
        r"correct|best|either|both|simply|just|actually|in fact|be|is|given by|as follows|closest to|final|my|would|should)[ :*"
    )
    + "\n])*"
)
