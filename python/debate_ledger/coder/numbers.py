"""Number answers: finding one, and its normal form."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from debate_ledger.coder import rules as r

_STATED = re.compile(r.NUMBER_HEADS + r.NUMBER_AFTER + r.NUMBER)
_ANY = re.compile(r.NUMBER)
#: Powers of ten beyond this stay written as powers.
MAX_EXPONENT = 30
Number = tuple[str, str, int, int, str | None]


def find_number(text: str) -> Number | None:
    """Normal form, rule, span and unit of the number that a text states: the last stated one, else the last one at all."""
    for rule, pattern in (("stated", _STATED), ("last_number", _ANY)):
        found = None
        for match in pattern.finditer(text):
            normal = normal_form(match)
            if normal is not None and not _within_a_word(text, match):
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
    digits = match["digits"].replace(",", "")
    exponent = re.search(r"(?:[eE]|10 ?(?:\^|\*\*) ?\{?)([-+]?[0-9]+)\}?$", match["power"] or "")
    power = int(exponent[1]) if exponent else 0
    if match["under"] is not None:
        top = Fraction(Decimal(digits)) * Fraction(10) ** max(-MAX_EXPONENT, min(power, MAX_EXPONENT))
        return _fraction(top, int(match["under"]), negative)
    sign, figures, scale = Decimal(("-" if negative else "") + digits).as_tuple()
    figures_text = "".join(map(str, figures)).lstrip("0")
    if not figures_text:
        return "0"
    stripped = figures_text.rstrip("0")
    scale = int(scale) + power + len(figures_text) - len(stripped)
    minus = "-" if sign else ""
    if abs(scale) > MAX_EXPONENT:
        return f"{minus}{stripped}e{scale}"
    return f"{minus}{Decimal(f'{stripped}e{scale}'):f}"


def _fraction(top: Fraction, bottom: int, negative: bool) -> str | None:
    return str((-top if negative else top) / bottom) if bottom else None


def _span(match: re.Match[str]) -> tuple[int, int]:
    """From the sign or the first digit to the last character of the number, without its unit."""
    starts = [match.start(name) for name in ("sign", "money", "sign2", "digits") if match[name] is not None]
    start = min(starts) if match["digits"] is not None else match.start("top")
    ends = [match.end(name) for name in ("digits", "power", "under", "bottom") if match[name] is not None]
    return start, max(ends)


def _unit(match: re.Match[str]) -> str | None:
    """The sign of money before the number, else the percent sign or the word after it."""
    money = (match["money"] or "").strip(" \\")
    unit = re.sub(r"^(?:\\?[, ]|\\text\{ ?)|\\", "", match["unit"] or "")
    # One dollar sign opens a formula as often as a price.
    return money or unit or None


def _within_a_word(text: str, match: re.Match[str]) -> bool:
    """Whether the number is part of a name such as x2 or B12; a minus after a word or a number is a hyphen."""
    start = _span(match)[0]
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_") and text[start] not in "-+$€£"
