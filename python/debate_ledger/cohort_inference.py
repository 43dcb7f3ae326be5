"""What an association is worth in a cohort: draws, predictions of left-out families, pairs, planning, traits, specifications.

Each function takes the cohorts of `associations.read_cohorts` and returns rows of the schema beside it. What cannot be computed is a row
with nulls and a reason. Settings (draws, seeds) are rows of `seeds/inference_settings.csv`, "*" for every cohort without one.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import pyarrow as pa
from scipy import stats

from debate_ledger.associations import LEVELS, OUTCOME, Cohort, points_of, read_traits
from debate_ledger.inference import (
    ModelRow,
    effective_number,
    families_needed,
    pairwise_audit,
    power,
    predict_left_out,
    rank_sum,
    t_approximation,
)
from debate_ledger.permutation import PermutationError, partial_spearman, spearman
from debate_ledger.ranks import mid_ranks
from debate_ledger.resampling import Draws, errors_in_variables, family_bootstrap, propagate_left_out

Rows = list[dict[str, object]]
Settings = Mapping[str, Mapping[str, object]]
KEY = [("cohort", pa.string()), ("alpha_definition", pa.string())]


def _columns(kind: pa.DataType, names: str) -> list[tuple[str, pa.DataType]]:
    return [(name, kind) for name in names.split()]


def read_settings(rows: Iterable[Mapping[str, object]]) -> dict[str, Mapping[str, object]]:
    """Settings by cohort. Raises ValueError without the row of "*"."""
    found = {str(r["cohort"]): r for r in rows}
    if "*" not in found:
        raise ValueError('seeds/inference_settings.csv needs a row of the cohort "*", for every cohort without a row of its own')
    return found


def model_rows(cohort: Cohort) -> list[ModelRow]:
    """Model rows with their counts in the order of the draws: a published `draw_order`, else by family and name.

    Raises ValueError where a row of the screen has no counts.
    """
    needed = ("n_collapse", "n_initial_correct", "n_replies")
    models = cohort.known(["alpha_tot", OUTCOME])
    lacking = [m for m in models if any(m not in cohort.variables.get(c, {}) for c in needed)]
    if lacking:
        raise ValueError(f"no counts of collapses, initially correct debates and replies: {', '.join(lacking)}")
    order = cohort.variables.get("draw_order", {})
    if all(m in order for m in models):
        models = sorted(models, key=lambda m: order[m])
    return [_model_row(cohort, m, int(cohort.variables["n_replies"][m])) for m in models]


def _model_row(cohort: Cohort, model: str, n_replies: int) -> ModelRow:
    collapse, correct = (int(cohort.variables[c][model]) for c in ("n_collapse", "n_initial_correct"))
    # The flip rate that noise is drawn around, where it was published as another one.
    alpha = cohort.variables.get("alpha_drawn", {}).get(model, cohort.variables["alpha_tot"][model])
    return ModelRow(model, cohort.families[model], alpha, collapse, correct, n_replies)


def _key(cohort: Cohort) -> dict[str, object]:
    return {"cohort": cohort.cohort, "alpha_definition": cohort.alpha_definition}


def _screened(cohorts: Sequence[Cohort]) -> list[Cohort]:
    return [c for c in cohorts if c.known(["alpha_tot", OUTCOME])]


DRAWS_SCHEMA = pa.schema(
    [
        *KEY,
        *_columns(pa.string(), "method selection"),
        *_columns(pa.int64(), "n_rows n_families"),
        *_columns(pa.float64(), "rho_mean rho_median rho_ci_lower rho_ci_upper share_positive"),
        *_columns(pa.int64(), "n_draws n_draws_kept seed"),
        ("reason", pa.string()),
    ]
)


def association_draws(cohorts: Sequence[Cohort], settings: Settings) -> Rows:
    """Spearman's correlation over model rows: errors in variables, and families drawn with replacement (all, and without each one)."""
    found: Rows = []
    for cohort in _screened(cohorts):
        s = settings.get(cohort.cohort, settings["*"])
        jobs = [("errors in variables", "all", "noise"), ("family bootstrap", "all", "family")]
        shown = cohort.known(["alpha_tot", OUTCOME])
        jobs += [("family bootstrap", f"without {f}", "family") for f in sorted({cohort.families[m] for m in shown})]
        for method, selection, name in jobs:
            models = [m for m in shown if selection != f"without {cohort.families[m]}"]
            families = {cohort.families[m] for m in models}
            draws, seed = int(s[f"{name}_draws"]), int(s[f"{name}_seed"])  # type: ignore[call-overload]
            row = _key(cohort) | {"method": method, "selection": selection, "n_rows": len(models), "n_families": len(families)}
            row |= {"n_draws": draws, "seed": seed}
            if draws == 0:
                found.append(row | {"reason": "no draws are asked for (seeds/inference_settings.csv)"})
                continue
            n, noun = (len(families), "families") if name == "family" else (len(models), "model rows")
            if n < 3:
                found.append(row | {"reason": f"too few {noun}: {n}, at least 3"})
                continue
            try:
                if name == "family":
                    points = [(cohort.families[m], *(cohort.variables[c][m] for c in ("alpha_tot", OUTCOME))) for m in models]
                    drawn = family_bootstrap(points, draws, seed)
                else:
                    drawn = errors_in_variables(model_rows(cohort), draws, seed, float(s["noise_floor"]), bool(s["is_noise_clipped"]))  # type: ignore[arg-type]
            except ValueError as error:
                found.append(row | {"reason": str(error)})
                continue
            found.append(row | _drawn(drawn))
    return found


