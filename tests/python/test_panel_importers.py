"""Logs of independent answers and of texts in which the prompt comes back, in the shapes that tools write; right values by hand."""

import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from conftest import FAILING
from test_importers import Imported, inspect_log, jsonl, panels, run, sample, write

from debate_ledger.cli import main
from debate_ledger.coder.asides import others
from debate_ledger.importers.echoes import own_part
from debate_ledger.importers.lm_targets import OF_LIKELIHOODS, Votes, readings
from debate_ledger.project import run_dbt

QUESTION = "Which bird can't fly, says the ranger's guide?\nA) the emu\nB) the \"swift\"\nC) the tern\nD) the gull"


def starts(done: Imported) -> list[list[str | None]]:
    """The answers of each line's first panel, in the order of the agents."""
    return [[a["answer"] for a in record["initial_states"]] for record in done.lines]


def keys(done: Imported) -> list[str | None]:
    return [record["correct_label"] for record in done.lines]


# Prompts that come back --------------------------------------------------------------------------------------------------------------

#: The conversation as Python prints it: with both kinds of quotation marks in it, with one kind, and of several turns.
PRINTED = f"USER: {[QUESTION + ' Choose (A), (B), (C) or (D).']!r} ASSISTANT: "
OTHERS = "Others say: The answer is (C). USER: hm ASSISTANT: (C)"
TURNS = f"USER: {[QUESTION]!r} ASSISTANT: The answer is (A). USER: {[OTHERS]!r} ASSISTANT: "


@pytest.mark.parametrize(
    "text, own",
    [
        (PRINTED, None),
        (PRINTED + "The answer is (B).", " The answer is (B)."),
        (TURNS, None),
        (TURNS + "(D)", " (D)"),
        (f"USER: {[QUESTION, 'And why?']!r} ASSISTANT: (B)", " (B)"),
        (f"USER: {[dict(role='user', content=QUESTION)]!r} ASSISTANT: (B)", " (B)"),
        # Marks that nobody escaped, and a list that breaks off: what it quotes is not the agent's.
        ("USER: ['It's A) or B), isn't it?'] ASSISTANT: B", " B"),
        ("USER: ['It's said: ASSISTANT: The answer is (A). What", None),
        (f"USER: {QUESTION} ASSISTANT:", None),
        (f"A chat with an assistant. {PRINTED}(C)", "(C)"),
        (f"<s> user: {[QUESTION]!r} Assistant: (B)</s>", " (B)</s>"),
        (QUESTION, None),
        (f"Please answer: {QUESTION.upper()}", None),
        (f"{QUESTION!r}\\n\\nMy answer: (B)", "'\\n\\nMy answer: (B)"),
        ("I choose (B), the swift.", "I choose (B), the swift."),
        ("", None),
    ],
)
def test_what_stands_after_the_prompt_is_the_agents_own(text: str, own: str | None) -> None:
    found = own_part(text, QUESTION)
    assert (found and found.strip()) == (own and own.strip())


def test_long_replies_take_no_seconds() -> None:
    """Marks without end, repeated: every part of a reply is looked at once."""
    long = 20_000
    began = time.perf_counter()
    for text in ("USER: ['" * long, "USER: ['a'] ASSISTANT: " * long, "USER: [" + "'" * long, "[" * long, QUESTION * 500, "Which " * long):
        own_part(text, QUESTION)
    for text in ("\n" * long, " (" * long, ". confidence " * long, "Confidence (" * long, "confidence: " + "x" * long):
        others(text.lower())
    assert time.perf_counter() - began < 3


def test_a_short_question_may_be_quoted() -> None:
    assert own_part("2+2? That is 4", "2+2?") == "2+2? That is 4" and own_part("2+2?", "2+2?") is None
    assert own_part("USER: ['2+2?'] ASSISTANT: 4", "2+2?") == " 4"


def test_agora_echoes(tmp_path: Path) -> None:
    """What the echo quotes is nobody's answer, with or without an own one behind it; what is kept as text is what was read."""
    rows = [
        {"question": QUESTION, "answer": "B", "agent_response": {
            "one": ["The answer is (B)", "The answer is (B)"],
            "two": [PRINTED, TURNS + "The answer is (B)"],
            "three": [PRINTED + "The answer is (C)", TURNS],
        }},
    ]  # fmt: skip
    done = run(tmp_path, "agora", write(tmp_path / "birds.json", rows), "--keep-text")
    (record,) = done.lines
    assert panels(record) == [{"one": "B", "two": None, "three": "C"}, {"one": "B", "two": "B", "three": None}]
    kept = [[a.get("reasoning", "").strip() for a in panel] for panel in [record["initial_states"], *record["round_traces"]]]
    assert kept == [["The answer is (B)", "", "The answer is (C)"], ["The answer is (B)", "The answer is (B)", ""]]
    assert (record["options"], record["task"], record["n_agents"]) == (list("ABCD"), "birds", 3)
    assert done.receipt["notes"] == {
        "replies that only repeat the prompt: unparsed": 2,
        "replies that repeat the prompt: only what stands after it is read": 2,
    }


