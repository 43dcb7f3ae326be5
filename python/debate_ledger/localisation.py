"""Out-of-fold models of which debates collapse: before debate, after round 1, after the whole trajectory (paper, 5.1 and E.1).

The features take few values, so rows with equal features and outcome are one row with a count: fits, scores and bootstraps run over those.
Initial correctness is a feature and uses the answer key: a diagnostic of where collapse becomes visible, not a warning system.
Source: `ledger_formats` 2.17.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from debate_ledger.clusters import cluster_counts, interval, numbered, python_counts
from debate_ledger.ranks import auc

#: Features by what is known when; a missing one counts as 0, as published.
BASELINE = ("initial_correct", "initial_one_answer", "initial_agreement")
ROUND_1 = (*BASELINE, "r1_majority_changed", "r1_n_flipped", "r1_agreement")
FULL = (*ROUND_1, "r2_majority_changed", "r2_agreement", "r3_majority_changed", "r3_agreement")
FEATURE_SETS: Mapping[str, tuple[str, ...]] = {"before debate": BASELINE, "and round 1": ROUND_1, "and rounds 2 and 3": FULL}
#: What a cohort must have known once for a feature set to say anything.
NEEDED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "before debate": (("initial_one_answer", "initial_agreement"), "no debate tells the answers of its start"),
    "and round 1": (("r1_majority_changed", "r1_n_flipped", "r1_agreement"), "no debate tells its round 1"),
    "and rounds 2 and 3": (("r2_majority_changed", "r2_agreement"), "no debate tells its round 2"),
}
STEPS = (("and round 1", "before debate"), ("and rounds 2 and 3", "and round 1"))
RECIPES = ("gradient descent", "scikit-learn")
N_FOLDS = 5
FOLD_SEED = 42
BOOTSTRAP_SEED = 20260424
BOOTSTRAP_DRAWS = 1000
#: The published index draws are repeated up to so many drawn indices.
MAX_INDICES = 20_000_000

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@lru_cache(maxsize=8)
def folds(n: int, k: int = N_FOLDS, seed: int = FOLD_SEED) -> Ints:
    """Fold of each row, shape (n,): Python's shuffle of 0 to n - 1, fold f is every k-th from the f-th on."""
    order = list(range(n))
    random.Random(seed).shuffle(order)
    found = np.empty(n, dtype=np.int64)
    for f in range(k):
        found[order[f::k]] = f
    return found


def gradient_descent(x: Floats, positive: Ints, negative: Ints, epochs: int = 300, step: float = 0.1, penalty: float = 1e-3) -> Floats:
    """Weights of a logistic regression by batch gradient descent from 0, the last one the intercept; L2 on the others.

    ``x`` has shape (kinds of rows, features); ``positive`` and ``negative`` count the rows of each kind. No scaling.
    """
    count, n = positive + negative, int((positive + negative).sum())
    weights, intercept = np.zeros(x.shape[1]), 0.0
    for _ in range(epochs):
        error = count / (1 + np.exp(-(x @ weights + intercept))) - positive
        weights, intercept = weights - step * (x.T @ error / n + penalty * weights), intercept - step * float(error.sum()) / n
    return np.append(weights, intercept)


def scikit_learn(x: Floats, positive: Ints, negative: Ints) -> Floats:
    """The same by scikit-learn's LogisticRegression with its defaults (C = 1, intercept not penalised), run to convergence."""
    from sklearn.linear_model import LogisticRegression

    both = np.concatenate([x, x])
    weight = np.concatenate([positive, negative])
    label = np.repeat([1, 0], len(x))
    kept = weight > 0
    fitted = LogisticRegression(solver="newton-cholesky", max_iter=1000, tol=1e-10).fit(both[kept], label[kept], sample_weight=weight[kept])
    return np.append(fitted.coef_[0], fitted.intercept_[0])


def row_kinds(x: Floats) -> tuple[Floats, Ints]:
    """(distinct rows, which of them each row is) of x, shape (n, features); by integer codes, since rows sort slowly."""
    code = np.zeros(len(x), dtype=np.int64)
    for column in x.T:
        values, place = np.unique(column, return_inverse=True)
        # Codes are made dense again, so that they stay small.
        _, code = np.unique(code * len(values) + place.ravel(), return_inverse=True)
        code = code.ravel()
    _, first, kind = np.unique(code, return_index=True, return_inverse=True)
    return x[first], kind.ravel()


def out_of_fold(x: Floats, y: NDArray[np.bool_], fold: Ints, recipe: str) -> Floats:
    """Score of each row by a model of the other folds, shape (n,); NaN where those have one outcome only.

    Rows with equal features are fitted as one with counts, which changes sums of floats in their last digits at most.
    """
    kinds, kind = row_kinds(x)
    score = np.full(len(x), np.nan)
    fit = gradient_descent if recipe == "gradient descent" else scikit_learn
    for f in np.unique(fold):
        train = fold != f
        positive, negative = (np.bincount(kind[train & (y == label)], minlength=len(kinds)) for label in (True, False))
        if positive.sum() == 0 or negative.sum() == 0:
            continue
        weights = fit(kinds, positive, negative)
        score[~train] = (1 / (1 + np.exp(-(kinds @ weights[:-1] + weights[-1]))))[kind[~train]]
    return score


