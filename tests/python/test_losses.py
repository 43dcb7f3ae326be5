"""What an import loses: counts and tests by hand, exit status and words, the receipt, and what a ledger says of it."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from debate_ledger.cli import main
from debate_ledger.importers.debate import Agent, Debate, Rejected, UnreadKey
from debate_ledger.importers.losses import Losses, rounds_difference
from debate_ledger.project import run_dbt
from debate_ledger.report.data import QUERIES
from debate_ledger.show import _losses


def test_four_against_four_by_hand() -> None:
    """With margins of four each, k of four have the weight C(4, k)²: 1, 16, 36, 16, 1 of 70. Two-sided: all that weigh no more."""
    assert rounds_difference({1: 3, 2: 1}, {1: 1, 2: 3}) == ("Fisher", pytest.approx(34 / 70))
    assert rounds_difference({1: 4}, {2: 4}) == ("Fisher", pytest.approx(2 / 70))
    assert rounds_difference({1: 2, 2: 2}, {1: 2, 2: 2}) == ("Fisher", pytest.approx(1))


def test_three_numbers_of_rounds_by_hand() -> None:
    """Expected are 15, 7.5, 7.5 in both groups: chi-square is 2 (25/15 + 2 · 6.25/7.5) = 20/3, and with two degrees p = exp(−10/3)."""
    assert rounds_difference({0: 10, 1: 10, 2: 10}, {0: 20, 1: 5, 2: 5}) == ("chi-square", pytest.approx(math.exp(-10 / 3)))


@pytest.mark.parametrize(("kept", "lost"), [({}, {1: 3}), ({1: 3}, {}), ({1: 3}, {1: 9}), ({1: 3, 2: 0}, {1: 9}), ({1: 0}, {1: 1, 2: 1})])
def test_nothing_to_compare(kept: dict[int, int], lost: dict[int, int]) -> None:
    assert rounds_difference(kept, lost) is None


def held(rounds: int, gold: Any = "A", no_key: str = "") -> Debate:
    panel = [Agent("a", "A")]
    return Debate("q", [panel] * (rounds + 1), gold, "choice", "x.json", 1, no_key=no_key)


def test_every_debate_is_kept_lost_or_without_a_stated_key() -> None:
    losses = Losses()
    unread = UnreadKey("the key is none of the options", "correct the key, or give --options")
    for found in [
        *[held(1)] * 3, held(2), held(1, None), held(2, unread), *[held(2, None, "unread")] * 2, held(0, None, "not_stated"),
        Rejected("x.json", "no agent answered", "run it again", n=4, rounds=1), Rejected("x.json", "it is cut", "mend it"),
    ]:  # fmt: skip
        losses.take(found)
    assert losses.as_record() == {
        "debates": 14,
        # Without any key in the log a debate is kept.
        "kept": {"n": 5, "by_rounds": {"1": 4, "2": 1}},
        # 4 and 1 against 4 and 3, by Fisher: k of the 5 kept in round 1 have the weight C(8, k) C(4, 5 − k), 8, 112, 336, 280, 56 of 792.
        "lost": {
            "n": 8, "rejected": 5, "key_unread": 3, "by_rounds": {"1": 4, "2": 3, "unknown": 1}, "test": "Fisher",
            "p": pytest.approx((8 + 112 + 280 + 56) / 792),
        },
        "not_stated": {"n": 1, "by_rounds": {"0": 1}, "test": "chi-square", "p": pytest.approx(math.exp(-3))},
        "with_key": 4,
        "accepted": False,
    }  # fmt: skip


MAPPING = "columns: {question: item, round: turn, agent: bot, answer: vote, gold: key}\n"


def table(
    folder: Path, keys: list[str], *arguments: str, rounds: dict[int, int] | None = None, header: str = "item,turn,bot,vote,key"
) -> Result:
    """An import of debates with these keys; ``rounds`` are those that a debate held, where it is not one."""
    rows = [f"q{i},{r},{a},A,{key}" for i, key in enumerate(keys) for r in range((rounds or {}).get(i, 1) + 1) for a in "xy"]
    (folder / "votes.csv").write_text("\n".join([header, *rows]) + "\n")
    (folder / "map.yml").write_text(MAPPING)
    out = folder / "new" / "folder" / "out.jsonl"
    return CliRunner().invoke(
        main, ["import", "table", str(folder / "votes.csv"), "--map", str(folder / "map.yml"), "--out", str(out), *arguments]
    )


def receipt(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "new" / "folder" / "out.jsonl.receipt.json").read_text())


def test_one_of_twenty_is_not_more_than_five_percent(tmp_path: Path) -> None:
    """The folder of the output is made."""
    done = table(tmp_path, ["A"] * 19 + ["?"], "--kind", "choice")
    assert done.exit_code == 0, done.output
    assert (
        "lost: 1 of 20 debates (5.0 %): 0 rejected, 1 whose key was not read; rounds held cannot be compared: 1: 1; kept 1: 19"
        in done.stdout
    )
    found = receipt(tmp_path)
    assert (found["exit_status"], found["losses"]["lost"]["n"], found["losses"]["accepted"]) == (0, 1, False)


def test_more_than_five_percent_is_exit_status_3_with_the_likely_cause(tmp_path: Path) -> None:
    keys = ["A"] * 18 + ["?"] * 2
    done = table(tmp_path, keys, "--kind", "choice", rounds={18: 2, 19: 2, 0: 2})
    assert done.exit_code == receipt(tmp_path)["exit_status"] == 3
    # 1 of 18 against 2 of 2 in round 2: both lost ones are among the three of round 2 in 18 of C(20, 3) = 1140 draws.
    assert f"they DIFFER in rounds held (Fisher's exact test, p = {18 / 1140:.3f}): 2: 2; kept 1: 17, 2: 1" in done.stdout
    assert "2 of 20 debates are lost (10.0 %), 2 of them: the key is no answer of the kind choice (give another --kind, or" in done.stderr
    assert "out.jsonl and its receipt are written: mend that and import again, or accept it with --allow-losses" in done.stderr
    assert len((tmp_path / "new" / "folder" / "out.jsonl").read_text().splitlines()) == 20
    allowed = table(tmp_path, keys, "--kind", "choice", "--allow-losses")
    found = receipt(tmp_path)
    assert (allowed.exit_code, found["exit_status"], found["losses"]["accepted"]) == (0, 0, True)
    assert "lost: 2 of 20 debates (10.0 %)" in allowed.stdout


def test_rejections_count_as_lost(tmp_path: Path) -> None:
    done = table(tmp_path, ["A", "B"], header="item,turn,bot,vote,key\nq2,1,x,A,A")
    assert done.exit_code == 3
    assert "1 of 3 debates are lost (33.3 %), 1 of them: no agent has an answer of its own before the debate" in done.stderr


def test_an_import_without_any_key_is_exit_status_3(tmp_path: Path) -> None:
    done = table(tmp_path, ["", ""], "--kind", "choice")
    assert done.exit_code == 3 and "no debate has a key: name their column as `gold` in the mapping" in done.stderr
    assert table(tmp_path, ["", ""], "--kind", "choice", "--allow-losses").exit_code == 0


def test_what_the_log_does_not_state_is_told_apart(tmp_path: Path) -> None:
    losses = Losses()
    for _ in range(3):
        losses.take(held(1, None, "not_stated"))
    (fault,) = losses.faults("dylan")
    assert fault == "no debate has a key: the log says only whether the end of 3 was right; give them with --gold"
    losses.take(held(1))
    assert losses.faults("dylan") == []
    assert losses.sentences() == ["key not stated: 3 of 4 debates (75.0 %); rounds held cannot be compared: 1: 3; kept 1: 1"]


def test_nothing_lost_is_no_word(tmp_path: Path) -> None:
    done = table(tmp_path, ["A", "B"])
    assert done.exit_code == 0 and "lost:" not in done.output and "not stated" not in done.output


def test_an_import_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    done = table(tmp_path, ["A"], header="no,such,columns,are,here")
    assert done.exit_code == 1 and not (tmp_path / "new").exists()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The work file of two cohorts with imports: one whose loss goes with the rounds, and one with receipts that do not fit."""
    base = tmp_path_factory.mktemp("losses")
    data, logs = base / "data", base / "logs"
    (data / "pilot").mkdir(parents=True)
    (data / "odd").mkdir()
    logs.mkdir()
    for number, lost in enumerate((2, 1)):
        keys = ["A"] * 4 + ["?"] * lost
        table(logs, keys, "--kind", "choice", rounds=dict.fromkeys(range(4, 7), 3))
        for file in ("out.jsonl", "out.jsonl.receipt.json"):
            (logs / "new" / "folder" / file).rename(data / "pilot" / file.replace("out", f"run_{number}"))
    good = (data / "pilot" / "run_0.jsonl").read_bytes(), json.loads((data / "pilot" / "run_0.jsonl.receipt.json").read_text())
    old = {key: value for key, value in good[1].items() if key != "losses"}
    for name, text in {
        "old": json.dumps(old),
        "cut": "{",
        "list": "[]",
        "odd": json.dumps(good[1] | {"losses": {"debates": "many"}}),
    }.items():
        (data / "odd" / f"{name}.jsonl").write_bytes(good[0])
        (data / "odd" / f"{name}.jsonl.receipt.json").write_text(text)
    (data / "odd" / "other.jsonl").write_bytes(good[0] + b"\n")
    (data / "odd" / "other.jsonl.receipt.json").write_text(json.dumps(good[1]))
    (data / "odd" / "without.jsonl").write_bytes(good[0])
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", "+import_losses"]
    assert run_dbt(only, data=data, published=base / "none.duckdb", state=base / "state") == []
    with duckdb.connect(str(base / "state" / "work.duckdb"), read_only=True) as con:
        yield con


