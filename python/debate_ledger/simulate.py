"""Seeded simulator of debates whose outcome under every coding rule is planted, not recounted.

Each debate follows one scenario. A scenario says how the panels look (who holds the majority in which round, whether a panel
is tied or empty) and, separately, which cell the debate must land in under each coding rule. The expected cells are written down
from the definitions; no code of the warehouse takes part in them, so the property tests compare two independent statements.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LABELS = "ABCDEFGHIJ"

#: Cells of a debate under one coding rule, as the marts spell them.
PRESERVED, COLLAPSE, CORRECTION, UNREPAIRED = "preserved", "collapse", "correction", "unrepaired"
UNDECIDED_CORRECT, UNDEFINED = "undecided_correct", "undefined"

RULES = (
    "stored",
    "alphabetical",
    "alphabetical_stored_final",
    "replay_drop_undefined",
    "strict_plurality",
    "undecided_is_wrong",
    "short_answer",
    "short_answer_exact",
    "read_panels",
)


@dataclass(frozen=True)
class Scenario:
    """How a simulated debate runs and what it must count as.

    ``start`` and ``end`` describe the initial and the final panel: ``right``, ``wrong``, ``tied_gold_first`` (tie that the
    alphabetical rule gives to the gold label), ``tied_gold_later`` (tie that it takes from the gold label) or ``empty`` (nobody
    parsed). ``onset`` is the planted first wrong round: ``"early"``, ``"late"`` or None.
    ``cells`` names the cell per coding rule; a rule that is not named shares ``cells["*"]``. Where a panel is tied or empty its unparsed
    answers, if it has any, could decide it: under `read_panels` such a debate is undefined (`planted_cells`).
    """

    start: str
    end: str
    cells: Mapping[str, str]
    onset: str | None = None
    gold: bool = True


# In dialect A the stored final majority follows the alphabetical rule; in dialect B it is the answer met first, and the simulated
# tied panels start with a wrong agent, so there the stored final answer is wrong whichever label comes first in the alphabet.
SCENARIOS: dict[str, Scenario] = {
    "preserved": Scenario("right", "right", {"*": PRESERVED}),
    "early_collapse": Scenario("right", "wrong", {"*": COLLAPSE}, onset="early"),
    "late_collapse": Scenario("right", "wrong", {"*": COLLAPSE}, onset="late"),
    "correction": Scenario("wrong", "right", {"*": CORRECTION}),
    "unrepaired": Scenario("wrong", "wrong", {"*": UNREPAIRED}),
    "tied_start_gold_first": Scenario(
        "tied_gold_first",
        "right",
        {"*": PRESERVED, "strict_plurality": UNDEFINED, "undecided_is_wrong": UNDECIDED_CORRECT},
    ),
    "tied_start_gold_later": Scenario(
        "tied_gold_later",
        "right",
        {"*": CORRECTION, "strict_plurality": UNDEFINED, "undecided_is_wrong": UNDECIDED_CORRECT},
    ),
    "tied_start_never_right": Scenario(
        "tied_gold_later",
        "wrong",
        {"*": UNREPAIRED, "strict_plurality": UNDEFINED, "undecided_is_wrong": UNREPAIRED},
    ),
    "tied_end_gold_first": Scenario(
        "right",
        "tied_gold_first",
        {
            "*": PRESERVED,
            "alphabetical_stored_final": COLLAPSE,
            "replay_drop_undefined": COLLAPSE,
            "strict_plurality": UNDEFINED,
            "undecided_is_wrong": COLLAPSE,
        },
    ),
    "empty_start": Scenario(
        "empty",
        "right",
        {
            "*": CORRECTION,
            "replay_drop_undefined": UNDEFINED,
            "strict_plurality": UNDEFINED,
            "undecided_is_wrong": UNDECIDED_CORRECT,
        },
    ),
    "empty_end": Scenario(
        "right",
        "empty",
        {"*": COLLAPSE, "replay_drop_undefined": UNDEFINED, "strict_plurality": UNDEFINED},
    ),
    "no_gold": Scenario("right", "right", {"*": UNDEFINED}, gold=False),
}

#: Shares of the scenarios in a benchmark file; roughly what real three-agent panels do.
DEFAULT_MIX: dict[str, float] = {
    "preserved": 0.44,
    "early_collapse": 0.03,
    "late_collapse": 0.01,
    "correction": 0.12,
    "unrepaired": 0.30,
    "tied_start_gold_first": 0.02,
    "tied_start_gold_later": 0.03,
    "tied_start_never_right": 0.02,
    "tied_end_gold_first": 0.01,
    "empty_start": 0.01,
    "empty_end": 0.005,
    "no_gold": 0.005,
}


@dataclass
class SimulatedDebate:
    """One debate: answers per round and agent (round 0 first), the key, and the scenario that planned it."""

    scenario: str
    gold: str | None
    panels: list[list[str | None]]
    onset_round: int | None
    extras: dict[str, object] = field(default_factory=dict)


def _other_labels(rng: random.Random, gold: str, n: int) -> list[str]:
    return rng.sample([label for label in LABELS if label != gold], n)


def _panel(rng: random.Random, kind: str, gold: str, agents: int, is_complete: bool) -> list[str | None]:
    """Answers of one round. ``right`` and ``wrong`` are strict majorities with at most one unparsed or dissenting agent."""
    if kind == "empty":
        return [None] * agents
    if kind in ("tied_gold_first", "tied_gold_later"):
        if agents < 2:
            raise ValueError("a tie needs at least two agents: use a mix without tied scenarios for a panel of one")
        # Gold is drawn from B..I by `simulate_debate`, so there is always a label on either side of it.
        later = [label for label in LABELS if label > gold]
        earlier = [label for label in LABELS if label < gold]
        other = rng.choice(later if kind == "tied_gold_first" else earlier)
        half = agents // 2
        # The wrong label speaks first: a stored majority by first encounter is then wrong (dialect B).
        return [other] * half + [gold] * half + [None] * (agents - 2 * half)
    leader = gold if kind == "right" else _other_labels(rng, gold, 1)[0]
    answers: list[str | None] = [leader] * agents
    # One agent of a panel of three or more may dissent or fail to parse; the leader keeps a strict plurality.
    if agents >= 3 and rng.random() < 0.5:
        dissent = rng.choice([None, *_other_labels(rng, leader, 2)][is_complete:])
        answers[rng.randrange(agents)] = dissent
    return answers


def simulate_debate(rng: random.Random, scenario: str, *, agents: int, rounds: int, is_complete: bool = False) -> SimulatedDebate:
    """Draw one debate of ``rounds`` rounds after the initial answers; nobody who dissents is unparsed where ``is_complete``.

    Raises ValueError for an unknown scenario, for fewer than one agent, and for fewer than one round when the scenario ends
    otherwise than it starts.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"unknown scenario {scenario!r}; known: {', '.join(SCENARIOS)}")
    plan = SCENARIOS[scenario]
    if agents < 1:
        raise ValueError("a panel has at least one agent")
    if rounds < 1 and plan.start != plan.end:
        raise ValueError(f"scenario {scenario!r} changes its panel, so it needs at least one round")
    gold = rng.choice(LABELS[1:-1])
    if plan.onset == "early":
        turn = 1
    elif plan.onset == "late" or plan.end in ("tied_gold_first", "empty"):
        turn = rounds
    else:
        turn = rng.randint(1, rounds) if rounds else 0
    kinds = [plan.start] + [plan.end if r >= turn else plan.start for r in range(1, rounds + 1)]
    if plan.onset == "early" and rounds >= 3 and rng.random() < 0.3:
        kinds[2] = "right"  # a recovery in between must not move the onset
    panels = [_panel(rng, kind, gold, agents, is_complete) for kind in kinds]
    onset = turn if COLLAPSE in plan.cells.values() else None
    return SimulatedDebate(scenario, gold if plan.gold else None, panels, onset)


