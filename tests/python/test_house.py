"""The folders of models/ have one order, and each reads only those before it."""

import json
import re

import pytest
from conftest import Ledger

ORDER = """
    landing staging core ledger screen reparse localisation replay inference costs verifier_audit reproduction reconciliation release
""".split()


@pytest.fixture(scope="module")
def models(shipped: Ledger) -> dict[str, dict]:
    """Models of the manifest by their unique id."""
    nodes = json.loads(shipped.manifest.read_text())["nodes"]
    return {key: node for key, node in nodes.items() if node["resource_type"] == "model"}


def topic(node: dict) -> str:
    return node["path"].split("/")[0]


def test_every_model_is_in_a_folder_of_the_order(models: dict[str, dict]) -> None:
    assert {topic(node) for node in models.values()} == set(ORDER)


def test_a_folder_reads_only_folders_before_it(models: dict[str, dict]) -> None:
    backward = [
        f"{node['path']} reads {models[parent]['path']}"
        for node in models.values()
        for parent in node["depends_on"]["nodes"]
        if parent in models and ORDER.index(topic(models[parent])) > ORDER.index(topic(node))
    ]
    assert backward == []


#: One CTE of one model, and all its columns again.
COPY = (
    r"(?:\{\{ config\([^}]*\) \}\}\s*)?with (\w+) as \(\s*select \* from \{\{ ref\('\w+'\) \}\}\s*\)\s*"
    r"select \* from \1\s*(?:order by [^;]*)?"
)


def test_no_model_only_selects_another_again(models: dict[str, dict]) -> None:
    # Where Python computes a mart, it is the mart; a renaming would be told by a join, a condition or an expression.
    copies = [
        node["path"]
        for node in models.values()
        if node["language"] == "sql"
        and topic(node) not in ("landing", "staging")
        and len(node["depends_on"]["nodes"]) == 1
        and re.fullmatch(COPY, without_comments(node["raw_code"]))
    ]
    assert copies == []


def without_comments(sql: str) -> str:
    return re.sub(r"--[^\n]*\n", "", sql).strip()


def test_published_tables_have_the_columns_and_types_of_their_description(shipped: Ledger, models: dict[str, dict]) -> None:
    described = {node["alias"]: node for node in models.values() if node["schema"] in ("main", "reconciliation")}
    wrong = []
    for (table,) in shipped.query("select table_name from duckdb_tables()"):
        if table in described and all("data_type" in c and c["data_type"] for c in described[table]["columns"].values()):
            found = shipped.query("select column_name, lower(data_type) from duckdb_columns() where table_name = ?", table)
            stated = [(name, column["data_type"].lower()) for name, column in described[table]["columns"].items()]
            wrong += [table] if found != stated else []
        elif table in described:
            wrong.append(f"{table}: a column without data_type")
    assert wrong == []
