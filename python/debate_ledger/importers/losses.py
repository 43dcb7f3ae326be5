"""What an import lost, and whether that bends the ledger: a loss that grows with the rounds makes collapses, or hides them.

*Lost* is a debate that was rejected, or whose key stands in the log and was not read. A key that the log does not determine (it says only
that the end was wrong) is *not stated*, and counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from debate_ledger.importers.debate import Debate, Rejected, UnreadKey

#: An import that loses a larger share of its debates does not pass in silence.
MAX_SHARE = 0.05
#: Different reasons that are counted; a log in which each debate has one of its own would fill the memory.
MAX_REASONS = 1000
#: Causes that a lossy import tells, the most frequent first.
SHOWN_CAUSES = 3
#: Where a format takes keys from.
KEY_OPTIONS = {
    "dylan": "give them with --gold",
    "table": "name their column as `gold` in the mapping",
    "messages": "name where they stand as `gold` in the mapping",
}
_ELSE = "look whether the log has them under another name; without keys nothing is right, and nothing collapses"


def rounds_difference(kept: Mapping[int, int], others: Mapping[int, int]) -> tuple[str, float] | None:
    """Whether debates differ in the rounds that they held from those that were kept: (name of the test, two-sided p).

    ``kept`` and ``others`` count debates by rounds held. Where these have two values, Fisher's exact test (R. A. Fisher: Statistical
    Methods for Research Workers, 5th ed. 1934, section 21.02); with more, Pearson's chi-square without a correction (K. Pearson,
    Philosophical Magazine 50, 1900). None where there is nothing to compare: a group is empty, or all held as many rounds.

    >>> rounds_difference({1: 3, 2: 1}, {1: 1, 2: 3})
    ('Fisher', 0.4857142857142857)
    """
    values = sorted(r for r in {*kept, *others} if kept.get(r, 0) + others.get(r, 0))
    table = [[counts.get(r, 0) for r in values] for counts in (kept, others)]
    if len(values) < 2 or not all(map(sum, table)):
        return None
    # Loading it takes longer than most imports, and most lose nothing.
    from scipy import stats

    if len(values) == 2:
        return "Fisher", float(stats.fisher_exact(table).pvalue)
    return "chi-square", float(stats.chi2_contingency(table, correction=False).pvalue)


@dataclass
class Losses:
    """Debates of an import by what became of them, and by the rounds that they held (None: not known)."""

    kept: Counter[int] = field(default_factory=Counter)
    lost: Counter[int | None] = field(default_factory=Counter)
    not_stated: Counter[int | None] = field(default_factory=Counter)
    n_rejected: int = 0
    n_with_key: int = 0
    #: Whether the import is of debates, which need keys.
    need_keys: bool = False
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    is_accepted: bool = False

    def take(self, found: object) -> None:
        """Count a debate, a battery of probes (which needs no key and holds no rounds) or a rejection."""
        if isinstance(found, Rejected):
            self.n_rejected += found.n
            self.lost[found.rounds] += found.n
            self._reason(found.reason, found.mend, found.n)
        elif isinstance(found, Debate):
            self.need_keys = True
            held = len(found.rounds) - 1
            self.n_with_key += found.gold is not None
            if found.gold is None and found.no_key == "unread":
                self.lost[held] += 1
                why = found.unread_key or UnreadKey("a key that cannot be read", "correct the key")
                self._reason(why.reason, why.mend, 1)
            elif found.gold is None and found.no_key == "not_stated":
                self.not_stated[held] += 1
            else:
                self.kept[held] += 1
        else:
            self.kept[0] += 1

    def _reason(self, reason: str, mend: str, n: int) -> None:
        if (reason, mend) in self.reasons or len(self.reasons) < MAX_REASONS:
            self.reasons[(reason, mend)] += n

    @property
    def n_all(self) -> int:
        """Debates that were found, whole or not."""
        return self.kept.total() + self.n_lost + self.not_stated.total()

    @property
    def n_lost(self) -> int:
        """Rejected ones, and those whose key was not read."""
        return self.lost.total()

    def faults(self, source_format: str) -> list[str]:
        """What makes the import one that should not be built on as it is: what is wrong, the likely cause, and what to do."""
        found = []
        noun = "debates" if self.need_keys else "batteries"
        causes = sorted(self.reasons, key=lambda r: (-self.reasons[r], r))
        told = [f"{self.reasons[cause]:,} of them: {cause[0]} ({cause[1]})" for cause in causes[:SHOWN_CAUSES]]
        likely = "; ".join(told + ([f"and {len(causes) - SHOWN_CAUSES:,} more causes"] if len(causes) > SHOWN_CAUSES else []))
        if self.n_lost > MAX_SHARE * self.n_all:
            found.append(f"{self.n_lost:,} of {self.n_all:,} {noun} are lost ({_percent(self.n_lost, self.n_all)}), {likely}")
        if self.need_keys and not self.n_with_key:
            what = KEY_OPTIONS.get(source_format, _ELSE)
            if self.not_stated:
                what = f"the log says only whether the end of {self.not_stated.total():,} was right; {what}"
            found.append(f"no debate has a key: {what}")
        return found

    def sentences(self) -> list[str]:
        """How many of how many are lost and not stated, and whether they differ in rounds held; nothing where none is."""
        parts = f"{self.n_rejected:,} rejected, {self.n_lost - self.n_rejected:,} whose key was not read"
        found = [f"lost: {self._told(self.lost)}: {parts}{self._compared(self.lost)}"] if self.n_lost else []
        return found + ([f"key not stated: {self._told(self.not_stated)}{self._compared(self.not_stated)}"] if self.not_stated else [])

    def _told(self, others: Counter[int | None]) -> str:
        return f"{others.total():,} of {self.n_all:,} debates ({_percent(others.total(), self.n_all)})"

    def _compared(self, others: Counter[int | None]) -> str:
        if not self.need_keys:
            return ""
        difference = rounds_difference(self.kept, {r: n for r, n in others.items() if r is not None})
        told = "rounds held cannot be compared" if difference is None else verdict(*difference)
        return f"; {told}: {by_rounds(_texts(others))}; kept {by_rounds(_texts(self.kept))}"

    def as_record(self) -> dict[str, Any]:
        """For the receipt: counts by rounds held ("unknown" where they could not be counted), tests and p-values."""
        found: dict[str, Any] = {
            "debates": self.n_all,
            "kept": {"n": self.kept.total(), "by_rounds": _texts(self.kept)},
            "lost": {"n": self.n_lost, "rejected": self.n_rejected, "key_unread": self.n_lost - self.n_rejected},
            "not_stated": {"n": self.not_stated.total()},
            "with_key": self.n_with_key,
            "accepted": self.is_accepted,
        }
        for name, others in (("lost", self.lost), ("not_stated", self.not_stated)):
            test, p = rounds_difference(self.kept, {r: n for r, n in others.items() if r is not None}) or (None, None)
            found[name] |= {"by_rounds": _texts(others), "test": test, "p": p}
        return found


def verdict(test: str, p: float) -> str:
    """The outcome of `rounds_difference` in words; 5 % is where it is called a difference."""
    told = f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"
    name = "Fisher's exact test" if test == "Fisher" else "chi-square"
    return f"they {'DIFFER' if p < 0.05 else 'show no difference'} in rounds held ({name}, {told})"


def by_rounds(counts: Mapping[str, int]) -> str:
    """Debates by rounds held as a receipt has them, in words, such as "1: 40, 2: 7"."""
    return ", ".join(f"{r}: {n:,}" for r, n in counts.items()) or "none"


def _texts(counts: Mapping[int | None, int]) -> dict[str, int]:
    known = {str(r): counts[r] for r in sorted(r for r in counts if r is not None) if counts[r]}
    return known | ({"unknown": counts[None]} if counts.get(None) else {})


def _percent(n: int, of: int) -> str:
    return f"{100 * n / of:.1f} %"