def test_what_is_read_again_is_what_was_read(tmp_path: Path) -> None:
    """In the warehouse too: a slot in which only the prompt came back has no text, and one with an own answer has that answer alone."""
    data = tmp_path / "data"
    data.mkdir()
    said = {"m1": ["The answer is (B)", PRINTED + "(C)"], "m2": [PRINTED, TURNS + "The answer is (B)"], "m3": ["(C)", TURNS]}
    log = write(tmp_path / "mmlu_birds.json", [{"question": QUESTION, "answer": "B", "agent_response": said}])
    out = data / "birds.jsonl"
    assert CliRunner().invoke(main, ["import", "agora", str(log), "--keep-text", "--out", str(out)]).exit_code == 0
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", "+int_coded_answers"]
    assert run_dbt(only, data=data, published=tmp_path / "none.duckdb", state=tmp_path / "state") == []
    with duckdb.connect(str(tmp_path / "state" / "work.duckdb"), read_only=True) as con:
        found = con.execute(
            """
            select round, agent_position, has_text, stored_answer, robust_answer, published_answer
            from intermediate.int_coded_answers
            order by round, agent_position
            """
        ).fetchall()
    assert [(row[2], row[3], row[4]) for row in found] == [
        (True, "B", "B"), (False, None, None), (True, "C", "C"), (True, "C", "C"), (True, "B", "B"), (False, None, None),
    ]  # fmt: skip
    # No profile finds a letter where nobody gave one.
    assert {row[5] for row in found if not row[2]} == {None}


# Lists of texts ----------------------------------------------------------------------------------------------------------------------

LISTS = "columns: {question: question, text: response_list, gold: answer}\nquestion_is_text: true\n"


@pytest.mark.parametrize(
    "cell, lists, expected",
    [
        (["(A)", "(B)", None], "", [{"1": "A", "2": "B", "3": None}]),
        ([["(A)", "(B)"], ["(B)", "(B)"]], "", [{"1": "A", "2": "B"}, {"1": "B", "2": "B"}]),
        ([["(A)", "(B)"], ["(B)"]], "lists: agents\n", [{"1": "A", "2": "B"}, {"1": "B"}]),
        ([{"ada": "(A)", "bob": "(B)"}, {"bob": "(C)"}], "", [{"ada": "A", "bob": "B"}, {"bob": "C"}]),
        ({"ada": "(A)", "bob": "(B)"}, "", [{"ada": "A", "bob": "B"}]),
        ({"ada": ["(A)", "(B)"], "bob": ["(C)"]}, "", [{"ada": "A", "bob": "C"}, {"ada": "B"}]),
        ([["(A)"], None, ["(B)"]], "", [{"1": "A"}, {}, {"1": "B"}]),
    ],
)
def test_lists_of_texts_are_panels(tmp_path: Path, cell: Any, lists: str, expected: Any) -> None:
    file = jsonl(tmp_path / "said.jsonl", {"question": QUESTION, "answer": "B", "response_list": cell})
    done = run(tmp_path, "table", file, "--map", write(tmp_path / "map.yml", LISTS + lists))
    assert panels(done.lines[0]) == expected and done.lines[0]["options"] == list("ABCD")


@pytest.mark.parametrize(
    "cell, reason",
    [
        (None, "line 2: response_list is null; it has to be a list or an object"),
        ("(A)", "line 2: response_list is a text; it has to be a list or an object"),
        ([], "line 2: response_list is empty"),
        (["(A)", ["(B)"]], "line 2: response_list holds lists beside other values"),
        ([[["(A)"]]], "line 2: response_list holds lists within lists within lists"),
        ({"a": {"b": "(A)"}}, "line 2: response_list holds an object where an agent has its rounds"),
        ([True], "line 2: response_list is true or false; it has to be a text, a number or null"),
        ([None, None], ""),
    ],
)
def test_lists_that_are_no_panel(tmp_path: Path, cell: Any, reason: str) -> None:
    """A row of its own is rejected alone; a question that stands twice is two debates."""
    good = {"question": QUESTION, "answer": "B", "response_list": ["(A)", "(B)"]}
    file = jsonl(tmp_path / "said.jsonl", good, good | {"response_list": cell}, good)
    done = run(tmp_path, "table", file, "--map", write(tmp_path / "map.yml", LISTS))
    assert len(done.lines) == 3 - bool(reason) and done.reasons == [reason][: bool(reason)]
    assert len({r["question_id"] for r in done.lines}) == 1


