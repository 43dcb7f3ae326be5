"""Associations over model rows and families: the published counts through the models, and rows that cannot be tested."""

import pytest
from conftest import Ledger

from debate_ledger.associations import associations

COLUMNS = "rho, rho_n, n_at_least, n_two_sided, n_orders"


def found(ledger: Ledger, cohort: str, level: str, predictor: str, control: str | None = None) -> tuple:
    sql = f"select {COLUMNS} from associations where cohort = ? and level = ? and predictor = ? and control is not distinct from ?"
    (row,) = ledger.query(sql, cohort, level, predictor, control)
    return row


def test_the_published_counts_come_back_from_the_published_rows(shipped: Ledger) -> None:
    cohort = "published n14"
    assert found(shipped, cohort, "family", "alpha_tot") == (pytest.approx(0.8928571428571429, abs=1e-15), 7, 31, 62, 5040)
    assert found(shipped, cohort, "family", "initial_accuracy")[3:] == (172, 5040)
    partial = found(shipped, cohort, "family", "alpha_tot", "initial_accuracy")
    assert partial == (pytest.approx(0.7669649888473704, abs=1e-15), 7, 221, 442, 5040)
    assert found(shipped, cohort, "model", "alpha_tot")[0] == pytest.approx(0.8294834502328513, abs=1e-15)
    assert found(shipped, "published extension", "family", "alpha_tot")[3:] == (402884, 39916800)


def test_a_test_that_is_too_large_keeps_its_correlation_and_says_why(shipped: Ledger) -> None:
    """The N = 14 partial, .658, and its reason; n = 25 has more orders than a 64-bit integer."""
    assert found(shipped, "published n14", "model", "alpha_tot", "initial_accuracy")[:3] == (pytest.approx(0.658462, abs=5e-7), 14, None)
    assert found(shipped, "published extension", "model", "alpha_tot")[:3] == (pytest.approx(0.8239, abs=5e-5), 25, None)
    assert shipped.one("select count(*) from associations where (n_orders is null) <> (reason is not null)") == 0


def test_the_real_cohort_is_tested_over_its_families(shipped: Ledger) -> None:
    """Six models of five families: nothing is significant, as it must be with 120 orders."""
    assert found(shipped, "primary", "family", "alpha_tot") == (pytest.approx(0.7), 5, 14, 28, 120)


def row(family: str, alpha: float | None, collapse: float | None, accuracy: float | None = 0.5) -> dict[str, object]:
    return {"cohort": "c", "alpha_definition": "d", "family": family, "alpha_tot": alpha,
            "conditional_collapse_percent": collapse, "initial_accuracy": accuracy}  # fmt: skip


def test_what_cannot_be_tested_has_a_reason() -> None:
    few = associations([row("A", 0.1, 1), row("B", 0.2, 2), row("B", None, 3)])
    assert {(r["level"], r["rho_n"]) for r in few if r["predictor"] == "alpha_tot"} == {("model", 2), ("family", 2)}
    assert all("too few" in str(r["reason"]) for r in few if r["predictor"] == "alpha_tot")
    flat = associations([row(f, a, 0.0) for f, a in (("A", 0.1), ("B", 0.2), ("C", 0.3))])
    assert all("spread" in str(r["reason"]) and r["rho"] is None for r in flat)
    assert associations([]) == []


def test_families_are_unweighted_means() -> None:
    rows = [row("A", 0.1, 1), row("A", 0.5, 9), row("B", 0.2, 6), row("C", 0.35, 4)]
    (family,) = [r for r in associations(rows) if r["level"] == "family" and r["predictor"] == "alpha_tot" and not r["control"]]
    # Means .3, .2, .35 against 5, 6, 4.
    assert (family["rho"], family["n_two_sided"], family["n_orders"]) == (pytest.approx(-1.0), 2, 6)
