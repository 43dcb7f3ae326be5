"""The robust profile and the one of yes and no: what counts as a statement, in which order."""

from __future__ import annotations

from debate_ledger.coder.characters import ANY_WORD, WORD
from debate_ledger.coder.parts import (
    AFTER,
    AND,
    ANY_LABEL,
    BEFORE,
    CLOSE,
    GOES_ON,
    IS_WRONG,
    NOT,
    NOUN,
    NW,
    ONE_LABEL,
    OPEN,
    SEVERAL,
    VERB,
    WHO,
    WRAPPED,
)
from debate_ledger.coder.patterns import Profile, Rule, ci
from debate_ledger.coder.read_over import READ_OVER

_HEADS = "|".join(
    (
        rf"{NOUN}{BEFORE}{VERB}",
        ci(
            r"(?:choose|select|pick|selected|chose|chosen|picked|go with|going with|went with|go for|going for|"
            r"vote for|opt for|opted for|stick with|"
            r"sticking with|settle on|(?:lean|leaning)(?: to| towards?)?|switch to|switched to|switching to|"
            r"change (?:it |my answer |this )?to|changed (?:it |my answer )?to|changing (?:it |my answer )?to|"
            r"conclude|stand by|stay with)"
        )
        + "[ :]",
        ci("(?:change|changed|changing|switch|switched|switching)(?: it| my (?:answer|vote|choice))? from ")
        + f"{OPEN}*[A-Z0-9]{CLOSE} +to ",
        # The answer of another one that is agreed with; its verb may have been read over.
        ci("(?:agree|agreeing|concur|side|siding) with ") + rf"{WHO}'s? (?:[a-z]+ )?{NOUN}(?:{VERB}|{ci(' of')})?",
        ci("(?:but|and|so|is|,) now(?: say| think| believe| favou?r| choose| pick)?") + "[ :]",
        ci("(?:i'd|i would|i still) (?:say|think|believe)(?: that)?(?: it's| it is)?") + "[ :]",
        ci("i (?:say|answer|vote)") + "[ :]",
        r"\\f?boxed ?\{",
        ci("(?:answer|ans|choice|option)") + ">",
    )
)
#: Heads without a verb: what stands after the label says whether it is meant.
_WEAK_HEADS = (
    ci("(?:final answer|(?:therefore|thus|hence|so|that),? (?:it is |it's |it must be |it would be |the )?(?:option|choice|answer))")
    + "[ *_]"
)
#: "Option C is the best answer": the label comes first.
_LEADS = (
    rf"(?:{ci('(?:option|choice|answer|letter|that|therefore|thus|hence|so|but|believe|think|only|clearly|statement)')}[ ,*]|[\n.;:] *)"
)
_IS_RIGHT = (
    ci(
        r" +(?:is|would be|must be|seems to be|seems|remains|appears to be|should be)(?: (?:the|indeed|likely|"
        r"most likely|therefore|thus|"
        r"still|clearly|our|my))* (?:only )?(?:correct|right|best|answer|final|"
        r"most (?:appropriate|accurate|likely|plausible|suitable|reasonable))"
    )
    + NW
)
_LABEL_FIRST = (
    rf"(?:{_LEADS}|[A-Za-z]{{2}}, +){WRAPPED}({SEVERAL}{ci(' +are (?:both |all )?correct')}{NW}|"
    rf"[A-Z0-9]{CLOSE}{_IS_RIGHT})"
)
STATED = (
    # Read over: refused, or right only on a condition.
    rf"{NW}(?:{_WEAK_HEADS}){AFTER}(?:{SEVERAL}|[A-Za-z0-9]{CLOSE}){IS_WRONG}"
    rf"|{_LEADS}{WRAPPED}[A-Z0-9]{CLOSE}{_IS_RIGHT}{ci('(?:answer |choice |option |one )?(?:if|only|when|unless)')}{NW}"
    # Keys of JSON join their words with "_".
    rf"|(?:{NW}|_)(?:{_HEADS}|{_WEAK_HEADS}){AFTER}({ONE_LABEL})|{_LABEL_FIRST}"
)
_ONE = "(?:[A-Za-hj-z]|[0-9][0-9]?)"
_IN_BRACKETS = rf"[(\[] ?(?:\*\*)?{_ONE}(?:\*\*)? ?[)\]]"
_IN_BOLD = r"\*\*(?:[A-Z]|[0-9][0-9]?)[.):]*\*\*"
#: "(B), (C) and (D)", "**A** and **C**" and "(B, C)" name none of them.
_MARKED = rf"(?:{_IN_BRACKETS}|{_IN_BOLD})"
_ROW = rf"(?:{_MARKED}(?: *[,/]? *{ci('(?:and|or|&)?')} *{_MARKED})+|[(\[] ?{_ONE}(?: *(?:[,&/]|{ci('and|or')}) *{_ONE})+ ?[)\]])"
_BRACKETED = rf"({_ROW}|(?:{NOT}|[{WORD}])?{_IN_BRACKETS}(?:{IS_WRONG})?)"
_BOLD = rf"((?:{NOT})?{_IN_BOLD}(?:{IS_WRONG})?)"
#: "The best defence is (D), since …": a sentence that ends on a label, with whatever noun.
_IS = ci(r" (?:is|be):?(?: (?:option|choice|answer|indeed|therefore|likely|probably|the))*") + '[ *"]+'
#: "No, it's A.", "That leaves C.": a bare letter only where the clause ends after it.
_IT_IS = (
    NW
    + ci(
        r"(?:it's|it is|it must be|it has to be|that's|that is|this is|that leaves|which leaves|leaving|"
        r"we are left with|i think|i believe|"
        r"i maintain|i keep|i'll keep|i'd guess|i guess|i take|i prefer|i favou?r|definitely|probably|most likely|still|my answer of)"
    )
    + ci("(?: (?:only|just|us with|me with|with|option|choice|answer|clearly|definitely|therefore|actually|probably))*")
    + rf"(?::| )*{WRAPPED}([A-Z]{CLOSE}(?:[.;!\n]|,? (?:because|since)))"
)
_IS_LABEL = rf"{_IS}(?:{_ROW}|({_IN_BRACKETS}|[A-Z]\)))|{_IT_IS}"
#: The text begins with a label and its next line explains it. A later line that begins with a label makes it a walk through the options.
_NO_LABEL_LINE = r"[ *_#>(-]*(?:[A-Z]?|(?:[^A-Z *_#>(\n-]|[A-Z][^).:\n])[^\n]*)\n"
_EXPLAINED = (
    rf"^\n(?:{OPEN})*([A-Z][).:])[^\n]*\n[\n *_#]*"
    + ci("(?:explanation|reason|rationale|justification|because|why|here's why|this is because)")
    + rf"[^\n]*\n(?:{_NO_LABEL_LINE})*$"
)
#: "D) Paris" after a blank or at the start of a line, "D. Paris" and "D: Paris" at the start of a line only.
_HALF = rf"{_ROW}|[ \n*_>\"':-]((?:{ci('(?:and|or|nor|not) ')})?(?:[A-Z]|[0-9][0-9]?)\))"
_HALF_AT_START = rf"\n[ *_>#\"-]*((?:[A-HJ-Z]|[0-9][0-9]?)[.:](?:[ *]+{ci('(?:false|incorrect|wrong|no|not)')}[.,;:! \n*]|[ *\n]))"
_LAST_WORD = (
    # Several are read over (the last two tell), and so is a denied one.
    rf"{NW}(?:{ANY_LABEL}{AND}|(?:[A-HJ-Z]|[0-9][0-9]?){CLOSE} *, *){WRAPPED}{ANY_LABEL}[*)\"'$\]. ]*\n*$|"
    + ci("(?:n't|not|never)")
    + r"[ *][^.,;\n]*\.?\n*$|"
    rf"(?:[,:\n]| -|{NW}{ci('(?:is|be|option|choice|therefore|thus|hence|so|answer)')})[ ,]{{0,6}}[*(\"'$\[]{{0,8}}"
    r"([A-Z]|[0-9][0-9]?)[*)\"'$\]. ]*\n*$"
)

