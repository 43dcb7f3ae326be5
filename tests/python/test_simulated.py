"""Simulated debates return their planted counts, and random ones the cells of a plain recount."""

import itertools
import random
from collections import Counter
from pathlib import Path

import pytest
from conftest import Build, Ledger
from hypothesis import given
from hypothesis import strategies as st
from lines import line, per_agent
from test_unread import alphabetical, could_change

from debate_ledger import simulate

#: (dialect, agents, rounds, debates, seed); a mix without ties where the panel is too small for one.
RUNS = [
    ("A", 3, 3, 400, 1),
    ("B", 3, 4, 400, 2),
    ("B", 2, 1, 200, 3),
    ("A", 4, 2, 200, 4),
    ("B", 5, 6, 200, 5),
    ("A", 7, 1, 200, 6),
    ("B", 12, 3, 100, 7),
    ("B", 1, 2, 100, 8),
]
CELLS = ("preserved", "collapse", "correction", "unrepaired", "undecided_correct", "undefined")


def name(run: tuple) -> str:
    dialect, agents, rounds, _, _ = run
    return f"simulated_{dialect.lower()}_{agents}_agents_{rounds}_rounds"


def mix(agents: int) -> dict[str, float]:
    return {s: w for s, w in simulate.DEFAULT_MIX.items() if agents > 1 or "tied" not in s}


@pytest.fixture(scope="module")
def random_debates() -> list[tuple[str, str | None, list[list[str | None]], int | None]]:
    """(question, gold, panels with '' for unparsed and None for absent, index of the stored final majority's agent)."""
    rng = random.Random(20261129)
    debates = []
    for i in range(600):
        agents, rounds = rng.randint(1, 5), rng.randint(0, 4)
        answers = ["A", "B", "C", "", *([None] if i % 2 else [])]
        panels = [[rng.choice(answers) for _ in range(agents)] for _ in range(rounds + 1)]
        panels[0] = [a or "" for a in panels[0]]
        debates.append((f"random_{i}", rng.choice(["A", "B", "C", None]), panels))
    return debates


@pytest.fixture(scope="module")
def simulated(build: Build, tmp_path_factory: pytest.TempPathFactory, random_debates: list) -> Ledger:
    folder = tmp_path_factory.mktemp("simulated")
    for run in RUNS:
        dialect, agents, rounds, n, seed = run
        simulate.simulate_file(
            folder / f"{name(run)}.jsonl", n, mix=mix(agents), dialect=dialect, model=name(run), agents=agents, rounds=rounds, seed=seed
        )
    with (folder / "random.jsonl").open("wb") as out:
        for question, gold, panels in random_debates:
            named = [{str(i + 1): a or None for i, a in enumerate(p) if a is not None} for p in panels]
            out.write(line(per_agent(question, gold, named, model_name="random")))
    return build(folder, topics="")


@pytest.mark.parametrize("run", RUNS, ids=name)
def test_the_ledger_returns_the_planted_cells(simulated: Ledger, run: tuple) -> None:
    dialect, agents, _, n, _ = run
    planted = simulate.planted_cells(simulate.allot(n, mix(agents)), dialect, agents=agents)
    found: dict[str, Counter[str]] = {}
    for rule, cell, count in simulated.query(
        "select coding_rule, cell, count(*) from debates where model = ? and endpoint = 'last' group by all", name(run)
    ):
        found.setdefault(rule, Counter())[cell] = count
    assert found == planted


@pytest.mark.parametrize("run", RUNS, ids=name)
def test_the_ledger_returns_the_planted_onsets(simulated: Ledger, run: tuple) -> None:
    """Early collapses break in round 1, late, tied and empty ends in the last round; recoveries in between change nothing."""
    _, agents, rounds, n, _ = run
    counts = simulate.allot(n, mix(agents))
    expected = Counter({1: counts["early_collapse"]})
    expected[rounds] += counts["late_collapse"] + counts["empty_end"] + counts.get("tied_end_gold_first", 0)
    found = dict(
        simulated.query(
            "select onset_round, n_onset from onsets where model = ? and endpoint = 'last' and coding_rule = 'undecided_is_wrong'",
            name(run),
        )
    )
    assert found == {r: c for r, c in expected.items() if c}


