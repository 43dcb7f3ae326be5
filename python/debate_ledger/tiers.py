"""Release tiers: every column of the warehouse is ``open`` or ``gated``, and the published file holds open ones only.

A tier is dbt meta. A model or seed has ``meta: {tier: open}`` or ``meta: {tier: gated}`` for all of its columns, and a column may say
otherwise with a ``tier`` of its own. Gated is what may hold a text that a model wrote: lines, answers as the file has them, errors.
Models have no default, so that a new one without a tier is found (docs/decisions, on tiers).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

OPEN, GATED = "open", "gated"
TIERS = (OPEN, GATED)


@dataclass(frozen=True)
class Column:
    """A column of the work file and its tier; None where nothing gives it one."""

    schema: str
    table: str
    name: str
    tier: str | None

    def __str__(self) -> str:
        return f"{self.schema}.{self.table}.{self.name}"


def load_manifest(path: Path) -> dict[str, Any]:
    """The manifest that dbt writes with every run. Raises OSError or ValueError for a file that is none."""
    manifest = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(manifest, dict) or "nodes" not in manifest:
        raise ValueError(f"{path} is no dbt manifest: run dbt build or dbt parse first")
    return manifest


def _meta_tier(owner: Mapping[str, Any]) -> str | None:
    """Tier in the meta of a node or column; dbt keeps it in config, and older versions beside it."""
    return {**(owner.get("meta") or {}), **((owner.get("config") or {}).get("meta") or {})}.get("tier")


def relations(manifest: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Models and seeds of the manifest by (schema, name)."""
    nodes = (node for node in manifest["nodes"].values() if node["resource_type"] in ("model", "seed"))
    return {(node["schema"], node.get("alias") or node["name"]): node for node in nodes}


def tier_of(node: Mapping[str, Any], column: str) -> str | None:
    """Tier of a column of a model or seed: its own, else that of the node, else None."""
    return _meta_tier(node.get("columns", {}).get(column, {})) or _meta_tier(node)


def work_columns(manifest: Mapping[str, Any], con: duckdb.DuckDBPyConnection) -> list[Column]:
    """Every column of the work file that ``con`` has open, with its tier."""
    known = relations(manifest)
    rows = con.execute(
        """
        select schema_name, table_name, column_name from duckdb_columns()
        where not internal and database_name = current_database() order by schema_name, table_name, column_index
        """
    ).fetchall()
    return [Column(s, t, c, tier_of(known[s, t], c) if (s, t) in known else None) for s, t, c in rows]


def published_relations(manifest: Mapping[str, Any]) -> set[tuple[str, str]]:
    """(schema, name) of what the model ``publication`` publishes: all that it refers to."""
    publication = next(n for n in manifest["nodes"].values() if n["resource_type"] == "model" and n["name"] == "publication")
    of = {name: (node["schema"], node.get("alias") or node["name"]) for name, node in manifest["nodes"].items()}
    return {of[name] for name in publication["depends_on"]["nodes"]}


def tier_problems(manifest: Mapping[str, Any], con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """One sentence per column without a tier, of an unknown tier, or gated in a published relation; and per YAML tier of no column."""
    columns = work_columns(manifest, con)
    published = published_relations(manifest)
    known = relations(manifest)
    for column in columns:
        if (column.schema, column.table) not in known:
            yield f"{column} is of a relation that dbt does not know: remove the work file and build again"
        elif column.tier is None:
            where = f"the meta of {column.table}, or of the column, in its YAML file"
            yield f"{column} has no tier: add `tier: open` or `tier: gated` to {where}"
        elif column.tier not in TIERS:
            yield f"{column} has the tier {column.tier!r}: it must be open or gated"
        elif column.tier == GATED and (column.schema, column.table) in published:
            yield f"{column} is gated and published: models/release/publication.py may publish open columns only"
    there = {(c.schema, c.table, c.name) for c in columns}
    built = {(c.schema, c.table) for c in columns}
    for key, node in known.items():
        for name, column in node.get("columns", {}).items():
            if _meta_tier(column) is not None and key in built and (*key, name) not in there:
                yield f"{key[0]}.{key[1]}.{name} has a tier and is no column: take it out of the YAML file"
