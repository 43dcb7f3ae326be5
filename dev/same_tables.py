"""Whether two published files hold the same tables: columns, rows and values, whatever schema a table is in.

    python dev/same_tables.py BEFORE.duckdb AFTER.duckdb

Ends with 1 where something differs; `build_diff` does, since it compares a build with the one before.
"""

from __future__ import annotations

import sys

import duckdb


def tables(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    """Name of each table of an attached file, with its schema."""
    sql = "select table_name, schema_name from duckdb_tables() where database_name = ?"
    return dict(con.execute(sql, [name]).fetchall())


def columns(con: duckdb.DuckDBPyConnection, name: str, table: str) -> list[tuple[str, str]]:
    """(name, type) of the columns of a table."""
    sql = "select column_name, data_type from duckdb_columns() where database_name = ? and table_name = ? order by column_index"
    return con.execute(sql, [name, table]).fetchall()


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