def weighted_auc(score: Floats, positive: NDArray[np.number], negative: NDArray[np.number]) -> Floats:
    """AUC (Mann-Whitney with mid-ranks) of kinds of rows, for each row of counts; ``score`` (kinds,), the counts (draws, kinds).

    NaN where a draw has one outcome only.
    """
    order = np.argsort(score, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(score[order]) != 0))
    up = np.add.reduceat(positive[:, order], starts, axis=1).astype(float)
    down = np.add.reduceat(negative[:, order], starts, axis=1).astype(float)
    below = np.cumsum(down, axis=1) - down
    pairs = up.sum(axis=1) * down.sum(axis=1)
    return (up * (2 * below + down)).sum(axis=1) / np.where(pairs > 0, 2 * pairs, np.nan)


AUCS_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort coding_rule endpoint scope recipe features".split()],
        *[(c, pa.int64()) for c in "auc_n n_collapse n_folds".split()],
        ("auc", pa.float64()),
        ("fold_mean_auc", pa.float64()),
        ("reason", pa.string()),
    ]
)
SCHEMES = ("index", "question", "model", "question_and_model")
STEPS_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort coding_rule endpoint recipe step".split()],
        ("auc_difference", pa.float64()),
        *[(f"{c}_{end}", pa.float64()) for c in ("published", *SCHEMES) for end in ("lower", "upper")],
        *[(c, pa.int64()) for c in "n_draws n_debates n_questions n_models".split()],
        ("reason", pa.string()),
    ]
)
#: Rows of both, told apart by row_kind: one model makes them, since both need the same fits.
SCHEMA = pa.schema([("row_kind", pa.string()), *AUCS_SCHEMA, *(f for f in STEPS_SCHEMA if f.name not in AUCS_SCHEMA.names)])


def localisation(
    table: pa.Table, cohorts: Sequence[Mapping[str, object]], draws: int = BOOTSTRAP_DRAWS, bootstrap_up_to: int = 100_000
) -> tuple[list[dict], list[dict]]:
    """Rows of `AUCS_SCHEMA` and `STEPS_SCHEMA` for each of ``cohorts`` (cohort, coding_rule, endpoint).

    ``table`` has cohort, coding_rule, endpoint, model, question_id, is_collapse and the features of `FULL`, one row per debate that has a
    cell, in the order that folds and published draws go by. A scope is the cohort, or one model of it with fits of its own.
    """
    aucs: list[dict] = []
    steps: list[dict] = []
    encoded = table["cohort"].combine_chunks().dictionary_encode()
    index, place = encoded.indices.to_numpy(), {name: i for i, name in enumerate(encoded.dictionary.to_pylist())}
    for cohort in cohorts:
        own = table.filter(pa.array(index == place.get(cohort["cohort"], -1)))
        key = {name: cohort[name] for name in ("cohort", "coding_rule", "endpoint")}
        if not len(own):
            key |= {"reason": "no debate has a cell under the rule of the cohort"}
            none = dict.fromkeys(("n_debates", "n_questions", "n_models"), 0)
            aucs += [key | {"scope": "all", "recipe": r, "features": f, "auc_n": 0, "n_collapse": 0} for r in RECIPES for f in FEATURE_SETS]
            steps += [key | {"recipe": r, "step": step} | none for r in RECIPES for step, _ in STEPS]
            continue
        y = own["is_collapse"].to_numpy(zero_copy_only=False).astype(bool)
        x = np.column_stack([own[c].cast(pa.float64()).fill_null(0.0).to_numpy() for c in FULL])
        untold = {f: reason for f, (columns, reason) in NEEDED.items() if all(own[c].null_count == len(own) for c in columns)}
        models, questions = (numbered(own[c], 1_000_000) for c in ("model", "question_id"))
        resamples = draws if len(y) <= bootstrap_up_to else 0
        published = python_counts(BOOTSTRAP_SEED, len(y), resamples) if 0 < resamples * len(y) <= MAX_INDICES else None
        for recipe in RECIPES:
            scores = {}
            for scope, member in [("all", np.ones(len(y), dtype=bool)), *((m, models[1] == j) for j, m in enumerate(models[0]))]:
                if scope != "all" and len(models[0]) == 1:
                    continue
                for features, columns in FEATURE_SETS.items():
                    row, score = _scored(x[member][:, : len(columns)], y[member], recipe, untold.get(features))
                    aucs.append(key | {"scope": scope, "recipe": recipe, "features": features} | row)
                    if scope == "all" and score is not None:
                        scores[features] = score
            if len(scores) == len(FEATURE_SETS):
                found = _bootstrapped(scores, y, questions[1], models[1], resamples, published)
            else:
                found = {step: {"reason": "a feature set has no out-of-fold scores"} for step, _ in STEPS}
            if len(y) > bootstrap_up_to:
                found = {
                    s: r | {"reason": f"more than {bootstrap_up_to:,} debates are not resampled (var localisation_bootstrap_up_to)"}
                    for s, r in found.items()
                }
            counts = {"n_debates": len(y), "n_questions": len(questions[0]), "n_models": len(models[0])}
            steps += [key | {"recipe": recipe, "step": step} | counts | row for step, row in found.items()]
    return aucs, steps


