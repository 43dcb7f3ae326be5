"""Keys that name an option by its letter, by its text, or by both: the options of the question decide, in every format that has them."""

import json
from pathlib import Path

import pytest
from test_importers import context, jsonl, panels, run, write

from debate_ledger.importers.debate import Coding, Settings, UnreadKey
from debate_ledger.importers.options import Options, options_in

LINE = "What floats? (A) stone (B) wood (C) iron (D) glass. Explain your reasoning and put the answer as (X)."
LINES = "What floats?\nA) stone\nB) wood\nC) iron\nD) None of the above\nGive the letter."
#: All of them are B.
KEYS = [
    "B", "b", "(b)", "(B) wood", "wood", "B) wood", "B. wood", "B: wood", "Option B", "option (B)", "The answer is B",
    "The correct answer is wood", "wood.", "Wood", "the correct option is B", " B ", "(B) wood (oak)",
]  # fmt: skip


def key(question: str | None, gold: object, **settings: object) -> tuple[str, str | UnreadKey | None]:
    """(kind, key) as the formats with a question's text read them."""
    coding = Coding(Settings(**settings))  # type: ignore[arg-type]
    options = coding.options_of(question, gold)
    kind = coding.kind(gold, None, options)
    return kind, coding.gold(gold, kind, options if kind == "choice" else None)


def test_the_texts_of_the_options_are_read_with_their_letters() -> None:
    assert options_in(LINES) == ("A", "B", "C", "D")
    assert options_in(LINES).texts == {"A": "stone", "B": "wood", "C": "iron", "D": "none of the above"}  # type: ignore[union-attr]
    assert options_in("(A) rain, (B) snow").texts == {"A": "rain", "B": "snow"}  # type: ignore[union-attr]


@pytest.mark.parametrize("gold", KEYS)
@pytest.mark.parametrize("question", [LINE, LINES])
def test_the_options_decide_what_a_key_names(question: str, gold: str) -> None:
    assert key(question, gold) == ("choice", "B")


@pytest.mark.parametrize(
    "question, gold, expected",
    [
        (LINE, "glass", "D"),
        (LINES, "None of the above", "D"),
        # The letter of one option beside the text of another, and what none of them is.
        (LINES, "B) iron", "the key is none of the options, or more than one"),
        (LINES, "steel", "the key is none of the options, or more than one"),
        ("Which? A) ice B) Ice C) snow", "ice", "the key is none of the options, or more than one"),
        # An article is no letter.
        (LINES, "A wood", "the key is none of the options, or more than one"),
        *[
            (q, g, "the key says that there is none (N/A, nan, none, …)")
            for q in (LINE, LINES)
            for g in ("N/A", "None", "nan", "null", "-")
        ],
        (LINES, "", None),
        (LINES, None, None),
    ],
)
def test_what_names_no_option_is_no_letter(question: str, gold: object, expected: str | None) -> None:
    kind, found = key(question, gold)
    assert kind == "choice" and (found.reason if isinstance(found, UnreadKey) else found) == expected


@pytest.mark.parametrize(
    "gold, kind, expected",
    [
        ("(B) wood", "choice", "B"), ("Option B", "choice", "B"), ("The answer is C", "choice", "C"), ("B) x", "choice", "B"),
        # What may be a name is one.
        ("B. Obama", "label", "b. obama"), ("A dog", "label", "a dog"), ("wood", "label", "wood"),
        (7, "number", "7"), ("yes", "yes_no", "yes"),
    ],
)  # fmt: skip
def test_keys_without_options(gold: object, kind: str, expected: str) -> None:
    assert key(None, gold) == (kind, expected)


def test_a_key_that_says_there_is_none_is_not_lost_and_a_word_is_a_label_where_labels_are_asked_for() -> None:
    for gold in ("N/A", "None", "unknown"):
        kind, found = key("How many?", gold, kind="number")
        assert kind == "number" and isinstance(found, UnreadKey) and not found.is_lost
    assert key("What is left?", "None", kind="label") == ("label", "none")


def test_options_of_the_command_line_keep_the_texts_of_the_question() -> None:
    assert key(LINES, "wood", options=tuple("ABCD")) == ("choice", "B")
    assert key("What floats?", "wood", options=tuple("ABCD"))[0] == "choice"
    assert Options("AB").named("a") == "A" and Options("AB").named("C") is None and Options("AB").named(None) is None