def test_losses_of_a_cohort_are_those_of_its_imports(ledger: duckdb.DuckDBPyConnection) -> None:
    columns = "cohort, n_files, n_debates, n_kept, n_lost, n_rejected, n_key_unread, n_not_stated, kept_rounds, lost_rounds, lost_test"
    found = ledger.execute(f"select {columns} from import_losses").fetchall()
    assert found == [("pilot", 2, 11, 8, 3, 0, 3, 0, '{"1": 8}', '{"3": 3}', "Fisher")]
    # All three of round 3 are lost: one of C(11, 3) = 165 draws.
    assert ledger.execute("select lost_p, not_stated_p from import_losses").fetchone() == (pytest.approx(1 / 165), None)


def test_receipts_that_do_not_fit_are_told(ledger: duckdb.DuckDBPyConnection) -> None:
    found = dict(ledger.execute("select file_key, problem from import_receipts").fetchall())
    assert found.pop("run_0") is None and found.pop("run_1") is None and "without" not in found
    assert {key: problem.partition(":")[0] for key, problem in found.items()} == {
        "old": "the receipt does not say what was lost, it was written by an older version",
        "cut": "the receipt cannot be read",
        "list": "the receipt cannot be read",
        "odd": "the receipt cannot be read",
        "other": "the receipt is of another file than the one beside it (SHA-256)",
    }


def test_the_ledger_says_what_was_lost(ledger: duckdb.DuckDBPyConnection) -> None:
    lines = _losses(ledger)
    assert lines[:2] == [
        "Imported debates of pilot: 11; lost 3 (27.3 %), key not stated 0 (0.0 %).",
        "  Of the lost ones: they DIFFER in rounds held (Fisher's exact test, p = 0.006); rounds held: 3: 3; of the kept: 1: 8.",
    ]
    assert sum("Receipt of " in text for text in lines) == 5
    assert ledger.execute(QUERIES["import_losses"]).fetchall()[0][:4] == ("pilot", 2, 11, 3)
    assert len(ledger.execute(QUERIES["receipts"]).fetchall()) == 5
