"""The project's own dbt tests fail where they must, on null above all."""

import re
from pathlib import Path

import duckdb
import jinja2
import pytest

GENERIC = Path(__file__).parents[1] / "generic"


def failures(test: str, rows: str, **arguments: object) -> int:
    """Rows that a generic test returns for a model given as a query."""
    body = re.search(r"{%-? test \w+\(.*?\) -?%}(.*){%-? endtest", (GENERIC / f"{test}.sql").read_text(), re.S).group(1)
    sql = jinja2.Template(body).render(model=f"({rows})", **arguments)
    with duckdb.connect() as con:
        return len(con.execute(sql).fetchall())


@pytest.mark.parametrize(
    "rows, expected",
    [("select 1 as n", 0), ("select 2 as n", 1), ("select null::int as n", 1), ("select 1 as n union all select null", 1)],
)
def test_is_true_fails_on_false_and_on_null(rows: str, expected: int) -> None:
    assert failures("is_true", rows, expression="n = 1") == expected


@pytest.mark.parametrize(
    "rows, expected",
    [
        ("select 1 as a, 1 as b union all select 1, 2", 0),
        ("select 1 as a, 1 as b union all select 1, 1", 1),
        ("select 1 as a, null::int as b union all select 1, null", 1),
    ],
)
def test_unique_rows_takes_null_for_a_value(rows: str, expected: int) -> None:
    assert failures("unique_rows", rows, key=["a", "b"]) == expected


@pytest.mark.parametrize(
    "endpoint, expected", [("'last'", 0), ("'r3'", 0), ("'r12'", 0), ("'round 3'", 1), ("'3'", 1), ("null::varchar", 1)]
)
def test_is_endpoint(endpoint: str, expected: int) -> None:
    assert failures("is_endpoint", f"select {endpoint} as e", column_name="e") == expected
