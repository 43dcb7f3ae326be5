"""Replay of policies on saved debates: what freezing a panel at its start would have prevented, and what it would have thrown away.

A gate that fires returns the initial majority, one that does not returns what debate made. So a policy is scored on debates that are
there already, with the denominators of the ledger. Debates come as kinds with counts (`int_replay_kinds`). Source: paper, section 6 and
appendix E; `ledger_formats` 2.19 and 2.20.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from debate_ledger.clusters import cluster_counts, interval, numbered, python_counts
from debate_ledger.localisation import MAX_INDICES, gradient_descent
from debate_ledger.stump import MIN_SOURCES, Bools, Floats, Ints, Stump, learn_stump

DRAWS = 2000
SEED = 20260426
#: Fewer questions than this have no interval, as published.
MIN_QUESTIONS = 10
#: Gates that choose something on other debates.
LEARNED = ("learned_stump", "probe_gated_freeze", "best_threshold_in_hindsight")
#: Thresholds that the probe-gated freeze chooses from.
TAUS = tuple(round(0.05 * i, 2) for i in range(20))


@dataclass
class Kinds:
    """Kinds of debates of one cohort under one rule: columns by name, all of one length."""

    cohort: str
    coding_rule: str
    endpoint: str
    columns: dict[str, NDArray] = field(repr=False)

    def __getitem__(self, name: str) -> NDArray:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["n"])

    @property
    def prevented(self) -> Ints:
        """Debates of each kind that a freeze would save: they start right and do not end right."""
        return np.where((self["initial_state"] == "right") & (self["final_state"] != "right"), self["n"], 0)

    @property
    def lost(self) -> Ints:
        """Debates of each kind whose right end a freeze would throw away."""
        return np.where((self["initial_state"] != "right") & (self["final_state"] == "right"), self["n"], 0)

    def features(self) -> tuple[tuple[str, ...], Floats]:
        """Features of the stump, in their order: agreement of parsed answers, changes of round 1, and three products."""
        start, r1 = self["initial_agreement_of_parsed"], self["r1_agreement_of_parsed"]
        changed, unanimous = self["r1_majority_changed"], self["r1_one_answer"]
        named = {
            "initial_agreement": start,
            "initial_one_answer": self["initial_one_answer"],
            "r1_agreement": r1,
            "r1_one_answer": unanimous,
            "r1_majority_changed": changed,
            "r1_n_flipped": self["r1_n_flipped"],
            "r1_flip_share": self["r1_n_flipped"] / np.where(self["n_agents"] > 0, self["n_agents"], np.nan),
            "r1_consensus_gain": r1 - start,
            "r1_changed_times_agreement": changed * r1,
            "r1_changed_times_initial_disagreement": changed * (1 - start),
            "r1_changed_times_several_answers": changed * (1 - unanimous),
        }
        return tuple(named), np.column_stack(list(named.values()))


NUMBERS = (
    "n_agents initial_one_answer initial_agreement_of_parsed r1_majority_changed r1_one_answer r1_n_flipped r1_agreement "
    "r1_agreement_of_parsed question_flip_rate"
).split()


def read_kinds(table: pa.Table) -> Iterator[Kinds]:
    """Kinds of each (cohort, coding rule), in alphabetical order, from `int_replay_kinds`; missing numbers become NaN."""
    keys = [tuple(k) for k in zip(*(table[c].to_pylist() for c in ("cohort", "coding_rule", "endpoint")), strict=True)]
    for key in sorted(set(keys)):
        own = table.filter(pa.array([k == key for k in keys]))
        columns = {c: own[c].to_numpy(zero_copy_only=False) for c in ("model", "lane", "initial_state", "final_state", "cell")}
        columns |= {c: own[c].cast(pa.float64()).to_numpy(zero_copy_only=False) for c in NUMBERS}
        columns |= {c: own[c].to_numpy(zero_copy_only=False) for c in ("kind_id", "n", "has_answers", "is_ended_at_start")}
        yield Kinds(*key, columns)


@dataclass(frozen=True)
class Decision:
    """Where a policy fires, and which kinds it cannot decide; ``learned`` are rows of `LEARNED_SCHEMA`."""

    fires: Bools
    decides: Bools
    learned: tuple[dict[str, object], ...] = ()
    reason: str | None = None


LEARNED_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort coding_rule endpoint policy held_out feature mode direction".split()],
        *[(c, pa.float64()) for c in "threshold fill objective".split()],
        ("n_train", pa.int64()),
        ("is_exploratory", pa.bool_()),
    ]
)


def decide(kinds: Kinds, gate: Mapping[str, object]) -> Decision:
    """Where a gate of `seeds/gates.csv` fires. Raises ValueError for a gate that does not exist."""
    n = len(kinds)
    everywhere = np.ones(n, dtype=bool)
    name, threshold = str(gate["gate"]), gate["threshold"]
    if name == "always":
        return Decision(everywhere, everywhere)
    if name == "perfect_gate":
        return Decision(kinds.prevented > 0, everywhere)
    if name == "learned_stump":
        return _learned_stump(kinds)
    if name in ("probe_gated_freeze", "best_threshold_in_hindsight"):
        return _probe_gated(kinds, in_hindsight=name == "best_threshold_in_hindsight")
    flips, above = kinds["question_flip_rate"], np.nan if threshold is None else float(threshold)  # type: ignore[arg-type]
    # Which column must be known, and where the gate fires.
    rules: dict[str, tuple[Sequence[NDArray], Bools]] = {
        "r1_majority_changed": ([kinds["r1_majority_changed"]], kinds["r1_majority_changed"] == 1),
        "any_r1_flip": ([kinds["r1_n_flipped"]], kinds["r1_n_flipped"] > 0),
        "initial_disagreement": ([kinds["initial_one_answer"]], kinds["initial_one_answer"] == 0),
        "r1_aware": (
            [kinds["r1_majority_changed"], kinds["r1_agreement"]],
            (kinds["r1_majority_changed"] == 1) & (kinds["r1_agreement"] < 1),
        ),
        # A panel that nobody was parsed in is not unanimous.
        "unanimous_and_flips": (
            [flips, kinds["initial_one_answer"]],
            (kinds["initial_one_answer"] == 1) & (kinds["initial_agreement_of_parsed"] > 0) & (flips > above),
        ),
        "question_flips": ([flips], flips > above),
    }
    if name not in rules:
        raise ValueError(f"seeds/gates.csv: there is no gate {name}; there are {', '.join(sorted(rules))}, always, learned_stump, …")
    needed, fires = rules[name]
    if name in ("unanimous_and_flips", "question_flips") and np.isnan(above):
        raise ValueError(f"seeds/gates.csv: the gate {name} needs a threshold")
    # A debate that ended at its start has no round 1 to look at, and nothing that a freeze could change.
    ended = kinds["is_ended_at_start"].astype(bool) if name in ("r1_majority_changed", "any_r1_flip", "r1_aware") else False
    decides = ~np.any([np.isnan(v) for v in needed], axis=0) | ended
    if bool(gate["needs_answers"]):
        decides = decides & kinds["has_answers"].astype(bool)
    if decides.any():
        return Decision(fires & decides, decides)
    return Decision(fires & decides, decides, reason=_nothing(gate))


def _nothing(gate: Mapping[str, object]) -> str:
    wanted = [
        w
        for w, needs in (("answers (a feature matrix has none)", "needs_answers"), ("probes of the same questions", "needs_probes"))
        if gate[needs]
    ]
    return f"no debate has {' and '.join(wanted) or 'what the gate looks at'}"


def _learned_stump(kinds: Kinds) -> Decision:
    """Leave one lane out, from four lanes on; else in-sample, which is exploratory (2.20, whose source files hold a lane each)."""
    decides = kinds["has_answers"].astype(bool)
    if not decides.any():
        return Decision(decides, decides, reason="no debate has answers (a feature matrix has none)")
    names, features = kinds.features()
    sources = sorted(set(kinds["lane"][decides]))
    held_out: list[str | None] = [*sources] if len(sources) >= MIN_SOURCES else [None]
    fires = np.zeros(len(kinds), dtype=bool)
    learned = []
    for source in held_out:
        test = decides & ((kinds["lane"] == source) if source is not None else True)
        train = decides & (~test if source is not None else test)
        stump = learn_stump(names, features[train], kinds["n"][train], kinds.prevented[train], kinds.lost[train])
        row: dict[str, object] = {"held_out": source, "n_train": int(kinds["n"][train].sum()), "is_exploratory": source is None}
        if stump:
            fires |= test & _fires(stump, names, features)
            row |= {"feature": stump.feature, "mode": "freeze", "direction": stump.direction, "threshold": stump.threshold}
            row |= {"fill": stump.fill, "objective": stump.objective}
        learned.append(row | ({} if stump else {"feature": "no gate", "objective": 0.0}))
    return Decision(fires, decides, tuple(learned))


def _fires(stump: Stump, names: Sequence[str], features: Floats) -> Bools:
    return stump.fires(features[:, names.index(stump.feature)])


def _probe_gated(kinds: Kinds, in_hindsight: bool) -> Decision:
    """Leave one model out: score, threshold and mode of the largest net on the other models.

    Scores are the flip rate of the question's probes, and a logistic model of collapse by it, initial disagreement and their product. A
    mode freezes wherever the score is above the threshold, or only where the majority changed in round 1 too. Ties: fewer fired, then what
    comes first.
    """
    decides = kinds["has_answers"].astype(bool) & ~np.isnan(kinds["question_flip_rate"]) & ~np.isnan(kinds["initial_one_answer"])
    models = sorted(set(kinds["model"][decides]))
    if len(models) < 2:
        return Decision(
            np.zeros(len(kinds), dtype=bool), np.zeros(len(kinds), dtype=bool), reason="fewer than two models have answers and probes"
        )
    flips, disagreement = np.nan_to_num(kinds["question_flip_rate"]), np.nan_to_num(kinds["initial_one_answer"]) == 0
    x = np.column_stack([flips, disagreement, flips * disagreement])
    net, changed = kinds.prevented - kinds.lost, kinds["r1_majority_changed"] == 1
    fires = np.zeros(len(kinds), dtype=bool)
    learned = []
    for model in models:
        test = decides & (kinds["model"] == model)
        train = decides & ~test
        weights = gradient_descent(x[train], kinds.prevented[train], kinds["n"][train] - kinds.prevented[train])
        scores = {"question_flip_rate": flips, "logistic": 1 / (1 + np.exp(-(x @ weights[:-1] + weights[-1])))}
        modes = {"freeze": np.ones(len(kinds), dtype=bool), "freeze where round 1 changes the majority": changed}

        def best(where: Bools, choices: Iterable[tuple[str, str, float]]) -> tuple[str, str, float]:
            ranked = []
            for i, (score, mode, tau) in enumerate(choices):
                fired = where & (scores[score] > tau) & modes[mode]  # noqa: B023
                ranked.append((int(net[fired].sum()), -int(kinds["n"][fired].sum()), -i, (score, mode, tau)))
            return max(ranked)[-1]

        chosen = best(train, [(s, m, t) for s in scores for m in modes for t in TAUS])
        if in_hindsight:
            chosen = best(test, [(chosen[0], chosen[1], t) for t in TAUS])
        score, mode, tau = chosen
        fired = test & (scores[score] > tau) & modes[mode]
        fires |= fired
        where = test if in_hindsight else train
        gain = int(net[where & (scores[score] > tau) & modes[mode]].sum()) / int(kinds["n"][where].sum())
        learned.append(
            {"held_out": model, "feature": score, "mode": mode, "direction": "high", "threshold": tau, "objective": gain}
            | {"n_train": int(kinds["n"][where].sum()), "is_exploratory": in_hindsight}
        )
    return Decision(fires, decides, tuple(learned))


def _kinds_of_pairs(first: Floats, second: Floats) -> tuple[Floats, Ints]:
    """(distinct pairs of whole numbers, shape (kinds, 2); how often each occurs), by one number per pair, since rows sort slowly."""
    span = 2 * int(np.abs(first).max()) + 1
    code, times = np.unique(second * span + first + span // 2, return_counts=True)
    return np.column_stack([code % span - span // 2, code // span]), times


def intervals(net: Floats, size: Floats, draws: int = DRAWS, seed: int = SEED) -> list[dict[str, float]]:
    """95 % intervals of summed net ÷ summed size of each policy when questions are drawn with replacement.

    ``net`` and ``size`` have shape (questions, policies), questions in sorted order; those that a policy decides are drawn.
    ``accuracy_change_ci_…``: multinomial draws over kinds of questions; ``published_ci_…``: the published draws, Python's
    `choice` over sorted ids, up to 10,000 questions. Fewer than 10 questions have no interval.
    """
    found: list[dict[str, float]] = [{} for _ in net.T]
    if draws == 0:
        return found
    asked = size > 0
    for mask in {m.tobytes(): m for m in asked.T}.values():
        n_questions = int(mask.sum())
        # Policies that decide the same questions share the draws.
        policies = [p for p in range(net.shape[1]) if (asked[:, p] == mask).all()]
        if n_questions < MIN_QUESTIONS:
            continue
        drawn: dict[str, list[Floats]] = {"accuracy_change_ci": []}
        for p in policies:
            # Kinds of questions by policy, so that no other policy moves its interval.
            kinds, times = _kinds_of_pairs(net[mask, p], size[mask, p])
            sums = cluster_counts(seed, times, draws) @ kinds
            drawn["accuracy_change_ci"].append(sums[:, 0] / sums[:, 1])
        if n_questions * draws <= MAX_INDICES:
            # As doubles, in which these counts are exact and products are fast.
            counts = python_counts(seed, n_questions, draws).astype(float)
            drawn["published_ci"] = list((counts @ net[mask][:, policies] / (counts @ size[mask][:, policies])).T)
        for name, every in drawn.items():
            for p, values in zip(policies, every, strict=True):
                bounds = interval(values)
                if bounds:
                    found[p] |= {f"{name}_lower": bounds[0], f"{name}_upper": bounds[1]}
    return found


DECISIONS_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort coding_rule endpoint policy".split()],
        ("kind_id", pa.uint64()),
        ("fires", pa.bool_()),
        ("reason", pa.string()),
    ]
)


def _key(kinds: Kinds) -> dict[str, object]:
    return {"cohort": kinds.cohort, "coding_rule": kinds.coding_rule, "endpoint": kinds.endpoint}


def gate_decisions(every: Iterable[Kinds], gates: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Rows of `DECISIONS_SCHEMA`: whether a gate fires on a kind of debate that it can decide; without any, one row with the reason."""
    found: list[dict[str, object]] = []
    for kinds in every:
        for gate in gates:
            decision = decide(kinds, gate)
            key = _key(kinds) | {"policy": gate["policy"]}
            if decision.reason:
                found.append(key | {"reason": decision.reason})
            for i in np.flatnonzero(decision.decides):
                found.append(key | {"kind_id": int(kinds["kind_id"][i]), "fires": bool(decision.fires[i])})
    return found


