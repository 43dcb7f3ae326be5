"""Learned gates and intervals against slow versions of the same rules, debate by debate, written from `ledger_formats` 2.17, 2.19, 2.20."""

import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from debate_ledger.localisation import FULL, STEPS, localisation, out_of_fold
from debate_ledger.replay import Kinds, decide, intervals
from debate_ledger.stump import Stump, learn_stump

Debate = dict


def answers(rng: random.Random, n: int = 3) -> list[str | None]:
    return [rng.choice(["A", "A", "B", "C", None]) for _ in range(n)]


def leading(panel: list[str | None]) -> str | None:
    votes = Counter(a for a in panel if a)
    return min((a for a, n in votes.items() if n == max(votes.values())), default=None)


def simulated(seed: int, n: int = 240) -> list[Debate]:
    """Debates of five lanes and three models; what a change of majority means differs by lane, so a leak of the held-out lane shows."""
    rng = random.Random(seed)
    found = []
    for i in range(n):
        lane = i % 5
        start, r1 = answers(rng), answers(rng) if rng.random() < 0.95 else None
        changed = r1 is not None and leading(r1) is not None and leading(start) is not None and leading(r1) != leading(start)
        flips = rng.choice([0.0, 0.125, 0.25, 0.5, 0.75, 1.0])
        bad = rng.random() < (0.75 if changed == (lane < 3) else 0.15) * (0.4 + flips)
        first = rng.random() < 0.6
        found.append(
            {"lane": f"l{lane}", "model": f"m{i % 3}", "start": start, "r1": r1, "changed": float(changed) if r1 is not None else math.nan}
            | {"flip": flips, "right": (first, not bad if first else rng.random() < (0.5 if changed else 0.1))}
        )
    return found


def features(d: Debate) -> dict[str, float]:
    """The eleven of 2.20, from the answers: shares divide by the length of the list, NaN where there is no round 1."""

    def share(panel: list[str | None] | None) -> float:
        return math.nan if panel is None else max(Counter(a for a in panel if a).values(), default=0) / len(panel)

    def unanimous(panel: list[str | None] | None) -> float:
        return math.nan if panel is None else float(len({a for a in panel if a}) <= 1)

    start, r1, changed = share(d["start"]), share(d["r1"]), d["changed"]
    flipped = math.nan if d["r1"] is None else float(sum(bool(a and b and a != b) for a, b in zip(d["start"], d["r1"], strict=True)))
    return {
        "initial_agreement": start, "initial_one_answer": unanimous(d["start"]), "r1_agreement": r1, "r1_one_answer": unanimous(d["r1"]),
        "r1_majority_changed": changed, "r1_n_flipped": flipped, "r1_flip_share": flipped / len(d["start"]),
        "r1_consensus_gain": r1 - start,
        "r1_changed_times_agreement": changed * r1, "r1_changed_times_initial_disagreement": changed * (1 - start),
        "r1_changed_times_several_answers": changed * (1 - unanimous(d["r1"])),
    }  # fmt: skip


def as_kinds(debates: list[Debate]) -> Kinds:
    """A kind per debate."""
    f = [features(d) for d in debates]
    state = {True: "right", False: "wrong"}
    columns = {
        "lane": [d["lane"] for d in debates], "model": [d["model"] for d in debates],
        "initial_state": [state[d["right"][0]] for d in debates], "final_state": [state[d["right"][1]] for d in debates],
        "n": [1] * len(debates), "n_agents": [3.0] * len(debates), "has_answers": [True] * len(debates),
        "kind_id": list(range(len(debates))),
        "is_ended_at_start": [False] * len(debates), "question_flip_rate": [d["flip"] for d in debates],
        "initial_one_answer": [x["initial_one_answer"] for x in f], "initial_agreement_of_parsed": [x["initial_agreement"] for x in f],
        "r1_majority_changed": [x["r1_majority_changed"] for x in f], "r1_one_answer": [x["r1_one_answer"] for x in f],
        "r1_n_flipped": [x["r1_n_flipped"] for x in f], "r1_agreement": [x["r1_agreement"] for x in f],
        "r1_agreement_of_parsed": [x["r1_agreement"] for x in f],
    }  # fmt: skip
    return Kinds("c", "r", "last", {c: np.array(v) for c, v in columns.items()})


