"""Cases that once went wrong, or could: recorded ends, rules at endpoints that a source cannot answer, odd files beside good ones."""

import gzip
import os

import pytest
from conftest import Build, Ledger
from lines import line, per_agent, states, summary

A, B = ["A", "A", "A"], ["B", "B", "B"]
FLAGS = {"initial_correct": True, "majority_correct": True}
HEADER = "question_id,model,correct_label,collapsed,corrected,final_correct,init_majority_correct,init_agree_frac,r1_majority_changed"


@pytest.fixture(scope="module")
def cases(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("cases")
    ten = {str(i): "A" for i in range(1, 11)}
    records = [
        per_agent("stored_b", "A", [A, A, A], **FLAGS),
        {**summary("null_majority", "A", [A, [None] * 3, B]), "initial_correct": True, "initial_majority": "A", "final_correct": False}
        | {"round_traces": [{"round": 1, "answers": [None] * 3, "majority": None}, {"round": 2, "answers": B, "majority": "B"}]},
        {k: v for k, v in per_agent("final_states", "A", [ten]).items() if k != "round_traces"}
        | {"final_states": states({i: "B" for i in ten})},
        {k: v for k, v in per_agent("final_answers", "A", [A]).items() if k != "round_traces"} | {"final_answers": A},
        {k: v for k, v in per_agent("final_texts", "A", [A]).items() if k != "round_traces"} | {"final_states": A},
        {**per_agent("empty_and_filled", "A", [A]), "round_traces": [], "round_states": [states(B)]},
        {"question_id": "no_number", "correct_label": "A", "initial_answers": A, "final_answers": B, "n_rounds": "three"},
        {"question_id": "one_round", "correct_label": "A", "initial_answers": A, "final_answers": B, "n_rounds": 1},
        {"question_id": "zero_rounds", "correct_label": "A", "initial_answers": A, "final_answers": B, "n_rounds": 0},
        {**summary("stored_end", "A", [A]), "initial_correct": True, "initial_majority": "A", "final_correct": False, "final_answer": "B"},
        per_agent("tied_round", "B", [["B", "B", "C"], ["A", "B", "C"], B]),
        per_agent("other_name", "A", [A, A], model_name="", model="real-model"),
        per_agent("other_gold", "", [A, A], answer="a\n"),
        per_agent("white_space", "B", [["B\n", "\tB", "B\r\n"], ["\n", "\t", "B "]]),
        per_agent("long_label", "A", [A, ["a sentence of a model " * 9] * 3]),
        *(per_agent("time", "A", [A], timestamp=t) for t in (float("nan"), "infinity", 1e300, 1.77e18, 1.77e12, "2026", "+99:99")),
    ]
    nested = [
        per_agent("object", "A", [A, ["A", {"label": "B"}, "A"]]),
        per_agent("list", "A", [A, [["B"], "A", "A"]]),
        {**summary("in_a", "A", [A, A]), "initial_answers": ["A", "\\{", {"x": 1}]},
        per_agent("key", ["A", "B"], [A]),
        per_agent(
            "same_id",
            "A",
            [A, A],
            initial_states=[{"agent_id": "1", "answer": "A"}] * 3,
            round_traces=[[{"agent_id": "1", "answer": "A"}] * 3],
        ),
        per_agent("unnamed_rounds", "A", [A], round_traces=[[{"answer": "B"}] * 3]),
        {
            **{k: v for k, v in per_agent("rounds_object", "A", [A]).items() if k != "round_traces"},
            "rounds": {"1": []},
            "final_states": states(A),
        },
    ]
    (folder / "records.jsonl").write_bytes(b"".join(map(line, records)))
    (folder / "nested.jsonl").write_bytes(b"".join(map(line, nested)))
    (folder / "latex.jsonl").write_bytes(line(per_agent("set", "{1,2}", [["{1,2}", "[0,1)", "x"]])))
    (folder / "line=z").mkdir()
    (folder / "line=z" / "hive.jsonl").write_bytes(line(per_agent("hive", "A", [A, A])))
    (folder / os.fsdecode(b"caf\xe9.jsonl")).write_bytes(line(per_agent("cafe", "A", [A, A])))
    os.mkfifo(folder / "pipe.jsonl")
    part = {"initial_majority": "A", "initial_correct": True, "final_answer": "A", "final_correct": True}
    parts = [
        {"question_id": "null_part", "model": "m", "correct_label": "A", "alpha": {"mean": 0.1}, "standard_debate": None},
        {"question_id": "text_part", "model": "m", "correct_label": "A", "standard_debate": "failed", "abc_debate": part, "best_of_n": 3},
    ]
    (folder / "parts.jsonl").write_bytes(b"".join(map(line, parts)))
    (folder / "nothing.jsonl.gz").write_bytes(b"")
    (folder / "empty_inside.jsonl.gz").write_bytes(gzip.compress(b""))
    (folder / "old_mac.csv").write_bytes(HEADER.encode() + b"\rq,m,A,0,0,1,1,1.0,0\r")
    long_row = "q," + "m" * 200_000 + ",A,0,0,1,1,1.0,0\n"
    rows = [",".join([HEADER, "r1_majority_correct,r1_agree_frac,r3_majority_correct,r3_agree_frac"]) + "\n"]
    rows.append("contrary,mm,A,1,0,0,1,1.0,0,1,1.0,1,1.0\n")
    rows.append("no_agreement,mm,A,0,0,1,1,1.0,0,1,,1,1.0\n")
    (folder / "matrix.csv").write_text("".join(rows))
    (folder / "long_cell.csv").write_text(HEADER + "\n" + long_row)
    (folder / "a[1].jsonl").write_bytes(line(per_agent("bracket", "A", [A, A])))
    (folder / "a1.jsonl").write_bytes(line(per_agent("no_bracket", "A", [A, A])))
    (folder / "what?*.jsonl").write_bytes(line(per_agent("star", "A", [A, A])))
    return build(folder, topics="")


def cells(ledger: Ledger, question: str, endpoint: str = "last") -> dict[str, tuple]:
    found = ledger.query(
        "select coding_rule, cell, onset_round, last_round from debates where question_id = ? and endpoint = ?", question, endpoint
    )
    return {rule: tuple(rest) for rule, *rest in found}


def test_a_rule_has_no_row_at_an_endpoint_that_the_source_cannot_answer(cases: Ledger) -> None:
    assert cells(cases, "stored_b")["stored"] == ("preserved", None, 2)
    assert "stored" not in cells(cases, "stored_b", "r1")
    assert cells(cases, "stored_b", "r3")["stored"] == ("preserved", None, 2)
    assert "strict_from_agreement" not in cells(cases, "no_agreement", "r1")
    assert cells(cases, "no_agreement")["strict_from_agreement"][0] == "preserved"


def test_a_stored_majority_that_is_null_is_an_empty_panel_like_an_empty_text(cases: Ledger) -> None:
    assert cells(cases, "null_majority")["stored"] == ("collapse", 1, 2)


def test_an_end_without_rounds_is_read_where_it_stands_and_never_localized(cases: Ledger) -> None:
    assert cells(cases, "final_states")["alphabetical"] == ("collapse", None, None)
    assert cells(cases, "final_answers")["alphabetical"] == ("preserved", None, None)
    assert cells(cases, "empty_and_filled")["alphabetical"] == ("collapse", 1, 1)
    assert cells(cases, "no_number")["alphabetical"] == ("collapse", None, None)
    assert cells(cases, "no_number", "r1") == {}
    assert cells(cases, "one_round")["alphabetical"] == ("collapse", None, 1)
    assert cells(cases, "zero_rounds")["alphabetical"] == ("collapse", None, None)
    assert "no object" in cases.one("select reason from rejected_lines where file_key = 'records' and line_number = 5")


def test_a_debate_without_rounds_keeps_its_stored_end(cases: Ledger) -> None:
    found = cells(cases, "stored_end")
    assert found["stored"] == found["alphabetical_stored_final"] == ("collapse", None, 0)
    assert found["alphabetical"] == ("preserved", None, 0)


def test_a_matrix_that_contradicts_itself_is_listed_and_each_value_keeps_its_place(cases: Ledger) -> None:
    assert cells(cases, "contrary")["stored"] == ("collapse", None, 3)
    assert cells(cases, "contrary", "r3")["stored"] == ("preserved", None, 3)
    assert ("last round correct", "false", "true") in cases.query("select what, stored, recomputed from stored_disagreements")


def test_a_tied_round_changes_no_plurality(cases: Ledger) -> None:
    assert cases.query(
        "select majority_changed_from_initial, plurality_changed_from_initial from debate_rounds"
        " where question_id = 'tied_round' and round = 1"
    ) == [(True, False)]


def test_parts_that_are_no_objects_are_rejected_parts(cases: Ledger) -> None:
    assert cases.query("select line_number, part from rejected_lines where file_key = 'parts' order by all") == [
        (1, "standard_debate"), (2, "best_of_n"), (2, "standard_debate"),
    ]  # fmt: skip
    assert cases.query("select distinct debate_key from debates where file_key = 'parts'") == [("parts:2:abc",)]


def test_odd_files_land_or_have_a_reason(cases: Ledger) -> None:
    found = {file: (status, n) for file, status, n in cases.query("select regexp_replace(file, '.*/', ''), status, n_lines from raw_files")}
    assert found["nothing.jsonl.gz"] == found["empty_inside.jsonl.gz"] == ("landed", 0)
    assert found["old_mac.csv"] == ("unreadable", None)
    assert found["long_cell.csv"] == ("landed", 2)
    assert found["a[1].jsonl"] == found["a1.jsonl"] == found["what?*.jsonl"] == ("landed", 1)
    landed = cases.query("select distinct question_id from debates where question_id in ('bracket', 'no_bracket', 'star')")
    assert len(landed) == 3


def test_objects_and_lists_are_no_labels_and_agents_have_one_name_each(cases: Ledger) -> None:
    reasons = dict(cases.query("select line_number, reason from rejected_lines where file_key = 'nested'"))
    wanted = {1: "answer is an object", 2: "answer is an object", 3: "answer is an object", 4: "correct_label is", 5: "twice"}
    wanted |= {6: "not both named", 7: "rounds is no list"}
    assert set(reasons) == set(wanted)
    assert all(part in reasons[n] for n, part in wanted.items()), reasons
    # A text that only looks like one is a label.
    assert cases.query("select n_distinct from debate_rounds where file_key = 'latex'")[0] == (3,)
    assert cases.query("select distinct correct_label from debates where file_key = 'latex'") == [("{1,2}",)]


def test_white_space_is_no_part_of_a_label(cases: Ledger) -> None:
    assert cells(cases, "white_space")["strict_plurality"][0] == "preserved"
    assert cases.query("select n_parsed from debate_rounds where question_id = 'white_space' order by round") == [(3,), (1,)]
    assert cells(cases, "other_gold")["alphabetical"][0] == "preserved"


def test_times_out_of_range_are_null(cases: Ledger) -> None:
    found = cases.work_query("select recorded_at::varchar from staging.stg_debates where question_id = 'time' order by line_number")
    assert [t for (t,) in found] == [None] * 4 + ["2026-02-02 02:40:00"] + [None] * 2


def test_a_long_label_is_published_by_its_hash(cases: Ledger) -> None:
    [(final, majority)] = cases.query(
        "select distinct d.final_answer, r.majority from debates as d inner join debate_rounds as r using (debate_key)"
        " where d.question_id = 'long_label' and r.is_last_round and d.coding_rule = 'alphabetical' and d.endpoint = 'last'"
    )
    assert final == majority
    assert final.startswith("(label of ")


def test_odd_names_cost_their_file_at_most(cases: Ledger) -> None:
    assert cases.query("select file_key from debates where question_id = 'hive'")[0] == ("hive",)
    reasons = dict(cases.query("select regexp_replace(file, '.*/', ''), reason from raw_files where status = 'unreadable'"))
    assert "not UTF-8" in reasons["caf\\xe9.jsonl"]
    assert "pipe" in reasons["pipe.jsonl"]


def test_an_empty_model_name_gives_way_to_the_next_one(cases: Ledger) -> None:
    assert cases.query("select distinct model from debates where question_id = 'other_name'") == [("real-model",)]


def test_pooled_rows_count_what_their_rule_cannot_code_and_average_their_own_rule(cases: Ledger) -> None:
    [row] = cases.query(
        "select coding_rule, n_debates + n_unavailable, n_unavailable, mean_conditional_collapse_n, mean_conditional_collapse"
        " from cohort_ledger where cohort <> 'line=z'"
    )
    rule, n_all, n_unavailable, n_models, mean = row
    assert n_all == cases.work_query("select count(*) from intermediate.int_debates where cohort <> 'line=z'")[0][0]
    assert n_unavailable > 0
    rates = cases.query(
        "select conditional_collapse from transitions where cohort <> 'line=z'"
        " and coding_rule = ? and endpoint = 'last' and conditional_collapse is not null",
        rule,
    )
    assert (n_models, mean) == (len(rates), pytest.approx(sum(r for (r,) in rates) / len(rates)))


def test_decisions_per_round_agree_with_the_debates(cases: Ledger) -> None:
    """The view for a close look and the mart go different ways over the same decisions."""
    assert (
        cases.work_query(
            """
        select d.debate_key, d.coding_rule, d.initial_state, i.state
        from main.debates as d
        inner join intermediate.int_debates as n using (cohort, debate_key)
        inner join intermediate.int_decisions as i on n.debate_id = i.debate_id and d.coding_rule = i.coding_rule and i.round = 0
        where d.endpoint = 'last' and d.initial_state is distinct from i.state
        """
        )
        == []
    )