def test_a_row_may_hold_one_round_of_a_panel(tmp_path: Path) -> None:
    rows = [{"q": "q1", "turn": t, "said": said, "key": "B"} for t, said in [(1, ["A", "B"]), (2, ["B", "-"])]]
    mapping = "columns: {question: q, round: turn, answer: said, gold: key}\nfirst_round: 1\nabsent: ['-']\n"
    done = run(tmp_path, "table", jsonl(tmp_path / "x.jsonl", *rows), "--map", write(tmp_path / "map.yml", mapping))
    assert [panels(r) for r in done.lines] == [[{"1": "A", "2": "B"}, {"1": "B"}]] and "mode" not in done.lines[0]
    rows[0]["said"] = [["A"], ["B"]]
    done = run(tmp_path, "table", jsonl(tmp_path / "x.jsonl", *rows), "--map", tmp_path / "map.yml")
    assert done.reasons == ["line 1: said holds several rounds beside a column of the round"]


@pytest.mark.parametrize(
    "columns, message",
    [
        ("{question: question, text: responses}", ":1: no column responses; there are: question, answer, response_list, meta.id"),
        ("{question: q, text: response_list}", ":1: no column q; there are: question, answer"),
        ("{question: question, text: response_list, gold: key}", ":1: no column key; there are: question, answer"),
        (
            "{question: question, agent: answer, text: response_list}",
            "columns.text, response_list, holds lists of answers: leave agent out",
        ),
        ("{question: question, text: answer}", "columns.text, answer, holds no list: name the column of the agent"),
        ("{question: question, agent: meta.id, text: answer, model: meta.model}", "no column meta.model; there are:"),
    ],
)
def test_a_wrong_column_is_one_message(tmp_path: Path, columns: str, message: str) -> None:
    """A fault of the mapping is not one of each row; the names that are there are told."""
    row = {"question": QUESTION, "answer": "B", "response_list": ["(A)", "(B)"], "meta": {"id": 1}}
    done = run(tmp_path, "table", jsonl(tmp_path / "x.jsonl", *[row] * 298), "--map", write(tmp_path / "map.yml", f"columns: {columns}\n"))
    assert done.exit_code == 1 and not done.lines and done.receipt is None
    assert message in done.errors and done.errors.count("\n") == 1 and "map.yml" in done.errors


def test_a_column_that_rows_may_leave_out_is_looked_for_in_the_whole_file(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"question": f"q{n}", "response_list": ["(A)", "(B)"]} for n in range(150)]
    rows[-1]["answer"] = "B"
    done = run(tmp_path, "table", jsonl(tmp_path / "mmlu.jsonl", *rows), "--map", write(tmp_path / "map.yml", LISTS))
    assert len(done.lines) == 150 and [k for k in keys(done) if k] == ["B"]


def test_a_csv_file_has_no_lists(tmp_path: Path) -> None:
    csv = write(tmp_path / "x.csv", "question,response_list,answer\nq,\"['A', 'B']\",A\n")
    done = run(tmp_path, "table", csv, "--map", write(tmp_path / "map.yml", LISTS))
    assert "columns needs agent, since no cell of a CSV file is a list" in done.errors and not done.lines


def test_runs_of_a_table_stay_apart(tmp_path: Path) -> None:
    """Columns of the mode, the task and the condition tell debates on one question apart."""
    rows = "".join(f"q1,{bot},{vote},B,{how},{what}\n" for how, what, votes in [
        ("debate", "hard", "AB"), ("debate", "easy", "BB"), ("single_agent", "easy", "A")
    ] for bot, vote in zip("xy", votes, strict=False))  # fmt: skip
    mapping = "columns: {question: q, agent: bot, answer: vote, gold: key, mode: how, condition: what}\n"
    csv = write(tmp_path / "x.csv", "q,bot,vote,key,how,what\n" + rows)
    done = run(tmp_path, "table", csv, "--map", write(tmp_path / "map.yml", mapping))
    assert [(r["mode"], panels(r)) for r in done.lines] == [
        ("debate", [{"x": "A", "y": "B"}]), ("debate", [{"x": "B", "y": "B"}]), ("single_agent", [{"x": "A"}]),
    ]  # fmt: skip
    assert len({(r["mode"], r["condition"]) for r in done.lines}) == 3


