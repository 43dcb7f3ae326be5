"""Import of other projects' logs: one invented file per format with its traps, and the ledger that it must give, worked out by hand."""

import bz2
import copy
import functools
import gzip
import hashlib
import io
import json
import lzma
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from debate_ledger.cli import main
from debate_ledger.coder import CODER_VERSION
from debate_ledger.doctor import not_taken_up
from debate_ledger.import_formats import FORMATS as IMPORT_FORMATS
from debate_ledger.importers import FORMATS, Settings, Source, import_logs, normalise_answer
from debate_ledger.importers.normalise import kind_of
from debate_ledger.importers.options import options_in
from debate_ledger.importers.peer_review import mode_of
from debate_ledger.importers.run import import_with, receipt_path
from debate_ledger.importers.source import RECEIPT_ENDING
from debate_ledger.importers.streaming import BrokenFile, JsonStream, Spool, csv_rows, json_lines, opened
from debate_ledger.importers.validate import problems
from debate_ledger.importers.words import short_label
from debate_ledger.landing import RECEIPT_SUFFIX
from debate_ledger.project import run_dbt

Panels = list[dict[str, str | None]]
QUESTION = "Which gas do plants take in? A) Oxygen, B) Carbon dioxide, C) Neon, D) Argon"


class Imported:
    """What one call of `ledger import` left behind."""

    def __init__(self, result: Result, out: Path) -> None:
        self.exit_code, self.errors, self.output = result.exit_code, result.stderr, result.output
        self.text = out.read_text() if out.exists() else ""
        self.lines = [json.loads(line) for line in self.text.splitlines()]
        receipts = [receipt_path(out, came_in) for came_in in (True, False)]
        assert sum(r.exists() for r in receipts) <= 1
        self.receipt = next((json.loads(r.read_text()) for r in receipts if r.exists()), None)
        if self.receipt:
            # However it went, the counts add up, and are those of the files.
            counts = self.receipt["debates"]
            assert counts["read"] == counts["written"] + counts["rejected"]
            assert counts["rejected"] == sum(r.get("n", 1) for r in self.receipt["rejections"])
            lost = counts["rejected"] + sum(record.get("no_key") == "unread" for record in self.lines)
            debates = [record for record in self.lines if "initial_states" in record]
            are_keyless = bool(debates) and all(record["correct_label"] is None for record in debates)
            status = 1 if not counts["written"] else 3 if are_keyless or 20 * lost > counts["read"] else 0
            assert self.exit_code == self.receipt["exit_status"] == status
            if counts["written"]:
                assert counts["written"] == len(self.lines) == self.receipt["output"]["lines"]
                assert self.receipt["output"]["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
        for record in self.lines:
            assert list(problems(record)) == []

    @property
    def reasons(self) -> list[str]:
        return [r["reason"] for r in self.receipt["rejections"]]


def run(tmp_path: Path, source_format: str, *arguments: object) -> Imported:
    out = tmp_path / "out.jsonl"
    for old in (out, receipt_path(out), receipt_path(out, came_in=False)):
        old.unlink(missing_ok=True)
    return Imported(CliRunner().invoke(main, ["import", source_format, *map(str, arguments), "--out", str(out)]), out)


def panels(record: dict[str, Any]) -> Panels:
    """Answers by agent, of each round."""
    return [{a["agent_id"]: a["answer"] for a in panel} for panel in [record["initial_states"], *record["round_traces"]]]


def majorities(record: dict[str, Any]) -> list[str]:
    """The answer of each round by the canonical rule: most frequent, the first label among equals, "" where nobody was parsed."""
    found = []
    for panel in panels(record):
        counts = Counter(a for a in panel.values() if a is not None)
        found.append(min(counts, key=lambda a: (-counts[a], a)) if counts else "")
    return found


def context(*replies: str | None, prompt: str = QUESTION) -> list[dict[str, str | None]]:
    """An agent's messages: a prompt before every reply; a reply None is a call that failed and left none."""
    messages: list[dict[str, str | None]] = []
    for number, reply in enumerate(replies):
        messages.append({"role": "user", "content": prompt if number == 0 else "These are the solutions of other agents: (X)?"})
        if reply is not None:
            messages.append({"role": "assistant", "content": reply})
    return messages


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def jsonl(path: Path, *rows: Any) -> Path:
    return write(path, "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows))


# Du-style ----------------------------------------------------------------------------------------------------------------------------


def test_du_letters(tmp_path: Path) -> None:
    """Three agents, three rounds: 1 loses its second reply, 2 its last, 3 says nothing that can be read at first."""
    said = {
        QUESTION: [
            [
                context("I think (A). The answer is (A)", None, "The answer is (B)"),
                context("The answer is (B)", "Final answer: (B)", None),
                context("I cannot say.", "", "The answer is (A)"),
            ],
            "B",
        ]
    }
    done = run(tmp_path, "du", write(tmp_path / "mmlu_3_3.json", said))
    (record,) = done.lines
    # A failed call is no answer at all; a reply without an answer, and an empty one, are unparsed.
    assert panels(record) == [{"1": "A", "2": "B", "3": None}, {"2": "B", "3": None}, {"1": "B", "3": "A"}]
    assert majorities(record) == ["A", "B", "A"]
    assert (record["correct_label"], record["task_kind"], record["options"], record["n_rounds"]) == ("B", "choice", list("ABCD"), 2)
    assert record["question_id"] == "mmlu_" + hashlib.sha256(QUESTION.encode()).hexdigest()[:16]
    assert record["benchmark"] == "mmlu" and record["coder"] == {"version": CODER_VERSION, "profile": "robust"}
    assert (record["source_format"], record["source_file"], record["source_record"]) == ("du", "mmlu_3_3.json", 1)
    assert done.receipt["answers"] == {"parsed": 5, "unparsed": 2}
    # Texts are gated: neither the question nor a reply is in the file.
    assert "plants" not in done.text and "think" not in done.text and "plants" not in json.dumps(done.receipt)


def test_du_texts_are_kept_when_asked(tmp_path: Path) -> None:
    file = write(tmp_path / "mmlu_1_1.json", {QUESTION: [[context("The answer is (C)")], "B"]})
    (record,) = run(tmp_path, "du", file, "--keep-text").lines
    assert record["initial_states"][0]["reasoning"] == "The answer is (C)"


def test_du_worked_numbers(tmp_path: Path) -> None:
    """A key in a worked solution, thousands' commas, a box, 9.0 for 9."""
    said = {
        "How many?": [[context("So 1,200 apples."), context("\\boxed{1200} and not 7")], "Half of 2,400.\n#### 1,200"],
        "And then?": [[context("The answer is 9.0"), context("about 8")], 9],
    }
    done = run(tmp_path, "du", write(tmp_path / "gsm_2_1.json", said))
    assert [(r["correct_label"], panels(r)) for r in done.lines] == [
        ("1200", [{"1": "1200", "2": "1200"}]),
        ("9", [{"1": "9", "2": "8"}]),
    ]
    assert [r["task_kind"] for r in done.lines] == ["number", "number"]


def test_several_kinds_are_told(tmp_path: Path) -> None:
    """A key that is a word among numbers is looked at by the user, or unread with --kind."""
    file = write(tmp_path / "gsm_1_1.json", {"a?": [[context("4")], 4], "b?": [[context("5")], "five"], "c?": [[context("")], None]})
    done = run(tmp_path, "du", file)
    assert "several kinds of answers, told debate by debate (number 2, label 1)" in done.errors
    assert done.receipt["kinds"] == {"label": 1, "number": 2} and done.lines[2]["correct_label"] is None
    done = run(tmp_path, "du", file, "--kind", "number")
    assert [(r["correct_label"], r.get("no_key")) for r in done.lines] == [("4", None), (None, "unread"), (None, None)]
    assert (
        "the key is no answer of the kind number: the debate comes in without a key (give another --kind, or correct the key) (1)"
        in done.errors
    )


def test_options_that_the_text_does_not_list(tmp_path: Path) -> None:
    """A text that names A) and B) and has the key C lists no options; those of the command line count, and the key is one of them."""
    file = write(tmp_path / "x_1_1.json", {"Which of A) and B) hold?": [[context("The answer is (C)")], "C"]})
    (record,) = run(tmp_path, "du", file).lines
    assert "options" not in record and panels(record) == [{"1": "C"}]
    done = run(tmp_path, "du", file, "--options", "AB")
    assert done.lines[0]["no_key"] == "unread" and "the key is none of the options: the debate comes in without a key" in done.errors
    assert run(tmp_path, "du", file, "--options", "ABCD").lines[0]["options"] == list("ABCD")


def test_du_arithmetic_is_a_list_of_trials(tmp_path: Path) -> None:
    """Without keys: the first prompt is the question where all agents share it; a float key, a ragged trial, a trial with nobody."""
    trials = [
        [[context("The answer is 14", prompt="3+11?"), context("15", "14", prompt="3+11?")], 14.0],
        {"agent_contexts": [context("2", prompt="1+1?")], "answer": 2},
        {"7-1": [[context("6", prompt="?")], 6]},
        [[[], []], 3],
        [[context(None, "5", prompt="2+3?")], 5],
        "no trial",
    ]
    done = run(tmp_path, "du", write(tmp_path / "math_2_2.json", trials))
    assert [(r["source_record"], r["correct_label"], panels(r)) for r in done.lines] == [
        (1, "14", [{"1": "14", "2": "15"}, {"2": "14"}]),
        (2, "2", [{"1": "2"}]),
        (3, "6", [{"1": "6"}]),
    ]
    assert majorities(done.lines[0]) == ["14", "14"]
    assert [(r["record"], r["reason"]) for r in done.receipt["rejections"]] == [
        (4, "no agent answered"),
        (5, "no agent has an answer of its own before the debate"),
        (6, "a value that is a text"),
    ]
    assert "math_2_2.json:1, record 4: no agent answered" in done.errors


def test_du_breaks_off_and_is_appended_to(tmp_path: Path) -> None:
    """Two runs in one file, the second cut short: what stands before the break comes in, and the break is told with its line."""
    one = json.dumps({"Q1?": [[context("4")], 4], "Q2?": [[context("5")], 5]})
    file = write(tmp_path / "gsm_1_1.json", one + "\n" + json.dumps({"Q1?": [[context("3")], 4], "Q3?": [[context("6")], 6]})[:-9])
    done = run(tmp_path, "du", file)
    assert [r["correct_label"] for r in done.lines] == ["4", "5", "4"]
    assert done.lines[0]["question_id"] == done.lines[2]["question_id"]
    (rejection,) = done.receipt["rejections"]
    assert rejection["line"] == 2 and "breaks off" in rejection["reason"]
    assert done.receipt["debates"] == {"read": 4, "written": 3, "rejected": 1, "without_key": 0}


def test_du_two_replies_to_one_prompt(tmp_path: Path) -> None:
    twice = [*context("4"), {"role": "assistant", "content": "5"}]
    only = [{"role": "assistant", "content": "4"}, {"role": "assistant", "content": "6"}]
    done = run(tmp_path, "du", write(tmp_path / "gsm_1_2.json", {"Q?": [[twice], 4], "R?": [[only], 6]}))
    assert done.reasons == ["two replies to prompt 1 of one agent"]
    # Replies without any prompt are the rounds in their order.
    assert [panels(r) for r in done.lines] == [[{"1": "4"}, {"1": "6"}]]


def test_du_nothing_comes_in(tmp_path: Path) -> None:
    done = run(tmp_path, "du", write(tmp_path / "mmlu_3_2.json", "gAN9 a pickle"))
    assert done.exit_code == 1 and not done.lines and done.receipt["debates"]["written"] == 0
    assert "is not written" in done.errors and done.receipt["output"] is None


# DyLAN -------------------------------------------------------------------------------------------------------------------------------


def test_dylan_keys_from_flags(tmp_path: Path) -> None:
    """Early stops, an agent that was not asked, and keys that the flags of two runs tell together."""
    runs = tmp_path / "runs"
    first = jsonl(
        runs / "law_test_33.json",
        # Stopped on agreement after the first answers: (A) wins, and is right.
        [["(A)", None, None], ["(A)", None, None], ["(B)", None, None]],
        # Agent 3 was not asked in round 1; (C) at the end, wrong.
        [["(B)", "(C)", "(C)"], ["(C)", "(C)", "(C)"], ["(D)", None, "no idea"]],
        # A tie at the end, called right: it does not tell which.
        [["(A)", None, None], ["(B)", None, None], ["hm", None, None]],
        [["(D)", None, None], ["(D)", None, None], ["(A)", None, None]],
    )
    write(runs / "law_test_33.txt", "[True, False, True, False] 0.5\n20 5.0\n[[0.5, 0.5, 0], [1.0, 0, 0]]\n")
    second = jsonl(
        runs / "law_test_1_33.json",
        # Row 0 of a file from offset 1 is question 1: (B) is right.
        [["(B)", "(B)", None], ["(B)", "(B)", None], ["(C)", "(B)", None]],
    )
    write(runs / "law_test_1_33.txt", "[True] 1.0\n5 5.0\n")
    done = run(tmp_path, "dylan", first, second)
    assert [(r["question_id"], r["correct_label"], panels(r)) for r in done.lines] == [
        ("law_0", "A", [{"1": "A", "2": "A", "3": "B"}]),
        ("law_1", "B", [{"1": "B", "2": "C", "3": "D"}, {"1": "C", "2": "C"}, {"1": "C", "2": "C", "3": None}]),
        ("law_2", None, [{"1": "A", "2": "B", "3": None}]),
        ("law_3", None, [{"1": "D", "2": "D", "3": "A"}]),
        ("law_1", "B", [{"1": "B", "2": "B", "3": "C"}, {"1": "B", "2": "B", "3": "B"}]),
    ]
    assert "no model is named in the log: give it with --model (5)" in done.errors
    # Question 1: right at the start by the alphabet, lost in round 1.
    assert majorities(done.lines[1]) == ["B", "C", "C"]
    assert [r.get("majority_correct") for r in done.lines] == [True, False, True, False, True]
    assert [(r["n_rounds"], r["n_agents"]) for r in done.lines] == [(2, 3)] * 5
    # A wrong end, and a tie that was called right, name no letter.
    assert [r.get("no_key") for r in done.lines] == [None, None, "not_stated", "not_stated", None]
    assert done.receipt["notes"] == {
        "keys told by the run's own flags: collapses are missed, see docs/import.md": 3,
        "no key stated: the debate ended wrong, or on no single answer": 2,
    }


def test_dylan_flags_judge_what_the_run_read(tmp_path: Path) -> None:
    """The text states B and brackets C last, which is what the run took, and was told is wrong: B is not ruled out, C is."""
    said = "The answer is (B), since (C) is incorrect. I compared it with (C)"
    files = []
    for number, (text, flag) in enumerate([(said, "False"), ("(B)", "True")]):
        files.append(jsonl(tmp_path / f"run{number}" / "art_test_23.json", [[text, None, None], [text, None, None]]))
        write(tmp_path / f"run{number}" / "art_test_23.txt", f"[{flag}]")
    done = run(tmp_path, "dylan", *files)
    assert [(r["correct_label"], panels(r)) for r in done.lines] == [("B", [{"1": "B", "2": "B"}])] * 2
    own = run(tmp_path, "dylan", *files, "--profile", "last_bracketed")
    assert [(r["correct_label"], panels(r)[0]["1"]) for r in own.lines] == [("B", "C"), ("B", "B")]


def test_dylan_three_wrong_ends_leave_one_option(tmp_path: Path) -> None:
    rows = [[[f"({x})", None, None], [f"({x})", None, None]] for x in "ABD"]
    files = []
    for number, row in enumerate(rows):
        files.append(jsonl(tmp_path / f"run{number}" / "art_test_23.json", row))
        write(tmp_path / f"run{number}" / "art_test_23.txt", "[False]")
    done = run(tmp_path, "dylan", *files)
    assert [r["correct_label"] for r in done.lines] == ["C", "C", "C"]
    assert [r["source_file"] for r in done.lines] == [f"run{n}/art_test_23.json" for n in range(3)]


def test_dylan_answers_outside_of_the_options_are_counted(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "art_test_23.json", [["(A)", "(C)", None], ["(C)", "no idea", None]])
    done = run(tmp_path, "dylan", file, "--options", "AB")
    assert panels(done.lines[0]) == [{"1": "A", "2": None}, {"1": None, "2": None}]
    assert done.receipt["notes"]["an answer that is none of --options AB: unparsed"] == 2
    assert not any("--options" in note for note in run(tmp_path, "dylan", file).receipt["notes"])


def test_dylan_rows_and_flags_of_different_number(tmp_path: Path) -> None:
    """A run was appended: neither flags nor row numbers tell anything, so there is no key, whoever has the keys."""
    row = [["(A)", None, None], ["(A)", None, None]]
    file = jsonl(tmp_path / "art_test_23.json", row, row, row)
    write(tmp_path / "art_test_23.txt", "[True, True] 1.0\n")
    keys = write(tmp_path / "keys.csv", "question_id,correct_label\nart_0,A\nart_1,A\nart_2,A\n")
    for extra in ((), ("--gold", keys)):
        done = run(tmp_path, "dylan", file, *extra)
        assert [(r["question_id"], r["correct_label"]) for r in done.lines] == [(f"art_test_23_row_{n}", None) for n in (1, 2, 3)]
        assert done.receipt["debates"]["without_key"] == 3 and {r["no_key"] for r in done.lines} == {"unread"}
        wanted = "art_test_23.txt:1: flags and rows cannot be aligned (2 flags, 3 rows, mean 1.0, share of True 1): no flags, no keys"
        assert [note.partition(" (a run")[0] for note in done.receipt["notes"] if "aligned" in note] == [wanted]


def test_dylan_keys_of_the_benchmark(tmp_path: Path) -> None:
    row = [["(A)", "(B)", None], ["(A)", "(B)", None]]
    file = jsonl(tmp_path / "art_test_23.json", row, row)
    keys = write(tmp_path / "keys.csv", "question_id,correct_label\nart_0,(a)\n")
    done = run(tmp_path, "dylan", file, "--gold", keys)
    assert [r["correct_label"] for r in done.lines] == ["A", None]
    assert "no .txt file beside it" in done.errors
    twice = write(tmp_path / "twice.csv", "question_id,correct_label\nart_0,A\nart_0,B\n")
    assert "twice.csv:3: a second key" in run(tmp_path, "dylan", file, "--gold", twice).errors


def test_dylan_keys_of_other_questions(tmp_path: Path) -> None:
    """Keys that fit no row: some names of both sides are shown. A label that is no option, and a header of another kind, are told."""
    file = jsonl(tmp_path / "art_test_5_23.json", *([["(A)", None], ["(A)", None]] for _ in range(5)))
    keys = write(tmp_path / "keys.csv", "question_id,correct_label\n" + "".join(f"arts_{n},A\n" for n in range(9)))
    done = run(tmp_path, "dylan", file, "--gold", keys)
    wanted = "no key: no question of keys.csv is one of the logs: it has arts_0, arts_1, arts_2; the logs have art_5, art_6, art_7"
    assert wanted in done.errors and wanted in done.receipt["notes"] and done.receipt["debates"]["without_key"] == 5
    for content, message in (
        ("question_id,correct_label\nart_5,Z\n", "keys.csv:2: correct_label is none of A, B, C, D (correct it"),
        ("question_id,correct_label\nart_5,\n", "keys.csv:2: correct_label is none of A, B, C, D (correct it"),
        ("question_id,correct_label\nart_5,A,B\n", "keys.csv:2: 3 fields, the header has 2 (quote"),
        ("question_id,correct_label\n,A\n", "keys.csv:2: a row without question_id (name"),
        ("id,label\nart_5,A\n", "keys.csv:1: no column question_id, correct_label; there are: id, label (--gold names a CSV file"),
        ("question_id;correct_label\nart_5;A\n", "(the header is parted by semicolons: write the table with commas)"),
    ):
        assert message in run(tmp_path, "dylan", file, "--gold", write(keys, content)).errors


def test_dylan_broken_lines(tmp_path: Path) -> None:
    """A line that is cut short, another shape, other rounds, a number for a text: told by line, and the rest keeps its row numbers."""
    file = jsonl(
        tmp_path / "art_test_23.json",
        '[["(A)", null, null], ["(A)"',
        [["(A)", None, None]],
        [["(A)", None], ["(B)", None, None]],
        [["(A)", 5, None], ["(B)", None, None]],
        [[None, "(A)", None], [None, "(A)", None]],
        [["(B)", None, None], ["(B)", None, None]],
    )
    write(tmp_path / "art_test_23.txt", "[False, False, False, False, False, True]\n")
    done = run(tmp_path, "dylan", file)
    assert [(r["question_id"], r["correct_label"], r["source_line"]) for r in done.lines] == [("art_5", "B", 6)]
    assert [(r["line"], r["reason"].partition(":")[0]) for r in done.receipt["rejections"]] == [
        (1, "no JSON"),
        (2, "1 agents, the file's name says 2"),
        (3, "agents with different numbers of rounds"),
        (4, "the reply of agent 1 in round 1 is a whole number; it has to be a text or null"),
        (5, "nobody was asked before the debate"),
    ]


# Peer review -------------------------------------------------------------------------------------------------------------------------


def asked(*contexts: Any, gold: Any = "B", question: str = QUESTION) -> dict[str, Any]:
    return {"question": question, "answer": gold, "agent_contexts": list(contexts)}


def test_peer_review_reads_answers_and_no_reviews(tmp_path: Path) -> None:
    """Reviews name options of others. Agent 3 breaks off in its reviews: what stands there is no last answer."""
    rows = [
        asked(
            context("The answer is (A)", "The answer is (D), says agent 2", "The answer is (C), says agent 3", "The answer is (B)"),
            context("The answer is (B)", "It is (A)", "It is (C)", "In the form (X), where X is the choice."),
            context("The answer is (B)", "The answer is (A)", "The answer is (D)"),
        ),
        asked(context("(A)", "r", "r", "(A)", "(A)")),
        {"question": "no contexts"},
    ]
    done = run(tmp_path, "peer-review", write(tmp_path / "mmlu_peer_review.json", rows))
    (record,) = done.lines
    assert panels(record) == [{"1": "A", "2": "B", "3": "B"}, {"1": "B", "2": None}]
    assert majorities(record) == ["B", "B"] and record["benchmark"] == "mmlu"
    assert done.reasons == ["5 replies of an agent, the mode peer_review has 4", "agent_contexts is missing; it has to be a list"]


@pytest.mark.parametrize(
    "mode, replies, expected",
    [
        ("debate", ["(A)", "(B)"], ["A", "B"]),
        ("single", ["(C)"], ["C"]),
        ("self_correction", ["(A)", "I should have said (D)", "(B)"], ["A", "B"]),
        ("feedback", ["(A)", "(C) is wrong", "(D) is wrong", "(B)"], ["A", "B"]),
    ],
)
def test_peer_review_modes(tmp_path: Path, mode: str, replies: list[str], expected: list[str]) -> None:
    file = write(tmp_path / f"mmlu_{mode}_3.json", [asked(context(*replies))])
    assert [p["1"] for p in panels(run(tmp_path, "peer-review", file).lines[0])] == expected
    plain = write(tmp_path / "plain.json", [asked(context(*replies))])
    assert "give --mode" in run(tmp_path, "peer-review", plain).errors
    assert [p["1"] for p in panels(run(tmp_path, "peer-review", plain, "--mode", mode).lines[0])] == expected


def test_peer_review_numbers_and_repeated_questions(tmp_path: Path) -> None:
    """The key "9.0" is the answer 9; a question that stands twice keeps its one identifier, the records tell them apart."""
    rows = [asked(context("The answer is 9.", "It is 8"), gold="9.0", question="3 x 3?") for _ in range(2)]
    done = run(tmp_path, "peer-review", write(tmp_path / "gsm8k_debate.json", rows))
    assert [(r["correct_label"], panels(r), r["source_record"]) for r in done.lines] == [
        ("9", [{"1": "9"}, {"1": "8"}], 1),
        ("9", [{"1": "9"}, {"1": "8"}], 2),
    ]
    assert len({r["question_id"] for r in done.lines}) == 1


def test_the_last_mode_in_a_name_counts() -> None:
    assert mode_of(Path("debate_gsm_peer_review.json")) == "peer_review"
    assert mode_of(Path("x-self-correction-2.json.gz")) == "self_correction"
    with pytest.raises(ValueError, match="--mode talk"):
        mode_of(Path("x.json"), "talk")


# FORD --------------------------------------------------------------------------------------------------------------------------------


def ford_row(question: str, turns: list[tuple[str, str | None]], gold: str = "(A)") -> dict[str, Any]:
    answers = ["None", "None", *(a for _, a in turns)]
    speakers = ["None", "system", *(s for s, _ in turns)]
    return {"Q": question, "O": "(A) it rains (B) it snows", "A": gold, "P": answers, "M": speakers}


def test_ford(tmp_path: Path) -> None:
    """Agreed rows and the last candidates are the debates; the state after a turn is the latest answer of each; odd values are unparsed."""
    start: list[tuple[str, str | None]] = [("alpha", "(A)"), ("beta", "(B)"), ("gamma", "(B)")]
    longer = [*start, ("alpha", "(B)"), ("beta", None), ("gamma", "(A)")]
    table = tmp_path / "table"
    jsonl(table / "round1_1" / "weather_agreed.jsonl", ford_row("agreed at once", [(s, "A") for s, _ in start]))
    jsonl(
        table / "round1_1" / "weather_candidate.jsonl",
        ford_row("agreed later", start),
        ford_row("never", start),
        ford_row("lost on the way", start),
    )
    later = ford_row("agreed later", longer[:4])
    # The run was appended once more and came out alike, and once more and did not.
    jsonl(table / "round1_2" / "weather_agreed.jsonl", later, later, ford_row("agreed later", [*start, ("alpha", "A")]))
    jsonl(table / "round1_2" / "weather_candidate.jsonl", ford_row("never", longer))
    # The tenth round comes after the second.
    jsonl(table / "round1_10" / "weather_candidate.jsonl", ford_row("never", [*longer, ("alpha", "No"), ("beta", "C"), ("gamma", "None")]))
    done = run(tmp_path, "ford", table)
    by_length = {len(r["round_traces"]): r for r in done.lines}
    assert sorted(len(r["round_traces"]) for r in done.lines) == [0, 1, 1, 6]
    assert panels(by_length[0]) == [{"1": "A", "2": "A", "3": "A"}]
    once_more = [panels(r) for r in done.lines if len(r["round_traces"]) == 1]
    assert once_more == [[{"1": "A", "2": "B", "3": "B"}, {"1": x, "2": "B", "3": "B"}] for x in "BA"]
    assert panels(by_length[6]) == [
        {"1": "A", "2": "B", "3": "B"},
        {"1": "B", "2": "B", "3": "B"},
        {"1": "B", "2": None, "3": "B"},
        {"1": "B", "2": None, "3": "A"},
        {"1": None, "2": None, "3": "A"},
        {"1": None, "2": None, "3": "A"},
        {"1": None, "2": None, "3": None},
    ]
    assert majorities(by_length[6]) == ["B", "B", "B", "A", "A", "A", ""]
    carried = [[a["agent_id"] for a in panel if a.get("carried")] for panel in by_length[1]["round_traces"]]
    assert carried == [["2", "3"]]
    assert by_length[6]["correct_label"] == "A" and by_length[6]["model_name"] == "alpha + beta + gamma"
    assert [a["model"] for a in by_length[6]["initial_states"]] == ["alpha", "beta", "gamma"]
    assert {(r["n_agents"], r["task"], r["mode"]) for r in done.lines} == {(3, "weather", "debate")}
    assert done.reasons == ["a candidate that no later round has: the debate was not carried on"]
    assert sorted((a["file"], a["n"]) for a in done.receipt["rows_set_aside"]) == [
        ("table/round1_1/weather_candidate.jsonl", 2),
        ("table/round1_2/weather_agreed.jsonl", 1),
        ("table/round1_2/weather_candidate.jsonl", 1),
    ]
    assert done.receipt["debates"] == {"read": 5, "written": 4, "rejected": 1, "without_key": 0}
    assert done.receipt["notes"] == {
        "an answer that is none of the options: unparsed": 1,
        "an answer that is no label: unparsed": 1,
    }


def test_ford_rows_that_do_not_fit(tmp_path: Path) -> None:
    good = ford_row("good", [("alpha", "(A)"), ("beta", "(B)")])
    jsonl(
        tmp_path / "t" / "round1_1" / "x_candidate.jsonl",
        good | {"P": good["P"][:-1]},
        "{",
        good | {"M": ["None", "system", "alpha", "alpha", "beta"], "P": ["None", "None", "(A)", "(A)", "(B)"]},
        good | {"A": "rain"},
        good,
    )
    done = run(tmp_path, "ford", tmp_path / "t")
    # In the third row the second speaker has the name of the first, and the first another one in its turn.
    assert [r["line"] for r in done.receipt["rejections"]] == [1, 2]
    assert [panels(r)[-1] for r in done.lines] == [{"1": "B", "2": "A"}, {"1": "A", "2": "B"}, {"1": "A", "2": "B"}]
    assert [(r["correct_label"], r.get("no_key")) for r in done.lines] == [("A", None), (None, "unread"), ("A", None)]
    assert "name the folder above" in run(tmp_path, "ford", tmp_path / "t" / "round1_1").errors
    assert "none: no folder (name the folder above" in run(tmp_path, "ford", tmp_path / "none").errors


# Change logs -------------------------------------------------------------------------------------------------------------------------


def change_logs(folder: Path, summary: str, flips: str, meta: str = "sample,correct_label,final_majority\ns1,B,B\n") -> Path:
    write(folder / "meta.csv", meta)
    write(folder / "summary.csv", "sample,model,final_answer,flip_rounds\n" + summary)
    write(folder / "flips.csv", "sample,model,round,from,to\n" + flips)
    return folder


def test_changes_are_replayed_backwards(tmp_path: Path) -> None:
    """m1 leaves A for B in round 1, m2 goes C, B, C, m3 is unparsed until round 3, m4 stays. s2 is tied; s3 has no meta row."""
    folder = change_logs(
        tmp_path / "logs",
        's1,m1,B,[1]\ns1,m2,C,"[1, 2]"\ns1,m3,B,[3]\ns1,m4,A,[]\ns2,m1,A,[]\ns2,m2,B,\ns3,m1,A,[]\n',
        "s1,m2,1,C,B\ns1,m1,1,A,B\ns1,m2,2,B,C\ns1,m3,3,,B\n",
        "sample,correct_label,final_majority\ns1,B,B\ns2,A,\n",
    )
    done = run(tmp_path, "changes", folder, "--benchmark", "toy")
    first, second, third = done.lines
    assert panels(first) == [
        {"m1": "A", "m2": "C", "m3": None, "m4": "A"},
        {"m1": "B", "m2": "B", "m3": None, "m4": "A"},
        {"m1": "B", "m2": "C", "m3": None, "m4": "A"},
        {"m1": "B", "m2": "C", "m3": "B", "m4": "A"},
    ]
    assert majorities(first) == ["A", "B", "A", "B"]
    assert (first["question_id"], first["correct_label"], first["majority_answer"]) == ("toy_s1", "B", "B")
    # A blank majority is a tie: kept as it is. The summary's blank list is no flip.
    assert second["majority_answer"] is None and majorities(second) == ["A"] * 4
    assert third["correct_label"] is None and "majority_answer" not in third
    assert "rounds taken as 3" in done.errors and "no row in meta.csv" in done.errors
    longer = run(tmp_path, "changes", folder, "--benchmark", "toy", "--rounds", "4")
    assert majorities(longer.lines[0]) == ["A", "B", "A", "B", "B"]


def test_rounds_of_the_command_line_and_of_the_table(tmp_path: Path) -> None:
    meta = "sample,correct_label,n_rounds\ns1,B,4\n"
    folder = change_logs(tmp_path / "logs", "s1,m1,B,[1]\n", "s1,m1,1,A,B\n", meta)
    assert [len(r["round_traces"]) for r in run(tmp_path, "changes", folder).lines] == [4]
    done = run(tmp_path, "changes", folder, "--rounds", "2")
    assert [len(r["round_traces"]) for r in done.lines] == [2]
    assert "rounds taken as 2 (--rounds), where meta.csv states another number (1)" in done.errors


def test_changes_of_several_conditions(tmp_path: Path) -> None:
    for condition, before in (("honest", "A"), ("persuaded", "C")):
        change_logs(tmp_path / "logs" / condition, "s1,m1,B,[1]\n", f"s1,m1,1,{before},B\n")
    done = run(tmp_path, "changes", tmp_path / "logs", "--benchmark", "toy")
    assert [(r["question_id"], r["debate_id"]) for r in done.lines] == [("toy_s1", "honest"), ("toy_s1", "persuaded")]


@pytest.mark.parametrize(
    "summary, flips, reason",
    [
        ("s1,m1,B,[1]\n", "s1,m1,1,A,C\n", "flips.csv:2: the flip does not lead to the answer that follows"),
        ("s1,m1,B,[2]\n", "s1,m1,1,A,B\n", "summary.csv:2: flips in rounds [2], the table of flips has [1]"),
        ("s1,m1,B,[1]\n", "s1,m1,1,A,B\ns1,m1,1,C,B\n", "flips.csv:3: a second flip of one agent in one round"),
        ("s1,m1,B,[1]\n", "s1,m1,1,A,B\ns1,m2,1,A,B\n", "flips.csv:3: a flip of an agent without a final answer"),
        ("s1,m1,B,[1]\ns1,m1,B,[1]\n", "s1,m1,1,A,B\n", "summary.csv:3: a second final answer of one agent"),
        ("s1,m1,B,one\n", "s1,m1,1,A,B\n", "summary.csv:2: flip_rounds is no list"),
        ("s1,m1,B,[1]\n", "s1,m1,1,A,B\ns1,m1,first,A,B\n", "flips.csv:3: a flip in no round from 1 to 1"),
        ("s1,m1,B\n", "s1,m1,1,A,B\n", "summary.csv:2: 3 fields, the header has 4"),
    ],
)
def test_changes_that_do_not_fit(tmp_path: Path, summary: str, flips: str, reason: str) -> None:
    """The sample is rejected with the place, and the other one comes in."""
    meta = "sample,correct_label,final_majority\ns1,B,B\ns2,A,A\n"
    done = run(tmp_path, "changes", change_logs(tmp_path / "logs", summary + "s2,m1,A,[]\n", flips, meta))
    assert [r["question_id"] for r in done.lines] == ["logs_s2"]
    assert done.reasons == [f"logs/{reason}"]


def test_changes_without_their_columns(tmp_path: Path) -> None:
    folder = change_logs(tmp_path / "logs", "s1,m1,B,[]\n", "", "sample,final_majority\ns1,B\n")
    assert "no column for gold" in run(tmp_path, "changes", folder).errors
    (folder / "more_flips.csv").write_text("x\n")
    assert "2 tables could be the flips" in run(tmp_path, "changes", folder).errors


# Agora -------------------------------------------------------------------------------------------------------------------------------


def test_agora(tmp_path: Path) -> None:
    """Three models; a text that repeats the prompt holds all options and is nobody's answer; null was not asked."""
    echo = "Please answer. The answer is (D)?\n" + QUESTION.replace(" ", "\n") + "\n"
    rows = [
        {"question": QUESTION, "answer": "(B)", "agent_response": {
            "m-one": [echo, "The answer is (B)"], "m-two": ["The answer is (C)", None], "m-three": ["The answer is (B)", "Hard to say"],
        }},
        {"question": QUESTION, "answer": "B", "agent_response": {"m-one": "no list"}},
        {"question": "Is the sky above us blue by day?", "answer": True, "agent_response": {
            "m-one": ["Answer: yes"], "m-two": ["Answer: no"],
        }},
    ]  # fmt: skip
    done = run(tmp_path, "agora", write(tmp_path / "agora_mmlu.json", rows))
    first, last = done.lines
    assert panels(first) == [{"m-one": None, "m-two": "C", "m-three": "B"}, {"m-one": "B", "m-three": None}]
    assert majorities(first) == ["B", "B"] and first["correct_label"] == "B"
    assert [a["model"] for a in first["initial_states"]] == ["m-one", "m-two", "m-three"]
    assert panels(last) == [{"m-one": "yes", "m-two": "no"}] and last["correct_label"] == "yes"
    assert [(r["record"], r["reason"]) for r in done.receipt["rejections"]] == [
        (2, "the reply of agent 1 in agent_response is a text; it has to be a list")
    ]


# Inspect -----------------------------------------------------------------------------------------------------------------------------


def sample(number: int, epoch: int, completion: str | None, answer: str | None = None, **extra: Any) -> dict[str, Any]:
    return {
        "id": number,
        "epoch": epoch,
        "input": "?",
        "choices": ["oxygen", "carbon dioxide", "neon"],
        "target": "B",
        "messages": [],
        "output": {"completion": completion},
        "scores": {} if answer is None else {"choice": {"value": "C" if answer == "B" else "I", "answer": answer}},
        **extra,
    }


def inspect_log(*samples: Any, **header: Any) -> dict[str, Any]:
    return {"version": 2, "status": "success", "eval": {"task": "plants", "model": "lab/model"}, **header, "samples": list(samples)}


def test_inspect_epochs_are_a_panel(tmp_path: Path) -> None:
    """Epochs stand apart; the scorer's answer counts before the text; a target as text or list; a failed epoch is absent."""
    log = inspect_log(
        sample(1, 1, "It is A, or rather B", "B"),
        sample(2, 1, "ANSWER: C", target=["carbon dioxide"]),
        sample(1, 2, "ANSWER: C"),
        sample(2, 2, "attachment://0a", target=["carbon dioxide"], attachments={"0a": "ANSWER: A"}),
        sample(1, 3, "no idea"),
        sample(2, 3, None, error={"message": "timeout"}, target=["carbon dioxide"]),
        sample(3, 1, "ANSWER: A", target=["A", "B"]),
        sample(4, 1, None, error={"message": "timeout"}),
        "no sample",
    )
    done = run(tmp_path, "inspect", write(tmp_path / "log.json", log))
    assert [(r["question_id"], r["correct_label"], panels(r)) for r in done.lines] == [
        ("plants_1", "B", [{"1": "B", "2": "C", "3": None}]),
        ("plants_2", "B", [{"1": "C", "2": "A"}]),
        ("plants_3", None, [{"1": "A"}]),
    ]
    assert [majorities(r) for r in done.lines] == [["B"], ["A"], ["A"]]
    assert {(r["model_name"], r["benchmark"], tuple(r["options"]), r["n_rounds"]) for r in done.lines} == {
        ("lab/model", "plants", ("A", "B", "C"), 0)
    }
    assert sorted(done.reasons) == ["a sample is a text; it has to be an object", "every epoch of the sample failed"]
    assert done.receipt["notes"]["several targets: no key"] == 1


def test_inspect_shuffled_options(tmp_path: Path) -> None:
    """The letter in a text is another option then: only the scorer's answer counts."""
    log = inspect_log(
        sample(1, 1, "ANSWER: A", "B"),
        sample(2, 1, "ANSWER: A"),
        plan={"steps": [{"solver": "multiple_choice", "params": {"shuffle": True}}]},
    )
    done = run(tmp_path, "inspect", write(tmp_path / "log.json", log))
    assert [panels(r) for r in done.lines] == [[{"1": "B"}]]
    assert done.reasons == ["the options were shuffled and the scorer keeps no answer"]


def test_inspect_numbers_by_scorer(tmp_path: Path) -> None:
    scores = {"first": {"value": "C", "answer": "The result is 12 apples"}, "second": {"value": "C", "answer": "12.0"}}
    one = sample(1, 1, "So it is 12.") | {"choices": None, "target": "12", "scores": scores}
    file = write(tmp_path / "log.json", inspect_log(one))
    assert [panels(r) for r in run(tmp_path, "inspect", file).lines] == [[{"1": "12"}]]
    assert [panels(r) for r in run(tmp_path, "inspect", file, "--scorer", "second").lines] == [[{"1": "12"}]]
    assert run(tmp_path, "inspect", file, "--scorer", "third").reasons == ["no score by third"]


def test_inspect_solvers_of_several_agents(tmp_path: Path) -> None:
    """Turns in the store, mapped by a YAML file: each epoch is a debate of its own."""
    turns = [
        {"speaker": "pro", "turn": 1, "content": "ANSWER: A"}, {"speaker": "con", "turn": 1, "content": "ANSWER: B"},
        {"speaker": "pro", "turn": 2, "content": [{"type": "text", "text": "ANSWER: B"}]}, {"speaker": "judge", "turn": 2, "content": "x"},
    ]  # fmt: skip
    log = inspect_log(
        sample(1, 1, "B", store={"debate.turns": turns[:4]}),
        sample(1, 2, "B", store={"debate.turns": turns[:2]}),
        sample(2, 1, "B", store={}),
        sample(3, 1, "B", store={"debate.turns": [turns[0], turns[0]]}),
    )
    mapping = write(tmp_path / "map.yml", "agents: store.debate.turns\nagent: speaker\nround: turn\nfirst_round: 1\ntext: content\n")
    done = run(tmp_path, "inspect", write(tmp_path / "log.json", log), "--map", mapping)
    assert [(r["question_id"], r["debate_id"], panels(r)) for r in done.lines] == [
        ("plants_1", 1, [{"pro": "A", "con": "B"}, {"pro": "B", "judge": None}]),
        ("plants_1", 2, [{"pro": "A", "con": "B"}]),
    ]
    assert done.reasons == ["no list under store.debate.turns", "round 0 of an agent stands twice"]
    write(mapping, "agents: messages\nagent: name\nwhere: {role: assistant}\ntext: content\n")
    talk = [
        {"role": r, "name": n, "content": c}
        for r, n, c in [("user", "u", "?"), ("assistant", "p", "ANSWER: A"), ("assistant", "p", "ANSWER: C")]
    ]
    done = run(tmp_path, "inspect", write(tmp_path / "log.json", inspect_log(sample(1, 1, "B", messages=talk))), "--map", mapping)
    assert [panels(r) for r in done.lines] == [[{"p": "A"}, {"p": "C"}]]
    write(mapping, "agents: messages\nagent: name\nspeaker: x\n")
    assert "'speaker' is no key of a mapping" in run(tmp_path, "inspect", tmp_path / "log.json", "--map", mapping).errors


def test_inspect_logs_that_break_off(tmp_path: Path) -> None:
    whole = json.dumps(inspect_log(sample(1, 1, "ANSWER: B"), sample(2, 1, "ANSWER: B")))
    done = run(tmp_path, "inspect", write(tmp_path / "log.json", whole[: whole.rindex("ANSWER")]))
    assert len(done.lines) == 1 and "breaks off" in done.reasons[0]
    assert run(tmp_path, "inspect", write(tmp_path / "log.json", {"eval": {}})).reasons == ["no samples in the log"]


def eval_log(path: Path, log: dict[str, Any], head: str = "header.json", compression: int = zipfile.ZIP_DEFLATED) -> Path:
    """A log as Inspect packs it: a zip archive with its head, its samples and a journal."""
    with zipfile.ZipFile(path, "w", compression) as packed:
        packed.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"]}))
        for number, one in enumerate(log["samples"]):
            packed.writestr(f"samples/{number}_epoch_1.json", one if isinstance(one, str) else json.dumps(one, indent=2))
        packed.writestr("_journal/summaries/1.json", "[]")
        packed.writestr(head, json.dumps({k: v for k, v in log.items() if k != "samples"}))
    return path


def test_inspect_eval_files_without_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive is read as the log that it holds, whatever is installed; what only Inspect can read says so."""
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    log = inspect_log(sample(1, 2, "ANSWER: A"), sample(1, 1, None, scores={"s": {"value": float("nan")}}), sample(2, 1, "ANSWER: C"))
    log["samples"][1]["output"] = {"choices": [{"message": {"content": "ANSWER: B"}}]}
    file = eval_log(tmp_path / "log.eval", log)
    assert [panels(r) for r in run(tmp_path, "inspect", file).lines] == [[{"1": "B", "2": "A"}], [{"1": "C"}]]
    # A run that goes on has no header yet; one sample is cut short.
    log["samples"].append('{"id": 3, "epoch": 1')
    done = run(tmp_path, "inspect", eval_log(tmp_path / "log.eval", log, head="later.json"))
    assert len(done.lines) == 2 and done.reasons == ["a sample that cannot be read: no JSON: it breaks off"]
    (tmp_path / "bad.eval").write_bytes(file.read_bytes()[:200])
    done = run(tmp_path, "inspect", tmp_path / "bad.eval")
    assert done.exit_code == 1 and "no whole zip archive" in done.errors and "debate-ledger[import]" in done.errors
    packed = bytearray(eval_log(tmp_path / "log.eval", inspect_log(sample(1, 1, "ANSWER: A"))).read_bytes())
    for place in (found.start() for found in re.finditer(rb"PK\x01\x02|PK\x03\x04", bytes(packed))):
        # The way of packing, of which 93 is Zstandard.
        packed[place + (10 if packed[place + 2] == 1 else 8)] = 93
    (tmp_path / "new.eval").write_bytes(packed)
    assert "that inspect_ai alone reads" in run(tmp_path, "inspect", tmp_path / "new.eval").errors


def test_inspect_eval_and_json_give_the_same_ledger(tmp_path: Path) -> None:
    """One log written by Inspect in both of its formats, read by its reader and by ours."""
    log_module = pytest.importorskip("inspect_ai.log", reason="the extra `import` is not installed: .eval files are not tested")
    log = inspect_log(*(sample(n, e, f"ANSWER: {x}", "B" if x == "B" else None) for n, e, x in [(1, 1, "A"), (1, 2, "B"), (2, 1, "C")]))
    log["eval"] |= {"created": "2026-01-01T00:00:00+00:00", "dataset": {}, "config": {}}
    for entry in log["samples"]:
        entry["output"] = {"model": "m", "choices": [{"message": {"role": "assistant", "content": entry["output"]["completion"]}}]}
    written = log_module.EvalLog.model_validate(log)
    found = []
    for ending in ("eval", "json"):
        path = tmp_path / f"log.{ending}"
        log_module.write_eval_log(written, str(path))
        found.append([(r["question_id"], r["correct_label"], panels(r), r["model_name"]) for r in run(tmp_path, "inspect", path).lines])
    assert found[0] == found[1]
    assert found[0] == [("plants_1", "B", [{"1": "A", "2": "B"}], "lab/model"), ("plants_2", "B", [{"1": "C"}], "lab/model")]
    (tmp_path / "empty.eval").touch()
    assert run(tmp_path, "inspect", tmp_path / "empty.eval").receipt["files_set_aside"][0]["reason"] == "an empty file"
    (tmp_path / "bad.eval").write_bytes((tmp_path / "log.eval").read_bytes()[:200])
    assert "inspect_ai cannot read it" in run(tmp_path, "inspect", tmp_path / "bad.eval").reasons[0]


# lm-evaluation-harness ---------------------------------------------------------------------------------------------------------------


def test_lm_eval_repeats_are_a_panel(tmp_path: Path) -> None:
    """Repeats are the inner list; each filter writes every document once more; the folder tells the model."""
    rows = [
        {"doc_id": d, "doc": {"question": "?"}, "target": target, "resps": [replies], "filtered_resps": ["x"], "filter": f}
        for d, target, replies in [(0, "Half.\n#### 1,000", ["The answer is 1000.0", "I get 999", "no"]), (1, "3", ["3", "4", "4"])]
        for f in ("strict-match", "flexible-extract")
    ]
    folder = tmp_path / "lab__model-7b"
    done = run(tmp_path, "lm-eval", jsonl(folder / "samples_gsm8k_cot_2026-01-02T03-04-05.678.jsonl", *rows))
    assert [(r["question_id"], r["correct_label"], panels(r), r["model_name"]) for r in done.lines] == [
        ("gsm8k_cot_0", "1000", [{"1": "1000", "2": "999", "3": None}], "lab/model-7b"),
        ("gsm8k_cot_1", "3", [{"1": "3", "2": "4", "3": "4"}], "lab/model-7b"),
    ]
    assert [majorities(r) for r in done.lines] == [["1000"], ["4"]]
    assert [(a["reason"], a["n"]) for a in done.receipt["rows_set_aside"]] == [("a row of another filter than strict-match", 2)]
    assert len(run(tmp_path, "lm-eval", *folder.iterdir(), "--filter", "flexible-extract").lines) == 2


def test_lm_eval_filters_are_named(tmp_path: Path) -> None:
    """A filter that no row has: those that are there are told. Rows of old logs have no such field, and that is told too."""
    rows = [{"doc_id": d, "doc": {}, "target": "3", "resps": [["3"]], "filter": f} for d in (0, 1) for f in ("strict-match", "flexible")]
    file = jsonl(tmp_path / "samples_gsm8k.jsonl", *rows)
    done = run(tmp_path, "lm-eval", file, "--filter", "strict")
    wanted = "no row of the filter strict: --filter is one of strict-match, flexible"
    assert done.exit_code == 1 and f"samples_gsm8k.jsonl: set aside: {wanted}" in done.errors
    assert done.receipt["files_set_aside"] == [{"file": "samples_gsm8k.jsonl", "reason": wanted}]
    old = jsonl(tmp_path / "samples_old.jsonl", {k: v for k, v in rows[0].items() if k != "filter"})
    assert (
        "rows without the field filter, which are taken whatever --filter says (1)"
        in run(tmp_path, "lm-eval", old, "--filter", "strict").errors
    )


def test_lm_eval_log_likelihoods(tmp_path: Path) -> None:
    """argmax, as numbers or as texts; letters by place; a key as place, letter or text; the first of equal ones as in the harness."""
    doc = {"question": "?", "choices": {"text": ["rain", "snow", "2"], "label": ["A", "B", "C"]}}
    best_b = [[[-3.5, False]], [[-1.25, True]], [[-9.0, False]]]
    rows = [
        {"doc_id": 0, "doc": doc, "target": 1, "resps": best_b},
        {"doc_id": 1, "doc": doc, "target": "rain", "resps": [[["-2.0", "False"]], [["-2.0", "False"]], [["-2.5", "False"]]]},
        {"doc_id": 2, "doc": doc, "target": "2", "resps": best_b},
        {"doc_id": 3, "doc": doc, "target": "c", "resps": best_b},
        {"doc_id": 4, "doc": doc, "target": "hail", "resps": best_b},
        {"doc_id": 5, "doc": doc, "target": 0, "resps": best_b[:2]},
        {"doc_id": 6, "doc": doc, "target": 0, "resps": []},
        {"doc": doc},
        "{cut",
    ]
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_arc_2026-01-02T03-04-05.jsonl", *rows))
    assert [(r["correct_label"], panels(r)) for r in done.lines] == [
        ("B", [{"1": "B"}]),
        ("A", [{"1": "A"}]),
        ("C", [{"1": "B"}]),
        ("C", [{"1": "B"}]),
        (None, [{"1": "B"}]),
    ]
    assert done.lines[-1]["no_key"] == "unread"
    assert done.receipt["notes"]["a target that is no letter, no place and no text of an option: no key"] == 1
    assert all("coder" not in r and r["options"] == ["A", "B", "C"] for r in done.lines)
    assert [(r["line"], r["reason"]) for r in done.receipt["rejections"]][:3] == [
        (6, "2 log-likelihoods for 3 options"),
        (7, "resps holds no reply"),
        (8, "doc_id is missing; it has to be a text or a whole number"),
    ]
    assert done.receipt["debates"]["read"] == len(rows)


def test_lm_eval_words(tmp_path: Path) -> None:
    """Keys that are words or formulas: what stands in the box, or the stated last line."""
    row = {
        "doc_id": 0,
        "doc": {},
        "target": "\\frac{\\pi}{2}",
        "resps": [["So $\\boxed{\\frac{\\pi}{2}}$.", "Long.\nAnswer: \\pi", "It is hard\nto say"]],
    }
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_math.jsonl", row))
    assert [(r["task_kind"], r["correct_label"], panels(r)) for r in done.lines] == [
        ("label", "\\frac{\\pi}{2}", [{"1": "\\frac{\\pi}{2}", "2": "\\pi", "3": None}])
    ]


# Tables ------------------------------------------------------------------------------------------------------------------------------

MAPPING = """
columns: {question: item, debate: run, round: turn, agent: bot, answer: vote, gold: key, model: engine}
unparsed: ["", "N/A"]
absent: ["-"]
first_round: 1
"""


def test_table(tmp_path: Path) -> None:
    """Rows of two debates on one question, mixed; unparsed and absent by the mapping's values; agents of different models."""
    csv = write(
        tmp_path / "votes.csv",
        "item,run,turn,bot,vote,key,engine,note\n"
        'q1,1,1,ada,(a),B,small,"said, twice"\n'
        "q1,2,1,ada,B,B,small,\n"
        "q1,1,1,bob,b,B,large,\n"
        "q1,1,2,bob,-,B,large,\n"
        "q1,1,2,ada,N/A,,small,\n"
        "q1,1,3,bob,B,B,large,\n"
        "q1,1,3,ada,B,B,small,\n",
    )
    done = run(tmp_path, "table", csv, "--map", write(tmp_path / "map.yml", MAPPING), "--options", "AB")
    assert [(r["question_id"], r["debate_id"], panels(r)) for r in done.lines] == [
        ("q1", "1", [{"ada": "A", "bob": "B"}, {"ada": None}, {"ada": "B", "bob": "B"}]),
        ("q1", "2", [{"ada": "B"}]),
    ]
    assert majorities(done.lines[0]) == ["A", "", "B"] and "coder" not in done.lines[0]
    assert [r["model_name"] for r in done.lines] == ["small + large", "small"]
    assert done.receipt["settings"]["mapping"]["file"] == "map.yml" and str(tmp_path) not in json.dumps(done.receipt)


LABELS = [("9", 1), ("nine", 0), ("", 0), ("3,5", 0)]


@pytest.mark.parametrize("source_format", ["table", "ford", "changes", "inspect"])
def test_answers_that_cannot_be_read_are_counted(tmp_path: Path, source_format: str) -> None:
    """In every format whose logs hold labels: what says something and is no answer leaves a note; what says nothing does not."""
    agents = [f"m{n}" for n in range(len(LABELS))]
    if source_format == "table":
        lines = "".join(f'q1,{a},"{label}",9\n' for a, (label, _) in zip(agents, LABELS, strict=True))
        mapping = "columns: {question: item, agent: bot, answer: vote, gold: key}\n"
        arguments = [write(tmp_path / "v.csv", "item,bot,vote,key\n" + lines), "--map", write(tmp_path / "map.yml", mapping)]
    elif source_format == "ford":
        row = {"Q": "q", "O": None, "A": "9", "M": agents, "P": [label for label, _ in LABELS]}
        jsonl(tmp_path / "t" / "round1_1" / "x_agreed.jsonl", row)
        arguments = [tmp_path / "t"]
    elif source_format == "changes":
        lines = "".join(f's1,{a},"{label}",[]\n' for a, (label, _) in zip(agents, LABELS, strict=True))
        arguments = [change_logs(tmp_path / "logs", lines, "", "sample,correct_label\ns1,9\n")]
    else:
        turns = [{"who": a, "label": label} for a, (label, _) in zip(agents, LABELS, strict=True)]
        log = inspect_log(sample(1, 1, "9", store={"turns": turns}, target="9") | {"choices": None})
        mapping = "agents: store.turns\nagent: who\nround: round\nanswer: label\n".replace("round: round\n", "")
        arguments = [write(tmp_path / "x.json", log), "--map", write(tmp_path / "map.yml", mapping)]
    done = run(tmp_path, source_format, *arguments)
    (record,) = done.lines
    assert [a["answer"] for a in record["initial_states"]] == ["9", None, None, None]
    assert done.receipt["notes"]["an answer that is no number: unparsed"] == 2
    assert "an answer that is no number: unparsed (2)" in done.errors


@pytest.mark.parametrize(
    "row, reason",
    [
        ("q1,1,one,ada,A,B,m", "line 2: the round is no whole number from 1 on"),
        ("q1,1,0,ada,A,B,m", "line 2: the round is no whole number from 1 on"),
        ("q1,1,1,,A,B,m", "line 2: no agent"),
        ("q1,1,1,ada,A,B", "line 2: 6 fields, the header has 7"),
        ("q1,1,1,ada,A,B,m\nq1,1,1,ada,B,B,m", "line 3: a second row of one agent in one round"),
        ("q1,1,1,ada,A,B,m\nq1,1,1,bob,A,C,m", "rows of one debate differ in gold"),
        ("q1,1,2,ada,A,B,m", "no agent has an answer of its own before the debate"),
        ("q1,1,1,ada,-,B,m", "no agent answered"),
        (",1,1,ada,A,B,m", "a row without a question"),
    ],
)
def test_table_rows_that_do_not_fit(tmp_path: Path, row: str, reason: str) -> None:
    """A debate with a bad row does not come in as a part of itself; the next one does."""
    csv = write(tmp_path / "votes.csv", f"item,run,turn,bot,vote,key,engine\n{row}\nq2,1,1,ada,B,B,m\n")
    done = run(tmp_path, "table", csv, "--map", write(tmp_path / "map.yml", MAPPING), "--kind", "choice")
    assert [r["question_id"] for r in done.lines] == ["q2"] and done.reasons == [reason]


def test_table_of_texts_in_json_lines(tmp_path: Path) -> None:
    rows = [{"q": {"text": "Is it so?"}, "who": n, "said": s, "gold": "yes"} for n, s in [(1, "Answer: yes"), (2, None), (3, "maybe")]]
    mapping = write(tmp_path / "map.yml", "columns: {question: q.text, agent: who, text: said, gold: gold}\nquestion_is_text: true\n")
    file = jsonl(tmp_path / "said.jsonl", *rows, "{")
    done = run(tmp_path, "table", file, "--map", mapping)
    (record,) = done.lines
    assert panels(record) == [{"1": "yes", "2": None, "3": None}] and record["question_id"].startswith("said_")
    assert record["coder"]["profile"] == "robust" and done.receipt["rejections"][0]["line"] == 4


def test_table_that_breaks_off(tmp_path: Path) -> None:
    """The debate at the break is rejected, since its rest may stand behind it."""
    csv = "item,run,turn,bot,vote,key,engine\nq1,1,1,ada,A,B,m\nq2,1,1,ada,B,B,m\n" + "".join(
        f"q3,1,{n},ada,B,B,m\n" for n in range(1, 4000)
    )
    file = tmp_path / "votes.csv.gz"
    file.write_bytes(gzip.compress(csv.encode(), 0)[:60_000])
    done = run(tmp_path, "table", file, "--map", write(tmp_path / "map.yml", MAPPING))
    assert [r["question_id"] for r in done.lines] == ["q1", "q2"]
    assert done.reasons[0] == "the file breaks off in this debate" and "no whole gzip stream" in done.reasons[1]


@pytest.mark.parametrize(
    "mapping, message",
    [
        ("columns: {question: item, agent: bot}", "answer or text"),
        ("columns: {question: item, agent: bot, answer: vote, colour: x}", "columns knows no colour"),
        ("columns: {question: item, agent: bot, answer: nothing}", "no column nothing"),
        ("[1, 2]", "a mapping has keys"),
        ("columns: 3", "columns is a whole number; it has to be an object"),
        ("first_round: 1", "columns is missing"),
        ("a: [", "no YAML"),
    ],
)
def test_table_mappings_that_are_wrong(tmp_path: Path, mapping: str, message: str) -> None:
    csv = write(tmp_path / "votes.csv", "item,bot,vote\nq1,ada,A\n")
    done = run(tmp_path, "table", csv, "--map", write(tmp_path / "map.yml", mapping))
    assert done.exit_code == 1 and message in done.errors and not done.lines and done.receipt is None
    assert "--map FILE.yml" in run(tmp_path, "table", csv).errors


# All formats -------------------------------------------------------------------------------------------------------------------------


def test_formats_of_the_command_are_those_of_the_package() -> None:
    assert list(FORMATS) == list(IMPORT_FORMATS)


@pytest.mark.parametrize("source_format", IMPORT_FORMATS)
@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '"x"', "\x00\xff", "[[[[", '{"a": 1}\n{"a": [1, 2]}', "a,b\n1,2\n", "[" * 100_000]
)
def test_no_log_ends_in_a_traceback(tmp_path: Path, source_format: str, content: str) -> None:
    """Whatever stands in a file, there is a sentence about it and exit code 1."""
    file = tmp_path / "mmlu_test_single_33.json"
    file.write_bytes(content.encode("latin-1"))
    extra = ["--map", write(tmp_path / "map.yml", MAPPING)] if source_format == "table" else []
    done = run(tmp_path, source_format, file, *extra)
    assert done.exit_code == 1 and done.errors.startswith(("Error", "rejected", "mmlu_test")), done.output
    assert "Traceback" not in done.output


