"""Number answers: finding one, and its normal form."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from debate_ledger.coder import rules as r

# Python's alone, so what stands before a number may be looked at.
_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
_POWER = r"(?:[eE][-+]?[0-9]+|(?: ?(?:x|\u00d7|\*|\\times|\\cdot) ?10 ?(?:\^|\*\*) ?\{?[-+]?[0-9]+\}?))?"
#: A number: sign, amount of money, digits with or without thousands separators, power of ten, fraction, unit. A minus right after a word
#: or a number is a hyphen or a difference, and digits within a word (x2) are no number.
_NUMBER = (
    r"(?<![A-Za-z0-9_])(?<![0-9][.,])(?P<sign>(?<![)\]}])[-+])?(?P<money>\\?[$\u20ac\u00a3] ?)?(?P<sign2>[-+])?"
    r"(?:\\[dt]?frac ?\{ ?(?P<top>-?[0-9]+) ?\}\{ ?(?P<bottom>[0-9]+) ?\}|10 ?(?:\^|\*\*) ?\{?(?P<tens>[-+]?[0-9]+)\}?|"
    rf"(?P<digits>{_DIGITS})(?P<power>{_POWER})(?: ?/ ?(?P<under>[0-9]+))?)"
    r"(?P<unit>(?:\\[, ]| |(?:\\ )?\\text\{ ?)?(?:\\?%|[A-Za-z\u00b0]+))?"
)
#: Words after a number that are no unit.
_NO_UNIT = frozenset(
    "a after all an and as at because before but by for from if in is it not of "
    "on or per since so than that the then this to was were when where which while who with".split()
)
_HEADS = rf"(?:{r._NOUN}{r._BEFORE}{r._VERB}|{r.ci('(?:final answer|therefore,?|total is|result is|equals)')}[ *_]|####|\\f?boxed ?\{{)"
#: What may stand between the head and the number.
_AFTER = rf"(?:{r._OPEN}|[:,=]|{r.ci('(?:the|approximately|about|around|is|total|exactly|equal to|therefore|thus|x|y|n) ')}|[a-z] *=)*?"
_STATED = re.compile(_HEADS + _AFTER + _NUMBER)
_ANY = re.compile(_NUMBER)
#: Powers of ten beyond this stay written as powers.
MAX_EXPONENT = 30
Number = tuple[str, str, int, int, str | None]


def find_number(text: str) -> Number | None:
    """Normal form, rule, span and unit of the number that a text states: the last stated one, else the last one at all."""
    for rule, pattern in (("stated", _STATED), ("last_number", _ANY)):
        found = None
        for match in pattern.finditer(text):
            normal = normal_form(match)
            if normal is not None:
                found = (normal, rule, *_span(match), _unit(match))
        if found is not None:
            return found
    return None


def normal_form(match: re.Match[str]) -> str | None:
    r"""A number as text: no thousands separators, no zeros that say nothing, a fraction in lowest terms; None for a fraction over zero.

    9.0 and 9 are "9", 1,000 is "1000", 2.50 is "2.5", -0 is "0", 6/8 and \frac{6}{8} are "3/4", 1.2e3 is "1200".
    """
    negative = "-" in (match["sign"] or "") + (match["sign2"] or "")
    if match["top"] is not None:
        return _fraction(Fraction(int(match["top"])), int(match["bottom"]), negative)
    if match["tens"] is not None:
        return _plain(negative, "1", int(match["tens"]))
    digits = match["digits"].replace(",", "")
    exponent = re.search(r"(?:[eE]|10 ?(?:\^|\*\*) ?\{?)([-+]?[0-9]+)\}?$", match["power"] or "")
    power = int(exponent[1]) if exponent else 0
    if match["under"] is not None:
        top = Fraction(Decimal(digits)) * Fraction(10) ** max(-MAX_EXPONENT, min(power, MAX_EXPONENT))
        return _fraction(top, int(match["under"]), negative)
    _, figures, scale = Decimal(digits).as_tuple()
    return _plain(negative, "".join(map(str, figures)), int(scale) + power)


def _plain(negative: bool, figures: str, scale: int) -> str:
    """A number of some figures times a power of ten, written out up to ``MAX_EXPONENT``."""
    figures = figures.lstrip("0")
    if not figures:
        return "0"
    stripped = figures.rstrip("0")
    scale += len(figures) - len(stripped)
    written = f"{stripped}e{scale}" if abs(scale) > MAX_EXPONENT else f"{Decimal(f'{stripped}e{scale}'):f}"
    return f"-{written}" if negative else written


def _fraction(top: Fraction, bottom: int, negative: bool) -> str | None:
    return str((-top if negative else top) / bottom) if bottom else None


def _span(match: re.Match[str]) -> tuple[int, int]:
    """From the sign, the currency or the first character of the number to its last one, without its unit."""
    start = next(match.start(name) for name in ("sign", "money", "sign2", "digits", "top", "tens") if match[name] is not None)
    if match["digits"] is None:
        # The command or the ten in front of what the group holds.
        start = min(start, match.string.rfind("\\" if match["top"] else "1", 0, start))
    unit = match["unit"]
    return start, match.end() - len(unit or "")


def _unit(match: re.Match[str]) -> str | None:
    """The sign of money before the number, else the percent sign or the word after it."""
    money = (match["money"] or "").strip(" \\")
    if money == "$" and match.string[match.end() : match.end() + 1] == "$":
        # Dollars around a number are those of a formula.
        money = ""
    unit = re.sub(r"^(?:\\[, ]| |(?:\\ )?\\text\{ ?)|\\", "", match["unit"] or "")
    return money or (unit if unit.lower() not in _NO_UNIT else None) or None
