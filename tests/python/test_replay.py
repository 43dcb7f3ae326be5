"""Replay: the real cohort, published counts, gates on planted debates, and other people's controllers."""

import csv
import gzip
import json
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, Build, Ledger
from hypothesis import given, settings
from hypothesis import strategies as st
from lines import per_agent

from debate_ledger.replay import Kinds, decide, gate_decisions, intervals, ranking
from debate_ledger.stump import percentile

PRIMARY = "select n_prevented, n_lost from replay where cohort = 'primary' and coding_rule = 'stored' and policy = ?"


@pytest.mark.parametrize(
    "policy, prevented, lost",
    [
        ("always", 253, 816),
        ("r1_majority_changed", 149, 635),
        ("any_r1_flip", 188, 735),
        ("disagreement_gate", 221, 629),
        ("perfect_gate", 253, 0),
    ],
)
def test_the_primary_cohort(shipped: Ledger, policy: str, prevented: int, lost: int) -> None:
    assert shipped.query(PRIMARY, policy) == [(prevented, lost)]


def test_alarms_per_model_are_those_of_the_file(shipped: Ledger) -> None:
    """Counted from the raw matrix, row by row."""
    (matrix,) = (ROOT / "data" / "primary_cohort").glob("*.csv.gz")
    wanted: dict[str, Counter[str]] = defaultdict(Counter)
    with gzip.open(matrix, "rt", newline="") as lines:
        for row in csv.DictReader(lines):
            kept = wanted[row["model"].replace("/", "-")]
            fires, collapsed, corrected = (row[c] == "1" for c in ("r1_majority_changed", "collapsed", "corrected"))
            kept.update(n_fired=fires, n_collapse=collapsed, n_prevented=fires and collapsed, n_lost=fires and corrected)
    columns = ("n_fired", "n_collapse", "n_prevented", "n_lost")
    rows = shipped.query(
        f"select {', '.join(columns)} from replay_by_model"
        " where cohort = 'primary' and coding_rule = 'stored' and policy = 'r1_majority_changed'"
    )
    assert sorted(rows) == sorted(tuple(c[k] for k in columns) for c in wanted.values()) and len(rows) == 6


def test_models_add_up_to_their_cohort(shipped: Ledger) -> None:
    columns = ("n_debates", "n_fired", "n_prevented", "n_lost", "net")
    sums = ", ".join(f"sum({c})::bigint" for c in columns)
    per_model = shipped.query(f"select cohort, coding_rule, policy, {sums} from replay_by_model group by all order by all")
    whole = shipped.query(f"select cohort, coding_rule, policy, {', '.join(columns)} from replay where n_debates > 0 order by all")
    assert per_model == whole and len(whole) > 20


def test_gates_that_need_answers_say_so_for_a_feature_matrix(shipped: Ledger) -> None:
    rows = shipped.query("select policy, reason from replay where cohort = 'primary' and coding_rule = 'stored' and reason is not null")
    assert {p for p, _ in rows} >= {"learned_stump", "dynamic_round_selection", "probe_gated_freeze"}
    assert all("answers" in r or "probes" in r for _, r in rows)


def test_what_follows_from_published_counts(shipped: Ledger) -> None:
    """Net and change of all rows of replay_policies.csv and lomo_per_model.csv, from prevented, lost and n."""
    columns = "source_table, cohort, policy, printed_net, printed_change_points"
    printed = shipped.work_query(f"select {columns} from seeds.published_replay_counts where printed_net is not null")
    assert len(printed) == 36 + 4
    for table, cohort, policy, net, points in printed:
        sql = "select net_prevented, accuracy_change_points from published_replays where source_table = ? and cohort = ? and policy = ?"
        ((found, change),) = shipped.query(sql, table, cohort, policy)
        assert found == net, (cohort, policy)
        # Printed to two decimals, or at full precision.
        assert points is None or change == pytest.approx(points, abs=0.005 + 1e-9), (cohort, policy)