def _drawn(drawn: Draws) -> dict[str, object]:
    return {
        "rho_mean": drawn.mean,
        "rho_median": drawn.median,
        "rho_ci_lower": drawn.lower,
        "rho_ci_upper": drawn.upper,
        "share_positive": drawn.share_positive,
        "n_draws_kept": drawn.n_draws,
    }


PREDICTIONS_SCHEMA = pa.schema(
    [
        *KEY,
        ("family", pa.string()),
        ("n_models", pa.int64()),
        *_columns(pa.float64(), "alpha_tot observed predicted standard_error"),
        *_columns(pa.float64(), "predicted_80_lower predicted_80_upper predicted_95_lower predicted_95_upper"),
        *_columns(pa.bool_(), "is_covered_80 is_covered_95"),
        *_columns(pa.float64(), "observed_rank predicted_rank rank_error"),
        *_columns(pa.float64(), "propagated_80_lower propagated_80_upper propagated_95_lower propagated_95_upper"),
        *_columns(pa.bool_(), "is_propagated_covered_80 is_propagated_covered_95"),
        *_columns(pa.int64(), "n_draws seed"),
        *_columns(pa.string(), "reason propagated_reason"),
    ]
)


def family_predictions(cohorts: Sequence[Cohort], settings: Settings) -> Rows:
    """Every family predicted from the others (2.13), and the same under the uncertainty of every collapse (2.15, cut to 0 to 100 %)."""
    found: Rows = []
    for cohort in _screened(cohorts):
        s = settings.get(cohort.cohort, settings["*"])
        models = cohort.known(["alpha_tot", OUTCOME])
        names = sorted({cohort.families[m] for m in models})
        points = dict(zip(names, points_of(cohort, ["alpha_tot", OUTCOME], "family mean", cohort.families), strict=True))
        rows = {
            name: _key(cohort)
            | {
                "family": name,
                "n_models": sum(cohort.families[m] == name for m in models),
                "alpha_tot": points[name][0],
                "observed": points[name][1],
            }
            for name in names
        }
        try:
            predictions = predict_left_out({n: (p[0], p[1]) for n, p in points.items()})
        except ValueError as error:
            found += [row | {"reason": str(error), "propagated_reason": str(error)} for row in rows.values()]
            continue
        observed = mid_ranks([points[n][1] for n in names])
        predicted = mid_ranks([predictions[n].predicted for n in names])
        for name, a, b in zip(names, observed, predicted, strict=True):
            p = predictions[name]
            rows[name] |= {
                "predicted": p.predicted,
                "standard_error": p.standard_error,
                "observed_rank": float(a),
                "predicted_rank": float(b),
            }
            rows[name]["rank_error"] = float(abs(a - b))
            for level, (low, high) in (("80", p.interval_80), ("95", p.interval_95)):
                rows[name] |= {f"predicted_{level}_lower": low, f"predicted_{level}_upper": high}
                rows[name][f"is_covered_{level}"] = low <= p.observed <= high
        draws, seed = int(s["prediction_draws"]), int(s["prediction_seed"])  # type: ignore[call-overload]
        reason = None if draws else "no draws are asked for (seeds/inference_settings.csv)"
        if draws:
            try:
                propagated = propagate_left_out(model_rows(cohort), draws, seed)
            except ValueError as error:
                reason = str(error)
        for name in names:
            rows[name] |= {"n_draws": draws, "seed": seed, "propagated_reason": reason}
            for level in ("80", "95") if reason is None else ():
                low, high = (min(max(v, 0.0), 100.0) for v in propagated[name][level])
                rows[name] |= {f"propagated_{level}_lower": low, f"propagated_{level}_upper": high}
                rows[name][f"is_propagated_covered_{level}"] = low <= points[name][1] <= high
        found += rows.values()
    return found