#: Ada states letters, Bob texts, Cyd nothing: B, B, none; then all of them B.
SAID = {"ada": ["The answer is (C).", "The answer is (B)."], "bob": ["The answer is wood.", "Answer: wood"], "cyd": ["Hm.", "(B)"]}
FOUND = [{"1": "C", "2": "B", "3": None}, {"1": "B", "2": "B", "3": "B"}]


def du(folder: Path, gold: str) -> list[str]:
    write(folder / "x_3_2.json", {LINES: [[context(*said) for said in SAID.values()], gold]})
    return ["du", "x_3_2.json"]


def peer_review(folder: Path, gold: str) -> list[str]:
    contexts = [context(first, "r", "r", second) for first, second in SAID.values()]
    write(folder / "mmlu_peer_review.json", [{"question": LINES, "answer": gold, "agent_contexts": contexts}])
    return ["peer-review", "mmlu_peer_review.json"]


def agora(folder: Path, gold: str) -> list[str]:
    write(folder / "agora_x.json", [{"question": LINES, "answer": gold, "agent_response": SAID}])
    return ["agora", "agora_x.json"]


def messages(folder: Path, gold: str) -> list[str]:
    turns = [{"name": name, "content": said[r]} for r in (0, 1) for name, said in SAID.items()]
    record = {"id": "d", "question": "What floats?", "choices": ["stone", "wood", "iron", "glass"], "answer": gold, "messages": turns}
    jsonl(folder / "chat.jsonl", record)
    write(folder / "chat.yml", "messages: messages\nagent: name\ncontent: content\nquestion: question\noptions: choices\ngold: answer\n")
    return ["messages", "chat.jsonl", "--map", "chat.yml"]


def table(folder: Path, gold: str) -> list[str]:
    rows = [
        {"item": LINES, "turn": r, "bot": name, "vote": said[r], "key": gold} for name, said in SAID.items() for r in (0, 1)
    ]  # fmt: skip
    jsonl(folder / "votes.jsonl", *rows)
    columns = "columns: {question: item, round: turn, agent: bot, text: vote, gold: key}\nquestion_is_text: true\n"
    write(folder / "votes.yml", columns)
    return ["table", "votes.jsonl", "--map", "votes.yml"]


@pytest.mark.parametrize("gold", ["B", "(B) wood", "wood", "B. wood"])
@pytest.mark.parametrize("log", [du, peer_review, agora, messages, table])
def test_every_format_reads_the_key_and_the_answers_as_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: object, gold: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (record,) = run(tmp_path, *log(tmp_path, gold)).lines  # type: ignore[operator]
    assert (record["task_kind"], record["correct_label"]) == ("choice", "B")
    assert [list(panel.values()) for panel in panels(record)] == [list(panel.values()) for panel in FOUND]


@pytest.mark.parametrize("log", [du, peer_review, agora, messages, table])
def test_a_key_that_is_none_of_the_options_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: object) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(tmp_path, *log(tmp_path, "steel"))  # type: ignore[operator]
    assert done.lines[0]["no_key"] == "unread" and "the key is none of the options, or more than one" in done.errors
    done = run(tmp_path, *log(tmp_path, "N/A"))  # type: ignore[operator]
    assert done.lines[0]["correct_label"] is None and "no_key" not in done.lines[0]
    assert "the key says that there is none (N/A, nan, none, …)" in done.errors


def test_ford_keys_name_the_options_of_their_row(tmp_path: Path) -> None:
    row = {
        "Q": "What floats?",
        "O": "(A) stone (B) wood (C) iron",
        "P": ["None", "None", "A", "wood", "B"],
        "M": ["None", "system", "x", "y", "x"],
    }
    for gold in ("(B)", "wood", "(B) wood"):
        table = tmp_path / gold.strip("()") / "x_y"
        jsonl(table / "round1_1" / "floats_agreed.jsonl", row | {"A": gold})
        (record,) = run(tmp_path, "ford", table).lines
        assert (record["task_kind"], record["correct_label"]) == ("choice", "B"), json.dumps(record)
        assert list(panels(record)[0].values()) == ["A", "B"]
