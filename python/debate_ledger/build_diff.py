"""What changed since the last published build: files, rows of every table, headline numbers.

Both copies are asked with the same queries, so the earlier one may be of another version: what it cannot answer is said, not guessed.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

#: Numbers of a model's row that people quote.
HEADLINES = ("n_debates", "n_collapse", "n_correction", "conditional_collapse", "conditional_correction")
TABLE = "build_diff"
COMMENT = (
    "One row per file, table or headline number that differs from the last published build, and one that says so where there is none. "
    "No row: nothing has changed. A null is a side on which it is not there."
)
COLUMNS = {
    "kind": ("varchar", "build, file, table or headline."),
    "name": ("varchar", "What it is about: file, table, or cohort, model and number."),
    "what": ("varchar", "added, removed or changed; for a build what can be said of the earlier one."),
    "earlier": ("varchar", "Earlier value: the first twelve digits of the SHA-256, the rows, or the number; null where there was none."),
    "now": ("varchar", "Value now; null where it is gone."),
    "difference": ("double", "Now minus earlier, where both are numbers."),
}


def _tells(con: duckdb.DuckDBPyConnection, db: str, table: str, *columns: str) -> bool:
    """Whether a copy has a table with these columns."""
    found = con.execute(
        "select column_name from duckdb_columns() where database_name = ? and schema_name = 'main' and table_name = ?", [db, table]
    ).fetchall()
    return {name for (name,) in found} >= set(columns)


def _rows(con: duckdb.DuckDBPyConnection, db: str) -> str:
    """Query for the rows of every table of a copy."""
    names = con.execute(
        "select table_name from duckdb_tables() where database_name = ? and schema_name = 'main' and table_name <> ? order by all",
        [db, TABLE],
    ).fetchall()
    return " union all ".join(f"select '{n}' as name, count(*)::varchar as value from {db}.main.\"{n}\"" for (n,) in names)


def _questions(con: duckdb.DuckDBPyConnection, dbs: tuple[str, str]) -> list[tuple[str, str, str]]:
    """(kind, query on the earlier copy, query on the fresh one) of everything that both can tell."""
    found = []
    if all(_tells(con, db, "raw_files", "file", "sha256") for db in dbs):
        found += [("file", *(f"select file as name, left(sha256, 12) as value from {db}.main.raw_files" for db in dbs))]
    found += [("table", *(_rows(con, db) for db in dbs))]
    for column in HEADLINES:
        if all(_tells(con, db, "model_ledger", "cohort", "model", column) for db in dbs):
            name = f"cohort || ' / ' || model || ' / {column}' as name"
            asked = (f"select {name}, {column}::varchar as value from {db}.main.model_ledger where {column} is not null" for db in dbs)
            found += [("headline", *asked)]
    return found


def write_build_diff(con: duckdb.DuckDBPyConnection, earlier: Path, fresh: str) -> None:
    """Write the table `build_diff` into the attached copy ``fresh``, against the published file ``earlier`` where that exists."""
    con.execute(f"create table {fresh}.main.{TABLE} ({', '.join(f'{c} {t}' for c, (t, _) in COLUMNS.items())})")

    def told(what: str) -> None:
        con.execute(f"insert into {fresh}.main.{TABLE} (kind, name, what) values ('build', 'earlier build', ?)", [what])

    if not earlier.exists():
        told("none was published to this file")
        return
    try:
        con.execute(f"attach '{str(earlier).replace(chr(39), chr(39) * 2)}' as earlier_copy (read_only)")
    except duckdb.Error:
        told("it cannot be read")
        return
    try:
        for kind, before, after in _questions(con, ("earlier_copy", fresh)):
            con.execute(
                f"""
                insert into {fresh}.main.{TABLE}
                select
                    '{kind}',
                    name,
                    case when earlier.value is null then 'added' when latest.value is null then 'removed' else 'changed' end,
                    earlier.value,
                    latest.value,
                    {"null" if kind == "file" else "try_cast(latest.value as double) - try_cast(earlier.value as double)"},
                from ({before}) as earlier
                full join ({after}) as latest using (name)
                where earlier.value is distinct from latest.value
                order by name
                """
            )
    finally:
        con.execute("detach earlier_copy")