PAIRS_SCHEMA = pa.schema(
    [
        *KEY,
        *_columns(pa.string(), "first_model second_model"),
        ("is_reordered", pa.bool_()),
        ("follows", pa.string()),
        *_columns(pa.float64(), "p p_holm"),
    ]
)


def model_pairs(cohorts: Sequence[Cohort]) -> Rows:
    """Every pair of model rows that have counts and an initial accuracy (2.24)."""
    found: Rows = []
    for cohort in cohorts:
        models = cohort.known(["alpha_tot", OUTCOME, "initial_accuracy", "n_collapse", "n_initial_correct"])
        rows = [_model_row(cohort, m, 1) for m in models]
        for pair in pairwise_audit(rows, [cohort.variables["initial_accuracy"][m] for m in models]):
            found.append(
                _key(cohort)
                | {"first_model": pair.first, "second_model": pair.second, "is_reordered": pair.is_reordered}
                | {"follows": pair.follows, "p": pair.p, "p_holm": pair.p_holm}
            )
    return found


PLANNING_SCHEMA = pa.schema(
    [
        *KEY,
        *_columns(pa.string(), "predictor controls"),
        ("rho", pa.float64()),
        ("n_families", pa.int64()),
        ("power", pa.float64()),
        ("is_enough", pa.bool_()),
    ]
)
#: Numbers of families that a plan goes through.
PLANNED = range(5, 61)


def family_planning(associations: Iterable[Mapping[str, object]], target: float = 0.8) -> Rows:
    """Power of a two-sided 5 % test by number of families, if the correlation were the observed one of family means (G.1).

    ``associations`` are rows of `ASSOCIATIONS_SCHEMA` of whole cohorts over family means, with at most one control. A perfect correlation
    plans nothing and has no row.
    """
    found: Rows = []
    for row in associations:
        rho = row["rho"]
        n_controls = 1 if row["controls"] else 0
        if rho is None or abs(float(rho)) >= 1:  # type: ignore[arg-type]
            continue
        for g in PLANNED:
            chance = power(float(rho), g, n_controls)  # type: ignore[arg-type]
            found.append(
                {c: row[c] for c in ("cohort", "alpha_definition", "predictor", "controls", "rho")}
                | {"n_families": g, "power": chance, "is_enough": chance >= target}
            )
    return found


TRAITS_SCHEMA = pa.schema(
    [
        *KEY,
        ("trait", pa.string()),
        *_columns(pa.int64(), "n_with n_without n_unknown"),
        *_columns(pa.float64(), "median_with median_without mann_whitney_u p_less"),
        ("reason", pa.string()),
    ]
)


def trait_comparisons(cohorts: Sequence[Cohort], traits: Iterable[Mapping[str, object]]) -> Rows:
    """Conditional collapse of the model rows with a trait against those without (Mann-Whitney, one-sided: lower with the trait)."""
    known = read_traits(traits)
    found: Rows = []
    for cohort, trait in product(cohorts, sorted(known)):
        values = {m: cohort.variables[OUTCOME][m] for m in cohort.known([OUTCOME])}
        groups = [[v for m, v in values.items() if known[trait].get(m) is has] for has in (True, False)]
        if not groups[0]:
            continue
        row = _key(cohort) | {"trait": trait, "n_with": len(groups[0]), "n_without": len(groups[1])}
        row["n_unknown"] = len(values) - len(groups[0]) - len(groups[1])
        row |= {c: statistics.median(g) for c, g in zip(("median_with", "median_without"), groups, strict=True) if g}
        try:
            u, p = rank_sum(*groups)
            row |= {"mann_whitney_u": u, "p_less": p}
        except ValueError as error:
            row["reason"] = str(error)
        found.append(row)
    return found


SPECIFICATIONS_SCHEMA = pa.schema(
    [*KEY, *_columns(pa.string(), "pool correlation predictor"), ("value", pa.float64()), ("n", pa.int64()), ("reason", pa.string())]
)
#: Flip rates that could have been the screen.
PREDICTORS = ("alpha_tot", "alpha_adv", "alpha_default", "alpha_lite", "alpha_none_as_flip", "social_flip_rate", "solo_flip_rate")
CORRELATIONS = {
    "spearman": spearman,
    "kendall": lambda x, y: float(stats.kendalltau(x, y).statistic),
    "pearson": lambda x, y: float(stats.pearsonr(x, y).statistic),
}