def flows(d: Debate) -> tuple[int, int]:
    """(prevented, lost) of a freeze."""
    first, last = d["right"]
    return int(first and not last), int(last and not first)


def slow_stump(train: list[Debate]) -> tuple[str, str, float, float] | None:
    """(feature, direction, threshold, fill) by 2.20; None is no gate."""
    rows = [features(d) for d in train]
    best, incumbent = None, (0.0, 0.0, 0.0, 0.0)
    for name in rows[0]:
        known = [r[name] for r in rows if not math.isnan(r[name])]
        fill = math.fsum(known) / len(known)
        values = [fill if math.isnan(r[name]) else r[name] for r in rows]
        candidates = [float(v) for v in np.percentile(values, range(0, 101, 5))]
        candidates += sorted(set(values)) if len(set(values)) <= 25 else []
        for threshold in sorted({round(c, 12) for c in candidates}):
            for direction in ("high", "low"):
                fired = [d for d, v in zip(train, values, strict=True) if (v >= threshold if direction == "high" else v <= threshold)]
                prevented, lost = (sum(flows(d)[i] for d in fired) for i in (0, 1))
                net = (prevented - lost) / len(train)
                key = (net - 0.02 * (len(fired) / len(train)), net, -lost, -len(fired) / len(train))
                if key > incumbent:
                    best, incumbent = (name, direction, threshold, fill), key
    return best


@pytest.mark.parametrize("seed", range(6))
def test_the_learned_stump_is_the_slow_one_learned_on_the_other_lanes(seed: int) -> None:
    debates = simulated(seed)
    found = decide(
        as_kinds(debates), {"policy": "s", "gate": "learned_stump", "threshold": None, "needs_answers": True, "needs_probes": False}
    )
    for row in found.learned:
        gate = slow_stump([d for d in debates if d["lane"] != row["held_out"]])
        if gate is None:
            assert row["feature"] == "no gate"
            continue
        assert (row["feature"], row["direction"], row["threshold"]) == gate[:3] and row["fill"] == pytest.approx(gate[3], abs=1e-12)
        for i, d in enumerate(debates):
            if d["lane"] == row["held_out"]:
                value = features(d)[gate[0]]
                value = gate[3] if math.isnan(value) else value
                assert found.fires[i] == (value >= gate[2] if gate[1] == "high" else value <= gate[2])
    assert len(found.learned) == 5


def test_lanes_learn_different_gates() -> None:
    """Else the test above would not see a held-out lane among those that its gate is learned on."""
    debates = simulated(0)
    learned = {slow_stump([d for d in debates if d["lane"] != f"l{i}"]) for i in range(5)}
    assert len({g and g[:3] for g in learned} | {(slow_stump(debates) or (None,))[:3]}) > 2


def test_the_rounding_trap() -> None:
    """A feature of thirds that separates what a freeze saves from what it loses: rounded thresholds leave both out (2.20)."""
    saved = {"start": ["A", "A", "B"], "r1": ["B", "B", "A"], "changed": 1.0, "right": (True, False)}
    lost = {"start": ["A", "B", "C"], "r1": ["A", "B", "C"], "changed": 0.0, "right": (False, True)}
    debates = [saved] * 40 + [lost] * 42
    counts = np.ones(len(debates), dtype=int)
    prevented, thrown = (np.array([flows(d)[i] for d in debates]) for i in (0, 1))

    def learned(saving: float, losing: float) -> Stump | None:
        values = np.array([[saving if d is saved else losing] for d in debates])
        return learn_stump(["r1_agreement"], values, counts, prevented, thrown)

    assert {features(d)["r1_agreement"] for d in debates} == {1 / 3, 2 / 3}
    # At least .666666666667 is more than two thirds, at most .333333333333 less than one: no gate fires on either side.
    assert learned(2 / 3, 1 / 3) is None and learned(1 / 3, 2 / 3) is None
    # Where the shares are exact, the same split is found.
    gates = [learned(0.75, 0.25), learned(0.25, 0.75)]
    assert [(g.direction, g.threshold) for g in gates if g] == [("high", 0.75), ("low", 0.25)]
    # Among all features it takes the one without thirds.
    assert (slow_stump(debates) or ())[:3] == ("r1_majority_changed", "high", 1.0)


