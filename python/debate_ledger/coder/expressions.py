r"""Numbers as they stand in a text, with all that they are a part of: marks, tokens, expressions, and the value of those that are numbers.

A number that is only a part of something larger ("2x + 1", "3 or 4", "12:30", "1.2.3", "at least 5") is none, so a text is read in whole
expressions: the longest rows of numbers, letters, signs and links such as "or". What an expression is worth is known or it is not; no part
of it is taken for the whole. Worth something are a number in one of its spellings, and an equation by its right side ("3 + 4 = 7").

All texts here are folded (``characters.FOLDS["normal"]``), and every step keeps the places of the characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

#: Numbers of more characters, and powers of ten beyond this, are no answers, and would take long to write out.
MAX_LENGTH = 400
MONEY = "$\u20ac\u00a3\u00a5\u20b9"

# Marks ------------------------------------------------------------------------------------------------------------------------------

#: Blanks that part the thousands of a number; folding would make plain blanks of them.
_THIN = re.compile(r"(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_DOT = re.compile(r"(?<=[0-9A-Za-z)}])([\u00b7\u2022])|(?<=[0-9A-Za-z)}] )([\u00b7\u2022])|[\u00b7\u2022]")
_BRACES = re.compile(
    r"\\(f?boxed|fbox|text(?:bf|it|rm|sf|tt|normal)?|math(?:rm|bf|it|sf|tt)|bm|mbox|emph|underline|ensuremath) ?\{|\{,\}|\\[{}]|[{}]|"
    # A box without braces.
    r"\\f?boxed ?(?P<bare>[-+]?[$\u20ac\u00a3]?[0-9]+(?:[.,/][0-9]+)*)"
)
#: Dollars around a formula: no blank before the second one unless there is one behind the first, and no digit after them.
_FORMULA = re.compile(r"(?<!\\)(\${1,2})(?:(?=[^ \n$])(?:\\.|[^$\n\\])+(?<! )| (?:\\.|[^$\n\\])+|\n(?:\\.|[^$\\])+\n)\1(?![0-9])")
_MARKS = re.compile(
    r"(?P<kept>(?<=[0-9])(?:\{,\}|,)?\\[,!](?=[0-9])|"
    # Asterisks and underscores between two operands.
    r"(?<=[0-9A-Za-z)}\]%])\*{1,2}(?=[0-9A-Za-z({\[\\+$-]|\.[0-9])|(?<=[0-9A-Za-z)}\]] )\*(?= )|"
    # "is ** 5**" is bold: before a power stand a number, a bracket or one letter.
    r"(?:(?<=[0-9)}\]] )|(?<=[^A-Za-z][A-Za-z] ))\*\*(?= )|"
    r"(?<=[0-9A-Za-z}])_(?=[0-9A-Za-z{\\])|(?<=[0-9A-Za-z])'(?=[0-9A-Za-z]))"
    r"|(?P<end>\\\\)|\\(?P<sign>[$%&])"
    r"|(?P<gone>\\[()\[\],;:! ]|\\(?:left|right|big|bigl|bigr|Big|Bigl|Bigr|displaystyle|textstyle|quad|qquad|bf|rm)(?![A-Za-z])|"
    r"<<[^<>\n]*>>|</?[A-Za-z][A-Za-z0-9_]*(?: [^<>\n]*)?>|(?:(?<=\n)|^)>+(?! *[-+$.]?[0-9])|&(?= ?=)|"
    # A point after a unit that is cut short.
    r"(?:(?<= (?:ft|in|lb|oz|hr|yd|vs))|(?<= (?:lbs|hrs|min|sec))|(?<= approx))\.(?= [0-9])|[*_\"'`~]+)"
    r"|(?P<dollar>\$)"
)
#: "7 [1]", "7 miles.[2]": the mark of a source.
_CITED = re.compile(r"([0-9%.!?][ ]?|[0-9] ?[a-z]+ |[a-z]{3})(\[[0-9]{1,2}(?:[,-] ?[0-9]{1,2})*\])(?! ?[=^*/+(\[{-])")
_ANSWER_TAG = re.compile(r"<(?:final_?)?ans(?:wer)?>", re.ASCII | re.IGNORECASE)
_AMOUNT = re.compile(r" ?[-+]?(?:\.?[0-9]|\\[dtc]?frac|[\u00bc-\u00be\u2150-\u215e])")


def before_folding(text: str) -> str:
    """A text in which signs stay what they are, of which folding would make blanks and dashes.

    These are thin blanks between thousands, dots that multiply, and bullets.
    """
    if text.isascii():
        return text
    return _DOT.sub(lambda match: "\u00d7" if match.lastindex else ";", _THIN.sub("_", text))


#: Stands for what is gone until all marks are: no blank, which would make an operator of an asterisk.
_GONE = "\x01"


class Unmarked(NamedTuple):
    r"""A text of the same length without marks of bold, quotes, LaTeX around words and formulas.

    With the places of what stands within ``\boxed{…}``, and of what follows ``<answer>``.
    """

    text: str
    boxes: list[tuple[int, int]]
    tags: list[int]


def unmarked(text: str) -> Unmarked:
    r"""Blanks instead of ``**``, quotes, ``\(`` and ``\)``, dollars around a formula, ``\boxed{…}``, ``\text{…}``; tags of markup too."""
    characters, boxes = list(text), []
    opened: list[tuple[str | None, int]] = []
    if "\\" in text or "{" in text:
        for match in _BRACES.finditer(text):
            if match["bare"]:
                characters[match.start() : match.start("bare")] = _GONE * (match.start("bare") - match.start())
                boxes.append(match.span("bare"))
            elif match[0] == "}":
                name, at = opened.pop() if opened else (None, 0)
                if name is not None:
                    characters[match.start()] = _GONE
                if name is not None and name.endswith(("boxed", "fbox")):
                    boxes.append((at, match.start()))
            elif match[0] == "{" or match[1]:
                opened.append((match[1], match.end()))
                if match[1]:
                    characters[match.start() : match.end()] = _GONE * len(match[0])
    for name, at in opened:
        # Never closed: up to the end of the line.
        if name is not None and name.endswith(("boxed", "fbox")):
            line = text.find("\n", at)
            boxes.append((at, len(text) if line < 0 else line))
    for match in _FORMULA.finditer(text) if "$" in text else ():
        wide = len(match[1])
        for at in (match.start(), match.end() - wide):
            characters[at : at + wide] = _GONE * wide
    plain = _CITED.sub(lambda match: match[1] + " " * len(match[2]), "".join(characters))
    tags = [match.end() for match in _ANSWER_TAG.finditer(plain)]
    return Unmarked(_MARKS.sub(_replaced, plain).replace(_GONE, " "), sorted(boxes), tags)


def _replaced(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match[0]
    if match["sign"] is not None:
        return f" {match['sign']}"
    if match["dollar"] is not None:
        # Of money before an amount or behind one; else one of a formula whose other one is not found.
        is_money = _AMOUNT.match(match.string, match.end()) or match.string[match.start() - 1 : match.start()].isnumeric()
        return "$" if is_money else " "
    return "\n " if match["end"] else " " * len(match[0])


# Tokens -----------------------------------------------------------------------------------------------------------------------------


class Token(NamedTuple):
    r"""One kind, written as a character, and its place.

    Numbers and what they are worth: n digits, v ½, f \frac of whole numbers, l a letter, W a number in words, o another sign of
    mathematics, s superscript.
    Operators: ^ * / + -, b any other, = and <, T one in words (times), M "negative", ! factorial, brackets, m money, % percent, d degrees.
    Words: u a unit or any other word, c a unit that another amount follows (feet, hours), w a word that is no unit, D "the" and the like,
    L a link (or, and, to), B what bounds or changes the number after it (at least, twice), z what changes the one before it (million,
    squared), g one that is glued to a number. Else: comma, _ blanks, a line end, q anything.
    """

    kind: str
    start: int
    end: int


_GROUP = r"(?:[.,'_:]|\{,\}(?:\\!)?|,?\\[,!])"
_WORDS = "[A-Za-z\u00f8]"
_PART = r" ?(?:\{ ?([-+]?[0-9]+(?:,[0-9]+)*) ?\}|([0-9]))"
_FRAC = re.compile(rf"\\[dtc]?frac{_PART}{_PART}(?![0-9])")
_FRAC_TOKEN = re.sub(r"\((?!\?)", "(?:", _FRAC.pattern)
_VULGAR = "\u00bc-\u00be\u2150-\u215e\u2189"
_SUPERSCRIPT = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b"
_MONTHS = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
)  #: What bounds or changes the number after it; some of it the number before it.
_BOUNDS = (
    r"(?:more|less|greater|fewer|larger|smaller|higher|lower|bigger) than(?: or equal to)?|at (?:least|most)|up to|between|either|both|"
    r"(?:no|not) (?:more|less|fewer) than|under|below|above|exceeds|nearly|almost|"
    r"(?:square|cube|(?:[a-z]+)th) root of|(?:square|cube|half|double|triple|twice|thirds?|quarters?|factorial|log|logarithm) of|"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten) (?:out )?of|twice|double|triple|half|"
    rf"{_MONTHS}"
)
_LINKS = "and/or|out of|in|per|or|and|to|through|versus|vs|by|of|nor|till|until|choose"
_OPERATORS = "(?:divided|multiplied) by|raised to(?: the)?(?: power)?(?: of)?|to the power(?: of)?|plus|times|over|mod|modulo"
_LATER = (
    r"(?:and (?:a|one|two|three|[0-9]+)[ -])?(?:half|halves|thirds?|quarters?|fourths?|fifths|sixths|eighths|tenths|hundredths|"
    r"thousandths)|squared|cubed|factorial|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|lakhs?|crores?|mn|bn"
)
_SPELLED = (
    r"(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)"
)
_COMPOUND = (
    r"years?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|feet|foot|ft|inch|inches|yards?|miles?|pounds?|lbs?|ounces?|"
    r"oz|dollars?|cents?|euros?|degrees?|meters?|metres?|km|kg|cm|mm|grams?"
)
_FUNCTIONS = (
    r"(?:sqrt|cbrt|log|ln|lg|exp|arcsin|arccos|arctan|sin|cos|tan|cot|sinh|cosh|tanh|gcd|lcm|floor|ceil|abs)(?:_?[0-9]+)?|pi|infinity|infty"
)
#: Units that may stand right behind a number, and single letters that may do so after a blank.
_UNITS = frozenset(
    "km cm mm nm dm um ft in yd mi kg mg lb lbs oz ml cl dl mL dL min mins sec secs hr hrs ms ns mph kmh kph kmph rpm bpm fps Hz kHz MHz "
    "GHz kW MW GW kWh Wh kJ kPa Pa eV mol dB kB KB MB GB TB px USD EUR GBP am pm AM PM cal kcal sq cc".split()
)
_UNIT_LETTERS = frozenset("mgshlLVWJNKCFTA")
#: Of these the ones that are rarely a variable, so that "48g" is an amount.
_GLUED_UNITS = frozenset("gL")
#: Words that may stand between a link and a number, and other ones that are no unit.
_DETERMINERS = frozenset("the maybe perhaps possibly even about approximately around exactly just only".split())
_NO_UNIT = frozenset(
    "a after all also although am an and are as at be because been before but by can could did do does for from had has have he her hence "
    "his how i if in instead into is it its my no not of on or our per rather she should since so still than that the their then there "
    "therefore these they this those though thus to was we were what when where whereas which while who will with would you your".split()
)
_BINARY = {"\\div": "b", "\\pm": "b", "\\mp": "b", "\\mod": "b", "\\bmod": "b", "\\pmod": "b", "\\circ": "b", "\\colon": "b"}
_COMMANDS = (
    {name: "*" for name in (r"\times", r"\cdot", r"\ast")}
    | {name: "=" for name in (r"\approx", r"\simeq", r"\cong", r"\equiv")}
    | {name: "<" for name in (r"\le", r"\leq", r"\ge", r"\geq", r"\lt", r"\gt", r"\ne", r"\neq", r"\leqslant", r"\geqslant", r"\in")}
    | {name: "q" for name in (r"\implies", r"\iff", r"\to", r"\therefore", r"\because", r"\begin", r"\end", r"\hline")}
    | {name: "m" for name in (r"\pounds", r"\euro")}
    | _BINARY
)
_W = r"(?![0-9A-Za-z_\u00f8'])"
#: Words that mean something to the numbers beside them, in lower case; not within a command, a name or another word.
_PHRASE = re.compile(
    r"(?<![0-9a-z_\\\u00f8'/{])(?<![a-z]-)"
    rf"(?:(?P<bound>{_BOUNDS})|(?P<minus>minus|negative)|(?P<later>{_LATER})|(?P<spoken>{_OPERATORS})|(?P<spelled>{_SPELLED})|"
    rf"(?P<link>{_LINKS})|(?P<function>{_FUNCTIONS})|(?P<compound>{_COMPOUND})(?! ?\^|[/\u00b2\u00b3])){_W}"
)
#: Without any of these a sentence holds no expression.
_SIGNS = re.compile(f"[0-9\\\\={_VULGAR}\u221a\u221b\u221e\u2211\u222b]")
#: Sentences and lines, which no expression goes beyond.
_SENTENCE = re.compile(r"(?:[^\n.?]|[.?](?! ))+")
_TOKEN = re.compile(
    r"(?P<newline>\n)|(?P<blank> +)"
    # Digits with all that may stand between them, then what shows that they go on.
    rf"|(?P<number>\.{{0,3}}[0-9]+(?:{_GROUP}[0-9]+)*(?:[eE][-+]?[0-9]+)?)(?:(?P<ordinal>(?:st|nd|rd|th){_W})|(?P<goes_on>\.(?=[\\(])))?"
    rf"|(?P<vulgar>[{_VULGAR}])|(?P<superscript>[{_SUPERSCRIPT}]+)"
    rf"|(?P<degrees>\^ ?(?:\{{ ?\\circ ?\}}|\\circ)(?![A-Za-z])|\u00b0[CFK]?)|(?P<frac>{_FRAC_TOKEN})"
    r"|(?P<arrow>[=-]{1,5}>|\\[A-Za-z]*arrow|[\u2190-\u21ff\u27f5-\u27fa])"
    rf"|(?P<command>\\[A-Za-z]+)"
    # "3 x 4", "3x4"
    r"|(?P<by>(?<=[0-9)}])[xX](?=[0-9])|(?<=[0-9)}] )[xX](?= [0-9({\\]))"
    # "5 m/s", "5 m^2"
    r"|(?P<measure>(?<= )[mgshlLVWJN](?:/(?:s|h|min|m|L|l|mol|kg|C|V)(?:\^?[23]|[\u00b2\u00b3])?| ?\^(?:[23]|\{[23]\})|[\u00b2\u00b3])"
    r"(?![A-Za-z0-9(]))"
    r"|(?P<foreign>\u00f8{2,})"
    rf"|(?P<variable>[A-Za-z](?:_\{{[^{{}}\n]{{0,20}}\}}|_?[0-9]+{_W}|_[A-Za-z]{_W}))"
    rf"|(?P<named>{_WORDS}{{2,}}(?:-[A-Za-z0-9]+)*-[0-9]+[A-Za-z]*{_W})"
    rf"|(?P<word>/?(?:{_WORDS}{{2,}}|{_WORDS}-{_WORDS}{{3,}})[0-9A-Za-z_\u00f8]*(?:'[A-Za-z]+)?"
    r"(?:[/-][A-Za-z]{2,})*(?:(?<=[a-z])/[a-z](?![A-Za-z]))?(?: ?\^(?:-?[0-9]|\{-?[0-9]\})|[\u00b2\u00b3])?)"
    rf"|(?P<letter>{_WORDS}(?:'[A-Za-z]+)?)"
    r"|(?P<times>[\u00d7\u2217\u22c5\u2715]|\*(?!\*))|(?P<power>\^|\*\*)|(?P<slash>[/\u2044\u2215])|(?P<sign>[-+])"
    r"|(?P<equal>[=\u2248\u2245\u2243]|:=)|(?P<compare>[<>\u2264\u2265\u2260\u2208]+=?|!=)|(?P<open>[(\[{])|(?P<close>[)\]}])"
    rf"|(?P<money>[{MONEY}])|(?P<percent>%)|(?P<comma>[,;&])|(?P<odd>[\u2030\u221a\u221b\u221e\u2211\u222b\u03c0])"
    r"|(?P<binary>[\u00f7\u00b1\u2213:|])|(?P<bang>!)|(?P<other>[^\n])",
    re.DOTALL,
)
_IS = re.compile(r"(?:^|[:=,(\n]|(?<![A-Za-z])(?i:is|are|be|was|get|gives?|equals|answer|to)) *$")
_EITHER_SIDE = re.compile(f"half|double|triple|{_MONTHS}")
_KINDS = {
    "newline": "\n", "blank": "_", "vulgar": "v", "superscript": "s", "degrees": "d", "frac": "f", "arrow": "q",
    "spoken": "T", "spelled": "W", "function": "o", "later": "z", "link": "L", "compound": "c", "foreign": "u", "variable": "l",
    "named": "g", "times": "*", "by": "*", "power": "^", "slash": "/", "equal": "=", "compare": "<", "open": "(", "close": ")",
    "money": "m", "percent": "%", "comma": ",", "odd": "o", "other": "q",
}  # fmt: skip


_AND_PART = re.compile(rf" (?:[0-9]{{1,2}}/[0-9]{{1,3}}(?![0-9/.])|[{_VULGAR}]|\\[dtc]?frac(?![a-z]))")


def tokens(text: str) -> list[Token]:
    """The tokens of a text without marks, in their order; sentences without signs and numbers are left out."""
    # Folding left no letter that is longer in lower case.
    lower = text.lower()
    found: list[Token] = []
    for sentence in _SENTENCE.finditer(text):
        at, end = sentence.span()
        phrases = list(_PHRASE.finditer(lower, at, end))
        if _SIGNS.search(text, at, end) is None and not any(phrase.lastgroup == "spelled" for phrase in phrases):
            continue
        found.append(Token("\n", at, at))
        for phrase in phrases:
            _lex(text, at, phrase.start(), found)
            name = phrase.lastgroup or ""
            if phrase[0] == "and" and found[-1].kind == "_" and found[-2].kind == "n" and _AND_PART.match(text, phrase.end()):
                # "15 and 2/3" is "15 2/3".
                at = phrase.end() + 1
                found[-1] = Token("_", found[-1].start, at)
                continue
            two = "".join(token.kind for token in found[-2:])
            found.append(Token(_KINDS.get(name) or _kind(name, text, phrase.start(), phrase.end(), two), *phrase.span()))
            at = phrase.end()
        _lex(text, at, end, found)
    return found


def _lex(text: str, at: int, end: int, found: list[Token]) -> None:
    for match in _TOKEN.finditer(text, at, end):
        name = match.lastgroup or "other"
        if name in ("ordinal", "goes_on"):
            kind = "w" if name == "ordinal" else "o"
        else:
            kind = _KINDS.get(name) or _kind(name, text, match.start(), match.end(), "".join([token.kind for token in found[-2:]]))
        found.append(Token(kind, match.start(), match.end()))


def _kind(name: str, text: str, at: int, end: int, two: str) -> str:
    """The kind of a token that depends on itself or on what stands beside it; ``two`` are the kinds of the two tokens before it."""
    before = two[-1:] or "\n"
    word = text[at:end]
    after = text[end : end + 2]
    if name == "number":
        goes_on = after.startswith("\u2026") or (after == ".." and "." in word)
        return "o" if goes_on or (word[0] == "." and text[max(0, at - 1) : at].isalnum()) else "n"
    if name == "command":
        return _COMMANDS.get(word, "o")
    if name == "sign":
        return word
    if name == "bound":
        return "z" if two == "n_" and _EITHER_SIDE.fullmatch(word.lower()) else "B"
    if name == "minus":
        # "Is minus 5" is a number, "tax minus 5" a difference.
        return "M" if word.lower() == "negative" or _IS.search(text, max(0, at - 12), at) else "T"
    if name == "bang":
        # Right behind a number it is a factorial, or reads like one.
        return "!" if before in "n)" else "q"
    if name == "binary":
        if word == ":":
            return "b" if re.compile("(?<=[0-9] ): [0-9]").match(text, at) else "q"
        if word == "|":
            return "q" if text[at - 1 : at] in " \n" and after[:1] in ("", " ", "\n") else "b"
        return "b"
    if name == "letter":
        return _letter(text, at, end, word, two)
    if name == "measure":
        return "u" if two in ("n_", "f_", "v_", ")_") else "o"
    if word[0] == "/":
        return "u" if before in "nuc)%" else "g"
    if before == "n":
        return "u" if word in _UNITS or word.split("/")[0] in _UNITS or "^" in word else "g"
    lower = word.lower()
    return "D" if lower in _DETERMINERS else "w" if lower in _NO_UNIT else "u"


def _letter(text: str, at: int, end: int, word: str, two: str) -> str:
    before = two[-1:] or "\n"
    if len(word) > 1:
        return "w"
    if before == "n" and word in _GLUED_UNITS and not re.compile(r" ?[=^*/+<>-]|\(").match(text, end):
        return "u"
    if before in "nfvs)":
        return "l"
    follows = re.compile(r" ?[=^*/+<>(]").match(text, end)
    if word in "aAI" and not follows:
        return "w"
    # "5 m" is a length, "5 x" a product.
    return "u" if word in _UNIT_LETTERS and two in ("n_", "f_", "v_", "d_", ")_") and not follows else "l"


# Expressions ------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of a text. ``value`` is None where it is no number, or not understood.

    ``start`` and ``end`` are those of the whole, ``span`` is the number within, without brackets and unit; ``unit`` is as it stands.
    ``is_quotient``: the number is written as a fraction. ``is_bare``: there is nothing but the number, a percent sign and money.
    """

    start: int
    end: int
    has_digits: bool
    value: Fraction | None = None
    span: tuple[int, int] = (0, 0)
    unit: tuple[int, int] | None = None
    is_quotient: bool = False
    is_bare: bool = False