def decided(panel: list[str | None], rule: str) -> str | None:
    """Answer of one panel: None where it has none under the rule."""
    votes = Counter(a for a in panel if a)
    if not votes:
        return None
    top = max(votes.values())
    leaders = sorted(label for label, n in votes.items() if n == top)
    return None if rule in ("strict_plurality", "undecided_is_wrong") and len(leaders) > 1 else leaders[0]


def is_unread(panel: list[str | None], gold: str) -> bool:
    """Whether some way to fill in the unparsed answers makes another verdict; a label more than the given ones is enough."""
    return could_change(tuple(panel), gold, "ABCD", alphabetical)


def recount(gold: str | None, panels: list[list[str | None]], rule: str) -> tuple[str, int | None]:
    """Cell and onset from the definitions, one debate at a time."""
    if gold is None:
        return "undefined", None
    answers = [None if rule == "read_panels" and is_unread(p, gold) else decided(p, rule) for p in panels]
    start, end = answers[0], answers[-1]
    if rule in ("replay_drop_undefined", "strict_plurality", "read_panels") and None in (start, end):
        return "undefined", None
    if start == gold:
        if end == gold:
            return "preserved", None
        skip = rule in ("replay_drop_undefined", "strict_plurality", "read_panels")
        wrong = [r for r, a in enumerate(answers) if r > 0 and a != gold and not (skip and a is None)]
        return "collapse", wrong[0] if wrong else None
    if end != gold:
        return "unrepaired", None
    return ("undecided_correct" if rule == "undecided_is_wrong" and start is None else "correction"), None


@pytest.mark.parametrize("rule", [rule for rule in simulate.RULES if rule != "stored"])
@pytest.mark.parametrize("endpoint", ["last", "r1", "r2", "r3"])
def test_random_debates_have_the_cells_of_a_recount(simulated: Ledger, random_debates: list, rule: str, endpoint: str) -> None:
    found = {
        question: (cell, onset)
        for question, cell, onset in simulated.query(
            "select question_id, cell, onset_round from debates where model = 'random' and coding_rule = ? and endpoint = ?", rule, endpoint
        )
    }
    upto = None if endpoint == "last" else int(endpoint[1:]) + 1
    assert found == {question: recount(gold, panels[:upto], rule) for question, gold, panels in random_debates}


@pytest.mark.parametrize("rule", ["alphabetical", "short_answer", "read_panels"])
@pytest.mark.parametrize("endpoint", ["last", "r2"])
def test_what_rests_on_unread_panels_and_ties_is_counted_beside_the_cells(
    simulated: Ledger, random_debates: list, rule: str, endpoint: str
) -> None:
    """Counts, and the least and the most that corrections minus collapses may be, from every completion of both ends."""
    upto = None if endpoint == "last" else int(endpoint[1:]) + 1
    n: Counter[str] = Counter()
    low = high = net = 0
    for _, gold, panels in random_debates:
        if gold is None:
            continue
        held = panels[:upto]
        cell, onset = recount(gold, held, rule)
        ends = (held[0], held[-1])
        net += (cell == "correction") - (cell == "collapse")
        verdicts = [{decided(p, rule) == gold, *([decided(p, rule) != gold] if is_unread(p, gold) else [])} for p in ends]
        nets = [end - start for start, end in itertools.product(*verdicts)]
        if rule == "read_panels" and any(decided(p, rule) is None and not is_unread(p, gold) for p in ends):
            nets = [0]  # nobody was asked
        low, high = low + min(nets), high + max(nets)
        n["n_undefined_unread"] += rule == "read_panels" and any(is_unread(p, gold) for p in ends) and nets != [0]
        for kind in ("collapse", "correction"):
            n[f"n_{kind}_unread"] += cell == kind and any(is_unread(p, gold) for p in ends)
            n[f"n_{kind}_by_tie"] += cell == kind and any(is_tied(p) for p in ends)
        if onset:
            n["n_onset_unread"] += is_unread(held[onset], gold)
            n["n_onset_by_tie"] += is_tied(held[onset])
    where = f"where model = 'random' and coding_rule = '{rule}' and endpoint = '{endpoint}'"
    columns = "n_collapse_unread, n_collapse_by_tie, n_correction_unread, n_correction_by_tie"
    found = simulated.query(f"select {columns}, net_corrections, net_corrections_lower, net_corrections_upper from transitions {where}")[0]
    assert found == (*(n[c] for c in columns.split(", ")), net, low, high)
    is_sign_unread = len({(x > 0) - (x < 0) for x in (low, net, high)}) > 1
    assert simulated.query(f"select is_sign_unread from transitions {where}") == [(is_sign_unread,)]
    onsets = simulated.query(f"select sum(n_onset_unread), sum(n_onset_by_tie) from onsets {where}")[0]
    assert onsets == (n["n_onset_unread"], n["n_onset_by_tie"])
    assert n["n_collapse_by_tie"] and (n["n_collapse_unread"] > 0) == (rule != "read_panels")