def slow_logistic(rows: list[list[float]], y: list[bool]) -> list[float]:
    """Weights and intercept after 300 steps of .1 from zero, penalty .001 on the weights (2.17)."""
    w, b = [0.0] * len(rows[0]), 0.0
    for _ in range(300):
        errors = [1 / (1 + math.exp(-(sum(a * v for a, v in zip(w, r, strict=True)) + b))) - t for r, t in zip(rows, y, strict=True)]
        slope = [sum(e * r[j] for e, r in zip(errors, rows, strict=True)) / len(rows) + 1e-3 * w[j] for j in range(len(w))]
        w, b = [a - 0.1 * s for a, s in zip(w, slope, strict=True)], b - 0.1 * sum(errors) / len(rows)
    return [*w, b]


@pytest.mark.parametrize("in_hindsight", [False, True])
def test_the_probe_gate_is_the_slow_one_chosen_on_the_other_models(in_hindsight: bool) -> None:
    debates = simulated(11, 150)
    name = "best_threshold_in_hindsight" if in_hindsight else "probe_gated_freeze"
    found = decide(as_kinds(debates), {"policy": name, "gate": name, "threshold": None, "needs_answers": True, "needs_probes": True})
    taus = [i / 20 for i in range(20)]

    def x(d: Debate) -> list[float]:
        several = float(features(d)["initial_one_answer"] == 0)
        return [d["flip"], several, d["flip"] * several]

    for row in found.learned:
        train = [d for d in debates if d["model"] != row["held_out"]]
        test = [d for d in debates if d["model"] == row["held_out"]]
        w = slow_logistic([x(d) for d in train], [flows(d)[0] == 1 for d in train])
        scores = {
            "question_flip_rate": lambda d: d["flip"],
            "logistic": lambda d, w=w: 1 / (1 + math.exp(-(sum(a * v for a, v in zip(w, x(d), strict=False)) + w[3]))),
        }
        modes = {"freeze": lambda d: True, "freeze where round 1 changes the majority": lambda d: d["changed"] == 1}

        def worth(on: list[Debate], s: str, m: str, t: float) -> tuple[int, int]:
            fired = [d for d in on if scores[s](d) > t and modes[m](d)]  # noqa: B023
            return sum(flows(d)[0] - flows(d)[1] for d in fired), -len(fired)

        choices = [(s, m, t) for s in scores for m in modes for t in taus]
        best = max(choices, key=lambda c: (worth(train, *c), -choices.index(c)))
        if in_hindsight:
            choices = [(*best[:2], t) for t in taus]
            best = max(choices, key=lambda c: (worth(test, *c), -choices.index(c)))
        assert (row["feature"], row["mode"], row["threshold"]) == (best[0], best[1], pytest.approx(best[2]))
        for i, d in enumerate(debates):
            if d["model"] == row["held_out"]:
                assert found.fires[i] == (scores[best[0]](d) > best[2] and modes[best[1]](d))
    assert {r["held_out"] for r in found.learned} == {"m0", "m1", "m2"}


