"""The robust profile and the one of yes and no: what counts as a statement, in which order."""

from __future__ import annotations

from debate_ledger.coder.characters import ANY_WORD, WORD
from debate_ledger.coder.parts import (
    AFTER,
    AND,
    ANY_LABEL,
    ANY_WORDS,
    BEFORE,
    CANNOT_TELL,
    CLOSE,
    GOES_ON,
    IN_BOLD,
    IN_BRACKETS,
    IS_WRONG,
    IT_CANNOT_BE_TOLD,
    MARKED,
    NONE,
    NOT,
    NOUN,
    NW,
    ONE,
    ONE_LABEL,
    OPEN,
    SEVERAL,
    TWO,
    VERB,
    WHO,
    WRAPPED,
)
from debate_ledger.coder.patterns import Profile, ReadOver, Rule, ci
from debate_ledger.coder.read_over import READ_OVER

_CHANGE = ci("(?:switch|chang|revis|updat|adjust|amend)(?:e|ed|es|ing)?")
_I_AM = ci("(?:i|we)(?:'m|'ve|'ll| am| have| will| now| therefore| thus| then| also| would)* ")
_MOVE = ci("(?:mov|shift|convert)(?:e|ed|ing)?")
_HEADS = "|".join(
    (
        rf"{NOUN}{BEFORE}{VERB}",
        ci(
            r"(?:choose|select|pick|selected|chose|chosen|picked|go with|going with|went with|go for|going for|"
            r"vote for|opt for|opted for|stick with|"
            r"sticking with|settle on|(?:lean|leaning)(?: to| towards?)?|"
            r"conclude|stand by|stay with|remain with|convinced(?: me| us)? (?:of|that))"
        )
        + "[ :]",
        # "I change it to", "I am moving to", "changes from (A) to".
        rf"(?:{_CHANGE}|{_I_AM}{_MOVE})"
        + rf"(?: {ci('(?:it|this|(?:my|our|the) (?:final )?(?:answer|vote|choice|response))')})?"
        + rf"(?: {ci('from')} {OPEN}*(?:[A-Z0-9]|{ci('yes|no|true|false')}){CLOSE})? +{ci('(?:over )?to')}[ :]",
        # The answer of another one that is agreed with; its verb may have been read over.
        ci("(?:agree|agreeing|concur|side|siding) with ") + rf"{WHO}'s? (?:[a-z]+ )?{NOUN}(?:{VERB}|{ci(' of')})?",
        ci("(?:but|and|so|is|,) now(?: say| think| believe| favou?r| choose| pick)?") + "[ :]",
        ci("(?:i'd|i would|i still) (?:say|think|believe)(?: that)?(?: it's| it is)?") + "[ :]",
        ci("(?:i (?:now |still |therefore |also )?|me )(?:say|answer|vote)") + "[ :]",
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
        r" +(?:is|would be|must be|seems to be|seems|remains|appears to be|should be)(?:,? (?:the|indeed|likely|"
        r"most likely|therefore|thus|"
        r"still|clearly|our|my))*,? (?:only )?(?:correct|right|best|answer|final|"
        r"most (?:appropriate|accurate|likely|plausible|suitable|reasonable))"
    )
    + NW
)
_LABEL_FIRST = (
    rf"(?:{_LEADS}|[A-Za-z]{{2}}, +){WRAPPED}({SEVERAL}{ci(' +are (?:both |all )?correct')}{NW}|"
    rf"[A-Z0-9]{CLOSE}{_IS_RIGHT}|{CANNOT_TELL})"
)
_ONLY = ci(" only (?:if|when|where|in|under|for|after)") + NW
STATED = (
    # Read over: refused, or right only on a condition.
    rf"{NW}(?:{_WEAK_HEADS}){AFTER}(?:{SEVERAL}|[A-Za-z0-9]{CLOSE}){IS_WRONG}"
    rf"|{NW}{NOUN}{BEFORE}{VERB}{AFTER}[A-Z0-9]{CLOSE}{_ONLY}"
    rf"|{NW}{NOUN}(?: [a-z]+){{0,4}} {ci('would (?:be|have been)')}{AFTER}[A-Z0-9]{CLOSE},? {ci('(?:if|had|were)')}{NW}"
    rf"|{_LEADS}{WRAPPED}[A-Z0-9]{CLOSE}{_IS_RIGHT}{ci('(?:answer |choice |option |one )?(?:if|only|when|unless)')}{NW}"
    rf"|{_LEADS}{WRAPPED}[A-Z0-9]{CLOSE}"
    + ci(" would be (?:right|correct|the (?:right|correct|best) (?:answer|choice|option)) (?:for|in|under) an?")
    + " "
    # Keys of JSON join their words with "_".
    rf"|(?:{NW}|_)(?:{_HEADS}|{_WEAK_HEADS}){AFTER}({ONE_LABEL})|{_LABEL_FIRST}"
)
#: "(B), (C) and (D)", "**A** and **C**" and "(B, C)" name none of them, nor does "(B) (C)"; "(C) (X)" is C and the X of the prompt.
_NO_X = r"(?:[(\[] ?(?:\*\*)?(?:[A-WYZa-hj-z]|[0-9][0-9]?)(?:\*\*)? ?[)\]]|" + IN_BOLD + ")"
_ROW = (
    rf"(?:{MARKED}(?: *(?:[,/] *{ci('(?:and|or|&)?')}|{ci('(?:and|or|&)')}) *{MARKED})+|{_NO_X}(?: *{_NO_X})+|"
    rf"[(\[] ?{ONE}(?: *(?:[,&/]|{ci('and|or')}) *{ONE})+ ?[)\]]|"
    # "Every one of (A) to (D)".
    rf"{ci('(?:of|options?|choices?|answers?|anything|everything)(?: from)?')} {MARKED} *(?:-|{ci('to|through')}) *{MARKED})"
)
#: "(A) Incorrect. (B) Correct.": a verdict on each option. "True", "False" and "Wrong" are options' own texts too often.
_VERDICT_END = r"[*_]*(?:[.!:;\n)]| -)"
_ON_OPTION = rf"(?: ?[*_:.,-])*[ *]+{ci('(?:in|not )?correct')}{_VERDICT_END}"
_VERDICT_ON = rf"{NW}([(\[]?[A-Z][)\].:])(?: ?[*_:.,-])*[ *]+{ci('correct')}{_VERDICT_END}"
_IF = ci(" (?:holds?|works|applies|would hold|is (?:right|correct|true)) (?:only )?(?:if|when)") + NW
_EITHER = rf"{ci('either ')}{IN_BRACKETS}[^.,;:()\n]*,? or {IN_BRACKETS}"
_BRACKETED = rf"({_EITHER}|{_ROW}|(?:{NOT}|[{WORD}])?{IN_BRACKETS}(?:{IS_WRONG}|{_IF}|{_ON_OPTION})?)"
_BOLD = rf"((?:{NOT})?{IN_BOLD}(?:{IS_WRONG})?)"
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
_IS_LABEL = rf"{_IS}(?:{_ROW}|{TWO}|({IN_BRACKETS}|[A-Z]\)))|{_IT_IS}"
#: The text begins with a label and its next line explains it. A later line that begins with a label makes it a walk through the options.
_NO_LABEL_LINE = r"[ *_#>(-]*(?:[A-Z]?|(?:[^A-Z *_#>(\n-]|[A-Z][^).:\n])[^\n]*)\n"
_EXPLAINED = (
    rf"^\n(?:{OPEN})*([A-Z][).:])[^\n]*\n[\n *_#]*"
    + ci("(?:explanation|reason|rationale|justification|because|why|here's why|this is because)")
    + rf"[^\n]*\n(?:{_NO_LABEL_LINE})*$"
)
#: "D) Paris" after a blank or at the start of a line, "D. Paris" and "D: Paris" at the start of a line only.
_HALF = rf"{_ROW}|[ \n*_>\"':-]((?:{ci('(?:and|or|nor|not) ')})?(?:[A-Z]|[0-9][0-9]?)\)(?:{_ON_OPTION})?)"
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
    rf"^\n(?:{OPEN}){{0,6}}(?:{ci('(?:option|choice|answer)')} )?([B-HJ-Z]{CLOSE} \((?:[^A-Za-z0-9]|[Xx]\)|[A-Za-z0-9][^)])|"
    rf"[A-HJ-Z]{CLOSE}(?:!| ->? | \||,? {ci('(?:because|since|definitely|for sure|it is)')}{NW}))"
)