def is_tied(panel: list[str | None]) -> bool:
    votes = Counter(a for a in panel if a)
    return sum(n == max(votes.values()) for n in votes.values()) > 1


def test_random_panels_have_the_counts_of_a_recount(simulated: Ledger, random_debates: list) -> None:
    found = {
        (question, r): rest
        for question, r, *rest in simulated.query(
            """
            select question_id, round, n_asked, n_parsed, n_distinct, n_leaders, n_correct, n_flipped_from_initial, n_flipped_from_previous,
                majority_changed_from_initial, majority_changed_from_previous
            from debate_rounds where model = 'random'
            """
        )
    }

    def flips(a: list, b: list) -> int:
        return sum(bool(x and y and x != y) for x, y in zip(a, b, strict=True))

    def changed(a: list, b: list) -> bool:
        return bool((x := decided(a, "alphabetical")) and (y := decided(b, "alphabetical")) and x != y)

    expected = {}
    for question, gold, panels in random_debates:
        for r, panel in enumerate(panels):
            votes = Counter(a for a in panel if a)
            leaders = sum(n == max(votes.values()) for n in votes.values())
            counts = [sum(a is not None for a in panel), sum(votes.values()), len(votes), leaders, votes[gold] if gold else 0]
            against = [None] * 4
            if r:
                first, before = panels[0], panels[r - 1]
                against = [flips(panel, first), flips(panel, before), changed(panel, first), changed(panel, before)]
            expected[question, r] = counts + against
    assert found == expected


def test_expected_tie_scores(simulated: Ledger, random_debates: list) -> None:
    def score(panel: list, gold: str) -> float:
        votes = Counter(a for a in panel if a)
        leaders = [label for label, n in votes.items() if n == max(votes.values())]
        return 1 / len(leaders) if gold in leaders else 0.0

    found = {
        q: (i, f)
        for q, i, f in simulated.query(
            "select question_id, initial_expected_score, final_expected_score from debates"
            " where model = 'random' and coding_rule = 'undecided_is_wrong' and endpoint = 'last' and correct_label is not null"
        )
    }
    expected = {q: (score(p[0], g), score(p[-1], g)) for q, g, p in random_debates if g}
    assert found == expected
    [(n, initial, final)] = simulated.query(
        "select n_defined, initial_expected_accuracy, final_expected_accuracy from transitions"
        " where model = 'random' and coding_rule = 'undecided_is_wrong' and endpoint = 'last'"
    )
    assert (initial, final) == pytest.approx(tuple(sum(v[i] for v in expected.values()) / n for i in (0, 1)), rel=1e-12)


@given(
    st.integers(0, 500),
    st.dictionaries(st.sampled_from(sorted(simulate.SCENARIOS)), st.floats(0.01, 10), min_size=1),
)
def test_the_mix_is_allotted_to_the_last_debate(n: int, shares: dict[str, float]) -> None:
    counts = simulate.allot(n, shares)
    assert sum(counts.values()) == n
    total = sum(shares.values())
    assert all(abs(counts[s] - n * w / total) < 1 for s, w in shares.items())


@pytest.mark.parametrize("dialect, agents", itertools.product("AB", (1, 2, 3, 8)))
def test_the_same_seed_writes_the_same_bytes(tmp_path: Path, dialect: str, agents: int) -> None:
    for file in ("one", "two"):
        simulate.simulate_file(tmp_path / file, 50, mix=mix(agents), dialect=dialect, agents=agents, seed=3)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    "wrong",
    [
        {"agents": 0},
        {"rounds": 0},
        {"dialect": "C"},
        {"mix": {"no such scenario": 1.0}},
        {"mix": {"tied_start_gold_first": 1.0}, "agents": 1},
    ],
)
def test_impossible_simulations_are_refused(tmp_path: Path, wrong: dict) -> None:
    with pytest.raises(ValueError):
        simulate.simulate_file(tmp_path / "x.jsonl", 20, **wrong)
