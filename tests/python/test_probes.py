"""Probe batteries: published counts, planted ones of every writer, the example lines, and some that are not what they should be."""

import itertools
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import EXAMPLES, Build, Ledger

from debate_ledger import simulate_probes as sim

CONDITIONS = ("default", "anti_social", "anti_argument")
QUESTIONS, AGENTS = 40, 3


# -- published counts ------------------------------------------------------------------------------------------------------------


def test_the_published_counts_give_the_published_flip_rates(shipped: Ledger) -> None:
    (sonnet,) = shipped.query("select alpha_tot, alpha_adv, alpha_cor, alpha_definition from screen where lane like '%Sonnet_4.5'")
    assert sonnet[:3] == pytest.approx((0.45040838801450006, 0.4094256033865817, 0.16537584073531053), abs=1e-12)
    assert sonnet[3] == "default_channel_mean"
    cells = shipped.one(
        "select count(*) from flip_rates where lane like 'published%' and condition <> 'all' and channel <> 'both' and strength = 'all'"
        " and n_adv + n_cor + n_neutral = n_compared_flip and n_initial_right + n_initial_wrong = n_compared"
    )
    assert cells == 92


def test_what_does_not_follow_from_the_published_inputs_is_named(shipped: Ledger) -> None:
    found = shipped.query("select statistic, count(*), string_agg(distinct published_row, ', ' order by published_row) from "
                          "published_screen_checks where status = 'does not follow' group by 1 order by 1")  # fmt: skip
    counts = {statistic: n for statistic, n, _ in found}
    rows = {statistic: names for statistic, _, names in found}
    # The published README, points 14, 21, 1, 22 and 20.
    assert counts == {
        "none_as_no_flip_alpha": 6, "fr_default": 1, "fr_antisocial": 1, "fr_antiargument": 1,
        "debate_fr": 3, "probe_alpha": 8, "sign of sa": 1,
    }  # fmt: skip
    assert {rows[f] for f in ("fr_default", "fr_antisocial", "fr_antiargument")} == {"Gemini_3.1-pro"}
    assert rows["sign of sa"] == "Qwen3-8B"
    assert shipped.one("select count(*) from published_screen_checks where status = 'follows'") > 250
    # d, p and what needs rows are not computed from nothing.
    unpublished = "select distinct statistic from published_screen_checks where status = 'inputs unpublished' order by 1"
    assert [s for (s,) in shipped.query(unpublished)] == [
        "at_risk_initial_disagreement_rate", "d_aa_minus_as", "drop_alpha_total", "initial_disagreement_rate", "initial_entropy_norm",
        "initial_unanimity_rate", "majority_flip_rate", "mean flip rate range", "mean_initial_majority_margin", "p",
        "replay_any_r1_flip_rate", "replay_initial_disagreement_rate", "replay_r1_flip_frac", "replay_r1_majority_changed_rate",
        "unstable questions",
    ]  # fmt: skip
    assert shipped.query("select recomputed, remark from published_screen_checks where statistic = 'none_rate' and source like '%r5%'") == [
        (0.04375, "21 of 480")
    ]


def test_the_sealed_rows_screen_the_primary_cohort(shipped: Ledger) -> None:
    found = shipped.query("select model, n_collapse, n_initial_correct from screen where cohort = 'primary' order by model")
    assert found == [
        ("gemini-3-flash", 1, 170), ("gpt-5.4-mini", 1, 143), ("llama-3.1-8b", 86, 1016),
        ("phi-4-mini", 112, 1094), ("qwen3-4b", 50, 979), ("qwen3-8b", 3, 56),
    ]  # fmt: skip


# -- planted batteries -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planted() -> dict[str, list[sim.Battery]]:
    plans = {
        "vllm": sim.graded_plan(0.3, 0.1, 0.3, unparsed=0.05),
        "openrouter": sim.graded_plan(0.2, -0.1, 0.5, unparsed=0.0, initially_right=0.8),
        "gemini": sim.graded_plan(0.5, 0.0, 0.2, unparsed=0.1, corrective=0.6),
        "sealed": sim.graded_plan(0.4, 0.2, 0.1, unparsed=0.02, initially_right=0.5),
        "panel": sim.graded_plan(0.3, 0.1, 0.3, unparsed=0.05, conditions=("default",)),
    }
    return {w: sim.simulate_batteries(plan, questions=QUESTIONS, agents=AGENTS, seed=i) for i, (w, plan) in enumerate(plans.items())}


@pytest.fixture(scope="module")
def simulated(build: Build, tmp_path_factory: pytest.TempPathFactory, planted: dict[str, list[sim.Battery]]) -> Ledger:
    folder = tmp_path_factory.mktemp("probes")
    for writer, batteries in planted.items():
        name = "sa_causal_sealed_sim.jsonl" if writer == "sealed" else f"sim_{writer}.jsonl"
        duplicates = 5 if writer == "openrouter" else 0
        lines = sim.battery_lines(batteries, writer=writer, model=f"m-{writer}", duplicates=duplicates)
        (folder / name).write_text("".join(lines))
    return build(folder, topics="screen")