# Inspect -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, expected_keys, expected",
    [
        ("letter_is_choice_text", ["A", "B", "C"], [["A"], ["B"], ["C"]]),
        ("old_no_completion", ["B"], [["B", "B", "B"]]),
        ("old_gsm_no_completion", ["18"], [["18", "17"]]),
        ("label_no_completion", ["bee"], [["bee"]]),
    ],
)
def test_inspect_logs_that_were_read_wrongly(tmp_path: Path, name: str, expected_keys: list[str], expected: Any) -> None:
    file = FAILING / "inspect" / f"{name}.json"
    if not file.exists():
        pytest.skip("the failing inputs are not there")
    done = run(tmp_path, "inspect", file)
    assert (keys(done), starts(done)) == (expected_keys, expected) and done.receipt["rejections"] == []


def output(content: Any, completion: str | None = None) -> dict[str, Any]:
    return {"model": "m", "completion": completion, "choices": [{"message": {"role": "assistant", "content": content}}]}


@pytest.mark.parametrize(
    "said, answer",
    [
        (output("ANSWER: B"), "B"),
        (output("ANSWER: B", ""), "B"),
        (output("ANSWER: C", "ANSWER: B"), "B"),
        (output([{"type": "reasoning", "reasoning": "ANSWER: A", "text": "ANSWER: A"}, {"type": "text", "text": "ANSWER: B"}]), "B"),
        (output([{"type": "text", "text": "ANSWER: B"}, {"type": "reasoning", "reasoning": "or ANSWER: A?"}]), "B"),
        (output(["ANSWER: ", {"type": "text", "text": "B"}]), "B"),
        (output([{"type": "image", "image": "x.png"}]), None),
        (output(None), None),
        ({"choices": []}, None),
        ({"choices": [{"message": None}]}, None),
        ({}, None),
        (None, None),
    ],
)
def test_inspect_replies_without_a_completion(tmp_path: Path, said: Any, answer: str | None) -> None:
    """The first message of the output, a text or parts; what was thought before it is no reply."""
    done = run(tmp_path, "inspect", write(tmp_path / "x.json", inspect_log(sample(1, 1, None) | {"output": said})))
    assert starts(done) == [[answer]]


def test_inspect_words(tmp_path: Path) -> None:
    """A scorer's answer of words is a label, the whole reply is not; a target may be a list of one, or of spellings of one."""

    def one(number: int, target: Any, given: Any, text: str | None) -> dict[str, Any]:
        return {"id": number, "epoch": 1, "target": target, "scores": {"match": {"value": "C", "answer": given}}, "output": output(text)}

    reply = "I weighed them all, one by one.\nAnswer: Bumble Bee"
    log = inspect_log(
        one(1, "bumble bee", "bumble bee", reply),
        one(2, ["bumble bee"], reply, reply),
        one(3, ["bumble bee", "Bumble Bee."], reply, None),
        one(4, "wasp", None, reply),
        one(5, "wasp", "I looked at all the insects.\nNone of them is it", "I looked at all the insects.\nNone of them is it"),
        one(6, ["wasp", "hornet"], "wasp", "Answer: wasp"),
    )  # fmt: skip
    done = run(tmp_path, "inspect", write(tmp_path / "x.json", log))
    assert starts(done) == [["bumble bee"]] * 4 + [[None], ["wasp"]]
    assert keys(done) == ["bumble bee"] * 3 + ["wasp", "wasp", None]
    assert [r.get("no_key") for r in done.lines] == [None] * 5 + ["unread"]


def test_inspect_logs_of_the_first_version_have_one_score(tmp_path: Path) -> None:
    one = sample(1, 1, "I take the second, or the first (A)?") | {"scores": None, "score": {"value": "C", "answer": "B"}}
    assert starts(run(tmp_path, "inspect", write(tmp_path / "x.json", inspect_log(one)))) == [["B"]]


