"""Answers read again from texts: hand-made debates whose cells change under a profile, worked out in the comments; and the real debates."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import REAL, ROOT, Build, Ledger
from lines import line, per_agent, summary

Texts = Sequence[Sequence[object]]
PROFILES = {"robust", "published", "published_strict", "final_tag_only", "last_bracketed"}


def said(record: dict[str, Any], texts: Texts, key: str = "reasoning") -> dict[str, Any]:
    """The record with what its agents said, panel by panel."""
    for panel, of_panel in zip([record["initial_states"], *record["round_traces"]], texts, strict=True):
        for state, text in zip(panel, of_panel, strict=True):
            state[key] = text
    return record


def tags(*labels: str | None) -> list[str | None]:
    return [label and f"Final Answer: {label}" for label in labels]


#: Seven debates of one model, one reply round each; the tests count on them by hand.
HAND = [
    # By the log a collapse. Two agents end with C, and only the last letter of their texts is A: robust has C, C, A; published A, A, A.
    said(
        per_agent("one", "C", ["CCA", "AAA"]),
        [
            tags("C", "C", "A"),
            ["The answer is (C), though (A) is tempting.", "The answer is (C), though (A) is tempting.", "Final Answer: A"],
        ],
    ),
    # By the log A, B and nothing: A, wrong, so a correction. Read again B, B and nothing: right from the start.
    said(per_agent("two", "B", [["A", "B", None], "BBB"]), [["Final Answer: B", "Final Answer: B", "no idea"], tags("B", "B", "B")]),
    # The log has no answer at the start; the texts have one.
    said(per_agent("three", "A", [[None, None, None], "AAA"]), [tags("A", "A", "A"), tags("A", "A", "A")]),
    # No answer key.
    said(per_agent("four", None, ["BBB", "BBB"]), [tags("B", "B", "B"), tags("B", "B", "B")]),
    # No text at all.
    per_agent("five", "D", ["DDD", "DDA"]),
    # None at the end; blank texts, numbers and objects are none.
    said(per_agent("six", "A", ["AAA", "AAA"]), [tags("A", "A", "A"), [" \n", 5, {"said": "Final Answer: A"}]]),
    # One agent's text is missing.
    said(per_agent("seven", "A", ["AAA", "AAA"]), [tags("A", "A", "A"), tags(None, "A", "A")]),
]


def canonical(question: str, model: str, gold: str, answers: Sequence[str | None], texts: Sequence[object], **extra: Any) -> dict[str, Any]:
    record = per_agent(question, gold, [answers], **extra) | {"model_name": model, "schema": "debate-ledger/1"}
    return said(record, [texts])


@pytest.fixture(scope="module")
def hand(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("reparse") / "hand"
    folder.mkdir()
    (folder / "said.jsonl").write_bytes(b"".join(map(line, HAND)))
    mute = [per_agent("one", "A", ["AAB", "AAA"]) | {"model_name": "mute"}, summary("two", "A", ["AAB", "AAA"]) | {"model": "mute"}]
    (folder / "mute.jsonl").write_bytes(b"".join(map(line, mute)))
    kinds = [
        canonical("yes", "asks yes or no", "yes", ["yes", "no"], ["Yes.", "The answer is yes."], task_kind="yes_no"),
        canonical("number", "asks for a number", "42", ["42", "41"], ["#### 42", "So it is 41."], task_kind="number"),
        canonical("unsaid", "asks for who knows what", "18", ["18"], ["The answer is 18."]),
        canonical("label", "asks for a label", "12", ["12", "P"], ["The answer is 12.", "The answer is (P)."], task_kind="label"),
        canonical("words", "asks for words", "blue", ["blue"], ["Answer: blue"], task_kind="label"),
        # With ten options the pronoun is one.
        canonical("ten", "ten options", "A", [None, "A"], ["It is what I think.", "Final Answer: A"]),
        canonical("four", "four options", "A", [None, "A"], ["It is what I think.", "Final Answer: A"], benchmark="MMLU"),
        canonical("two", "two options", "A", [None, "A"], ["Final Answer: D", "Final Answer: A"], benchmark="mmlu", options=["A", "B"]),
        # What the options say is no label of theirs.
        canonical("texts", "options by their texts", "A", ["I"], ["Final Answer: I"], options=["Paris", "London"]),
    ]
    (folder / "kinds.jsonl").write_bytes(b"".join(map(line, kinds)))
    keys: dict[str, Any] = {
        "first": {"reasoning": "Final Answer: A", "text": "Final Answer: B"},
        "second": {"reasoning": None, "text": "Final Answer: A", "response": "Final Answer: B"},
        "third": {"reasoning": {"of": "nobody"}, "text": " ", "response": "Final Answer: A", "raw_response": "Final Answer: B"},
        "fourth": {"raw_response": "Final Answer: A"},
        # A text that holds what a text of ours would look like.
        "quoted": {"text": 'He wrote {"text":"Final Answer: B"}.\nFinal Answer: A'},
    }
    states = [{"agent_id": str(i), "answer": "A"} | texts for i, texts in enumerate(keys.values())]
    about = {"question_id": "places", "correct_label": "A", "model_name": "places"}
    start = {"initial_states": own("B2", "A1")}
    places = [
        about | {"model_name": "keys", "initial_states": states, "round_traces": []},
        # Ids in another order, an agent that is not asked, one that comes late, and the other keys of rounds.
        about | start | {"round_traces": [own("C1", "D2"), own("D2"), own("E3", "A1", "D2")]},
        about | start | {"round_states": [own("C1", "D2"), own("B2", "A1", "F10")]},
        about | start | {"rounds": [own("F10", "B2", "A1")]},
        about | start | {"final_states": own("C1", "D2")},
        # Without ids the place tells the agent.
        about | {"initial_states": own("B", "A"), "round_states": [own("C", "D")]},
    ]
    (folder / "places.jsonl").write_bytes(b"".join(map(line, places)))
    return build(folder, topics="screen reparse")


def own(*agents: str) -> list[dict[str, str]]:
    """Agents whose text states their answer: a label, then the id."""
    return [
        {"answer": agent[0], "reasoning": f"Final Answer: {agent[0]}"} | ({"agent_id": agent[1:]} if agent[1:] else {}) for agent in agents
    ]


def cells(ledger: Ledger, profile: str, basis: str, model: str = "m") -> dict[str, Any]:
    columns = [c for (c,) in ledger.query("select column_name from duckdb_columns() where table_name = 'reparse_cells'")]
    [row] = ledger.query("select * from reparse_cells where profile = ? and basis = ? and model = ?", profile, basis, model)
    return dict(zip(columns, row, strict=True))


def agreement(ledger: Ledger, model: str, profile: str, rule: str = "all") -> tuple | None:
    """(slots, equal, differ, only stored, only coded, neither, disagreement), or None for no row."""
    rows = ledger.query(
        "select n_slots, n_equal, n_differ, n_only_stored, n_only_coded, n_neither, disagreement from reparse_agreement"
        " where model = ? and profile = ? and coder_rule = ?",
        model, profile, rule,
    )  # fmt: skip
    return rows[0] if rows else None


def test_a_collapse_of_the_parsers_making_is_none_when_read_again(hand: Ledger) -> None:
    found = cells(hand, "robust", "audit")
    assert found["reason"] is None and (found["n_debates"], found["n_debates_with_text"]) == (7, 6)
    # One, two, three and seven; four has no key, five no text, six none at the end.
    assert (found["n_rows"], found["n_without_key"], found["n_incomplete"], found["n_labelled"]) == (4, 1, 1, 4)
    assert (found["n_kept"], found["n_changed"], found["change"], found["change_n"]) == (1, 3, 0.75, 4)
    assert (found["n_collapse_changed"], found["n_correction_changed"]) == (1, 1)
    assert [found[f"n_primary_{c}"] for c in ("preserved", "collapse", "correction", "unrepaired", "undefined")] == [1, 1, 1, 0, 1]
    assert [found[f"n_{c}"] for c in ("preserved", "collapse", "correction", "unrepaired", "undefined")] == [4, 0, 0, 0, 0]


def test_a_cohorts_own_rule_leaves_unread_starts_out(hand: Ledger) -> None:
    """Two starts with A and B beside an unparsed answer, three with none."""
    found = cells(hand, "robust", "cohort")
    assert (found["coding_rule"], found["panel_decision"], found["endpoint"]) == ("read_panels", "alphabetical", "last")
    assert (found["n_labelled"], found["n_changed"], found["n_collapse_changed"], found["n_correction_changed"]) == (4, 3, 1, 0)
    assert [found[f"n_primary_{c}"] for c in ("preserved", "collapse", "correction", "unrepaired", "undefined")] == [1, 1, 0, 0, 2]


def test_the_last_letter_keeps_that_collapse(hand: Ledger) -> None:
    found = cells(hand, "published", "audit")
    assert (found["n_labelled"], found["n_changed"], found["n_collapse_changed"], found["n_correction_changed"]) == (4, 2, 0, 1)
    assert [found[f"n_{c}"] for c in ("preserved", "collapse", "correction", "unrepaired", "undefined")] == [3, 1, 0, 0, 0]
    # Without it one vote of three is left, and decides.
    assert cells(hand, "published_strict", "audit")["n_collapse"] == 1


def test_a_profile_that_reads_nothing_labels_nothing(hand: Ledger) -> None:
    found = cells(hand, "last_bracketed", "audit")
    assert (found["n_rows"], found["n_labelled"], found["n_changed"], found["change"], found["n_undefined"]) == (4, 0, 0, None, 4)
    assert (found["n_primary_collapse_unlabelled"], found["n_primary_correction_unlabelled"]) == (1, 1)
    found = cells(hand, "last_bracketed", "cohort")
    # Nothing read is unread by the cohort's rule.
    assert (found["n_unrepaired"], found["n_undefined"], found["n_primary_correction_unlabelled"]) == (0, 4, 0)


def test_stored_against_coded_by_hand(hand: Ledger) -> None:
    # 6 + 6 + 6 + 6 texts, 3 of debate six, 5 of seven. Robust: two others in one, one in two; three that the log does not have in three.
    assert agreement(hand, "m", "robust") == (32, 25, 3, 0, 3, 1, 6 / 32)
    [(n_without, n_default, n_debates, n_with)] = hand.query(
        "select n_slots_without_text, n_slots_default_options, n_debates, n_debates_with_text from reparse_agreement"
        " where model = 'm' and profile = 'robust' and coder_rule = 'all'"
    )
    assert (n_without, n_default, n_debates, n_with) == (4, 32, 7, 6)
    # One text without an answer, in both readings.
    assert agreement(hand, "m", "robust", "none") == (1, 0, 0, 0, 0, 1, 0.0)
    assert agreement(hand, "m", "final_tag_only", "final_tag")[:2] == (29, 25)
    sums = hand.query(
        "select profile, sum(n_slots) filter (coder_rule = 'all'), sum(n_slots) filter (coder_rule <> 'all')"
        " from reparse_agreement group by 1"
    )
    assert {profile for profile, _, _ in sums} == PROFILES and all(whole == parts for _, whole, parts in sums)


def test_a_source_without_texts_says_so(hand: Ledger) -> None:
    rows = hand.query(
        "select profile, coder_rule, reason, n_slots, n_equal, disagreement, disagreement_n, n_debates, n_debates_with_text"
        " from reparse_agreement where model = 'mute'"
    )
    assert {row[0] for row in rows} == PROFILES
    assert {row[1:] for row in rows} == {("all", "no text in this source", 0, None, None, 0, 2, 0)}
    for basis in ("audit", "cohort"):
        found = cells(hand, "robust", basis, "mute")
        assert (found["reason"], found["n_debates"], found["n_rows"]) == ("no text in this source", 2, 0)
        assert {found[key] for key in ("n_labelled", "n_changed", "change", "n_collapse", "n_primary_collapse")} == {None}


def test_kinds_of_answers(hand: Ledger) -> None:
    assert agreement(hand, "asks yes or no", "robust")[:3] == (2, 1, 1)
    other = "this profile does not read answers of this kind"
    nobody_reads = ("asks for a number", "asks for words", "asks for who knows what")
    for model, profile in [("asks yes or no", "published"), *((model, "robust") for model in nobody_reads)]:
        [(reason, n)] = hand.query("select reason, n_slots from reparse_agreement where model = ? and profile = ?", model, profile)
        assert (reason, n) == (other, 0), model
    assert agreement(hand, "asks for a label", "robust")[:2] == (2, 2)


def test_options_of_the_line_then_of_the_benchmark_then_ten(hand: Ledger) -> None:
    read = dict(
        hand.work_query(
            "select stored_model, list(published_answer order by agent_position) from intermediate.int_coded_answers"
            " inner join staging.stg_debates using (debate_id) where stored_model like '%options%' group by all"
        )
    )
    assert read == {
        "ten options": ["I", "A"], "four options": [None, "A"], "two options": [None, "A"], "options by their texts": ["I"],
    }  # fmt: skip
    n_default = dict(
        hand.query("select model, n_slots_default_options from reparse_agreement where profile = 'robust' and coder_rule = 'all'")
    )
    assert [n_default[m] for m in ("ten options", "four options", "two options", "options by their texts")] == [2, 0, 0, 1]
    assert n_default["asks for a label"] == 0


def test_the_first_key_with_a_text_counts(hand: Ledger) -> None:
    assert agreement(hand, "keys", "final_tag_only", "final_tag")[:2] == (5, 5)


def test_a_text_stays_with_its_agent(hand: Ledger) -> None:
    """Each text states its own agent's answer, so a text beside another's answer would be a disagreement."""
    # 2+2+1+3, 2+2+3, 2+3, 2+2, 2+2 texts.
    assert agreement(hand, "places", "robust")[:3] == (28, 28, 0)
    [(n_without,)] = hand.query(
        "select n_slots_without_text from reparse_agreement where model = 'places' and profile = 'robust' and coder_rule = 'all'"
    )
    assert n_without == 0


def test_texts_leave_the_work_file_and_their_number_stays(hand: Ledger) -> None:
    [(n_lines, n_texts)] = hand.work_query("select count(agent_texts), sum(n_agent_texts) from landing.raw_records")
    assert (n_lines, n_texts) == (0, sum(n for (n,) in hand.query(
        "select n from (select lane, max(n_slots) as n from reparse_agreement where coder_rule = 'all' group by all)"
    )) + 4)  # The two texts about a number, and the ones about words and about who knows what, are read by nobody.  # fmt: skip
    assert hand.work_query("select count(*) from staging.stg_agent_texts") == [(0,)]


def test_reading_again_without_the_texts_is_an_error(hand: Ledger, tmp_path: Path) -> None:
    work = shutil.copy(hand.work, tmp_path / "ledger.duckdb")
    environment = os.environ | {
        "LEDGER_WORK": str(work),
        "DBT_TARGET_PATH": str(tmp_path / "target"),
        "DBT_LOG_PATH": str(tmp_path / "logs"),
    }
    command = [
        str(ROOT / ".venv" / "bin" / "dbt"),
        "run",
        "--select",
        "int_coded_answers",
        "--project-dir",
        str(ROOT),
        "--profiles-dir",
        str(ROOT),
    ]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode != 0
    assert "have left the work file: land them again" in done.stdout


def test_texts_stay_where_they_are_asked_for(build: Build, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "said.jsonl").write_bytes(line(HAND[0]))
    ledger = build(folder, topics="reparse", variables={"keep_texts": True})
    assert [(t,) for t in ("Final Answer: A", "The answer is (C), though (A) is tempting.")] == sorted(
        ledger.work_query("select distinct agent_text from staging.stg_agent_texts where place = 1")
    )
    assert json.loads(ledger.work_query("select agent_texts from landing.raw_records")[0][0])["initial_states"][0]["id"] == "1"


# -- what was not parsed ---------------------------------------------------------------------------------------------------------


def test_what_debates_did_not_parse(hand: Ledger) -> None:
    columns = "n_rows, n_answers, n_unparsed, n_rows_any_initial_unparsed, n_rows_no_initial_answer, alpha_missing_as_revised"
    # One in debate two, three in three; both have one at the start, and three nothing else there.
    assert hand.query(f"select {columns} from parse_sensitivity where side = 'debates' and model = 'm'") == [(7, 42, 4, 2, 1, None)]


def test_missing_replies_move_the_flip_rate(shipped: Ledger) -> None:
    """The invented battery of eight probes: three revised, one unparsed."""
    rows = shipped.query(
        "select n_answers, n_unparsed, alpha_missing_not_revised, alpha_missing_as_revised, alpha_missing_subtracted_no_bound"
        " from parse_sensitivity where side = 'probes' and lane = 'sample_dialect_e'"
    )
    assert rows == [(8, 1, 3 / 8, 4 / 8, 2 / 8)]
    # Lane by lane what the parser audit has, and the screen's mean over rows.
    assert shipped.one(
        "select count(*) from parse_sensitivity as p inner join probe_parser_audit as a using (lane)"
        " where p.n_answers is distinct from a.n_replies or p.n_unparsed is distinct from a.n_unparsed"
    ) == 0  # fmt: skip
    assert shipped.query(
        "select count(*) > 0, bool_and(abs(p.alpha_missing_as_revised - s.alpha_none_as_flip) < 1e-12)"
        " from parse_sensitivity as p inner join screen as s using (lane) where p.side = 'probes' and s.alpha_none_as_flip is not null"
    ) == [(True, True)]


# -- real debates ----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not (REAL / "dylan_mmlu_n3").is_dir(), reason=f"no folder {REAL}/dylan_mmlu_n3: nothing to check here")
def test_real_texts(real: Ledger) -> None:
    """The counts of the review of the coder (docs/coder_review.md), which read the texts in Python."""
    where = "where cohort = 'dylan_mmlu_n3' and coder_rule = 'all'"
    found = {row[0]: row[1:] for row in real.query(
        f"select profile, n_slots, n_disagree, n_differ, n_only_stored, n_only_coded, n_equal, n_neither from reparse_agreement {where}"
    )}  # fmt: skip
    assert found["last_bracketed"] == (13764, 0, 0, 0, 0, 13192, 572)
    assert found["published"][:5] == (13764, 539, 467, 11, 61)
    assert found["robust"][:5] == (13764, 699, 477, 192, 30)
    assert found["published_strict"][:5] == (13764, 12822, 32, 12763, 27)
    assert found["final_tag_only"][:5] == (13764, 13168, 0, 13168, 0)
    [cell] = real.query(
        "select n_primary_preserved, n_primary_collapse, n_primary_correction, n_primary_unrepaired, n_primary_undefined,"
        " n_changed, n_labelled"
        " from reparse_cells where cohort = 'dylan_mmlu_n3' and basis = 'audit' and profile = 'last_bracketed'"
    )
    # As test_real_debates has them under the rule that leaves undefined majorities out.
    assert cell == (1806, 71, 138, 184, 7, 0, 2199)
    assert real.query("select distinct reason from reparse_cells where cohort = 'primary'") == [("no text in this source",)]
