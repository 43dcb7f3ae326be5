"""Which format a log of another tool has, told by its shape and not by its name, and the `ledger import` call that fits."""

from __future__ import annotations

import os
import re
import shlex
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from debate_ledger.importers.messages import proposed_mapping
from debate_ledger.importers.peer_review import mode_of
from debate_ledger.importers.propose import probe_mapping, table_mapping
from debate_ledger.importers.source import RECEIPT_ENDING
from debate_ledger.importers.streaming import BrokenFile, JsonStream, csv_rows, json_lines, opened

#: Records of a file that are looked at.
N_LOOKED_AT = 20
#: Ends of files that may be logs; names of logs that go with others.
LOGS = (".json", ".jsonl", ".ndjson", ".csv", ".eval", *(f".{e}.gz" for e in ("json", "jsonl", "ndjson", "csv")))
#: Keys of lines that land as they are (docs/raw_files.md).
_LANDED = frozenset((
    "initial_states", "round_traces", "round_states", "initial_answers", "standard_debate", "abc_debate", "r1_majority_changed",
    "probe_results", "initial_correct", "policy", "p_true",
))  # fmt: skip
#: Paths that a call names one by one; more are named by a pattern.
SHOWN = 3


@dataclass(frozen=True)
class Sample:
    """The first records of a file: lines, items of a list, (key, value) of an object, or rows of a table."""

    kind: str
    values: list[Any] = field(default_factory=list)

    def all(self, fits: Callable[[Any], bool]) -> bool:
        """Whether there is a record, and every one fits."""
        return bool(self.values) and all(map(fits, self.values))


@dataclass(frozen=True)
class Foreign:
    """Logs of one format in one folder: what a call names, the files that it covers, and a mapping to save where one is needed."""

    source_format: str
    named: tuple[Path, ...]
    files: tuple[Path, ...]
    mapping: str = ""

    @property
    def name(self) -> str:
        """A name for what comes out: that of the one log, or that of its folder with the format."""
        if len(self.named) > 1:
            folder = self.named[0].parent.name or "logs"
            return folder if self.source_format in folder else f"{folder}_{self.source_format}"
        return re.sub(r"\.(jsonl?|ndjson|csv|eval)(\.gz)?$", "", self.named[0].name)

    @property
    def mapping_name(self) -> str:
        """The file to save the mapping in."""
        return f"{self.name}.yml"

    def call(self, out: Path) -> str:
        """The `ledger import` call; ``out`` is the folder to write to."""
        extra = ["--map", shlex.quote(self.mapping_name)] if self.mapping else []
        return " ".join(
            ["ledger", "import", self.source_format, *self._paths(), *extra, "--out", shlex.quote(str(out / f"{self.name}.jsonl"))]
        )

    def _paths(self) -> list[str]:
        if len(self.named) <= SHOWN:
            return [shlex.quote(str(p)) for p in self.named]
        endings = {re.sub(r"^.*?(\.\w+(\.gz)?)?$", r"\1", p.name) for p in self.named}
        folder = shlex.quote(str(self.named[0].parent))
        beside = {p for p in self.named[0].parent.iterdir() if p.is_file() and p.name.endswith(tuple(endings))}
        if len(endings) == 1 and beside == set(self.named):
            return [f"{folder}/*{endings.pop()}"]
        return [shlex.quote(str(p)) for p in self.named]


def sample_of(path: Path) -> Sample:
    """The first records of a file; a sample without kind where it cannot be read."""
    try:
        if path.name.endswith(".eval"):
            return Sample("archive") if zipfile.is_zipfile(path) else Sample("")
        with opened(path) as file:
            if path.name.removesuffix(".gz").endswith(".csv"):
                return Sample("rows", [row for _, row, wrong in islice(csv_rows(file), N_LOOKED_AT) if not wrong])
            lines = list(islice(json_lines(file), N_LOOKED_AT))
        whole = [value for _, value, wrong in lines if not wrong]
        # A document on one line is no JSON Lines file, and one on several has no line that is a record.
        if len(whole) * 2 > len(lines) and (len(lines) > 1 or path.name.removesuffix(".gz").endswith(("jsonl", "ndjson"))):
            return Sample("lines", whole)
        with opened(path) as file:
            return _document(JsonStream(file))
    except (BrokenFile, OSError):
        return Sample("")


def _document(stream: JsonStream) -> Sample:
    kind = {"[": "list", "{": "object"}.get(stream.begins("[{", ""), "")
    if not kind:
        return Sample("")
    values: list[Any] = []
    try:
        for one in islice(stream.items() if kind == "list" else stream.members(), N_LOOKED_AT):
            value = stream.value()
            values.append(value if kind == "list" else (one, value))
    except BrokenFile:
        # What stands before the break tells the format too.
        pass
    return Sample(kind, values)


def format_of(path: Path) -> str | None:
    """The format of a file; None for one that lands as it is, that goes with another, or that no format reads."""
    if not path.name.endswith(LOGS) or path.name.endswith(RECEIPT_ENDING):
        return None
    sample = sample_of(path)
    if sample.values and any(isinstance(v, dict) and _LANDED & set(v) for v in sample.values):
        return None
    return next((name for name, fits in RECOGNISERS.items() if fits(sample, path)), None)


# One recogniser per format -------------------------------------------------------------------------------------------------------------


def _has(value: Any, **fields: type | tuple[type, ...]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), types) for key, types in fields.items())


def _are_contexts(value: Any) -> bool:
    """A list of agents, each a list of messages with a role."""
    return isinstance(value, list) and bool(value) and all(isinstance(c, list) and all(_has(m, role=str) for m in c) for c in value)


