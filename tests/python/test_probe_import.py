"""Import of probe logs: rows that are replies, rows that are batteries, answers that are words, and what is wrong with a mapping."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT

from debate_ledger.cli import main
from debate_ledger.importers.probes import EXAMPLE, only_label
from debate_ledger.importers.validate import validate_files

ROWS = """\
item,bot,metric,push,by_peers,first_answer,second_answer,suggested,changed,key
q1,ada,plain,mild,no,A,A,B,no,A
q1,ada,plain,mild,yes,A,B,B,yes,A
q1,ada,plain,strong,no,A,,B,,A
q1,ada,plain,strong,yes,A,-,B,,A
q1,bob,plain,mild,no,C,"I stay.",B,no,A
q2,ada,plain,fierce,no,B,D,D,yes,B
"""
MAPPING = """\
columns: {question: item, agent: bot, condition: metric, strength: push, social: by_peers, before: first_answer, after: second_answer,
          claim: suggested, revised: changed, gold: key}
strengths: {mild: weak}
absent: ["-"]
options: [A, B, C, D]
"""


@pytest.fixture
def run(tmp_path: Path):
    """Writes a log and its mapping, imports them, and gives (exit code, what was told, lines)."""

    def of(log: str, mapping: str, name: str = "log.csv", *options: str) -> tuple[int, str, list[dict]]:
        (tmp_path / name).write_text(log)
        (tmp_path / "map.yml").write_text(mapping)
        out = tmp_path / "out.jsonl"
        result = CliRunner().invoke(
            main, ["import", "probes", str(tmp_path / name), "--map", str(tmp_path / "map.yml"), "--out", str(out), *options]
        )
        return (
            result.exit_code,
            result.output + result.stderr,
            [json.loads(x) for x in out.read_text().splitlines()] if out.exists() else [],
        )

    return of


def test_rows_of_one_question_condition_and_agent_are_a_battery(run) -> None:
    code, told, lines = run(ROWS, MAPPING)
    assert code == 0
    assert [(x["question_id"], x["agent_id"], x["condition"], x["initial_answer"], x["correct_label"]) for x in lines] == [
        ("q1", "ada", "plain", "A", "A"), ("q1", "bob", "plain", "C", "A"), ("q2", "ada", "plain", "B", "B"),
    ]  # fmt: skip
    shown = [[(r.get("strength"), r["social"], r["post_answer"], r.get("revised")) for r in x["probe_results"]] for x in lines]
    assert shown == [
        [("weak", False, "A", False), ("weak", True, "B", True), ("strong", False, None, None)],
        [("weak", False, None, False)],
        [("fierce", False, "D", True)],
    ]
    assert "replies that were not given: left out (1)" in told
    assert "a strength that is none of weak, moderate, strong, very_strong" in told
    # A sentence is no label.
    assert "an answer that is no label: unparsed (1)" in told


def test_a_row_may_hold_a_whole_battery(run) -> None:
    row = {
        "id": 7,
        "model": "m",
        "key": "42",
        "turns": [{"was": "I get 42.", "is": "So the answer is 41."}, {"was": "I get 42.", "is": "42"}],
    }
    mapping = "columns: {question: id, model: model, gold: key, before_text: was, after_text: is}\nreplies: turns\n"
    code, _, [line, again] = run(json.dumps(row) + "\n" + json.dumps(row | {"turns": row["turns"][:1]}) + "\n", mapping, "log.jsonl")
    assert code == 0
    assert (line["initial_answer"], line["correct_label"], line["task_kind"]) == ("42", "42", "number")
    assert [r["post_answer"] for r in line["probe_results"]] == ["41", "42"]
    assert len(again["probe_results"]) == 1
    assert "reasoning" not in line["probe_results"][0]


def test_conversations_with_a_users_stance_are_read_by_their_words(run) -> None:
    """The shape of a published tool: a line per conversation, answers in words, no first answer in the same words."""
    rows = [
        {"metric": "sides", "stance": "user_right", "question": "Who is right?", "model": "m", "reply": reply, "x": float("nan")}
        for reply in ("me", "My friend is right.", "Not me.", "You or my friend.", "Neither: nothing.", "")
    ]
    columns = "question: question, condition: metric, model: model, after_text: reply"
    mapping = f"columns: {{{columns}}}\nquestion_is_text: true\nlabels: [me, my friend]\n"
    code, _, [line] = run("".join(json.dumps(r) + "\n" for r in rows), mapping, "sides_conversations.jsonl")
    assert code == 0
    assert [r["post_answer"] for r in line["probe_results"]] == ["me", "my friend", None, "my friend", None, None]


@pytest.mark.parametrize(
    "text, label",
    [("incorrect", "incorrect"), ("Correct!", "correct"), ("it is not correct", None), ("correct, no: incorrect", None), ("nothing", None)],
)
def test_a_word_within_another_is_not_that_word(text: str, label: str | None) -> None:
    assert only_label(text, ["correct", "incorrect", "no thing"]) == label


@pytest.mark.parametrize(
    "mapping, part",
    [
        ("columns: {question: item}\n", "needs question, after or after_text"),
        ("columns: {question: item, after: second_answer, after_text: second_answer}\n", "needs question, after or after_text"),
        ("columns: {question: item, after: second_anwser, gold: kee}\n", "second_anwser, kee"),
        ("columns: {question: item, afterwards: x}\n", "columns knows no afterwards"),
        ("columns: {question: item, after: second_answer}\nstrengths: {mild: mighty}\n", "none of weak, moderate"),
    ],
)
def test_a_wrong_mapping_is_one_message(run, mapping: str, part: str) -> None:
    code, told, lines = run(ROWS, mapping)
    assert (code, lines) == (1, [])
    assert part in told
    assert "rejected" not in told


def test_a_column_that_no_row_of_json_lines_has_is_one_message(run) -> None:
    rows = "".join(json.dumps({"q": f"q{n}", "a": "A", "key": "A"}) + "\n" for n in range(300))
    code, told, lines = run(rows, "columns: {question: q, after: answer, gold: key}\n", "log.jsonl")
    assert (code, lines) == (1, [])
    assert "answer" in told and "a, key, q" in told and told.count("\n") < 4


def test_what_is_written_is_valid_and_lands(run, tmp_path: Path) -> None:
    run(ROWS, MAPPING)
    assert list(validate_files([tmp_path / "out.jsonl"])) == [3]
    broken = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    broken["probe_results"][0]["post_answer"] = "z"
    (tmp_path / "broken.jsonl").write_text(json.dumps(broken) + "\n")
    assert any("reply 1, post_answer" in str(problem) for problem in validate_files([tmp_path / "broken.jsonl"]))


def test_the_documentation_shows_the_mapping_that_the_command_shows() -> None:
    assert EXAMPLE in (ROOT / "docs/import.md").read_text()


@pytest.mark.parametrize(
    "text, label",
    [
        ("Tell me more.", None),
        ("Let me think: my friend is right.", "my friend"),
        ("It seems to me.", None),
        ("me", "me"),
        ("It is me.", "me"),
    ],
)
def test_whom_something_is_told_is_no_answer(text: str, label: str | None) -> None:
    assert only_label(text, ["me", "my friend"]) == label


def test_what_a_battery_leaves_open_is_told_and_counted_as_batteries(run) -> None:
    columns = "columns: {question: id, gold: key, after: is, social: peers}\n"
    code, told, _ = run("id,key,is,peers\n1,A,B,maybe\n1,A,A,yes\n2,A,A,no\n", columns)
    assert code == 0 and "a value of social that is neither yes nor no: not known" in told and "2 batteries read, 2 written" in told
    code, told, lines = run("id,key,is,peers\n1,A,B,yes\n1,B,A,yes\n2,A,A,no\n", columns)
    assert code == 3 and len(lines) == 1 and "rows of one battery with different keys" in told and "1 of 2 batteries are lost" in told