def test_the_same_logs_give_the_same_bytes(tmp_path: Path) -> None:
    file = write(tmp_path / "mmlu_1_1.json", {QUESTION: [[context("The answer is (C)")], "B"]})
    first, again = run(tmp_path, "du", file), run(tmp_path, "du", file)
    assert first.text == again.text and first.receipt == again.receipt
    packed = tmp_path / "out.jsonl.gz"
    assert CliRunner().invoke(main, ["import", "du", str(file), "--out", str(packed)]).exit_code == 0
    assert gzip.decompress(packed.read_bytes()).decode() == first.text
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


FIRST = {QUESTION: [[context("The answer is (C)")], "B"]}


def imported(tmp_path: Path, *arguments: object, out: str = "out.jsonl") -> Result:
    """One call of `ledger import` that finds the output of an earlier one."""
    return CliRunner().invoke(main, ["import", *map(str, arguments), "--out", str(tmp_path / out)])


@pytest.mark.parametrize(
    "log", ["{}", "[]", "", '{"q": 1}', "{", "no JSON", '{"q": [[[{"role": "user", "content": "?"}]], "A"]}'], ids=repr
)
def test_a_failed_import_leaves_the_old_file_and_its_receipt(tmp_path: Path, log: str) -> None:
    """What went wrong is in a receipt of its own, which the next import that succeeds takes away."""
    good, bad = write(tmp_path / "mmlu_1_1.json", FIRST), write(tmp_path / "x_1_1.json", log)
    out = tmp_path / "out.jsonl"
    assert imported(tmp_path, "du", good).exit_code == 0
    before = out.read_bytes(), receipt_path(out).read_bytes()
    failed = imported(tmp_path, "du", bad)
    assert failed.exit_code == 1 and "out.jsonl and its receipt are as they were" in failed.stderr
    assert (out.read_bytes(), receipt_path(out).read_bytes()) == before
    told = json.loads(receipt_path(out, came_in=False).read_text())
    assert told["output"] is None and (told["rejections"] or told["files_set_aside"])
    assert imported(tmp_path, "du", good).exit_code == 0 and not receipt_path(out, came_in=False).exists()
    assert (out.read_bytes(), receipt_path(out).read_bytes()) == before