def _scored(x: Floats, y: NDArray[np.bool_], recipe: str, untold: str | None) -> tuple[dict[str, object], Floats | None]:
    """AUC of the pooled out-of-fold scores and mean of the folds' AUCs (those that have both outcomes)."""
    row: dict[str, object] = {"auc_n": len(y), "n_collapse": int(y.sum())}
    if untold:
        return row | {"reason": untold}, None
    if y.all() or not y.any():
        return row | {"reason": "every debate has the same outcome"}, None
    if len(y) < 2 * N_FOLDS:
        return row | {"reason": f"{len(y)} debates are too few for {N_FOLDS} folds: at least {2 * N_FOLDS}"}, None
    fold = folds(len(y))
    score = out_of_fold(x, y, fold, recipe)
    if np.isnan(score).any():
        return row | {"reason": "without one fold, every debate has the same outcome"}, None
    within = [auc(score[fold == f], y[fold == f]) for f in range(N_FOLDS)]
    kept = [a for a in within if a is not None]
    return row | {"auc": auc(score, y), "fold_mean_auc": float(np.mean(kept)), "n_folds": len(kept)}, score


def _bootstrapped(
    scores: Mapping[str, Floats], y: NDArray[np.bool_], question: Ints, model: Ints, draws: int, published: Ints | None
) -> dict[str, dict[str, object]]:
    """Difference of the AUCs of each step, with intervals of every scheme; the scores stay as they are.

    ``published`` counts how often each row is drawn by the published index draws, shape (draws, n); None where those are too many.
    """
    names = list(scores)
    _, kind = row_kinds(np.column_stack([*scores.values(), y]))
    n_kinds = int(kind.max()) + 1
    first = np.full(n_kinds, -1)
    first[kind[::-1]] = np.arange(len(kind))[::-1]
    label = y[first]
    value = {name: scores[name][first] for name in names}

    def differences(counts: NDArray[np.number]) -> dict[str, Floats]:
        found = {name: weighted_auc(value[name], counts * label, counts * ~label) for name in names}
        return {after: found[after] - found[before] for after, before in STEPS}

    observed = differences(np.bincount(kind, minlength=n_kinds)[None, :])
    rows: dict[str, dict[str, object]] = {step: {"auc_difference": float(d[0]), "n_draws": draws} for step, d in observed.items()}
    if not draws:
        return rows
    schemes: dict[str, NDArray[np.number]] = {}
    size = np.bincount(kind, minlength=n_kinds)
    if published is not None:
        by_kind = np.argsort(kind, kind="stable")
        starts = np.flatnonzero(np.append(True, np.diff(kind[by_kind]) != 0))
        schemes["published"] = np.add.reduceat(published[:, by_kind], starts, axis=1)
    schemes["index"] = cluster_counts(BOOTSTRAP_SEED, size, draws)
    n_questions, n_models = int(question.max()) + 1, int(model.max()) + 1
    by_question = sparse.coo_array((np.ones(len(y)), (question, kind)), shape=(n_questions, n_kinds)).tocsr()
    drawn_questions = cluster_counts(BOOTSTRAP_SEED + 101, np.ones(n_questions), draws)
    schemes["question"] = drawn_questions @ by_question
    if n_models > 1:
        schemes["model"] = (
            cluster_counts(BOOTSTRAP_SEED + 202, np.ones(n_models), draws)
            @ sparse.coo_array((np.ones(len(y)), (model, kind)), shape=(n_models, n_kinds)).tocsr()
        )
        both = np.zeros((draws, n_kinds))
        two_questions, two_models = (
            cluster_counts(BOOTSTRAP_SEED + 303 + i, np.ones(n), draws) for i, n in enumerate((n_questions, n_models))
        )
        for m in range(n_models):
            of_model = sparse.coo_array(
                (np.ones((model == m).sum()), (question[model == m], kind[model == m])), shape=by_question.shape
            ).tocsr()
            both += two_models[:, m, None] * (two_questions @ of_model)
        schemes["question_and_model"] = both
    for scheme, counts in schemes.items():
        for step, drawn in differences(np.asarray(counts)).items():
            bounds = interval(drawn)
            if bounds:
                rows[step] |= {f"{scheme}_lower": bounds[0], f"{scheme}_upper": bounds[1]}
    return rows
