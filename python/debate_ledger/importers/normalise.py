"""One spelling for answers that mean the same, so that the warehouse can compare them as texts: 9.0 is 9, (b) is B, True is yes."""

from __future__ import annotations

import math
import re
from fractions import Fraction

KINDS = ("choice", "number", "yes_no", "label")

_YES, _NO = frozenset(("yes", "true", "y")), frozenset(("no", "false", "n"))
_LETTER = re.compile(r"[\s(\[*\"'`]*([A-Za-z])[\s)\]*\"'`.:]*", re.ASCII)
_NUMBER = re.compile(r"([-+]?)(\d+(?:,\d{2,3})*,\d{3}|\d+)?(?:\.(\d*))?(?:[eE]([-+]?\d{1,3}))?", re.ASCII)
_FRACTION = re.compile(r"([-+]?)\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
#: Longer numbers are no answers, and would take long to write out.
_MAX_NUMBER = 400


def normalise_answer(text: object, kind: str) -> str | None:
    r"""The answer as it is compared, or None where ``text`` is no answer of that kind (None, "", a sentence where a number should be).

    choice: one letter, without brackets and in upper case. number: a plain decimal without trailing zeros, or p/q where it has
    none; thousands' commas, currency, percent sign, \\boxed{} and what stands before `####` go. yes_no: yes or no; true and false
    mean the same.
    label: white space, quotes, a full stop at the end, $…$ and \\boxed{} go; lower case unless it holds a TeX command.
    Raises ValueError for a kind that does not exist.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind of answer is called {kind!r}: {', '.join(KINDS)}")
    if text is None or isinstance(text, (dict, list, tuple)):
        return None
    if isinstance(text, bool):
        return _boolean(text) if kind in ("yes_no", "label") else None
    plain = " ".join(str(text).split())
    if kind == "choice":
        found = _LETTER.fullmatch(_unwrapped(plain))
        return found.group(1).upper() if found else None
    if kind == "number":
        return _number(plain)
    if kind == "yes_no":
        word = _unwrapped(plain).strip("\"'`*().!, ").casefold()
        return "yes" if word in _YES else "no" if word in _NO else None
    label = _unwrapped(plain).strip("\"'`* ").rstrip(".").strip()
    return (label if "\\" in label else label.casefold()) or None


def _boolean(value: bool) -> str:
    return "yes" if value else "no"


def _unwrapped(text: str) -> str:
    r"""A text without \\boxed{…}, \\text{…} and $…$ around all of it."""
    while True:
        shorter = text.strip()
        found = re.fullmatch(r"\\(?:boxed|text|mathrm|textbf)\{(.*)\}", shorter)
        if found and _balanced(found.group(1)):
            shorter = found.group(1)
        elif len(shorter) > 2 and shorter[0] == shorter[-1] == "$" and "$" not in shorter[1:-1]:
            shorter = shorter[1:-1]
        if shorter == text:
            return text
        text = shorter


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


def _number(text: str) -> str | None:
    text = _unwrapped(text.rpartition("####")[2]).replace("−", "-").replace("{,}", ",").replace("\\$", "$").replace("\\%", "%")
    text = text.strip().rstrip(".").rstrip("%").strip()
    text = re.sub(r"^([-+]?)\s*[$€£]\s*", r"\1", text)
    found = _FRACTION.fullmatch(text)
    parts = [found.group(1) + found.group(2), found.group(3)] if found else text.split("/")
    if len(parts) > 2:
        return None
    values = [_rational(part.strip()) for part in parts]
    if any(v is None for v in values) or (len(values) == 2 and values[1] == 0):
        return None
    value = values[0] / values[1] if len(values) == 2 else values[0]  # type: ignore[operator]
    return _written(value)  # type: ignore[arg-type]


def _rational(text: str) -> Fraction | None:
    found = _NUMBER.fullmatch(text)
    if not found or len(text) > _MAX_NUMBER:
        return None
    sign, whole, part, power = found.groups()
    if whole is None and not part:
        return None
    value = Fraction(int((whole or "0").replace(",", "") + (part or "")), 10 ** len(part or ""))
    exponent = int(power or 0)
    if abs(exponent) > _MAX_NUMBER:
        return None
    return (-value if sign == "-" else value) * Fraction(10) ** exponent


def _written(value: Fraction) -> str:
    """The shortest plain decimal of a rational, or p/q where no decimal ends."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def kind_of(gold: object, benchmark: str | None = None, has_options: bool = False) -> str | None:
    """What kind of answer a question wants, told by its options, its key, or the name of its benchmark; None where nothing tells."""
    if has_options:
        return "choice"
    if isinstance(gold, bool):
        return "yes_no"
    if isinstance(gold, (int, float)):
        return "number" if math.isfinite(gold) else None
    if isinstance(gold, str) and gold.strip():
        for kind in ("choice", "number", "yes_no"):
            if normalise_answer(gold, kind) is not None:
                return kind
        return "label"
    name = (benchmark or "").casefold()
    for kind, words in _BENCHMARKS.items():
        if any(word in name for word in words):
            return kind
    return None


_BENCHMARKS = {
    "choice": ("mmlu", "gpqa", "arc", "truthful", "hellaswag", "commonsense", "csqa", "winogrande", "medqa", "aqua"),
    "number": ("gsm", "svamp", "arithmetic", "multiarith", "addsub", "asdiv"),
    "yes_no": ("strategyqa", "boolq", "pubmedqa"),
}


def options_in(text: object) -> tuple[str, ...] | None:
    """The labels of the options that a question lists as A) … B) … or (A) … (B) …; None where it lists fewer than two, from A on."""
    if not isinstance(text, str):
        return None
    found: list[str] = []
    for label in re.findall(r"(?:^|[\s(\[])([A-Z])[).:\]]", text):
        if len(found) < 26 and label == chr(ord("A") + len(found)):
            found.append(label)
    return tuple(found) if len(found) >= 2 else None
