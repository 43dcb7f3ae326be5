"""The answer coder on texts whose shapes broke an earlier one, each found in real replies."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT

from debate_ledger.cli import main

LOGS = ROOT / "tests" / "python" / "coder_logs"


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        # Every reply of round 1 goes through the options from A on, and concludes B.
        ("each_option_mmlu_3_2.json", ["BBD", "BBB"]),
        # "Answer: A", two blanks, and text on the next line.
        ("hard_break_mmlu_3_2.json", ["AAC", "AAC"]),
    ],
)
def test_a_log_of_replies_that_go_on_after_or_before_their_answer(tmp_path: Path, name: str, rounds: list[str]) -> None:
    out = tmp_path / "out.jsonl"
    assert CliRunner().invoke(main, ["import", "du", str(LOGS / name), "--out", str(out)]).exit_code == 0
    (record,) = map(json.loads, out.read_text().splitlines())
    states = [record["initial_states"], *record["round_traces"]]
    assert ["".join(state["answer"] for state in states) for states in states] == rounds
