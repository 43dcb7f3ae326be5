"""Probes beside debates: the pair of the seed, the overlap of their questions, and what debates show before they begin."""

import math
from pathlib import Path

import pytest
from conftest import Build, Ledger
from lines import line, per_agent
from test_probes import battery

# The seed pairs these two files (cohort post_a6, model qwen3.5-4b, alpha_tot over all rows).
PROBES, DEBATES = "sa_causal_vllm_qwen3.5-4b.jsonl", "debate_traces_vllm_qwen3.5-4b.jsonl"
LOW_PROBES, LOW_DEBATES = "sa_causal_vllm_qwen3.5-9b.jsonl", "debate_traces_vllm_qwen3.5-9b.jsonl"

#: question, key, initial panel, last panel, flips of the probes.
QUESTIONS = [
    ("q1", "A", "AAA", "AAA", 0),
    ("q2", "A", "AAB", "BBB", 6),
    ("q3", "A", "BBB", "AAA", 8),
    ("q4", "A", "AA-", "BBB", 4),
    ("q5", "A", "AAB", "AAB", 4),
    ("q6", "A", "---", "AAA", 1),
]


@pytest.fixture(scope="module")
def paired(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder: Path = tmp_path_factory.mktemp("paired")

    def panel(text: str) -> list[str | None]:
        return [None if x == "-" else x for x in text]

    debates = [per_agent(q, key, [panel(start), panel(end), panel(end)], model_name="qwen3.5-4b") for q, key, start, end, _ in QUESTIONS]
    (folder / DEBATES).write_bytes(b"".join(map(line, debates)))
    probes = [battery(q, initial="A", key="A", posts="B" * n + "A" * (8 - n)) for q, _, _, _, n in QUESTIONS]
    (folder / PROBES).write_bytes(b"".join(map(line, probes)))
    # The other model was probed on other questions, but for one.
    (folder / LOW_DEBATES).write_bytes(
        b"".join(line(per_agent(f"other_{i}", "A", [["A"], ["A"]], model_name="qwen3.5-9b")) for i in range(10))
    )
    (folder / LOW_PROBES).write_bytes(b"".join(map(line, [battery("other_0"), battery("q1")])))
    # And a lane that shares everything but is in no seed.
    (folder / "unpaired.jsonl").write_bytes(b"".join(map(line, probes)))
    return build(folder, topics="screen replay")


def test_only_the_seed_pairs_and_a_pair_that_hardly_meets_is_flagged(paired: Ledger) -> None:
    found = paired.query(
        "select regexp_replace(lane, ' / .*', ''), cohort, model, alpha_definition, n_debate_questions, n_shared_questions, is_overlap_low"
        " from screen where not is_from_published_counts order by lane"
    )
    assert found == [
        ("sa_causal_vllm_qwen3.5-4b", "post_a6", "qwen3.5-4b", "all_rows", 6, 6, False),
        ("sa_causal_vllm_qwen3.5-9b", "post_a6", "qwen3.5-9b", "all_rows", 10, 1, True),
        ("unpaired", None, None, "default_channel_mean", None, None, None),
    ]
    ((n, collapses, alpha),) = paired.query("select n_debates, n_collapse, alpha_tot from screen where model = 'qwen3.5-4b'")
    assert (n, collapses, alpha) == (6, 2, pytest.approx(23 / 48))


def test_the_areas_of_the_pair_by_hand(paired: Ledger) -> None:
    found = dict(paired.query("select scope || ', ' || predictor, (auc, auc_n, n_collapse) from question_aucs where model = 'qwen3.5-4b'"))
    # Collapses flip 6 and 4; the others 0, 8, 4, 1: of eight pairs, 3 + 2.5 are ranked right.
    assert found["all, flip_rate"] == (pytest.approx(5.5 / 8), 6, 2)
    # Among the right starts (q1, q2, q4, q5): 6 and 4 against 0 and 4.
    assert found["at risk, flip_rate"] == (pytest.approx(3.5 / 4), 4, 2)
    # Of the collapses one start disagrees (q2), of the others one of four (q5).
    assert found["all, has_initial_disagreement"] == (pytest.approx((0.5 + 3 + 0 + 0.5 * 3) / 8), 6, 2)
    # Mean of the mid-ranks: flips 1, 5, 6, 3.5, 3.5, 2 and disagreement 2.5, 5.5, 2.5, 2.5, 5.5, 2.5.
    combined = [3.5, 10.5, 8.5, 6, 9, 4.5]
    pairs = [(combined[i], combined[j]) for i in (1, 3) for j in (0, 2, 4, 5)]
    assert found["all, combined"] == (pytest.approx(sum((a > b) + (a == b) / 2 for a, b in pairs) / 8), 6, 2)


def test_initial_diversity_by_hand(paired: Ledger) -> None:
    """Six panels of three: AAA, AAB, BBB, AA-, AAB, ---."""
    (row,) = paired.query(
        "select n_debates, n_disagreement, n_unanimous, initial_entropy, mean_initial_margin, n_initial_correct, n_at_risk_disagreement,"
        " n_majority_flip, n_usable, n_r1_majority_changed, n_r1_any_flip, r1_flipped_agents_rate from initial_diversity"
        " where model = 'qwen3.5-4b'"
    )
    p, q = 2 / 3, 1 / 3
    entropy = -(p * math.log2(p) + q * math.log2(q)) / math.log2(3)
    assert row[:3] == (6, 2, 2)
    assert row[3:5] == pytest.approx((2 * entropy / 6, (1 + 2 / 3 + 1 + 1 + 2 / 3 + 0) / 6))
    # q2, q3 and q4 change their majority; q6 has none to change, and is not usable.
    assert row[5:11] == (4, 2, 3, 5, 3, 3)
    # Flipped agents: two in q2, three in q3, two in q4 (the third gave no label), of fifteen.
    assert row[11] == pytest.approx(7 / 15)


def test_the_feature_matrix_tells_what_it_knows(shipped: Ledger) -> None:
    """The published README gives .028, .082 and .462 as the share of agents that change their answer in round 1 (point 1)."""
    found = {
        model: rest
        for model, *rest in shipped.query(
            "select model, r1_flipped_agents_rate, n_r1_agents, initial_entropy, n_unanimous from initial_diversity"
            " where cohort = 'primary'"
        )
    }
    assert {m: round(found[m][0], 3) for m in ("gemini-3-flash", "gpt-5.4-mini", "qwen3-8b")} == {
        "gemini-3-flash": 0.028, "gpt-5.4-mini": 0.082, "qwen3-8b": 0.462,
    }  # fmt: skip
    assert found["qwen3-8b"][1:] == [600, None, None]


def test_a_seed_row_for_a_file_needs_a_file_of_one_lane(build: Build, tmp_path: Path) -> None:
    lines = [battery("q1", model_name="qwen3.5-4b"), battery("q2", model_name="other")]
    (tmp_path / PROBES).write_bytes(b"".join(map(line, lines)))
    (tmp_path / DEBATES).write_bytes(line(per_agent("q1", "A", [["A"], ["A"]], model_name="qwen3.5-4b")))
    ledger = build(tmp_path, topics="screen")
    assert {c for (c,) in ledger.query("select cohort from screen where not is_from_published_counts")} == {None}
    unmatched = ledger.query("select seed_row from unmatched_seed_rows where seed = 'screen_lanes' and seed_row like '%qwen3.5-4b'")
    assert unmatched == [("post_a6, qwen3.5-4b, sa_causal_vllm_qwen3.5-4b",)]
