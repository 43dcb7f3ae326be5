"""The published copy: a DuckDB file of the marts, with Parquet copies beside it, swapped in as a whole.

The copy is written under another name in the same folder and then renamed over the old one. A reader that has the old file open keeps
it; a build that is killed half-way leaves the old file as it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from debate_ledger import build_diff

#: Oldest storage format that DuckDB drivers from 1.2 on read.
STORAGE_VERSION = "v1.2.0"
NESTED_TYPES = ("STRUCT", "MAP", "UNION", "JSON")


class PublishError(Exception):
    """The marts cannot be published as they are; the message names the table and the column."""


def target_path(given: str = "") -> Path:
    """Where the published file goes: the argument, else the environment (LEDGER_PUBLISHED), else published/ledger.duckdb."""
    return Path(given or os.environ.get("LEDGER_PUBLISHED") or "published/ledger.duckdb").expanduser()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _comments(con: duckdb.DuckDBPyConnection, schema: str, table: str) -> tuple[str | None, list[tuple[str, str, str | None]]]:
    """Comment of a relation, and (name, type, comment) of its columns in order."""
    found = con.execute(
        """
        select comment from duckdb_tables() where database_name = current_database() and schema_name = ? and table_name = ?
        union all
        select comment from duckdb_views() where database_name = current_database() and schema_name = ? and view_name = ?
        """,
        [schema, table, schema, table],
    ).fetchall()
    if not found:
        raise PublishError(f"{schema}.{table} is not there: build the marts first")
    columns = con.execute(
        """
        select column_name, data_type, comment from duckdb_columns()
        where database_name = current_database() and schema_name = ? and table_name = ?
        order by column_index
        """,
        [schema, table],
    ).fetchall()
    return found[0][0], columns


def publish(
    con: duckdb.DuckDBPyConnection, relations: Sequence[tuple[str, str]], target: Path, order: Mapping[str, Sequence[str]]
) -> list[tuple[str, int, int]]:
    """Write the relations as tables of schema main of ``target`` and as Parquet files in the folder ``parquet`` beside it.

    ``relations`` holds (schema, name) of each table or view; ``order`` the columns that a published table is sorted by, all where it
    names none. Table and column
    comments are taken along. Returns (published name, rows, columns) per table. Raises PublishError for a column that is no scalar or
    has no comment, before anything is replaced. ``con`` must be free to begin a transaction of its own.
    """
    if target.is_dir():
        raise PublishError(f"{target} is a folder: name the file to publish to, such as {target / 'ledger.duckdb'}")
    folder = target.parent
    folder.mkdir(parents=True, exist_ok=True)
    parquet = folder / "parquet"
    parquet.mkdir(exist_ok=True)
    # What a killed build left behind.
    for leftover in [*folder.glob(f".{target.name}.*.tmp*"), *parquet.glob(".*.tmp")]:
        leftover.unlink()
    work = con.execute("select current_database()").fetchone()[0]
    fresh = folder / f".{target.name}.{os.getpid()}.tmp"
    swaps: list[tuple[Path, Path]] = []
    summary: list[tuple[str, int, int]] = []

    def finish(name: str, table: str, n_columns: int) -> None:
        copy = parquet / f".{name}.{os.getpid()}.tmp"
        con.execute(f"copy (from {table}) to {_literal(str(copy))} (format parquet, compression zstd)")
        swaps.append((copy, parquet / f"{name}.parquet"))
        summary.append((name, con.execute(f"select count(*) from {table}").fetchone()[0], n_columns))

    con.execute(f"attach {_literal(str(fresh))} as publication_copy (storage_version {_literal(STORAGE_VERSION)})")
    try:
        for schema, name in relations:
            comment, columns = _comments(con, schema, name)
            for column, kind, column_comment in columns:
                if kind.endswith("]") or kind.startswith(NESTED_TYPES):
                    raise PublishError(f"{name}.{column} is of type {kind}: the published file holds scalars only")
                if not column_comment:
                    raise PublishError(f"{name}.{column} has no description: add it to the model's YAML file")
            if not comment:
                raise PublishError(f"{name} has no description: add it to the model's YAML file")
            source = f"{_quoted(work)}.{_quoted(schema)}.{_quoted(name)}"
            table = f"publication_copy.main.{_quoted(name)}"
            by = ", ".join(f"{_quoted(c)} nulls last" for c in order.get(name, ())) or "all"
            # One transaction for a table and its comments: each statement by itself would wait for the disk.
            con.begin()
            con.execute(f"create table {table} as select * from {source} order by {by}")
            con.execute(f"comment on table {table} is {_literal(comment)}")
            for column, _, column_comment in columns:
                con.execute(f"comment on column {table}.{_quoted(column)} is {_literal(column_comment)}")
            con.commit()
            finish(name, table, len(columns))
        build_diff.write_build_diff(con, target, "publication_copy")
        table = f"publication_copy.main.{build_diff.TABLE}"
        con.execute(f"comment on table {table} is {_literal(build_diff.COMMENT)}")
        for column, (_, column_comment) in build_diff.COLUMNS.items():
            con.execute(f"comment on column {table}.{column} is {_literal(column_comment)}")
        finish(build_diff.TABLE, table, len(build_diff.COLUMNS))
        con.execute("force checkpoint publication_copy")
    finally:
        con.execute("detach publication_copy")
    for old in parquet.glob("*.parquet"):
        if old.stem not in {name for name, _, _ in summary}:
            old.unlink()
    for copy, final in swaps:
        os.replace(copy, final)
    os.replace(fresh, target)
    return summary
