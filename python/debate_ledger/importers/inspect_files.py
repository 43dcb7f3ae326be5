"""Samples of Inspect AI logs, one at a time: of a `.json` log, or of an `.eval` log, which is a zip archive with a file for each.

An `.eval` log is read by `inspect_ai` where that is installed (the extra `import`), else here, as far as its packing is that of zip.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from debate_ledger.importers.debate import Bad, field_of
from debate_ledger.importers.streaming import BrokenFile, JsonStream, Progress, opened

Samples = Iterator[tuple[int | None, dict[str, Any]]]
#: The key of a sample that could not be read; its value says why.
UNREADABLE = "_unreadable"
#: Heads of an `.eval` log: of one that ended, and of one that is being written.
_HEADS = ("header.json", "_journal/start.json")
_NONE = type(None)
_SHAPE = "a log is one object with eval and samples; `inspect log convert --to json` writes it"


def json_samples(path: Path, header: dict[str, Any], progress: Progress | None) -> Samples:
    """Samples of a .json log one at a time, with their lines; ``header`` is filled with what stands before them."""
    with opened(path, progress) as file:
        stream = JsonStream(file)
        if not stream.begins("{", _SHAPE):
            return
        found = False
        for key in stream.members():
            if key != "samples":
                header[key] = stream.value()
                continue
            _check_head(header, stream.line)
            found = True
            if stream.peek() == "n":
                stream.value()
                continue
            if not stream.begins("[", "samples is a list of samples"):
                break
            for _ in stream.items():
                stream.peek()
                line = stream.line
                yield line, stream.value()
        if not found:
            raise BrokenFile("no samples in the log", stream.line, "name a log with its samples, not a header")


def _check_head(header: dict[str, Any], line: int | None) -> None:
    """Raises BrokenFile where what stands before the samples does not tell the log's task and model as Inspect does."""
    if "eval" not in header:
        raise BrokenFile("samples before the key eval", line, "write the log anew with `inspect log convert`")
    try:
        head = field_of(header, "eval", dict)
        for key in ("task", "model"):
            field_of(head, key, str, _NONE, within="eval.")
    except Bad as error:
        raise BrokenFile(error.reason, line, error.mend) from error


def packed_samples(path: Path, header: dict[str, Any]) -> Samples:
    """Samples of an .eval log; ``header`` is filled with its head. Raises BrokenFile where it cannot be read."""
    if path.stat().st_size == 0:
        return
    if find_spec("inspect_ai"):
        yield from _by_inspect(path, header)
    else:
        yield from _by_zip(path, header)


def _by_zip(path: Path, header: dict[str, Any]) -> Samples:
    again = "copy or fetch it again, or let inspect_ai read it: pip install 'debate-ledger[import]'"
    try:
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
            head = next((name for name in _HEADS if name in names), None)
            if head is None:
                raise BrokenFile("no head in the log", None, again)
            found = _value(packed, head)
            header |= found if isinstance(found, dict) else {}
            _check_head(header, None)
            # A sample that was written again stands there twice; the last one is what the log holds.
            for name in dict.fromkeys(n for n in names if n.startswith("samples/") and n.endswith(".json")):
                try:
                    sample = _value(packed, name)
                except BrokenFile as error:
                    sample = {UNREADABLE: error.reason}
                yield None, sample
    except NotImplementedError as error:
        raise BrokenFile("it is packed in a way that inspect_ai alone reads", None, again) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as error:
        raise BrokenFile(f"no whole zip archive ({error})", None, again) from error


def _value(packed: zipfile.ZipFile, name: str) -> Any:
    """What a file of an archive holds. Raises BrokenFile."""
    with packed.open(name) as file:
        stream = JsonStream(file)  # type: ignore[arg-type]
        value = stream.value()
        if stream.repeated is not None:
            raise BrokenFile(f"the key {stream.repeated!r} stands twice in one object", None, "keep one of the two")
        return value


def _by_inspect(path: Path, header: dict[str, Any]) -> Samples:
    from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries

    # Inspect's reader raises whatever zip, JSON and pydantic do, so every exception of it is caught.
    try:
        header |= read_eval_log(str(path), header_only=True).model_dump(mode="json")
        summaries = read_eval_log_sample_summaries(str(path))
    except Exception as error:
        raise BrokenFile(
            f"inspect_ai cannot read it: {type(error).__name__}", None, "copy or fetch it again, or look at it with `inspect log dump`"
        ) from error
    for summary in summaries:
        try:
            sample = read_eval_log_sample(
                str(path), summary.id, summary.epoch, resolve_attachments=True, exclude_fields={"events", "attachments"}
            ).model_dump(mode="json")
        except Exception as error:
            sample = {UNREADABLE: type(error).__name__}
        yield None, sample