def test_the_published_weight_ladder(shipped: Ledger) -> None:
    """Tables 7 and 38: points at ratios .5, 1, 2, 4, 8, and the break-even weight."""
    printed = {
        "probe_gated_freeze": ((-1.43, -1.21, -0.77, 0.12, 1.90), 3.72),
        "r1_majority_changed": ((-3.27, -1.04, 3.43, 12.35, 30.20), 1.23),
        "learned_r1_stump": ((-2.39, -2.31, -2.15, -1.83, -1.20), 15.50),
    }
    for policy, (ladder, weight) in printed.items():
        where = "where source_table = 'weight_ladder' and policy = ?"
        rows = shipped.query(f"select net_utility_points from published_ladder {where} order by weight_ratio", policy)
        assert [v for (v,) in rows] == pytest.approx(ladder, abs=0.005 + 1e-9)
        assert shipped.one(f"select break_even_weight from published_replays {where}", policy) == pytest.approx(weight, abs=0.005)


def kinds(rows: list[dict]) -> Kinds:
    """Kinds of one cohort from dicts; what a row does not say is a right start and end, with nothing changed."""
    plain = {"lane": "f", "model": "m", "initial_state": "right", "final_state": "right", "n": 1, "n_agents": 3.0, "has_answers": True}
    plain |= {
        "initial_one_answer": 1.0,
        "initial_agreement_of_parsed": 1.0,
        "r1_majority_changed": 0.0,
        "r1_one_answer": 1.0,
        "r1_agreement": 1.0,
    }
    plain |= {"r1_n_flipped": 0.0, "r1_agreement_of_parsed": 1.0, "question_flip_rate": np.nan, "is_ended_at_start": False}
    every = [plain | {"kind_id": i} | row for i, row in enumerate(rows)]
    return Kinds("c", "r", "last", {c: np.array([row[c] for row in every]) for c in every[0]})


COLLAPSE = {"initial_state": "right", "final_state": "wrong"}
CORRECTION = {"initial_state": "wrong", "final_state": "right"}


def gate(name: str, threshold: float | None = None, **needs: bool) -> dict:
    return {"policy": name, "gate": name, "threshold": threshold, "needs_answers": False, "needs_probes": False} | needs


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 4)), min_size=1, max_size=12), st.integers(0, 100))
def test_percentiles_of_counted_values_are_numpys(rows: list[tuple[float, int]], q: int) -> None:
    values, counts = np.array([v for v, _ in rows]), np.array([k for _, k in rows])
    assert percentile(values, counts, [q])[0] == np.percentile(np.repeat(values, counts), q)


def planted(useful: bool) -> Kinds:
    """Six source files; debates whose majority changes in round 1 collapse, and where the gate is useless are corrected as often."""
    rows = []
    for f in range(6):
        rows += [{"lane": f"f{f}", "n": 200}, {"lane": f"f{f}", "n": 20, **CORRECTION}]
        changed = {"lane": f"f{f}", "r1_majority_changed": 1.0, "r1_n_flipped": 2.0}
        rows += [changed | {"n": 40} | COLLAPSE, changed | {"n": 2 if useful else 40} | CORRECTION]
    return kinds(rows)


def test_a_planted_gate_is_found_on_held_out_sources_and_none_where_there_is_none() -> None:
    useful = planted(True)
    found = decide(useful, gate("learned_stump", needs_answers=True))
    assert [r["held_out"] for r in found.learned] == [f"f{i}" for i in range(6)]
    assert useful.prevented[found.fires].sum() == 240 and useful.lost[found.fires].sum() == 12
    nothing = decide(planted(False), gate("learned_stump", needs_answers=True))
    assert not nothing.fires.any() and {r["feature"] for r in nothing.learned} == {"no gate"}
    few = decide(kinds([{"n": 10, "lane": f"f{i}", **COLLAPSE} for i in range(3)]), gate("learned_stump"))
    assert [r["is_exploratory"] for r in few.learned] == [True]


def test_probe_gates_choose_on_the_other_models() -> None:
    rows = []
    for model in ("a", "b", "c"):
        rows += [
            {"model": model, "n": 100, "question_flip_rate": 0.1, **CORRECTION},
            {"model": model, "n": 60, "question_flip_rate": 0.9, **COLLAPSE},
        ]
    every = kinds(rows)
    found = decide(every, gate("probe_gated_freeze"))
    assert every.prevented[found.fires].sum() == 180 and every.lost[found.fires].sum() == 0
    assert [r["held_out"] for r in found.learned] == ["a", "b", "c"]
    bound = decide(every, gate("best_threshold_in_hindsight"))
    assert every.prevented[bound.fires].sum() - every.lost[bound.fires].sum() >= 180
    assert "two models" in str(decide(kinds([{"question_flip_rate": 0.5}]), gate("probe_gated_freeze")).reason)