def test_inspect_targets_by_place_before_text(tmp_path: Path) -> None:
    choices = ["B", "A", "bee", "C"]
    targets = ["A", "B", "(C)", "bee", ["bee"], " bee ", ["A"], ["A", "bee"], ""]
    log = inspect_log(*(sample(n, 1, "ANSWER: A") | {"choices": choices, "target": t} for n, t in enumerate(targets)))
    done = run(tmp_path, "inspect", write(tmp_path / "x.json", log))
    assert keys(done) == ["A", "B", "C", "C", "C", "C", "A", None, None]
    assert [r.get("no_key") for r in done.lines][-2:] == ["unread", None]


def test_inspect_logs_tell_how_they_ran(tmp_path: Path) -> None:
    """Repeated answers are a panel, one answer is that of a single agent; an epoch that failed was planned."""
    config = {"eval": {"task": "zoo", "model": "m", "config": {"epochs": 3}}}
    log = inspect_log(sample(1, 1, "ANSWER: A"), sample(1, 2, None, error={"message": "x"}), sample(2, 1, "ANSWER: B"), **config)
    done = run(tmp_path, "inspect", write(tmp_path / "x.json", log), "--benchmark", "animals")
    assert [(r["question_id"], r["benchmark"], r["task"], r["mode"], r["n_agents"]) for r in done.lines] == [
        ("zoo_1", "animals", "zoo", "panel", 3), ("zoo_2", "animals", "zoo", "panel", 3),
    ]  # fmt: skip
    done = run(tmp_path, "inspect", write(tmp_path / "x.json", inspect_log(sample(1, 1, "ANSWER: A"))))
    assert [(r["mode"], r["n_agents"]) for r in done.lines] == [("single_agent", 1)]


def test_a_mapping_that_fits_no_sample_is_one_rejection(tmp_path: Path) -> None:
    turns = [{"speaker": "a", "says": "ANSWER: A"}]
    file = write(tmp_path / "x.json", inspect_log(*(sample(n, 1, "x", store={"talk": turns}) for n in range(30))))
    done = run(tmp_path, "inspect", file, "--map", write(tmp_path / "m.yml", "agents: store.turns\nagent: speaker\ntext: says\n"))
    assert done.reasons == ["no list under store.turns (there are: talk)"] and done.receipt["debates"]["rejected"] == 30
    assert "and 29 more like it" in done.errors


# lm-evaluation-harness ---------------------------------------------------------------------------------------------------------------

A_IS_BEST = [[["-0.5", "False"]], [["-3.0", "False"]], [["-4.0", "False"]], [["-5.0", "False"]]]


def best(place: int, n: int = 4) -> list[Any]:
    """Log-likelihoods in which the option at a place, from 0, has the greatest."""
    return [[["-0.1" if i == place else f"-{i + 2}.0", "False"]] for i in range(n)]


def choice_row(number: int, choices: list[str], target: Any, place: int, **extra: Any) -> dict[str, Any]:
    return {"doc_id": number, "doc": {"choices": choices}, "target": target, "resps": best(place, len(choices)), "filter": "none", **extra}


def test_lm_eval_logs_that_were_read_wrongly(tmp_path: Path) -> None:
    folder = FAILING / "lm_eval" / "acme__tiny"
    if not folder.exists():
        pytest.skip("the failing inputs are not there")
    done = run(tmp_path, "lm-eval", next(folder.glob("samples_mmlu_zoo_*.jsonl")))
    assert keys(done) == list("BCDBA") and starts(done) == [[k] for k in "BCDBA"] and done.receipt["notes"] == {}
    done = run(tmp_path, "lm-eval", folder / "samples_surrogate.jsonl")
    assert keys(done) == ["3", "x\ud835"] and starts(done) == [["3"], ["x\ud835"]]
    done = run(tmp_path, "lm-eval", folder / "samples_gsm8k_numbers.jsonl")
    # Lines of which the answer is followed by another question or a remark are the coder's.
    rest = [n for n in range(25) if n not in (5, 9, 24)]
    assert [starts(done)[n] for n in rest] == [[keys(done)[n]] for n in rest]


def test_lm_eval_places_are_places(tmp_path: Path) -> None:
    """Whatever the options say; a letter and a text are read where the target is one."""
    digits = ["1", "2", "3", "0"]
    rows = [
        choice_row(0, digits, "1", 1), choice_row(1, digits, "3", 3), choice_row(2, digits, 0, 0), choice_row(3, digits, "B", 1),
        choice_row(4, ["B", "A", "x", "y"], "A", 0), choice_row(5, ["ant", "bee", "cat", "dog"], "cat", 2),
        choice_row(6, ["ant", "bee", "cat", "dog"], ["3"], 3), choice_row(7, ["ant", "bee"], [0, 1], 0),
        choice_row(8, ["ant", "bee"], "", 0),
    ]  # fmt: skip
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_zoo.jsonl", *rows))
    assert keys(done) == ["B", "D", "A", "B", "A", "C", "D", None, None]
    assert [r.get("no_key") for r in done.lines][-2:] == ["unread", None]
    assert {(r["mode"], r["n_agents"], r["task"]) for r in done.lines} == {("single_agent", 1, "zoo")}