#: The text begins with a label that is told apart from a word by what follows.
_OPENS = (
    rf"^\n(?:{OPEN}){{0,6}}(?:{ci('(?:option|choice|answer)')} )?([B-HJ-Z]{CLOSE} \(|"
    rf"[A-HJ-Z]{CLOSE}(?:!| ->? | \||,? {ci('(?:because|since|definitely|for sure|it is)')}{NW}))"
)

ROBUST = Profile(
    (
        Rule("stated", STATED, "stated", later_groups=(_LABEL_FIRST,)),
        Rule(
            "lone_line",
            rf"\n(?:{OPEN}|[#>-]|[^\x01-\x7f{ANY_WORD}]){{0,30}}([A-Z]|[a-hj-z]|[0-9][0-9]?)[ ]*{CLOSE}[.:;]?{CLOSE}[ ]*\n",
            "last",
        ),
        Rule("explained", _EXPLAINED, "first"),
        Rule("is_label", _IS_LABEL, "last", later_groups=(_IT_IS,)),
        Rule("bracketed", f"{_BRACKETED}|{_BOLD}", "unlisted", later_groups=(_BOLD,)),
        Rule("half_bracketed", f"{_HALF}|{_HALF_AT_START}", "only", later_groups=(_HALF_AT_START,)),
        Rule("opens", _OPENS, "first"),
        Rule("last_word", _LAST_WORD, "last"),
    ),
    folds="normal",
    read_over=READ_OVER,
)

