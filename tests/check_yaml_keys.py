"""Check the keys of the dbt YAML files against the JSON schemas that dbt-core ships: dbt ignores a misspelt key without a word."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import yaml

ROOT = Path(__file__).parents[1]


def schema(kind: str) -> dict[str, Any]:
    """The shipped schema for ``project`` or ``resources`` files, the newest one."""
    folder = resources.files("dbt") / "jsonschemas"
    found = [p for p in folder.rglob(f"{kind}/*.json")] if isinstance(folder, Path) else []
    if not found:
        raise SystemExit(f"dbt-core ships no {kind} schema below {folder}")

    def age(path: Path) -> tuple[bool, list[int]]:
        version = path.stem
        return version == "latest", [] if version == "latest" else [int(n) for n in version.split(".")]

    return json.loads(max(found, key=age).read_text())


def problems(path: Path, validator: jsonschema.Draft7Validator) -> Iterator[str]:
    """One line per violation of the schema in a YAML file."""
    for error in validator.iter_errors(yaml.safe_load(path.read_text())):
        deepest = jsonschema.exceptions.best_match([error])
        where = "/".join(map(str, deepest.absolute_path)) or "top level"
        yield f"{path.relative_to(ROOT)}: {where}: {deepest.message[:200]}"


def main() -> int:
    """Check every file; print the problems and return 1 if there are any."""
    resource = jsonschema.Draft7Validator(schema("resources"))
    project = jsonschema.Draft7Validator(schema("project"))
    files = sorted(p for folder in ("models", "seeds", "macros", "tests", "analysis") for p in (ROOT / folder).rglob("*.yml"))
    found = [line for path in files for line in problems(path, resource)]
    found += problems(ROOT / "dbt_project.yml", project)
    print("\n".join(found) or f"YAML keys: {len(files) + 1} files are fine")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
