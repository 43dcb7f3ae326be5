r"""The rules of the answer coder as data: patterns, their order, and what counts as a label. Python and SQL read the same table.

Two engines run these patterns: Python's ``re`` and DuckDB's RE2. They agree where a pattern keeps to what both mean alike:

* no look-around, no ``\b``, ``\w``, ``\s``, ``^``: word and blank characters are listed, and a boundary is a character that is read;
* no flag: both cases of a letter are written out (``(?i)`` takes other letters for i, s and k in one engine than in the other);
* a text is padded with a line end on both sides and its line ends are doubled, so that lines and their neighbours never share one.

So a match never depends on what stands around it, and both engines find the same ones from left to right.

Source of the published profiles: ``ledger_formats`` 2.1 and 2.21, traps T18, T29 and T30.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

#: Goes up with every change that can change an answer; stored beside what was coded.
CODER_VERSION = "1.1.0"
#: What kind of answer is sought.
KINDS = ("choice", "label", "yes_no", "number")
#: Labels where a question does not tell its own.
LETTERS = tuple("ABCDEFGHIJ")
_ALL_TEN = {letter: letter for letter in LETTERS}

#: Labels of a question that tells none, by kind. A label may be any letter, or a number of up to two digits.
DEFAULT_OPTIONS = {
    "choice": LETTERS,
    "label": (*map(chr, range(65, 91)), *map(str, range(100))),
}

# Characters -------------------------------------------------------------------------------------------------------------------------

#: Word characters of Python's ``re`` (Unicode 14), as ranges of code points. Frozen here, since each engine has a Unicode of its own;
#: code points without a character fill gaps between two word characters.
WORD_RANGES = (
    "30-39 41-5a 5f 61-7a aa b2-b3 b5 b9-ba bc-be c0-d6 d8-f6 f8-2c1 2c6-2d1 2e0-2e4 2ec 2ee 370-374 376-37d 37f 386 388-3f5",
    "3f7-481 48a-559 560-588 5d0-5f2 620-64a 660-669 66e-66f 671-6d3 6d5 6e5-6e6 6ee-6fc 6ff 710 712-72f 74d-7a5 7b1-7ea 7f4-7f5",
    "7fa 800-815 81a 824 828 840-858 860-887 889-88e 8a0-8c9 904-939 93d 950 958-961 966-96f 971-980 985-9b9 9bd 9ce 9dc-9e1",
    "9e6-9f1 9f4-9f9 9fc a05-a39 a59-a6f a72-a74 a85-ab9 abd ad0-ae1 ae6-aef af9 b05-b39 b3d b5c-b61 b66-b6f b71-b77 b83-bb9 bd0",
    "be6-bf2 c05-c39 c3d c58-c61 c66-c6f c78-c7e c80 c85-cb9 cbd cdd-ce1 ce6-cf2 d04-d3a d3d d4e d54-d56 d58-d61 d66-d78 d7a-d7f",
    "d85-dc6 de6-def e01-e30 e32-e33 e40-e46 e50-e59 e81-eb0 eb2-eb3 ebd-ec6 ed0-f00 f20-f33 f40-f6c f88-f8c 1000-102a 103f-1049",
    "1050-1055 105a-105d 1061 1065-1066 106e-1070 1075-1081 108e 1090-1099 10a0-10fa 10fc-135a 1369-138f 13a0-13fd 1401-166c",
    "166f-167f 1681-169a 16a0-16ea 16ee-1711 171f-1731 1740-1751 1760-1770 1780-17b3 17d7 17dc 17e0-17f9 1810-1884 1887-18a8",
    "18aa-191e 1946-19da 1a00-1a16 1a20-1a54 1a80-1a99 1aa7 1b05-1b33 1b45-1b59 1b83-1ba0 1bae-1be5 1c00-1c23 1c40-1c7d 1c80-1cbf",
    "1ce9-1cec 1cee-1cf3 1cf5-1cf6 1cfa-1dbf 1e00-1fbc 1fbe 1fc2-1fcc 1fd0-1fdb 1fe0-1fec 1ff2-1ffc 2070-2079 207f-2089 2090-209c",
    "2102 2107 210a-2113 2115 2119-211d 2124 2126 2128 212a-212d 212f-2139 213c-213f 2145-2149 214e 2150-2189 2460-249b 24ea-24ff",
    "2776-2793 2c00-2ce4 2ceb-2cee 2cf2-2cf3 2cfd 2d00-2d6f 2d80-2dde 2e2f 3005-3007 3021-3029 3031-3035 3038-303c 3041-3096",
    "309d-309f 30a1-30fa 30fc-318e 3192-3195 31a0-31bf 31f0-31ff 3220-3229 3248-324f 3251-325f 3280-3289 32b1-32bf 3400-4dbf",
    "4e00-a48c a4d0-a4fd a500-a60c a610-a66e a67f-a69d a6a0-a6ef a717-a71f a722-a788 a78b-a801 a803-a805 a807-a80a a80c-a822",
    "a830-a835 a840-a873 a882-a8b3 a8d0-a8d9 a8f2-a8f7 a8fb a8fd-a8fe a900-a925 a930-a946 a960-a97c a984-a9b2 a9cf-a9d9 a9e0-a9e4",
    "a9e6-aa28 aa40-aa42 aa44-aa4b aa50-aa59 aa60-aa76 aa7a aa7e-aaaf aab1 aab5-aab6 aab9-aabd aac0 aac2-aadd aae0-aaea aaf2-aaf4",
    "ab01-ab5a ab5c-ab69 ab70-abe2 abf0-d7fb f900-fb1d fb1f-fb28 fb2a-fbb1 fbd3-fd3d fd50-fdc7 fdf0-fdfb fe70-fefc ff10-ff19",
    "ff21-ff3a ff41-ff5a ff66-ffdc 10000-100fa 10107-10133 10140-10178 1018a-1018b 10280-102d0 102e1-10375 10380-1039d",
    "103a0-103cf 103d1-10563 10570-10855 10858-10876 10879-1091b 10920-10939 10980-10a00 10a10-10a35 10a40-10a48 10a60-10a7e",
    "10a80-10ac7 10ac9-10ae4 10aeb-10aef 10b00-10b35 10b40-10b91 10ba9-10d23 10d30-10ea9 10eb0-10f45 10f51-10f54 10f70-10f81",
    "10fb0-10ff6 11003-11037 11052-1106f 11071-11072 11075 11083-110af 110d0-110f9 11103-11126 11136-1113f 11144 11147-11172",
    "11176 11183-111b2 111c1-111c4 111d0-111da 111dc 111e1-1122b 11280-112a8 112b0-112de 112f0-112f9 11305-11339 1133d 11350",
    "1135d-11361 11400-11434 11447-1144a 11450-11459 1145f-114af 114c4-114c5 114c7-115ae 115d8-115db 11600-1162f 11644-11659",
    "11680-116aa 116b8 116c0-1171a 11730-1173b 11740-1182b 118a0-1192f 1193f 11941 11950-119d0 119e1 119e3 11a00 11a0b-11a32",
    "11a3a 11a50 11a5c-11a89 11a9d 11ab0-11c2e 11c40 11c50-11c6c 11c72-11c8f 11d00-11d30 11d46 11d50-11d89 11d98-11ef2",
    "11fb0-11fd4 12000-1246e 12480-12ff0 13000-1342e 14400-16a69 16a70-16aed 16b00-16b2f 16b40-16b43 16b50-16e96 16f00-16f4a",
    "16f50 16f93-16fe1 16fe3 17000-1bc99 1d2e0-1d2f3 1d360-1d6c0 1d6c2-1d6da 1d6dc-1d6fa 1d6fc-1d714 1d716-1d734 1d736-1d74e",
    "1d750-1d76e 1d770-1d788 1d78a-1d7a8 1d7aa-1d7c2 1d7c4-1d7ff 1df00-1df1e 1e100-1e12c 1e137-1e14e 1e290-1e2ad 1e2c0-1e2eb",
    "1e2f0-1e2f9 1e7e0-1e8cf 1e900-1e943 1e94b-1e959 1ec71-1ecab 1ecad-1ecaf 1ecb1-1ed2d 1ed2f-1eebb 1f100-1f10c 1fbf0-3134a",
)


def _ranges(text: str) -> str:
    """Ranges of code points as the inside of a character class."""
    return "".join("-".join(chr(int(end, 16)) for end in part.split("-")) for part in text.split())


#: Blank characters: what Python's ``strip`` and ``\s`` take for blank.
BLANK = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
WIDE_BLANK = "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
#: Letters that Python takes for i, s and k where case is ignored.
ODD_CASES = "\u0130\u0131\u017f\u212a"
#: Stands for every word character beyond ASCII, so that patterns need no long classes.
ANY_WORD = "\u00f8"
#: Script blocks whose characters are word characters to the robust profile: marks that combine with a letter are, emoji are not.
_BLOCKS = "aa b5 ba c0-d6 d8-f6 f8-1fff 20d0-20ff 2c00-2dff 3041-d7ff f900-fdff fe20-fe2f 10000-1cfff 1e000-1efff 20000-3ffff"


def _without(ranges: str, left_out: str) -> str:
    """The inside of a class of the characters beyond ASCII within ``ranges``, without some."""
    kept, out = "", sorted(map(ord, left_out))
    for part in ranges.split():
        first, _, last = part.partition("-")
        start, end = int(first, 16), int(last or first, 16)
        for code in [c for c in out if start <= c <= end]:
            kept += f"{chr(start)}-{chr(code - 1)}" if code > start else ""
            start = code + 1
        kept += f"{chr(start)}-{chr(end)}" if end >= max(start, 128) else ""
    return kept


def _letters() -> dict[str, str]:
    """Letters in other shapes, and the ASCII letter or sign each one is read as."""
    # Full-width ASCII, letters in a circle, and mathematical bold letters.
    table = {chr(c + 0xFEE0): chr(c) for c in range(0x21, 0x7F)} | {chr(0x24B6 + i): chr(65 + i) for i in range(26)}
    for start in (0x1D400, 0x1D5D4):
        table |= {chr(start + i): chr(65 + i if i < 26 else 71 + i) for i in range(52)}
    return table | dict(zip("\u3010\u3011\u300c\u300d\u3014\u3015\u27e8\u27e9\u3002\u3001", '[]""[]<>.,', strict=True))


#: What is done to a text before its patterns, one character for one, so that spans stay those of the text: a class of characters and the
#: one that they become, in this order; and, after them, letters in other shapes.
FOLDS = {
    # As the published parser reads it: every blank and every word character keeps being one.
    "published": ((WIDE_BLANK, " "), (_without(" ".join(WORD_RANGES), ODD_CASES + WIDE_BLANK), ANY_WORD)),
    # Blanks and characters without width (mark of byte order, joiners, hidden hyphen, selectors of emoji), line ends, quotes, dashes.
    "normal": (
        (
            "\t\x0b\x0c\r\x1c-\x1f"
            + "".join(c for c in WIDE_BLANK if c not in "\x85\u2028\u2029")
            + "\u00ad\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff",
            " ",
        ),
        ("\x85\u2028\u2029", "\n"),
        ("\u2018-\u201b\u2032\u00b4", "'"),
        ("\u201c-\u201f\u00ab\u00bb\u2033", '"'),
        ("\u2010-\u2013\u2212\u2022\u00b7", "-"),
        # A long dash parts two thoughts, never a word.
        ("\u2014\u2015", ","),
    ),
    "none": (),
}
LETTERS_OF = _letters()
_WORDS_LEFT = _without(_BLOCKS, "".join(LETTERS_OF) + "".join(c for c in WIDE_BLANK))
FOLDS["normal"] += ((_WORDS_LEFT, ANY_WORD),)
#: Inside of a class: word characters of a folded text.
WORD = "0-9A-Za-z_" + ANY_WORD
PUBLISHED_WORD = WORD + ODD_CASES


@dataclass(frozen=True)
class Rule:
    """One rule: its name, its pattern, and which of the matches counts.

    ``take`` is one of

    * ``first``: the first match, if its label is valid; later ones are not tried;
    * ``last``: the last match whose label is valid;
    * ``stated``: the same, but a match that names several labels ("A or B") ends the search without an answer;
    * ``run``: matches are rows of letters with one other character between them; the last valid letter of all;
    * ``unlisted``: matches that a refusal is part of ("not (B)") and rows that list the options in their order (A B C …) are left out;
      the last one of the rest;
    * ``only``: the same, but the rest must all be one label.

    The label is the first letter or number of the first group that took part in the match.
    """

    name: str
    pattern: str
    take: str
    #: Patterns that match wherever the second, third, … group takes part, and that are faster to look for.
    later_groups: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if re.compile(self.pattern).groups != 1 + len(self.later_groups):
            raise ValueError(f"rule {self.name!r}: one group, and one pattern of later_groups for each further one")


@dataclass(frozen=True)
class Profile:
    """Rules in their order, over a text to which the ``folds`` of that name are applied."""

    rules: tuple[Rule, ...]
    folds: str = "none"
    #: Labels that are valid whatever the question's own are, and what each is returned as; None: the question's own.
    labels: Mapping[str, str] | None = None
    #: What is no statement of the author's own: each match of each pattern in turn gives way to ``MARK`` before any rule looks at the text.
    #: Beside each pattern stands a text that each of its matches holds, if there is one.
    read_over: tuple[tuple[str, str | None], ...] = ()


#: Stands for what was read over: the end of a clause, whatever came before it.
MARK = ";"


def ci(words: str) -> str:
    """A pattern with both cases of each of its letters; for plain words, groups and blanks only."""
    return "".join(f"[{c}{c.upper()}]" if "a" <= c <= "z" else c for c in words)


def words_but(stops: Iterable[str], ends: str) -> str:
    """A pattern of one word, of characters outside the class ``ends``, that is none of ``stops``, in any case.

    Look-around would say it in a line, and one of the engines has none; so each letter of a stop is a branch that may leave it.
    """
    stops = set(stops)
    heads = sorted({stop[0] for stop in stops if stop})
    left = "".join(f"{c}{c.upper()}" if c.isalpha() else c for c in heads)
    # Another character than a stop has here, and then any; or the word ends where no stop does.
    ways = [f"[^{left}{ends}][^{ends}]*"]
    for c in heads:
        rest = {stop[1:] for stop in stops if stop.startswith(c)}
        ways.append(f"{ci(c)}{words_but(rest, ends)}" if "" in rest else f"{ci(c)}(?:{words_but(rest, ends)})?")
    return f"(?:{'|'.join(ways)})"


# Published profiles -----------------------------------------------------------------------------------------------------------------

#: The published parser ignores case as Python does, which takes these letters for i, s and k too.
_EXTRA = {"i": "\u0130\u0131", "s": "\u017f", "k": "\u212a"}


def _published(words: str) -> str:
    """Words in any case, as Python's ``re.IGNORECASE`` reads them; a blank stands for one or more blank characters."""
    parts = [f"[{c}{c.upper()}{_EXTRA.get(c, '')}]" if "a" <= c <= "z" else c for c in words]
    return "".join(parts).replace(" ", f"[{BLANK}]+")