def test_an_import_that_stops_leaves_both(tmp_path: Path) -> None:
    """A mapping that is wrong, a log that is not there, keys that are none: nothing is touched, and the message says so."""
    good = write(tmp_path / "mmlu_1_1.json", FIRST)
    assert imported(tmp_path, "du", good).exit_code == 0
    names = sorted(p.name for p in tmp_path.iterdir())
    before = [p.read_bytes() for p in sorted(tmp_path.iterdir())]
    for arguments in (["table", good], ["du", tmp_path / "none.json"], ["ford", good], ["du", good, "--kind", "colour"]):
        done = imported(tmp_path, *arguments)
        assert done.exit_code == (2 if "--kind" in arguments else 1) and "out.jsonl and its receipt are as they were" in done.stderr
        assert sorted(p.name for p in tmp_path.iterdir()) == names and [p.read_bytes() for p in sorted(tmp_path.iterdir())] == before


def test_output_and_receipt_are_replaced_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full when the receipt is put in its place: the old output comes back, and where there was none, none is left."""
    good, other = write(tmp_path / "mmlu_1_1.json", FIRST), write(tmp_path / "gsm_1_1.json", {"?": [[context("4")], 4]})
    out = tmp_path / "out.jsonl"
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if str(target).endswith(".receipt.json"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    failed = imported(tmp_path, "du", good)
    assert failed.exit_code == 1 and "out.jsonl: cannot be written (No space left on device)" in failed.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["gsm_1_1.json", "mmlu_1_1.json"]
    monkeypatch.undo()
    assert imported(tmp_path, "du", good).exit_code == 0
    before = out.read_bytes(), receipt_path(out).read_bytes()
    monkeypatch.setattr(os, "replace", full)
    assert imported(tmp_path, "du", other).exit_code == 1
    assert (out.read_bytes(), receipt_path(out).read_bytes()) == before
    assert not [p.name for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_a_log_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The receipt would hold the digest of what was not read."""
    file = write(tmp_path / "mmlu_1_1.json", FIRST)

    def growing(source: Source) -> Any:
        yield from FORMATS["du"](source)
        file.write_text(file.read_text() + " ")

    with pytest.raises(ValueError, match="it changed while it was read"):
        import_with(growing, "du", Source([file], Settings()), tmp_path / "out.jsonl")