def specification_curve(cohorts: Sequence[Cohort]) -> Rows:
    """Every pool (rows, family means, family medians) × correlation × flip rate that a cohort has, against conditional collapse (C.7)."""
    found: Rows = []
    for cohort in _screened(cohorts):
        for pool, correlation, predictor in product(LEVELS, CORRELATIONS, PREDICTORS):
            points = points_of(cohort, [predictor, OUTCOME], pool, cohort.families)
            if not points:
                continue
            row = _key(cohort) | {"pool": pool, "correlation": correlation, "predictor": predictor, "n": len(points)}
            x, y = zip(*points, strict=True)
            if len(points) < 3 or min(len(set(x)), len(set(y))) < 2:
                found.append(row | {"reason": "fewer than 3 points" if len(points) < 3 else "a vector without spread has no correlation"})
            else:
                found.append(row | {"value": CORRELATIONS[correlation](x, y)})
    return found


SUMMARY_SCHEMA = pa.schema(
    [
        *KEY,
        *_columns(pa.int64(), "n_models n_families"),
        *_columns(pa.float64(), "effective_families prediction_rho prediction_p mean_rank_error"),
        *_columns(pa.int64(), "n_covered_80 n_covered_95 n_propagated_covered_80 n_propagated_covered_95"),
        *_columns(
            pa.int64(), "n_pairs n_reordered n_follow_alpha n_follow_accuracy n_follow_neither n_pairs_p_below_05 n_pairs_significant"
        ),
        *_columns(pa.int64(), "families_needed families_needed_given_accuracy"),
        *_columns(pa.float64(), "specification_median specification_min specification_max"),
        ("n_specifications", pa.int64()),
    ]
)


def inference_summary(
    cohorts: Sequence[Cohort],
    predictions: Sequence[Mapping[str, object]],
    pairs: Sequence[Mapping[str, object]],
    curve: Sequence[Mapping[str, object]],
) -> Rows:
    """One row per cohort with a screen: what predictions, pairs and specifications come to, and families needed for 80 % power."""
    found: Rows = []
    for cohort in _screened(cohorts):
        models = cohort.known(["alpha_tot", OUTCOME])
        key = _key(cohort)
        row = key | {"n_models": len(models), "n_families": len({cohort.families[m] for m in models})}
        row["effective_families"] = effective_number([cohort.families[m] for m in models])
        own = [p for p in predictions if all(p[c] == v for c, v in key.items()) and p["predicted"] is not None]
        if own:
            row |= {f"n_{c}": sum(bool(p[f"is_{c}"]) for p in own) for c in ("covered_80", "covered_95")}
            if all(p["is_propagated_covered_80"] is not None for p in own):
                row |= {f"n_{c}": sum(bool(p[f"is_{c}"]) for p in own) for c in ("propagated_covered_80", "propagated_covered_95")}
            try:
                rho = spearman([p["predicted"] for p in own], [p["observed"] for p in own])
                p = t_approximation(rho, len(own))
                row |= {"prediction_rho": rho, "prediction_p": p[0] if p else None}
            except PermutationError:
                pass
            row["mean_rank_error"] = statistics.fmean(float(p["rank_error"]) for p in own)  # type: ignore[arg-type]
        for name, controls in (("families_needed", ()), ("families_needed_given_accuracy", ("initial_accuracy",))):
            points = points_of(cohort, ["alpha_tot", OUTCOME, *controls], "family mean", cohort.families)
            try:
                row[name] = families_needed(partial_spearman(*zip(*points, strict=True)), len(controls)) if len(points) > 2 else None
            except PermutationError:
                row[name] = None
        own_pairs = [p for p in pairs if all(p[c] == v for c, v in key.items())]
        reordered = [p for p in own_pairs if p["is_reordered"]]
        row |= {"n_pairs": len(own_pairs), "n_reordered": len(reordered)}
        for name, follows in (("alpha", "alpha"), ("accuracy", "accuracy"), ("neither", "tie")):
            row[f"n_follow_{name}"] = sum(p["follows"] == follows for p in reordered)
        row["n_pairs_p_below_05"] = sum(float(p["p"]) < 0.05 for p in reordered)  # type: ignore[arg-type]
        row["n_pairs_significant"] = sum(float(p["p_holm"]) < 0.05 for p in reordered)  # type: ignore[arg-type]
        values = [float(c["value"]) for c in curve if all(c[k] == v for k, v in key.items()) and c["value"] is not None]  # type: ignore[arg-type]
        row["n_specifications"] = len(values)
        if values:
            row |= {"specification_median": statistics.median(values), "specification_min": min(values), "specification_max": max(values)}
        found.append(row)
    return found
