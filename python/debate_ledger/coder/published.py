"""Profiles of other parsers, bug for bug: the published one and its variants, and DyLAN's.

Source: ``ledger_formats`` 2.1 and 2.21, traps T18, T29 and T30.
"""

from __future__ import annotations

from debate_ledger.coder.characters import BLANK, PUBLISHED_WORD
from debate_ledger.coder.patterns import LETTERS, Profile, Rule

ALL_TEN = {letter: letter for letter in LETTERS}
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
PUBLISHED_STRICT = Profile((Rule("final_tag", _TAG, "last"), *_FAMILIES, Rule("lone_line", _LOOSE_LINE, "last")), "published", ALL_TEN)
FINAL_TAG_ONLY = Profile((Rule("final_tag", _TAG, "last"), Rule("last_line", _LAST_LINE, "last")), "published", ALL_TEN)
LAST_BRACKETED = Profile((Rule("bracketed", r"\(([A-Za-z])\)", "last"), Rule("half_bracketed", r"([A-Za-z])\)", "last")))