def test_gates_fire_where_they_say() -> None:
    rows = [
        {"question_flip_rate": 0.6},
        {"question_flip_rate": 0.5, "initial_one_answer": 0.0, "r1_majority_changed": 1.0, "r1_agreement": 2 / 3, "r1_n_flipped": 1.0},
        {"initial_one_answer": 0.0, "r1_majority_changed": 1.0, "r1_one_answer": 1.0, "r1_n_flipped": 2.0},
        {"r1_majority_changed": np.nan, "r1_n_flipped": np.nan, "r1_agreement": np.nan, "is_ended_at_start": True},
        # Nobody was parsed: not unanimous.
        {"question_flip_rate": 0.9, "initial_agreement_of_parsed": 0.0},
    ]
    every = kinds(rows)
    expected = {
        "always": [True, True, True, True, True],
        "r1_majority_changed": [False, True, True, False, False],
        "any_r1_flip": [False, True, True, False, False],
        "initial_disagreement": [False, True, True, False, False],
        "r1_aware": [False, True, False, False, False],
        "unanimous_and_flips": [True, False, False, False, False],
        "question_flips": [True, False, False, False, True],
    }
    assert {name: decide(every, gate(name, 0.5)).fires.tolist() for name in expected} == expected
    assert decide(every, gate("question_flips", 0.5)).decides.tolist() == [True, True, False, False, True]
    assert decide(every, gate("any_r1_flip")).decides.all()
    unknown = kinds([{"r1_majority_changed": np.nan, "r1_n_flipped": np.nan}])
    assert "no debate has" in str(decide(unknown, gate("any_r1_flip")).reason)
    for wrong in (gate("nonsense"), gate("question_flips")):
        with pytest.raises(ValueError, match=r"seeds/gates\.csv"):
            decide(every, wrong)
    assert len(gate_decisions([every], [gate("always")])) == 5


def test_ladder_rank_and_break_even_follow_from_the_counts(controlled: Ledger, shipped: Ledger) -> None:
    """By hand in one case, and by their definitions in every row."""
    sql = "select n_prevented, n_lost, break_even_weight from replay where cohort = 'study' and coding_rule = 'alphabetical' and policy = ?"
    assert controlled.query(sql, "always") == [(3, 1, pytest.approx(1 / 3))]
    assert controlled.query(sql, "good") == [(1, 0, None)]  # it breaks two
    sql = (
        "select weight_ratio, net_utility_points from weight_ladder where cohort = 'study' and coding_rule = 'alphabetical' and policy = ?"
    )
    assert controlled.query(sql + " and weight_ratio = 2", "always") == [(2, pytest.approx(100 * (2 * 3 - 1) / 7))]
    assert controlled.query(sql + " and weight_ratio = 2", "good") == [(2, pytest.approx(100 * (2 * (1 - 2) + 1) / 5))]
    for ledger in (controlled, shipped):
        columns = "cohort, coding_rule, policy, n_debates, n_answered, n_undecidable, is_deployable and not is_exploratory, n_prevented"
        columns += ", n_lost, n_lost_undecided, n_gained, n_broken"
        whole: dict[tuple, dict[str, tuple[int, int]]] = defaultdict(lambda: {"standard": (0, 0)})
        for cohort, rule, policy, n, answered, undecidable, deployable, prevented, lost, undecided, gained, broken in ledger.query(
            f"select {columns} from replay where n_answered > 0"
        ):
            saved, cost = prevented - broken, lost + undecided - gained
            ladder = ledger.query(
                "select weight_ratio, net_utility_points, beats_standard_debate, utility_rank from weight_ladder"
                " where cohort = ? and coding_rule = ? and policy = ?", cohort, rule, policy
            )  # fmt: skip
            assert [r[0] for r in ladder] == [0.5, 1, 2, 4, 8]
            for ratio, points, beats, rank in ladder:
                assert points == pytest.approx(100 * (ratio * saved - cost) / answered) and beats == (ratio * saved > cost)
                assert (rank is not None) == (deployable and undecidable == 0 and answered == n)
            if deployable and undecidable == 0 and answered == n:
                whole[cohort, rule][policy] = (saved, cost)
        assert whole
        for (cohort, rule), lines in whole.items():
            for ratio in (0.5, 1, 2, 4, 8):
                worth = {p: ratio * a - b for p, (a, b) in lines.items()}
                ranks = ledger.query(
                    "select policy, utility_rank from weight_ladder where cohort = ? and coding_rule = ? and weight_ratio = ?"
                    " and utility_rank is not null", cohort, rule, ratio
                )  # fmt: skip
                assert dict(ranks) == {
                    p: 1 + sum(w > worth[p] for q, w in worth.items() if q != "standard") for p in worth if p != "standard"
                }
                (winner,) = ledger.query(
                    "select policy from policy_ranking where cohort = ? and coding_rule = ? and from_ratio <= ?"
                    " and (to_ratio > ? or to_ratio is null)", cohort, rule, ratio, ratio
                )  # fmt: skip
                assert worth[winner[0]] == max(worth.values())


