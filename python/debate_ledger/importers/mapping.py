"""Small YAML files that say where things stand in somebody's logs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

import yaml

from debate_ledger.importers.debate import Bad, expect, shape_of
from debate_ledger.importers.source import readable
from debate_ledger.importers.streaming import BrokenFile, no_columns, opened

_MISSING = object()


def read_mapping(path: Path | None, known: Mapping[str, type | tuple[type, ...]], needed: tuple[str, ...], example: str) -> dict[str, Any]:
    """The mapping in a file, its keys and their types checked. Raises ValueError with the file and the mend."""
    if path is None:
        raise ValueError(f"this format needs a mapping: --map FILE.yml, such as\n{example}")
    readable(path, "--map names the YAML file that says where things stand")
    try:
        with opened(path) as file:
            found = yaml.load(file.read().decode("utf-8-sig"), _Loader)
    except BrokenFile as error:
        raise ValueError(error.told(path)) from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: no UTF-8 text (write the file as UTF-8)") from error
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ValueError(f"{path}{line}: no YAML: {error.problem or error.context} (correct it there)") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: no YAML that can be read: {' '.join(str(error).split())} (correct it)") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path}: {shape_of(found)} where a mapping has keys, such as\n{example}")
    for key, value in found.items():
        if key not in known:
            raise ValueError(f"{path}: {key!r} is no key of a mapping (it knows {', '.join(known)})")
        try:
            types = known[key]
            expect(value, key, *(types if isinstance(types, tuple) else (types,)))
        except Bad as error:
            raise ValueError(f"{path}: {error.reason}, as in\n{example}") from error
    for key in needed:
        if key not in found:
            raise ValueError(f"{path}: {key} is missing, as in\n{example}")
    return found


#: Rows of JSON Lines that are looked at for the columns of a mapping.
LOOKED_AT = 100


def checked_rows(
    rows: Iterator[tuple[int, Any, Any]], columns: Collection[str], mapping: Path | None, name: str
) -> Iterator[tuple[int, Any, Any]]:
    """The rows of a JSON Lines file as they are, if its first ones have every column that a mapping names.

    Raises ValueError, once for the file, for columns (paths) that none of them has, with the keys that are there.
    """
    first = list(islice(rows, LOOKED_AT))
    objects = [row for _, row, _ in first if isinstance(row, dict)]
    missing = [column for column in columns if all(_at(row, column) is _MISSING for row in objects)]
    if objects and missing:
        there = list(dict.fromkeys(key for row in objects for key in row))
        raise ValueError(no_columns(missing, sorted(there), f"correct the columns of {mapping}").told(name))
    yield from chain(first, rows)


class _Loader(yaml.SafeLoader):
    """A safe loader that takes no key twice: the last one would count, in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names: dict[str, yaml.Node] = {}
        twice = None
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and names.setdefault(key.value, key) is not key:
                twice = key
        if twice is not None:
            raise yaml.constructor.ConstructorError(None, None, f"{twice.value} stands twice", twice.start_mark)
        return super().construct_mapping(node, deep)


def is_among(value: Any, values: Collection[Any]) -> bool:
    """Is a cell one of the mapping's values? Texts are compared without white space around them, numbers as they are written."""
    return any(value is v if v is None or value is None else str(value).strip() == str(v).strip() for v in values)


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
