"""Associations over model rows and families: the published numbers through the models, and rows that cannot be tested."""

import pytest
from conftest import Ledger

from debate_ledger.associations import OUTCOME, Cohort, associations, points_of, read_cohorts, read_tests, selections

COLUMNS = "rho, rho_n, n_at_least, n_two_sided, n_orders"
N14 = "published n14"
WHOLE = "cohort = ? and level = ? and predictor = ? and controls is not distinct from ? and selection = 'all' and grouping = 'families'"


def found(ledger: Ledger, cohort: str, level: str, predictor: str, controls: str | None = None, columns: str = COLUMNS) -> tuple:
    where = f"{WHOLE} and outcome = 'conditional_collapse_percent'"
    (row,) = ledger.query(f"select {columns} from associations where {where}", cohort, level, predictor, controls)
    return row


def test_the_published_counts_come_back_from_the_published_rows(shipped: Ledger) -> None:
    assert found(shipped, N14, "family mean", "alpha_tot") == (pytest.approx(0.8928571428571429, abs=1e-15), 7, 31, 62, 5040)
    assert found(shipped, N14, "family mean", "initial_accuracy")[3:] == (172, 5040)
    partial = found(shipped, N14, "family mean", "alpha_tot", "initial_accuracy")
    assert partial == (pytest.approx(0.7669649888473704, abs=1e-15), 7, 221, 442, 5040)
    rho, n, _, n_two_sided, n_orders = found(shipped, N14, "model", "alpha_tot")
    assert (rho, n, n_orders) == (pytest.approx(0.8294834502328513, abs=1e-15), 14, 87_178_291_200)
    assert n_two_sided / n_orders == pytest.approx(0.000433711, abs=5e-10)
    assert found(shipped, "published extension", "family mean", "alpha_tot")[3:] == (402884, 39916800)
    rho, p = found(shipped, "published extension", "family mean", "alpha_tot", "initial_accuracy", "rho, p_two_sided")
    assert (rho, p) == (pytest.approx(0.5969, abs=5e-5), pytest.approx(0.0694635, abs=5e-8))
    sql = "select n_two_sided, n_orders, p_two_sided from associations where cohort = 'published extension' and level = 'family mean'"
    sql += " and selection_kind = 'without families' and selection = 'without Tencent' and predictor = 'alpha_tot'"
    rows = shipped.query(f"{sql} order by controls nulls first")
    assert rows[0][:2] == (472, 3_628_800) and rows[1][2] == pytest.approx(0.000473986, abs=5e-10)


def test_what_has_too_many_orders_is_drawn_and_says_so(shipped: Ledger) -> None:
    columns = "rho, permutation_method, n_orders, permutation_seed, p_two_sided, reason"
    rho, method, n, seed, p, reason = found(shipped, N14, "model", "alpha_tot", "initial_accuracy", columns)
    assert (rho, method, n, seed, reason) == (pytest.approx(0.658462, abs=5e-7), "Monte Carlo", 100_000, 20260424, None)
    # Exact: .0139982 (slow test of `permutation`); 100,000 draws are good to .0011 at three standard errors.
    assert p == pytest.approx(0.0139982, abs=0.0011)
    assert found(shipped, "published extension", "model", "alpha_tot", columns=columns)[1] == "Monte Carlo"
    assert shipped.one("select count(*) from associations where permutation_method is null and reason is null") == 0


def test_noise_is_drawn_in_the_published_order(shipped: Ledger) -> None:
    """Means, since the median and the interval of nine rows hardly tell one order from another (`ledger_formats` 2.14)."""
    sql = "select rho_mean from association_draws where method = 'errors in variables' and cohort = ?"
    assert shipped.one(sql, "published sealed 9") == pytest.approx(0.72541, abs=5e-6)
    assert shipped.one(sql, N14) == pytest.approx(0.7990927, abs=5e-8)


def test_the_worst_left_out_family_is_the_one_named(shipped: Ledger) -> None:
    """Published as minima and maxima; `reproduction_sources` names one row for each."""
    sql = f"from associations where cohort = '{N14}' and predictor = 'alpha_tot' and controls is null and grouping = 'families'"
    ends = f"select min_by(selection, rho), max_by(selection, rho), min(rho), max(rho) {sql}"
    assert shipped.query(f"{ends} and level = 'model' and selection_kind = 'without family'")[0][0] == "without Google"
    assert shipped.one(f"select min(rho) {sql} and level = 'family mean' and selection_kind = 'without family'") == pytest.approx(
        0.82857, abs=5e-6
    )
    rows = shipped.query(f"{ends} and selection_kind = 'without row' and selection like 'without qwen%'")[0]
    assert (rows[2], rows[3]) == pytest.approx((0.8088, 0.8748), abs=5e-5) and rows[1] == "without qwen3.6-27b-fp8"


