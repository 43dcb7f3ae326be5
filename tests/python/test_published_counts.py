"""The published counts of the primary cohort, from its rows (`ledger_formats` 1.18, 2.4, 2.35; tables 3 and 6 of the paper)."""

import csv
import gzip
import shutil
from pathlib import Path

import pytest
from conftest import REAL, ROOT, Build, Ledger

PUBLISHED = Path(__file__).parent / "published"
#: Names in the published tables and in the ledger.
MODELS = {
    "Gemini_3-flash": "gemini-3-flash",
    "GPT-5.4-mini": "gpt-5.4-mini",
    "Llama-3.1-8B": "llama-3.1-8b",
    "Phi-4-mini": "phi-4-mini",
    "Qwen3-4B": "qwen3-4b",
    "Qwen3-8B": "qwen3-8b",
}


def rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_cohort_has_the_published_cells(shipped: Ledger) -> None:
    assert shipped.query(
        """
        select n_debates, n_collapse, n_correction, n_preserved, n_unrepaired, n_undefined
        from cohort_ledger where cohort = 'primary' and coding_rule = 'stored' and endpoint = 'last'
        """
    ) == [(6925, 253, 816, 3205, 2651, 0)]


def test_the_cohort_has_the_published_onsets(shipped: Ledger) -> None:
    assert shipped.query(
        """
        select onset_round, sum(n_onset)::int from onsets
        where cohort = 'primary' and coding_rule = 'stored' and endpoint = 'last' group by all order by all
        """
    ) == [(1, 149), (2, 47), (3, 57)]


@pytest.mark.parametrize("published", [r for r in rows("conditional_collapse.csv") if r["model"] in MODELS], ids=lambda r: r["model"])
def test_each_model_has_the_published_counts_and_wilson_intervals(shipped: Ledger, published: dict[str, str]) -> None:
    [row] = shipped.query(
        """
        select n_debates, n_initial_correct, n_initial_wrong, n_collapse, n_correction, initial_accuracy,
            raw_collapse, raw_collapse_ci_lower, raw_collapse_ci_upper,
            conditional_collapse, conditional_collapse_ci_lower, conditional_collapse_ci_upper,
            conditional_correction, conditional_correction_ci_lower, conditional_correction_ci_upper
        from model_ledger where cohort = 'primary' and model = ?
        """,
        MODELS[published["model"]],
    )
    counts = [int(published[c]) for c in ("n_debates", "n_init_correct", "n_init_wrong", "n_collapse", "n_correction")]
    assert list(row[:5]) == counts
    assert row[5] == pytest.approx(float(published["init_acc"]), rel=1e-12)
    percents = (
        "raw_collapse_pct",
        "raw_lo",
        "raw_hi",
        "cond_collapse_pct",
        "cond_lo",
        "cond_hi",
        "recover_pct",
        "recover_lo",
        "recover_hi",
    )
    assert [100 * x for x in row[6:]] == pytest.approx([float(published[c]) for c in percents], rel=1e-12)


@pytest.mark.parametrize("published", rows("onset_by_model_round.csv"), ids=lambda r: r["model"])
def test_each_model_has_the_published_onsets(shipped: Ledger, published: dict[str, str]) -> None:
    stored = published["model"].replace("gemini_3", "gemini-3").removeprefix("openai_").removeprefix("vllm_")
    assert shipped.query(
        """
        select n_collapse, n_onset_r1, n_onset_r2, n_onset_r3, n_onset_r4 + n_onset_later + n_unlocalized
        from model_ledger where cohort = 'primary' and model = ?
        """,
        stored,
    ) == [(*(int(published[c]) for c in ("n_collapse", "r1", "r2", "r3")), 0)]