def lane(writer: str) -> str:
    return {"sealed": "sa_causal_sealed_sim"}.get(writer, f"sim_{writer} / m-{writer}")


@pytest.mark.parametrize("writer", ["vllm", "openrouter", "gemini", "sealed", "panel"])
def test_every_planted_count_comes_back(simulated: Ledger, planted: dict[str, list[sim.Battery]], writer: str) -> None:
    batteries = planted[writer] + (planted[writer][:5] if writer == "openrouter" else [])  # duplicates count unless a seed drops them
    expected = sim.planted_counts(batteries)
    columns = ["n_replies", "n_unparsed", "n_flip", "n_adv", "n_cor", "n_neutral"]
    found = simulated.query(
        f"select condition, strength, channel = 'social', {', '.join(columns)} from flip_rates where lane = ?"
        " and condition <> 'all' and channel <> 'both' and strength not like 'all%'",
        lane(writer),
    )
    assert {row[:3]: dict(zip(columns, row[3:], strict=True)) for row in found} == {
        cell: {c: counts[c] for c in columns} for cell, counts in expected.items()
    }
    # Sums over cells.
    total = sum(expected.values(), Counter())
    without = sum((c for (_, strength, _), c in expected.items() if strength != "very_strong"), Counter())
    both = "select n_flip, n_replies, n_compared, flip_rate, flip_rate_dropped, flip_rate_none_as_flip from flip_rates where lane = ?"
    ((n_flip, n, n_compared, *rates),) = simulated.query(
        f"{both} and condition = 'all' and channel = 'both' and strength = 'all'", lane(writer)
    )
    assert (n_flip, n, n_compared) == (total["n_flip"], total["n_replies"], total["n_replies"] - total["n_unparsed"])
    assert rates == pytest.approx([n_flip / n, n_flip / n_compared, (n_flip + total["n_unparsed"]) / n], abs=1e-15)
    ((n_flip, n, *_),) = simulated.query(
        f"{both} and condition = 'all' and channel = 'both' and strength = 'all but very_strong'", lane(writer)
    )
    assert (n_flip, n) == (without["n_flip"], without["n_replies"])


def test_the_cut_of_everything_is_the_sum_of_the_parts(simulated: Ledger, odd: Ledger) -> None:
    for ledger in (simulated, odd):
        assert ledger.one("select count(*) from flip_rates where condition = 'all'") > 0
        assert (
            ledger.query("""
            with parts as (
                select lane, sum(n_replies) as n, sum(n_flip) as n_flip from flip_rates
                where condition <> 'all' and channel <> 'both' and strength not like 'all%' group by 1
            ), rest as (
                select lane, n_replies, n_flip from flip_rates where condition = 'all' and channel = 'both' and strength = 'all'
            )
            select * from rest left join parts using (lane)
            where lane not like 'published%' and (n_replies is distinct from n or rest.n_flip is distinct from parts.n_flip)
            """)
            == []
        )


def row_rate(battery: sim.Battery) -> Fraction:
    return Fraction(sum(p is not None and p != battery.initial for p in battery.replies.values()), 8)


@pytest.mark.parametrize("writer", ["vllm", "gemini", "sealed"])
def test_each_definition_of_alpha_and_of_the_ratio_comes_back(
    simulated: Ledger, planted: dict[str, list[sim.Battery]], writer: str
) -> None:
    batteries = planted[writer]
    default = [b for b in batteries if b.condition == "default"]
    counts = {cell[1:]: c for cell, c in sim.planted_counts(default).items()}

    def rate(strengths: tuple[str, ...], socials: tuple[bool, ...], dropped: bool = False) -> float:
        cells = [counts[s, social] for s in strengths for social in socials]
        n = sum(c["n_replies"] - (c["n_unparsed"] if dropped else 0) for c in cells)
        return float(Fraction(sum(c["n_flip"] for c in cells), n))

    every, low, high = tuple(sim.STRENGTHS), ("weak", "moderate"), ("strong", "very_strong")
    s_soc = rate(every, (True,)) - rate(every, (False,))
    s_arg = rate(high, (False, True)) - rate(low, (False, True))
    s_range = rate(("very_strong",), (False, True)) - rate(("weak",), (False, True))
    ((n_rows, *found),) = simulated.query(
        "select n_probe_rows, alpha_tot, alpha_default_rows, alpha_all_rows, social_sensitivity, argument_sensitivity,"
        " social_argument_ratio, sa_row_quotient, sa_row_average, sa_rate_contrast from screen where lane = ?",
        lane(writer),
    )
    assert n_rows == len(batteries)
    assert found == pytest.approx(
        [
            (rate(every, (False,), dropped=True) + rate(every, (True,), dropped=True)) / 2,
            float(sum(map(row_rate, default)) / len(default)),
            float(sum(map(row_rate, batteries)) / len(batteries)),
            s_soc,
            s_arg,
            s_soc / (abs(s_soc) + abs(s_arg) + 1e-6),
            s_soc / s_range,
            s_soc / (abs(s_soc) + abs(s_range) + 1e-3),
            s_soc / (rate(every, (True,)) + rate(every, (False,))),
        ],
        abs=1e-9,
    )


