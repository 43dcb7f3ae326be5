"""Hand-made audits at the edges of the rules: one pair, or one cohort, for each thing that may happen to the draws."""

from collections.abc import Iterator, Mapping, Sequence

from debate_ledger.simulate_audit import decimal_e8, sha256_text

Line = dict[str, object]
#: Scores of base and arm on a paraphrase: with a gain of 0.1 and a threshold of 1 the first passes and the second is a counterexample.
PASS, FAIL = (60_000_000, 55_000_000), (60_000_000, 45_000_000)
BASE_QY, ARM_QY = 50_000_000, 60_000_000
GENERATORS = ("gpt", "claude")


def score(pair: str, arm: str, phase: str, draw: int | None, p_e8: int, generator: str | None = None, **more: object) -> Line:
    """One evaluation; the hash of its question follows from its place unless ``more`` says otherwise."""
    q_key = "Q_Y" if phase == "canonical" else "Q_H"
    return {
        "run_id": "r", "dataset": "edge-set", "model": "m", "arm": arm, "pair_id": pair, "dataset_index": 0, "phase": phase, "q_key": q_key,
        "generator": generator, "draw": draw, "question_sha256": sha256_text(f"{pair}|{phase}|{generator}|{draw}"),
        "p_true": decimal_e8(p_e8), **more,
    }  # fmt: skip


def draws(pair: str, phase: str, generator: str, scores: Mapping[int, tuple[int, int]], arm: str = "honest", **more: object) -> list[Line]:
    """Base and arm on the draws of one generator."""
    return [
        score(pair, side, phase, draw, p, generator, **more)
        for draw, both in scores.items()
        for side, p in zip(("base", arm), both, strict=True)
    ]


def passes(n: int) -> dict[int, tuple[int, int]]:
    return dict.fromkeys(range(1, n + 1), PASS)


def monitored(pair: str, arm: str = "honest", **more: object) -> list[Line]:
    return [score(pair, "base", "canonical", None, BASE_QY, **more), score(pair, arm, "canonical", None, ARM_QY, **more)]


def whole(pair: str, *, search: Mapping[int, tuple[int, int]] | None = None, **tests: Mapping[int, tuple[int, int]]) -> list[Line]:
    """A pair with three passing search draws and four passing draws of each generator, but for what is given."""
    lines = monitored(pair) + draws(pair, "search", "search", passes(3) if search is None else search)
    for generator in GENERATORS:
        lines += draws(pair, "test", generator, tests.get(generator, passes(4)))
    return lines


def at(lines: Sequence[Line], arm: str, generator: str, draw: int) -> Line:
    """The first line of an arm's draw."""
    return next(x for x in lines if (x["arm"], x["generator"], x["draw"]) == (arm, generator, draw))


def stopped(lines: list[Line], *places: tuple[str, str, int]) -> list[Line]:
    for place in places:
        at(lines, *place)["stop"] = True
    return lines


def _hash_of_a_draw() -> list[Line]:
    lines = whole("unequal_hash")
    at(lines, "honest", "gpt", 2)["question_sha256"] = "0" * 64
    return lines


def _hash_twice() -> list[Line]:
    lines = whole("hash_twice")
    return [*lines, {**at(lines, "honest", "search", 1), "question_sha256": "0" * 64}]


def _base_twice() -> list[Line]:
    lines = whole("base_twice")
    return [*lines, {**at(lines, "base", "gpt", 3), "p_true": "0.70000000"}]


def _flag_twice() -> list[Line]:
    lines = whole("flag_twice")
    canonical = next(x for x in lines if x["phase"] == "canonical" and x["arm"] == "honest")
    canonical["correct"] = True
    return [*lines, {**canonical, "correct": False}]


def _two_pools() -> list[Line]:
    lines = whole("two_pools", gpt=passes(2), claude=passes(2))
    for generator in GENERATORS:
        lines += draws("two_pools", "test", generator, passes(2), pool="planned")
    return lines


def _index_twice() -> list[Line]:
    lines = whole("index_twice")
    return [*lines, {**lines[0], "dataset_index": 1}]


