"""The reproduction of the published statistics: how many come back, and that nothing is judged too kindly."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import jinja2
import pytest
from conftest import ROOT, Build, Ledger

SEEDS = ROOT / "seeds" / "published"

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


def rows_of(seed: str) -> list[dict[str, str]]:
    with (SEEDS / f"{seed}.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_printed_quantity_has_a_row(shipped: Ledger) -> None:
    quantities = ("value", "p_value", "ci_low", "ci_high")
    printed = [("debate_ledger", r["id"], q, r[q]) for r in rows_of("published_statistics") for q in quantities if r[q]]
    printed += [("er_audit", r["key"], "value", r["value"]) for r in rows_of("published_er_audit")]
    assert sorted(printed) == shipped.query("select study, statistic, quantity, published from reproduction order by all")


def test_what_comes_back_of_the_reliability_audit(shipped: Ledger) -> None:
    """Arithmetic only: no probability, no score of a paraphrase and no selection is public."""
    statuses = dict(shipped.query("select status, count(*) from reproduction where study = 'er_audit' group by all"))
    assert statuses == {"exact": 27, "rounds to published": 28, "inputs unpublished": 135, "not attempted": 69}
    (summary,) = shipped.query("select * exclude (study) from reproduction_summary where study = 'er_audit'")
    assert summary == (259, 55, 0, 0, 135, 69, 259, 55)
    families = Counter(
        s.split(".")[0] for (s,) in shipped.query("select statistic from reproduction where study = 'er_audit' and recomputed is not null")
    )
    assert families == {"ceil": 24, "count": 12, "cr": 4, "eps_step11": 6, "grounded": 4, "claim": 3, "hp": 2}
    # The numbers that a study measured are none of them.
    measured = (
        "select count(*) from reproduction where study = 'er_audit' and recomputed is not null and paper_section in ('Table 1', 'Table 3')"
    )
    assert shipped.one(measured) == 0


def test_a_seed_of_nineteen_digits_stays_as_printed(shipped: Ledger) -> None:
    ((published, value),) = shipped.query(
        "select published, published_value from reproduction where statistic = 'hp.option_and_split_seed'"
    )
    assert published == "1090998506967575423" and int(value) == 1090998506967575424


def test_what_was_not_attempted_is_stated(shipped: Ledger) -> None:
    """With the shipped data every address is found: nothing is missing but what the seed says so of."""
    unstated = "select count(*) from reproduction where status = 'not attempted' and (relation is not null or reason like 'no row of%')"
    assert shipped.one(unstated) == 0


def test_a_quantity_is_as_good_as_its_digits_say(shipped: Ledger) -> None:
    """The status recomputed from the two numbers, apart from the SQL."""
    for published, recomputed, status in shipped.query(
        "select published, recomputed, status from reproduction where recomputed is not null"
    ):
        if published == "true":
            assert status == ("exact" if recomputed == 1 else "differs")
            continue
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


def test_the_published_audit_numbers_are_read_by_the_comparison_and_its_checks_only() -> None:
    for path in (ROOT / "models").rglob("*"):
        if path.suffix in (".sql", ".py") and "published_er_audit" in path.read_text():
            assert path.name in ("int_published_quantities.sql", "published_audit_checks.sql")


class AuditChecks:
    """The model published_audit_checks over the seeds, whose published values can be replaced."""

    def __init__(self) -> None:
        self.con = duckdb.connect()
        for seed in ("published_er_audit", "published_audit_exceptions"):
            self.con.execute(f"create table {seed} as from read_csv('{SEEDS / seed}.csv', all_varchar = true)")
        self.con.execute("create table original as from published_er_audit")
        text = (ROOT / "models/reproduction/published_audit_checks.sql").read_text()
        self.sql = jinja2.Template(text).render(ref=lambda name: name)

    def rows(self, replaced: str = "false", value: str = "value") -> dict[tuple[str, str], tuple]:
        """(expected, found, holds, remark) by check and subject, with ``value`` (SQL) in the rows where ``replaced`` (SQL) holds."""
        replacing = f"select * replace (case when {replaced} then {value} else value end as value) from original"
        self.con.execute(f"create or replace table published_er_audit as {replacing}")
        return {row[:2]: row[2:] for row in self.con.execute(self.sql).fetchall()}


@pytest.fixture(scope="module")
def audit_checks() -> Iterator[AuditChecks]:
    checks = AuditChecks()
    yield checks
    checks.con.close()


def test_no_published_audit_number_is_compared_with_itself(audit_checks: AuditChecks) -> None:
    """Another value in the seed: what is found stays, and no longer agrees."""
    before = audit_checks.rows()
    addressed = [r for r in rows_of("reproduction_sources") if r["study"] == "er_audit" and r["relation"]]
    published = {r["key"]: r["value"] for r in rows_of("published_er_audit")}
    assert len(addressed) == 55
    for row in addressed:
        assert (row["relation"], row["column_name"]) == ("published_audit_checks", "found")
        check, subject = row["row_key"].split(" | ")
        expected, found, holds, _ = before[check, subject]
        assert holds
        if published[row["statistic"]] == "true":
            continue
        assert expected == float(published[row["statistic"]])
        other = Decimal(published[row["statistic"]]) + Decimal("0.001" if "." in published[row["statistic"]] else "1")
        after = audit_checks.rows(f"key = '{row['statistic']}'", f"'{other}'")[check, subject]
        assert after[:3] == (float(other), found, False)


def test_a_check_that_fails_or_an_exception_that_is_none_is_found(audit_checks: AuditChecks) -> None:
    text = (ROOT / "tests/data/every_published_audit_check_that_fails_is_known.sql").read_text()
    known = jinja2.Template(text).render(ref=lambda name: {"published_audit_checks": "checked"}.get(name, name))
    for replaced, value, problems in [
        ("false", "value", []),
        ("key = 't1.GPQA-H.Qwen-9B.q_m.acc.org'", "'0.7525'", [("GPQA-H, Qwen-9B, q_m, org", True)]),
        ("key = 't1.GPQA-H.Qwen-9B.q_m.acc.adv'", "'0.7130'", [("GPQA-H, Qwen-9B, q_m, adv", False)]),
    ]:
        audit_checks.rows(replaced, value)
        audit_checks.con.execute(f"create or replace table checked as {audit_checks.sql}")
        assert [(subject, holds) for _, subject, holds, _ in audit_checks.con.execute(known).fetchall()] == problems


def test_a_claim_is_decided_by_the_table_that_it_is_about(audit_checks: AuditChecks) -> None:
    claims = [("ordinal claim", f"claim.table1_{name}") for name in ("qh_gpqa", "qh_quality", "qm")]
    assert [audit_checks.rows()[claim][1] for claim in claims] == [1, 1, 1]
    # One value too low is enough to break the claim that it belongs to, and one that is no number supports none.
    for key, broken in [
        ("t1.GPQA-H.Qwen-9B.q_h.acc.adv", [0, 1, 1]),
        ("t1.QuALITY-H.Llama-8B.q_h.mtp.adv", [1, 0, 1]),
        ("t1.GPQA-H.Llama-8B.q_m.mtp.honest", [1, 1, 0]),
        ("t1.QuALITY-H.GPT-20B.q_m.acc.adv", [1, 1, 0]),
    ]:
        for value in ("'0.1000'", "'unknown'"):
            assert [audit_checks.rows(f"key = '{key}'", value)[claim][1] for claim in claims] == broken


def test_three_accuracies_are_no_whole_count(audit_checks: AuditChecks) -> None:
    """Against every count of the pairs, in rationals; the counts that the seed gives are the ones that the remarks name."""
    rows = audit_checks.rows()
    accuracies = [r for r in rows_of("published_er_audit") if r["metric"] == "acc"]
    failing = []
    for r in accuracies:
        n, printed = int(r["n"]), Fraction(r["value"])
        fits = {m: [k for k in range(m + 1) if round(Fraction(k, m), 4) == printed] for m in (n, 2 * n)}
        subject = ", ".join((r["dataset"], r["model"], r["question"], r["arm"]))
        _, _, holds, remark = rows["accuracy is a whole count", subject]
        assert holds == bool(fits[n]) == bool(r["implied_count"])
        if holds:
            assert fits[n] == [int(r["implied_count"])] and remark == f"{r['implied_count']} of {n}"
        else:
            failing.append((r["key"], fits[2 * n]))
            assert all(f"{k} of {2 * n} fits" in remark for k in fits[2 * n])
    assert (len(accuracies), failing) == (
        48,
        [
            ("t1.GPQA-H.Qwen-9B.q_m.acc.org", [153]),
            ("t1.GPQA-H.Llama-8B.q_m.acc.org", [149]),
            ("t1.GPQA-H.Llama-8B.q_h.acc.adv", []),
        ],
    )


def test_the_thresholds_of_step_11_are_rounded_and_not_cut(audit_checks: AuditChecks) -> None:
    remarks = {subject: row[3] for (check, subject), row in audit_checks.rows().items() if check.startswith("threshold of step 11")}
    assert len(remarks) == 6
    assert sorted(subject for subject, remark in remarks.items() if remark == "rounded or cut") == ["GPQA-H, GPT-20B", "GPQA-H, Llama-8B"]


def test_every_check_of_the_audit_numbers_is_there(shipped: Ledger) -> None:
    assert dict(shipped.query("select check_name, count(*) from published_audit_checks group by all")) == {
        "accuracy is a whole count": 48,
        "adversarial selections are the pairs": 2,
        "best bound of the budget": 6,
        "candidates are so many per pair": 2,
        "ceiling of the average bound": 24,
        "confidence is 1 - eta": 6,
        "counterexample ratio": 4,
        "grounded items are those of the split": 4,
        "grounded items by tier": 4,
        "honest selections are the pairs": 2,
        "median threshold is of one pair at the floor": 3,
        "ordinal claim": 3,
        "ordinal claim, the printed part": 2,
        "paraphrases per pair": 1,
        "ratio of two ceilings": 20,
        "runs of the sweep": 1,
        "scores of one checkpoint": 2,
        "size of a split": 8,
        "threshold of step 11 is p10 at two decimals": 6,
        "winners are the resolved items": 4,
    }
    assert shipped.one("select count(*) from published_audit_checks where not holds") == 3


def test_without_the_published_debates_their_statistics_say_so(build: Build, tmp_path: Path) -> None:
    """A folder of one's own: what is computed from published rows comes back, what needs the published debates has no value."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "debates.jsonl").write_text(json.dumps(DEBATE) + "\n")
    ledger = build(tmp_path, whole=True)
    ((status, reason),) = ledger.query("select status, reason from reproduction where statistic = 'onset_r1'")
    assert status == "not attempted" and "not landed" in reason
    assert ledger.one("select status from reproduction where statistic = 'fam_rho' and quantity = 'value'") == "exact"
    assert ledger.query("select distinct cohort from associations where not starts_with(cohort, 'published ')") == []
