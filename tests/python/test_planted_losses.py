"""A study with planted collapses whose parser loses more answers in the later rounds."""

import json
import random
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from conftest import Build, Ledger
from test_unread import alphabetical, could_change

from debate_ledger import simulate
from debate_ledger.show import ledger_text
from debate_ledger.simulate import SCENARIOS, SimulatedDebate

#: Shares of answers lost in rounds 0, 1, 2, … The first lane loses more and more, the second as much in every round.
RATES = {"rising": [0.01, 0.05, 0.12, 0.2], "even": [0.08]}
AGENTS, ROUNDS, N = 4, 3, 500
MIX = {s: w for s, w in simulate.DEFAULT_MIX.items() if "empty" not in s}


@dataclass
class Planted:
    """What was held and what a parser left of it, by question."""

    held: dict[str, SimulatedDebate]
    left: dict[str, SimulatedDebate]

    def cell(self, question: str) -> str:
        return SCENARIOS[self.held[question].scenario].cells["*"]


def possible_labels(panel: list[str | None], gold: str) -> str:
    """Enough to try: what was given, the key, and a label before and after everything."""
    return "".join(sorted({*(a for a in panel if a), gold, "A", "J"}))


@pytest.fixture(scope="module")
def planted() -> dict[str, Planted]:
    studies = {}
    for seed, (name, rates) in enumerate(RATES.items()):
        rng = random.Random(seed)
        order = [s for s, n in simulate.allot(N, MIX).items() for _ in range(n)]
        rng.shuffle(order)
        held = {f"q{i}": simulate.simulate_debate(rng, s, agents=AGENTS, rounds=ROUNDS, is_complete=True) for i, s in enumerate(order)}
        studies[name] = Planted(held, {q: simulate.lose_answers(rng, debate, rates) for q, debate in held.items()})
    return studies


@pytest.fixture(scope="module")
def ledger(build: Build, planted: dict[str, Planted], tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("planted") / "study"
    folder.mkdir()
    for name, study in planted.items():
        lines = [json.dumps(simulate.dialect_b(debate, q, name)) + "\n" for q, debate in study.left.items()]
        (folder / f"{name}.jsonl").write_text("".join(lines))
    return build(folder.parent, topics="reparse")


def unread(debate: SimulatedDebate) -> bool:
    """Whether some completion of the start or of the end has another verdict, by trying them all."""
    ends = (debate.panels[0], debate.panels[-1])
    return any(could_change(tuple(a or "" for a in p), debate.gold, possible_labels(p, debate.gold), alphabetical) for p in ends)


@pytest.mark.parametrize("name", RATES)
def test_every_defined_cell_is_the_planted_one_and_the_others_could_be_decided_by_an_unread_answer(
    ledger: Ledger, planted: dict[str, Planted], name: str
) -> None:
    study = planted[name]
    sql = "select question_id, cell, undefined_reason from debates where model = ? and coding_rule = 'read_panels' and endpoint = 'last'"
    found = {question: (cell, reason) for question, cell, reason in ledger.query(sql, name)}
    expected = {}
    for question, debate in study.held.items():
        if debate.gold is None:
            expected[question] = ("undefined", "no_gold")
        elif unread(study.left[question]):
            expected[question] = ("undefined", "unread")
        else:
            expected[question] = (study.cell(question), None)
    assert found == expected
    assert ledger.query("select distinct coding_rule, is_cohort_rule from model_ledger where cohort = 'study'") == [("read_panels", True)]


@pytest.mark.parametrize("name", RATES)
def test_the_old_rule_invents_collapses_and_says_which_are_unread(ledger: Ledger, planted: dict[str, Planted], name: str) -> None:
    study = planted[name]
    cells: Counter[str] = Counter()
    n_unread = 0
    for debate in study.left.values():
        if debate.gold is not None:
            start, end = (alphabetical([a for a in p if a], debate.gold) for p in (debate.panels[0], debate.panels[-1]))
            cell = {(True, False): "collapse", (False, True): "correction"}.get((start, end), "")
            cells[cell] += 1
            n_unread += cell == "collapse" and unread(debate)
    where = "where model = ? and coding_rule = 'alphabetical' and endpoint = 'last'"
    [found] = ledger.query(f"select n_collapse, n_collapse_unread, n_correction from transitions {where}", name)
    assert found == (cells["collapse"], n_unread, cells["correction"]) and n_unread > 0
    true = sum(study.cell(q) == "collapse" for q, d in study.held.items() if d.gold is not None)
    # What is read of them was planted; in the lane that loses more and more the sum is not.
    assert found[0] - n_unread <= true and (name == "even" or found[0] > 1.3 * true)


def test_the_rising_loss_is_told_and_the_even_one_is_not(ledger: Ledger, planted: dict[str, Planted]) -> None:
    found = ledger.query("select model, round, n_answers, n_unparsed, is_loss_rising from parse_losses order by all")
    expected = [
        (name, r, N * AGENTS, sum(a is None for d in study.left.values() for a in d.panels[r]), name == "rising")
        for name, study in sorted(planted.items())
        for r in range(ROUNDS + 1)
    ]
    assert found == expected
    sql = "select model, is_loss_rising from parse_sensitivity where side = 'debates' order by all"
    assert ledger.query(sql) == [("even", False), ("rising", True)]
    told = [x for x in ledger_text(ledger.published).splitlines() if "grow with the rounds" in x]
    assert len(told) == 1 and "rising" in told[0] and "% in round 3" in told[0]


def test_the_headline_names_what_is_not_codable(ledger: Ledger) -> None:
    [(n_unread, n_keyless)] = ledger.query("select n_undefined_unread, n_undefined_no_gold from model_ledger where model = 'rising'")
    [row] = [x for x in ledger_text(ledger.published).splitlines() if x.startswith("  rising")]
    assert f"{n_keyless} no key, {n_unread} unread" in row and n_unread > 50


def test_a_cohort_in_which_nobody_debated_says_so(ledger: Ledger, tmp_path: Path) -> None:
    assert "Nobody debated here" not in ledger_text(ledger.published)
    copied = Path(shutil.copy(ledger.published, tmp_path / ledger.published.name))
    with duckdb.connect(str(copied)) as con:
        con.execute("update model_ledger set max_rounds = 0")
    assert "Nobody debated here" in ledger_text(copied)


def test_shares_of_lost_answers_are_shares(tmp_path: Path) -> None:
    debate = simulate.simulate_debate(random.Random(1), "preserved", agents=3, rounds=2, is_complete=True)
    assert all(a is not None for p in debate.panels for a in p)
    lost = simulate.lose_answers(random.Random(1), debate, [0, 1])
    assert lost.panels[0] == debate.panels[0] and lost.panels[1:] == [[None] * 3] * 2
    for rates in ([], [1.5], [-0.1]):
        with pytest.raises(ValueError, match="shares of lost answers"):
            simulate.lose_answers(random.Random(1), debate, rates)
    simulate.simulate_file(tmp_path / "lost.jsonl", 10, unparsed=[0, 1], rounds=1)
    records = [json.loads(x) for x in (tmp_path / "lost.jsonl").read_text().splitlines()]
    assert all(r["final_answers"] == [None] * 3 for r in records)