_BEFORE = r"(?:[(m+\-BMT<b^*/=]_?){0,8}"
_TERM_END = r"(?:_?\)|[!%sd]|_[%dm]|_?z|m)*(?:(?<!l)_?[uc])?"
_ROW = re.compile(
    rf"{_BEFORE}[nvfolW]{_TERM_END}(?:(?:"
    # An operator with an operand, which may be a word; a dash before a word is one between two thoughts.
    rf"_?[b^*/<=+MT-]_?{_BEFORE}[nvfolW]|_?[b^*/<=+]_?[uwcgD]|-[uwcgD]|_-_[uc]|"
    # Several numbers.
    rf"(?<!l)(?:_?,_?(?:L_)?|_L_(?:D_)?){_BEFORE}(?:[nvfoW]|l(?=_?=))|"
    # One right after the other, or with a blank between them.
    rf"(?<![uc])_?(?:[(m]_?){{0,8}}[nvfol]|(?<![uc])_?g|(?<![uc])_W|(?<=c)_n){_TERM_END})*"
    # An operator that is left without an operand.
    r"(?:_?[b^*/<=+])?"
)
_SEVERAL = re.compile("[,LBTWzg<]")
_POWER = r"(?:_?\^_?(?:\(_?[-+]?n_?\)|[-+]?n)|s)"
_VALUE = re.compile(
    rf"(?P<sign>[-+]|M_)?(?P<money>m_?)?(?P<sign2>[-+])?(?:(?P<groups>n(?:_n)+)|(?P<power>(?:n_?\*_?)?n{_POWER})|"
    r"(?P<mixed>n_?[fv]|n_n_?/_?n)|(?P<quotient>n_?/_?[-+]?n)|(?P<one>[nfv]))(?P<tail>_?[%d])?(?P<late>_?m)?(?:_?(?P<unit>[uc]))?"
)
_NUMBER = re.compile(
    r"(?P<whole>[0-9]+|[1-9][0-9]{0,2}(?:(?P<by>,|\{,\}|,\\!|\{,\}\\!|\\,|_)[0-9]{3})(?:(?P=by)[0-9]{3})*|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})?"
    r"(?:\.(?P<part>[0-9]+))?(?:[eE](?P<power>[-+]?[0-9]{1,3}))?"
)
_LEADING = re.compile("0[0-9]")
_PLAIN = re.compile(r"[1-9][0-9]{0,2}")
_THOUSAND = re.compile(r"[0-9]{3}")
_VULGARS = dict(
    zip(
        "\u00bc\u00bd\u00be\u2150\u2151\u2152\u2153\u2154\u2155\u2156\u2157\u2158\u2159\u215a\u215b\u215c\u215d\u215e",
        "1/4 1/2 3/4 1/7 1/9 1/10 1/3 2/3 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8".split(),
        strict=True,
    )
)
_RAISED = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b", "0123456789+-")