def learned_gates(every: Iterable[Kinds], gates: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Rows of `LEARNED_SCHEMA`: what the learned gates chose for each source or model that was left out."""
    return [
        _key(kinds) | {"policy": gate["policy"]} | row
        for kinds in every
        for gate in gates
        if gate["gate"] in LEARNED
        for row in decide(kinds, gate).learned
    ]


INTERVALS_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort policy".split()],
        ("n_questions", pa.int64()),
        *[(c, pa.float64()) for c in "accuracy_change_ci_lower accuracy_change_ci_upper published_ci_lower published_ci_upper".split()],
    ]
)


def replay_intervals(
    debates: pa.Table, decisions: pa.Table, landed: pa.Table, draws: int = DRAWS, seed: int = SEED
) -> list[dict[str, object]]:
    """Rows of `INTERVALS_SCHEMA`, one per cohort and policy, under the rule that speaks for the cohort.

    ``debates`` has cohort, question_id, kind_id, n and sign (what a freeze does to the accuracy: 1, 0, -1); ``decisions`` cohort, policy,
    kind_id and fires under the same rule; ``landed`` cohort, policy, question_id, n and net of the policies that landed.
    """
    found: list[dict[str, object]] = []
    for cohort in sorted(set(debates["cohort"].to_pylist())):
        own, made, given = (t.filter(pc.equal(t["cohort"], cohort)) for t in (debates, decisions, landed))
        ids, question = numbered(own["question_id"], MAX_INDICES // max(draws, 1))
        kind_ids, kind = np.unique(own["kind_id"].to_numpy(), return_inverse=True)
        policies = sorted({*made["policy"].to_pylist(), *given["policy"].to_pylist()})
        decides, fires = np.zeros((2, len(kind_ids), len(policies)))
        place, column = {int(k): i for i, k in enumerate(kind_ids)}, {p: i for i, p in enumerate(policies)}
        for policy, kind_id, fired in zip(made["policy"].to_pylist(), made["kind_id"].to_pylist(), made["fires"].to_pylist(), strict=True):
            if kind_id in place:
                decides[place[kind_id], column[policy]] = 1
                fires[place[kind_id], column[policy]] = fired
        n, sign = own["n"].to_numpy(), own["sign"].to_numpy()
        shape = (len(ids), len(kind_ids))
        size = sparse.coo_array((n, (question, kind)), shape=shape).tocsr() @ decides
        net = sparse.coo_array((n * sign, (question, kind)), shape=shape).tocsr() @ fires
        row = {q: i for i, q in enumerate(ids)} if len(given) else {}
        for policy, q, k, gained in zip(*(given[c].to_pylist() for c in ("policy", "question_id", "n", "net")), strict=True):
            size[row[q], column[policy]] += k
            net[row[q], column[policy]] += gained
        for policy, bounds, p in zip(policies, intervals(net, size, draws, seed), range(len(policies)), strict=True):
            found.append({"cohort": cohort, "policy": policy, "n_questions": int((size[:, p] > 0).sum())} | bounds)
    return found


RANKING_SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "cohort coding_rule endpoint".split()],
        *[(c, pa.float64()) for c in "from_ratio to_ratio".split()],
        ("policy", pa.string()),
    ]
)


def ranking(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Which policy wins at which weight ratio: rows of `RANKING_SCHEMA`, from ratio 0 up, each policy from where it begins to win.

    ``rows`` has cohort, coding_rule, endpoint, policy, collapse_gain and correction_cost of policies over the same debates: the utility at
    ratio r is r * collapse_gain - correction_cost, and 0 for standard debate. Ties go to standard debate, then to the name. The last
    to_ratio is None: for ever.
    """
    groups: dict[tuple[str, str, str], dict[str, tuple[int, int]]] = {}
    for r in rows:
        key = (str(r["cohort"]), str(r["coding_rule"]), str(r["endpoint"]))
        groups.setdefault(key, {"standard": (0, 0)})[str(r["policy"])] = (int(r["collapse_gain"]), int(r["correction_cost"]))  # type: ignore[call-overload]
    found: list[dict[str, object]] = []
    for key, lines in sorted(groups.items()):
        names = sorted(lines, key=lambda p: (p != "standard", p))
        # At ratio 0 the cheapest wins; among equals the one that rises fastest, since it wins right after.
        now = min(names, key=lambda p: (lines[p][1], -lines[p][0], names.index(p)))
        ratio = Fraction(0)
        while True:
            crossings = [
                (Fraction(lines[p][1] - lines[now][1], lines[p][0] - lines[now][0]), -lines[p][0], names.index(p), p)
                for p in names
                if lines[p][0] > lines[now][0]
            ]
            following = min(crossings) if crossings else None
            row = dict(zip(("cohort", "coding_rule", "endpoint"), key, strict=True))
            found.append(row | {"from_ratio": float(ratio), "to_ratio": float(following[0]) if following else None, "policy": now})
            if following is None:
                break
            ratio, now = following[0], following[-1]
    return found