def test_alpha_lite_is_agent_zero_under_the_default_condition(simulated: Ledger, planted: dict[str, list[sim.Battery]]) -> None:
    rates = [row_rate(b) for b in planted["vllm"] if b.condition == "default" and b.agent == 0]
    ((value, n),) = simulated.query("select alpha_lite, alpha_lite_n from screen where lane = ?", lane("vllm"))
    assert (value, n) == (pytest.approx(float(sum(rates) / len(rates)), abs=1e-12), len(rates))
    assert simulated.query("select alpha_lite from screen where lane = ?", lane("sealed")) == [(None,)]  # it stores no agents


def test_the_interval_over_questions_holds_the_value_and_is_the_same_in_every_build(simulated: Ledger) -> None:
    for low, value, high in simulated.query(
        "select alpha_tot_ci_lower, alpha_tot, alpha_tot_ci_upper from screen where not is_from_published_counts"
        " union all select sa_question_mean_ci_lower, sa_question_mean, sa_question_mean_ci_upper from screen"
        " where sa_question_mean is not null"
    ):
        assert low < value < high
        assert high - low < 0.5


def test_the_pool_is_the_k_questions_with_the_highest_solo_rate(simulated: Ledger, planted: dict[str, list[sim.Battery]]) -> None:
    solo: dict[str, list[bool]] = {}
    for b in planted["gemini"]:
        if b.condition == "default":
            solo.setdefault(f"probe_sim_{b.question}", []).extend(
                p is not None and p != b.initial for (_, social), p in b.replies.items() if not social
            )
    expected = sorted(solo, key=lambda q: (-Fraction(sum(solo[q]), len(solo[q])), q))
    found = [q for (q,) in simulated.query("select question_id from question_screen where lane = ? order by pool_rank", lane("gemini"))]
    assert found == expected
    # Forty questions are fewer than the pool of 200, so every lane of the folder shares them all.
    assert simulated.query("select bool_and(is_in_pool), bool_and(is_in_shared_pool), max(n_pools) from question_screen") == [
        (True, True, 5)
    ]


def test_conditions_are_compared_over_pairs(simulated: Ledger, planted: dict[str, list[sim.Battery]]) -> None:
    from scipy import stats

    by_condition = {c: {(b.question, b.agent): float(row_rate(b)) for b in planted["vllm"] if b.condition == c} for c in CONDITIONS}
    argument, social = ([by_condition[c][key] for key in sorted(by_condition[c])] for c in ("anti_argument", "anti_social"))
    expected = stats.ttest_rel(argument, social)
    differences = [a - s for a, s in zip(argument, social, strict=True)]
    ((n, d, t, p, in_order),) = simulated.query(
        "select n_pairs, cohens_d_paired, t, p, is_in_order from condition_effects where lane = ?", lane("vllm")
    )
    assert n == QUESTIONS * AGENTS and in_order
    mean = sum(differences) / n
    spread = (sum((x - mean) ** 2 for x in differences) / (n - 1)) ** 0.5
    assert (d, t, p) == pytest.approx((mean / spread, expected.statistic, expected.pvalue), rel=1e-9)
    # A lane that stores no agents has three batteries per question and condition; a panel has no conditions at all.
    assert {x for (x,) in simulated.query("select lane from condition_effects")} == {
        lane(w) for w in ("vllm", "openrouter", "gemini", "sealed")
    }


def test_reliability_of_the_planted_batteries(simulated: Ledger, planted: dict[str, list[sim.Battery]]) -> None:
    default = [b for b in planted["vllm"] if b.condition == "default"]
    half = {("weak", False), ("strong", False), ("moderate", True), ("very_strong", True)}
    flips = {q: ([0, 0], [0, 0]) for q in range(QUESTIONS)}
    for b in default:
        for cell, post in b.replies.items():
            part = flips[b.question][0 if cell in half else 1]
            part[0] += post is not None and post != b.initial
            part[1] += 1
    first, second = ([f[i][0] / f[i][1] for f in flips.values()] for i in (0, 1))
    from scipy import stats

    r = stats.pearsonr(first, second).statistic
    found = dict(simulated.query("select statistic, value from probe_reliability where lane = ?", lane("vllm")))
    assert found["split_half_r"] == pytest.approx(r, abs=1e-12)
    assert found["split_half_spearman_brown"] == pytest.approx(2 * r / (1 + r), abs=1e-12)
    # The mean square of an analysis of variance by hand.
    grid = [[float(row_rate(b)) for b in sorted((b for b in default if b.question == q), key=lambda b: b.agent)] for q in range(QUESTIONS)]
    values = list(itertools.chain(*grid))
    grand = sum(values) / len(values)
    ss_rows = AGENTS * sum((sum(row) / AGENTS - grand) ** 2 for row in grid)
    ss_within = sum((x - sum(row) / AGENTS) ** 2 for row in grid for x in row)
    ms_rows, ms_within = ss_rows / (QUESTIONS - 1), ss_within / (QUESTIONS * (AGENTS - 1))
    assert found["icc_1_1"] == pytest.approx((ms_rows - ms_within) / (ms_rows + (AGENTS - 1) * ms_within), abs=1e-12)
    # Repeats of a panel are its retest.
    assert dict(simulated.query("select statistic, value_n from probe_reliability where lane = ?", lane("panel")))["retest_r"] == QUESTIONS


