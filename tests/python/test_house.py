"""The folders of models/ have one order, and each reads only those before it."""

import json

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
