"""Rank correlations of pre-debate predictors with what debate did, over model rows and over families.

Which predictors, given which controls, is data (`seeds/association_tests.csv`), as are groupings of models into other families, families
that are left out together, and traits of models. Sources: paper sections 4.2, 4.3, C.2, C.3, C.5; `ledger_formats` 2.9 to 2.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pyarrow as pa
from scipy import stats

from debate_ledger.inference import SUMMARIES, fisher_z_interval, kendall_interval, t_approximation
from debate_ledger.permutation import (
    MAX_ENUMERATED_N,
    MAX_N,
    PermutationError,
    PermutationTest,
    TooManyOrdersError,
    enumerated_partial_spearman,
    exact_partial_spearman,
    exact_spearman,
    monte_carlo_spearman,
    partial_spearman,
)

OUTCOME = "conditional_collapse_percent"
#: Fewer rows or families than this have no association worth a test.
MIN_N = 3
#: Variations (one thing left out after the other, other groupings) test a set many times that is tested whole already: no order is
#: counted beyond so many points.
MAX_SELECTION_N = 9
#: Partial tests are drawn beyond so many points, whatever a seed or a var asks for: 15 take many minutes and 16 GB.
MAX_EXACT_PARTIAL_N = 14
LEVELS = ("model", *SUMMARIES)

ASSOCIATIONS_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort alpha_definition level grouping selection_kind selection predictor outcome controls".split()],
        *[(c, pa.float64()) for c in "rho rho_ci_lower rho_ci_upper".split()],
        ("rho_n", pa.int64()),
        ("n_missing", pa.int64()),
        *[(c, pa.float64()) for c in "p_t_two_sided p_t_greater".split()],
        ("permutation_method", pa.string()),
        *[(c, pa.int64()) for c in "n_orders n_at_least n_at_most n_two_sided permutation_seed".split()],
        *[(c, pa.float64()) for c in "p_two_sided p_greater p_less".split()],
        *[(c, pa.float64()) for c in "kendall_tau kendall_tau_ci_lower kendall_tau_ci_upper kendall_p".split()],
        *[(c, pa.float64()) for c in "pearson_r pearson_r_ci_lower pearson_r_ci_upper pearson_p".split()],
        ("reason", pa.string()),
    ]
)


@dataclass
class Cohort:
    """Model rows of one cohort under one definition of alpha_tot: family of each model, and variables (name to model to value)."""

    cohort: str
    alpha_definition: str
    families: dict[str, str] = field(default_factory=dict)
    variables: dict[str, dict[str, float]] = field(default_factory=dict)

    def known(self, columns: Sequence[str]) -> list[str]:
        """Models that have every one of the variables, by family and name."""
        models = [m for m in self.families if all(m in self.variables.get(c, {}) for c in columns)]
        return sorted(models, key=lambda m: (self.families[m], m))


def read_cohorts(points: Iterable[Mapping[str, object]]) -> list[Cohort]:
    """Cohorts from rows of (cohort, alpha_definition, model, family, variable, value), in alphabetical order."""
    found: dict[tuple[str, str], Cohort] = {}
    for p in points:
        key = (str(p["cohort"]), str(p["alpha_definition"]))
        cohort = found.setdefault(key, Cohort(*key))
        cohort.families[str(p["model"])] = str(p["family"])
        cohort.variables.setdefault(str(p["variable"]), {})[str(p["model"])] = float(p["value"])  # type: ignore[arg-type]
    return [found[key] for key in sorted(found)]


@dataclass(frozen=True)
class Test:
    """A correlation to test: predictor, outcome, controls; exact up to so many points; in which selections besides the whole set."""

    predictor: str
    outcome: str
    controls: tuple[str, ...]
    exact_up_to: int
    selections: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Every variable that the test needs."""
        return (self.predictor, self.outcome, *self.controls)


def read_tests(rows: Iterable[Mapping[str, object]]) -> list[Test]:
    """Tests from rows of `seeds/association_tests.csv`; its controls are separated by semicolons."""
    return [
        Test(
            str(r["predictor"]),
            str(r["outcome"]),
            tuple(filter(None, (c.strip() for c in str(r["controls"] or "").split(";")))),
            int(r["exact_up_to"]),  # type: ignore[call-overload]
            str(r["selections"]),
        )
        for r in rows
    ]


@dataclass(frozen=True)
class Selection:
    """Models of a cohort that are left out, and under which grouping of models into families."""

    kind: str
    name: str
    left_out: frozenset[str] = frozenset()
    grouping: str = "families"

    @property
    def is_whole(self) -> bool:
        """Whether it is a set of its own, the cohort or one that a seed names, rather than one of many variations."""
        return self.grouping == "families" and self.kind in ("all", "without families")