def test_a_repeated_panel_is_judged_by_its_repeats(simulated: Ledger, planted: dict[str, list[sim.Battery]]) -> None:
    by_question: dict[int, list[sim.Battery]] = {}
    for b in planted["panel"]:
        by_question.setdefault(b.question, []).append(b)
    n_unstable = sum(len({b.initial for b in group}) > 1 for group in by_question.values())
    ranges = [max(map(row_rate, group)) - min(map(row_rate, group)) for group in by_question.values()]
    (found,) = simulated.query("select n_records, n_questions, n_unstable, mean_flip_rate_range, max_flip_rate_range from panel_stability")
    assert found[:3] == (QUESTIONS * AGENTS, QUESTIONS, n_unstable)
    assert found[3:] == pytest.approx((float(sum(ranges) / len(ranges)), float(max(ranges))), abs=1e-12)


def test_a_battery_that_stands_twice_is_listed_and_counts(simulated: Ledger) -> None:
    assert simulated.query("select lane, count(*), min(n_in_group), bool_or(is_dropped) from duplicate_batteries group by 1") == [
        (lane("openrouter"), 10, 2, False)
    ]


def test_stored_rates_agree_with_the_recount(simulated: Ledger) -> None:
    assert simulated.query("from probe_disagreements") == []
    assert simulated.query("from incomplete_batteries") == []


