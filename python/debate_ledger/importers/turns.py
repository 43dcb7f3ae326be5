"""Rounds of a flat list of turns that has no round numbers: a round ends where an agent that has spoken in it speaks again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from debate_ledger.importers.agents import proposals

#: What told the rounds of a debate in which an agent has no turn in some round.
BY_MODERATOR = "told by the turns of those who do not debate"
BY_ORDER = "told by the order of speaking"
BY_REPEAT = "nothing tells which round it missed: look at these debates, or log the rounds"


@dataclass(frozen=True)
class Turn:
    """A turn of an agent; one that failed is a turn too. ``after_break``: since the turn before, somebody spoke who does not debate."""

    agent: str
    failed: bool = False
    after_break: bool = False


def rounds_of(turns: Sequence[Turn]) -> tuple[list[int], str | None]:
    """(round of each turn, what told the rounds where an agent has no turn in one of them; None where each agent has one in each).

    Repeats alone give the fewest rounds that there can be. Where an agent is missing they put what follows too early: after the rounds
    A B C and B C, the next A would belong to the second. Then the turns of moderators between the rounds are taken, or the order in
    which the agents spoke first, whichever explains as few rounds. A call that failed and was repeated at once is one turn.
    """
    if not turns:
        return [], None
    retried = [i > 0 and turns[i - 1].failed and turns[i - 1].agent == t.agent and not t.after_break for i, t in enumerate(turns)]
    repeats = _numbered(turns, retried, lambda _, spoken, turn: turn.agent in spoken)
    agents = list(dict.fromkeys(t.agent for t in turns))
    last = repeats[-1]
    if len({(r, t.agent) for r, t in zip(repeats, turns, strict=True)}) == len(agents) * (last + 1):
        return repeats, None
    # What looks like a repeated call may be the first turn of a round that another order of speaking begins.
    no_retries = [False] * len(turns)
    plain = _numbered(turns, no_retries, lambda _, spoken, turn: turn.agent in spoken)
    if len(turns) == len(agents) * (plain[-1] + 1):
        return plain, None
    breaks = _numbered(turns, retried, lambda _, spoken, turn: turn.after_break and bool(spoken))
    if breaks[-1] == last and _stand_once(breaks, turns, retried):
        return breaks, BY_MODERATOR
    place = {agent: i for i, agent in enumerate(agents)}
    ordered = _numbered(turns, retried, lambda before, spoken, turn: before is not None and place[turn.agent] <= place[before.agent])
    if ordered[-1] == last:
        return ordered, BY_ORDER
    return repeats, BY_REPEAT


def _numbered(turns: Sequence[Turn], retried: Sequence[bool], is_new) -> list[int]:  # type: ignore[no-untyped-def]
    found: list[int] = []
    number, spoken, before = 0, set[str](), None
    for turn, is_retry in zip(turns, retried, strict=True):
        if not is_retry and is_new(before, spoken, turn):
            number, spoken = number + 1, set()
        spoken.add(turn.agent)
        found.append(number)
        before = turn
    return found


def _stand_once(rounds: Sequence[int], turns: Sequence[Turn], retried: Sequence[bool]) -> bool:
    """Whether no agent has two turns in one round, but for calls that were repeated."""
    own = [(r, t.agent) for r, t, is_retry in zip(rounds, turns, retried, strict=True) if not is_retry]
    return len(set(own)) == len(own)


def one_name(names: Iterable[str]) -> dict[str, str]:
    """Name → the name that stands for it while rounds are told: spellings that differ by case, blanks, hyphens, "agent" or a version.

    Nothing else follows from it: who is who is said by aliases. Names with different numbers stay apart.
    """
    counts = dict.fromkeys(names, 1)
    proposed = proposals(counts) if len(counts) > 1 else {}
    return {name: agent if _number(agent := proposed.get(name, name)) == _number(name) else name for name in counts}


def _number(name: str) -> str:
    found = re.search(r"(?<![vV\d])(\d+)\W*$", name)
    return found[1].lstrip("0") if found else ""