def lose_answers(rng: random.Random, debate: SimulatedDebate, rates: Sequence[float]) -> SimulatedDebate:
    """The debate as a parser leaves it that finds no label in a share ``rates[r]`` of the answers of round r; the last rate goes on.

    Scenario, key and planted onset stay those of the debate that was held. Raises ValueError for no rate, or one that is no share.
    """
    if not rates or not all(0 <= rate <= 1 for rate in rates):
        raise ValueError("shares of lost answers are numbers from 0 to 1, one per round")
    panels = [
        [None if rng.random() < rates[min(r, len(rates) - 1)] else answer for answer in panel] for r, panel in enumerate(debate.panels)
    ]
    return SimulatedDebate(debate.scenario, debate.gold, panels, debate.onset_round, dict(debate.extras))


def _alphabetical(answers: Sequence[str | None]) -> str | None:
    counts = Counter(a for a in answers if a)
    return min(counts, key=lambda label: (-counts[label], label)) if counts else None


def _first_met(answers: Sequence[str | None]) -> str | None:
    counts = Counter(a for a in answers if a)
    return counts.most_common(1)[0][0] if counts else None


def dialect_a(debate: SimulatedDebate, question_id: str, model: str) -> dict[str, object]:
    """The debate as a line of dialect A (round objects, stored flags under the alphabetical rule)."""
    majorities = [_alphabetical(p) or "" for p in debate.panels]
    initial_correct = majorities[0] != "" and majorities[0] == debate.gold
    final_correct = majorities[-1] != "" and majorities[-1] == debate.gold
    return {
        "question_id": question_id,
        "model": model,
        "correct_label": debate.gold,
        "initial_answers": debate.panels[0],
        "initial_majority": majorities[0],
        "initial_correct": initial_correct,
        "round_traces": [
            {
                "round": r,
                "answers": debate.panels[r],
                "majority": majorities[r],
                "majority_changed": majorities[r] != majorities[r - 1],
            }
            for r in range(1, len(debate.panels))
        ],
        "final_answer": majorities[-1],
        "final_correct": final_correct,
        "collapsed": initial_correct and not final_correct,
        "corrected": final_correct and not initial_correct,
    }