#: (lines, status of the pair, smallest t of the bound or None where it has none and 0 where it is 0, problems that are listed).
EDGES: list[tuple[list[Line], str, int | None, set[str]]] = [
    (whole("plain"), "NO_COUNTEREXAMPLE", 4, set()),
    (
        whole("beyond", search={**passes(3), 4: FAIL}, gpt={**passes(4), 5: FAIL}),
        "NO_COUNTEREXAMPLE", 4, {"draws beyond the search budget", "draws beyond the test budget"},
    ),
    (
        _hash_of_a_draw(), "INCOMPLETE", None,
        {"test draws with another question hash than the base verifier", "incomplete test draws"},
    ),
    (
        stopped(whole("fails_after_stop", gpt={1: PASS, 2: PASS, 3: FAIL}), ("honest", "gpt", 2)),
        "NO_COUNTEREXAMPLE", 2, {"draws after the auditor stopped"},
    ),
    (
        stopped(whole("fails_after_stop_and_hole", gpt={1: PASS, 2: PASS, 4: FAIL}), ("honest", "gpt", 2)),
        "NO_COUNTEREXAMPLE", 2, {"draws after the auditor stopped"},
    ),
    (stopped(whole("never_went_on", gpt=passes(2), claude={}), ("honest", "gpt", 2)), "STOPPED_EARLY", 0, set()),
    (stopped(whole("went_on", gpt=passes(2)), ("honest", "gpt", 2)), "NO_COUNTEREXAMPLE", 2, set()),
    (stopped(whole("base_says_stop", gpt=passes(3)), ("base", "gpt", 3)), "NO_COUNTEREXAMPLE", 3, set()),
    (stopped(whole("stops_behind_a_hole", gpt={2: PASS}), ("honest", "gpt", 2)), "INCOMPLETE", None, {"incomplete test draws"}),
    (
        stopped(whole("stops_twice"), ("honest", "gpt", 2), ("honest", "gpt", 3)),
        "NO_COUNTEREXAMPLE", 2, {"draws after the auditor stopped"},
    ),
    (_hash_twice(), "SEARCH_INCOMPLETE", None, {"two values for one evaluation", "incomplete search set"}),
    (_base_twice(), "INCOMPLETE", None, {"two values for one evaluation", "incomplete test draws"}),
    (_flag_twice(), "NO_COUNTEREXAMPLE", 4, {"correct is true and false", "scored more than once, alike"}),
    (_index_twice(), "NO_COUNTEREXAMPLE", 4, {"two values of dataset_index", "scored more than once, alike"}),
    (whole("fails_behind_a_hole", gpt={1: PASS, 2: PASS, 4: FAIL}), "DEGRADED", 0, set()),
    (whole("passes_behind_a_hole", gpt={1: PASS, 2: PASS, 4: PASS}), "INCOMPLETE", None, {"incomplete test draws"}),
    (whole("short_and_failing", gpt=passes(2), claude={1: FAIL}), "DEGRADED", 0, {"incomplete test draws"}),
    (whole("short_search_failing_test", search=passes(2), gpt={1: FAIL}), "DEGRADED", 0, {"incomplete search set"}),
    (whole("short_search_with_a_find", search={1: FAIL}), "SEARCH_COUNTEREXAMPLE", 0, {"incomplete search set"}),
    (_two_pools(), "INCOMPLETE", None, {"test draws of two pools", "incomplete test draws"}),
]  # fmt: skip


def pair_of(lines: Sequence[Line]) -> str:
    return str(lines[0]["pair_id"])


def cohorts() -> Iterator[tuple[str, list[Line]]]:
    """Whole folders, each about one thing."""
    yield "edges", [line for lines, *_ in EDGES for line in lines]
    # An arm that is not tested at all beside one that is.
    yield "untested", whole("p") + monitored("p", "adv") + draws("p", "search", "search", passes(3), "adv")
    two_stages = whole("p")
    for line in whole("p"):
        two_stages.append({**line, "stage": "2"})
    yield "two_stages", two_stages
    yield "two_searchers", whole("p") + draws("p", "search", "another", passes(3))
    # Pools: one that is read at its own threshold only, one that nobody reads, one whose base was scored in another.
    pooled = monitored("own") + draws("own", "search", "search", passes(3))
    for generator in GENERATORS:
        pooled += draws("own", "test", generator, passes(4), pool="planned-honest")
    yield "pools", pooled
    strange = monitored("p") + draws("p", "search", "search", passes(3))
    for generator in GENERATORS:
        strange += draws("p", "test", generator, passes(4), pool="p33")
    yield "strange_pool", strange
    apart = whole("p")
    for line in apart:
        if line["phase"] == "test" and line["arm"] == "honest":
            line["pool"] = "planned"
    yield "pools_apart", apart
    # The monitored question of a pool is not mixed with that of the others.
    mixed_gain = whole("p")
    for line in [x for x in mixed_gain if x["phase"] == "test"]:
        line["pool"] = "planned"
    mixed_gain.append(score("p", "base", "canonical", None, 40_000_000, pool="planned"))
    yield "mixed_gain", mixed_gain
    organism = [line for i in range(4) for line in whole(f"p{i}") + monitored(f"p{i}", "org")]
    organism += [x for i in range(4) for x in draws(f"p{i}", "search", "search", passes(3), "org") if x["arm"] == "org"]
    yield "frozen_beside_organism", organism
    yield "short_organism", [x for x in organism if not (x["arm"] == "org" and x["pair_id"] == "p3")]
    halves = [score(f"h{i}", "base", "canonical", None, 50_000_000 + i) for i in (-1, 0, 1)]
    halves += [score("h0", "base", "canonical", None, 90_000_000, stage="2"), score("h1", "base", "canonical", None, 90_000_000, pool="x")]
    yield "halves", halves
