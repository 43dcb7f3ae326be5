"""Cells that hold what all agents of a panel said: a list of texts, or a list or object of such lists, taken apart into answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from debate_ledger.importers.debate import Bad, shape_of

#: What a list of lists holds.
LISTS = ("rounds", "agents")
_MEND = "write a text per agent, or a list of such lists, all of one shape"


def spread(cell: Any, place: str, lists: str = LISTS[0]) -> Iterator[tuple[str, int, Any]]:
    """(agent, round, what was said) of a cell; agents without names are called by their places, from 1.

    A list or an object of texts are independent answers. A list of lists (or of objects, agent → text) holds ``lists``; an object of
    lists has an agent's rounds each. An inner null is a round that was not held, or an agent that was never asked. Raises Bad for others.
    """
    entries = _named(cell)
    if entries is None:
        raise Bad(f"{place} is {shape_of(cell)}; it has to be a list or an object", _MEND)
    if not entries:
        raise Bad(f"{place} is empty", "look whether the run failed there")
    are_lists = [isinstance(value, (list, dict)) for _, value in entries]
    if not any(are_lists):
        yield from ((name, 0, value) for name, value in entries)
        return
    if not all(a or value is None for a, (_, value) in zip(are_lists, entries, strict=True)):
        raise Bad(f"{place} holds lists beside other values", _MEND)
    is_by_agent = isinstance(cell, dict) or lists == "agents"
    for number, (name, inner) in enumerate(entries):
        if is_by_agent and isinstance(inner, dict):
            raise Bad(f"{place} holds an object where an agent has its rounds", _MEND)
        for place_within, (other, value) in enumerate(_named(inner) or []):
            if isinstance(value, (list, dict)):
                raise Bad(f"{place} holds lists within lists within lists", _MEND)
            yield (name, place_within, value) if is_by_agent else (other, number, value)


def _named(value: Any) -> list[tuple[str, Any]] | None:
    if isinstance(value, dict):
        return list(value.items())
    return [(str(i), v) for i, v in enumerate(value, start=1)] if isinstance(value, list) else None