_BRACKETED = re.compile(r"\([^()]*\)_?[uc]")
_CALL = re.compile(r"_?[lo]_?\([^()=]*\)_?")
_DIGIT = re.compile(f"[0-9{_VULGAR}]")


def expressions(text: str) -> Iterator[Expression]:
    """The expressions of a text without marks, from left to right; a letter alone is none."""
    found = tokens(text)
    kinds = "".join(token.kind for token in found)
    for row in _ROW.finditer(kinds):
        if row[0] != "l":
            yield _expression(text, found[row.start() : row.end()], kinds[row.end() : row.end() + 2].lstrip("_")[:1])


def _expression(text: str, row: list[Token], after: str) -> Expression:
    row = _trimmed(row, "=_")
    kinds = _kinds_of(row)
    start, end = row[0].start, row[-1].end
    nothing = Expression(start, end, _DIGIT.search(text, start, end) is not None)
    at = kinds.rfind("=") + 1
    if _SEVERAL.search(kinds, _called(kinds)) or not _is_known(kinds[:at]):
        return nothing
    part = _trimmed(row[at:], "_")
    whole = len(part)
    part = _without_tolerance(text, part)
    if _BRACKETED.fullmatch(_kinds_of(part)):
        # "My result (48) matches": a word behind a bracket is no unit.
        part = _trimmed(part[:-1], "_")
    while (cut := _brackets(_kinds_of(part))) != (0, 0):
        part = _trimmed(part[cut[0] : len(part) - cut[1]], "_")
    match = _VALUE.fullmatch(_kinds_of(part))
    found = None if match is None else _value(text, part, match, after)
    if match is None or found is None:
        return nothing
    body = next(name for name in ("groups", "power", "mixed", "quotient", "one") if match[name] is not None)
    is_quotient = body in ("mixed", "quotient") or match["one"] in ("f", "v")
    units = [part[match.end(name) - 1] for name in ("money", "late", "tail", "unit") if match[name] is not None and part]
    if match["money"]:
        units[0] = part[match.start("money")]
    is_bare = (
        not at
        and len(part) == whole
        and "and" not in text[start:end]
        and match["unit"] is None
        and (match["tail"] or "%")[-1] == "%"
        and match["sign"] != "M_"
    )
    span = part[0].start, part[match.end(body) - 1].end
    unit = (units[0].start, units[0].end) if units else None
    return Expression(start, end, nothing.has_digits, found, span, unit, is_quotient, is_bare)