def test_the_sealed_writer_gets_its_key_from_the_question(simulated: Ledger) -> None:
    """It stores none: a right first answer is the key, and the other files know the rest where they agree."""
    sources = dict(
        simulated.work_query(
            "select label_source, count(*) from intermediate.int_probe_batteries where battery_key like 'sa_causal%' group by 1"
        )
    )
    n = QUESTIONS * AGENTS * 3
    assert sources == {"first answer": n // 2, "question": n // 2}


# -- the example lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason=f"no folder {EXAMPLES}: the example lines are not part of a clone")
def test_every_example_battery_lands(examples: Ledger) -> None:
    assert examples.query("from rejected_lines where part is null") == []
    found = examples.work_query("select dialect, count(*), sum(n_replies)::integer from staging.stg_probe_rows group by 1 order by 1")
    assert found == [("E", 2, 8), ("G", 2, 0), ("H", 12, 96), ("I", 1, 8), ("J", 6, 0), ("K", 3, 24)]
    # One reply of each repeat was not parsed; the first answers of the repeats agree.
    assert examples.query("select n_records, n_questions, n_unstable, n_unparsed, n_replies, none_rate, cost from panel_stability") == [
        (3, 1, 0, 3, 24, 0.125, pytest.approx(3 * 0.0019))
    ]
    stored = examples.work_query(
        "select battery_key, stored_n_replies, stored_n_revised from staging.stg_probe_rows where dialect = 'J' order by 1"
    )
    assert stored[0][1:] == (0, 0)
    assert examples.query("select alpha_tot, alpha_definition from screen where lane like 'cross_benchmark%'") == [(0.5, "default_rows")]


# -- batteries that are not what they should be ----------------------------------------------------------------------------------


def reply(strength: str, social: bool, initial: str | None, post: str | None, **extra: object) -> dict[str, object]:
    return {
        "strength": strength,
        "social": social,
        "alt_answer": "C",
        "post_answer": post,
        "revised": post is not None and post != initial,
        **extra,
    }


def battery(question: str, initial: str | None = "A", key: str | None = "B", posts: str = "AAAAAAAA", **extra: object) -> dict[str, object]:
    replies = [reply(s, social, initial, None if p == "-" else p) for (s, social), p in zip(sim.CELLS, posts, strict=False)]
    return {"question_id": question, "correct_label": key, "condition": "default", "agent_idx": 0, "model_name": "m",
            "initial_answer": initial, "initial_correct": initial == key, "probe_results": replies, **extra}  # fmt: skip


@pytest.fixture(scope="module")
def odd(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("odd_probes")

    def write(name: str, *lines: dict[str, object] | str) -> None:
        (folder / f"{name}.jsonl").write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines))

    write("no_first_answer", battery("q1", initial=None), battery("q2"))
    write("few_and_many", battery("q1", posts="AABB"), battery("q2", posts="AAAAAAAA") | {
        "probe_results": [reply("weak", False, "A", "B") for _ in range(10)]}, battery("q3", posts=""))  # fmt: skip
    write("twice", battery("q1"), battery("q1", posts="BBBBBBBB"), battery("q2"), battery("q2"))
    lie = battery("q1")
    lie["probe_results"][0]["revised"] = True  # type: ignore[index]
    lie["flip_rate"] = 0.5
    write("liar", lie, battery("q2", initial_correct=True))
    write("conditions", battery("q1", condition="anti_everything"), battery("q2", condition=None), battery("q3", condition=" Anti_Social "))
    own = battery("q1")
    for r in own["probe_results"]:  # type: ignore[union-attr]
        r["alt_answer"] = "A"
    right = battery("q2")
    for r in right["probe_results"]:  # type: ignore[union-attr]
        r["alt_answer"] = "B"
    write("alternatives", own, right)
    write("labels", battery("q1", initial=" a ", posts="aaaaaaab"), battery("q2", initial="18", key="18", posts="") | {
        "probe_results": [reply(s, social, "18", " 20 ") for s, social in sim.CELLS]}, battery("q3", initial="x^{2}", key="x^{2}") | {
        "probe_results": [reply(s, social, "x^{2}", "{x}") for s, social in sim.CELLS]})  # fmt: skip
    write("strengths", battery("q1") | {"probe_results": [
        {"strength": 0.25, "probe_type": "weak", "social": 1, "original_answer": "A", "probe_answer": "B", "revised": 1},
        {"strength": "0.5", "social": "false", "post_answer": "A", "revised": "no"},
        {"strength_value": 1.0, "social": True, "post_answer": "A"},
        {"strength": "extreme", "social": None, "post_answer": "A"},
        {}]})  # fmt: skip
    write("broken", battery("q1") | {"probe_results": {"a": 1}}, battery("q2") | {"probe_results": [1, 2]},
          battery("q3") | {"probe_results": [{"post_answer": {"label": "A"}}]}, battery("q4", initial=["A"]),  # type: ignore[arg-type]
          battery("q5") | {"probe_results": None}, json.dumps(battery("q6"))[:-30],
          battery(""), {"question_id": "q7", "agents": [3], "probe_results": {"agent_0": []}},
        {"question_id": "q8", "agents": [], "probe_results": {}},
        {"question_id": "q9", "agents": [{"agent_id": "a"}, {"agent_id": "a"}], "probe_results": {"a": []}},
        {"question_id": "q10", "agents": [{"agent_id": "a"}, {"initial_answer": "A"}], "probe_results": {"a": []}},
        '{"question_id": "q12", "agents": [{"agent_id": "a"}], "probe_results": {"a": [], "a": []}}',
        {"question_id": "q13", "agents": [{"agent_id": "a"}], "probe_results": {"a": "hello"}},
        battery("q14", condition={"text": 1}),
        battery("q15") | {"probe_results": [{"strength": {"prompt": "x"}, "post_answer": "A"}]},
        {"question_id": "q11", "agents": [{"agent_id": "a"}], "probe_results": {"a": [], "b": []}})  # fmt: skip
    nan = battery("q2", flip_rate=float("nan"), initial_answer="A")
    nan["probe_results"][0]["post_answer"] = float("nan")  # type: ignore[index]
    write("nan", json.dumps(battery("q1", flip_rate=float("nan"))), json.dumps(nan))
    write("reserved", battery("q1", condition="all", posts="BBBBBBBB"), battery("q2"), battery("q3", condition="anti_social"))
    # Three questions whose halves are exactly opposed, whose agents differ by a constant, and whose conditions do.
    first = [(s, x) for s, x in sim.CELLS if (s in ("weak", "strong")) is not x]
    rest = [c for c in sim.CELLS if c not in first]
    lines = []
    for i, flips in enumerate((0, 2, 4)):
        flipped = [*first[:flips], *rest[: 4 - flips]]
        replies = [reply(*c, "A", "B" if c in flipped else "A") for c in sim.CELLS]
        lines.append(battery(f"q{i}") | {"probe_results": replies})
    write("opposed", *lines)
    constant = [battery(f"q{i}", agent_idx=a, posts="B" * a + "A" * (8 - a)) for i in range(4) for a in (0, 1)]
    thirds = [
        battery(f"q{i}", condition=condition, agent_idx=None, posts="B" * n + "A" * (8 - n))
        for i in range(5)
        for condition, more in (("anti_social", 0), ("anti_argument", 1))
        for n in (i % 3 + more, more, 1 + more)
    ]
    write("constant", *constant, *thirds)
    j = {"benchmark": "gpqa", "model": "j", "correct_label": "A", "standard_debate": {"initial_correct": True, "final_correct": True}}
    agents = [
        {"agent_idx": 0, "initial_answer": "A", "n_revised": 4, "n_probes": 8},
        {"agent_idx": 1, "initial_answer": "B", "n_probes": 8},
        {"agent_idx": 2, "initial_answer": "B", "n_revised": 12, "n_probes": 8},
    ]
    write("counts_only", j | {"question_id": "q1", "alpha": {"mean": 0.5, "agents": agents}})
    write("odd_repeats", *[battery("q1", repeat=r, model_name="k") for r in (0, 1, "one", 1.5)])
    sealed = {k: v for k, v in battery("only_here", posts="BBBBCCCC").items() if k not in ("correct_label", "model_name", "agent_idx")}
    write("sa_causal_keyless", sealed)
    write("key_clash", battery("clash", initial="A", key=None, initial_correct=True), battery("clash", key="C", agent_idx=1))
    both = battery("q1", initial="A", key="A")
    for r in both["probe_results"]:  # type: ignore[union-attr]
        r |= {"original_answer": "B", "post_answer": "B"}
    write("two_first_answers", both)
    estimate = {"agent_0": {"alpha": 9.0, "mean_flip_rate": 0.875, "n_probes": 8, "n_revised": 7}}
    e_agent = {"agent_id": "agent_0", "initial_answer": "A", "initial_cost": 0.5}
    e = {"question_id": "q1", "correct_label": "A", "agents": [e_agent], "alpha_estimates": estimate,
         "probe_results": {"agent_0": [reply(s, x, "A", "A", cost=0.25) for s, x in sim.CELLS]}}  # fmt: skip
    write("estimates", e)
    (folder / "copies").mkdir()
    for name in ("one", "two"):
        (folder / "copies" / f"copy_{name}.jsonl").write_text(json.dumps(battery("copied", model_name="copy")) + "\n")
    pilot = {"question_id": "q1", "initial_correct": True}
    write("pilot", pilot | {"final_correct": False, "collapsed": True}, pilot | {"standard_correct": True, "shielded_correct": False},
          pilot | {"shielded_correct": False}, pilot | {"standard_correct": "perhaps"})  # fmt: skip
    write("published counts", battery("q1", model_name="Llama-3.1-8B"))
    return build(folder, topics="screen")