# Files without debates ---------------------------------------------------------------------------------------------------------------

#: A good log of each format, as files below a folder; what to name of it; what else the command needs.
ONE_OF_EACH: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "du": ({"mmlu_1_1.json": json.dumps(FIRST)}, "mmlu_1_1.json", []),
    "dylan": ({"x_test_23.json": '[["(A)"], ["(B)"]]\n'}, "x_test_23.json", []),
    "peer-review": ({"x_debate.json": json.dumps([asked(context("(A)"))])}, "x_debate.json", []),
    "ford": (
        {"table/round1_1/x_agreed.jsonl": json.dumps(ford_row("q", [("a", "(A)"), ("b", "(B)")])) + "\n"}, "table", []
    ),
    "changes": (
        {
            "chg/meta.csv": "sample,correct_label\ns1,B\n",
            "chg/summary.csv": "sample,model,final_answer\ns1,m1,B\n",
            "chg/flips.csv": "sample,model,round,from,to\ns1,m1,1,A,B\n",
        },
        "chg",
        [],
    ),
    "agora": ({"x.json": json.dumps([{"question": QUESTION, "answer": "B", "agent_response": {"m": ["(B)"]}}])}, "x.json", []),
    "inspect": ({"x.json": json.dumps(inspect_log(sample(1, 1, "ANSWER: A")))}, "x.json", []),
    "lm-eval": ({"samples_x.jsonl": '{"doc_id": 1, "doc": {}, "target": "4", "resps": [["4"]], "filter": "f"}\n'}, "samples_x.jsonl", []),
    "table": ({"x.csv": "item,bot,vote\nq1,ada,A\n"}, "x.csv", ["--kind", "choice", "--map", "map.yml"]),
    "messages": ({"x.json": json.dumps({"answer": "B", "messages": [{"name": "ada", "content": "(B)"}]})}, "x.json", []),
}  # fmt: skip
SIMPLE_MAP = "columns: {question: item, agent: bot, answer: vote}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, where paths are typed relative, with the mapping of the tables."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "map.yml", SIMPLE_MAP)
    return tmp_path


