"""Which runs an import holds: where it holds several, each line says its condition, and lines of two conditions are two lanes.

An import of one run writes none, so that its lane is the file and the model.
"""

from __future__ import annotations

from typing import Any

#: Keys of a canonical line that tell runs apart, in the order in which a condition names them.
KEYS = ("mode", "task", "condition", "n_agents")
_UNSEEN = object()


class Conditions:
    """Sees every line of an import and remembers which of `KEYS` differ, whatever their number."""

    def __init__(self) -> None:
        self._first: dict[str, Any] = dict.fromkeys(KEYS, _UNSEEN)
        self._differing: set[str] = set()

    def see(self, record: dict[str, Any]) -> None:
        """Look at a line as it was found."""
        for key in KEYS:
            value = record.get(key)
            if self._first[key] is _UNSEEN:
                self._first[key] = value
            elif self._first[key] != value:
                self._differing.add(key)

    @property
    def differing(self) -> tuple[str, ...]:
        """Keys that have more than one value."""
        return tuple(key for key in KEYS if key in self._differing)

    @property
    def are_settled(self) -> bool:
        """Whether the lines are right as they were found: one run, and no line says which."""
        return not self._differing and self._first["condition"] in (None, _UNSEEN)

    def settled(self, record: dict[str, Any]) -> dict[str, Any]:
        """A line with the condition that tells its run from the others of the import; without one where there are no others."""
        parts = [_part(key, record[key]) for key in self.differing if record.get(key) is not None]
        settled: dict[str, Any] = {}
        for key, value in record.items():
            if key == "task_kind" and parts:
                settled["condition"] = "; ".join(parts)
            if key != "condition":
                settled[key] = value
        return settled


def _part(key: str, value: Any) -> str:
    if key != "n_agents":
        return str(value)
    return f"{value} agent" if value == 1 else f"{value} agents"
