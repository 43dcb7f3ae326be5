"""What the target of a multiple-choice document names: a place, a letter, or a text of an option.

The harness writes the place as a text, counted from 0, whatever the options say: "1" is B, also where an option's text is "1". Tasks of
one's own write letters, texts, or places from 1. A row says which reading is right: its `acc` is 1 where the answer is the key.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from debate_ledger.importers.debate import whole_number
from debate_ledger.importers.normalise import normalise_answer

#: Readings in the order in which they count where no row tells, for replies that are log-likelihoods, and for texts.
OF_LIKELIHOODS = ("place", "letter", "text", "place from 1")
OF_TEXTS = ("letter", "text", "place", "place from 1")


def listed(target: Any) -> Any:
    """A target; one that the harness printed as a list of texts, "['a', 'b']", as that list. "[0, 2]" may be an interval, and stays."""
    if not (isinstance(target, str) and target.strip()[:1] == "[" and target.strip()[-1:] == "]"):
        return target
    try:
        found = ast.literal_eval(target.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return target
    return found if isinstance(found, list) and found and all(isinstance(one, str) for one in found) else target


def readings(target: Any, labels: Sequence[str], choices: Sequence[Any] | None) -> dict[str, str]:
    """The letter that a target names under each reading that fits it."""
    if target is None or isinstance(target, (bool, list)):
        return {}
    found: dict[str, str] = {}
    place = whole_number(target)
    if place is not None and place < len(labels):
        found["place"] = labels[place]
    if place is not None and 0 < place <= len(labels):
        found["place from 1"] = labels[place - 1]
    text = str(target).strip()
    texts = [str(c).strip() for c in choices or ()]
    if isinstance(target, str) and texts.count(text) == 1:
        found["text"] = labels[texts.index(text)]
    letter = normalise_answer(target, "choice")
    if letter in labels:
        found["letter"] = str(letter)
    return found


@dataclass
class Votes:
    """What the rows of a file say about the readings of their targets."""

    for_it: Counter[str] = field(default_factory=Counter)

    def see(self, found: dict[str, str], answer: str | None, is_right: bool | None) -> None:
        """A row with its readings, its answer, and whether the harness counted it as right. Only where readings differ it tells."""
        if is_right is None or answer is None or len(set(found.values())) < 2:
            return
        for reading, key in found.items():
            self.for_it[reading] += 1 if (answer == key) == is_right else -1

    def order(self, usual: Sequence[str]) -> list[str]:
        """The readings, the one that most rows speak for first; places from 1 count only where rows speak for them."""
        return sorted((r for r in usual if r != "place from 1" or self.for_it[r] > 0), key=lambda r: -self.for_it[r])


def is_right(row: dict[str, Any], metric: str) -> bool | None:
    """Whether a metric of a row counts its reply as right; None where it says neither."""
    value = row.get(metric)
    return bool(value) if isinstance(value, (int, float, bool)) and value in (0, 1) else None