_TOLERANCE = re.compile(r"(?P<value>n)_?(?P<sign>b)_?(?P<by>n)(?:_?[%uc])?")


def _without_tolerance(text: str, part: list[Token]) -> list[Token]:
    """Without "± 0.1" behind a number: of a decimal of at most a tenth of it, since "2 ± 1" are two numbers."""
    match = _TOLERANCE.fullmatch(_kinds_of(part))
    if match is None:
        return part
    sign, by = part[match.start("sign")], part[match.start("by")]
    value, width = _literal(text, part[0]), _literal(text, by)
    is_one = value is not None and width is not None and "." in text[by.start : by.end] and 10 * width <= value
    return part[:1] + part[match.end("by") :] if is_one and text[sign.start : sign.end] in ("\u00b1", "\\pm") else part


def _kinds_of(row: list[Token]) -> str:
    return "".join(token.kind for token in row)


def _trimmed(row: list[Token], kinds: str) -> list[Token]:
    """Without tokens of these kinds in front, and without blanks at the end."""
    first, last = 0, len(row)
    while first < last and row[first].kind in kinds:
        first += 1
    while last > first and row[last - 1].kind == "_":
        last -= 1
    return row[first:last]


def _brackets(kinds: str) -> tuple[int, int]:
    """Brackets to leave out in front and at the end: a pair around all of it, and those of which the other one is not there."""
    opened: list[int] = []
    for place, kind in enumerate(kinds):
        if kind == "(":
            opened.append(place)
        elif kind == ")":
            if not opened:
                return (0, 1) if place == len(kinds) - 1 else (0, 0)
            if opened.pop() == 0 and place == len(kinds) - 1:
                return 1, 1
    return (1, 0) if 0 in opened else (0, 0)