_B = f"[{BLANK}]*"
_LETTER = "([A-Ja-j\u0130\u0131])"
_END = f"[^{PUBLISHED_WORD}]"
_TAG = f"{_published('final answer')}{_B}:{_B}{_LETTER}{_END}"
_FAMILIES = (
    Rule("answer_is", f"{_published('answer is')}{_B}:?{_B}{_LETTER}{_END}", "first"),
    Rule("choose", f"{_published('(?:choose|select|pick) (?:option )?')}{_LETTER}{_END}", "first"),
    Rule("answer_colon", f"{_published('answer')}{_B}:{_B}{_LETTER}{_END}", "first"),
)
_L = BLANK.replace("\n", "")
#: A line of one character, or of one letter in an opening "(" or "*" and a closing ")", "." or "*". Blanks around it are no part of it.
_LINE = f"\n[{_L}]*([^{BLANK}a-z\u0131]|[(*]*[A-J][).*]*)[{_L}]*\n"
#: The same with blanks between the letter and what it is wrapped in.
_LOOSE = f"\n[{_L}]*(?:[(*][(*{_L}]*)?([A-J])[).*{_L}]*"
_LOOSE_LINE, _LAST_LINE = f"{_LOOSE}\n", f"{_LOOSE}[{BLANK}]*$"