def test_intervals_need_ten_questions_and_mind_no_other_policy() -> None:
    rng = np.random.default_rng(0)
    net, size = rng.integers(-1, 2, (40, 2)).astype(float), np.ones((40, 2))
    both, alone = intervals(net, size, 500), intervals(net[:, :1], size[:, :1], 500)
    assert both[0] == alone[0] and set(both[0]) == {f"{c}_{e}" for c in ("accuracy_change_ci", "published_ci") for e in ("lower", "upper")}
    assert intervals(net[:9], size[:9]) == [{}, {}]


def test_the_winner_changes_where_the_lines_cross() -> None:
    key = {"cohort": "c", "coding_rule": "r", "endpoint": "last"}
    lines = {"timid": (10, 15), "bold": (30, 75), "useless": (5, 50)}
    found = ranking([key | {"policy": p, "collapse_gain": a, "correction_cost": b} for p, (a, b) in lines.items()])
    assert [(r["policy"], r["from_ratio"], r["to_ratio"]) for r in found] == [
        ("standard", 0, 1.5),
        ("timid", 1.5, 3.0),
        ("bold", 3.0, None),
    ]
    for ratio in (Fraction(1), Fraction(2), Fraction(7, 2)):
        worth = {"standard": Fraction(0)} | {p: ratio * a - b for p, (a, b) in lines.items()}
        winner = next(r["policy"] for r in found if r["from_ratio"] <= ratio and (r["to_ratio"] is None or ratio < r["to_ratio"]))
        assert worth[winner] == max(worth.values())


DEBATES = [
    per_agent("q1", "A", ["AAB", "BBB"]),  # collapse
    per_agent("q2", "A", ["BBA", "AAA"]),  # correction
    per_agent("q3", "A", ["AAA", "AAA"]),  # preserved
    per_agent("q4", "A", ["BBB", "CCC"]),  # unrepaired
    per_agent("q5", "A", ["AAA", "BBB", "AAA"]),  # preserved, but wrong after round 1
    per_agent("q6", "A", ["AAB", "BBB"]),  # the same question twice
    per_agent("q6", "A", ["AAB", "BBB"]),
]  # fmt: skip


def action(policy: str, line: int | None, what: object, **extra: object) -> dict:
    return {"policy": policy, **({"debate_key": f"debates:{line}"} if line else {}), "action": what, **extra}