def selections(
    cohort: Cohort,
    groupings: Sequence[Mapping[str, object]] = (),
    joint_drops: Sequence[Mapping[str, object]] = (),
    traits: Sequence[Mapping[str, object]] = (),
) -> Iterator[tuple[Selection, dict[str, str]]]:
    """The whole cohort, then without each family, each row, the families of `joint_drops` and the rows of a trait, then other groupings.

    Each comes with the family of every model. A selection that changes nothing in this cohort is not made.
    """
    families = cohort.families
    yield Selection("all", "all"), families
    named: dict[str, set[str]] = {}
    for drop in joint_drops:
        named.setdefault(str(drop["selection"]), set()).add(str(drop["family"]))
    for name, dropped in sorted(named.items()):
        if dropped <= set(families.values()):
            yield Selection("without families", name, frozenset(m for m in families if families[m] in dropped)), families
    for family in sorted(set(families.values())):
        yield Selection("without family", f"without {family}", frozenset(m for m in families if families[m] == family)), families
    for model in sorted(families):
        yield Selection("without row", f"without {model}", frozenset([model])), families
    for trait, known in sorted(read_traits(traits).items()):
        having = frozenset(m for m in families if known.get(m))
        # Only where it is known of every model; a model without a row of the seed may have the trait.
        if having and set(families) <= set(known):
            yield Selection("without trait", f"without {trait}", having), families
    regrouped: dict[str, dict[str, str]] = {}
    for row in groupings:
        regrouped.setdefault(str(row["grouping"]), {})[str(row["model"])] = str(row["family"])
    for grouping, changes in sorted(regrouped.items()):
        other = {m: changes.get(m, f) for m, f in families.items()}
        if _partition(other) != _partition(families):
            yield Selection("all", "all", grouping=grouping), other


def _partition(families: Mapping[str, str]) -> set[frozenset[str]]:
    """Which models are together, whatever their family is called."""
    return {frozenset(m for m in families if families[m] == f) for f in families.values()}


def read_traits(rows: Iterable[Mapping[str, object]]) -> dict[str, dict[str, bool]]:
    """Trait to model to whether it has it, from rows of `seeds/model_traits.csv`; a model that is not there is unknown."""
    found: dict[str, dict[str, bool]] = {}
    for row in rows:
        found.setdefault(str(row["trait"]), {})[str(row["model"])] = bool(row["has_trait"])
    return found


def points_of(
    cohort: Cohort, columns: Sequence[str], level: str, families: Mapping[str, str], left_out: frozenset[str] = frozenset()
) -> list[tuple[float, ...]]:
    """Points of a level, one tuple of values per model, or per family in alphabetical order (mean or median of its rows)."""
    models = [m for m in cohort.known(columns) if m not in left_out]
    rows = {m: tuple(cohort.variables[c][m] for c in columns) for m in models}
    if level == "model":
        return [rows[m] for m in models]
    summary = SUMMARIES[level]
    members: dict[str, list[tuple[float, ...]]] = {}
    for m in models:
        members.setdefault(families[m], []).append(rows[m])
    return [tuple(summary(values) for values in zip(*members[f], strict=True)) for f in sorted(members)]


def associations(
    cohorts: Sequence[Cohort],
    tests: Sequence[Test],
    groupings: Sequence[Mapping[str, object]] = (),
    joint_drops: Sequence[Mapping[str, object]] = (),
    traits: Sequence[Mapping[str, object]] = (),
    fisher_z: Mapping[str, float] | None = None,
    draws: int = 100_000,
    seed: int = 20260424,
    exact_up_to: int = 0,
) -> list[dict[str, object]]:
    """Every test of every cohort, level and selection; rows as in `ASSOCIATIONS_SCHEMA`.

    A test whose predictor or outcome no row has is left out; one whose control is missing has a row without a correlation and with the
    reason. Orders are counted in integers up to the test's ``exact_up_to`` (or the larger one given here), and drawn beyond, which
    ``permutation_method`` says. Variations of more than 9 points (one family, row or trait left out, another grouping) have no permutation
    test; Kendall and Pearson are for what is tested whole. ``fisher_z`` gives the z of a cohort's intervals ("*": of the others).
    """
    z_of = fisher_z or {"*": float(stats.norm.ppf(0.975))}
    found: list[dict[str, object]] = []
    for cohort in cohorts:
        z = z_of.get(cohort.cohort, z_of["*"])
        for test in tests:
            if not cohort.known([test.predictor, test.outcome]):
                continue
            for selection, families in selections(cohort, groupings, joint_drops, traits):
                known = set(cohort.known([test.predictor, test.outcome]))
                if not _applies(test, selection) or (selection.left_out and not selection.left_out & known):
                    continue
                missing = known - selection.left_out - set(cohort.known(test.columns))
                for level in _levels(selection):
                    points = points_of(cohort, test.columns, level, families, selection.left_out)
                    row: dict[str, object] = dict.fromkeys(ASSOCIATIONS_SCHEMA.names)
                    row |= {"cohort": cohort.cohort, "alpha_definition": cohort.alpha_definition, "level": level}
                    row |= {"grouping": selection.grouping, "selection_kind": selection.kind, "selection": selection.name}
                    row |= {"predictor": test.predictor, "outcome": test.outcome, "controls": ", ".join(test.controls) or None}
                    row["n_missing"] = len(missing)
                    limit = max(test.exact_up_to, exact_up_to)
                    found.append(row | _tested(tuple(points), test.columns, level, selection.is_whole, z, limit, draws, seed))
    return found