def test_gpt_5_4_mini_has_the_published_rounds(shipped: Ledger) -> None:
    """71.5 -> 76.0 %, majority changes 12 / 1 / 1, unanimity 90.0 -> 92.0 -> 93.5 % over rounds 1 to 3."""
    found = shipped.query(
        """
        select round, n_debates, n_stored_correct, n_unanimous, n_majority_changed_from_previous, majority_changed_from_previous_n
        from round_ledger where cohort = 'primary' and model = 'gpt-5.4-mini' order by round
        """
    )
    assert [r[2] / r[1] for r in found][0::3] == [0.715, 0.76]
    assert [(r[4], r[5]) for r in found[1:]] == [(12, 200), (1, 200), (1, 200)]
    assert [r[3] / r[1] for r in found[1:]] == [0.9, 0.92, 0.935]


def test_thirteen_llama_questions_stand_twice_and_count_twice(shipped: Ledger) -> None:
    found = shipped.query("select kind, count(*), count(distinct first_of_group), bool_or(is_dropped) from duplicate_debates group by 1")
    assert sorted(found) == [("same line", 6, 3, False), ("same question in a lane", 26, 13, False)]
    assert shipped.query("select distinct model from duplicate_debates") == [("llama-3.1-8b",)]
    assert shipped.one("select n_debates from model_ledger where cohort = 'primary' and model = 'llama-3.1-8b'") == 2003


def test_the_shipped_matrix_is_the_published_one() -> None:
    original = REAL / "primary_cohort" / "per_debate_r1_features.csv.gz"
    if not original.exists():
        pytest.skip(f"no file {original}: nothing to compare the shipped copy with")
    assert (ROOT / "data/primary_cohort/per_debate_r1_features.csv.gz").read_bytes() == original.read_bytes()


def test_rules_without_an_answer_say_why(shipped: Ledger) -> None:
    found = shipped.query(
        """
        select coding_rule, n_debates is null, unavailable_reason is not null
        from rule_sensitivity where cohort = 'primary' and model = 'phi-4-mini' and endpoint = 'last' order by 1
        """
    )
    answered = {rule for rule, is_null, has_reason in found if not is_null and not has_reason}
    assert answered == {"stored", "strict_from_agreement"}
    assert len(found) == 10


def test_ties_of_the_feature_matrix_follow_from_the_agreement(shipped: Ledger) -> None:
    """A debate is undefined under strict_from_agreement where the first or the last agreement is one third (counted in the file)."""
    with gzip.open(ROOT / "data/primary_cohort/per_debate_r1_features.csv.gz", "rt", newline="") as file:
        debates = list(csv.DictReader(file))
    tied = [d for d in debates if min(float(d["init_agree_frac"]), float(d["r3_agree_frac"])) < 0.5]
    kept = [d for d in debates if min(float(d["init_agree_frac"]), float(d["r3_agree_frac"])) >= 0.5]
    assert shipped.query(
        """
        select sum(n_undefined)::int, sum(n_undefined_tie)::int, sum(n_collapse)::int, sum(n_correction)::int
        from transitions where cohort = 'primary' and coding_rule = 'strict_from_agreement' and endpoint = 'last'
        """
    ) == [(len(tied), len(tied), sum(d["collapsed"] == "1" for d in kept), sum(d["corrected"] == "1" for d in kept))]


def test_a_release_in_two_folders_counts_once_in_its_cohort(build: Build, tmp_path: Path) -> None:
    copy = tmp_path / "again" / "primary_cohort"
    shutil.copytree(ROOT / "data/primary_cohort", copy)
    ledger = build(ROOT / "data", tmp_path / "again")
    assert ledger.query("select n_debates, n_collapse, n_correction from cohort_ledger where cohort = 'primary'") == [(6925, 253, 816)]
    left_out = ledger.query("select distinct what, reason from left_out_lanes where cohort = 'primary' and lane like 'again/%'")
    assert left_out == [("lane", "the same bytes as data/primary_cohort/per_debate_r1_features.csv.gz: counted once")]
    # The equal lines are listed all the same.
    assert ledger.one("select count(*) from duplicate_debates where kind = 'same line'") == 2 * 6925