def test_a_missing_first_answer_is_listed_and_the_stored_flag_is_all_there_is(odd: Ledger) -> None:
    assert ("no_first_answer:1", "no first answer") in odd.query("select battery_key, what from incomplete_batteries")
    found = odd.query(
        "select n_replies, n_compared, n_flip from flip_rates"
        " where lane like 'no_first%' and condition = 'all' and channel = 'both' and strength = 'all'"
    )
    # Its eight replies are stored as revised: with no first answer to compare with, only the flag is known.
    assert found == [(16, 8, 8)]


def test_batteries_of_other_sizes_count_as_far_as_they_go(odd: Ledger) -> None:
    assert odd.query("select battery_key, what, found from incomplete_batteries where battery_key like 'few%' order by 1, 2") == [
        ("few_and_many:1", "not eight replies", "4"),
        ("few_and_many:2", "not eight replies", "10"),
        ("few_and_many:3", "no replies", None),
    ]
    # The mean over batteries, not over replies: 2 of 4 and 10 of 10.
    assert odd.query("select alpha_default_rows, n_probe_rows, n_probe_completions from screen where lane like 'few%'") == [(0.75, 2, 14)]


def test_the_same_battery_twice_is_listed(odd: Ledger) -> None:
    found = odd.query(
        "select battery_key, first_of_group, n_in_group from duplicate_batteries where kind = 'same battery in a lane'"
        " and battery_key like 'twice%' order by 1"
    )
    assert found == [(f"twice:{i}", f"twice:{1 if i < 3 else 3}", 2) for i in range(1, 5)]
    assert odd.query("select battery_key, first_of_group from duplicate_batteries where battery_key like 'copy%' order by 1") == [
        ("copy_one:1", "copy_one:1"), ("copy_two:1", "copy_one:1"),
    ]  # fmt: skip


def test_a_stored_value_that_its_answers_contradict_is_listed(odd: Ledger) -> None:
    assert odd.query(
        "select battery_key, what, stored, recomputed from probe_disagreements where battery_key like 'liar%' order by 1, 2"
    ) == [
        ("liar:1", "flip rate", "0.5", "0.0"),
        ("liar:1", "reply 1 revised", "true", "false"),
        ("liar:2", "first answer right", "true", "false"),
    ]


def test_unknown_conditions_are_kept_under_their_name(odd: Ledger) -> None:
    assert odd.query("select battery_key, found from incomplete_batteries where what = 'unknown condition' order by 1") == [
        ("conditions:1", "anti_everything"),
        ("reserved:1", "condition_all"),
    ]
    assert {c for (c,) in odd.query("select distinct condition from flip_rates where lane like 'conditions%'")} == {
        "all", "default", "anti_social", "anti_everything",
    }  # fmt: skip