PUBLISHED = Profile(
    (
        Rule("final_tag", _TAG, "first"),
        *_FAMILIES,
        Rule("lone_line", _LINE, "last"),
        Rule("last_letter", f"{_END}([A-J](?:{_END}[A-J])*){_END}", "run"),
    ),
    "published",
)
PUBLISHED_STRICT = Profile((Rule("final_tag", _TAG, "last"), *_FAMILIES, Rule("lone_line", _LOOSE_LINE, "last")), "published", _ALL_TEN)
FINAL_TAG_ONLY = Profile((Rule("final_tag", _TAG, "last"), Rule("last_line", _LAST_LINE, "last")), "published", _ALL_TEN)
LAST_BRACKETED = Profile((Rule("bracketed", r"\(([A-Za-z])\)", "last"), Rule("half_bracketed", r"([A-Za-z])\)", "last")))

# Robust profile ---------------------------------------------------------------------------------------------------------------------
# Built from small parts; each may stand next to marks of bold, quotes, brackets and LaTeX.

_NW = f"[^{WORD}]"
#: What may stand before a label, and close behind it.
_OPEN = r"(?:[ \n*_\"'`$(\[{<>~]|<[a-z]+>|\\[a-z]+ ?\{|\\[(\[])"
_CLOSE = r"(?:[*_\"'`$)\]}]|\\[)\]])*"
#: After a capital letter: neither a word, nor "B's", "B-cell", "C++", "A/B", "E = mc".
_BOUND = rf"(?:[^{WORD} '+#/=&^-]| [^=+^]|-[^{WORD}-])"
#: Words that go on after a label that could be the article or the pronoun.
_GOES_ON = ci(" +(?:because|since|as|due|based|which|and|or|but|is|given|in|by|from|for|with|when|if|not|while|instead)") + _NW
_AND = ci(r"(?:(?:,| ) *(?:and/or|and|or|&) *(?:possibly |maybe |perhaps |even )?(?:option |choice |answer )?|/ *)")
_WRAPPED = r"[(\[*\"'$]*"
_NOT = ci(
    "(?:not|nor|neither|isn't|than|eliminate|eliminated|eliminating|exclude|excluded|excluding|rule out|ruled out|"
    "ruling out|reject|rejected|"
    "discard|discarded|cross out|crossed out|unlike|contradicts|considered|tempted by) (?:option |choice |answer )?"
)
_IS_WRONG = r"(?:,[^.,\n]*,)?" + ci(
    r"[ *]+(?:is|are|was|were|can|cannot|can't|isn't|does|seems|would|could|may|might|should)"
    r"(?: (?:also|all|both|clearly|be|obviously|definitely|therefore|considered|only|entirely|simply))* ?"
    r"(?:not|incorrect|inaccurate|wrong|false|ruled|eliminated|invalid|excluded|irrelevant|unlikely|implausible|unsupported|partially|"
    r"out|too|tempting|a bad)"
)
#: Several labels: "A or B", "(A), (B) and (C)", "both A and B".
_ANY_LABEL = rf"[A-Za-z0-9]{_CLOSE}"
#: "A, C" and "1, 3"; a small letter after a comma is a word too often.
_COMMAS = "|".join(rf"{one}{_CLOSE}(?: *, *{_WRAPPED}{one}{_CLOSE}){{1,9}}" for one in ("[A-HJ-Z]", "[0-9][0-9]?"))
SEVERAL = (
    rf"(?:[A-Z](?: *[,&/] *[A-Z]){{1,9}} *[)\]}}]|"
    rf"{_ANY_LABEL}(?: *, *{_WRAPPED}{_ANY_LABEL}){{0,9}}{_AND}{_WRAPPED}{_ANY_LABEL}|{_COMMAS})"
)
#: One label with what stands after it.
_LABEL = "|".join(
    (
        SEVERAL + "(?:[.,;:!?\\n]|" + ci(" +(?:because|since|depending|are (?:both |all )?correct)") + ")",
        r"(?:[A-Za-z]|[0-9][0-9]?)[ *_\"'`$]*[)\]}]",
        rf"[B-HJ-Z]{_CLOSE}{_BOUND}",
        rf"[AI]{_CLOSE}(?:[.,;:!?\n<\\]| *[(\[]| +-|{_GOES_ON})",
        rf"[a-z]{_CLOSE}(?:\.? *\n|[.;] |<|\\|,? +{ci('(?:because|since)')})",
        rf"[0-9][0-9]?{_CLOSE}(?:[.,;:!?]? *\n|[.,;:!?] |<|\\| *[(\[]| - |{_GOES_ON})",
    )
)
_NUMBERED = ci(" ?[_#-]?(?:solutions? ?)?#?[0-9]+")
_AGENT = rf"(?:{_NUMBERED}| (?:[A-HJ-Z]|[A-Z][a-z]+))[*_]*(?: \([^()\n]*\))?"
#: "Agent 2", "agents 1 and 3", "both agents", "the first agent", "they", "others".
_WHO = (
    ci("(?:(?:the |my |both |all )?(?:two |other |first |second |third |fellow )?")
    + ci("(?:agents?|peers?|debaters?|colleagues?)")
    + rf"(?:{_AGENT}(?:(?: ?,| and| &|, and)(?:{ci(' agents?')})?{_NUMBERED}){{0,4}})?"
    + ci("|(?:solution|response|participant|expert|model|assistant|student|player)s? #?[0-9]+")
    + ci("|(?:the |my )?(?:opponent|critic|judge|moderator|majority|other side|affirmative side|negative side)")
    + ci("|everyone else|the others?|others|they)")
)
_NOUN = ci("(?:answer|option|choice|response|solution|conclusion|vote|selection|pick|guess)")
#: Words between "answer" and "is".
_BEFORE = ci(
    r"(?:[*_\"'`)\]<>]| +(?:to|for|of|in|on|here|the|this|these|that|above|given|question|problem|case|statement|option|choice|would|"
    r"should|must|will|could|can|may|might|still|now|then|thus|therefore|also|letter|my|our|your|most|likely|probably|"
    r"correct|final|i|we|have|has|"
    r"choose|chose|select|selected|agree|believe|think|provided|based|analysis|remains?|becomes?|changes?|goes|number|"
    r"[0-9]+)[,*]*)*"
)
_VERB = rf"(?: *:| *=| *->| *→|{ci(' +(?:is|are|be|remains|stays|becomes|as|to)')}{_NW}(?: *:)?)"
#: Words between "is" and the label; no "not", so a refused label is not read.
_AFTER = (
    rf"(?:{_OPEN}|[:,=]|"
    + ci(
        r"(?:most likely|likely|probably|definitely|clearly|obviously|certainly|undoubtedly|indeed|therefore|thus|"
        r"still|now|also|again|option|choice|answer|letter|the|"
        r"correct|best|either|both|simply|just|actually|in fact|be|is|given by|as follows|closest to|final|my|would|should)[ :*"
    )
    + "\n])*"
)
_HEADS = "|".join(
    (
        rf"{_NOUN}{_BEFORE}{_VERB}",
        ci(
            r"(?:choose|select|pick|selected|chose|chosen|picked|go with|going with|went with|go for|going for|"
            r"vote for|opt for|opted for|stick with|"
            r"sticking with|settle on|(?:lean|leaning)(?: to| towards?)?|switch to|switched to|switching to|"
            r"change (?:it |my answer |this )?to|changed (?:it |my answer )?to|changing (?:it |my answer )?to|"
            r"conclude|stand by|stay with)"
        )
        + "[ :]",
        ci("(?:change|changed|changing|switch|switched|switching)(?: it| my (?:answer|vote|choice))? from ")
        + f"{_OPEN}*[A-Z0-9]{_CLOSE} +to ",
        # The answer of another one that is agreed with; its verb may have been read over.
        ci("(?:agree|agreeing|concur|side|siding) with ") + rf"{_WHO}'s? (?:[a-z]+ )?{_NOUN}(?:{_VERB}|{ci(' of')})?",
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
    + _NW
)
_LABEL_FIRST = (
    rf"(?:{_LEADS}|[A-Za-z]{{2}}, +){_WRAPPED}({SEVERAL}{ci(' +are (?:both |all )?correct')}{_NW}|"
    rf"[A-Z0-9]{_CLOSE}{_IS_RIGHT})"
)
STATED = (
    # Read over: refused, or right only on a condition.
    rf"{_NW}(?:{_WEAK_HEADS}){_AFTER}(?:{SEVERAL}|[A-Za-z0-9]{_CLOSE}){_IS_WRONG}"
    rf"|{_LEADS}{_WRAPPED}[A-Z0-9]{_CLOSE}{_IS_RIGHT}{ci('(?:answer |choice |option |one )?(?:if|only|when|unless)')}{_NW}"
    # Keys of JSON join their words with "_".
    rf"|(?:{_NW}|_)(?:{_HEADS}|{_WEAK_HEADS}){_AFTER}({_LABEL})|{_LABEL_FIRST}"
)
_ONE = "(?:[A-Za-hj-z]|[0-9][0-9]?)"
_IN_BRACKETS = rf"[(\[] ?(?:\*\*)?{_ONE}(?:\*\*)? ?[)\]]"
_IN_BOLD = r"\*\*(?:[A-Z]|[0-9][0-9]?)[.):]*\*\*"
#: "(B), (C) and (D)", "**A** and **C**" and "(B, C)" name none of them.
_MARKED = rf"(?:{_IN_BRACKETS}|{_IN_BOLD})"
_ROW = rf"(?:{_MARKED}(?: *[,/]? *{ci('(?:and|or|&)?')} *{_MARKED})+|[(\[] ?{_ONE}(?: *(?:[,&/]|{ci('and|or')}) *{_ONE})+ ?[)\]])"
_BRACKETED = rf"({_ROW}|(?:{_NOT}|[{WORD}])?{_IN_BRACKETS}(?:{_IS_WRONG})?)"
_BOLD = rf"((?:{_NOT})?{_IN_BOLD}(?:{_IS_WRONG})?)"
#: "The best defence is (D), since …": a sentence that ends on a label, with whatever noun.
_IS = ci(r" (?:is|be):?(?: (?:option|choice|answer|indeed|therefore|likely|probably|the))*") + '[ *"]+'
#: "No, it's A.", "That leaves C.": a bare letter only where the clause ends after it.
_IT_IS = (
    _NW
    + ci(
        r"(?:it's|it is|it must be|it has to be|that's|that is|this is|that leaves|which leaves|leaving|"
        r"we are left with|i think|i believe|"
        r"i maintain|i keep|i'll keep|i'd guess|i guess|i take|i prefer|i favou?r|definitely|probably|most likely|still|my answer of)"
    )
    + ci("(?: (?:only|just|us with|me with|with|option|choice|answer|clearly|definitely|therefore|actually|probably))*")
    + rf"(?::| )*{_WRAPPED}([A-Z]{_CLOSE}(?:[.;!\n]|,? (?:because|since)))"
)
_IS_LABEL = rf"{_IS}(?:{_ROW}|({_IN_BRACKETS}|[A-Z]\)))|{_IT_IS}"
#: The text begins with a label and its next line explains it. A later line that begins with a label makes it a walk through the options.
_NO_LABEL_LINE = r"[ *_#>(-]*(?:[A-Z]?|(?:[^A-Z *_#>(\n-]|[A-Z][^).:\n])[^\n]*)\n"
_EXPLAINED = (
    rf"^\n(?:{_OPEN})*([A-Z][).:])[^\n]*\n[\n *_#]*"
    + ci("(?:explanation|reason|rationale|justification|because|why|here's why|this is because)")
    + rf"[^\n]*\n(?:{_NO_LABEL_LINE})*$"
)
#: "D) Paris" after a blank or at the start of a line, "D. Paris" and "D: Paris" at the start of a line only.
_HALF = rf"{_ROW}|[ \n*_>\"':-]((?:{ci('(?:and|or|nor|not) ')})?(?:[A-Z]|[0-9][0-9]?)\))"
_HALF_AT_START = rf"\n[ *_>#\"-]*((?:[A-HJ-Z]|[0-9][0-9]?)[.:](?:[ *]+{ci('(?:false|incorrect|wrong|no|not)')}[.,;:! \n*]|[ *\n]))"
_LAST_WORD = (
    # Several are read over (the last two tell), and so is a denied one.
    rf"{_NW}(?:{_ANY_LABEL}{_AND}|(?:[A-HJ-Z]|[0-9][0-9]?){_CLOSE} *, *){_WRAPPED}{_ANY_LABEL}[*)\"'$\]. ]*\n*$|"
    + ci("(?:n't|not|never)")
    + r"[ *][^.,;\n]*\.?\n*$|"
    rf"(?:[,:\n]| -|{_NW}{ci('(?:is|be|option|choice|therefore|thus|hence|so|answer)')})[ ,]{{0,6}}[*(\"'$\[]{{0,8}}"
    r"([A-Z]|[0-9][0-9]?)[*)\"'$\]. ]*\n*$"
)

# Read over, up to the end of its clause, is what is not the author's own statement: thoughts before the reply, what is said about others'
# answers, what is refused or denied, what was said before, and what is asked.

#: Thoughts end with their tag; where they are cut off there is no reply, and some logs leave the opening tag out.
_UNTAGGED = "(?:[^<]|<+(?:[^</]|/[^<t]|/t[^<h]))*"
THOUGHTS = rf"<think(?:ing)?>{_UNTAGGED}(?:</think(?:ing)?>|$)|^{_UNTAGGED}</think(?:ing)?>"
#: Marks of chat templates.
_TOKENS = r"<\|[a-z_]+\|>|</s>"

#: A clause of the author's that is refused or denied goes on to a comma or a "but"; one of disagreement to an "and" too.
_ENDS = " .,;:\n"
_CLAUSE_WORD, _DISAGREED_WORD = words_but(("but",), _ENDS), words_but(("but", "and", "because"), _ENDS)
_CLAUSE = rf"(?:{_CLAUSE_WORD} +)*(?:(?:{_CLAUSE_WORD})?[.,;:\n])?"
_DISAGREED = ci("disagree") + rf" (?:{_DISAGREED_WORD} +)*(?:(?:{_DISAGREED_WORD})?[.,;:\n])?"
#: What another one says goes on to the end of the sentence, or to where the author speaks: "but", "while", "I", and ", so".
_OWN = ("but", "while", "although", "i", "i'd", "i'm", "my")
_WORD, _NEXT = words_but(_OWN, " .,;\n"), words_but((*_OWN, "so", "therefore"), " .,;\n")
_REPORT = rf"(?:{_WORD} +|{_WORD}, *(?:{_NEXT}, *)*{_NEXT} +)*(?:(?:{_WORD})?[.;\n])?"
_REFUSED = (
    ci(
        r"(?:n't|not|never|cannot|no reason|why|(?:refuse|refuses|refused|decline|declined|unable|hesitate|hesitant|"
        r"reluctant|wrong|mistake|"
        r"tempted|tempting|error) to|instead of|rather than|avoid|without)"
        r"(?: (?:to|be|really|yet|necessarily|fully|ever|just|simply|want|able|have|going|been|quite|entirely|sure|"
        r"would|should|anyone))* "
        r"(?:think|thinking|believe|say|agree|claim|choose|choosing|chosen|pick|picking|select|selecting|selected|go with|going with|"
        r"going for|go for|vote|voting|opt|opting|settle|stick|switch|switching|conclude|support|favou?r|recommend|"
        r"endorse|accept|answer|"
        r"argue|defend|commit|agree|the answer is|doubt that)"
    )
    + rf" {_CLAUSE}|{_NW}{ci('(?:i doubt|i had|i have|i)? ?(?:previously|initially|originally),? (?:i )?')}"
    + ci("(?:chose|chosen|selected|picked|said|answered|thought|voted|gave|stated|argued|believed|went with|leaned)")
    + rf" {_CLAUSE}|{_NW}{ci('doubt that')} {_CLAUSE}"
)
_ADVERBS = r"(?:,[^,.;:\n]*,)?" + ci(
    r"(?: (?:has|have|also|both|all|each|correctly|incorrectly|rightly|wrongly|mistakenly|initially|first|still|previously|originally|"
    r"then|now|again|often|usually|would|might|could|may|will))*"
)
_SAY = ci(
    r"(?:argue|say|state|claim|suggest|believe|conclude|think|choose|select|pick|answer|identify|guess|mention|propose|favou?r|prefer|"
    r"support|vote|opt|respond|assert|maintain|insist|explain|note|contend|point|settle)"
)
_SAID = ci(
    r"(?:said|thought|chose|chosen|identified|identifies|writes|wrote|finds|found|agrees|(?:went|goes|go) with|"
    r"gave (?:the answer|option)|"
    r"(?:seems?|appears?) to (?:think|believe|say|favou?r)|(?:switched|switches|changed|changes|moved|"
    r"moves)(?: (?:its|his|her|their) (?:answer|vote))? to|"
    r"(?:is|are|was|were) wrong that|put it)"
)
_SAYS = rf"{_ADVERBS} (?:{_SAY}(?:{ci('s|es|d|ed|ing|ting')})?|{_SAID})"
_OTHERS = (
    # What else the same agent says, after a "but", is no statement of the author's either.
    rf"(?:{_WHO},?{_SAYS}|{ci('(?:he|she|you) (?:said|says|argue(?:s|d)?|claim(?:s|ed)?|suggest(?:s|ed)?|believe(?:s|d)?|wrote)')}|"
    rf"(?:{ci('(?:some|many|most|other)? ?(?:people|students|many|most|everyone|nobody|no one|anyone|someone|you|one)')}){_ADVERBS}"
    rf"{ci(' (?:be tempted to )?(?:chose|choose|picked|pick|selected|select|go with)s?')}) {_REPORT}"
    rf"(?:(?:{_WORD}, *)?{ci('but')}{_SAYS} {_REPORT})*"
)
#: "Agent 2's answer is (A)": its label and no more, since "Agent 2's answer is correct: (A)" is a statement.
_IS_ANY = (
    rf"(?:{ci(' (?:is|was|were|of|remains|are)')}|[\"'*_]*:)"
    rf"(?:{_OPEN}|:|{ci('(?:option|choice|letter|still|also) ')})*[A-Z0-9]{_CLOSE}{_NW}"
)
_THEIR_ANSWER = (
    rf"(?:{_WHO}'s?|{ci('their|his|her|your|majority')}) "
    + ci("(?:(?:final|own|initial|first|previous|original|last|current|proposed|stated|chosen|updated) )*")
    + _NOUN
    + _IS_ANY
)
_THEIRS = (
    rf"(?:[\n.,;:(*-] *|{ci('(?:that|and|but|while|as|since|because|though|although|if|the)')} ){_THEIR_ANSWER}"
    rf"(?:[ .,;]*{ci('(?:(?:and|but|while|whereas) )?')}{_THEIR_ANSWER})*"
)
#: "The second best answer is C", "previous answer: C", "agent_1_answer": "C".
_OTHER_ANSWER = (
    ci(
        "(?:previous|earlier|old|second|second best|next best|alternative|alternate|incorrect|wrong|worst|distractor|"
        "least (?:likely|plausible|probable|accurate|suitable|appropriate)|agent_?[0-9]+)"
    )
    + rf"[ _](?:{ci('best |likely |possible ')})?{_NOUN}{_IS_ANY}"
)
_ACCORDING = rf"(?:{ci('according to')} {_WHO}|{ci('in')} {_WHO}'s {ci('(?:view|opinion)')}),? {_REPORT}"
#: Scores and remarks on others' solutions ("Agent 1: 4 - …"), and lines of their answers ("Agent 2: (B)", "Agent 1: The answer is B").
_SCORED = rf"{ci('agents?')}{_AGENT} ?(?::|=|-)+ *{ci('(?:score:? *(?:of )?)?')}[(\[]*[0-9][^\n]*"
_LISTED = (
    rf"\n[ *#>-]*{ci('agents?')}{_AGENT} ?(?::|=|-)+ *(?:{ci('(?:the |my )?(?:final )?answer is ')})?"
    rf"{_WRAPPED}[A-Z]{_CLOSE}[.;,]? *\n"
)
#: "Is it (B)?", "The answer is D?"
_ASKED = rf"{ci('(?:is|be|it|choose|perhaps|maybe)')} {_OPEN}*[A-Z0-9]{_CLOSE}\?"
#: One pattern would do, but one of the engines is many times slower where a pattern is too large for its memory.
READ_OVER = (
    (f"{THOUGHTS}|{_TOKENS}", "<"),
    (f"{_NW}(?:{_OTHERS}|{_ACCORDING}|{_SCORED})|{_LISTED}", None),
    (f"{_NW}(?:{_OTHER_ANSWER}|{_ASKED}|{_DISAGREED})|{_THEIRS}|{_REFUSED}", None),
)

#: The text begins with a label that is told apart from a word by what follows.
_OPENS = (
    rf"^\n(?:{_OPEN}){{0,6}}(?:{ci('(?:option|choice|answer)')} )?([B-HJ-Z]{_CLOSE} \(|"
    rf"[A-HJ-Z]{_CLOSE}(?:!| ->? | \||,? {ci('(?:because|since|definitely|for sure|it is)')}{_NW}))"
)

#: The row of options in their order, each written as the letter of its place; three of them and more are a list, not an answer.
OPTIONS_IN_ORDER = "ABC" + "(?:".join("DEFGHIJKLMNOPQRSTUVWXYZ") + ")?" * 22
OPTIONS_IN_ORDER = OPTIONS_IN_ORDER.replace("ABCD", "ABC(?:D") + ")?"
#: What a kept match of ``unlisted`` looks like: one label and nothing else that is written in letters.
BARE = rf"[^{WORD}]*(?:[A-Za-z]|[0-9]+)[^{WORD}]*"
#: The label within the group of a match.
LABEL = "[A-Za-z]|[0-9]+|[\u0130\u0131]"

ROBUST = Profile(
    (
        Rule("stated", STATED, "stated", later_groups=(_LABEL_FIRST,)),
        Rule(
            "lone_line",
            rf"\n(?:{_OPEN}|[#>-]|[^\x01-\x7f{ANY_WORD}]){{0,30}}([A-Z]|[a-hj-z]|[0-9][0-9]?)[ ]*{_CLOSE}[.:;]?{_CLOSE}[ ]*\n",
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
_YES_NO = _WORDS + r"(?:[*_\"'`$)\]}]|\\[)\]])*(?: *[.,;:!?\n<\\-]| *\(|" + _GOES_ON + ")"
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
            rf"(?:{_HEADS}|{ci('(?:therefore|thus|hence|so|conclusion|changes? from (?:yes|no|true|false) to)')}[,:]? ){_AFTER}{_YES_NO}",
            "last",
        ),
        Rule("lone_line", rf"\n[^{WORD}\n]*{_WORDS}[^{WORD}\n]*\n", "last"),
        Rule("first_word", rf"^[^{WORD}]*{_YES_NO}", "first"),
        Rule(
            "it_is_true",
            rf"{_NW}{ci('(?:it|this|that|(?:the|this|that|your) (?:statement|claim|proposition|assertion|hypothesis))')}"
            + ci("(?:'s| is| must be| would be| has to be| remains| seems) (?:(?:therefore|clearly|indeed|likely) )*(true|false)")
            + rf"[*\"']*(?:[.,;!\n]|{ci(' (?:because|since|as|that|given)')}{_NW})",
            "last",
        ),
        Rule("last_word", rf"(?:[,:;\n-]|{ci('(?:so|therefore|thus|hence)')} ) *{_WORDS}[^{WORD}]*$", "last"),
    ),
    folds="normal",
    labels=YES_NO_WORDS,
    read_over=(*READ_OVER, (f"{_NW}(?:{_BOTH})", None)),
)

#: Name of a profile → its rules. The published ones know choices only.
PROFILES = {
    "robust": ROBUST,
    "published": PUBLISHED,
    "published_strict": PUBLISHED_STRICT,
    "final_tag_only": FINAL_TAG_ONLY,
    "last_bracketed": LAST_BRACKETED,
}
