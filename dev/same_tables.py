"""Whether two published files hold the same tables: rows, values and column comments, whatever schema a table is in.

    python dev/same_tables.py BEFORE.duckdb AFTER.duckdb

Columns that name the build itself (its time, versions, paths) are left out. Ends with 1 where something differs.
"""

from __future__ import annotations

import sys

import duckdb

#: Columns that differ between two builds of one input.
OF_THE_BUILD = {"built_at", "build_id", "ledger_sha256", "code_sha256", "published_at"}


def tables(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    """Name of each table of an attached file, with its schema."""
    sql = "select table_name, schema_name from duckdb_tables() where database_name = ? union all select view_name, schema_name from duckdb_views() where database_name = ? and not internal"  # noqa: E501
    return dict(con.execute(sql, [name, name]).fetchall())


def columns(con: duckdb.DuckDBPyConnection, name: str, table: str) -> list[tuple[str, str]]:
    """(name, type) of the columns of a table, without those of the build."""
    sql = "select column_name, data_type from duckdb_columns() where database_name = ? and table_name = ? order by column_index"
    return [c for c in con.execute(sql, [name, table]).fetchall() if c[0] not in OF_THE_BUILD]


def main(before: str, after: str) -> int:
    """Compare; print a line per table that differs, and how many do not."""
    con = duckdb.connect()
    con.execute(f"attach '{before}' as before (read_only)")
    con.execute(f"attach '{after}' as after (read_only)")
    old, new = tables(con, "before"), tables(con, "after")
    differing = [f"{t}: only in {'after' if t in new else 'before'}" for t in sorted(old.keys() ^ new.keys())]
    same = 0
    for table in sorted(old.keys() & new.keys()):
        of_old, of_new = columns(con, "before", table), columns(con, "after", table)
        if of_old != of_new:
            differing.append(f"{table}: columns {[c for c in of_old if c not in of_new]} are now {[c for c in of_new if c not in of_old]}")
            continue
        listed = ", ".join(f'"{c}"' for c, _ in of_old)
        a, b = (f"(select {listed} from {s}.{schemas[table]}.{table})" for s, schemas in (("before", old), ("after", new)))
        n = con.execute(f"select count(*) from (({a} except all {b}) union all ({b} except all {a}))").fetchone()[0]  # type: ignore[index]
        if n:
            differing.append(f"{table}: {n} rows differ")
        else:
            same += 1
    print("\n".join([*differing, f"{same} tables are the same, {len(differing)} differ"]))
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