def test_intervals_are_the_naive_ones() -> None:
    rng = np.random.default_rng(5)
    size = rng.integers(1, 5, (60, 1)).astype(float)
    net = np.clip(rng.integers(-2, 2, (60, 1)), -size, size).astype(float)
    (found,) = intervals(net, size)
    draw = random.Random(20260426)
    ids = range(60)
    naive = []
    for _ in range(2000):
        picked = [draw.choice(ids) for _ in ids]
        naive.append(net[picked, 0].sum() / size[picked, 0].sum())
    lower, upper = np.percentile(naive, [2.5, 97.5])
    assert (found["published_ci_lower"], found["published_ci_upper"]) == pytest.approx((lower, upper), abs=1e-12)
    # Other draws of the same law.
    slack = 0.1 * (upper - lower)
    assert (found["accuracy_change_ci_lower"], found["accuracy_change_ci_upper"]) == pytest.approx((lower, upper), abs=slack)


def test_clustered_intervals_of_the_steps_are_the_naive_ones() -> None:
    """Each scheme against resampled rows: the scores stay, what is drawn is debates, questions, models, or both."""
    rng = np.random.default_rng(8)
    n, n_questions, n_models = 600, 60, 6
    question, model = rng.integers(0, n_questions, n), rng.integers(0, n_models, n)
    hard = rng.normal(size=n_questions)[question] + 0.7 * rng.normal(size=n_models)[model]
    x = {c: np.round(rng.random(n) + (0.5 if c.startswith("r1") else 0.1) * hard, 1) for c in FULL}
    y = rng.random(n) < 1 / (1 + np.exp(2 - 2 * hard))
    table = pa.table(
        {"cohort": ["c"] * n, "coding_rule": ["r"] * n, "endpoint": ["last"] * n, "model": [f"m{m}" for m in model]}
        | {"question_id": [f"q{q:02}" for q in question], "is_collapse": y} | x
    )  # fmt: skip
    _, steps = localisation(table, [{"cohort": "c", "coding_rule": "r", "endpoint": "last"}], draws=1000)
    found = {s["step"]: s for s in steps if s["recipe"] == "gradient descent"}

    order = list(range(n))
    random.Random(42).shuffle(order)
    fold = np.empty(n, dtype=np.int64)
    for f in range(5):
        fold[order[f::5]] = f
    matrix = np.column_stack([x[c] for c in FULL])
    scores = {name: out_of_fold(matrix[:, :k], y, fold, "gradient descent") for name, k in (("before debate", 3), ("and round 1", 6))}
    scores["and rounds 2 and 3"] = out_of_fold(matrix, y, fold, "gradient descent")

    def area(score: np.ndarray, label: np.ndarray) -> float:
        up, down = score[label], np.sort(score[~label])
        wins = np.searchsorted(down, up, side="left") + np.searchsorted(down, up, side="right")
        return wins.sum() / (2 * len(up) * len(down))

    of_question = [np.flatnonzero(question == q) for q in range(n_questions)]
    of_model = [np.flatnonzero(model == m) for m in range(n_models)]
    of_both = [[np.flatnonzero((question == q) & (model == m)) for q in range(n_questions)] for m in range(n_models)]

    def drawn(scheme: str) -> np.ndarray:
        if scheme == "index":
            return rng.integers(0, n, n)
        if scheme == "question":
            return np.concatenate([of_question[q] for q in rng.integers(0, n_questions, n_questions)])
        if scheme == "model":
            return np.concatenate([of_model[m] for m in rng.integers(0, n_models, n_models)])
        questions = rng.integers(0, n_questions, n_questions)
        return np.concatenate([of_both[m][q] for m in rng.integers(0, n_models, n_models) for q in questions])

    for after, before in STEPS[:1]:
        for scheme in ("index", "question", "model", "question_and_model"):
            rows = [drawn(scheme) for _ in range(1000)]
            naive = np.percentile([area(scores[after][r], y[r]) - area(scores[before][r], y[r]) for r in rows], [2.5, 97.5])
            bounds = (found[after][f"{scheme}_lower"], found[after][f"{scheme}_upper"])
            assert bounds == pytest.approx(tuple(naive), abs=0.12 * (naive[1] - naive[0])), scheme