def _called(kinds: str) -> int:
    """Where a call that an equation begins with ends: what stands between its brackets are not several answers."""
    call = _CALL.match(kinds)
    return call.end() if call and kinds[call.end() : call.end() + 1] == "=" else 0


def _is_known(kinds: str) -> bool:
    """Whether the right side of an equation is what its left side is worth: of "x = 5", "f(2) = 5", "3 + 2 = 5", not of "2x + 1 = 5"."""
    first = kinds.partition("=")[0].strip("_")
    if first in ("", "l") or _CALL.fullmatch(first):
        return True
    return "l" not in first and re.search(r"[b^*/+-]_?[uwcgD]", first) is None


def _value(text: str, part: list[Token], match: re.Match[str], after: str) -> Fraction | None:
    """The value of what looks like a number; None where it is too long, is divided by zero, or is not written as numbers are."""
    negative = (match["sign"] or "+") in ("-", "M_")
    if (match["sign"] and match["sign2"]) or (match["late"] and (match["money"] or match["tail"])):
        return None
    value: Fraction | None = None
    if match["one"]:
        value = _one(text, part[match.start("one")])
    elif match["mixed"]:
        value = _mixed(text, part[match.start("mixed") : match.end("mixed")])
    elif match["quotient"]:
        row = part[match.start("quotient") : match.end("quotient")]
        parts = [token for token in row if token.kind == "n"]
        # 07/08 is a date.
        value = None if any(_LEADING.match(text, token.start) for token in parts) else _divided(*(_literal(text, t) for t in parts))
        negative ^= "-" in _kinds_of(row)
    elif match["power"]:
        value = _power(text, part[match.start("power") : match.end("power")])
    elif match["groups"] and not match["unit"] and after not in tuple("uwcgDLlTMBznvfo"):
        value = _groups(text, part[match.start("groups") : match.end("groups")])
    return value if value is None else -value if negative or match["sign2"] == "-" else value