ACTIONS = [
    action("good", 1, "freeze"), action("good", 2, "keep"), action("good", 3, "answer B"), action("good", 4, "answer", answer="a"),
    action("good", 5, "stop after round 1"), action("good", 6, "abstain"), action("good", 7, "defer"),
    action("odd", 99, "keep"), action("odd", None, "keep", lane="debates", question_id="q6"),
    action("odd", 1, "keep"), action("odd", 1, "freeze"), action("odd", 2, "freeze"), action("odd", 2, "freeze"),
    action("odd", 3, "answer forty-two"), action("odd", 4, "keep", split="train"), action("odd", 5, "stop", round=9),
    action("leaky", 6, "keep", split="train"), action("leaky", 7, "freeze", split="test"),
    action("declared", None, "freeze", lane="debates", question_id="q1", split="test", score=0.9, weight_collapse=2, weight_correction=1),
    action("always", 1, "keep"), action("standard", 1, "keep"),
    action("coy", 1, "freeze"), action("coy", 2, "abstain"), action("coy", 3, "defer"), action("coy", 6, "freeze"),
    action("coy", 7, "abstain"),
]  # fmt: skip
BROKEN = [
    ({"policy": " ", "debate_key": "debates:1", "action": "keep"}, "no policy"),
    ({"policy": "p", "action": "keep"}, "no debate"),
    ({"policy": "p", "question_id": "q1", "action": "keep"}, "no debate"),
    (action("p", 1, "explode"), "none of keep"),
    (action("p", 1, 7), "no text"),
    (action("p", 1, "answer"), "without an answer"),
    (action("p", 1, "stop"), "without a round"),
    (action("p", 1, "freeze after round 1"), "none of keep"),
    (action("p", 1, "keep going"), "none of keep"),
    (action("p", 1, "stop after round 2.5"), "none of keep"),
    (action("p", 1, "stop after 1 or 2"), "none of keep"),
    (action("p", 1, "stop after round -1"), "none of keep"),
    (action("p", 1, "stop", round=1.5), "no whole number"),
    (action("p", 1, "stop", round="last"), "no whole number"),
    (action("p", 1, "stop after round 1", round=2), "two rounds"),
    (action("p", 1, "answer B", answer="C"), "two answers"),
    (action("p", 1, "keep", split=5), "split is no text"),
]


def other(policy: str, line: int, what: str, **extra: object) -> dict:
    return action(policy, None, what, debate_key=f"others:{line}", **extra)


# A cohort of its own: long debates, one without a key, one whose start nobody was parsed in, one whose stored end is not the recounted one.
OTHERS = [
    per_agent("q1", "B", ["BBD", "BDD", "DDD", "DDB", "DBB", "BBB"]),  # right, wrong, wrong, wrong, right, right
    per_agent("q2", None, ["AAB", "BBB"]),
    per_agent("q3", "A", [[None, None, None], "CCB", "CCC"]),
    per_agent("q4", "A", ["BBC", "CCC", "CCD"]),
    per_agent("q5", "B", ["BBD", "BDD", "DDD"], majority_answer="B"),
    per_agent("q6", "8", ["889", "999"]),
]  # fmt: skip
OTHER_ACTIONS = [
    other("stops", 1, "stop after round 5"), other("stops", 3, "stop", round="7"), other("stops", 4, "stop", round=1.0),
    other("late", 1, "stop 4"), other("late", 4, "stop after round 2"),
    other("keyless", 2, "freeze"), other("keyless answer", 2, "answer A"),
    other("freezes", 3, "freeze"), other("freezes", 4, "freeze"), other("freezes", 5, "freeze"),
    other("answers", 3, "answer C"), other("answers", 4, "answer D"),
    other("split", 1, "keep", split="Train"), other("split", 3, "keep", split="VAL"), other("split", 4, "keep", split="Test"),
    other("split", 5, "keep", split="fold 3"),
    other("torn", 1, "keep", question_id="q4"), other("torn", 3, "keep", lane="debates"), other("torn", 4, "keep", lane="others"),
    other("beyond", 3, "answer Z"), other("beyond", 4, "answer J"),
    other("nan", 1, "keep", score="NaN", weight_collapse="inf", weight_correction=1),
    other("digits", 6, "answer 8"), other("digits", 4, "answer 7"),
    other("leak", 1, "keep", split="train"), other("leak", 1, "keep", split="test"), other("leak", 3, "keep", split="test"),
    other("scored", 1, "keep", score=0.9), other("scored", 3, "freeze", score=0.1), other("scored", 5, "freeze", score=0.9),
    other("scored", 6, "keep", score=0.5),
]  # fmt: skip