def test_lm_eval_acc_says_which_reading_is_right(tmp_path: Path) -> None:
    """Two files of the same targets, whose own scores speak for the text in one and for the place in the other."""
    digits = ["1", "2", "3", "0"]
    for name, key_of in (("text", digits.index), ("place", int)):
        rows = [
            choice_row(n, digits, t, place, acc=float(place == key_of(t)))
            for n, (t, place) in enumerate([("1", 0), ("2", 1), ("3", 3), ("1", 1)])
        ]
        done = run(tmp_path, "lm-eval", jsonl(tmp_path / f"samples_{name}.jsonl", *rows))
        assert keys(done) == ["ABCD"[key_of(t)] for t in ("1", "2", "3", "1")], name
        assert done.receipt["notes"] == {}


def test_lm_eval_places_from_1(tmp_path: Path) -> None:
    """They count only where the rows say so; else a target beyond the last place is no key."""
    targets = ["1", "2", "2", "1"]
    rows = [choice_row(n, ["ant", "bee"], t, int(t) - 1, acc=1) for n, t in enumerate(targets)]
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_wino.jsonl", *rows))
    assert keys(done) == list("ABBA") and done.receipt["notes"] == {
        "keys read as places from 1, since the rows' own scores say so": 4
    }  # fmt: skip
    silent = [{k: v for k, v in row.items() if k != "acc"} for row in rows]
    assert keys(run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_wino.jsonl", *silent))) == ["B", None, None, "B"]


def test_lm_eval_tells_where_acc_contradicts(tmp_path: Path) -> None:
    rows = [choice_row(n, ["ant", "bee"], "0", 0, acc=acc) for n, acc in enumerate([1, 0.0, True, None, 0.5, "1"])]
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_zoo.jsonl", *rows))
    (note,) = done.receipt["notes"].items()
    assert note[0].startswith("rows whose acc contradicts their answer and key") and note[1] == 1


def test_lm_eval_continuations_are_texts_of_options(tmp_path: Path) -> None:
    """Where the document lists none: what the harness asked the likelihood of, in both of its shapes."""
    for arguments in ({f"gen_args_{i}": {"arg_0": "Q", "arg_1": t} for i, t in enumerate([" no", " yes"])}, [["Q", " no"], ["Q", " yes"]]):
        row = {"doc_id": 0, "doc": {"passage": "p"}, "target": "yes", "resps": best(0, 2), "arguments": arguments}
        assert keys(run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_boolq.jsonl", row))) == ["B"]


def test_lm_eval_two_options_and_acc_tell_the_key(tmp_path: Path) -> None:
    """Tasks such as winogrande write a continuation as the target, the same for both options; acc says which is right."""
    arguments = {f"gen_args_{i}": {"arg_0": c, "arg_1": " was small."} for i, c in enumerate(["The box", "The hat"])}
    doc = {"option1": "box", "option2": "hat"}
    rows = [
        {"doc_id": n, "doc": doc, "target": "was small.", "resps": best(n, 2), "arguments": arguments, "acc": acc}
        for n, acc in enumerate([1.0, 0.0])
    ]
    three = choice_row(2, ["a", "b", "c"], "was small.", 1, acc=1.0)
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_wino.jsonl", *rows, three))
    assert keys(done) == ["A", "A", None] and starts(done) == [["A"], ["B"], ["B"]]
    assert done.receipt["notes"]["keys told by acc: of two options the answer where it is 1, else the other"] == 2


def test_lm_eval_one_log_likelihood_is_no_choice(tmp_path: Path) -> None:
    rows = [{"doc_id": n, "doc": {"text": "t"}, "target": " word", "resps": [[["-3.0", "False"]]], "acc": 0.0} for n in range(9)]
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_lambada.jsonl", *rows))
    assert done.reasons == ["a single log-likelihood, which chooses between no options"] and done.receipt["debates"]["rejected"] == 9


def test_lm_eval_lists_as_they_are_printed(tmp_path: Path) -> None:
    """The harness prints every target, also a list of aliases; an interval is a text."""
    targets = ["['bee']", "['bee', 'the bee']", "[0, 2]", "['it\\'s"]
    rows = [{"doc_id": n, "doc": {}, "target": t, "resps": [["Answer: bee"]], "filter": "none"} for n, t in enumerate(targets)]
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_qa.jsonl", *rows))
    assert keys(done)[:3] == ["bee", None, "[0, 2]"] and done.lines[1]["no_key"] == "unread"


def test_lm_eval_generated_letters(tmp_path: Path) -> None:
    """A reply that is a text has a key that is one: a letter or a text before a place; its own score says otherwise."""
    row = {"doc_id": 0, "doc": {"choices": ["1", "2", "3"]}, "target": "2", "resps": [["The answer is (B)", "(C)"]], "filter": "none"}
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_gen.jsonl", row))
    assert keys(done) == ["B"] and starts(done) == [["B", "C"]] and done.lines[0]["mode"] == "panel"
    assert keys(run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_gen.jsonl", row | {"exact_match": 0.0}))) == ["C"]


def test_a_reading_needs_rows_that_tell_it_from_others() -> None:
    votes = Votes()
    votes.see(readings("1", ["A", "B"], ["1", "2"]), "A", None)
    votes.see(readings("x", ["A", "B"], ["x", "y"]), "A", True)
    votes.see(readings("1", ["A", "B"], ["1", "2"]), None, True)
    assert votes.order(OF_LIKELIHOODS) == ["place", "letter", "text"]


# Numbers that are none, and half pairs of surrogates ----------------------------------------------------------------------------------


def test_tokens_of_no_number_are_null(tmp_path: Path) -> None:
    """As key and as answer they are none; the texts of the same letters are texts."""
    table = jsonl(
        tmp_path / "x.jsonl",
        '{"q": "a", "who": "1", "vote": NaN, "key": 5, "m": NaN}',
        '{"q": "a", "who": "2", "vote": 5, "key": NaN, "m": "big"}',
        '{"q": "b", "who": "1", "vote": -Infinity, "key": Infinity, "m": null}',
        '{"q": "b", "who": "2", "vote": 4, "key": -Infinity, "m": null}',
        '{"q": "c", "who": "1", "vote": 1e999, "key": 1, "m": null}',
    )
    mapping = write(tmp_path / "map.yml", "columns: {question: q, agent: who, answer: vote, gold: key, model: m}\n")
    done = run(tmp_path, "table", table, "--map", mapping, "--benchmark", "gsm8k")
    assert [(panels(r), r["correct_label"]) for r in done.lines] == [
        ([{"1": None, "2": "5"}], "5"), ([{"1": None, "2": "4"}], None), ([{"1": None}], "1"),
    ]  # fmt: skip
    rows = '[{"question": "How many?", "answer": NaN, "agent_response": {"m": ["The answer is 4", null]}}]'
    assert keys(run(tmp_path, "agora", write(tmp_path / "gsm8k.json", rows))) == [None]
    log = '{"eval": {"task": "gsm8k", "model": NaN}, "samples": [{"id": 1, "epoch": 1, "target": NaN, "output": {"completion": "4"}}]}'
    (record,) = run(tmp_path, "inspect", write(tmp_path / "x.json", log)).lines
    assert record["correct_label"] is None and "model_name" not in record
    row = '{"doc_id": 1, "doc": {"choices": ["a", "b", "c"]}, "target": 1, "resps": [[[-Infinity, 0]], [[-2.5, 0]], [[NaN, 0]]]}'
    done = run(tmp_path, "lm-eval", jsonl(tmp_path / "samples_x.jsonl", row, row.replace("-2.5", "NaN")))
    assert starts(done) == [["B"], [None]] and list(done.receipt["notes"].values()) == [2]


def test_half_pairs_of_surrogates_come_in(tmp_path: Path) -> None:
    rows = [{"question": "Which \ud835?", "answer": "\\frac{\ud835}{2}", "agent_response": {"m\ud835": ["\\boxed{\\frac{\ud835}{2}}"]}}]
    done = run(tmp_path, "agora", write(tmp_path / "math.json", rows))
    assert starts(done) == [keys(done)] == [["\\frac{\ud835}{2}"]] and "\\ud835" in done.text
    table = jsonl(tmp_path / "x.jsonl", {"question": "\ud835", "answer": "\ud835", "response_list": ["\ud835"]})
    assert len(run(tmp_path, "table", table, "--map", write(tmp_path / "map.yml", LISTS)).lines) == 1


# Peer review -------------------------------------------------------------------------------------------------------------------------


def agent(*said: str) -> list[dict[str, str]]:
    """An agent's messages, a prompt before every reply."""
    return [m for text in said for m in ({"role": "user", "content": "?"}, {"role": "assistant", "content": text})]


REVIEWED = ["(A)", "It is (C)", "It is (D)", "(B)"]


@pytest.mark.parametrize(
    "name, contexts, mode, expected",
    [
        ("Birds_peer_review_146_1113", [agent(*REVIEWED)] * 3, "peer_review", [["A"] * 3, ["B"] * 3]),
        ("Birds_feedback_146_1113", [agent(*REVIEWED)] * 3, "feedback", [["A"] * 3, ["B"] * 3]),
        # Every agent reviews each of the others, and may do so again.
        ("Birds_peer_review_5_1113", [agent("(A)", "(C)", "(C)", "(C)", "(B)")] * 4, "peer_review", [["A"] * 4, ["B"] * 4]),
        ("Birds_peer_review_5_1113", [agent("(A)", "(C)", "(B)")] * 2, "peer_review", [["A"] * 2, ["B"] * 2]),
        ("Birds_peer_review_5_1113", [agent(*REVIEWED, "(C)", "(C)", "(D)")] * 3, "peer_review", [["A"] * 3, ["B"] * 3, ["D"] * 3]),
        ("Birds_peer_review_5_1113", [agent(*REVIEWED), agent("(A)", "(C)"), agent(*REVIEWED)], "peer_review", [["A"] * 3, ["B"] * 2]),
        ("Birds_self_correction_9_1113", [agent("(A)", "It is (C)", "(B)")] * 3, "self_correction", [["A"] * 3, ["B"] * 3]),
        ("Birds_debate_9_1113", [agent("(A)", "(B)"), agent("(B)", "(B)")], "debate", [["A", "B"], ["B", "B"]]),
        ("Birds_single_agent_9_1113", [agent("(A)"), agent("(B)"), agent("(B)")], "single_agent", [["A", "B", "B"]]),
        ("Birds_single_9", [agent("(A)")], "single_agent", [["A"]]),
    ],
)
def test_peer_review_modes_of_real_names(tmp_path: Path, name: str, contexts: Any, mode: str, expected: Any) -> None:
    """The mode and the task stand in the name; reviews are never read, however many there are."""
    rows = [{"question": QUESTION, "answer": "B", "agent_contexts": contexts}]
    (record,) = run(tmp_path, "peer-review", write(tmp_path / f"{name}.json", rows)).lines
    assert [list(p.values()) for p in panels(record)] == expected
    assert (record["mode"], record["task"], record["benchmark"], record["n_agents"]) == (mode, "Birds", "Birds", len(contexts))


def test_peer_review_replies_that_do_not_fit_the_mode(tmp_path: Path) -> None:
    for name, said in (("x_peer_review", [*REVIEWED, "(C)"]), ("x_single_agent", ["(A)", "(B)"]), ("x_self_correction", REVIEWED)):
        rows = [{"question": QUESTION, "answer": "B", "agent_contexts": [agent(*said)] * 3}]
        assert "give the right --mode" in run(tmp_path, "peer-review", write(tmp_path / f"{name}.json", rows)).errors


@pytest.mark.parametrize(
    "reply, read",
    [
        ("\\boxed{9}\n\nConfidence in updated answer: 8", "9"),
        ("So she has \\boxed{18} left.\n\nConfidence in answer: 9/10", "18"),
        ("There are 18 left.\n\nI rate my confidence in this solution as 10.", "18"),
        ("The answer is 18. Confidence level: 8 out of 10.", "18"),
        ("**Confidence (on a scale of 1-10): 9**\nThe answer is 18.", "18"),
        ("My confidence is high. The answer is 18", "18"),
        ("Confidence: 9. The answer is 18.", "18"),
        ("I have confidence in 18.", "18"),
    ],
)
def test_how_sure_an_agent_is_is_no_answer(tmp_path: Path, reply: str, read: str) -> None:
    rows = [{"question": "How many?", "answer": "18", "agent_contexts": [agent("It is 7.", "?", "?", reply)] * 3}]
    done = run(tmp_path, "peer-review", write(tmp_path / "Sums_peer_review_1.json", rows), "--keep-text")
    last = done.lines[0]["round_traces"][0][0]
    assert last["answer"] == read
