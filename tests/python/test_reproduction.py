"""The reproduction of the published statistics: how many come back, and that nothing is judged too kindly."""

import csv
import json
from pathlib import Path

from conftest import ROOT, Build, Ledger

DEBATE = {
    "question_id": "q1",
    "correct_label": "A",
    "initial_states": [{"agent_idx": i, "answer": "A"} for i in range(3)],
    "round_states": [[{"agent_idx": i, "answer": "B"} for i in range(3)]],
}


def test_at_least_150_of_the_199_statistics_come_back(shipped: Ledger) -> None:
    row = shipped.query("select n_statistics, n_reproduced, n_differ from reproduction_summary where study = 'debate_ledger'")
    ((n, n_reproduced, n_differ),) = row
    assert n == 199 and n_reproduced >= 150 and n_differ == 4
    differing = shipped.query("select distinct statistic from reproduction where status = 'differs' order by all")
    assert [s for (s,) in differing] == ["n9_adv_initacc", "n9_partial_adv", "n9_partial_alpha", "n9_partial_cor"]


def test_every_printed_quantity_has_a_row(shipped: Ledger) -> None:
    with Path(ROOT / "seeds/published/published_statistics.csv").open(newline="") as lines:
        printed = [(r["id"], q, r[q]) for r in csv.DictReader(lines) for q in ("value", "p_value", "ci_low", "ci_high") if r[q]]
    assert sorted(printed) == shipped.query("select statistic, quantity, published from reproduction order by all")


def test_what_was_not_attempted_is_stated(shipped: Ledger) -> None:
    """With the shipped data every address is found: nothing is missing but what the seed says so of."""
    unstated = "select count(*) from reproduction where status = 'not attempted' and (relation is not null or reason like 'no row of%')"
    assert shipped.one(unstated) == 0


def test_a_quantity_is_as_good_as_its_digits_say(shipped: Ledger) -> None:
    """The status recomputed from the two numbers, apart from the SQL."""
    for published, recomputed, status in shipped.query(
        "select published, recomputed, status from reproduction where recomputed is not null"
    ):
        mantissa, _, exponent = published.lower().partition("e")
        digits = mantissa.lstrip("+-").replace(".", "").lstrip("0")
        half = 0.5 * 10 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        difference = abs(recomputed - float(published))
        if difference <= 1e-12 * abs(float(published)):
            assert status == "exact"
        elif len(digits) < 15 and difference <= half * (1 + 1e-9):
            assert status == "rounds to published"
        else:
            assert status == "differs"


def test_the_published_statistics_are_read_by_the_comparison_only() -> None:
    """What computes them reads other seeds: published rows and counts."""
    for path in (ROOT / "models").rglob("*"):
        if path.suffix in (".sql", ".py") and "published_statistics" in path.read_text():
            assert path.name == "int_published_quantities.sql"


def test_without_the_published_debates_their_statistics_say_so(build: Build, tmp_path: Path) -> None:
    """A folder of one's own: what is computed from published rows comes back, what needs the published debates has no value."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "debates.jsonl").write_text(json.dumps(DEBATE) + "\n")
    ledger = build(tmp_path, whole=True)
    ((status, reason),) = ledger.query("select status, reason from reproduction where statistic = 'onset_r1'")
    assert status == "not attempted" and "not landed" in reason
    assert ledger.one("select status from reproduction where statistic = 'fam_rho' and quantity = 'value'") == "exact"
    assert ledger.query("select distinct cohort from associations where not starts_with(cohort, 'published ')") == []
