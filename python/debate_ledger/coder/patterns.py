r"""What a rule and a profile of the answer coder are: patterns as data, which Python and SQL read alike.

Two engines run these patterns: Python's ``re`` and DuckDB's RE2. They agree where a pattern keeps to what both mean alike:

* no look-around, no ``\b``, ``\w``, ``\s``: word and blank characters are listed, and a boundary is a character that is read;
* no flag: both cases of a letter are written out (``(?i)`` takes other letters for i, s and k in one engine than in the other);
* a text is padded with a line end on both sides and its line ends are doubled, so that lines and their neighbours never share one.

So a match never depends on what stands around it, and both engines find the same ones from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_ledger.coder.characters import WORD

#: Labels where a question does not tell its own.
LETTERS = tuple("ABCDEFGHIJ")
#: The row of options in their order, each written as the letter of its place; three of them and more are a list, not an answer.
OPTIONS_IN_ORDER = "ABC" + "(?:".join("DEFGHIJKLMNOPQRSTUVWXYZ") + ")?" * 22
OPTIONS_IN_ORDER = OPTIONS_IN_ORDER.replace("ABCD", "ABC(?:D") + ")?"
#: What a kept match of ``unlisted`` looks like: one label and nothing else that is written in letters.
BARE = rf"[^{WORD}]*(?:[A-Za-z]|[0-9]+)[^{WORD}]*"
#: The label within the group of a match.
LABEL = "[A-Za-z]|[0-9]+|[\u0130\u0131]"


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

    @property
    def groups(self) -> int:
        """How many groups the pattern has, one at least."""
        return re.compile(self.pattern).groups

    def __post_init__(self) -> None:
        if self.groups == 0:
            raise ValueError(f"rule {self.name!r}: a pattern needs a group around the label")


@dataclass(frozen=True)
class ReadOver:
    """What gives way to a mark: each match of a pattern, up to its group where it has one, which stays."""

    pattern: str
    #: Texts of which each match holds one, if there are such: to look for them is much faster.
    signs: tuple[str, ...] = ()
    #: Stands for what was read over: the end of a clause, whatever came before it.
    mark: str = ";"

    @property
    def keeps(self) -> bool:
        """Whether a part of each match stays."""
        return re.compile(self.pattern).groups > 0


@dataclass(frozen=True)
class Profile:
    """Rules in their order, over a text to which the ``folds`` of that name are applied."""

    rules: tuple[Rule, ...]
    folds: str = "none"
    #: Labels that are valid whatever the question's own are, and what each is returned as; None: the question's own.
    labels: Mapping[str, str] | None = None
    #: What is no statement of the author's own gives way before any rule looks at the text, pattern after pattern.
    read_over: tuple[ReadOver, ...] = ()
    #: Whether few of the texts that the first rule leaves open match any other.
    rare: bool = False


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