def _divided(top: Fraction | None, under: Fraction | None) -> Fraction | None:
    return top / under if top is not None and under else None


def _one(text: str, token: Token) -> Fraction | None:
    r"""A number in one token: digits, ½ or \frac."""
    written = text[token.start : token.end]
    if token.kind == "n":
        return _literal(text, token)
    if token.kind == "v":
        return Fraction(_VULGARS[written]) if written in _VULGARS else None
    match = _FRAC.fullmatch(written)
    if match is None:
        return None
    top, under = match[1] or match[2], match[3] or match[4]
    value = _divided(_digits(top.lstrip("+-")), _digits(under.lstrip("+-")))
    return -value if value is not None and (top[0] == "-") != (under[0] == "-") else value


def _literal(text: str, token: Token) -> Fraction | None:
    return _digits(text[token.start : token.end])


def _digits(written: str) -> Fraction | None:
    """The value of digits with the separators between them, exactly."""
    match = _NUMBER.fullmatch(written) if len(written) <= MAX_LENGTH else None
    power = int(match["power"] or 0) if match else 0
    if match is None or abs(power) > MAX_LENGTH:
        return None
    part = match["part"] or ""
    digits = re.sub("[^0-9]", "", match["whole"] or "") + part
    return Fraction(int(digits)) * Fraction(10) ** (power - len(part))


