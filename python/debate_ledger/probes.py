"""Statistics of probe batteries: social-to-argument ratio, bootstrap over questions, reliability, condition effects.

Sources: paper sections 3.2 and 4.1, equation 4, tables 17, 20 and 21; `ledger_formats` 2.5 to 2.7. Where the published study gives a
number without its script, the docstring says which formula stands here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray
from scipy import special

from debate_ledger.ranks import auc, mid_ranks

EPSILON = 1e-6
#: Flip rates are fractions with small denominators: a spread below this is none, but for rounding.
NO_SPREAD = 1e-12
CONFIDENCE = 0.95
#: Resamples that are held in memory at a time.
BATCH = 1000
#: Fractions are added up in units of a billionth.
SCALE = 1e9
#: Lanes that share a draw; the drawn sums of so many are held in memory.
LANES_AT_ONCE = 50

BOOTSTRAP_SCHEMA = pa.schema(
    [
        ("lane_id", pa.int64()),
        ("n_questions", pa.int64()),
        ("sa_question_mean", pa.float64()),
        ("sa_question_mean_n", pa.int64()),
        ("sa_question_mean_lower", pa.float64()),
        ("sa_question_mean_upper", pa.float64()),
        ("default_channel_mean_lower", pa.float64()),
        ("default_channel_mean_upper", pa.float64()),
        ("default_rows_lower", pa.float64()),
        ("default_rows_upper", pa.float64()),
        ("all_rows_lower", pa.float64()),
        ("all_rows_upper", pa.float64()),
    ]
)
RELIABILITY_SCHEMA = pa.schema(
    [
        ("lane_id", pa.int64()),
        ("statistic", pa.string()),
        ("against", pa.string()),
        ("retest_lane_id", pa.int64()),
        ("value", pa.float64()),
        ("n", pa.int64()),
    ]
)
CONDITION_SCHEMA = pa.schema(
    [
        ("lane_id", pa.int64()),
        ("n_default", pa.int64()),
        ("n_anti_social", pa.int64()),
        ("n_anti_argument", pa.int64()),
        ("flip_rate_default", pa.float64()),
        ("flip_rate_anti_social", pa.float64()),
        ("flip_rate_anti_argument", pa.float64()),
        ("n_pairs", pa.int64()),
        ("mean_difference", pa.float64()),
        ("cohens_d_paired", pa.float64()),
        ("cohens_d_average", pa.float64()),
        ("t", pa.float64()),
        ("p", pa.float64()),
        ("p_holm", pa.float64()),
    ]
)
AUC_SCHEMA = pa.schema(
    [
        ("cohort", pa.string()),
        ("model", pa.string()),
        ("lane_id", pa.int64()),
        ("scope", pa.string()),
        ("predictor", pa.string()),
        ("auc", pa.float64()),
        ("n_debates", pa.int64()),
        ("n_collapse", pa.int64()),
    ]
)

COMBINED = {
    "combined": ("flip_rate", "has_initial_disagreement"),
    "combined_with_sa": ("flip_rate", "social_argument_ratio", "has_initial_disagreement"),
}


def social_argument_ratio(s_soc: ArrayLike, s_arg: ArrayLike, epsilon: float = EPSILON) -> NDArray[np.float64]:
    """S/A of equation 4: s_soc / (|s_soc| + |s_arg| + epsilon); arrays of one shape, NaN where either is NaN."""
    soc, arg = np.asarray(s_soc, dtype=float), np.asarray(s_arg, dtype=float)
    return soc / (np.abs(soc) + np.abs(arg) + epsilon)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given; each p in [0, 1]. An empty list gives an empty list."""
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return [float(x) for x in adjusted]


