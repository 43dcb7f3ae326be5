"""Import of other projects' debate logs: one reader per format, one canonical line per debate, and a receipt that adds up.

``import_logs`` is what `ledger import` calls. A reader is a function of a `Source` that yields
debates, rejections, rows set aside and notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from debate_ledger.importers import agora, changes, du, dylan, ford, inspect_logs, lm_eval, messages, peer_review, probes, table
from debate_ledger.importers.debate import SCHEMA, Agent, Aside, Debate, Found, Note, Rejected, Settings, to_record
from debate_ledger.importers.normalise import KINDS, normalise_answer
from debate_ledger.importers.run import Receipt, import_with
from debate_ledger.importers.source import Source

FORMATS: dict[str, Callable[[Source], Iterator[Found]]] = {
    "du": du.read,
    "dylan": dylan.read,
    "peer-review": peer_review.read,
    "ford": ford.read,
    "changes": changes.read,
    "agora": agora.read,
    "inspect": inspect_logs.read,
    "lm-eval": lm_eval.read,
    "table": table.read,
    "messages": messages.read,
    "probes": probes.read,
}


def import_logs(source_format: str, source: Source, out: Path, **options: Any) -> Receipt:
    """Read logs of a format and write canonical lines to ``out``; see `run.import_with`.

    Raises ValueError for a format that is not known.
    """
    if source_format not in FORMATS:
        raise ValueError(f"no format is called {source_format!r}: {', '.join(FORMATS)}")
    return import_with(FORMATS[source_format], source_format, source, out, **options)


__all__ = [
    "FORMATS",
    "KINDS",
    "SCHEMA",
    "Agent",
    "Aside",
    "Debate",
    "Note",
    "Receipt",
    "Rejected",
    "Settings",
    "Source",
    "import_logs",
    "normalise_answer",
    "to_record",
]