def test_every_lane_with_imputed_batteries_gives_the_published_rho(shipped: Ledger) -> None:
    rhos = shipped.query("select rho from associations where level = 'model' and predictor like 'alpha_imputed_%' and selection = 'all'")
    assert [rho for (rho,) in rhos] == [pytest.approx(0.8294834502328513, abs=1e-12)] * 5


def test_leaving_families_and_rows_out(shipped: Ledger) -> None:
    """`ledger_formats` 2.9: seven families, six rows of Qwen."""
    sql = f"select selection, rho from associations where cohort = '{N14}' and predictor = 'alpha_tot' and controls is null and level = ?"
    means, rows = dict(shipped.query(sql, "family mean")), dict(shipped.query(sql, "model"))
    families = ["Anthropic", "DeepSeek", "Google", "Meta", "OpenAI", "Phi", "Qwen"]
    assert [round(means[f"without {f}"], 4) for f in families] == [0.8286, 0.8286, 0.8286, 1.0, 0.8286, 0.9429, 0.9429]
    assert [round(rows[f"without {f}"], 3) for f in families] == [0.798, 0.791, 0.741, 0.875, 0.75, 0.875, 0.862]
    qwen = ["qwen3-4b", "qwen3-8b", "qwen3.5-4b", "qwen3.5-9b", "qwen3.6-27b-fp8", "qwen3.6-35b-a3b-fp8"]
    assert [round(rows[f"without {m}"], 4) for m in qwen] == [0.8088, 0.8088, 0.8473, 0.8473, 0.8748, 0.8528]


def test_the_real_cohort_is_tested_over_its_families(shipped: Ledger) -> None:
    """Six models of five families: nothing is significant, as it must be with 120 orders."""
    assert found(shipped, "primary", "family mean", "alpha_tot") == (pytest.approx(0.7), 5, 14, 28, 120)


def test_a_cohort_that_is_too_small_has_rows_with_reasons(shipped: Ledger) -> None:
    assert "too few" in found(shipped, "samples", "model", "alpha_tot", columns="reason")[0]
    for table, key in (("association_draws", "rho_median"), ("family_predictions", "predicted")):
        assert shipped.one(f"select count(*) from {table} where cohort = 'samples' and {key} is null and reason is not null") > 0
    # No counts are published for the rows of the extension that the paper took over.
    reason = shipped.one("select reason from association_draws where cohort = 'published extension' and method = 'errors in variables'")
    assert reason.startswith("no counts")


PLAIN = {"predictor": "alpha_tot", "outcome": OUTCOME, "controls": None, "exact_up_to": 11, "selections": "every"}
GIVEN = PLAIN | {"controls": "initial_accuracy", "selections": "all"}


def cohort(rows: list[tuple[str, float | None, float | None]], accuracy: list[float] | None = None) -> list[Cohort]:
    """Rows of (family, flip rate, collapse); models are m0, m1, …"""
    points = []
    for i, (family, alpha, collapse) in enumerate(rows):
        values = {"alpha_tot": alpha, OUTCOME: collapse, "initial_accuracy": accuracy[i] if accuracy else None}
        key = {"cohort": "c", "alpha_definition": "d", "model": f"m{i}", "family": family}
        points += [key | {"variable": c, "value": v} for c, v in values.items() if v is not None]
    return read_cohorts(points)


def test_what_cannot_be_tested_has_a_reason() -> None:
    few = associations(cohort([("A", 0.1, 1), ("B", 0.2, 2), ("B", None, 3)]), read_tests([PLAIN]))
    whole = [r for r in few if r["selection"] == "all"]
    assert [(r["level"], r["rho_n"]) for r in whole] == [("model", 2), ("family mean", 2), ("family median", 2)]
    assert all("too few" in str(r["reason"]) and r["rho"] is None for r in few)
    flat = associations(cohort([(f, a, 0.0) for f, a in (("A", 0.1), ("B", 0.2), ("C", 0.3))]), read_tests([PLAIN]))
    assert all(r["rho"] is None and r["reason"] for r in flat)
    assert any("spread" in str(r["reason"]) for r in flat)
    rows = [("A", 0.1, 1.0), ("B", 0.2, 3.0), ("C", 0.3, 2.0)]
    missing = associations(cohort(rows), read_tests([GIVEN]))
    assert all("too few" in str(r["reason"]) and "initial_accuracy" in str(r["reason"]) and r["n_missing"] == 3 for r in missing)
    saturated = associations(cohort(rows, [0.2, 0.1, 0.3]), read_tests([GIVEN]))
    assert all("no degree of freedom" in str(r["reason"]) and r["rho"] is None for r in saturated)
    collinear = associations(cohort([*rows, ("D", 0.4, 5.0)], [0.1, 0.2, 0.3, 0.4]), read_tests([GIVEN]))
    assert all("function of the control" in str(r["reason"]) for r in collinear)
    assert associations([], read_tests([PLAIN])) == []
    assert associations(cohort(rows), read_tests([PLAIN | {"predictor": "not there"}])) == []


