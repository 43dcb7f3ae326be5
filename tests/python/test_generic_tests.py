"""The project's own dbt tests fail where they must, on null above all."""

import re
from pathlib import Path

import duckdb
import jinja2
import pytest

GENERIC = Path(__file__).parents[1] / "generic"


def told(rows: str, **arguments: object) -> str:
    """What the generic test says of a model given as a query; empty where nothing is wrong."""
    macros = [(GENERIC / "rows.sql"), GENERIC.parents[1] / "macros" / "row_told.sql"]
    test, row_told = (path.read_text() for path in macros)
    body = re.search(r"{%-? test rows\(.*?\) -?%}(.*){%-? endtest", test, re.S).group(1)
    env = jinja2.Environment(extensions=["jinja2.ext.do"])
    defaults = {"keys": [], "not_null": [], "values": {}, "statements": {}}
    model = Model(f"({rows})")
    sql = env.from_string(row_told + body).render(model=model, execute=False, graph=None, config=lambda **_: "", **defaults | arguments)
    with duckdb.connect() as con:
        try:
            assert con.execute(sql).fetchall() == []
        except duckdb.InvalidInputException as error:
            return str(error)
    return ""


class Model(str):
    identifier = "fruit"


@pytest.mark.parametrize("rows, is_told", [("1", False), ("2", True), ("null::int", True)])
def test_a_statement_fails_on_false_and_on_null(rows: str, is_told: bool) -> None:
    said = told(f"select {rows} as n, 'pear' as name", keys=[["name"]], statements={"it's one": "n = 1"})
    assert said == ('Invalid Input Error: fruit: not true: it\'s one in {"name":"pear"} (1 of the kind)' if is_told else "")


@pytest.mark.parametrize(
    "rows, expected",
    [
        ("select 1 as a, 1 as b union all select 1, 2", ""),
        ("select 1 as a, 1 as b union all select 1, 1", 'fruit: 2 rows have this key in {"a":1,"b":1} (1 of the kind)'),
        ("select 1 as a, null::int as b union all select 1, null", 'fruit: 2 rows have this key in {"a":1,"b":null} (1 of the kind)'),
    ],
)
def test_null_is_a_value_of_a_key(rows: str, expected: str) -> None:
    assert told(rows, keys=[["a", "b"]]).removeprefix("Invalid Input Error: ") == expected
    assert bool(told(rows, keys=[["a"], ["b"]]))


@pytest.mark.parametrize("value, is_told", [("'x'", False), ("'z'", True), ("null::varchar", True)])
def test_values_are_all_there_are_and_null_is_none_of_them(value: str, is_told: bool) -> None:
    assert ("e is none of x, y in a row" in told(f"select {value} as e", values={"e": ["x", "y"]})) is is_told


@pytest.mark.parametrize("value, is_told", [("'x'", False), ("''", False), ("null::varchar", True)])
def test_not_null(value: str, is_told: bool) -> None:
    assert ("e is null in a row" in told(f"select {value} as e", not_null=["e"])) is is_told