def _is_trial(value: Any) -> bool:
    """[contexts, key], an object of contexts, or an object of questions with such values."""
    if isinstance(value, list):
        return bool(value) and _are_contexts(value[0])
    if not isinstance(value, dict):
        return False
    if any(_are_contexts(value.get(key)) for key in ("agent_contexts", "contexts", "agents")):
        return True
    return bool(value) and all(isinstance(v, list) and bool(v) and _are_contexts(v[0]) for v in value.values())


def _is_dylan_row(value: Any) -> bool:
    """Agents × rounds of text or null."""
    return isinstance(value, list) and bool(value) and all(
        isinstance(a, list) and bool(a) and all(t is None or isinstance(t, str) for t in a) for a in value
    )  # fmt: skip


def _is_dylan(sample: Sample, _: Path) -> bool:
    if sample.kind == "list":
        # One row alone: its items are the agents.
        return _is_dylan_row(sample.values)
    return sample.kind == "lines" and sample.all(_is_dylan_row)


def _is_peer_review(sample: Sample, path: Path) -> bool:
    if not (
        sample.kind == "list" and sample.all(lambda v: _has(v, question=str, agent_contexts=list) and _are_contexts(v["agent_contexts"]))
    ):
        return False
    try:
        mode_of(path)
    except ValueError:
        return False
    return True


def _is_du(sample: Sample, _: Path) -> bool:
    if sample.kind == "object":
        return sample.all(lambda kv: _is_trial([*kv[1]] if isinstance(kv[1], list) else kv[1]))
    return sample.kind in ("list", "lines") and sample.all(_is_trial)


def _is_agora(sample: Sample, _: Path) -> bool:
    return sample.kind == "list" and sample.all(lambda v: _has(v, question=str, agent_response=dict))


def _is_inspect(sample: Sample, path: Path) -> bool:
    if sample.kind == "archive":
        with zipfile.ZipFile(path) as archive:
            return any(name == "header.json" or name.startswith("samples/") for name in archive.namelist())
    keys = {key for key, _ in sample.values} if sample.kind == "object" else set()
    return "eval" in keys and bool(keys & {"samples", "version", "status", "plan"})


def _is_lm_eval(sample: Sample, _: Path) -> bool:
    return sample.kind == "lines" and sample.all(lambda v: _has(v, doc_id=(int, str), resps=list) and ("target" in v or "doc" in v))


def _is_ford(sample: Sample, _: Path) -> bool:
    return sample.kind == "lines" and sample.all(lambda v: isinstance(v, dict) and {"Q", "P", "M"} <= set(v))


def _is_messages(sample: Sample, path: Path) -> bool:
    return sample.kind in ("lines", "list", "object") and proposed_mapping(path) is not None


def _is_changes(sample: Sample, path: Path) -> bool:
    """A table of a folder that holds meta.csv, a summary and changes."""
    return sample.kind == "rows" and change_folder(path.parent)


def change_folder(folder: Path) -> bool:
    """Whether a folder holds the three tables of a change log."""
    names = [p.name for p in folder.glob("*.csv")]
    return "meta.csv" in names and all(any(re.search(word, n) for n in names) for word in ("summary", "flip|change"))


def _is_probes(sample: Sample, _: Path) -> bool:
    return sample.kind in ("lines", "rows") and probe_mapping(sample.values) is not None


def _is_table(sample: Sample, _: Path) -> bool:
    return sample.kind in ("lines", "rows") and table_mapping(sample.values) is not None


#: The first that fits counts; what any file could be comes last.
RECOGNISERS: dict[str, Callable[[Sample, Path], bool]] = {
    "inspect": _is_inspect, "lm-eval": _is_lm_eval, "agora": _is_agora, "ford": _is_ford, "dylan": _is_dylan,
    "peer-review": _is_peer_review, "du": _is_du, "changes": _is_changes, "messages": _is_messages, "probes": _is_probes,
    "table": _is_table,
}  # fmt: skip


# A folder of logs -----------------------------------------------------------------------------------------------------------------------


def foreign_logs(folder: Path, lands: Collection[str] = ()) -> list[Foreign]:
    """Logs of other tools below a folder, by format and folder; hidden files are left out, and those that land (as named from there)."""
    found: dict[tuple[str, Path, str], list[tuple[Path, Path]]] = defaultdict(list)
    for path in _files(folder):
        source_format = None if path.relative_to(folder).as_posix() in lands else format_of(path)
        if source_format is None:
            continue
        named = _named(source_format, path, folder)
        mapping = _mapping(source_format, path)
        # Logs of one folder that need one mapping are of one call.
        found[source_format, named.parent, mapping].append((named, path))
    return [
        Foreign(source_format, tuple(dict.fromkeys(named for named, _ in logs)), tuple(path for _, path in logs), mapping)
        for (source_format, _, mapping), logs in found.items()
    ]


def _files(folder: Path) -> Iterator[Path]:
    """Files below a folder, links followed once."""
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _named(source_format: str, path: Path, folder: Path) -> Path:
    """What a call names: the folder of a change log, the folder of the rounds of a round table, else the file."""
    if source_format == "changes":
        return path.parent
    if source_format == "ford":
        return path.parent.parent if path.parent != folder else path.parent
    return path


def _mapping(source_format: str, path: Path) -> str:
    if source_format == "messages":
        return proposed_mapping(path) or ""
    if source_format in ("table", "probes"):
        propose: Callable[[Sequence[Any]], str | None] = table_mapping if source_format == "table" else probe_mapping
        return propose(sample_of(path).values) or ""
    return ""