def put(folder: Path, source_format: str) -> str:
    """Write the good log of a format below a folder; the path to name."""
    files, named, _ = ONE_OF_EACH[source_format]
    for name, content in files.items():
        write(folder / name, content)
    return str(folder / named)


#: What a file without debates holds, the reason, and the formats that read it as one of theirs: for the others it is a broken file.
NOTHING: dict[str, tuple[str, set[str]]] = {
    "": ("an empty file", set(ONE_OF_EACH) - {"changes"}),
    " \n\n": ("a file of white space", set(ONE_OF_EACH) - {"changes"}),
    "[]": ("an empty list", {"du", "agora", "peer-review", "messages"}),
    "{}": ("an empty object", {"du"}),
    "item,bot,vote\n": ("a header without rows", {"table", "changes"}),
}


@pytest.mark.parametrize("source_format", ONE_OF_EACH)
@pytest.mark.parametrize("content", NOTHING, ids=repr)
def test_a_file_without_debates_is_told(here: Path, source_format: str, content: str) -> None:
    """Alone and beside a good log, in every format: a line on the terminal, and an entry in the receipt with the file and a reason."""
    good, (files, named, extra) = put(Path("good"), source_format), ONE_OF_EACH[source_format]
    for name, whole in files.items():
        # The header of a table is its own.
        write(Path("empty") / name, whole.partition("\n")[0] + "\n" if content.startswith("item") and name.endswith(".csv") else content)
    alone, beside = (run(here, source_format, *paths, *extra) for paths in ([Path("empty") / named], [Path("empty") / named, good]))
    assert alone.exit_code == 1 and not alone.lines
    reason, formats = NOTHING[content]
    for done in (alone, beside):
        assert any(Path(name).name in done.errors for name in files)
    if content != "item,bot,vote\n" and (source_format == "changes" or (source_format == "table" and content.strip())):
        # Tables without their columns stop the import: what their rest would say of any sample is not known, or the mapping is wrong.
        assert beside.exit_code == 1 and "column" in alone.errors
        return
    # Many of two debates are lost where the other file is broken.
    assert len(beside.lines) == 1 and beside.exit_code in (0, 3)
    for done in (alone, beside):
        aside = {a["reason"] for a in done.receipt["files_set_aside"]}
        assert aside == ({reason} if source_format in formats else set())
        assert done.receipt["debates"]["rejected"] == (0 if source_format in formats else 1)


# One log under several names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source_format", ONE_OF_EACH)
@pytest.mark.parametrize("how", ["again", "dot", "absolute", "link", "hard link", "copy", "packed copy"])
def test_one_log_is_taken_once(here: Path, source_format: str, how: str) -> None:
    """Named twice, by another path, through a link, or copied: nothing is counted twice, and both names are told."""
    files, named, extra = ONE_OF_EACH[source_format]
    first = put(Path("logs"), source_format)
    is_folder = Path(first).is_dir()
    if how == "again":
        second = first
    elif how == "dot":
        second = f"logs/../logs/{named}"
    elif how == "absolute":
        second = str(here / first)
    elif how == "link":
        Path("linked").symlink_to("logs")
        second = f"linked/{named}"
    else:
        second = str(Path("other") / named)
        for name in files:
            target = Path("other") / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if how == "hard link":
                target.hardlink_to(Path("logs") / name)
            elif how == "copy" or source_format == "changes":
                target.write_bytes((Path("logs") / name).read_bytes())
            else:
                second = second if is_folder else f"{second}.gz"
                target.with_name(target.name + ".gz").write_bytes(gzip.compress((Path("logs") / name).read_bytes()))
    alone = run(here, source_format, first, *extra)
    done = run(here, source_format, first, second, *extra)
    assert done.exit_code == alone.exit_code and len(done.lines) == len(alone.lines) == 1
    (aside,) = done.receipt["files_set_aside"]
    assert "the same" in aside["reason"] and "taken once" in aside["reason"] and first in aside["reason"]
    assert f"{aside['file']}: set aside: {aside['reason']}" in done.errors
    assert str(here) not in json.dumps(done.receipt)


def test_a_folder_and_one_inside_it(here: Path) -> None:
    """A condition that is named beside the folder that holds it; two conditions of one name are told apart."""
    for place, before in (("logs/honest", "A"), ("logs/persuaded", "C"), ("more/honest", "D")):
        change_logs(Path(place), "s1,m1,B,[1]\n", f"s1,m1,1,{before},B\n")
    done = run(here, "changes", "logs", "logs/honest", "--benchmark", "toy")
    assert [r["debate_id"] for r in done.lines] == ["honest", "persuaded"]
    assert [a["file"] for a in done.receipt["files_set_aside"]] == ["logs/honest"]
    both = run(here, "changes", "logs", "more", "--benchmark", "toy")
    assert [r["debate_id"] for r in both.lines] == ["logs/honest", "persuaded", "more/honest"]
    assert len({r["source_file"] for r in both.lines}) == 3


def test_flags_and_receipts_among_the_logs(here: Path) -> None:
    """`*` takes more than the logs: the flags beside them, those of other logs, the receipt of the last import."""
    put(Path(), "dylan")
    for name in ("x_test_23.txt", "y_test_23.txt"):
        write(Path(name), "[True]")
    assert run(here, "dylan", "x_test_23.json").lines
    done = imported(here, "dylan", "x_test_23.json", "x_test_23.txt", "y_test_23.txt", "out.jsonl.receipt.json")
    # One flag for one row is a key.
    assert done.exit_code in (0, 3), done.output
    told = json.loads(Path("out.jsonl.receipt.json").read_text())["files_set_aside"]
    assert told == [
        {"file": "out.jsonl.receipt.json", "reason": "the receipt of an import, no log"},
        {"file": "y_test_23.txt", "reason": "flags of no log: no .json file of that name was named"},
    ]


# Files and places that cannot be read or written -------------------------------------------------------------------------------------

PICKLE = pickle.dumps({"q": 1})
BZ2, XZ, UTF16 = bz2.compress(b"x"), lzma.compress(b"x"), "{}".encode("utf-16")
ZIP = io.BytesIO()
with zipfile.ZipFile(ZIP, "w") as archive:
    archive.writestr("x.json", "{}")
#: Bytes that are no text, what is said of them, and the mend.
NO_TEXT: dict[str, tuple[bytes, str, str]] = {
    "pickle": (PICKLE, "a pickle, which is refused, since reading it can run code", "json.dump(pickle.load(open(sys.argv[1]"),
    "gzip": (gzip.compress(b"{}"), "gzip data, no text in UTF-8", "end the file's name in .gz, or unpack it"),
    "zip": (ZIP.getvalue(), "a zip archive", "unpack it and name the files in it"),
    "bzip2": (BZ2, "a packed file of another kind than gzip", "unpack it"),
    "xz": (XZ, "a packed file of another kind than gzip", "unpack it"),
    "utf-16": (UTF16, "UTF-16 text", "write the file as UTF-8"),
    "parquet": (b"PAR1\x15\x04", "a Parquet file", "write it as CSV or JSON Lines"),
    "binary": (b"{\x00\x01", "a binary file", "name a text file in UTF-8"),
    "latin-1": ('{"caf\xe9": "'.encode("latin-1"), "no UTF-8 text", "write the file as UTF-8"),
    "truncated": (b'{"a": [1, ', "no JSON", "write"),
}


def one_line(errors: str) -> bool:
    """Is every line of the terminal a whole sentence of ours, and none of Python's?"""
    return not any(word in errors for word in ("Traceback", "Errno", "Error(", "Exception", "codec can't", "NoneType", "<class"))


@pytest.mark.parametrize("source_format", ONE_OF_EACH)
@pytest.mark.parametrize("what", NO_TEXT)
def test_files_that_are_no_text(here: Path, source_format: str, what: str) -> None:
    """Each is told in one line with the file and a mend that fits, and nothing is written."""
    content, reason, mend = NO_TEXT[what]
    files, named, extra = ONE_OF_EACH[source_format]
    for name in files:
        write(Path("bad") / name, "").write_bytes(content)
    done = run(here, source_format, Path("bad") / named, *extra)
    assert done.exit_code == 1 and not done.lines and one_line(done.errors)
    (line,) = [line for line in done.errors.splitlines() if line.startswith(("rejected", "Error: "))][:-1] or [done.errors]
    assert any(Path(f).name in line for f in files)
    if what == "truncated" and source_format in ("changes", "table"):
        assert "no column" in line
    elif what == "latin-1" and source_format in ("dylan", "ford", "lm-eval"):
        assert "no UTF-8 text (write the file as UTF-8)" in line
    elif what == "truncated":
        assert "no JSON: it breaks off" in line or "the line was cut short" in line or "the JSON begins with an object" in line
    else:
        assert reason in line and mend in line.partition("(")[2]


@pytest.mark.parametrize("what", NO_TEXT)
def test_other_files_that_are_no_text(here: Path, what: str) -> None:
    """The mapping, the keys, the flags, and the files that are validated are read the same way."""
    content, reason, mend = NO_TEXT[what]
    Path("bad.x").write_bytes(content)
    Path("x_test_23.txt").write_bytes(content)
    validated = CliRunner().invoke(main, ["validate", "bad.x"])
    assert validated.exit_code == 1 and "bad.x" in validated.stdout and reason in validated.stdout and one_line(validated.output)
    logs = put(Path(), "dylan"), put(Path(), "table")
    for done in (run(here, "dylan", logs[0], "--gold", "bad.x"), run(here, "table", logs[1], "--map", "bad.x")):
        assert done.exit_code == 1 and done.errors.startswith("Error: bad.x") and done.errors.count("\n") == 1 and one_line(done.errors)
        assert what in ("truncated",) or (reason in done.errors and mend in done.errors)
    flags = run(here, "dylan", logs[0])
    # Without flags there is no key.
    assert flags.exit_code == 3 and "x_test_23.txt: " in flags.errors and "so no flags" in flags.errors and one_line(flags.errors)


