"""Logs as public projects wrote them come in untouched, by the calls of docs/import.md.

They are not shipped; where the folder is missing the tests say so and pass.
"""

import gzip
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import REAL, ROOT

from debate_ledger.cli import main
from debate_ledger.importers.run import receipt_path
from debate_ledger.importers.validate import problems

LOGS = REAL / "raw_logs"
pytestmark = pytest.mark.skipif(not LOGS.is_dir(), reason=f"no folder {LOGS}: nothing to check here")

Imported = tuple[list[dict[str, Any]], dict[str, Any]]


def calls() -> list[str]:
    """The calls that the page gives for public logs."""
    section = (ROOT / "docs" / "import.md").read_text().partition("\n## Public logs")[2]
    return re.findall(r"`(ledger import [^`]+)`", section)


def imported(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Imported:
    """What a call writes where it is made beside the logs, its output put elsewhere."""
    monkeypatch.chdir(LOGS)
    out = tmp_path / "out.jsonl"
    words = shlex.split(call)[1:]
    words[words.index("--out") + 1] = str(out)
    if "--map" in words:
        words[words.index("--map") + 1] = str(mapping(words[words.index("--map") + 1], tmp_path))
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [list(problems(line)) for line in lines] == [[]] * len(lines)
    return lines, json.loads(receipt_path(out).read_text())


def mapping(name: str, tmp_path: Path) -> Path:
    """A mapping that the page shows, as a file."""
    page = (ROOT / "docs" / "import.md").read_text()
    (shown,) = re.findall(rf"`{re.escape(name)}`:\n\n```yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / name).write_text(shown)
    return tmp_path / name


def panels(record: dict[str, Any]) -> list[dict[str, str | None]]:
    return [{a["agent_id"]: a["answer"] for a in panel} for panel in [record["initial_states"], *record["round_traces"]]]


def call_of(*words: str) -> str:
    (found,) = [call for call in calls() if all(word in call for word in words)]
    return found


@pytest.mark.parametrize("call", calls())
def test_every_call_of_the_page_brings_its_logs_in(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, receipt = imported(call, tmp_path, monkeypatch)
    assert lines and receipt["debates"]["rejected"] == 0


def test_every_log_has_a_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(LOGS)
    named = [Path(word) for call in calls() for word in shlex.split(call) if Path(word).exists()]
    logs = [p for p in Path().glob("*/**/*.json*") if p.suffix in (".json", ".jsonl") and p.parts[0] in ("dylan", "debunc", "eot")]
    assert logs and [p for p in logs if not any(n == p or n in p.parents for n in named)] == []


def test_dylan_gives_the_stored_answers_slot_by_slot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, receipt = imported(call_of("optimal7_3 --"), tmp_path, monkeypatch)
    with gzip.open(REAL / "dylan_mmlu_n3" / "debates.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = map(json.loads, file)
        stored = {r["question_id"].removeprefix("mmlu_").replace("_test_", "_"): r for r in rows}
    assert len(lines) == 80
    assert [r["question_id"] for r in lines if panels(r) != panels(stored[r["question_id"]])] == []
    # The stored keys were told by more runs: there are more of them, no other ones, and one was left open.
    keys = {r["question_id"]: r["correct_label"] for r in lines if r["correct_label"]}
    others = {q: (key, stored[q]["correct_label"]) for q, key in keys.items() if key != stored[q]["correct_label"]}
    assert len(keys) == 49 and others == {"high_school_physics_23": ("A", None)}
    # Every debate has a key, or a flag that names no letter: the mean holds for each of the files.
    assert {r["no_key"] for r in lines if not r["correct_label"]} == {"not_stated"}
    assert sum(r["majority_correct"] for r in lines) == 49 and not any("aligned" in note or "mean" in note for note in receipt["notes"])


def test_panels_of_seven_keep_their_number_and_share_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, _ = imported(call_of("optimal7_7 --", "dylan_7"), tmp_path, monkeypatch)
    assert len(lines) == 27 and {r["n_agents"] for r in lines} == {7}
    assert any(len(r["initial_states"]) < 7 for r in lines)
    both, _ = imported(call_of("optimal7_3 dylan/mmlu_optimal7_7"), tmp_path, monkeypatch)
    assert {(r["n_agents"], r["condition"]) for r in both} == {(3, "mmlu_optimal7_3; 3 agents"), (7, "mmlu_optimal7_7; 7 agents")}


def test_a_list_of_trials_with_several_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, receipt = imported(call_of("debunc"), tmp_path, monkeypatch)
    assert [(r["correct_label"], len(r["round_traces"]), r["n_rounds"], r["n_agents"], r["debate_id"]) for r in lines] == [
        ("327", 2, 2, 3, 1), ("91", 0, 2, 3, 1),
    ]  # fmt: skip
    assert panels(lines[0])[0] == {"1": "324", "2": "326", "3": "1360"} and panels(lines[1]) == [{"1": "91", "2": "91", "3": "91"}]
    assert receipt["notes"] == {"debates of fewer rounds than the 2 that the name of their file tells": 1}


@pytest.mark.parametrize("task", ["CSQA", "GSM8K"])
def test_three_texts_per_question_are_panels(task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, receipt = imported(call_of("eot/", task), tmp_path, monkeypatch)
    rows = [json.loads(line) for line in (LOGS / "eot" / f"Sample_{task}_EoT_gpt-3.5-turbo-0301.jsonl").read_text().splitlines()]
    assert len(lines) == len(rows) == 50 and receipt["notes"] == {}
    assert [r["correct_label"] for r in lines] == [row["answer"] for row in rows]
    assert {len(r["initial_states"]) for r in lines} == {3} and all(r["round_traces"] == [] for r in lines)
    assert {(r["mode"], r["task_kind"], tuple(r.get("options", ()))) for r in lines} == {
        ("panel", "choice", tuple("ABCDE")) if task == "CSQA" else ("panel", "number", ())
    }  # fmt: skip
    # The others name two options, or state no number.
    assert sum(a["answer"] is None for r in lines for a in r["initial_states"]) <= 15
