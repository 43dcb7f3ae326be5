"""Out-of-fold models on the real cohort against the published AUC, and the draws as counts against Python's own generator."""

import csv
import random

import numpy as np
import pyarrow as pa
import pytest
from conftest import ROOT, Ledger
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ledger.clusters import cluster_counts, python_counts, python_indices
from debate_ledger.localisation import FULL, folds, gradient_descent, localisation, out_of_fold, row_kinds, weighted_auc
from debate_ledger.ranks import auc

AUCS = "select features, auc, fold_mean_auc from localisation_aucs where cohort = 'primary' and scope = 'all' and recipe = ? order by auc"


def test_the_published_auc_comes_back_from_the_rows(shipped: Ledger) -> None:
    found = shipped.query(AUCS, "gradient descent")
    assert [f[0] for f in found] == ["before debate", "and round 1", "and rounds 2 and 3"]
    assert [f[1] for f in found] == pytest.approx([0.6690917029222472, 0.768466649605217, 0.845866686097762], abs=1e-12)
    assert [f[2] for f in found] == pytest.approx([0.6632136808783959, 0.7763998678854668, 0.8511320265499579], abs=1e-12)
    steps = shipped.query(
        "select auc_difference, published_lower, published_upper from localisation_steps"
        " where cohort = 'primary' and recipe = 'gradient descent' order by step"
    )
    assert steps[0] == pytest.approx((0.09937494668296987, 0.08025392252893289, 0.11777589172728409), abs=1e-12)
    assert steps[1] == pytest.approx((0.07740003649254501, 0.06385655975917832, 0.09163213680704226), abs=1e-12)


def test_the_published_folds_of_each_model_come_back(shipped: Ledger) -> None:
    """cascade_r1_auc.json: mean over the folds that have both outcomes; the two API models have one collapse each."""
    with (ROOT / "seeds/published/published_auc_folds.csv").open(newline="") as lines:
        rows = [r for r in csv.DictReader(lines) if r["scope"].startswith("vllm")]
    for scope in {r["scope"] for r in rows}:
        for features, ours in (("baseline", "before debate"), ("r1_trajectory", "and round 1"), ("full_trajectory", "and rounds 2 and 3")):
            published = [float(r["auc"]) for r in rows if (r["scope"], r["features"]) == (scope, features)]
            found = shipped.query(
                "select fold_mean_auc, n_folds from localisation_aucs where scope = ? and recipe = 'gradient descent' and features = ?",
                scope.removeprefix("vllm_"),
                ours,
            )
            assert found == [(pytest.approx(np.mean(published), abs=1e-12), len(published))]
    reasons = shipped.query("select distinct scope from localisation_aucs where cohort = 'primary' and reason is not null order by all")
    assert [s for (s,) in reasons] == ["gemini-3-flash", "gpt-5.4-mini"]


def test_a_converged_fit_ranks_better_than_the_published_one(shipped: Ledger) -> None:
    """300 steps from 0 are far from the optimum: the published AUC are those of the recipe, not of the features."""
    ours, converged = (dict((f, a) for f, a, _ in shipped.query(AUCS, r)) for r in ("gradient descent", "scikit-learn"))
    assert all(converged[f] > ours[f] for f in ours)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 10_000), st.integers(0, 2**31))
def test_indices_are_those_of_pythons_generator(n: int, seed: int) -> None:
    generator = random.Random(seed)
    assert [generator.randrange(n) for _ in range(300)] == python_indices(seed, n, 300).tolist()
    generator = random.Random(seed)
    drawn = [generator.choice(range(n)) for _ in range(3 * min(n, 50))]
    assert drawn == python_indices(seed, n, 3 * min(n, 50)).tolist()


def test_counts_are_of_the_drawn_indices() -> None:
    generator = random.Random(7)
    drawn = [[generator.randrange(5) for _ in range(5)] for _ in range(4)]
    assert python_counts(7, 5, 4).tolist() == [[d.count(i) for i in range(5)] for d in drawn]
    assert set(cluster_counts(1, [2, 3, 5], 50).sum(axis=1)) == {10}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=2, max_size=25))
def test_weighted_auc_is_that_of_the_repeated_rows(rows: list[tuple[int, bool, int]]) -> None:
    score, label, times = (np.array(c) for c in zip(*rows, strict=True))
    found = weighted_auc(score.astype(float), (times * label)[None], (times * ~label)[None])[0]
    repeated = auc(np.repeat(score, times), np.repeat(label, times)) if times.sum() else None
    assert np.isnan(found) if repeated is None else found == pytest.approx(repeated, abs=1e-12)


def test_rows_with_counts_fit_like_rows() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 3, (300, 4)).astype(float), rng.random(300) < 0.3
    kinds, kind = row_kinds(x)
    assert (kinds[kind] == x).all() and len(kinds) == len(np.unique(x, axis=0))
    counted = gradient_descent(kinds, *(np.bincount(kind[y == v], minlength=len(kinds)) for v in (True, False)))
    assert counted == pytest.approx(gradient_descent(x, y.astype(int), (~y).astype(int)), abs=1e-12)
    assert np.isfinite(out_of_fold(x, y, folds(300), "scikit-learn")).all()


def test_folds_are_pythons_shuffle() -> None:
    order = list(range(11))
    random.Random(42).shuffle(order)
    assert [order.index(i) % 5 for i in range(11)] == folds(11).tolist()


def test_what_cannot_be_fitted_has_a_reason() -> None:
    columns = {"cohort": ["c"] * 4, "coding_rule": ["r"] * 4, "endpoint": ["last"] * 4, "model": ["m"] * 4, "question_id": list("abcd")}
    few = pa.table(columns | {"is_collapse": [True, False, True, False]} | {c: [1.0, 0.0, None, 1.0] for c in FULL})
    cohorts = [{"cohort": c, "coding_rule": "r", "endpoint": "last"} for c in ("c", "nothing")]
    aucs, steps = localisation(few, cohorts[:1])
    assert all("too few" in a["reason"] for a in aucs) and all(s["reason"] for s in steps)
    aucs, _ = localisation(few.set_column(5, "is_collapse", pa.array([False] * 4)), cohorts[:1])
    assert all("same outcome" in a["reason"] for a in aucs)
    aucs, steps = localisation(few, cohorts)
    assert {a["reason"] for a in aucs if a["cohort"] == "nothing"} == {"no debate has a cell under the rule of the cohort"}
    assert len(steps) == 2 * len(aucs) // 3
    unheld = [c for c in FULL if c[:2] in ("r2", "r3")]
    many = pa.concat_tables([few] * 10)
    for name in unheld:
        many = many.set_column(many.column_names.index(name), name, pa.nulls(40, pa.float64()))
    aucs, steps = localisation(many, cohorts[:1])
    told = {a["features"]: a.get("reason") for a in aucs}
    assert told["and round 1"] is None and told["and rounds 2 and 3"] == "no debate tells its round 2" and all(s["reason"] for s in steps)
