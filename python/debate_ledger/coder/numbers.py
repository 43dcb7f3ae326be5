"""Number answers: which of the numbers of a text is its answer, and the normal form of a number."""

from __future__ import annotations

import re
from fractions import Fraction

from debate_ledger.coder.expressions import expressions, unmarked
from debate_ledger.coder.stated import stated_number

#: Powers of ten beyond this stay written as powers.
MAX_EXPONENT = 30
Number = tuple[str, str, int, int, str | None]

#: Characters of the longest text that may be one number.
_LONGEST = 1000
#: What may stand around it.
_WRAPPED = re.compile(
    r"(?:\*\*(.*)\*\*|\$\$((?:\\\$|[^$])*[^$ ])\$\$|\$((?:\\\$|[^$])*[^$ ])\$|\\\((.*)\\\)|\\\[(.*)\\\]|"
    r"\\(?:boxed|text|textbf|mathrm|mathbf)\{(.*)\})(%?\.?)"
)
_BRACKETED = re.compile(r"\A\(([^()]*)\)(?=\.?\Z)")


def find_number(text: str) -> Number | None:
    """Normal form, rule, span and unit of the number that a text states: the last stated one, else the one that it ends with.

    ``text`` is folded. None also where the last statement states no number that is understood, or several, or says that there is none.
    """
    rule, chosen, plain = stated_number(text)
    if chosen is None or chosen.value is None:
        return None
    unit = None if chosen.unit is None else plain[slice(*chosen.unit)].replace(" ^", "^")
    unit = "°" if unit is not None and "circ" in unit else unit
    return normal_form(chosen.value, chosen.is_quotient), rule, *chosen.span, unit


def read_number(text: str) -> Fraction | None:
    """The value of a folded text that is a number and nothing else (a percent sign, money, marks and a full stop apart); else None."""
    text = re.sub("[ \n]+", " ", text).strip().removeprefix("####").lstrip(" ")
    if len(text) > _LONGEST:
        return None
    for _ in range(3):
        match = _WRAPPED.fullmatch(text)
        text = text if match is None else "".join(group or "" for group in match.groups()).strip(" ")
    text = _BRACKETED.sub(r"\1", text).removesuffix(".")
    plain = unmarked(text).text
    if plain != text.replace("\\$", " $").replace("\\%", " %"):
        # There are marks within.
        return None
    plain = plain.strip(" ")
    found = list(expressions(plain))
    is_whole = len(found) == 1 and found[0].is_bare and (found[0].start, found[0].end) == (0, len(plain))
    return found[0].value if is_whole else None


def normal_form(value: Fraction, is_quotient: bool = False) -> str:
    r"""A number as text: no thousands separators, no zeros that say nothing; what is written as a fraction in lowest terms.

    9.0 and 9 are "9", 1,000 is "1000", 2.50 is "2.5", -0 is "0", 6/8 and \frac{6}{8} are "3/4", 1.2e3 is "1200". Beyond
    ``MAX_EXPONENT`` powers of ten stay written as powers.
    """
    found = None if is_quotient else decimal_of(value)
    if found is None:
        return str(value)
    figures, power = found
    return f"{figures}e{power}" if abs(power) > MAX_EXPONENT else written_out(figures, power)


def decimal_of(value: Fraction) -> tuple[str, int] | None:
    """Figures (a whole number, with its sign and without zeros at its end) and power of ten; None where no decimal ends."""
    rest, places = value.denominator, [0, 0]
    for at, factor in enumerate((2, 5)):
        while rest % factor == 0:
            rest, places[at] = rest // factor, places[at] + 1
    if rest != 1:
        return None
    digits = str(value.numerator * 10 ** max(places) // value.denominator)
    figures = digits.rstrip("0")
    return (figures, len(digits) - len(figures) - max(places)) if figures else ("0", 0)


def written_out(figures: str, power: int) -> str:
    """The plain decimal of figures times a power of ten."""
    sign, digits = ("-", figures[1:]) if figures[0] == "-" else ("", figures)
    if power >= 0:
        return sign + digits + "0" * power
    digits = digits.rjust(1 - power, "0")
    return f"{sign}{digits[:power]}.{digits[power:]}"