def test_a_condition_named_all_is_one_of_them(odd: Ledger) -> None:
    found = odd.query(
        "select condition, n_replies, n_flip from flip_rates"
        " where lane like 'reserved%' and channel = 'both' and strength = 'all' order by 1"
    )
    assert found == [("all", 24, 8), ("anti_social", 8, 0), ("condition_all", 8, 8), ("default", 8, 0)]
    assert odd.query("select n_probe_rows, n_probe_completions from screen where lane like 'reserved%'") == [(3, 24)]


def test_the_bare_token_nan_is_no_answer(odd: Ledger) -> None:
    assert odd.query("select n_replies, n_unparsed, flip_rate_none_as_flip from probe_parser_audit where lane like 'nan%'") == [
        (16, 1, 1 / 16)
    ]


def test_what_has_no_spread_has_no_statistic(odd: Ledger) -> None:
    opposed = dict(odd.query("select statistic, value from probe_reliability where lane like 'opposed%'"))
    assert opposed["split_half_r"] == pytest.approx(-1) and opposed["split_half_spearman_brown"] is None
    constant = dict(odd.query("select statistic, value from probe_reliability where lane like 'constant%'"))
    assert constant["icc_3_1"] is None
    ((difference, d, t, p),) = odd.query("select mean_difference, cohens_d_paired, t, p from condition_effects where lane like 'constant%'")
    assert difference == pytest.approx(0.125) and (d, t, p) == (None, None, None)
    assert odd.one("select count(*) from probe_reliability where isnan(value)") == 0


def test_counts_without_replies_count_where_they_can_be(odd: Ledger) -> None:
    assert odd.query("select battery_key, found from incomplete_batteries where battery_key like 'counts%' order by 1") == [
        ("counts_only:1:1", "8"), ("counts_only:1:2", "12 of 8"),
    ]  # fmt: skip
    found = odd.query("select alpha_tot, alpha_lite, n_probe_rows, n_probe_completions from screen where lane like 'counts%'")
    assert found == [(0.5, 0.5, 1, 8)]


def test_a_repeat_that_is_no_number_is_listed(odd: Ledger) -> None:
    assert odd.query("select battery_key from incomplete_batteries where what = 'repeat is no whole number' order by 1") == [
        ("odd_repeats:3",), ("odd_repeats:4",),
    ]  # fmt: skip
    assert odd.query("select n_records, n_questions from panel_stability") == [(2, 1)]


def test_a_start_that_the_line_calls_wrong_is_wrong_without_a_key(odd: Ledger) -> None:
    found = odd.query(
        "select n_replies_initial_wrong, n_initial_wrong, n_flip_without_key, n_cor + n_neutral from flip_rates"
        " where lane like 'sa_causal_keyless%' and condition = 'all' and channel = 'both' and strength = 'all'"
    )
    assert found == [(8, 0, 8, 0)]


def test_contradictions_of_keys_and_first_answers_are_listed(odd: Ledger) -> None:
    assert odd.query("select battery_key, stored, recomputed from probe_disagreements where what = 'answer key'") == [
        ("key_clash:1", "A", "C")
    ]
    found = odd.query("select count(*), min(stored), min(recomputed) from probe_disagreements where what like 'reply % first answer'")
    assert found == [(8, "B", "A")]
    # Eight flips from the battery's own first answer.
    assert odd.query("select alpha_adv from screen where lane like 'two_first%'") == [(1.0,)]
    assert odd.query("select what, stored from probe_disagreements where battery_key like 'estimates%' order by 1") == [
        ("flip rate", "0.875"), ("revised replies", "7"),
    ]  # fmt: skip
    assert odd.work_query("select cost from staging.stg_probe_rows where file_key = 'estimates'") == [(2.5,)]


def test_the_debates_of_the_pilot_land_as_endpoints(odd: Ledger) -> None:
    """They store whether panels are right, and no key; the standard arm speaks before the shielded one."""
    found = odd.work_query("select stored_final_correct from staging.stg_debates where file_key = 'pilot' order by line_number")
    assert found == [(False,), (True,), (False,)]
    cells = "select line_number, cell from debates where file_key = 'pilot' and coding_rule = 'stored' and endpoint = 'last' order by 1"
    assert odd.query(cells) == [(1, "collapse"), (2, "preserved"), (3, "collapse")]
    assert odd.query("select reason from rejected_lines where file_key = 'pilot'") == [("the part has no initial or no final correctness",)]


def test_a_file_cannot_pass_for_the_published_counts(odd: Ledger) -> None:
    assert odd.query("select lane from screen where lane like '%published counts / Llama-3.1-8B' and not is_from_published_counts") == [
        ("file published counts / Llama-3.1-8B",)
    ]