def dialect_b(debate: SimulatedDebate, question_id: str, model: str) -> dict[str, object]:
    """The debate as a line of dialect B (agent objects; the stored final majority is the answer met first)."""

    def states(r: int) -> list[dict[str, object]]:
        return [{"agent_id": str(i + 1), "answer": a, "reasoning": None, "round_num": r} for i, a in enumerate(debate.panels[r])]

    initial, final, gold = debate.panels[0], debate.panels[-1], debate.gold
    stored = _first_met(final)
    pairs = list(zip(initial, final, strict=True))
    outcomes = [
        "collapse" if i == gold and f != gold else "correction" if i != gold and f == gold
        else "flip_wrong_to_wrong" if i and f and i != f else "held"
        for i, f in pairs
    ]  # fmt: skip
    n_initial, n_final = (sum(a == gold for a in p) if gold else 0 for p in (initial, final))
    return {
        "question_id": question_id,
        "benchmark": "simulated",
        "category": "simulated",
        "correct_label": gold,
        "temperatures": [0.5, 0.7, 1.0],
        "n_rounds": len(debate.panels) - 1,
        "initial_answers": initial,
        "final_answers": final,
        "majority_answer": stored,
        "majority_correct": stored is not None and stored == gold,
        "initial_states": states(0),
        "round_traces": [states(r) for r in range(1, len(debate.panels))],
        "outcome": {
            "collapse": "collapse" in outcomes,
            "correction": "correction" in outcomes,
            "initial_n_correct": n_initial,
            "final_n_correct": n_final,
            "accuracy_delta": n_final - n_initial,
            "any_flip": any(i and f and i != f for i, f in pairs),
            "agent_outcomes": outcomes,
        },
        "model_name": model,
        "backend": "simulated",
        "timestamp": "2026-01-02T03:04:05",
        "total_cost": 0.0,
    }


WRITERS = {"A": dialect_a, "B": dialect_b}