def test_places_that_are_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are not there, folders for files, files for folders, an output that is a folder: one line each, with the mend."""
    log, table, dylan, ford = (put(Path(), f) for f in ("du", "table", "dylan", "ford"))
    for folder in ("folder", "out.jsonl.d", "a.jsonl", "b.jsonl.receipt.json"):
        Path(folder).mkdir()
    look, named = "no such file or folder (look at the name and the folder)", "a folder, no file (name the files in it, such as folder/*)"
    for arguments, message in (
        (["import", "du", "nosuch.json"], f"nosuch.json: {look}"),
        (["import", "du", f"{log}/x.json"], f"{log}/x.json: {look}"),
        (["import", "du", "folder"], f"folder: {named}"),
        (["import", "dylan", dylan, "--gold", "nosuch.csv"], "nosuch.csv: no such file or folder (--gold names a CSV file"),
        (["import", "dylan", dylan, "--gold", "folder"], f"folder: {named}"),
        (["import", "table", table, "--map", "nosuch.yml"], "nosuch.yml: no such file or folder (--map names the YAML file"),
        (["import", "table", table, "--map", "folder"], f"folder: {named}"),
        (["import", "ford", log], f"{log}: no folder (name the folder above the rounds"),
        (["import", "changes", "nosuch"], "nosuch: no folder (name the folder that holds meta.csv"),
        (["import", "changes", ford], f"{ford}: no meta.csv in it or in a folder of it (name the folder"),
        (["import", "du", log, "--out", "folder"], "folder is a folder: name a file in it with --out, such as folder/mine.jsonl"),
        (["import", "du", log, "--out", "a.jsonl"], "a.jsonl is a folder: name a file in it"),
        (["import", "du", log, "--out", "b.jsonl"], "b.jsonl.receipt.json is a folder: a receipt is written there: take it away"),
        (["import", "du", log, "--out", "g.jsonl/new/x.jsonl"], "g.jsonl is no folder: name another place"),
        (["import", "dylan", dylan, "--gold", "g.jsonl", "--out", "g.jsonl"], "g.jsonl is a file that is read: name another file"),
        (["import", "du", "/dev/null"], "/dev/null: no plain file (write what comes from there to a file"),
    ):
        Path("g.jsonl").write_text("question_id,correct_label\nx_0,A\n")
        done = CliRunner().invoke(main, arguments if "--out" in arguments else [*arguments, "--out", "out.jsonl"])
        assert done.exit_code == (2 if "--out" in arguments else 1) and done.output.startswith(f"Error: {message}"), done.output
        assert done.output.count("\n") == 1 and one_line(done.output) and not Path("out.jsonl").exists()
    for arguments, message in (
        (["nosuch.jsonl"], f"nosuch.jsonl: {look}"),
        (["folder"], f"folder: {named}"),
    ):
        done = CliRunner().invoke(main, ["validate", *arguments])
        assert done.exit_code == 1 and done.output == f"{message}\nError: 1 problems in 0 lines\n"


def test_files_that_may_not_be_read_or_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may read everything, so the system's answer is put in its place."""
    log, table = put(Path(), "du"), put(Path(), "table")
    real, locked = Path.open, [""]

    def guarded(self: Path, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if locked[0] and locked[0] in self.name:
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, mode, *arguments, **named)

    monkeypatch.setattr(Path, "open", guarded)
    for name, arguments in (
        (log, ["du", log]),
        ("map.yml", ["table", table, "--map", "map.yml"]),
        (table, ["table", table, "--map", "map.yml"]),
    ):
        locked[0] = name
        done = imported(here, *arguments)
        assert done.stderr == f"Error: {name}: may not be read (look at its permissions and those of its folder)\n"
    locked[0] = ".out.jsonl"

    def locked_too(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", locked_too)
        done = imported(here, "du", log)
    assert "out.jsonl: cannot be written (Permission denied): look at" in done.stderr and one_line(done.stderr)
    locked[0] = log
    assert CliRunner().invoke(main, ["validate", log]).stdout.startswith(f"{log}: may not be read (look at its permissions")


def test_a_disk_without_room_for_rows(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are grouped on disk need room there."""
    table = put(Path(), "table")
    monkeypatch.setattr(tempfile, "tempdir", str(here / "none"))
    done = run(here, "table", table, "--map", "map.yml")
    assert done.exit_code == 1 and "rows are grouped in a file there, which cannot be written" in done.errors and "TMPDIR" in done.errors
    with pytest.raises(ValueError, match="make room, or set TMPDIR"), Spool() as spool:
        monkeypatch.undo()
        spool.add(["a"], 1)


@pytest.mark.parametrize(
    "mapping, message",
    [
        ("", "map.yml: null where a mapping has keys"),
        ("columns: [x\n", "map.yml:2: no YAML: expected ',' or ']'"),
        ("columns: {question: item, agent: bot, answer: vote}\ncolumns: {question: item}\n", "map.yml:2: no YAML: columns stands twice"),
        ("columns: {question: item, agent: bot, answer: no}\n", "columns.answer is true or false (write the name of a column, in quotes)"),
        (
            "columns: {question: item, agent: bot, answer: vote}\nfirst_round: true\n",
            "first_round is true or false; it has to be a whole number",
        ),
        ("columns: {question: item, agent: bot, answer: vote}\nunparsed: N/A\n", "unparsed is a text; it has to be a list"),
        ("columns: {question: item, agent: bot, answer: vote}\nabsent: [no]\n", "absent holds true or false, cells are texts (write"),
        ("columns: {question: item, agent: bot, answer: vote}\nabsent: [[a]]\n", "absent holds a list (write"),
        ("columns: {question: item, agent: bot, answer: vote}\noptions: [A, n]\n", "options holds what is no capital letter (write"),
        ("a: " + "[" * 2000, "map.yml: no YAML that can be read"),
        ("when: 2020-13-45\n", "map.yml: no YAML that can be read: month must be in 1..12"),
    ],
    ids=range(11),
)
def test_mappings_say_what_is_wrong(here: Path, mapping: str, message: str) -> None:
    table = put(Path(), "table")
    done = run(here, "table", table, "--map", write(here / "map.yml", mapping))
    assert done.exit_code == 1 and message in done.errors and one_line(done.errors), done.errors


def test_numbers_need_the_profile_that_reads_them(tmp_path: Path) -> None:
    """Asked for, it is an error; told by the log, the debate is rejected. Labels of a table are read by no profile."""
    file = write(tmp_path / "gsm_1_1.json", {"?": [[context("4")], 4], "x": [[context("(A)")], "A"]})
    for kind in ("number", "yes_no"):
        errors = run(tmp_path, "du", file, "--kind", kind, "--profile", "published").errors
        assert f"--kind {kind} --profile published: only the profile robust reads numbers and yes/no: take that" in errors
    done = run(tmp_path, "du", file, "--profile", "published")
    assert done.reasons == ["the profile published reads no numbers"] and done.receipt["rejections"][0]["mend"] == "--profile robust does"
    assert len(done.lines) == 1
    csv = write(tmp_path / "v.csv", "item,bot,vote\nq,a,4\n")
    mapping = write(tmp_path / "map.yml", SIMPLE_MAP)
    assert run(tmp_path, "table", csv, "--map", mapping, "--profile", "published", "--benchmark", "gsm8k").lines


def test_round_numbers_that_are_none(tmp_path: Path) -> None:
    """A time or an identifier where a round should stand fills no memory, and digits without end are no traceback."""
    for text in ("1000000000", "9" * 5000, "--1", "1.5", "²", ""):
        csv = write(tmp_path / "v.csv", f"item,bot,vote,turn\nq,a,4,{text}\nr,a,4,0\n")
        mapping = write(tmp_path / "map.yml", SIMPLE_MAP.replace("}", ", round: turn}"))
        assert [r["question_id"] for r in run(tmp_path, "table", csv, "--map", mapping, "--kind", "number").lines] == ["r"], text
        log = inspect_log(
            sample(1, 1, "x", store={"t": [{"who": "a", "r": text, "says": "ANSWER: A"}]}), sample(2, 1, "x", store={"t": []})
        )
        solver = write(tmp_path / "solver.yml", "agents: store.t\nagent: who\nround: r\ntext: says\n")
        assert (
            run(tmp_path, "inspect", write(tmp_path / "x.json", log), "--map", solver)
            .reasons[0]
            .startswith("entry 0: r is no whole number")
        )
        logs = change_logs(tmp_path / "logs", "s1,m1,B,[1]\ns2,m1,B,[]\n", f"s1,m1,{text},A,B\n", "sample,correct_label\ns1,B\ns2,B\n")
        assert [r["question_id"] for r in run(tmp_path, "changes", logs).lines] == ["logs_s2"]
        write(logs / "meta.csv", f"sample,correct_label,n_rounds\ns1,B,1\ns2,B,{text or 'x'}\n")
        assert "logs/meta.csv:3: the number of rounds is none" in run(tmp_path, "changes", logs).reasons
    assert "--rounds 1001" in run(tmp_path, "changes", logs, "--rounds", "1001").errors


def test_inspect_an_epoch_that_cannot_be_read_rejects_its_panel(tmp_path: Path) -> None:
    """The panel would be another one without it. An epoch that failed is absent, whatever stands in it."""
    shuffled = {"plan": {"steps": [{"params": {"shuffle": True}}]}}
    log = inspect_log(
        sample(1, 1, "x", "A"), sample(1, 2, "x"), sample(2, 1, "x", "A"), sample(2, 2, None, error={"message": "timeout"}), **shuffled
    )  # fmt: skip
    done = run(tmp_path, "inspect", write(tmp_path / "x.json", log))
    assert [(r["question_id"], panels(r)) for r in done.lines] == [("plants_2", [{"1": "A"}])]
    assert done.reasons == ["record 2, another epoch: the options were shuffled and the scorer keeps no answer"]


def test_inspect_mappings_that_find_nothing(tmp_path: Path) -> None:
    """The names that are there are shown."""
    turns = [{"role": "assistant", "speaker": "a", "says": "ANSWER: A"}]
    file = write(tmp_path / "x.json", inspect_log(sample(1, 1, "x", store={"debate": {"turns": turns}})))
    base = "agents: store.debate.turns\nagent: speaker\ntext: says\n"
    for mapping, reason in (
        (base.replace("store.debate.turns", "store.talk"), "no list under store.talk (there are: debate)"),
        (base.replace("speaker", "name"), "entry 0 without name (there are: role, speaker, says)"),
        (base + "where: {role: asistant}\n", "no entry fits `where` (there are: role, speaker, says)"),
    ):
        assert run(tmp_path, "inspect", file, "--map", write(tmp_path / "m.yml", mapping)).reasons == [reason]


# Receipts ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source_format", ONE_OF_EACH)
def test_receipts_tell_files_of_one_name_apart(here: Path, source_format: str) -> None:
    """Two logs of the same names in two folders: names and paths as they were typed, none of them absolute, and those of the lines."""
    files, _, extra = ONE_OF_EACH[source_format]
    typed = [put(Path(folder), source_format) for folder in ("one", "two")]
    for name, content in files.items():
        # Another content, so that it is no copy.
        target = Path("two") / name
        others = {"changes": content.replace("s1", "s2"), "table": content.replace("ada", "eve")}
        target.write_text(others.get(source_format, content + " \n"))
    done = run(here, source_format, *typed, *extra)
    assert len(done.lines) == 2
    inputs = done.receipt["inputs"]
    assert len({i["file"] for i in inputs}) == len({i["path"] for i in inputs}) == len(inputs) == 2 * len(files)
    assert {i["path"] for i in inputs} == {f"{folder}/{name}" for folder in ("one", "two") for name in files}
    assert {r["source_file"] for r in done.lines} <= {i["file"] for i in inputs}
    assert [i["sha256"] for i in inputs] == [hashlib.sha256(Path(i["path"]).read_bytes()).hexdigest() for i in inputs]
    # Paths from the root on are nobody's business.
    absolute = run(here, source_format, *(here / t for t in typed), *extra[:3], *(here / e for e in extra[3:]))
    assert absolute.text == done.text and str(here) not in json.dumps(absolute.receipt)
    assert [i["file"] for i in absolute.receipt["inputs"]] == [i["file"] for i in inputs]


def test_receipts_are_no_logs_for_anyone() -> None:
    """What is written as a receipt, of an import that failed too, is what landing leaves out."""
    assert RECEIPT_ENDING == RECEIPT_SUFFIX
    assert all(receipt_path(Path("x.jsonl"), came_in).name.endswith(RECEIPT_SUFFIX) for came_in in (True, False))


def test_names_that_are_no_utf8(here: Path) -> None:
    """A file's name may be any bytes: it stands in the receipt and on the terminal as escapes."""
    name = os.fsdecode(b"caf\xe9_1_1.json")
    Path(name).write_text(json.dumps(FIRST))
    done = run(here, "du", name)
    assert len(done.lines) == 1 and done.receipt["inputs"][0]["file"] == name
    Path(name).write_text("{")
    assert "rejected caf\\udce9_1_1.json:1: no JSON" in imported(here, "du", name).stderr


def test_settings_that_are_wrong(tmp_path: Path) -> None:
    file = write(tmp_path / "mmlu_1_1.json", {QUESTION: [[context("(C)")], "B"]})
    for arguments, message in (
        (["--kind", "colour"], "--kind colour"),
        (["--profile", "best"], "--profile best"),
        (["--options", "abc"], "--options abc"),
        (["--rounds", "-1"], "--rounds"),
    ):
        done = run(tmp_path, "du", file, *arguments)
        assert message in done.errors and done.exit_code == 2
    wrong_place = CliRunner().invoke(main, ["import", "du", str(file), "--out", str(file / "x.jsonl")])
    assert wrong_place.exit_code == 2 and "is no folder" in wrong_place.output
    assert "name the output so" in CliRunner().invoke(main, ["import", "du", str(file), "--out", str(tmp_path / "x.json")]).output
    assert "nothing.json: no such file" in run(tmp_path, "du", tmp_path / "nothing.json").errors


def test_many_rejections_are_counted_on_the_screen(tmp_path: Path) -> None:
    done = run(tmp_path, "du", write(tmp_path / "x_1_1.json", [0] * 30 + [[[context("4", prompt="?")], 4]]))
    assert done.errors.count("rejected x_1_1.json") == 20 and "and 10 more" in done.errors and len(done.reasons) == 30


# Logs in the warehouse ---------------------------------------------------------------------------------------------------------------


def test_imported_debates_land_with_their_majorities(tmp_path: Path) -> None:
    """Lines of several formats in a ledger: none is rejected, panels and majorities are those of the lines, the receipts are no logs."""
    data = tmp_path / "data"
    data.mkdir()
    # A round in which every call failed stands between two others; an agent comes later; nobody is parsed at the end.
    letters = {QUESTION: [[context("(A)", None, "(B)"), context("(B)", None, "(B)"), context(None, None, "(B)")], "B"]}
    numbers = {"How many?": [[context("1,000", "9.0"), context("7", "nothing")], "#### 9"]}
    table = write(tmp_path / "votes.csv", "item,bot,vote,key\nq,ada,\\frac{1}{2},\\frac{1}{2}\nq,bob,[0;1),\\frac{1}{2}\n")
    mapping = write(tmp_path / "map.yml", "columns: {question: item, agent: bot, answer: vote, gold: key}\n")
    wanted: dict[str, list[tuple[int, str | None, int]]] = {}
    for number, (source_format, path, *extra) in enumerate(
        [
            ("du", write(tmp_path / "mmlu_3_3.json", letters)),
            ("du", write(tmp_path / "gsm_2_2.json", numbers)),
            ("table", table, "--map", mapping, "--kind", "label"),
        ]
    ):
        out = data / f"logs_{number}.jsonl"
        done = Imported(CliRunner().invoke(main, ["import", source_format, *map(str, [path, *extra]), "--out", str(out)]), out)
        for record in done.lines:
            parsed = [sum(a is not None for a in panel.values()) for panel in panels(record)]
            wanted[record["question_id"]] = [(r, m or None, n) for r, (m, n) in enumerate(zip(majorities(record), parsed, strict=True))]
    # By hand: a failed round has no majority, and a tie goes to the first label.
    assert sorted(wanted.values(), key=str) == [
        [(0, "1000", 2), (1, "9", 1)],
        [(0, "A", 2), (1, None, 0), (2, "B", 3)],
        [(0, "[0;1)", 2)],
    ]
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", "+int_panel_rounds", "+rejected_lines", "+stg_debates"]
    assert run_dbt(only, data=data, published=tmp_path / "none.duckdb", state=tmp_path / "state") == []
    with duckdb.connect(str(tmp_path / "state" / "work.duckdb"), read_only=True) as con:
        found: dict[str, list[tuple[int, str | None, int]]] = {}
        for question, *row in con.execute(
            """
            select question_id, round, majority, n_parsed
            from intermediate.int_panel_rounds inner join staging.stg_debates using (debate_id)
            order by debate_id, round
            """
        ).fetchall():
            found.setdefault(question, []).append(tuple(row))
        assert found == wanted
        assert con.execute("select count(*) from reconciliation.rejected_lines").fetchone() == (0,)
        assert con.execute("select count(*), min(status) from landing.raw_files").fetchone() == (3, "landed")
    assert not_taken_up(data) == []


GOOD_LOGS: dict[str, tuple[str, Any]] = {
    "du": ("mmlu_3_3.json", {QUESTION: [[context("(A)", "(B)"), context("(B)", "(B)")], "B"], "q2": [[context("4")], 4]}),
    "dylan": ("x_test_23.json", [[["(A)", None, None], ["(A)", "(B)", None]], [["(A)", None, None], ["(B)", None, None]]]),
    "peer-review": ("x_peer_review.json", [asked(context("(A)", "r", "r", "(B)"), context("(B)", "r", "r", "(B)"))]),
    "agora": ("x.json", [{"question": QUESTION, "answer": "B", "agent_response": {"m": ["(B)", None], "n": ["(C)", "(B)"]}}]),
    "ford": ("x_agreed.jsonl", [ford_row("q", [("a", "(A)"), ("b", "(B)"), ("a", "(B)")])]),
    "inspect": ("x.json", inspect_log(sample(1, 1, "ANSWER: A", "A"), sample(1, 2, "ANSWER: B"), plan={"steps": [{"params": {}}]})),
    "lm-eval": (
        "samples_x.jsonl",
        [
            {"doc_id": 0, "doc": {"choices": {"text": ["a", "b"]}}, "target": 1, "resps": [[[-1.0, False]], [[-2.0, True]]]},
            {"doc_id": 1, "doc": {}, "target": "4", "resps": [["4", "5"]], "filter": "x"},
        ],
    ),
    "table": ("x.jsonl", [{"item": "q", "run": 1, "turn": t, "bot": "a", "vote": "A", "key": "B", "engine": "m"} for t in (1, 2)]),
}  # fmt: skip
ODD_VALUES = [None, True, 0, -1, 1.5, "", [], {}, "x", [[]], {"a": 1}, float("nan"), "\ud800", 10**30, [None], ["A", "B"], "A" * 5]


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a value of JSON."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([place] if place else []), *(p for key, v in inner for p in places(v, (*place, key)))]


@pytest.mark.parametrize("source_format", GOOD_LOGS)
def test_odd_values_anywhere_are_rejected_or_imported(tmp_path: Path, source_format: str) -> None:
    """Each value of a good log replaced by odd ones, or taken out: no traceback, counts that add up, and lines that are valid."""
    name, log = GOOD_LOGS[source_format]
    folder = tmp_path / "table" / "round1_1"
    folder.mkdir(parents=True)
    mapping = write(tmp_path / "map.yml", MAPPING)
    file, out = folder / name, tmp_path / "out.jsonl"
    draw = random.Random(source_format)
    for place in places(log):
        for odd in draw.sample(ODD_VALUES, 3):
            changed = copy.deepcopy(log)
            holder = functools.reduce(lambda v, k: v[k], place[:-1], changed)
            if odd is None and draw.random() < 0.5:
                del holder[place[-1]]
            else:
                holder[place[-1]] = odd
            is_lines = isinstance(changed, list) and (name.endswith(".jsonl") or source_format == "dylan")
            file.write_text("".join(json.dumps(row) + "\n" for row in changed) if is_lines else json.dumps(changed))
            source = Source(
                [folder.parent if source_format == "ford" else file], Settings(mapping=mapping if source_format == "table" else None)
            )
            out.unlink(missing_ok=True)
            receipt = import_logs(source_format, source, out)
            lines = [json.loads(line) for line in out.read_text().splitlines()] if receipt.written else []
            told = json.loads(receipt.path.read_text())
            assert told["debates"]["read"] == len(lines) + sum(r.get("n", 1) for r in told["rejections"]), (place, odd)
            assert [p for line in lines for p in problems(line)] == [], (place, odd)


N, T = "a whole number", "a text"
MESSAGE = "it has to be a text, a list or null"
ANY_KEY = "a text, a number, true, false or null"
#: Format, a field of its good log, a value of a wrong type, and what is said of it.
WRONG_TYPES: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("du", ("q2",), 5, "a value that is a whole number"),
    ("du", ("q2",), [], "a value that is an empty list"),
    ("du", ("q2", 0), "x", "the first entry of the value is a text; it has to be a list"),
    ("du", ("q2", 0, 0), 5, "agent 1: messages is a whole number; it has to be a list"),
    ("du", ("q2", 0, 0, 1), "x", "agent 1: messages[1] is a text; it has to be an object"),
    ("du", ("q2", 0, 0, 1, "role"), 1, f"agent 1: messages[1].role is {N}; it has to be {T}"),
    ("du", ("q2", 0, 0, 1, "content"), 4, f"agent 1: messages[1].content is {N}; {MESSAGE}"),
    ("du", ("q2", 0, 0, 1, "content"), [4], f"a part of agent 1: messages[1].content is {N}; it has to be a text or an object"),
    ("du", ("q2", 0, 0, 1, "content"), [{"text": 4}], f"a part of agent 1: messages[1].content: text is {N}; it has to be a text or null"),
    ("du", ("q2", 1), {}, f"its second entry, the key, is an object; it has to be {ANY_KEY}"),
    ("du", ("q2",), {"contexts": 1}, f"contexts is {N}; it has to be a list"),
    ("du", ("q2",), {"contexts": [context("4")], "gold": [4]}, f"gold is a list; it has to be {ANY_KEY}"),
    ("dylan", (0,), {"a": 1}, "a line is an object; it has to be a list"),
    ("dylan", (0, 1), "(A)", "agent 2 is a text; it has to be a list"),
    ("dylan", (0, 1, 2), True, "the reply of agent 2 in round 2 is true or false; it has to be a text or null"),
    ("peer-review", (0,), 7, f"a record is {N}; it has to be an object"),
    ("peer-review", (0, "question"), 7, f"question is {N}; it has to be {T}"),
    ("peer-review", (0, "answer"), ["B"], f"answer is a list; it has to be {ANY_KEY}"),
    ("peer-review", (0, "agent_contexts"), {}, "agent_contexts is an object; it has to be a list"),
    ("peer-review", (0, "agent_contexts", 1), None, "agent_contexts[1] is null; it has to be a list"),
    ("peer-review", (0, "agent_contexts", 1, 1, "content"), 1.5, f"agent_contexts[1][1].content is a number; {MESSAGE}"),
    ("agora", (0,), "x", f"a record is {T}; it has to be an object"),
    ("agora", (0, "question"), ["x"], f"question is a list; it has to be {T}"),
    ("agora", (0, "answer"), {"a": 1}, f"answer is an object; it has to be {ANY_KEY}"),
    ("agora", (0, "agent_response"), [], "agent_response is a list; it has to be an object"),
    ("agora", (0, "agent_response"), {" ": ["(B)"]}, "an agent without a name in agent_response"),
    ("agora", (0, "agent_response", "n"), "(B)", "the reply of agent 2 in agent_response is a text; it has to be a list"),
    ("agora", (0, "agent_response", "n", 1), 4, f"the reply of agent 2 in round 1 is {N}; it has to be a text or null"),
    ("ford", (0,), [], "a row is a list; it has to be an object"),
    ("ford", (0, "Q"), None, f"Q is null; it has to be {T}"),
    ("ford", (0, "O"), 5, f"O is {N}; it has to be a text or null"),
    ("ford", (0, "O"), ["(A) it rains"], "O is a list; it has to be a text or null"),
    ("ford", (0, "A"), 1, f"A is {N}; it has to be a text or null"),
    ("ford", (0, "P"), "x", "P is a text; it has to be a list"),
    ("ford", (0, "P", 2), 1, f"P[2] is {N}; it has to be a text or null"),
    ("ford", (0, "M"), None, "M is null; it has to be a list"),
    ("ford", (0, "M", 3), {}, "M[3] is an object; it has to be a text or null"),
    ("inspect", ("samples", 0), 5, f"a sample is {N}; it has to be an object"),
    ("inspect", ("samples", 0, "id"), [1], "id is a list; it has to be a text or a whole number"),
    ("inspect", ("samples", 0, "epoch"), "1", f"epoch is {T}; it has to be {N}"),
    ("inspect", ("samples", 0, "choices"), {"A": "x"}, "choices is an object; it has to be a list or null"),
    ("inspect", ("samples", 0, "choices", 1), ["x"], "choice 2 is a list; it has to be a text or a number"),
    ("inspect", ("samples", 0, "target"), {}, "target is an object; it has to be a text, a number, true, false, null or a list"),
    ("inspect", ("samples", 0, "target"), [["A"]], f"an entry of target is a list; it has to be {ANY_KEY}"),
    ("inspect", ("samples", 0, "output"), "x", f"output is {T}; it has to be an object or null"),
    ("inspect", ("samples", 0, "output", "completion"), 4, f"output.completion is {N}; it has to be a text, a list or null"),
    ("inspect", ("samples", 0, "scores"), [1], "scores is a list; it has to be an object or null"),
    ("inspect", ("samples", 0, "scores", "choice"), "C", f"scores.choice is {T}; it has to be an object or null"),
    ("inspect", ("samples", 0, "scores", "choice", "answer"), ["A"], f"scores.choice.answer is a list; it has to be {ANY_KEY}"),
    ("inspect", ("samples", 0, "attachments"), [], "attachments is a list; it has to be an object or null"),
    ("inspect", ("eval",), "x", f"eval is {T}; it has to be an object"),
    ("inspect", ("eval", "task"), 1, f"eval.task is {N}; it has to be a text or null"),
    ("inspect", ("eval", "model"), {}, "eval.model is an object; it has to be a text or null"),
    ("inspect", ("samples",), {}, "the JSON begins with an object where a list should stand"),
    ("lm-eval", (1,), "x", f"a row is {T}; it has to be an object"),
    ("lm-eval", (1, "doc_id"), 1.5, "doc_id is a number; it has to be a text or a whole number"),
    ("lm-eval", (1, "doc"), [], "doc is a list; it has to be an object or null"),
    ("lm-eval", (1, "target"), {}, "target is an object; it has to be a text, a number, true, false, null or a list"),
    ("lm-eval", (1, "target"), [["4"]], f"target[0] is a list; it has to be {ANY_KEY}"),
    ("lm-eval", (1, "resps"), "4", f"resps is {T}; it has to be a list"),
    ("lm-eval", (1, "resps", 0), "4", f"resps[0] is {T}; it has to be a list"),
    ("lm-eval", (1, "resps", 0, 1), 5, f"resps[0][1] is {N}; it has to be a text or null"),
    ("lm-eval", (0, "resps", 1, 0), "b", "requests without one log-likelihood each"),
    ("lm-eval", (1, "filter"), 1, f"filter is {N}; it has to be a text or null"),
    ("table", (0,), [1], "a row is a list; it has to be an object"),
    ("table", (0, "item"), 1.5, "item is a number; it has to be a text or a whole number"),
    ("table", (0, "run"), [1], "line 1: run is a list; it has to be a text, a number or null"),
    ("table", (0, "turn"), "one", "line 1: the round is no whole number from 1 on"),
    ("table", (0, "bot"), True, "line 1: bot is true or false; it has to be a text, a whole number or null"),
    ("table", (0, "vote"), {"a": 1}, f"line 1: vote is an object; it has to be {ANY_KEY}"),
    ("table", (0, "key"), ["B"], f"line 1: key is a list; it has to be {ANY_KEY}"),
    ("table", (0, "engine"), False, "line 1: engine is true or false; it has to be a text, a number or null"),
]  # fmt: skip


@pytest.mark.parametrize("source_format, place, odd, reason", WRONG_TYPES)
def test_a_wrong_type_is_a_rejected_debate(tmp_path: Path, source_format: str, place: tuple[Any, ...], odd: Any, reason: str) -> None:
    """The message names file, line, field, what was found and what is expected, and shows nothing of the value."""
    name, log = GOOD_LOGS[source_format]
    changed = copy.deepcopy(log)
    holder = functools.reduce(lambda v, k: v[k], place[:-1], changed)
    holder[place[-1]] = odd
    file = tmp_path / "table" / "round1_1" / name
    is_lines = isinstance(changed, list) and (name.endswith(".jsonl") or source_format == "dylan")
    write(file, "".join(json.dumps(row) + "\n" for row in changed) if is_lines else json.dumps(changed))
    extra = ["--map", write(tmp_path / "map.yml", MAPPING)] if source_format == "table" else []
    done = run(tmp_path, source_format, tmp_path / "table" if source_format == "ford" else file, *extra)
    rejections = done.receipt["rejections"]
    assert any(r["reason"].startswith(reason) for r in rejections), [r["reason"] for r in rejections]
    assert all(r["file"].endswith(name) and r["mend"] and (r.get("line") or r.get("record")) for r in rejections)


# Validation --------------------------------------------------------------------------------------------------------------------------


def canonical(**changed: Any) -> dict[str, Any]:
    return {
        "schema": "debate-ledger/1",
        "question_id": "q1",
        "task_kind": "choice",
        "options": ["A", "B"],
        "correct_label": "B",
        "initial_states": [{"agent_id": "1", "answer": "A", "round_num": 0}, {"agent_id": "2", "answer": None, "round_num": 0}],
        "round_traces": [[{"agent_id": "1", "answer": "B", "round_num": 1}]],
        "source_format": "du",
        "source_file": "f.json",
        "source_record": 1,
        **changed,
    }


AGENT = {"agent_id": "1", "answer": "A"}


@pytest.mark.parametrize(
    "changed, what",
    [
        ({"schema": "debate-ledger/2"}, "schema: is not debate-ledger/1"),
        ({"question_id": " "}, "question_id: is blank"),
        ({"question_id": " q1"}, "question_id has white space around it"),
        ({"initial_states": []}, "initial_states: is empty"),
        ({"initial_states": [{"agent_id": 1, "answer": "A"}]}, "initial_states.0.agent_id: is no string"),
        ({"initial_states": [{"agent_id": "1"}]}, "initial_states.0: answer missing"),
        ({"initial_states": [AGENT, AGENT]}, "round 0: agents that stand twice: 1"),
        ({"initial_states": [AGENT | {"carried": True}]}, "round 0: an answer is carried"),
        ({"round_traces": [[AGENT | {"round_num": 2}]]}, "round 1: round_num says 2"),
        ({"round_traces": [[AGENT], []]}, "round 2: nobody was asked"),
        ({"n_rounds": 0}, "n_rounds is 0, 1 rounds were held"),
        ({"correct_label": "C"}, "correct_label: a label that is none of the options"),
        ({"correct_label": "b"}, "correct_label: a label that is not written"),
        ({"task_kind": "number", "correct_label": "9.0"}, "correct_label: a label that is not written"),
        ({"task_kind": "colour"}, "task_kind: is none of choice, number, yes_no, label"),
    ],
)
def test_validate_says_what_is_wrong(tmp_path: Path, changed: dict[str, Any], what: str) -> None:
    file = jsonl(tmp_path / "mine.jsonl", canonical(question_id="q0", source_record=7), canonical(**changed))
    result = CliRunner().invoke(main, ["validate", str(file)])
    assert result.exit_code == 1 and f"mine.jsonl:2: {what}" in result.output
    assert "mine.jsonl:1:" not in result.output


def test_validate_across_lines(tmp_path: Path) -> None:
    file = jsonl(
        tmp_path / "a.jsonl", canonical(), canonical(source_record=2), "{", canonical(source_record=3, correct_label="A"), canonical()
    )
    result = CliRunner().invoke(main, ["validate", str(file)])
    assert result.exit_code == 1 and "4 lines" not in result.output and "5 lines" in result.output
    assert "a.jsonl:3: no JSON" in result.output and "a.jsonl:4: another key for the same question" in result.output
    assert "a.jsonl:5: the same record" in result.output and "a.jsonl:2" not in result.output
    good = CliRunner().invoke(main, ["validate", str(jsonl(tmp_path / "b.jsonl", canonical()))])
    assert good.exit_code == 0 and "1 lines, nothing to mend" in good.output
    assert CliRunner().invoke(main, ["validate", str(jsonl(tmp_path / "c.jsonl"))]).exit_code == 1


def test_validate_counts_a_problem_once(tmp_path: Path) -> None:
    """Every missing key is one problem, and so is every key that is not known, whatever the checker makes of an object."""
    lacking = {
        k: v for k, v in canonical(coder={"version": "1", "profile": "x", "a": 1, "b": 2}).items() if k not in ("task_kind", "schema")
    }
    file = jsonl(tmp_path / "a.jsonl", {}, lacking, canonical(source_record=2, initial_states=[{}], coder={}))
    result = CliRunner().invoke(main, ["validate", str(file)])
    told = [line.partition("a.jsonl:")[2].partition(" (")[0] for line in result.output.splitlines()[:-1]]
    required = [
        "schema", "question_id", "task_kind", "correct_label", "initial_states", "round_traces", "source_format", "source_file",
        "source_record",
    ]  # fmt: skip
    assert [t for t in told if t.startswith("1:")] == [f"1: the line: {key} missing" for key in required]
    assert [t for t in told if t.startswith("2:")] == [
        "2: the line: schema missing", "2: the line: task_kind missing", "2: coder: a is no key of it", "2: coder: b is no key of it",
    ]  # fmt: skip
    assert [t for t in told if t.startswith("3:")] == [
        "3: coder: version missing", "3: coder: profile missing", "3: initial_states.0: agent_id missing",
        "3: initial_states.0: answer missing",
    ]  # fmt: skip
    assert len(told) == len(set(told)) == 17 and "17 problems in 3 lines" in result.output
    twice = CliRunner().invoke(main, ["validate", *[str(jsonl(tmp_path / "b.jsonl", canonical()))] * 2])
    assert twice.exit_code == 1 and "1 problems in 1 lines" in twice.output and "the same file as" in twice.output


def test_validate_shows_no_text_of_a_log(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "mine.jsonl", canonical(correct_label=["a secret text"], reasoning="x"))
    assert "secret" not in CliRunner().invoke(main, ["validate", str(file)]).output


# Answers -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, kind, expected",
    [
        ("9.0", "number", "9"), (9.0, "number", "9"), ("009", "number", "9"), ("1,234.50", "number", "1234.5"), ("-0", "number", "0"),
        ("$18", "number", "18"), ("-$5", "number", "-5"), ("50%", "number", "50"), ("1e3", "number", "1000"), ("6/8", "number", "0.75"),
        ("\\frac{1}{3}", "number", "1/3"), ("why\n#### 42", "number", "42"), ("−3", "number", "-3"), (".5", "number", "0.5"),
        ("3,5", "number", None), ("1/0", "number", None), ("nan", "number", None), (float("nan"), "number", None),
        ("1e999999999", "number", None), ("nine", "number", None), (True, "number", None), ("", "number", None), (None, "number", None),
        ("(b)", "choice", "B"), ("**C.**", "choice", "C"), ("AB", "choice", None), ("1", "choice", None), (["A"], "choice", None),
        ("True", "yes_no", "yes"), (False, "yes_no", "no"), ("No.", "yes_no", "no"), ("maybe", "yes_no", None),
        (" Neutral. ", "label", "neutral"), ("$X_1$", "label", "x_1"), ("\\boxed{\\text{Blue}}", "label", "blue"),
        ("\\Pi", "label", "\\Pi"),
        ("  ", "label", None),
    ],
)  # fmt: skip
def test_answers_have_one_spelling(text: object, kind: str, expected: str | None) -> None:
    assert normalise_answer(text, kind) == expected
    # What is normalised stays as it is.
    assert expected is None or normalise_answer(expected, kind) == expected