def _mixed(text: str, row: list[Token]) -> Fraction | None:
    r"""A whole number and a fraction between 0 and 1: 1½, 1 1/2, 1\frac{1}{2}."""
    whole, *parts = (token for token in row if token.kind in "nvf")
    if not text[whole.start : whole.end].isdigit() or any(t.kind == "n" and not text[t.start : t.end].isdigit() for t in parts):
        return None
    value = _literal(text, whole)
    part = _one(text, parts[0]) if len(parts) == 1 else _divided(*(_literal(text, token) for token in parts))
    if value is None or part is None or not 0 < part < 1:
        return None
    # 1 000/2000 may be a mixed number or a quotient.
    return None if len(parts) == 2 and parts[0].end - parts[0].start == 3 else value + part


def _power(text: str, row: list[Token]) -> Fraction | None:
    """A power of ten, with or without a factor: 10^3, 1.2 × 10^{4}, 10³. Other powers are not worked out."""
    row = [token for token in row if token.kind in "n-s"]
    base = len(row) - 1 - (row[-1].kind == "n" and row[-2].kind == "-") - 1 if row[-1].kind == "n" else len(row) - 2
    if text[row[base].start : row[base].end] != "10":
        return None
    written = "".join(text[token.start : token.end] for token in row[base + 1 :]).translate(_RAISED)
    factor = _literal(text, row[0]) if base else Fraction(1)
    if factor is None or re.fullmatch("[-+]?[0-9]{1,3}", written) is None or abs(int(written)) > MAX_LENGTH:
        return None
    return factor * Fraction(10) ** int(written)


def _groups(text: str, row: list[Token]) -> Fraction | None:
    """Thousands with one blank between them: 10 000."""
    numbers = [text[token.start : token.end] for token in row if token.kind == "n"]
    last, point, part = numbers[-1].partition(".")
    if any(token.kind == "_" and token.end - token.start != 1 for token in row) or _PLAIN.fullmatch(numbers[0]) is None:
        return None
    if not all(map(_THOUSAND.fullmatch, [*numbers[1:-1], last])) or (point and not part.isdigit()):
        return None
    return _digits("".join(numbers))