ROBUST = Profile(
    (
        Rule("stated", STATED, "stated"),
        Rule(
            "lone_line",
            rf"\n(?:{OPEN}|[#>-]|[^\x01-\x7f{ANY_WORD}]){{0,30}}([A-Z]|[a-hj-z]|[0-9][0-9]?)[ ]*{CLOSE}[.:;]?{CLOSE}[ ]*\n",
            "last",
        ),
        Rule("explained", _EXPLAINED, "first"),
        Rule("is_label", _IS_LABEL, "last"),
        Rule("verdict", _VERDICT_ON, "only"),
        Rule("bracketed", f"{_BRACKETED}|{_BOLD}", "unlisted"),
        Rule("half_bracketed", f"{_HALF}|{_HALF_AT_START}", "only"),
        Rule("opens", _OPENS, "first"),
        Rule("last_word", _LAST_WORD, "last"),
    ),
    folds="normal",
    read_over=READ_OVER,
)

#: True and False are answers to the same questions, so they are read as yes and no.
YES_NO_WORDS = {"YES": "yes", "NO": "no", "TRUE": "yes", "FALSE": "no"}
_WORD = ci("(?:yes|no|true|false)")
_VERDICT = _WORD + r"(?:[*_\"'`$)\]}]|\\[)\]])*(?: *[.,;:!?\n<\\-]| *\(|" + GOES_ON + ")"
YES_NO_LABEL = "[A-Za-z]+"
#: "Yes and no" and "yes or no" name none of them; what is denied is not turned around.
_JOINED = r"[\"'*]*(?: and | or | nor |/)[\"'*]*|[}$]*(?:,|,? or) \$?\\boxed\{"
_IF_SO = ci(",? (?:only )?(?:if|when|unless|provided|assuming|otherwise|in case)")
_BOTH_IF = "|".join(
    rf"{ci(one)}{_IF_SO} {ANY_WORDS}[^ .,;\n]*[.,;\n]+ *(?:{ci('(?:and|but|or|else)')} )?{ci(other)}{_IF_SO}{NW}"
    for one, other in (("(?:yes|true)", "(?:no|false)"), ("(?:no|false)", "(?:yes|true)"))
)
_BOTH = f"{_BOTH_IF}|" + ci(
    f"(?:not|cannot|never)(?: be)? (?:true|false|yes)|(?:yes|true)(?:{_JOINED})(?:no|false)|(?:no|false)(?:{_JOINED})(?:yes|true)"
)
#: A line or a sentence of that one word: "It was unnecessary. Yes."
_LONE = (
    rf"(?:\n[^{WORD}\n]*|[.!?;:][*\"')\]]* [^{WORD}\n.!?;:]*)(?:{_WORD}[^{WORD}\n.!]*[.!][^{WORD}\n]* )*"
    rf"({_WORD})(?:[^{WORD}\n]*\n|[*\"')\]]*[.!]+[*\"')\]]* )"
)
_NOT_TOLD = rf"[.!?,;\n][ *_\"]*(?:{ci('(?:therefore|thus|hence|so|but)')},? )?({CANNOT_TELL}|{IT_CANNOT_BE_TOLD})"
YES_NO = Profile(
    (
        Rule(
            "stated",
            rf"(?:{_HEADS}|{ci('(?:therefore|thus|hence|so|conclusion)')}[,:]? ){AFTER}"
            rf"({_VERDICT}|{NONE})|{_NOT_TOLD}",
            "stated",
        ),
        Rule("lone_line", _LONE, "last"),
        Rule("first_word", rf"^[^{WORD}]*({_VERDICT})", "first"),
        Rule(
            "it_is_true",
            rf"{NW}{ci('(?:it|this|that|(?:the|this|that|your) (?:statement|claim|proposition|assertion|hypothesis))')}"
            + ci("(?:'s| is| must be| would be| has to be| remains| seems) (?:(?:therefore|clearly|indeed|likely) )*(true|false|yes|no)")
            + rf"[*\"']*(?:[.,;!\n]|{ci(' (?:because|since|as|that|given)')}{NW})",
            "last",
        ),
        Rule("last_word", rf"(?:[,:;\n-]|{ci('(?:so|therefore|thus|hence)')} ) *({_WORD})[^{WORD}]*$", "last"),
    ),
    folds="normal",
    labels=YES_NO_WORDS,
    rare=True,
    # With the last of the passes, since a pass of its own takes as long as a larger one.
    read_over=(*READ_OVER[:-1], ReadOver(f"{READ_OVER[-1].pattern}|{NW}(?:{_BOTH})")),
)
