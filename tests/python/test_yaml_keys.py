"""The check of the YAML keys fails where dbt would not say a word."""

import sys
from pathlib import Path

import jsonschema
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
import check_yaml_keys


@pytest.mark.parametrize(
    "text, is_fine",
    [
        ("models:\n  - name: a\n    data_tests: [unique]\n", True),
        ("models:\n  - name: a\n    data_tets: [unique]\n", False),
        ("models:\n  - name: a\n    columns:\n      - name: c\n        descripton: text\n", False),
        ("sedes:\n  - name: a\n", False),
    ],
)
def test_a_misspelt_key_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, is_fine: bool) -> None:
    monkeypatch.setattr(check_yaml_keys, "ROOT", tmp_path)
    path = tmp_path / "x.yml"
    path.write_text("version: 2\n" + text)
    found = list(check_yaml_keys.problems(path, jsonschema.Draft7Validator(check_yaml_keys.schema("resources"))))
    assert (found == []) == is_fine