@given(st.fractions(max_denominator=1000))
def test_numbers_mean_what_they_say(value: Any) -> None:
    from fractions import Fraction

    written = normalise_answer(f"{value.numerator}/{value.denominator}", "number")
    assert written is not None and Fraction(written) == value and normalise_answer(written, "number") == written


@given(st.text(max_size=40), st.sampled_from(["choice", "number", "yes_no", "label"]))
def test_normalising_twice_changes_nothing(text: str, kind: str) -> None:
    once = normalise_answer(text, kind)
    assert once is None or normalise_answer(once, kind) == once


def test_kinds_and_options() -> None:
    with pytest.raises(ValueError, match="no kind"):
        normalise_answer("A", "letter")
    assert [kind_of(g) for g in ("B", "12", 3, "Yes", True, "blue", None, float("inf"))] == [
        "choice", "number", "number", "yes_no", "yes_no", "label", None, None,
    ]  # fmt: skip
    assert kind_of(None, "MMLU_law") == "choice" and kind_of(None, "gsm8k") == "number" and kind_of("x", has_options=True) == "choice"
    assert options_in(QUESTION) == tuple("ABCD") and options_in("(A) rain (B) snow") == ("A", "B")
    assert options_in("A. one B. two") == ("A", "B") and options_in("Only A) here") is None and options_in(None) is None
    assert short_label("Final answer: Neutral") == ("neutral", "stated") and short_label("two\nlines") == (None, None)
    assert short_label("<think>\\boxed{x}</think>\nAnswer: y") == ("y", "stated") and short_label("<think>x") == (None, None)


