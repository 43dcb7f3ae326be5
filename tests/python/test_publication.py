"""The published file: equal from build to build, swapped in as a whole, readable by old drivers, open columns only."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pandas
import polars
import pytest
from conftest import OLD_DUCKDB, ROOT, Build, Ledger

from debate_ledger.publish import PublishError, publish

RELIED_UPON = {
    "debates", "debate_rounds", "transitions", "onsets", "model_ledger", "family_ledger", "rule_sensitivity", "rejected_lines",
    "raw_files", "build_info",
}  # fmt: skip
COLUMNS = {
    "transitions": "cohort model family coding_rule endpoint n_debates n_initial_correct n_initial_wrong n_undefined n_preserved n_collapse"
    " n_correction n_unrepaired conditional_collapse conditional_collapse_ci_lower conditional_collapse_ci_upper conditional_collapse_n"
    " conditional_correction conditional_correction_ci_lower conditional_correction_ci_upper conditional_correction_n initial_accuracy"
    " final_accuracy",
    "debates": "cohort model family coding_rule endpoint debate_key onset_round cell",
    "onsets": "cohort model coding_rule endpoint onset_round",
    "model_ledger": "cohort model family n_debates n_collapse n_correction conditional_collapse conditional_collapse_n",
}


def tables(ledger: Ledger) -> list[str]:
    return [t for (t,) in ledger.query("select table_name from duckdb_tables() where schema_name = 'main' order by 1")]


def test_the_names_that_users_rely_on_are_there(shipped: Ledger) -> None:
    assert set(tables(shipped)) >= RELIED_UPON
    for table, columns in COLUMNS.items():
        found = {c for (c,) in shipped.query("select column_name from duckdb_columns() where table_name = ?", table)}
        assert found >= set(columns.split()), table


def test_everything_is_scalar_and_described(shipped: Ledger) -> None:
    assert shipped.query("select table_name from duckdb_tables() where not internal and coalesce(comment, '') = ''") == []
    assert (
        shipped.query(
            """
        select table_name, column_name, data_type from duckdb_columns()
        where not internal and (coalesce(comment, '') = '' or regexp_matches(data_type, '\\[|STRUCT|MAP|JSON|UNION'))
        """
        )
        == []
    )
    assert shipped.query("select view_name from duckdb_views() where not internal") == []


def test_two_builds_of_one_input_are_equal_to_the_last_digit(shipped: Ledger, build: Build) -> None:
    again = build(ROOT / "data", whole=True)
    assert tables(again) == tables(shipped)
    for table in tables(shipped):
        assert again.query(f"from {table}") == shipped.query(f"from {table}"), table
        parquet = Path("parquet") / f"{table}.parquet"
        assert (again.published.parent / parquet).read_bytes() == (shipped.published.parent / parquet).read_bytes(), table


def test_the_parquet_copies_hold_the_tables(shipped: Ledger) -> None:
    files = sorted((shipped.published.parent / "parquet").iterdir())
    assert [f.stem for f in files] == tables(shipped)
    with duckdb.connect() as con:
        for file in files:
            copied = con.execute(f"select count(*) from '{file}'").fetchall()
            assert copied == shipped.query(f"select count(*) from {file.stem}"), file.stem


@pytest.mark.parametrize("table", ["model_ledger", "replay", "onsets", "raw_files"])
def test_pandas_and_polars_read_what_is_published(shipped: Ledger, table: str) -> None:
    """From the DuckDB file and from Parquet: the same columns, rows and nulls."""
    columns = [c for (c,) in shipped.query("select column_name from duckdb_columns() where table_name = ? order by column_index", table)]
    nulls = ", ".join(f'count(*) - count("{c}")' for c in columns)
    (wanted,) = shipped.query(f"select count(*), {nulls} from {table}")
    parquet = shipped.published.parent / "parquet" / f"{table}.parquet"
    with duckdb.connect(str(shipped.published), read_only=True) as con:
        frames = [con.execute(f"from {table}").df(), pandas.read_parquet(parquet)]
        lazy = [con.sql(f"from {table}").pl(), polars.read_parquet(parquet)]
    for frame in frames:
        assert list(frame.columns) == columns and (len(frame), *(int(n) for n in frame.isna().sum())) == wanted
    for frame in lazy:
        assert frame.columns == columns and (frame.height, *frame.null_count().row(0)) == wanted


@pytest.mark.skipif(not OLD_DUCKDB.is_dir(), reason="duckdb 1.2.2 is not installed beside the environment (no wheel for this Python)")
def test_duckdb_1_2_opens_the_published_file(shipped: Ledger) -> None:
    script = (
        "import duckdb, sys\n"
        "con = duckdb.connect(sys.argv[1], read_only=True)\n"
        "for (t,) in con.execute('select table_name from duckdb_tables()').fetchall(): con.execute(f'select * from {t}').fetchall()\n"
        "print(duckdb.__version__, con.execute(\"select n_collapse from cohort_ledger where cohort = 'primary'\").fetchone()[0])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(OLD_DUCKDB)}
    done = subprocess.run(
        [sys.executable, "-c", script, str(shipped.published)], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1.2.2", "253"]


@pytest.fixture
def mart(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(str(tmp_path / "work.duckdb"))
    con.execute("create table numbers as select 1 as n; comment on table numbers is 'Numbers.'; comment on column numbers.n is 'A number.'")
    return con


def published_number(target: Path) -> int:
    with duckdb.connect(str(target), read_only=True) as con:
        return con.execute("select n from numbers").fetchone()[0]


def test_a_reader_of_the_old_file_keeps_it(mart: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    target = tmp_path / "out" / "ledger.duckdb"
    publish(mart, [("main", "numbers")], target, {})
    script = (
        "import duckdb, sys\n"
        "con = duckdb.connect(sys.argv[1], read_only=True)\n"
        "print('open', flush=True)\n"
        "input()\n"
        "print(con.execute('from numbers').fetchone()[0])\n"
    )
    reader = subprocess.Popen([sys.executable, "-c", script, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert reader.stdout.readline() == "open\n"
    mart.execute("update numbers set n = 2")
    publish(mart, [("main", "numbers")], target, {})
    assert published_number(target) == 2
    assert reader.communicate("\n", timeout=60)[0] == "1\n"


@pytest.mark.parametrize(
    "broken, part",
    [
        ("create table broken as select [1] as list", "scalars only"),
        ("create table broken as select 1 as bare", "no description"),
        ("create table other as select 1", "not there"),
    ],
)
def test_a_mart_that_cannot_be_published_leaves_the_old_file(
    mart: duckdb.DuckDBPyConnection, tmp_path: Path, broken: str, part: str
) -> None:
    target = tmp_path / "out" / "ledger.duckdb"
    publish(mart, [("main", "numbers")], target, {})
    before = target.read_bytes()
    mart.execute("update numbers set n = 2")
    mart.execute(broken)
    with pytest.raises(PublishError, match=part):
        publish(mart, [("main", "numbers"), ("main", "broken")], target, {})
    assert target.read_bytes() == before


def test_a_killed_build_leaves_the_old_file_and_the_next_one_cleans_up(mart: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    target = tmp_path / "out" / "ledger.duckdb"
    publish(mart, [("main", "numbers")], target, {})
    mart.execute("update numbers set n = 2; create view slow as select hash(i) as n from range(100000000000) as t(i)")
    mart.execute("comment on view slow is 'Slow.'; comment on column slow.n is 'A number.'")
    mart.close()
    script = (
        "import duckdb, sys, pathlib; from debate_ledger.publish import publish\n"
        "publish(duckdb.connect(sys.argv[1]), [('main', 'numbers'), ('main', 'slow')], pathlib.Path(sys.argv[2]), {'slow': ['n']})"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "work.duckdb"), str(target)], env=environment)
    deadline = time.monotonic() + 60
    while not list(target.parent.glob(".*.tmp")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert published_number(target) == 1
    assert list(target.parent.glob(".*.tmp*")), "the kill came before the copy began"
    con = duckdb.connect(str(tmp_path / "work.duckdb"))
    publish(con, [("main", "numbers")], target, {})
    assert published_number(target) == 2
    assert sorted(p.name for p in target.parent.iterdir()) == ["ledger.duckdb", "parquet"]


def test_a_folder_is_no_place_for_the_file(mart: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="is a folder"):
        publish(mart, [("main", "numbers")], tmp_path, {})


def test_texts_and_local_paths_stay_in_the_work_file(shipped: Ledger) -> None:
    gated = "('rejected_text', 'original', 'line', 'short_line', 'reasoning', 'path')"
    assert shipped.query(f"select table_name, column_name from duckdb_columns() where not internal and column_name in {gated}") == []