def _levels(selection: Selection) -> tuple[str, ...]:
    """Rows and traits are left out of model rows, other groupings make other family means."""
    if selection.kind in ("without row", "without trait"):
        return ("model",)
    return LEVELS if selection.grouping == "families" else ("family mean",)


def _applies(test: Test, selection: Selection) -> bool:
    if selection.kind == "all":
        return selection.grouping == "families" or test.selections == "every"
    return test.selections == "every" or (test.selections == "named" and selection.kind == "without families")


@lru_cache(maxsize=4096)
def _tested(
    points: tuple[tuple[float, ...], ...],
    columns: tuple[str, ...],
    level: str,
    is_whole: bool,
    z: float,
    exact_up_to: int,
    draws: int,
    seed: int,
) -> dict[str, object]:
    """What a test found; remembered, since the published rows are the same in every build of a process."""
    n, n_controls = len(points), len(columns) - 2
    found: dict[str, object] = {"rho_n": n}
    noun = "model rows" if level == "model" else "families"
    if n < MIN_N:
        return found | {"reason": f"too few {noun} with {', '.join(columns)}: {n}, at least {MIN_N}"}
    if n - n_controls < 3:
        return found | {"reason": f"too few {noun} for {n_controls} controls: {n} leave no degree of freedom"}
    x, y, *controls = zip(*points, strict=True)
    try:
        rho = partial_spearman(x, y, *controls)
    except PermutationError as error:
        return found | {"reason": str(error)}
    found["rho"] = rho
    if n - n_controls >= 4 and abs(rho) < 1:
        found["rho_ci_lower"], found["rho_ci_upper"] = fisher_z_interval(rho, n - n_controls, z)
    approximate = t_approximation(rho, n, n_controls)
    if approximate:
        found["p_t_two_sided"], found["p_t_greater"] = approximate
    if n_controls == 0 and is_whole:
        found |= _others(x, y, z)
    if not is_whole and n > MAX_SELECTION_N:
        return found | {
            "reason": f"orders of a variation of more than {MAX_SELECTION_N} points are not counted, only those of the whole set"
        }
    try:
        test = _permuted(x, y, controls, exact_up_to, draws, seed)
    except PermutationError as error:
        return found | {"reason": str(error)}
    found |= {"permutation_method": "exact" if test.is_exact else "Monte Carlo", "permutation_seed": test.seed}
    found |= {"n_orders": test.n_orders, "n_at_least": test.n_at_least, "n_at_most": test.n_at_most, "n_two_sided": test.n_two_sided}
    return found | {"p_two_sided": test.p_two_sided, "p_greater": test.p_greater, "p_less": test.p_less}


def _permuted(
    x: Sequence[float], y: Sequence[float], controls: Sequence[Sequence[float]], exact_up_to: int, draws: int, seed: int
) -> PermutationTest:
    """Every order where that is possible, seeded draws beyond."""
    n, limit = len(x), min(exact_up_to, MAX_N)
    try:
        if n <= limit and not controls:
            return exact_spearman(x, y)
        if n <= min(limit, MAX_EXACT_PARTIAL_N) and len(controls) == 1:
            return exact_partial_spearman(x, y, controls[0], largest=limit)
    except TooManyOrdersError:
        # Tables that do not fit: drawn, and labelled so.
        return monte_carlo_spearman(x, y, *controls, draws=draws, seed=seed)
    if n <= MAX_ENUMERATED_N:
        return enumerated_partial_spearman(x, y, *controls)
    return monte_carlo_spearman(x, y, *controls, draws=draws, seed=seed)


def _others(x: Sequence[float], y: Sequence[float], z: float) -> dict[str, object]:
    """Kendall's tau-b (its p exact without ties, else asymptotic) and Pearson's r, with their intervals by Fisher's z."""
    kendall, pearson = stats.kendalltau(x, y), stats.pearsonr(x, y)
    tau, r = float(kendall.statistic), float(pearson.statistic)
    found: dict[str, object] = {"kendall_tau": tau, "kendall_p": float(kendall.pvalue)}
    found |= {"pearson_r": r, "pearson_p": float(pearson.pvalue)}
    if len(x) >= 5 and abs(tau) < 1:
        found["kendall_tau_ci_lower"], found["kendall_tau_ci_upper"] = kendall_interval(tau, len(x), z)
    if len(x) >= 4 and abs(r) < 1:
        found["pearson_r_ci_lower"], found["pearson_r_ci_upper"] = fisher_z_interval(r, len(x), z)
    return found
