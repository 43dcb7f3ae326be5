"""One spelling for answers that mean the same, so that the warehouse can compare them as texts: 9.0 is 9, (b) is B, True is yes."""

from __future__ import annotations

import math
import re

from debate_ledger.coder import bare_number
from debate_ledger.coder.numbers import decimal_of, written_out

KINDS = ("choice", "number", "yes_no", "label")

_YES, _NO = frozenset(("yes", "true", "y")), frozenset(("no", "false", "n"))
_LETTER = re.compile(r"[\s(\[*\"'`]*([A-Za-z])[\s)\]*\"'`.:]*", re.ASCII)


def normalise_answer(text: object, kind: str) -> str | None:
    r"""The answer as it is compared, or None where ``text`` is no answer of that kind (None, "", a sentence where a number should be).

    choice: one letter, without brackets and in upper case. number: a plain decimal without trailing zeros, or p/q where it has
    none; thousands' separators, currency, percent sign, \\boxed{} and what stands before `####` go; the
    spellings are those that the answer coder reads (``coder.bare_number``). yes_no: yes or no; true and false
    mean the same.
    label: white space, quotes, a full stop at the end, $…$ and \\boxed{} go; lower case unless it holds a TeX command.
    A float that is no number (NaN, an infinity) is no answer. Raises ValueError for a kind that does not exist.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind of answer is called {kind!r}: {', '.join(KINDS)}")
    if text is None or isinstance(text, (dict, list, tuple)) or (isinstance(text, float) and not math.isfinite(text)):
        return None
    if isinstance(text, bool):
        return _boolean(text) if kind in ("yes_no", "label") else None
    plain = " ".join(str(text).split())
    if kind == "choice":
        found = _LETTER.fullmatch(_unwrapped(plain))
        return found.group(1).upper() if found else None
    if kind == "number":
        return _number(str(text))
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
    value = bare_number(text.rpartition("####")[2])
    if value is None:
        return None
    found = decimal_of(value)
    return str(value) if found is None else written_out(*found)


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