# Streaming ---------------------------------------------------------------------------------------------------------------------------

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON_VALUES, max_size=5), st.integers(1, 40), st.booleans())
def test_a_stream_reads_what_json_reads(values: list[Any], chunk: int, is_ascii: bool) -> None:
    """Whatever the size of the pieces: lists, objects, and a list inside an object."""
    data = json.dumps(values, indent=1, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    stream = JsonStream(io.BytesIO(data), chunk=chunk)
    assert [stream.value() for _ in stream.items()] == values and stream.peek() == ""
    assert stream.line == data.count(b"\n") + 1
    named = {f"k{n}": v for n, v in enumerate(values)}
    stream = JsonStream(io.BytesIO(json.dumps(named).encode()), chunk=chunk)
    assert {key: stream.value() for key in stream.members()} == named


@given(st.lists(JSON_VALUES, min_size=1, max_size=4), st.integers(1, 40), st.data())
def test_a_stream_that_is_cut_gives_what_stands_before(values: list[Any], chunk: int, data: st.DataObject) -> None:
    text = json.dumps(values)
    cut = data.draw(st.integers(0, len(text) - 1))
    stream, found = JsonStream(io.BytesIO(text[:cut].encode()), chunk=chunk), []
    with pytest.raises(BrokenFile):
        for _ in stream.items():
            found.append(stream.value())
    # A number that is cut is read as a shorter number, but then no comma and no bracket follows it.
    assert found[: len(found) - 1] == values[: max(len(found) - 1, 0)] and len(found) <= len(values)


def test_a_stream_holds_one_value_at_a_time() -> None:
    """A file of 64 MB of trials, of which less than 4 MB are held."""

    class Endless(io.RawIOBase):
        left = 64

        def read(self, n: int = -1) -> bytes:
            self.left -= 1
            return (
                (b"[" if self.left == 63 else b"") + b'{"a": "' + b"x" * (2**20 - 20) + b'"}' + (b"," if self.left else b"]")
                if self.left >= 0
                else b""
            )

    stream = JsonStream(Endless())  # type: ignore[arg-type]
    longest = 0
    for _ in stream.items():
        stream.value()
        longest = max(longest, len(stream._text))
    assert stream.peek() == "" and longest < 4 * 2**20


def test_a_value_without_an_end_is_not_held(tmp_path: Path) -> None:
    stream = JsonStream(io.BytesIO(b'["' + b"x" * 10_000), limit=1000, chunk=100)
    with pytest.raises(BrokenFile, match="longer than 1,000"):
        for _ in stream.items():
            stream.value()
    lines = list(json_lines(io.BytesIO(b'"' + b"x" * 5000 + b'"\n1\n'), limit=1000))
    assert lines[0][2] is not None and lines[1] == (2, 1, None)


def test_csv_and_lines_say_where(tmp_path: Path) -> None:
    assert [(n, w is None) for n, _, w in csv_rows(io.BytesIO(b"\xef\xbb\xbfa,b\n1,2\n\n1\n"))] == [(2, True), (4, False)]
    with pytest.raises(BrokenFile, match="stand twice"):
        list(csv_rows(io.BytesIO(b"a,a\n")))
    with pytest.raises(BrokenFile, match="UTF-8"):
        list(csv_rows(io.BytesIO(b"a,b\n\xff,1\n")))
    assert [(n, v) for n, v, w in json_lines(io.BytesIO(b"\xef\xbb\xbf1\r\n\r\n\xff\n2"))] == [(1, 1), (3, None), (4, 2)]


@pytest.mark.parametrize("packed", [False, True])
def test_progress_and_packed_files(tmp_path: Path, packed: bool) -> None:
    """The share that was read rises to all of it; a packed file whose bytes are damaged is told, wherever."""
    data = json.dumps([random.Random(1).randbytes(2000).hex() for _ in range(1000)]).encode()
    file = tmp_path / ("x.json.gz" if packed else "x.json")
    file.write_bytes(gzip.compress(data) if packed else data)
    shares: list[float] = []
    with opened(file, lambda path, share: shares.append(share)) as stream:
        json_stream = JsonStream(stream)
        assert sum(1 for _ in json_stream.items() if json_stream.value()) == 1000
    assert len(shares) >= 2 and shares == sorted(shares) and shares[0] > 0 and shares[-1] <= 1
    if packed:
        whole = file.read_bytes()
        for damaged in (whole[: len(whole) // 2], whole[:1000] + bytes(1000) + whole[2000:], data):
            file.write_bytes(damaged)
            with pytest.raises(BrokenFile, match="gzip"), opened(file) as stream:
                while stream.read(2**16):
                    pass


def test_a_spool_keeps_order() -> None:
    with Spool() as spool:
        for key, value in [("b", 1), ("a", 2), ("b", 3)]:
            spool.add([key], value)
        assert list(spool.groups()) == [(["b"], [1, 3]), (["a"], [2])]
        assert not spool.has_seen("x")
        spool.see("x")
        assert spool.has_seen("x") and spool.value("k", "1") == "1" and spool.value("k", "2") == "1"


def test_what_the_page_shows_is_there() -> None:
    page = (ROOT / "docs" / "import.md").read_text()
    for source_format in IMPORT_FORMATS:
        assert f"## {source_format}" in page and f"ledger import {source_format} " in page, source_format
    schema = json.loads((ROOT / "python" / "debate_ledger" / "schemas" / "canonical_debate.schema.json").read_text())
    missing = [key for key in [*schema["properties"], *schema["$defs"]["panel"]["items"]["properties"]] if f"`{key}`" not in page]
    assert missing == []


# Probe logs hold no debates, and have tests of their own.
@pytest.mark.parametrize("source_format", [f for f in IMPORT_FORMATS if f != "probes"])
def test_the_logs_to_paste_come_in(here: Path, source_format: str) -> None:
    """Every section of docs/import.md shows a log as it has to look: each is imported as the page says, and nothing is rejected."""
    page = (ROOT / "docs" / "import.md").read_text()
    section = page.partition(f"\n## {source_format}\n")[2].partition("\n## ")[0]
    shown = re.findall(r"`([\w/]+\.[a-z]+)`:\n\n```\w+\n(.*?)```", section, re.DOTALL)
    if source_format == "dylan":
        # The flags are named in one sentence with their log.
        logs, flags = re.findall(r"```(?:json|text)\n(.*?)```", section, re.DOTALL)
        shown = [("law_test_33.json", logs), ("law_test_33.txt", flags)]
    for name, content in shown:
        write(here / name, content)
    wanted: dict[str, list[tuple[list[str], list[Panels]]]] = {
        "du": [
            (["mmlu_2_2.json"], [[{"1": "A", "2": "B"}, {"1": "B", "2": "B"}]]),
            (["math_2_1.json"], [[{"1": "14", "2": "15"}], [{"1": "4"}], [{"1": "6"}]]),
        ],
        "dylan": [(["law_test_33.json"], [[{"1": "A", "2": "B", "3": "B"}, {"1": "B", "2": "B"}], [{"1": "C", "2": "C", "3": "C"}]])],
        "peer-review": [(["gsm8k_peer_review.json"], [[{"1": "9"}, {"1": "9"}]])],
        "ford": [(["my_table"], [[{"1": "A", "2": "B", "3": "B"}, {"1": "B", "2": "B", "3": "B"}]])],
        "changes": [(["my_logs"], [[{"m1": "me", "m2": "my friend"}, *[{"m1": "my friend", "m2": "my friend"}] * 2]])],
        "agora": [(["agora_mmlu.json"], [[{"model-one": "A", "model-two": "B"}, {"model-one": "B"}]])],
        "inspect": [
            (["my_debates.json"], [[{"1": "B", "2": "A"}]]),
            (["my_debates.json", "--map", "map.yml"], [[{"pro": "A", "con": "B"}, {"pro": "B"}], [{"pro": "A"}]]),
        ],
        "lm-eval": [(["samples_gsm8k.jsonl"], [[{"1": "9", "2": "9", "3": "6"}], [{"1": "B"}]])],
        "table": [
            (["votes.csv", "--map", "votes.yml"], [[{"ada": "A", "bob": "B"}, {"ada": "B"}]]),
            (["answers.jsonl", "--map", "eot.yml"], [[{"1": "A", "2": "B", "3": "A"}]]),
        ],
        "messages": [
            (["group_chats.jsonl"], [[{"Ada": "B", "Bob": "A", "Cyd": "B"}, {"ada-agent": "A", "Cyd": "A"}]]),
            (["group_chats.jsonl", "--map", "chats.yml"], [[{"Ada": "B", "Bob": "A", "Cyd": "B"}, {"Ada": "A", "Cyd": "A"}]]),
        ],
    }
    for arguments, debates in wanted[source_format]:
        done = run(here, source_format, *arguments)
        assert [panels(r) for r in done.lines] == debates and done.reasons == []
        # A wrong end tells no key.
        assert done.receipt["debates"]["without_key"] == (source_format == "dylan")


@pytest.mark.parametrize(
    ("source_format", "name", "log"),
    [
        ("peer-review", "x_debate.json", '[{"question": "q?", "answer": "42", "answer": "41", "agent_contexts": []}]'),
        ("agora", "x.json", '[{"question": "q?", "answer": "42", "agent_response": {"m1": ["42"], "m1": ["41"]}}]'),
        ("du", "x_1_1.json", '{"q?": [[[{"role": "user", "content": "?", "content": "!"}]], "42"]}'),
        ("lm-eval", "samples_x.jsonl", '{"doc_id": 0, "doc_id": 1, "doc": {}, "target": "3", "resps": [["3"]]}'),
        ("table", "x.jsonl", '{"item": "q", "run": 1, "turn": 1, "bot": "a", "vote": "A", "vote": "B", "key": "B", "engine": "m"}'),
    ],
)
def test_a_key_that_stands_twice_rejects_its_record(tmp_path: Path, source_format: str, name: str, log: str) -> None:
    """The last value would win otherwise, and the first would be lost without a word."""
    extra = ["--map", write(tmp_path / "map.yml", MAPPING)] if source_format == "table" else []
    done = run(tmp_path, source_format, write(tmp_path / name, log), *extra)
    assert done.exit_code == 1 and "stands twice in one object (keep one of the two)" in done.errors


def test_a_row_without_a_question_may_be_of_any_debate(tmp_path: Path) -> None:
    rows = [{"item": "q", "run": 1, "turn": 1, "bot": bot, "vote": "A", "key": "B", "engine": "m"} for bot in "abc"]
    lines = [json.dumps(row) for row in rows]
    file = write(tmp_path / "x.jsonl", "\n".join([lines[0], lines[1][:-1], lines[2]]) + "\n")
    done = run(tmp_path, "table", file, "--map", write(tmp_path / "map.yml", MAPPING))
    assert done.receipt["debates"] | {"without_key": 0} == {"read": 2, "written": 1, "rejected": 1, "without_key": 0}
    assert "x.jsonl:2" in done.errors and "any debate of the file may lack them" in done.errors


def test_more_rounds_than_the_name_of_the_file_tells(tmp_path: Path) -> None:
    """They are kept, and what the name says of rounds is not."""
    log = {QUESTION: [[context("(A)", "(B)", "(B)"), context("(B)", "(B)", "(B)")], "B"]}
    done = run(tmp_path, "du", write(tmp_path / "x_2_1.json", log))
    (record,) = done.lines
    assert len(record["round_traces"]) == 2 and "n_rounds" not in record
    assert "more rounds than the 0 that the name of their file tells" in done.errors


def test_the_command_for_a_pickle_leaves_the_log_as_it_is(tmp_path: Path) -> None:
    """It writes another file than any there is, also where what is pickled is no JSON, and quotes odd names."""
    file = tmp_path / "it's.p"
    file.write_bytes(pickle.dumps({"q": {1, 2}}))
    before = file.read_bytes()
    done = run(tmp_path, "du", file)
    command = done.errors.partition("import that: ")[2].splitlines()[0].rpartition(")")[0]
    assert command.startswith("python -c ")
    for _ in range(2):
        failed = subprocess.run(command.replace("python ", f"{sys.executable} ", 1), shell=True, cwd=tmp_path, capture_output=True)
        assert failed.returncode == 1 and file.read_bytes() == before


@pytest.mark.parametrize(
    ("source_format", "option"),
    [("du", "--mode"), ("agora", "--filter"), ("table", "--gold"), ("lm-eval", "--rounds"), ("ford", "--scorer"), ("dylan", "--map")],
)
def test_an_option_of_another_format_is_told(tmp_path: Path, source_format: str, option: str) -> None:
    """It would do nothing, and its user would believe that it did."""
    done = run(tmp_path, source_format, write(tmp_path / "x.json", "[]"), option, "1")
    assert done.exit_code == 2 and f"{option} is of the format " in done.errors and f"leave it out with {source_format}" in done.errors


def test_a_copy_that_another_editor_saved_is_taken_once(tmp_path: Path) -> None:
    """A byte order mark, carriage returns and line ends at the end are no debates; another text is."""
    rows = [{"question": f"q{i}?", "answer": "B", "agent_response": {"m": ["(B)"]}} for i in range(3)]
    text = json.dumps(rows, indent=1) + "\n"
    first = tmp_path / "agora_a.json"
    first.write_bytes(text.encode())
    for number, data in enumerate(
        (b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n").encode(), text.encode() + b"\n\n", text.encode()[:-1])
    ):
        again = tmp_path / f"agora_copy_{number}.json"
        again.write_bytes(data)
        done = run(tmp_path, "agora", first, again)
        assert done.receipt["debates"]["written"] == 3 and "the same content as" in done.errors, data
    again.write_bytes(text.replace("q2", "q9").encode())
    assert run(tmp_path, "agora", first, again).receipt["debates"]["written"] == 6


def test_a_log_of_another_format_is_told(tmp_path: Path) -> None:
    log = write(tmp_path / "x.json", [{"question": QUESTION, "answer": "B", "agent_response": {"m": ["(B)"]}}])
    assert "they look like the format agora: ledger doctor FOLDER gives the call" in run(tmp_path, "lm-eval", log).errors
    assert "look like" not in run(tmp_path, "agora", write(tmp_path / "y.json", [{"question": 1}])).errors
