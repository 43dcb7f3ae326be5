"""Small YAML files that say where things stand in somebody's logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_MISSING = object()


def read_mapping(path: Path | None, known: dict[str, type | tuple[type, ...]], needed: tuple[str, ...], example: str) -> dict[str, Any]:
    """The mapping in a file, its keys and their types checked. Raises ValueError with the file and the mend."""
    if path is None:
        raise ValueError(f"this format needs a mapping: --map FILE.yml, such as\n{example}")
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: no YAML that can be read: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path}: a mapping has keys, such as\n{example}")
    for key, value in found.items():
        if key not in known:
            raise ValueError(f"{path}: {key!r} is no key of a mapping: {', '.join(known)}")
        if not isinstance(value, known[key]):
            raise ValueError(f"{path}: {key} is a {type(value).__name__}, as in\n{example}")
    for key in needed:
        if key not in found:
            raise ValueError(f"{path}: {key} is missing, as in\n{example}")
    return found


def at(value: Any, path: str, missing: Any = None) -> Any:
    """What stands under a dotted path; a key that holds dots itself is found too, the longest first. ``missing`` where nothing does."""
    found = _at(value, path)
    return missing if found is _MISSING else found


def _at(value: Any, path: str) -> Any:
    if not path:
        return value
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        return _at(value[int(head)], rest) if head.isdecimal() and int(head) < len(value) else _MISSING
    if not isinstance(value, dict):
        return _MISSING
    parts = path.split(".")
    for n in range(len(parts), 0, -1):
        head = ".".join(parts[:n])
        if head in value:
            found = _at(value[head], ".".join(parts[n:]))
            if found is not _MISSING:
                return found
    return _MISSING