def paired_test(first: ArrayLike, second: ArrayLike) -> dict[str, float | None]:
    """Paired comparison of ``first`` minus ``second``, both of shape (n,).

    mean_difference; cohens_d_paired, the mean difference in standard deviations of the differences (d_z); cohens_d_average, in the root
    mean square of the two standard deviations; t with n - 1 degrees of freedom and its two-sided p (equal to
    ``scipy.stats.ttest_rel``). What cannot be computed (n < 2, no spread) is None.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape:
        raise ValueError("need pairs")
    result: dict[str, float | None] = dict.fromkeys(["mean_difference", "cohens_d_paired", "cohens_d_average", "t", "p"])
    n = len(a)
    if n == 0:
        return result
    difference = a - b
    mean = float(difference.mean())
    result["mean_difference"] = mean
    if n < 2:
        return result
    spread = float(difference.std(ddof=1))
    average = math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2)
    if average > NO_SPREAD:
        result["cohens_d_average"] = mean / average
    if spread > NO_SPREAD:
        t = mean / (spread / math.sqrt(n))
        result |= {"cohens_d_paired": mean / spread, "t": t, "p": float(2 * special.stdtr(n - 1, -abs(t)))}
    return result


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Pearson correlation of two vectors of shape (n,); None for n < 3 or a vector without spread."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if len(a) < 3 or not np.ptp(a) or not np.ptp(b):
        return None
    a, b = a - math.fsum(a) / len(a), b - math.fsum(b) / len(b)
    spread = math.sqrt(math.fsum(a * a) * math.fsum(b * b))
    return None if spread < NO_SPREAD else min(1.0, max(-1.0, math.fsum(a * b) / spread))


def spearman_brown(r: float) -> float | None:
    """Reliability of the whole battery from the correlation of its halves: 2 r / (1 + r); None for r < 0, where it says nothing."""
    return None if r < 0 else 2 * r / (1 + r)


def intraclass_correlations(ratings: ArrayLike) -> dict[str, float | None] | None:
    """ICC(1,1), ICC(2,1) and ICC(3,1) after Shrout and Fleiss (1979) for ``ratings`` of shape (questions, agents), complete.

    One rater's reliability: one-way random, two-way random (absolute agreement), two-way mixed (consistency). None where there are
    fewer than two questions or agents, or no spread at all; one of the three is None where its denominator is 0.
    """
    x = np.asarray(ratings, dtype=float)
    if x.ndim != 2 or min(x.shape) < 2 or not np.ptp(x):
        return None
    n, k = x.shape
    grand = x.mean()
    rows = k * ((x.mean(axis=1) - grand) ** 2).sum()
    columns = n * ((x.mean(axis=0) - grand) ** 2).sum()
    total = ((x - grand) ** 2).sum()
    between = rows / (n - 1)
    within = (total - rows) / (n * (k - 1))
    residual = (total - rows - columns) / ((n - 1) * (k - 1))
    raters = columns / (k - 1)
    parts = {
        "icc_1_1": (between - within, between + (k - 1) * within),
        "icc_2_1": (between - residual, between + (k - 1) * residual + k * (raters - residual) / n),
        "icc_3_1": (between - residual, between + (k - 1) * residual),
    }
    return {name: float(top / bottom) if bottom > NO_SPREAD else None for name, (top, bottom) in parts.items()}


def _columns(table: pa.Table) -> dict[str, NDArray]:
    return {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}


def _slices(ids: NDArray) -> Iterator[tuple[int, slice]]:
    """(id, slice) of each run of equal ids in a sorted vector."""
    if len(ids):
        cuts = [0, *(np.flatnonzero(np.diff(ids)) + 1).tolist(), len(ids)]
        for start, stop in pairwise(cuts):
            yield int(ids[start]), slice(start, stop)


def _ratio(numerator: NDArray, denominator: NDArray) -> NDArray[np.float64]:
    numerator, denominator = np.asarray(numerator, dtype=float), np.asarray(denominator, dtype=float)
    return np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator > 0)


def _interval(draws: NDArray[np.float64]) -> tuple[float | None, float | None]:
    if not len(draws) or np.isnan(draws).any():
        return None, None
    low, high = np.quantile(draws, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def _resampled_sums(sums: Sequence[NDArray[np.float64]], resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Sums over questions drawn with replacement, (questions, k) to (resamples, k) for each of ``sums``, all of as many questions.

    The draws depend on the seed and the number of questions only, so a lane gets the same ones whatever lanes stand beside it.
    """
    n = len(sums[0])
    for first in range(0, len(sums), LANES_AT_ONCE):
        stacked = np.column_stack(sums[first : first + LANES_AT_ONCE])
        rng = np.random.default_rng([seed, n])
        drawn = []
        for start in range(0, resamples, BATCH):
            drawn.append(rng.multinomial(n, np.full(n, 1 / n), size=min(BATCH, resamples - start)) @ stacked)
        yield from np.split(np.concatenate(drawn), stacked.shape[1] // sums[0].shape[1], axis=1)


def screen_bootstrap(questions: pa.Table, resamples: int, seed: int) -> list[dict[str, object]]:
    """Question-level S/A and percentile intervals over questions, per lane.

    ``questions`` is sorted by lane_id and question_id, one row per (lane, question, condition), with the counts of
    `int_question_probes`. sa_question_mean is the mean over questions of the S/A (equation 4) of a question's default replies, an
    unparsed reply being no flip; the paper's table 17 gives such intervals without its script. The other intervals belong to the three
    definitions of alpha_tot (`ledger_formats` 2.5). Rows as in `BOOTSTRAP_SCHEMA`.
    """
    c = _columns(questions)
    rows: list[dict[str, object]] = []
    by_size: dict[int, list[tuple[dict[str, object], NDArray[np.float64]]]] = {}
    for lane_id, at in _slices(c["lane_id"]):
        names, place = np.unique(c["question_id"][at].astype(str), return_inverse=True)
        sums = _question_sums({name: values[at] for name, values in c.items()}, place, len(names))
        n_sa = int(sums[:, 1].sum())
        row: dict[str, object] = dict.fromkeys(BOOTSTRAP_SCHEMA.names)
        row |= {"lane_id": lane_id, "n_questions": len(names), "sa_question_mean_n": n_sa}
        row["sa_question_mean"] = math.fsum(sums[:, 0]) / SCALE / n_sa if n_sa else None
        rows.append(row)
        # One question tells nothing about questions.
        if len(names) > 1 and resamples > 0:
            by_size.setdefault(len(names), []).append((row, sums))
    for lanes in by_size.values():
        for (row, _), drawn in zip(lanes, _resampled_sums([sums for _, sums in lanes], resamples, seed), strict=True):
            d = drawn.T
            draws = {
                "sa_question_mean": _ratio(d[0], d[1]) / SCALE,
                "default_channel_mean": (_ratio(d[2], d[3]) + _ratio(d[4], d[5])) / 2,
                "default_rows": _ratio(d[6], d[7]) / SCALE,
                "all_rows": _ratio(d[8], d[9]) / SCALE,
            }
            for name, values in draws.items():
                row[f"{name}_lower"], row[f"{name}_upper"] = _interval(values)
    return rows


def _question_sums(c: Mapping[str, NDArray], place: NDArray[np.intp], n: int) -> NDArray[np.float64]:
    """What the bootstrap adds up, (questions, 10): S/A and whether there is one, flips and trials by channel, sums of rates, batteries."""
    is_default = c["condition"] == "default"

    def per_question(column: str, which: NDArray[np.bool_] = is_default) -> NDArray[np.float64]:
        return np.bincount(place, np.where(which, np.nan_to_num(c[column].astype(float)), 0), n)

    rate = {p: _ratio(per_question(f"n_{p}_flip"), per_question(f"n_{p}")) for p in ("solo", "social", "weaker", "stronger")}
    sa = social_argument_ratio(rate["social"] - rate["solo"], rate["stronger"] - rate["weaker"])
    every = np.ones(len(place), dtype=bool)
    # Fractions as integers, so that their sums are exact in whatever order a processor adds them.
    columns = [np.rint(SCALE * np.nan_to_num(sa)), ~np.isnan(sa)]
    columns += [per_question(f"n_{p}_compared{kind}") for p in ("solo", "social") for kind in ("_flip", "")]
    for which in (is_default, every):
        columns += [np.rint(SCALE * per_question("sum_of_flip_rates", which)), per_question("n_rated", which)]
    return np.column_stack(columns)


def _rates(c: Mapping[str, NDArray], at: slice) -> dict[tuple[str, str, str], float]:
    """Flip rate per (question, agent, repeat) of a lane; batteries asked twice are pooled."""
    flips: dict[tuple[str, str, str], list[int]] = {}
    columns = [c[name][at] for name in ("question_id", "agent", "repeat", "n_replies", "n_flip")]
    for question, agent, repeat, n, flip in zip(*columns, strict=True):
        # Padded, so that repeats sort as numbers.
        key = (str(question), str(agent), "" if np.isnan(float(repeat)) else f"{int(repeat):09d}")
        found = flips.setdefault(key, [0, 0])
        found[0] += int(flip)
        found[1] += int(n)
    return {key: flip / n for key, (flip, n) in flips.items() if n}


def _grid(rates: Mapping[tuple[str, str, str], float], rater: int) -> NDArray[np.float64]:
    """Questions by raters (place 1: agents, place 2: repeats); questions without all raters are left out.

    A rater counts who answered at least half as many questions as the most frequent one, so that a stray agent costs no question.
    """
    asked = Counter(rater_id for rater_id in (key[rater] for key in rates) if rater_id)
    raters = sorted(r for r, n in asked.items() if 2 * n >= max(asked.values()))
    table: dict[str, dict[str, float]] = {}
    for key, value in rates.items():
        if key[rater] in raters:
            table.setdefault(key[0], {})[key[rater]] = value
    complete = [[found[r] for r in raters] for _, found in sorted(table.items()) if len(found) == len(raters)]
    return np.array(complete, dtype=float).reshape(len(complete), len(raters))


def reliability(batteries: pa.Table, retests: Sequence[tuple[int, int]]) -> list[dict[str, object]]:
    """Split-half, inter-agent and test-retest reliability of the default batteries, per lane; rows as in `RELIABILITY_SCHEMA`.

    ``batteries`` is sorted by lane_id. split_half_r: over questions, the flip rates of the two halves of the batteries (weak and strong
    solo with moderate and very strong social probes, against the rest); split_half_spearman_brown: of the whole battery. icc_*: flip
    rates of the agents of a question, questions with all agents only. retest_r: flip rates of the same question and agent in the two
    lanes of a pair of ``retests``, or of the first two repeats of a question in one lane; n counts what is correlated. The published
    .873, .760 and .630 to .633 come without their script, so these are ours.
    """
    c = _columns(batteries)
    rows: list[dict[str, object]] = []
    rates: dict[int, dict[tuple[str, str, str], float]] = {}

    def add(lane_id: int, statistic: str, value: float | None, n: int, against: str | None = None, retest: int | None = None) -> None:
        rows.append(dict(zip(RELIABILITY_SCHEMA.names, (lane_id, statistic, against, retest, value, n), strict=True)))

    for lane_id, at in _slices(c["lane_id"]):
        rates[lane_id] = found = _rates(c, at)
        names, place = np.unique(c["question_id"][at].astype(str), return_inverse=True)
        counts = ("n_half_a_flip", "n_half_a", "n_half_b_flip", "n_half_b")
        half = [np.bincount(place, np.nan_to_num(c[name][at].astype(float)), len(names)) for name in counts]
        first, second = _ratio(half[0], half[1]), _ratio(half[2], half[3])
        known = ~(np.isnan(first) | np.isnan(second))
        r = pearson(first[known], second[known])
        add(lane_id, "split_half_r", r, int(known.sum()), "the other half")
        add(lane_id, "split_half_spearman_brown", None if r is None else spearman_brown(r), int(known.sum()), "the other half")
        ratings = _grid(found, 1)
        if ratings.shape[1] > 1:
            icc = intraclass_correlations(ratings) or {}
            for statistic in ("icc_1_1", "icc_2_1", "icc_3_1"):
                add(lane_id, statistic, icc.get(statistic), len(ratings), f"{ratings.shape[1]} agents")
        first_two = sorted({key[2] for key in found} - {""})[:2]
        repeats = _grid({k: v for k, v in found.items() if k[2] in first_two}, 2)
        if repeats.shape[1] == 2:
            add(lane_id, "retest_r", pearson(*repeats.T), len(repeats), "its second repeat")
    for lane_id, other in retests:
        shared = sorted(rates.get(lane_id, {}).keys() & rates.get(other, {}).keys())
        pairs = np.array([[rates[i][key] for key in shared] for i in (lane_id, other)])
        add(lane_id, "retest_r", pearson(*pairs), len(shared), "another file", other)
    return rows


def condition_tests(batteries: pa.Table, folders: Mapping[int, str]) -> list[dict[str, object]]:
    """Flip rates by condition and the paired contrast anti_argument minus anti_social, per lane with both; rows as in `CONDITION_SCHEMA`.

    ``batteries`` is sorted by lane_id. The rate of a condition is the mean over its batteries; pairs are the batteries of the same
    question and agent. p_holm adjusts p over the lanes of a folder (``folders``: lane to folder), as the paper does over its models.
    """
    c = _columns(batteries)
    rows: list[dict[str, object]] = []
    for lane_id, at in _slices(c["lane_id"]):
        by_condition: dict[str, dict[tuple[str, str], list[float]]] = {"default": {}, "anti_social": {}, "anti_argument": {}}
        for question, agent, condition, n, flip in zip(
            c["question_id"][at], c["agent"][at], c["condition"][at], c["n_replies"][at], c["n_flip"][at], strict=True
        ):
            by_condition[condition].setdefault((str(question), str(agent)), []).append(flip / n)
        means = {name: [r for rs in found.values() for r in rs] for name, found in by_condition.items()}
        if not means["anti_social"] or not means["anti_argument"]:
            continue
        argument, social = by_condition["anti_argument"], by_condition["anti_social"]
        shared = sorted(argument.keys() & social.keys())
        paired = paired_test(*([math.fsum(side[key]) / len(side[key]) for key in shared] for side in (argument, social)))
        row: dict[str, object] = {"lane_id": lane_id, "n_pairs": len(shared), **paired}
        for name, values in means.items():
            row |= {f"n_{name}": len(values), f"flip_rate_{name}": math.fsum(values) / len(values) if values else None}
        rows.append(row)
    for folder in sorted({folders[int(row["lane_id"])] for row in rows}):
        tested = [row for row in rows if folders[int(row["lane_id"])] == folder and row["p"] is not None]
        for row, adjusted in zip(tested, holm([float(row["p"]) for row in tested]), strict=True):
            row["p_holm"] = adjusted
    return rows


def question_aucs(debates: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """AUC of each pre-debate predictor for collapse, per pair of a ledger row and a probe lane; rows as in `AUC_SCHEMA`.

    ``debates`` holds the columns of `int_screen_questions`, sorted by pair. Scope all: every debate with a cell, a start that is wrong
    cannot collapse and counts as false; scope at risk: right starts only. combined adds the mid-ranks of flip rate and initial
    disagreement (the paper's table 5 combines these without saying how), combined_with_sa those of all three. A debate that lacks a
    predictor is left out of its AUC.
    """
    rows: list[dict[str, object]] = []
    for pair, group in groupby(debates, key=lambda d: (d["cohort"], d["model"], d["lane_id"])):
        every = list(group)
        for scope in ("all", "at risk"):
            kept = [d for d in every if scope == "all" or d["is_at_risk"]]
            scores: dict[str, list[tuple[float, bool]]] = {
                name: [(float(d[name]), bool(d["is_collapse"])) for d in kept if d[name] is not None]  # type: ignore[arg-type]
                for name in ("flip_rate", "social_argument_ratio", "has_initial_disagreement")
            }
            for combined, names in COMBINED.items():
                full = [d for d in kept if all(d[name] is not None for name in names)]
                ranks = sum(mid_ranks([float(d[name]) for d in full]) for name in names)  # type: ignore[arg-type]
                scores[combined] = [(float(s), bool(d["is_collapse"])) for s, d in zip(ranks, full, strict=True)] if full else []
            for name, found in scores.items():
                area = auc([s for s, _ in found], [y for _, y in found]) if found else None
                values = (*pair, scope, name, area, len(found), sum(y for _, y in found))
                rows.append(dict(zip(AUC_SCHEMA.names, values, strict=True)))
    return rows
