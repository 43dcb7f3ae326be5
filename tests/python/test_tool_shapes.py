"""What the real files of DyLAN, FORD, change logs and the du family do beyond their plain shape, one trap at a time."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_importers import QUESTION, context, jsonl, panels, run, write

from debate_ledger.importers.du import named

Row = list[list[str | None]]


# DyLAN -------------------------------------------------------------------------------------------------------------------------------


def agreed(label: str, n: int = 3) -> Row:
    """A row that stopped on agreement after the first answers."""
    return [[f"The answer is ({label})", None, None] for _ in range(n)]


@pytest.mark.parametrize(
    "first, keys",
    [
        ("[True, False, True] 0.6666666666666666", ["A", None, "C"]),
        # Rounded, in a line with a CR, and an older file without a mean.
        ("[True, False, True] 0.667\r", ["A", None, "C"]),
        ("[True, False, True] 0.67", ["A", None, "C"]),
        ("[True, False, True]", ["A", None, "C"]),
        ("[False, False, False] 0.0", [None, None, None]),
    ],
)
def test_the_mean_is_of_the_flags(tmp_path: Path, first: str, keys: list[str | None]) -> None:
    file = jsonl(tmp_path / "law_test_33.json", agreed("A"), agreed("B"), agreed("C"))
    write(tmp_path / "law_test_33.txt", first + "\n9 3.0\n")
    done = run(tmp_path, "dylan", file)
    assert [r["correct_label"] for r in done.lines] == keys
    assert [r.get("no_key") for r in done.lines] == [None if key else "not_stated" for key in keys]


@pytest.mark.parametrize(
    "first, counts",
    [
        ("[True, False, True] 0.5", "3 flags, 3 rows, mean 0.5, share of True 0.6667"),
        ("[True, True, True] 0.9", "3 flags, 3 rows, mean 0.9, share of True 1"),
    ],
)
def test_a_mean_of_other_flags_takes_the_keys_and_leaves_the_questions(tmp_path: Path, first: str, counts: str) -> None:
    file = jsonl(tmp_path / "law_test_33.json", agreed("A"), agreed("B"), agreed("C"))
    write(tmp_path / "law_test_33.txt", first + "\n")
    done = run(tmp_path, "dylan", file)
    assert [(r["question_id"], r["correct_label"], r["no_key"]) for r in done.lines] == [(f"law_{n}", None, "unread") for n in range(3)]
    assert f"law_test_33.txt:1: the mean is not that of the flags ({counts}): no flags, no keys" in done.errors
    assert sum(n for what, n in done.receipt["notes"].items() if what.startswith("the flags of the run cannot be used")) == 3
    # The rows are still those of the questions, so keys of the benchmark belong to them.
    gold = write(tmp_path / "keys.csv", "question_id,correct_label\nlaw_1,B\n")
    assert [r["correct_label"] for r in run(tmp_path, "dylan", file, "--gold", gold).lines] == [None, "B", None]


def test_runs_of_other_numbers_of_agents_share_keys_and_no_lane(tmp_path: Path) -> None:
    """Three agents ended right on question 0 and wrong on 1, four the other way round: both have both keys, each its own condition."""
    three = jsonl(tmp_path / "mmlu_optimal7_3" / "law_test_33.json", agreed("A"), agreed("D"), agreed("B"))
    four = [[*agreed("C", 2), [None, None, None], *agreed("C", 1)], agreed("B", 4), agreed("C", 4)]
    jsonl(tmp_path / "mmlu_optimal7_4" / "law_test_43.json", *four)
    write(three.with_suffix(".txt"), "[True, False, True] 0.6666666666666666\n")
    write(tmp_path / "mmlu_optimal7_4" / "law_test_43.txt", "[False, True, True] 0.6666666666666666\n")
    done = run(tmp_path, "dylan", tmp_path / "mmlu_optimal7_3", tmp_path / "mmlu_optimal7_4")
    assert [(r["question_id"], r["n_agents"], r["correct_label"]) for r in done.lines] == [
        ("law_0", 3, "A"), ("law_1", 3, "B"), ("law_2", 3, None),
        ("law_0", 4, "A"), ("law_1", 4, "B"), ("law_2", 4, None),
    ]  # fmt: skip
    assert [r["condition"].partition(";")[0] for r in done.lines] == ["mmlu_optimal7_3"] * 3 + ["mmlu_optimal7_4"] * 3
    # On question 2 one was told right on B and the other on C: nobody knows, and something is wrong.
    assert [r.get("no_key") for r in done.lines] == [None, None, "unread"] * 2
    assert sum(n for what, n in done.receipt["notes"].items() if what.startswith("the flags of several runs are at odds")) == 2
    # The third of four was not asked before the others agreed: it is planned, and absent.
    assert panels(done.lines[3]) == [{"1": "C", "2": "C", "4": "C"}]


def test_keys_of_other_rows_are_told_by_the_flags(tmp_path: Path) -> None:
    """The flags say right, wrong, right; keys that are one row off agree with none of them, the right ones with all."""
    file = jsonl(tmp_path / "law_test_33.json", agreed("A"), agreed("B"), agreed("C"))
    write(tmp_path / "law_test_33.txt", "[True, False, True] 0.6666666666666666\n")
    told = "an end that --gold and the run's flag judge otherwise: look whether the rows are those questions"
    for keys, n in (("ADC", None), ("DCB", 2)):
        gold = write(tmp_path / "keys.csv", "question_id,correct_label\n" + "".join(f"law_{i},{k}\n" for i, k in enumerate(keys)))
        done = run(tmp_path, "dylan", file, "--gold", gold)
        assert [r["correct_label"] for r in done.lines] == list(keys) and done.receipt["notes"].get(told) == n


def test_no_answer_may_be_what_a_run_ended_on(tmp_path: Path) -> None:
    """None counts among the answers of a run: where it leads, a wrong end rules no letter out; beside it, a right end is the letter."""

    def last(*texts: str) -> Row:
        return [["(D)", "(D)", text] for text in texts]

    rows = [last("hm", "hm", "(A)"), last("(A)", "hm", "(B)"), last("(A)", "hm", "(A)"), last("(B)", "hm", "(A)"), last("(B)", "(B)", "hm")]
    file = jsonl(tmp_path / "law_test_33.json", *rows)
    other = jsonl(tmp_path / "more" / "law_test_33.json", *(agreed(x) for x in "AABAB"))
    write(file.with_suffix(".txt"), "[False, True, True, False, False] 0.4\n")
    write(other.with_suffix(".txt"), "[True, True, False, True, False] 0.6\n")
    done = run(tmp_path, "dylan", file, other)
    # Question 1: of A, none and B the other run says A. Question 3: a wrong end on one of three rules nothing out.
    assert [r["correct_label"] for r in done.lines[:5]] == ["A", "A", "A", "A", None]
    assert [r["correct_label"] for r in run(tmp_path, "dylan", file).lines] == [None, None, "A", None, None]


def test_flags_of_parts_and_of_nothing_are_set_aside(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "law_test_0_33.json", agreed("A"))
    for name in ("law_test_0_33.txt", "law_merged_file.txt", "art_test_33.txt"):
        write(tmp_path / name, "[True] 1.0\n")
    done = run(tmp_path, "dylan", file, *sorted(tmp_path.glob("*.txt")))
    assert {Path(f["file"]).name: f["reason"] for f in done.receipt["files_set_aside"]} == {
        "law_merged_file.txt": "flags of several parts in one: the parts have their own",
        "art_test_33.txt": "flags of no log: no .json file of that name was named",
    }
    assert done.lines[0]["correct_label"] == "A"


# FORD --------------------------------------------------------------------------------------------------------------------------------


def seat(speakers: str, answers: str, question: str = "Q", gold: str = "(B)", options: str = "(A) it rains (B) it snows") -> dict[str, Any]:
    """A row of a table; "-" is the text None, as the tool writes it."""
    given = ["None", "None", *("None" if a == "-" else a for a in answers.split())]
    return {"Q": question, "O": options, "A": gold, "R": [], "P": given, "M": ["system", "system", *speakers.split()]}


def slots(record: dict[str, Any]) -> list[str]:
    """The panel of each round as "A B -"."""
    return [" ".join(answer or "-" for answer in panel.values()) for panel in panels(record)]


def test_a_name_that_changes_is_the_same_speaker(tmp_path: Path) -> None:
    table = tmp_path / "debate_table"
    jsonl(table / "round0" / "ecare_agreed.jsonl", seat("chatgpt davinci gpt4", "A A A", "at once"))
    jsonl(table / "round0" / "ecare_candidate.jsonl", seat("chatgpt davinci gpt4", "B B A", "long"))
    jsonl(
        table / "round4_chatgpt" / "ecare_agreed.jsonl",
        seat("chatgpt davinci gpt4 chatgpt davinci chatgpt0301 chatgpt", "B B A A B A A", "long"),
    )
    done = run(tmp_path, "ford", table)
    lost, kept = done.lines
    # Turn 1 makes the collapse; a reader of names would not have this debate.
    assert slots(lost) == ["B B A", "A B A", "A B A", "A B A", "A B A"] and slots(kept) == ["A A A"]
    assert [a["model"] for a in lost["round_traces"][-1]] == ["chatgpt", "davinci", "chatgpt0301"]
    # The panel is named alike, however long it debated.
    assert {r["model_name"] for r in done.lines} == {"chatgpt + davinci + gpt4"} and {r["n_agents"] for r in done.lines} == {3}
    assert done.receipt["notes"] == {"speaker 3 is called gpt4, then chatgpt0301: one speaker": 1}


@pytest.mark.parametrize(
    "folder, speakers, n_agents, rounds",
    [
        # Two speakers who are both called otherwise in their turns; the folder says that there were six.
        ("round6_chatgpt", "chatgpt davinci chatgpt0301 chatgpt chatgpt0301 chatgpt chatgpt0301 chatgpt", 2, 6),
        # Shorter, where nothing but the folder's number tells two from three.
        ("round3_x", "a b c a c", 2, 3),
        ("round1_x", "a b c a", 3, 1),
        ("round2_chatgpt0301", "a b c a b", 3, 2),
        # One model in all seats.
        ("round2_a", "a a a a a", 3, 2),
        # Numbers that say nothing: the first name that comes again.
        ("round1_1", "a b c a", 3, 1),
        ("round1_1", "a b c", 3, 0),
        ("round1_2", "a b c a b", 3, 2),
    ],
)
def test_the_number_of_speakers(tmp_path: Path, folder: str, speakers: str, n_agents: int, rounds: int) -> None:
    jsonl(tmp_path / "t" / folder / "x_agreed.jsonl", seat(speakers, " ".join("A" for _ in speakers.split())))
    (record,) = run(tmp_path, "ford", tmp_path / "t").lines
    assert (record["n_agents"], len(record["round_traces"])) == (n_agents, rounds)


def test_the_first_speaker_may_be_the_one_who_changes(tmp_path: Path) -> None:
    """Most rows agreed before a turn; that b is the first to come again, in the fifth place, does not make four speakers, or two."""
    table = tmp_path / "t"
    jsonl(table / "round1_1" / "x_agreed.jsonl", *(seat("a b c", "A A A", f"q{n}") for n in range(5)))
    jsonl(table / "round3_1" / "x_agreed.jsonl", seat("a b c a2 b c a2", "A B A B B B A", "long"))
    done = run(tmp_path, "ford", table)
    assert {r["n_agents"] for r in done.lines} == {3}
    assert slots(done.lines[0]) == ["A B A", "B B A", "B B A", "B B B", "A B B"]


def test_a_speaker_who_was_not_asked_is_known(tmp_path: Path) -> None:
    table = tmp_path / "t"
    full = [seat("a b c", "A B B", f"q{n}") for n in range(3)]
    jsonl(table / "round0" / "x_candidate.jsonl", *full, seat("a b", "A B", "cut"), seat("a None c", "A - B", "gap"))
    done = run(tmp_path, "ford", table)
    assert {r["n_agents"] for r in done.lines} == {3}
    assert [panels(r) for r in done.lines[3:]] == [[{"1": "A", "2": "B"}], [{"1": "A", "3": "B"}]]


def test_yes_and_no_are_answers_where_they_are_the_options(tmp_path: Path) -> None:
    rows = [
        seat("a b a b", "no yes no no", "1", gold="no", options="(A) yes (B) no."),
        seat("a b a b", "A B - yes", "2", gold="yes", options="(A) yes (B) no."),
        seat("a b a b", "yes no yes yes", "3", gold="(A)", options="(A) it rains (B) it snows"),
    ]
    jsonl(tmp_path / "t" / "round2_b" / "strategyqa_agreed.jsonl", *rows)
    done = run(tmp_path, "ford", tmp_path / "t")
    assert [(r["task_kind"], r["correct_label"], slots(r)) for r in done.lines] == [
        ("yes_no", "no", ["no yes", "no yes", "no no"]),
        ("yes_no", "yes", ["yes no", "- no", "- yes"]),
        ("choice", "A", ["- -", "- -", "- -"]),
    ]


def test_other_versions_of_a_file_are_told(tmp_path: Path) -> None:
    jsonl(tmp_path / "t" / "round0" / "x_agreed.jsonl", seat("a b", "A A"))
    jsonl(tmp_path / "t" / "round0" / "x_agreed2.jsonl", seat("a b", "A B"))
    done = run(tmp_path, "ford", tmp_path / "t")
    (aside,) = done.receipt["files_set_aside"]
    assert aside["file"] == "t/round0/x_agreed2.jsonl" and "rename it" in aside["reason"] and len(done.lines) == 1


def test_turns_that_skip_a_seat_are_rejected_with_their_rounds(tmp_path: Path) -> None:
    rows = [seat("a b c a b c a b", "A B B A B B A B", f"q{n}") for n in range(3)]
    jsonl(tmp_path / "t" / "round5_b" / "x_agreed.jsonl", *rows, seat("a b c a b c b a", "A B B A B B A B", "skips"))
    done = run(tmp_path, "ford", tmp_path / "t")
    (rejection,) = done.receipt["rejections"]
    assert rejection["reason"] == "turns that do not go round the table" and (rejection["line"], rejection["rounds"]) == (4, 5)


# Change logs -------------------------------------------------------------------------------------------------------------------------

META = "sample,metric,final_majority_label,final_majority_correct,correct_label,user_label\n"
SUMMARY = "sample,model,final_answer,num_flips,flip_rate,flip_rounds\n"
FLIPS = "sample,model,flip_index,round,old_answer,new_answer\n"


def change_logs(folder: Path, meta: str, summary: str, flips: str) -> Path:
    write(folder / "meta.csv", META + meta)
    write(folder / "summary_all.csv", SUMMARY + summary)
    write(folder / "flips_all.csv", FLIPS + flips if flips != "\n" else flips)
    write(folder / "influence_all.csv", "sample,source_model,target_model,count\n")
    return folder


def test_rounds_that_count_from_one(tmp_path: Path) -> None:
    """Three rounds, so two of debate: m1 leaves "me" in the last; the sample without a change held as many."""
    folder = change_logs(
        tmp_path / "run__EVAL",
        "s1,picking_sides,my friend,False,me,me\ns2,mirroring,yes,True,yes,yes\ns3,who_said,,,,\n",
        "s1,m1,my friend,1,0.5,[3]\ns1,m2,my friend,0,0.0,[]\ns1,m3,me,0,0.0,[]\ns2,m1,yes,0,0.0,[]\ns2,m2,yes,0,0.0,[]\ns2,m3,,0,0.0,[]\n",
        "s1,m1,1,3,me,my friend\n",
    )
    done = run(tmp_path, "changes", folder)
    assert [(r["question_id"], r["task"], r["correct_label"], slots(r)) for r in done.lines] == [
        ("run__EVAL_s1", "picking_sides", "me", ["me my friend me"] * 2 + ["my friend my friend me"]),
        ("run__EVAL_s2", "mirroring", "yes", ["yes yes -"] * 3),
    ]
    assert {(r["n_rounds"], r["n_agents"]) for r in done.lines} == {(2, 3)}
    # A sample that was never debated is no loss, and the table of influence says nothing of answers.
    assert [(a["file"], a["reason"]) for a in done.receipt["rows_set_aside"]] == [
        ("run__EVAL/meta.csv", "a sample without a debate: no answers, no key")
    ]
    assert [f["file"] for f in done.receipt["files_set_aside"]] == ["run__EVAL/influence_all.csv"]
    assert done.receipt["notes"] == {}


@pytest.mark.parametrize(
    "flips, options, rounds, note",
    [
        # A change in round 1: rounds count from 0.
        ([1, 3], (), 3, ""),
        # None in round 1: they count from 1, and the note says why and what overrules it.
        ([2, 3], (), 2, "rounds counted from 1, since no change stands in round 1 (--first-round 0 where they count from 0)"),
        ([2, 3], ("--first-round", "0"), 3, ""),
        ([2, 3], ("--first-round", "1"), 2, ""),
        ([2, 3], ("--first-round", "1", "--rounds", "4"), 4, ""),
    ],
)
def test_what_the_first_round_is_called(tmp_path: Path, flips: list[int], options: tuple[str, ...], rounds: int, note: str) -> None:
    """A plain table, without rates and without the names of the columns that tell its tool."""
    folder = tmp_path / "logs"
    write(folder / "meta.csv", "sample,correct_label\ns1,A\n")
    write(folder / "summary.csv", f's1,m1,A,"{flips}"\n'.join(["sample,model,final_answer,flip_rounds\n", ""]))
    rows = [f"s1,m1,{r},{'BA'[i % 2 == 0]},{'AB'[i % 2 == 0]}\n" for i, r in enumerate(flips)]
    write(folder / "flips.csv", "sample,model,round,from,to\n" + "".join(rows))
    done = run(tmp_path, "changes", folder, *options)
    (record,) = done.lines
    assert record["n_rounds"] == rounds and len(record["round_traces"]) == rounds
    states = [panel["m1"] for panel in panels(record)]
    changed = [r for r in range(1, len(states)) if states[r] != states[r - 1]]
    assert changed == [r - (flips[0] == 2 and "0" not in options) for r in flips]
    assert [n for n in done.receipt["notes"] if "counted from" in n] == ([f"logs: {note}"] if note else [])


def test_a_rate_proves_where_rounds_begin(tmp_path: Path) -> None:
    """A slip puts one change in round 1; the change in round 3 of two debate rounds still says that they count from 1."""
    folder = change_logs(
        tmp_path / "logs",
        "s1,x,A,True,A,A\ns2,x,A,True,A,A\n",
        "s1,m1,A,1,0.5,[3]\ns2,m1,A,1,0.5,[1]\n",
        "s1,m1,1,3,B,A\ns2,m1,1,1,B,A\n",
    )
    done = run(tmp_path, "changes", folder)
    assert [slots(r) for r in done.lines] == [["B", "B", "A"]]
    assert done.reasons == ["logs/flips_all.csv:3: a flip in no round from 2 to 3"]


def test_conditions_share_questions(tmp_path: Path) -> None:
    for condition in ("baseline", "persuaded"):
        change_logs(tmp_path / "logs" / condition, "s1,x,A,True,A,A\n", "s1,m1,A,1,0.5,[2]\n", "s1,m1,1,2,B,A\n")
    # The same numbers in two conditions are two runs, and no copy of one.
    (tmp_path / "logs" / "persuaded" / "summary_all.csv").write_text(SUMMARY + "s1,m1,A,1,0.5,[3]\n")
    (tmp_path / "logs" / "persuaded" / "flips_all.csv").write_text(FLIPS + "s1,m1,1,3,B,A\n")
    done = run(tmp_path, "changes", tmp_path / "logs")
    assert [(r["question_id"], r["condition"], slots(r)) for r in done.lines] == [
        ("logs_s1", "baseline", ["B", "A", "A"]), ("logs_s1", "persuaded", ["B", "B", "A"]),
    ]  # fmt: skip


def test_two_tables_of_one_kind_are_told(tmp_path: Path) -> None:
    folder = change_logs(tmp_path / "logs", "s1,x,A,True,A,A\n", "s1,m1,A,0,0.0,[]\n", "")
    write(folder / "summary.csv", SUMMARY)
    assert "summary.csv and summary_all.csv are both there" in run(tmp_path, "changes", folder).errors


# Du-style ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, agents, answers, task, rounds, condition",
    [
        ("mmlu_3_2", 3, 2, "mmlu", 1, None),
        ("arith_3_3_5_attention_all_MeanTokenEntropy", 3, 3, "arith", 2, "attention_all_MeanTokenEntropy"),
        ("mmlu_standard_3_3_5_0", 3, 3, "mmlu_standard", 2, "5_0"),
        ("mmlu_X_agents3_rounds3", 3, 3, "mmlu_X", 2, None),
        ("math_agents3_rounds2_persona", 3, 1, "math", 1, "persona"),
        ("mmlu_llama_3_8_3_2", 3, 2, "mmlu_llama_3_8", 1, None),
        ("run_2024_11", 3, 2, "run", 10, None),
        ("plain", 3, 2, "plain", None, None),
        # Names of public files.
        ("agents3_rounds2_temperature_0.7", 3, 2, "agents3_rounds2_temperature_0.7", 1, "temperature_0.7"),
        ("gsm_agent_3_round_2_test_100", 3, 2, "gsm", 1, "test_100"),
        ("mmlu_Qwen3-14B_temp0.5+0.7+1.0_agents3_rounds3", 3, 3, "mmlu_Qwen3-14B_temp0.5+0.7+1.0", 2, None),
        ("gsm_1_2_[0.7]", 1, 2, "gsm", 1, "[0.7]"),
    ],
)
def test_names_of_files(name: str, agents: int, answers: int, task: str, rounds: int | None, condition: str | None) -> None:
    found = named(name, agents, answers)
    assert (found.task, found.rounds, found.condition) == (task, rounds, condition)


def test_json_lines_of_records_and_of_questions(tmp_path: Path) -> None:
    """A line may be a record, with fields of its own before it, or a question with its value; a blank line is none."""
    file = jsonl(
        tmp_path / "runs.jsonl",
        {"id": 7, "options": ["x"], "question": "Q1?", "answer": 4, "agent_contexts": [context("4", "5"), context("5", "5")]},
        "",
        {"Q2?": [[context("6"), context("7")], 6]},
        {"id": 9, "note": "no debate"},
        {"question": "Q3?", "answer": 8, "agent_contexts": "x"},
    )
    done = run(tmp_path, "du", file)
    assert [(r["source_record"], r["source_line"], r["correct_label"], slots(r)) for r in done.lines] == [
        (1, 1, "4", ["4 5", "5 5"]), (2, 3, "6", ["6 7"]),
    ]  # fmt: skip
    assert [(r["record"], r["line"]) for r in done.receipt["rejections"]] == [(3, 4), (4, 4), (5, 5)]


def test_one_text_per_agent_is_a_panel(tmp_path: Path) -> None:
    said = {
        "1?": [[context("4"), context("5")], 4],
        "2?": [["4", "The answer is 5"], 5],
        "3?": [[{"role": "assistant", "content": "4"}, {"content": "6"}], 6],
        "4?": [[{"role": "user", "content": "4?"}, {"role": "assistant", "content": "7"}], 7],
    }
    done = run(tmp_path, "du", write(tmp_path / "panel.json", said))
    assert [slots(r) for r in done.lines] == [["4 5"], ["4 5"], ["4 6"], ["7"]]
    assert done.receipt["notes"] == {"one answer per agent: a panel of independent answers, no debate": 4}


def test_what_a_run_kept_of_its_last_round_alone_is_no_panel_of_first_answers(tmp_path: Path) -> None:
    """The two best agents go on, and only their last prompts are kept: the answers below them are no independent ones."""
    shown = "Q? These are the solutions to the problem from other agents: One agent's solution: ```5```"
    late = [context("5", prompt=shown), context("5", prompt=shown)]
    kept = [context("4", "5"), context("5", "5"), context("5", "5")]
    system = [[{"role": "system", "content": "It's a debate."}, *c] for c in kept]
    done = run(
        tmp_path, "du", write(tmp_path / "algebra_1_248_4_3.json", {"Q?": [late, "5", 3, "Algebra"], "R?": [system, "5", 1, "Algebra"]})
    )
    assert [slots(r) for r in done.lines] == [["4 5 5", "5 5 5"]] and done.lines[0]["n_agents"] == 4
    assert [r["reason"].partition(":")[0] for r in done.receipt["rejections"]] == [
        "the first prompt of every agent shows answers of others"
    ]


def test_values_of_public_files(tmp_path: Path) -> None:
    """A third entry behind the key is passed over; a value of agents alone has no key, and its kind is told by --kind."""
    scored = {"3 + 4 * 2": [[context("The result of 3+4*2 is 11."), context("14", "11")], "11", 1]}
    (record,) = run(tmp_path, "du", write(tmp_path / "agents2_rounds2_temperature_0.7.json", scored)).lines
    assert (record["correct_label"], slots(record), record["n_agents"], record["n_rounds"]) == ("11", ["11 14", "11"], 2, 1)
    keyless = write(tmp_path / "people.json", {"Q?": [context("4", "5"), context("5", "5")]})
    assert run(tmp_path, "du", keyless).reasons == ["nothing tells what kind of answer is asked for (no key, no options)"]
    (record,) = run(tmp_path, "du", keyless, "--kind", "number").lines
    assert (record["correct_label"], slots(record)) == (None, ["4 5", "5 5"])


@pytest.mark.parametrize(
    "name, replies, mode",
    [("gsm_2_2", ["4", "5"], "debate"), ("gsm_2_2", ["4"], "debate"), ("gsm_2_1", ["4"], "panel"), ("gsm_2_1", ["4", "5"], "debate"),
     ("gsm", ["4", "5"], None), ("gsm", ["4"], None)],
)  # fmt: skip
def test_the_mode_is_told_by_the_name(tmp_path: Path, name: str, replies: list[str], mode: str | None) -> None:
    """A debate that broke off after its first answers is of the same kind as its neighbours."""
    done = run(tmp_path, "du", write(tmp_path / f"{name}.json", {"Q?": [[context(*replies), context(*replies)], 4]}))
    assert done.lines[0].get("mode") == mode
    alone = run(tmp_path, "du", write(tmp_path / "gsm_1_2.json", {"Q?": [[context(*replies)], 4]}))
    assert alone.lines[0]["mode"] == "single_agent"


def test_a_number_as_key_of_a_question_with_options_is_not_read(tmp_path: Path) -> None:
    """2 may be C or B. Read as a number it would make every answer wrong; the panel comes in as letters, and its key is lost."""
    said = {QUESTION: [[context("The answer is (B)"), context("(C)")], 1], "What is 3+4?": [[context("7")], 7]}
    done = run(tmp_path, "du", write(tmp_path / "quiz_2_1.json", said))
    assert [(r["task_kind"], r["correct_label"], r.get("no_key"), slots(r)) for r in done.lines] == [
        ("choice", None, "unread", ["B C"]), ("number", "7", None, ["7"]),
    ]  # fmt: skip
    assert "a number as key where letters are asked for" in done.errors


def test_trials_of_several_questions(tmp_path: Path) -> None:
    """The same question in two trials is two debates; an empty trial is none; a broken one takes no other with it."""
    trials = [
        {"1+1?": [[context("2", "2"), context("3", "2")], 2], "2+2?": [[context("4"), context("4")], 4]},
        {},
        {"1+1?": [[context("3", "3"), context("2", "3")], 2], "bad": 5},
    ]
    done = run(tmp_path, "du", write(tmp_path / "arith_2_2_3_plain.json", trials))
    assert [(r["debate_id"], r["source_record"], slots(r)) for r in done.lines] == [
        (1, 1, ["2 3", "2 2"]), (1, 2, ["4 4"]), (3, 3, ["3 2", "3 3"]),
    ]  # fmt: skip
    assert len({r["question_id"] for r in done.lines}) == 2
    assert [(r["record"], r["reason"]) for r in done.receipt["rejections"]] == [(4, "a value that is a whole number")]
    assert done.receipt["notes"] == {"debates of fewer rounds than the 1 that the name of their file tells": 1}
    assert json.loads(done.text.splitlines()[0])["n_rounds"] == 1
