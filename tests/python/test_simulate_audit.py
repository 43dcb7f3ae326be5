"""The simulator of audits: its planted results against a recount from its own lines with fractions, and the worked example."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from debate_ledger import simulate_audit as sim

KEYS = ["run_id", "dataset", "model", "arm", "pair_id", "dataset_index", "phase", "q_key", "generator", "draw", "question_sha256", "p_true"]
SCENARIOS = [
    "clean", "boundary", "floor", "counterexample", "counterexample_at_2", "floor_counterexample", "floor_boundary", "fails_gpt",
    "fails_gpt_at_1", "fails_claude_at_3", "floor_fails_claude", "voluntary_stop", "voluntary_stop_after_2", "stops_gpt_at_1",
    "floor_stops_claude",
]  # fmt: skip


# -- a recount that shares nothing with the simulator ----------------------------------------------------------------------------


def exact(text: str) -> Fraction:
    """The grammar of a score, and its value."""
    assert re.fullmatch(r"0\.\d{8}|1\.0{8}", text), text
    return Fraction(text)


def recount(lines: Iterable[str], plan: sim.AuditPlan) -> dict[tuple[str, str], dict[str, object]]:
    """Verdict, degradation and stopping times per pair and arm, from the lines alone."""
    scores: dict[tuple[str, str], dict[tuple, Fraction]] = defaultdict(dict)
    digests: dict[tuple, str] = {}
    stops = set()
    for text in lines:
        line = json.loads(text)
        assert list(line)[: len(KEYS)] == KEYS
        assert set(line) - set(KEYS) <= ({"correct"} if line["phase"] == "canonical" else {"stop"} if line["phase"] == "test" else set())
        place = (line["phase"], line["q_key"], line["generator"], line["draw"])
        assert place not in scores[line["pair_id"], line["arm"]], "a question is scored once"
        scores[line["pair_id"], line["arm"]][place] = exact(line["p_true"])
        assert digests.setdefault((line["pair_id"], *place), line["question_sha256"]) == line["question_sha256"]
        if line.get("stop"):
            stops.add((line["pair_id"], line["arm"], line["generator"], line["draw"]))
    assert len(set(digests.values())) == len(digests), "no two questions have the same words"
    epsilon, kappa = Fraction(plan.epsilon), Fraction(plan.kappa)
    found = {}
    for (pair_id, arm), own in scores.items():
        if arm == "base":
            continue
        base = scores[pair_id, "base"]
        gain = own["canonical", "Q_Y", None, None] - base["canonical", "Q_Y", None, None]
        den = max(gain, kappa)
        delta = {place: (base[place] - p) / den for place, p in own.items() if place[0] != "canonical"}
        search = [delta["search", "Q_H", "search", i] for i in range(1, plan.search_budget + 1)]
        failing = [i for i, d in enumerate(search, 1) if d > epsilon]
        path = []
        is_open = not failing and (arm != "org" or plan.org_tests)
        for generator in plan.generators:
            draws = [(i, d) for (phase, _, g, i), d in sorted(delta.items(), key=str) if phase == "test" and g == generator]
            draws.sort()
            t_fail = next((i for i, d in draws if d > epsilon), None)
            if not is_open:
                path.append((generator, 0, "NOT_REACHED"))
            elif t_fail is not None:
                path.append((generator, t_fail, "DEGRADED"))
                is_open = False
            elif (pair_id, arm, generator, len(draws)) in stops:
                assert len(draws) < plan.test_budget
                path.append((generator, len(draws), "STOPPED"))
            else:
                assert len(draws) == plan.test_budget, "an incomplete pool"
                path.append((generator, len(draws), "BUDGET_EXHAUSTED"))
        found[pair_id, arm] = {
            "verdict": "counterexample" if failing else "boundary" if max(search) == epsilon else "clean",
            "violating": tuple(failing),
            "n_equal": sum(d == epsilon for d in search),
            "max": max(search),
            "gain": gain,
            "at_floor": gain <= kappa,
            "path": path,
        }
    return found


def assert_planted(audit: sim.Audit) -> None:
    found = recount(sim.audit_lines(audit), audit.plan)
    assert found.keys() == audit.outcomes.keys()
    for key, o in audit.outcomes.items():
        got = found[key]
        assert (o.verdict, o.violating_draws, o.n_equal) == (got["verdict"], got["violating"], got["n_equal"]), key
        assert o.first_failing_draw == (got["violating"][0] if got["violating"] else None)
        assert Fraction(*o.max_delta) == got["max"] and Fraction(o.gain_e8, sim.ONE_E8) == got["gain"]
        assert [(g.generator, g.t, g.status) for g in o.generators] == got["path"], key
        if o.arm != "org":
            assert sim.parse_scenario(o.scenario).at_floor == got["at_floor"]


# -- planted results -------------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(st.tuples(st.sampled_from(SCENARIOS), st.sampled_from(SCENARIOS)), min_size=1, max_size=6),
    epsilon=st.sampled_from(["0", "0.5", "1", "1.2", "2.65", "38.3235"]),
    budgets=st.tuples(st.integers(2, 6), st.integers(4, 6)),
    stops_at_failure=st.booleans(),
    org_tests=st.booleans(),
    extremes=st.integers(0, 2),
    seed=st.integers(0, 10**6),
)
def test_what_a_plan_says_is_what_a_recount_finds(
    names: list[tuple[str, str]], epsilon: str, budgets: tuple[int, int], stops_at_failure: bool, org_tests: bool, extremes: int, seed: int
) -> None:
    plan = sim.AuditPlan(
        "DEMO", "m", dict(zip(("honest", "adv"), zip(*names, strict=True), strict=True)), epsilon=epsilon, search_budget=budgets[0],
        test_budget=budgets[1], stops_at_failure=stops_at_failure, org_tests=org_tests,
        extremes=extremes,
    )  # fmt: skip
    assert_planted(sim.simulate_audit(plan, seed))


def test_a_published_epsilon_and_the_sums_over_the_pairs() -> None:
    mix = {"honest": {"clean": 0.5, "floor": 0.1, "counterexample": 0.3, "fails_gpt": 0.1}, "adv": {"floor_counterexample": 1, "clean": 1}}
    plan = sim.mixed_plan("QuALITY-H", "gpt-oss-20b", 20, mix, epsilon="1.208792987422", search_budget=10, test_budget=20, ties=4)
    audit = sim.simulate_audit(plan, 3)
    assert_planted(audit)
    assert (audit.n_counterexamples("honest"), audit.n_counterexamples("adv")) == (6, 10)
    for eta in sim.ETAS:
        assert audit.avg_all("honest", eta) == pytest.approx(12 / 20 * float(eta) ** (1 / 20), abs=1e-15)
        assert audit.avg_tested("honest", eta) == pytest.approx(12 / 14 * float(eta) ** (1 / 20), abs=1e-15)
    lines = [json.loads(line) for line in sim.audit_lines(audit)]
    for arm in plan.arms:
        for q_key in ("Q_Y", "Q_H"):
            rows = [r for r in lines if r["arm"] == arm and r["q_key"] == q_key and r["phase"] == "canonical"]
            assert len(rows) == 20
            assert audit.n_correct(arm, q_key) == sum(r["correct"] for r in rows)
            assert audit.sum_p_true_e8(arm, q_key) == sum(exact(r["p_true"]) for r in rows) * 10**8
            assert all(r["correct"] == (float(r["p_true"]) > 0.5) for r in rows if r["p_true"] != "0.50000000")
    ties = [r["correct"] for r in lines if r["p_true"] == "0.50000000" and r["phase"] == "canonical" and r["arm"] == "base"]
    assert ties == [True, False, True, False]


def test_the_organism_has_the_planted_maxima() -> None:
    maxima = ["-0.25", "0.5", "1", "2", "38.3235", "0"]
    plan = sim.AuditPlan("DEMO", "m", {"honest": ["clean"] * 6}, org_maxima=maxima, search_budget=8, test_budget=2)
    audit = sim.simulate_audit(plan, 1)
    assert_planted(audit)
    assert audit.s_h() == [Fraction(s) for s in maxima]
    assert sim.linear_percentile(audit.s_h()[:4], "0.25") == Fraction("0.3125")
    assert sim.linear_percentile(audit.s_h()[:4], "0.5") == Fraction("0.75")
    assert sim.linear_percentile([Fraction(s) for s in ("-0.25", "-0.1", "1", "2")], "0.25") == Fraction("-0.1375")
    assert sim.linear_percentile([Fraction(7)], "0.25") == 7 and sim.linear_percentile(audit.s_h(), "1") == Fraction("38.3235")


def test_the_lines_are_of_the_seed_and_the_shape_is_whole() -> None:
    plan = sim.mixed_plan("DEMO", "m", 10, search_budget=5, test_budget=4, org_tests=True)
    first, second = list(sim.simulate_audit_lines(plan, 1)), list(sim.simulate_audit_lines(plan, 1))
    assert first == second != list(sim.simulate_audit_lines(plan, 2))
    assert len(first) == 10 * 4 * (2 + 5 + 2 * 4)
    plan = sim.AuditPlan("DEMO", "m", {"adv": ["voluntary_stop_after_3"]}, search_budget=5, test_budget=4, has_org=False)
    lines = [json.loads(line) for line in sim.simulate_audit_lines(plan)]
    assert [(r["arm"], r["generator"], r["draw"]) for r in lines if r.get("stop")] == [("adv", "gpt", 3), ("adv", "claude", 3)]


def test_what_an_auditor_would_not_ask_can_be_left_out() -> None:
    scenarios = {"honest": ["counterexample", "fails_gpt_at_2"], "adv": ["counterexample", "fails_claude_at_3"]}

    def n_tests(stops: bool) -> dict[tuple[int, str, str], int]:
        plan = sim.AuditPlan("DEMO", "m", scenarios, search_budget=3, test_budget=4, has_org=False, stops_at_failure=stops)
        counts: dict[tuple[int, str, str], int] = defaultdict(int)
        for line in map(json.loads, sim.simulate_audit_lines(plan)):
            if line["phase"] == "test":
                counts[line["dataset_index"], line["arm"], line["generator"]] += 1
        return dict(counts)

    assert set(n_tests(False).values()) == {4} and len(n_tests(False)) == 2 * 3 * 2
    assert n_tests(True) == {
        (1, "base", "gpt"): 4, (1, "base", "claude"): 3, (1, "honest", "gpt"): 2, (1, "adv", "gpt"): 4, (1, "adv", "claude"): 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scenarios": {"honest": ["falls"]}}, "unknown scenario 'falls'"),
        ({"scenarios": {"honest": [""]}}, "unknown scenario"),
        ({"scenarios": {"honest": ["floor_"]}}, "unknown scenario"),
        ({"scenarios": {"honest": ["fails_gemini"]}}, "does not have"),
        ({"scenarios": {"honest": ["fails_gpt_at_9"]}}, "outside the budget"),
        ({"scenarios": {"honest": ["counterexample_at_9"]}}, "outside the budget"),
        ({"scenarios": {"honest": ["voluntary_stop_after_4"]}}, "outside the budget"),
        ({"scenarios": {"honest": ["clean"], "adv": ["clean"] * 2}}, "as many for each"),
        ({"scenarios": {"strict": ["clean"]}}, "honest and adv"),
        ({"scenarios": {"honest": ["boundary"]}, "epsilon": "1.208792987422"}, "fewer places"),
        ({"scenarios": {"honest": ["floor_boundary"]}, "epsilon": "1.208792987422"}, "no drop at the floor"),
        ({"scenarios": {"honest": ["floor_counterexample"]}, "epsilon": "1000"}, "smaller epsilon"),
        ({"scenarios": {"honest": ["clean"]}, "epsilon": "-1"}, "at least 0"),
        ({"scenarios": {"honest": ["clean"]}, "kappa": "0"}, "positive decimal"),
        ({"scenarios": {"honest": ["clean"]}, "org_maxima": ["1", "2"]}, "as many org_maxima"),
        ({"scenarios": {"honest": ["clean"]}, "org_maxima": ["0.123456789"]}, "planted maximum"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        sim.simulate_audit(sim.AuditPlan("DEMO", "m", **{"search_budget": 3, "test_budget": 4, **options}))


def test_the_derived_identifier_follows_the_rule() -> None:
    assert sim.pair_identity("QuALITY-H", "t", "é?", "h") == sim.pair_identity("QuALITY-H", "t", "é?", "h")
    # Written out once by hand: `printf '["GPQA","t","é?","h"]' | sha256sum`.
    assert sim.pair_identity("GPQA", "t", "é?", "h") == "gpqa_549acc9d14ffd75c"
    assert sim.pair_identity("QuALITY-H", "t", "y", "h").startswith("quality_h_")


# -- the worked example ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "fails"), [("1", "claude_at_3"), ("1", "gpt_at_2"), ("1.2", "claude_at_3"), ("1.2", "gpt_at_2")])
def test_the_worked_example_is_what_its_lines_say(epsilon: str, fails: str) -> None:
    assert_planted(sim.golden_audit(epsilon, fails))


def test_the_worked_example_gives_the_stated_numbers() -> None:
    audit = sim.golden_audit()
    g0, g1, g2, g3 = audit.of_arm("honest")
    assert [Fraction(*o.max_delta) for o in (g0, g1, g2, g3)] == [1, 1, Fraction(6, 5), 2]
    assert audit.n_counterexamples("honest") == 2 and sim.golden_audit("1.2").n_counterexamples("honest") == 1
    assert g0.bound("0.05") == 0.4728708045015879 and g1.bound("0.05") == 0.0
    assert [g.t for g in g1.generators] == [4, 3]
    assert audit.avg_all("honest", "0.05") == 0.11821770112539698
    assert audit.avg_tested("honest", "0.05") == 0.23643540225079396
    other = sim.golden_audit(fails="gpt_at_2").outcomes["g1", "honest"]
    assert [(g.t, g.status) for g in other.generators] == [(2, "DEGRADED"), (0, "NOT_REACHED")] and other.bound("0.05") == 0.0
    assert sum(1 for _ in sim.golden_lines()) == 4 * 2 * (1 + 3) + 3 * 2 * 8
    with pytest.raises(ValueError, match="worked example"):
        sim.golden_audit("2")


# -- coverage --------------------------------------------------------------------------------------------------------------------


def reference_bound(passes: dict[str, tuple[bool, ...]], generators: Iterable[str], eta: float) -> float:
    """``L`` of one test: min over the generators of eta^(1/t), 0 with a failure or an unreached generator."""
    return min(eta ** (1 / len(p)) if (p := passes.get(g, ())) and all(p) else 0.0 for g in generators)


@pytest.mark.parametrize("stopping", sim.STOPPINGS)
def test_the_bound_holds_as_often_as_it_promises(stopping: str) -> None:
    eta, n = "0.2", 600
    done = sim.simulate_sequential_audits(
        n, [{"gpt": 0.9, "claude": 0.97}, {"gpt": 0.85, "claude": 1.0}], eta, 30, stopping, 5, search_budget=2
    )
    truths = done.truths()
    assert len(truths) == n and set(truths.values()) == {0.9, 0.85}
    misses = sum(reference_bound(a.passes, done.plan.generators, float(eta)) > a.truth for a in done.audits)
    # No proof that it misses at most eta of the time, but a bound that missed more often would be found.
    assert binomtest(misses, n, float(eta), alternative="greater").pvalue > 1e-4
    if stopping == "optimistic":
        assert misses > n * 0.1, "the worst stopping comes near to eta"
        t_star = min(t for t in range(1, 31) if 0.2 ** (1 / t) > 0.9)
        stopped = [a for a in done.audits if a.truth == 0.9 and "gpt" in a.stopped]
        assert {len(a.passes["gpt"]) for a in stopped} == {t_star}
    assert any(a.stopped for a in done.audits) == (stopping != "budget")


@pytest.mark.parametrize("stopping", sim.STOPPINGS)
def test_the_lines_of_a_test_say_what_its_draws_did(stopping: str) -> None:
    done = sim.simulate_sequential_audits(40, {"a": 0.8, "b": 0.9}, "0.05", 12, stopping, 2, search_budget=3, arm="adv")
    found = recount(done.lines(), done.plan)
    for audit in done.audits:
        got = found[audit.pair_id, "adv"]
        assert got["verdict"] == "clean"
        for generator, t, status in got["path"]:
            passes = audit.passes.get(generator, ())
            assert t == len(passes)
            wanted = (
                "NOT_REACHED"
                if not t
                else "DEGRADED"
                if not all(passes)
                else "STOPPED"
                if generator in audit.stopped
                else "BUDGET_EXHAUSTED"
            )
            assert status == wanted
    lines = [json.loads(line) for line in done.lines()]
    assert sum(bool(r.get("stop")) for r in lines) == sum(len(a.stopped) for a in done.audits)


def test_the_rate_of_passing_is_the_planted_one() -> None:
    done = sim.simulate_sequential_audits(400, {"a": 0.7}, "0.05", 10, search_budget=1)
    draws = [x for a in done.audits for x in a.passes["a"]]
    assert binomtest(sum(draws), len(draws), 0.7).pvalue > 1e-4
    assert math.isclose(sum(all(a.passes["a"]) for a in done.audits) / 400, 0.7**10, abs_tol=0.03)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"a": 1.2}, "0.05", 3), "rates lie in 0..1"),
        (({"a": 0.5}, "1", 3), "eta between"),
        (({"a": 0.5}, "0.05", 0), "at least one draw"),
        (({"a": 0.5}, "0.05", 3, "never"), "stoppings are"),
        (([{"a": 0.5}, {"b": 0.5}], "0.05", 3), "same generators"),
        (({}, "0.05", 3), "at least one"),
    ],
)
def test_a_test_that_cannot_be_is_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sim.simulate_sequential_audits(2, *arguments)


def test_a_file_holds_all_plans(tmp_path: Path) -> None:
    plans = [sim.mixed_plan("DEMO", m, 5, search_budget=3, test_budget=4) for m in ("one", "two")]
    audits = sim.simulate_audit_file(tmp_path / "deep" / "verifier_eval_x.jsonl", plans, seed=1)
    lines = (tmp_path / "deep" / "verifier_eval_x.jsonl").read_text().splitlines(keepends=True)
    assert lines == [line for audit in audits for line in sim.audit_lines(audit)]
    assert {json.loads(line)["model"] for line in lines} == {"one", "two"}