def allot(n: int, mix: Mapping[str, float]) -> dict[str, int]:
    """Split ``n`` debates over the scenarios by largest remainder, so that the planted counts are exact."""
    total = sum(mix.values())
    if n < 0 or total <= 0 or min(mix.values()) < 0:
        raise ValueError("the mix needs non-negative shares with a positive sum, and n must not be negative")
    shares = {s: n * w / total for s, w in mix.items()}
    counts = {s: int(x) for s, x in shares.items()}
    for s in sorted(shares, key=lambda s: (counts[s] - shares[s], s))[: n - sum(counts.values())]:
        counts[s] += 1
    return counts


def _is_unread(plan: Scenario, agents: int) -> bool:
    """Whether the start or the end holds unparsed answers that could decide it: empty panels, and ties that leave an agent over."""
    kinds = {plan.start, plan.end}
    return "empty" in kinds or (agents % 2 == 1 and bool(kinds & {"tied_gold_first", "tied_gold_later"}))


def planted_cells(scenarios: Mapping[str, int], dialect: str, *, agents: int = 3) -> dict[str, Counter[str]]:
    """Expected number of debates of ``agents`` agents per coding rule and cell. Rules that the dialect cannot answer are left out."""
    expected: dict[str, Counter[str]] = {}
    for rule in RULES:
        if rule == "stored" and dialect == "B":
            continue  # dialect B stores no initial majority
        cells: Counter[str] = Counter()
        for scenario, n in scenarios.items():
            plan = SCENARIOS[scenario].cells
            stored_end_is_alphabetical = dialect == "A" and SCENARIOS[scenario].end == "tied_gold_first"
            if rule == "read_panels" and _is_unread(SCENARIOS[scenario], agents):
                cells[UNDEFINED] += n
            elif stored_end_is_alphabetical and rule in ("alphabetical_stored_final", "replay_drop_undefined"):
                cells[plan["*"]] += n
            else:
                cells[plan.get(rule, plan["*"])] += n
        expected[rule] = cells
    return expected


def simulate_lines(
    scenarios: Mapping[str, int],
    *,
    dialect: str = "B",
    model: str = "simulated/model",
    agents: int = 3,
    rounds: int = 4,
    seed: int = 0,
    templates: int | None = None,
    unparsed: Sequence[float] = (),
) -> Iterator[str]:
    """Yield one JSON line per debate, scenarios shuffled by ``seed``, question ids ``sim_0`` … in line order.

    ``templates`` caps how many different debates are drawn per scenario; the others repeat them under a new question id, which
    makes a million lines a matter of seconds. None draws every debate anew. ``unparsed`` are the shares of answers that are lost in each
    round (`lose_answers`); the cells of `planted_cells` are then those of the debates that were held.
    """
    if dialect not in WRITERS:
        raise ValueError(f"the simulator writes dialects {', '.join(WRITERS)}, not {dialect!r}")
    rng = random.Random(seed)
    order = [s for s, n in scenarios.items() for _ in range(n)]
    rng.shuffle(order)
    write = WRITERS[dialect]
    tails: dict[str, list[str]] = {}
    for i, scenario in enumerate(order):
        pool = tails.setdefault(scenario, [])
        if templates is None or len(pool) < templates:
            debate = simulate_debate(rng, scenario, agents=agents, rounds=rounds, is_complete=bool(unparsed))
            record = write(lose_answers(rng, debate, unparsed) if unparsed else debate, "", model)
            del record["question_id"]
            tail = json.dumps(record)[1:]
            if templates is not None:
                pool.append(tail)
        else:
            tail = pool[rng.randrange(templates)]
        yield f'{{"question_id": "sim_{i}", {tail}\n'


def simulate_file(path: Path, n: int, *, mix: Mapping[str, float] | None = None, **options: object) -> dict[str, int]:
    """Write ``n`` simulated debates to ``path`` and return how many follow each scenario. Options as in `simulate_lines`."""
    scenarios = allot(n, mix or DEFAULT_MIX)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(simulate_lines(scenarios, **options))  # type: ignore[arg-type]
    return scenarios