@pytest.fixture(scope="module")
def controlled(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """Debates, and the actions of four policies on them."""
    folder = tmp_path_factory.mktemp("controlled") / "study"
    folder.mkdir()
    for name, rows in (("debates", DEBATES), ("mine.actions", [*ACTIONS, *(row for row, _ in BROKEN)])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    other_folder = folder.parent / "other"
    other_folder.mkdir()
    for name, rows in (("others", OTHERS), ("theirs.actions", OTHER_ACTIONS)):
        (other_folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return build(folder.parent, topics="localisation replay")


def test_a_controller_is_scored_on_the_saved_debates(controlled: Ledger) -> None:
    columns = "n_debates, n_undecidable, n_fired, n_prevented, n_lost, n_gained, n_broken, n_abstained_right, n_abstained_wrong, net"
    sql = f"select {columns} from replay where policy = ? and coding_rule = 'alphabetical'"
    # Freeze prevents, B breaks a right end, a repairs, the stop is wrong, and two wrong ends are left to somebody else.
    assert controlled.query(sql, "good") == [(7, 0, 6, 1, 0, 1, 2, 0, 2, 0)]
    assert controlled.query(sql, "declared") == [(1, 6, 1, 1, 0, 0, 0, 0, 0, 1)]
    # Two abstentions on right ends are no wrong answers, and nothing rests on them.
    assert controlled.query(sql, "coy") == [(5, 2, 5, 2, 0, 0, 0, 2, 1, 2)]
    columns = "n_answered, accuracy_change, accuracy_change_n, break_even_weight"
    assert controlled.query(f"select {columns} from replay where policy = 'coy' and coding_rule = 'alphabetical'") == [(2, 1.0, 2, 0.0)]
    points = (
        "select net_utility_points, n_answered from weight_ladder where policy = ? and coding_rule = 'alphabetical' and weight_ratio = 2"
    )
    assert controlled.query(points, "coy") == [(200.0, 2)]
    # Of the odd policy only the freeze of the correction counts.
    assert controlled.query(sql, "odd")[0][3:5] == (0, 1)


def test_actions_that_do_not_count_say_why(controlled: Ledger) -> None:
    rows = controlled.query(
        "select line_number, problem from action_problems where policy in ('odd', 'leaky') and line_number is not null order by all"
    )
    starts = {line: problem.split(":")[0] for line, problem in rows}
    assert starts == {
        8: "unmatched", 9: "ambiguous", 10: "contradictory", 11: "contradictory", 13: "duplicate", 14: "outside the options",
        15: "tuning split", 17: "tuned on its own test", 18: "tuned on its own test",
    }  # fmt: skip
    named = controlled.query("select policy, problem from action_problems where problem like 'named like a gate%' order by all")
    assert [p for p, _ in named] == ["always", "standard"] and "seeds/gates.csv" in named[0][1]
    landed = controlled.query("select distinct policy, reason from replay where source = 'landed' and cohort = 'study' order by all")
    nothing = "no action counts (table action_problems)"
    assert landed == [("coy", None), ("declared", None), ("good", None), ("leaky", nothing), ("odd", None)]
    silent = controlled.query("select problem, n_debates from action_problems where policy = 'declared'")
    assert silent == [("debates without an action: they are not scored", 6)]


def test_a_stop_at_the_end_keeps_and_other_answers_are_neutral(controlled: Ledger) -> None:
    columns = "n_debates, n_fired, n_neutral, net"
    sql = f"select {columns} from replay where policy = ? and coding_rule = ?"
    # Rounds 5 and 7 are the end or later; of debate 4 round 1 answers C as the end does.
    assert controlled.query(sql, "stops", "alphabetical") == [(3, 1, 0, 0)]
    # Nobody, B and D were the starts, C, C and D the ends: wrong as before but in the last, which is a collapse.
    assert controlled.query(sql, "freezes", "alphabetical") == [(3, 3, 2, 1)]
    # By the stored majority the last ends as it starts.
    assert controlled.query(sql, "freezes", "alphabetical_stored_final") == [(3, 3, 2, 0)]
    # C is what debate made of the first, D is as wrong as its C.
    assert controlled.query(sql, "answers", "alphabetical") == [(2, 2, 1, 0)]
    assert (
        controlled.one("select final_answer from debates where debate_key = 'others:5' and coding_rule = 'alphabetical_stored_final'")
        == "B"
    )


def test_every_action_that_does_not_count_is_told_once(controlled: Ledger) -> None:
    sql = "select line_number, problem from action_problems where cohort = 'other' and line_number is not null order by all"
    told = [(line, problem.split(":")[0]) for line, problem in controlled.query(sql)]
    assert told == [
        (4, "unscored"), (6, "unscored"), (7, "unscored"), (13, "tuning split"), (14, "tuning split"), (16, "unknown split"),
        (17, "two debates"), (18, "two debates"), (20, "outside the options"), (24, "outside the options"),
        (25, "tuned on its own test"), (26, "tuned on its own test"),
    ]  # fmt: skip
    ambiguous = controlled.query("select debate_key, n_debates from action_problems where problem like 'ambiguous%'")
    assert ambiguous == [(None, 2)]
    items = dict(controlled.query("select item, is_present from policy_report where policy = 'nan'"))
    assert not items["risk measurement"] and not items["weights are stated"]
    # The key of debate 6 is a digit, and so is its answer.
    assert controlled.query("select n_debates, n_prevented from replay where policy = 'digits' and coding_rule = 'alphabetical'") == [
        (1, 1)
    ]
    leak = dict(controlled.query("select item, is_present from policy_report where policy = 'leak'"))
    assert not leak["tuning and test are disjoint"] and leak["splits are stated"]


def test_the_report_counts_what_it_says(controlled: Ledger) -> None:
    items = controlled.query("select item, is_present, detail from policy_report where policy = 'scored'")
    found = {item: (is_present, detail) for item, is_present, detail in items}
    # Collapses are debates 5 (.9) and 6 (.5), the other is 1 (.9): pairs 1/2 and 0 of 2. The start of 3 is unread.
    assert found["risk measurement"] == (True, "4 of 4 actions have a score; its AUC for collapse is 0.25 over 3 debates")
    assert found["diagnostics kept apart"][0] and "1 alarms and of 2" in found["diagnostics kept apart"][1]
    # Freezing debate 5 prevents its collapse; the majority changes in round 1 in 1 (never mind the end), 5 and 6.
    assert found["baseline: round-1 gate"] == (True, "net 1 against 2 of the gate on the same debates")
    assert found["weight ladder"] == (True, "table weight_ladder; it pays at every weight")


def test_broken_action_lines_are_rejected_with_their_place(controlled: Ledger) -> None:
    rows = controlled.query("select line_number, reason from rejected_lines order by all")
    assert [n for n, _ in rows] == [len(ACTIONS) + 1 + i for i in range(len(BROKEN))]
    assert all(expected in reason for (_, reason), (_, expected) in zip(rows, BROKEN, strict=True))


def test_the_checklist_of_a_landed_policy(controlled: Ledger) -> None:
    sql = "select item, is_present from policy_report where policy = ?"
    assert dict(controlled.query(sql, "declared")) == {
        "actions": True, "diagnostics kept apart": False,
        "transition table": True, "every debate has an action": False, "risk measurement": True, "splits are stated": True,
        "tuning and test are disjoint": True, "weights are stated": True, "weight ladder": True, "interval over questions": False,
        "baseline: standard debate": True, "baseline: round-1 gate": True,
    }  # fmt: skip
    assert {item for item, is_present in controlled.query(sql, "leaky") if is_present} == {"splits are stated"}


def test_decisions_add_up_to_the_replay(controlled: Ledger) -> None:
    per_debate = controlled.query(
        "select cohort, policy, count(*), count(*) filter (cell = 'collapse' and policy_state = 'right') from replay_decisions"
        " where policy_state is not null group by all order by all"
    )
    replay = controlled.query(
        "select cohort, policy, n_debates, n_prevented from replay where coding_rule = 'read_panels' and n_debates > 0 order by all"
    )
    assert per_debate == replay


def test_a_third_party_gets_the_row_of_the_gate_it_repeats(build: Build, tmp_path: Path) -> None:
    """The real cohort and an actions file that says what round-1-majority-changed says."""
    source = ROOT / "data" / "primary_cohort"
    (tmp_path / "primary_cohort").mkdir()
    for path in source.iterdir():
        (tmp_path / "primary_cohort" / path.name).write_bytes(path.read_bytes())
    (matrix,) = source.glob("*.csv.gz")
    with gzip.open(matrix, "rt", newline="") as lines:
        rows = [
            action(
                "theirs",
                None,
                "freeze" if r["r1_majority_changed"] == "1" else "keep",
                debate_key=f"{matrix.name.removesuffix('.csv.gz')}:{i}",
            )
            for i, r in enumerate(csv.DictReader(lines), 2)
        ]
    (tmp_path / "theirs.actions.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    ledger = build(tmp_path)
    columns = "* exclude (policy, source)"
    (theirs,), (ours,) = (
        ledger.query(f"select {columns} from replay where policy = ? and coding_rule = 'stored'", p)
        for p in ("theirs", "r1_majority_changed")
    )
    assert theirs == ours
    assert ledger.one("select count(*) from action_problems") == 0