#: True and False are answers to the same questions, so they are read as yes and no.
YES_NO_WORDS = {"YES": "yes", "NO": "no", "TRUE": "yes", "FALSE": "no"}
_WORDS = ci("(yes|no|true|false)")
_YES_NO = _WORDS + r"(?:[*_\"'`$)\]}]|\\[)\]])*(?: *[.,;:!?\n<\\-]| *\(|" + GOES_ON + ")"
YES_NO_LABEL = "[A-Za-z]+"
#: "Yes and no" and "yes or no" name none of them; what is denied is not turned around.
_BOTH = ci(
    "(?:not|cannot|never)(?: be)? (?:true|false|yes)|(?:yes|true)[\"'*]*(?: and | or | nor |/)[\"'*]*(?:no|false)|"
    "(?:no|false)[\"'*]*(?: and | or | nor |/)[\"'*]*(?:yes|true)"
)
YES_NO = Profile(
    (
        Rule(
            "stated",
            rf"(?:{_HEADS}|{ci('(?:therefore|thus|hence|so|conclusion|changes? from (?:yes|no|true|false) to)')}[,:]? ){AFTER}{_YES_NO}",
            "last",
        ),
        Rule("lone_line", rf"\n[^{WORD}\n]*{_WORDS}[^{WORD}\n]*\n", "last"),
        Rule("first_word", rf"^[^{WORD}]*{_YES_NO}", "first"),
        Rule(
            "it_is_true",
            rf"{NW}{ci('(?:it|this|that|(?:the|this|that|your) (?:statement|claim|proposition|assertion|hypothesis))')}"
            + ci("(?:'s| is| must be| would be| has to be| remains| seems) (?:(?:therefore|clearly|indeed|likely) )*(true|false)")
            + rf"[*\"']*(?:[.,;!\n]|{ci(' (?:because|since|as|that|given)')}{NW})",
            "last",
        ),
        Rule("last_word", rf"(?:[,:;\n-]|{ci('(?:so|therefore|thus|hence)')} ) *{_WORDS}[^{WORD}]*$", "last"),
    ),
    folds="normal",
    labels=YES_NO_WORDS,
    read_over=(*READ_OVER, (f"{NW}(?:{_BOTH})", None)),
)
