"""The invented example lines of every dialect: where each lands, and its ledger worked out by hand."""

import pytest
from conftest import EXAMPLES, Ledger

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason=f"no folder {EXAMPLES}: the example lines are not part of a clone")


def test_every_line_lands_in_its_dialect(examples: Ledger) -> None:
    assert dict(examples.query("select regexp_replace(file, '.*/', ''), dialects from raw_files")) == {
        "block0_alpha.jsonl": "E",
        "block0_debates.jsonl": "D",
        "block1_abc_vs_baselines.jsonl": "F",
        "block3_multi_benchmark.jsonl": "G",
        "cross_benchmark_toy_gpqa.jsonl": "J",
        "debate_traces_hetero_toy_n200.jsonl": "L",
        "debate_traces_vllm_toy-a.jsonl": "A",
        "debate_traces_vllm_toy-b.jsonl": "B",
        "multimodel_alpha_mmlu_pro.jsonl": "I",
        "per_debate_r1_features.jsonl": "M",
        # A document about a model, not a log: skipped.
        "reuse_card.json": None,
        "r5_gemini_alpha_panel_20260101_day1.jsonl": "K",
        "sa_causal_gemini_toy_n200.jsonl": "H",
        "sa_causal_openrouter_toy_n200.jsonl": "H",
        "sa_causal_sealed_toy.jsonl": "H",
        "sa_causal_vllm_toy-b.jsonl": "H",
        "standard_runner.jsonl": "C",
    }
    assert examples.query("select n_lines, n_debate_lines, n_probe_lines, n_rejected_lines from build_info") == [(33, 16, 17, 0)]


# P preserved, C collapse, K correction, U unrepaired, K? undecided start that ends right, - undefined, . no row; the number is the onset.
HAND = {
    #                                     stored  alphabetical  stored final  replay  strict  undecided  from agreement
    "debate_traces_vllm_toy-a:1":        ("C1",   "C1",         "C1",         "C1",   "C1",   "C1",      "."),
    "debate_traces_vllm_toy-a:2":        ("K",    "K",          "K",          "K",    "-",    "K?",      "."),
    "debate_traces_vllm_toy-a:3":        ("C1",   "C1",         "C1",         "C1",   "C1",   "C1",      "."),
    "debate_traces_vllm_toy-a:4":        ("K",    "K",          "K",          "-",    "-",    "K?",      "."),
    "debate_traces_vllm_toy-b:1":        (".",    "C2",         "C2",         "C2",   "C2",   "C2",      "."),
    # The final three-way tie goes to A by the alphabet; the file stores G, which is right.
    "debate_traces_vllm_toy-b:2":        (".",    "C3",         "P",          "P",    "-",    "C3",      "."),
    "debate_traces_vllm_toy-b:3":        (".",    "K",          "K",          "-",    "-",    "K?",      "."),
    "debate_traces_vllm_toy-b:4":        (".",    "K",          "K",          "K",    "-",    "K?",      "."),
    "standard_runner:1":                 ("P",    "P",          "P",          "P",    "-",    "K?",      "."),
    "block0_debates:1":                  (".",    "K",          "K",          "K",    "-",    "K?",      "."),
    "debate_traces_hetero_toy_n200:1":   (".",    "P",          "P",          "P",    "P",    "P",       "."),
    "block1_abc_vs_baselines:1:standard": ("P",   ".",          ".",          ".",    ".",    ".",       "."),
    "block3_multi_benchmark:1:standard": ("P",    ".",          ".",          ".",    ".",    ".",       "."),
    # The weighted start of this arm is wrong.
    "block3_multi_benchmark:1:abc":      ("K",    ".",          ".",          ".",    ".",    ".",       "."),
    "cross_benchmark_toy_gpqa:1":        ("K",    ".",          ".",          ".",    ".",    ".",       "."),
    "cross_benchmark_toy_gpqa:2":        ("C",    ".",          ".",          ".",    ".",    ".",       "."),
    "per_debate_r1_features:1":          ("C1",   ".",          ".",          ".",    ".",    ".",       "C1"),
}  # fmt: skip
RULES = (
    "stored", "alphabetical", "alphabetical_stored_final", "replay_drop_undefined", "strict_plurality", "undecided_is_wrong",
    "strict_from_agreement",
)  # fmt: skip
SHORT = {"preserved": "P", "collapse": "C", "correction": "K", "unrepaired": "U", "undecided_correct": "K?", "undefined": "-"}


@pytest.mark.parametrize("debate_key", HAND)
def test_each_debate_has_the_cells_worked_out_by_hand(examples: Ledger, debate_key: str) -> None:
    found = {
        rule: SHORT[cell] + str(onset or "")
        for rule, cell, onset in examples.query(
            "select coding_rule, cell, onset_round from debates where debate_key = ? and endpoint = 'last'", debate_key
        )
    }
    assert tuple(found.get(rule, ".") for rule in RULES) == HAND[debate_key]
    # All of them are letters, and letters mean themselves.
    assert found.get("short_answer") == found.get("alphabetical")
    assert set(found) <= {*RULES, "short_answer", "short_answer_exact", "read_panels"}


def test_no_other_debate_is_there(examples: Ledger) -> None:
    assert {key for (key,) in examples.query("select distinct debate_key from debates")} == set(HAND)


def test_an_error_part_is_a_rejected_part_and_the_baselines_have_their_table(examples: Ledger) -> None:
    [(key, number, part, reason)] = examples.query("select file_key, line_number, part, reason from rejected_lines")
    assert (key, number, part) == ("block1_abc_vs_baselines", 1, "abc_debate")
    assert "is an error" in reason
    # What the error says may hold a model's text, so it stays in the work file.
    assert "invented failure" not in reason
    assert examples.work_query("select rejected_text from reconciliation.rejected_lines") == [("invented failure",)]
    assert examples.query("select method, final_answer, final_correct from baselines order by method") == [
        ("best_of_n", "B", True),
        ("confidence_weighted", "B", True),
        ("majority_vote", "B", True),
        ("self_consistency", "B", True),
    ]


def test_the_stored_final_majority_that_a_recount_contradicts_is_listed(examples: Ledger) -> None:
    assert examples.query("select debate_key, what, stored, recomputed from stored_disagreements order by what") == [
        ("debate_traces_vllm_toy-b:2", "final correct", "true", "false"),
        ("debate_traces_vllm_toy-b:2", "final majority", "G", "A"),
    ]


def test_nan_tokens_are_counted(examples: Ledger) -> None:
    assert dict(examples.query("select file_key, n_nan_tokens from raw_files where n_nan_tokens > 0")) == {"cross_benchmark_toy_gpqa": 2}


def test_the_end_of_a_four_round_debate_and_its_third_round_differ(examples: Ledger) -> None:
    """toy-b:1 has collapsed by round 2; at endpoint r1 it still stands."""
    assert dict(
        examples.query(
            "select endpoint, cell from debates where debate_key = 'debate_traces_vllm_toy-b:1' and coding_rule = 'alphabetical'"
        )
    ) == {"last": "collapse", "r1": "preserved", "r2": "collapse", "r3": "collapse"}