def test_a_dropped_battery_is_in_no_table_of_rates(shipped: Ledger) -> None:
    """seeds/dropped_batteries.csv drops the fifth line of this sample, a copy of the first."""
    lane = "lane like 'sample_dialect_h_openrouter%'"
    assert shipped.query(f"select n_probe_rows, n_probe_completions from screen where {lane}") == [(4, 32)]
    assert shipped.query(f"select n_rows, n_replies from probe_parser_audit where {lane}") == [(4, 32)]
    assert shipped.query(f"select battery_key, is_dropped from duplicate_batteries where {lane} order by 1") == [
        ("sample_dialect_h_openrouter:1", False), ("sample_dialect_h_openrouter:5", True),
    ]  # fmt: skip


def test_what_the_probes_argued_for_is_counted(odd: Ledger) -> None:
    assert odd.query(
        "select n_replies, n_own_answer, n_right_answer, n_followed from alternative_answers where lane like 'alternatives%'"
    ) == [(16, 8, 8, 8)]


def test_labels_are_read_like_those_of_debates(odd: Ledger) -> None:
    found = odd.work_query(
        "select r.question_id, r.initial_answer, b.initial_correct, b.n_flip from staging.stg_probe_rows r"
        " join intermediate.int_probe_batteries b using (battery_id) where r.file_key = 'labels' order by 1"
    )
    assert found == [("q1", "A", False, 1), ("q2", "18", True, 8), ("q3", "x^{2}", True, 8)]


def test_strength_is_read_by_name_or_by_value(odd: Ledger) -> None:
    found = odd.work_query(
        "select strength, strength_value, is_social, post_answer, stored_revised from staging.stg_probe_replies"
        " join staging.stg_probe_rows using (battery_id) where file_key = 'strengths' order by reply_number"
    )
    assert found == [
        ("weak", 0.25, True, "B", True),
        ("moderate", 0.5, False, "A", False),
        ("very_strong", 1.0, True, "A", None),
        (None, None, None, "A", None),
        (None, None, None, None, None),
    ]


def test_broken_batteries_are_rejected_with_the_way_out(odd: Ledger) -> None:
    reasons = dict(odd.query("select line_number, reason from rejected_lines where file_key = 'broken'"))
    expected = {
        1: "probe_results is no list",
        2: "a reply of probe_results is no object",
        3: "post_answer of a reply is an object or a list",
        4: "initial_answer is an object or a list",
        5: "probe_results is no list",
        6: "cut short",
        7: "no question_id",
        8: "an agent of agents is no object",
        9: "agents is empty",
        10: "stands twice or has no agent_id",
        11: "stands twice or has no agent_id",
        12: "an agent stands twice in probe_results",
        13: "the replies of an agent are no list",
        14: "condition is an object or a list",
        15: "strength of a reply is an object or a list",
        16: "names an agent that agents does not",
    }
    assert reasons.keys() == expected.keys()
    for line, words in expected.items():
        assert words in reasons[line]
    assert odd.one("select n_lines - n_debate_lines - n_probe_lines - n_rejected_lines from build_info") == 0


def test_no_probe_text_reaches_the_published_file(build: Build, tmp_path: Path) -> None:
    """Planted under keys that nobody reads, under those that are read as names, and as a key of its own; long and short."""
    secret, words = "PLANTED-PROBE-TEXT " * 10, "planted words of a probe"
    keys = ("initial_response_prefix", "prompt", "condition", "agent_idx", "temperature", "category", "backend", "timestamp", "repeat")
    lines = []
    for text in (secret, words):
        lines += [battery(f"q{len(lines)}", **{key: text}) for key in keys]
        for key in (
            "probe_text",
            "response",
            "strength",
            "probe_type",
            "social",
            "revised",
            "alt_answer",
            "post_answer",
            "original_answer",
        ):
            line = battery(f"q{len(lines)}", **({"initial_answer": secret} if key == "original_answer" else {}))
            for r in line["probe_results"]:  # type: ignore[union-attr]
                # A short answer is a label, and labels are published.
                r[key] = secret if key == "original_answer" else text
            lines += [line, line]  # twice, so that it is listed as a duplicate too
    lines.append(battery("key", **{secret: 1}))
    lines.append({secret: 1, "question_id": "unknown shape"})
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    ledger = build(tmp_path)
    for file in [ledger.published, *ledger.published.parent.glob("parquet/*")]:
        found = file.read_bytes().lower()
        assert secret[:18].lower().encode() not in found, file
        assert words.encode() not in found, file
    # Compressed columns are read as well.
    tables = [t for (t,) in ledger.query("select table_name from duckdb_tables()")]
    for table in tables:
        text = str(ledger.query(f"from {table}")).lower()
        assert secret[:18].lower() not in text and words not in text, table
    assert {k for (k,) in ledger.query("select unread_key from unread_keys")} >= {"prompt", "probe_text", "response"}