def test_families_are_unweighted_means_or_medians() -> None:
    (one,) = cohort([("A", 0.1, 1), ("A", 0.2, 2), ("A", 0.9, 9), ("B", 0.2, 6)])
    columns = ["alpha_tot", OUTCOME]
    assert points_of(one, columns, "family mean", one.families) == [(pytest.approx(0.4), 4.0), (0.2, 6.0)]
    assert points_of(one, columns, "family median", one.families) == [(0.2, 2.0), (0.2, 6.0)]
    assert len(points_of(one, columns, "model", one.families, frozenset(["m0"]))) == 3


def test_selections_are_each_made_once() -> None:
    (one,) = cohort([("A", 0.1, 1), ("A", 0.2, 2), ("B", 0.9, 9), ("C", 0.2, 6)])
    drops = [{"selection": "s", "family": f} for f in ("A", "B")] + [
        {"selection": "only C", "family": "C"},
        {"selection": "t", "family": "Z"},
    ]
    traits = [{"trait": "big", "model": f"m{i}", "has_trait": i == 3} for i in range(4)]
    traits += [{"trait": "unknown of some", "model": "m1", "has_trait": True}, {"trait": "absent", "model": "x", "has_trait": True}]
    groupings = [{"grouping": "g", "model": "m1", "family": "B"}, {"grouping": "h", "model": "x", "family": "B"}]
    groupings += [{"grouping": "another name", "model": "m3", "family": "D"}]
    made = [(s.kind, s.name, set(s.left_out), s.grouping) for s, _ in selections(one, groupings, drops, traits)]
    assert made == [
        ("all", "all", set(), "families"),
        ("without families", "only C", {"m3"}, "families"),
        ("without families", "s", {"m0", "m1", "m2"}, "families"),
        ("without family", "without A", {"m0", "m1"}, "families"),
        ("without family", "without B", {"m2"}, "families"),
        ("without family", "without C", {"m3"}, "families"),
        ("without row", "without m0", {"m0"}, "families"),
        ("without row", "without m1", {"m1"}, "families"),
        ("without row", "without m2", {"m2"}, "families"),
        ("without row", "without m3", {"m3"}, "families"),
        ("without trait", "without big", {"m3"}, "families"),
        ("all", "all", set(), "g"),
    ]


def test_controls_are_trimmed_and_a_draw_that_is_not_asked_for_is_a_reason() -> None:
    (test,) = read_tests([PLAIN | {"controls": " initial_accuracy ; revision; "}])
    assert test.controls == ("initial_accuracy", "revision")
    one = cohort([(f"F{i}", (7 * i) % 12 / 12, (5 * i) % 12) for i in range(12)])
    rows = associations(one, read_tests([PLAIN | {"selections": "all", "exact_up_to": 9}]), draws=0)
    assert all(r["rho"] is not None and r["p_two_sided"] is None and "0 draws" in str(r["reason"]) for r in rows)


def test_more_points_than_the_limit_are_drawn_unless_more_is_asked_for() -> None:
    one = cohort([(f"F{i}", (7 * i) % 12 / 12, (5 * i) % 12) for i in range(12)])
    whole = {"selections": "all", "exact_up_to": 9}
    (row, *_) = associations(one, read_tests([PLAIN | whole]), draws=2000, seed=3)
    assert (row["permutation_method"], row["n_orders"], row["permutation_seed"]) == ("Monte Carlo", 2000, 3)
    (exact, *_) = associations(one, read_tests([PLAIN | whole]), exact_up_to=12)
    assert (exact["permutation_method"], exact["n_orders"]) == ("exact", 479_001_600)
    assert row["p_two_sided"] == pytest.approx(exact["p_two_sided"], abs=0.05)
