"""The answer coder on texts whose shapes broke an earlier one, each found in real replies."""

import csv
import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT

from debate_ledger.cli import main
from debate_ledger.coder import code_answer

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


def strange(kind: str) -> list[dict[str, str]]:
    with (ROOT / "tests" / "python" / f"strange_{kind}.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize(("name", "kind", "enough"), [("letters", "choice", 100), ("yes_no", "yes_no", 80)])
def test_texts_of_people_who_do_not_know_the_rules_read_as_their_authors_say(name: str, kind: str, enough: int) -> None:
    """``reads`` says what a row is read as where that is not what is expected; docs/coder.md counts them."""
    rows = strange(name)
    read = [code_answer(row["text"], row["options"] or None, kind=kind).answer for row in rows]
    assert [
        (row["text"], answer)
        for row, answer in zip(rows, read, strict=True)
        if (row["reads"] or row["expected"] or "none") != (answer or "none")
    ] == []
    # A wrong answer is worse than none.
    assert len(rows) >= enough and all(row["reads"] in ("", "none") for row in rows)


REPEATED = (
    "<think>", ": ", "yes . ", "yes, if ", "yes if it no ", "if it rained ", "if we had ", "to agent 1: ", "Q: ", "claim of agent 1 that ",
    "{\"answer\": \"C\", ", "#### B\n", "answer would be ", "i am moving to ", "(A) to ", "(A) correct ", "7 [1] ", "7 ± 0.1 ",
)  # fmt: skip


@pytest.mark.parametrize(
    "phrase", ["answer: ", "the answer is ", "option ", "\\boxed{", "although ", "A, ", "Question: answer: ", "\n", *REPEATED]
)
@pytest.mark.parametrize("kind", ["choice", "yes_no", "number"])
def test_a_phrase_that_is_repeated_takes_no_longer_than_its_length(phrase: str, kind: str) -> None:
    """It took seconds where the time grew with the square of the repeats."""
    start = time.process_time()
    code_answer(phrase * (20_000 // len(phrase)), kind=kind)
    assert time.process_time() - start < 0.6
