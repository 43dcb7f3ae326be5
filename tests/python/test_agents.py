"""Agents are identities: planted flips come back under aliases, and without them are null with a reason and told everywhere."""

import csv
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import Build, Ledger

from debate_ledger import doctor
from debate_ledger.cli import main
from debate_ledger.importers import agents
from debate_ledger.importers.debate import Agent, Bad, Debate
from debate_ledger.show import ledger_text

SPELLINGS = {
    "Judge": ("Judge", "judge-agent", "JUDGE", "judge_v2"),
    "Ada": ("Ada", "ada", "Ada 0301", "ADA-agent"),
    "Bob": ("Bob", "bob_agent", "bob", "BOB v3"),
}  # fmt: skip
Panel = list[tuple[str, str | None]]


def line(question: str, panels: list[Panel], **more: object) -> str:
    rounds = [
        [{"agent_id": n, "answer": a, "round_num": r, "reasoning": f"The answer is ({a})." if a else "Hm."} for n, a in panel]
        for r, panel in enumerate(panels)
    ]
    head = {"question_id": question, "correct_label": "A", "model_name": "m", "initial_states": rounds[0], "round_traces": rounds[1:]}
    return json.dumps(head | more) + "\n"


def panel(names: str, answers: str) -> Panel:
    """Agents with one-letter answers; "-" gave none."""
    return [(name, None if answer == "-" else answer) for name, answer in zip(names.split(), answers, strict=True)]


#: question, panels, more keys, and (flips from the start, from the round before) of each debate round.
BY_HAND: list[tuple[str, list[Panel], dict, list[tuple[int | None, int | None]]]] = [
    ("same", [panel("Judge Ada Bob", "AAB"), panel("Judge Ada Bob", "BAB")], {}, [(1, 1)]),
    ("other order", [panel("Judge Ada Bob", "AAB"), panel("Bob Judge Ada", "BAC")], {}, [(1, 1)]),
    # Round 2 has the names of round 0 again, and not those of round 1.
    (
        "another name", [panel("Judge Ada Bob", "AAB"), panel("judge-agent Ada Bob", "BAB"), panel("Judge Ada Bob", "BBB")], {},
        [(None, None), (2, None)],
    ),
    ("kept another name", [panel("X Ada", "AA"), panel("Y Ada", "BB"), panel("Y Ada", "AB")], {}, [(None, None), (None, 1)]),
    # Who joins is no one of those who are there, nor of those who stood beside it.
    ("joins", [panel("Ada Bob", "AA"), panel("Ada Bob Zed", "BAA"), panel("Zed Ada", "BB")], {}, [(1, 1), (1, 1)]),
    ("is joined by nobody else", [panel("1 2 3", "AAA"), panel("1 2 3 4", "BAAB"), panel("1 4", "BA")], {}, [(1, 1), (1, 1)]),
    ("one for another", [panel("Ada Bob", "AA"), panel("Ada Zed", "BB")], {}, [(None, None)]),
    ("one for another, planned", [panel("Ada Bob", "AA"), panel("Ada Zed", "BB")], {"n_agents": 3}, [(1, 1)]),
    ("one for another, three temperatures", [panel("Ada Bob", "AA"), panel("Ada Zed", "BB")], {"temperatures": [0.1, 0.2, 0.3]}, [(1, 1)]),
    ("one for another, listed", [panel("Ada Bob", "AA"), panel("Ada Zed", "BB")], {"agents": ["Zed", "Ada"]}, [(1, 1)]),
    ("two planned", [panel("Ada Bob", "AA"), panel("Ada Zed", "BB")], {"n_agents": 2}, [(None, None)]),
    ("four temperatures", [panel("1 2 3", "AAA"), panel("1 2 4", "BAB")], {"temperatures": [1, 2, 3, 4]}, [(1, 1)]),
    ("counted from another number", [panel("0 1 2", "ABC"), panel("1 2 3", "ABC")], {}, [(None, None)]),
    ("no names", [[(None, "A"), (None, "B")], [(None, "B"), (None, "B")]], {}, [(1, 1)]),  # type: ignore[list-item]
    ("not asked again", [panel("Ada Bob", "AA"), panel("Ada", "B")], {}, [(1, 1)]),
    ("gave no answer", [panel("Ada Bob", "A-"), panel("Bob Ada", "BB")], {}, [(1, 1)]),
]  # fmt: skip


def planted(n: int = 60, seed: int = 7) -> list[tuple[str, list[Panel], list[int]]]:
    """Debates of three agents under four spellings each, some failing; with the flips of each debate round from the start."""
    rng, found = random.Random(seed), []
    for i in range(n):
        answers = [{a: rng.choice("AAB") for a in SPELLINGS} for _ in range(3)]
        asked = [[a for a in SPELLINGS if rng.random() > 0.1] or ["Judge"] for _ in answers]
        panels = [[(rng.choice(SPELLINGS[a]), held[a]) for a in who] for who, held in zip(asked, answers, strict=True)]
        flips = [sum(a in asked[0] and answers[0][a] != answers[r][a] for a in asked[r]) for r in (1, 2)]
        found.append((f"planted {i}", panels, flips))
    return found


PLANTED = planted()
ALIASES = [
    *({"file_pattern": "*/aliased/*", "alias": s, "agent_id": a} for a in ("Judge", "Ada") for s in SPELLINGS[a]),
    {"file_pattern": "*/aliased/*", "pattern": "(?i)bob.*", "agent_id": "Bob"},
    {"file_pattern": "placed", "by_position": "true"},
    # Rows that do not fit: two names of one round, a name that two patterns have, and no regular expression.
    {"file_pattern": "misfits", "alias": "Judge 2", "agent_id": "Judge"},
    {"file_pattern": "misfits", "pattern": "a.*", "agent_id": "Ada"},
    {"file_pattern": "misfits", "pattern": ".*b", "agent_id": "Bob"},
    {"file_pattern": "misfits", "pattern": "(Cy", "agent_id": "Cy"},
]
#: Read by position: names that never meet; not where a round is shorter, or a known name stands elsewhere.
PLACED = [
    ("never", [panel("a b c", "AAB"), panel("d e f", "ABB"), panel("g h i", "BBB")], [(1, 1), (2, 1)]),
    ("partly", [panel("Judge Ada", "AA"), panel("judge Ada", "BA")], [(1, 1)]),
    ("shorter", [panel("a b c", "AAB"), panel("d e", "AB")], [(None, None)]),
    ("elsewhere", [panel("a b", "AA"), panel("c a", "AB")], [(None, None)]),
]
MISFITS = [
    ("both in place", [panel("Judge", "A") + panel("Ada", "A") + [("Judge 2", "A")]] * 2),
    ("both", [[("Ada", "A"), ("Judge", "A"), ("Judge 2", "A")], [("Judge 2", "B"), ("Judge", "A"), ("Ada", "A")]]),
    ("two patterns", [panel("Ada ab", "AA"), panel("ab Ada", "BA")]),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("agents")
    files = {
        "by_hand/by_hand": [line(q, p, **more) for q, p, more, _ in BY_HAND],
        "plain/plain": [line(q, p) for q, p, _ in PLANTED],
        "aliased/aliased": [line(q, p) for q, p, _ in PLANTED],
        "placed/placed": [line(q, p) for q, p, _ in PLACED],
        "misfits/misfits": [line(q, p) for q, p in MISFITS],
    }
    for name, lines in files.items():
        path = place / "data" / f"{name}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("".join(lines))
    # A feature matrix has no agents, and so none whose names could not meet.
    (place / "data" / "matrix").mkdir()
    (place / "data" / "matrix" / "matrix.csv").write_text(
        "question_id,collapsed,corrected,init_majority_correct,final_majority_correct,r1_majority_changed,r1_majority_correct\n"
        "q1,True,False,True,False,True,False\n"
    )
    (place / "seeds").mkdir()
    with (place / "seeds" / "agent_aliases.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["file_pattern", "alias", "pattern", "agent_id", "by_position", "reason"], restval="")
        writer.writeheader()
        writer.writerows(row | {"reason": "invented"} for row in ALIASES)
    return place


@pytest.fixture(scope="module")
def ledger(build: Build, folder: Path) -> Ledger:
    return build(folder / "data", topics="screen reparse localisation", seeds=folder / "seeds")


def flips(ledger: Ledger, cohort: str, question: str) -> list[tuple[int | None, int | None]]:
    return ledger.query(
        "select n_flipped_from_initial, n_flipped_from_previous from debate_rounds where cohort = ? and question_id = ? and round > 0"
        " order by round", cohort, question,
    )  # fmt: skip


@pytest.mark.parametrize("question, expected", [(q, e) for q, _, _, e in BY_HAND])
def test_flips_that_cannot_be_counted_are_null_and_all_others_are_counted(ledger: Ledger, question: str, expected: list) -> None:
    assert flips(ledger, "by_hand", question) == expected


def test_a_reason_stands_wherever_a_count_is_null(ledger: Ledger) -> None:
    assert ledger.query(
        "select distinct flips_unknown_reason, n_flipped_from_initial is null or n_flipped_from_previous is null from debate_rounds"
        " where round > 0 and cohort <> 'matrix' order by all"
    ) == [("agents_not_matched", True), (None, False)]
    assert ledger.query("select round, n_flipped_from_initial, flips_unknown_reason from debate_rounds where cohort = 'matrix'") == [
        (0, None, None),
        (1, None, None),
    ]


def test_under_aliases_every_planted_flip_comes_back(ledger: Ledger) -> None:
    for question, panels, expected in PLANTED:
        found = [initial for initial, _ in flips(ledger, "aliased", question)]
        assert found == expected, (question, panels)
    assert sum(sum(e) for _, _, e in PLANTED) > 60
    assert ledger.one("select count(*) from unmatched_agents where file_key = 'aliased'") == 0


def test_without_aliases_no_planted_flip_is_counted_as_none(ledger: Ledger) -> None:
    unknown = 0
    for question, _, expected in PLANTED:
        for (found, _), right in zip(flips(ledger, "plain", question), expected, strict=True):
            assert found in (None, right)
            unknown += found is None
    assert unknown > 80


def test_majorities_cells_and_onsets_do_not_depend_on_names(ledger: Ledger) -> None:
    columns = "question_id, coding_rule, endpoint, initial_state, final_state, cell, onset_round, n_agents"
    one, other = (ledger.query(f"select {columns} from debates where cohort = ? order by all", c) for c in ("plain", "aliased"))
    # The number of agents is that of the largest round where nobody knows.
    assert [row[:-1] for row in one] == [row[:-1] for row in other]
    assert all(row[-1] <= 3 for row in [*one, *other])
    changed = "select round, majority_changed_from_previous, majority from debate_rounds where cohort = ? order by question_id, round"
    assert ledger.query(changed, "plain") == ledger.query(changed, "aliased")


def test_texts_stand_beside_the_answers_of_their_agents(ledger: Ledger) -> None:
    n_slots = sum(len(p) for _, panels, _ in PLANTED for p in panels)
    for cohort in ("plain", "aliased"):
        found = ledger.query(
            "select n_slots, n_equal, n_disagree from reparse_agreement where cohort = ? and profile = 'robust' and coder_rule = 'all'",
            cohort,
        )
        assert found == [(n_slots, n_slots, 0)]


def test_rates_leave_rounds_without_known_flips_out(ledger: Ledger) -> None:
    n, known, flipped, unknown = ledger.query(
        "select n_debates, n_flipped_from_initial_n, n_flipped_from_initial, n_flips_unknown from round_ledger"
        " where cohort = 'plain' and round = 1"
    )[0]
    found = [initial for q, _, _ in PLANTED for initial, _ in flips(ledger, "plain", q)[:1]]
    assert (n, known, flipped) == (60, sum(f is not None for f in found), sum(f or 0 for f in found))
    assert known + unknown >= 60
    row = (
        "select n_usable, n_r1_flips_unknown, n_r1_any_flip, r1_any_flip_rate, n_r1_flipped_agents from initial_diversity where cohort = ?"
    )
    usable, left_out, any_flip, rate, agents_flipped = ledger.query(row, "plain")[0]
    assert left_out == sum(f is None for f in found) and rate == any_flip / (usable - left_out) and agents_flipped == flipped
    all_usable, none, any_flip, rate, agents_flipped = ledger.query(row, "aliased")[0]
    assert (all_usable, none) == (usable, 0) and rate == any_flip / usable
    assert agents_flipped == sum(e[0] for _, _, e in PLANTED)
    assert ledger.query("select distinct n_flips_unknown from localisation_aucs where cohort in ('plain', 'aliased') order by all") == [
        (0,),
        (left_out,),
    ]


def test_names_are_told_with_counts_and_proposals(ledger: Ledger) -> None:
    rows = ledger.query(
        "select agent, n_debates, n_debates_uncounted, proposed_agent, n_file_debates, n_file_debates_unknown, n_file_debates_uncounted"
        " from unmatched_agents where file_key = 'plain' and problem = 'unknown name'"
    )
    tally = agents.Tally()
    for _, panels, _ in PLANTED:
        tally.add([[n for n, _ in p] for p in panels])
    # What the build tells is what import and validate tell.
    assert {r[0]: r[1] for r in rows} == dict(tally.unknown)
    assert {r[4:] for r in rows} == {(60, tally.n_unknown, tally.n_uncounted)}
    assert {r[0]: r[3] for r in rows if r[3]} == {n: a for n, a in tally.proposed().items() if n in tally.unknown}
    groups = Counter(tally.proposed().values())
    assert sorted(groups.values()) == [4, 4, 4]
    assert all(name in spellings for name, agent in tally.proposed().items() for spellings in SPELLINGS.values() if agent in spellings)


@pytest.mark.parametrize("question, expected", [(q, e) for q, _, e in PLACED])
def test_names_that_never_meet_are_read_by_position_where_the_seed_says_so(ledger: Ledger, question: str, expected: list) -> None:
    assert flips(ledger, "placed", question) == expected


def test_aliases_that_do_not_fit_merge_nothing_and_are_told(ledger: Ledger) -> None:
    told = ledger.query(
        "select problem, agent, n_debates, first_line_number from unmatched_agents where file_key = 'misfits' order by problem, agent"
    )
    assert told == [
        ("name of two agents", "ab", 1, 3),
        ("two names of one agent in a round", "Judge", 2, 1),
        ("two names of one agent in a round", "Judge 2", 2, 1),
    ]
    assert [flips(ledger, "misfits", q) for q, _ in MISFITS] == [[(0, 0)], [(1, 1)], [(1, 1)]]
    assert ("agent_aliases", "misfits, (Cy, Cy") in ledger.query("select seed, seed_row from unmatched_seed_rows")


def test_show_and_doctor_tell_how_many_flips_are_not_counted(ledger: Ledger) -> None:
    text = ledger_text(ledger.published)
    n, m, k = ledger.query(
        "select sum(u), sum(n), sum(k) from (select distinct file_key, n_file_debates_unknown as u, n_file_debates as n,"
        " n_file_debates_uncounted as k from unmatched_agents)"
    )[0]
    assert f"{n} debates of {m} hold names of agents that earlier rounds do not know: flips of {k} of them are not counted" in text
    assert "Names of plain that may be of one agent, for seeds/agent_aliases.csv: {" in text
    assert "Names of by_hand that may be of one agent, for seeds/agent_aliases.csv: {Judge: [judge-agent]}." in text
    assert "seeds/agent_aliases.csv, name of two agents: ab" in text
    found = [f for f in doctor.findings(ledger.work) if "hold names of agents" in f.what]
    assert [f.what.split(":")[0] for f in found] == ["by_hand", "placed", "plain"]
    assert not any(f.is_loss for f in found)


def debate(*panels: Panel, **more: object) -> Debate:
    rounds = [[Agent(n, a) for n, a in p] for p in panels]
    return Debate("q", rounds, "A", "choice", "f.jsonl", 1, **more)  # type: ignore[arg-type]


def names(found: Debate) -> list[list[str]]:
    return [[a.agent_id for a in p] for p in found.rounds]


def test_aliases_of_a_mapping_give_agents_one_name() -> None:
    aliases = agents.read_aliases({"Judge": ["judge-agent", "JUDGE"], "ada": {"pattern": "ada.*"}, 7: "seven"}, "m.yml")
    found = agents.settled(debate(panel("Judge ada1 seven", "AAA"), panel("JUDGE ada 7", "AAA")), aliases)
    assert names(found) == [["Judge", "ada", "7"]] * 2
    assert found.agents == ("Judge", "ada", "7")


def test_two_spellings_in_one_round_are_a_conflict() -> None:
    aliases = agents.read_aliases({"Judge": ["JUDGE"]}, "m.yml")
    with pytest.raises(Bad, match="round 1: Judge and JUDGE would be one agent, Judge"):
        agents.settled(debate(panel("Judge", "A"), panel("Judge JUDGE", "AA")), aliases)


def test_a_name_of_two_patterns_is_told() -> None:
    aliases = agents.read_aliases({"a": {"pattern": "a.*"}, "b": {"pattern": ".*b"}}, "m.yml")
    with pytest.raises(Bad, match="the name ab fits the patterns of a and b"):
        agents.settled(debate(panel("ab", "A")), aliases)


@pytest.mark.parametrize(
    "value, part",
    [
        (["Judge"], "agents is a list"),
        ("by_place", "agents is a text"),
        ({"Judge": {"pattern": "("}}, "no regular expression"),
        ({"Judge": [None]}, "holds null"),
        ({"Judge": ["x"], "Ada": ["x"]}, "x is a spelling of two agents"),
        ({"Judge": ["Ada"], "Ada": []}, "Ada is a spelling of two agents"),
    ],
)
def test_aliases_that_are_wrong_are_told_with_the_file(value: object, part: str) -> None:
    with pytest.raises(ValueError, match=part) as error:
        agents.read_aliases(value, "m.yml")
    assert str(error.value).startswith("m.yml: ")


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ("Judge", "judge-agent", True), ("Judge", "JUDGE", True), ("Ada Lovelace", "ada_lovelace", True), ("JudgeAgent", "judge", True),
        ("gpt-4", "gpt-4-0301", True), ("judge_v2", "judge-agent", True), ("Agent 1", "agent_01", True), ("1", "1.0", True),
        ("agent1", "agent2", False), ("gpt-4-0301", "gpt-4-0613", False), ("1", "2", False), ("Ada", "Bob", False),
        ("judge", "juror", False),
    ],
)  # fmt: skip
def test_names_are_alike_by_case_blanks_hyphens_and_suffixes_alone(one: str, other: str, expected: bool) -> None:
    assert agents.are_alike(one, other) is expected
    assert agents.are_alike(other, one) is expected


def test_a_name_that_is_like_two_different_ones_has_no_proposal() -> None:
    assert agents.proposals({"agent": 5, "agent1": 3, "agent2": 3}) == {}
    assert agents.proposals({"Judge": 2, "judge": 5, "Ada": 1}) == {"Judge": "judge", "judge": "judge"}


def test_a_long_name_is_told_by_its_hash() -> None:
    tally = agents.Tally()
    tally.add([["a"], ["text " * 30]])
    assert "text" not in "".join(tally.told()) and "(name of 150 bytes" in "".join(tally.told())


TABLE = "item,turn,bot,vote,key\n" + "".join(
    f"q{i},{r},{b},{v},A\n"
    for i in range(3)
    for r, b, v in [(0, "Judge", "A"), (0, "ada1", "A"), (1, "judge-agent", "B"), (1, "ada2", "A")]
)
MAPPING = "columns: {question: item, round: turn, agent: bot, answer: vote, gold: key}\noptions: [A, B]\n"


def imported(folder: Path, mapping: str, *options: str, table: str = TABLE) -> tuple[str, list[dict], dict]:
    (folder / "votes.csv").write_text(table)
    (folder / "votes.yml").write_text(mapping)
    out = folder / "out.jsonl"
    run = CliRunner().invoke(
        main, ["import", "table", str(folder / "votes.csv"), "--map", str(folder / "votes.yml"), "--out", str(out), *options]
    )
    lines = [json.loads(text) for text in out.read_text().splitlines()] if out.exists() else []
    receipt = folder / "out.jsonl.receipt.json"
    return run.output, lines, json.loads(receipt.read_text()) if receipt.exists() else {}


def test_import_and_validate_tell_names_that_do_not_meet(tmp_path: Path) -> None:
    told, lines, receipt = imported(tmp_path, MAPPING)
    sentence = (
        "3 of 3 debates hold names of agents that earlier rounds do not know: judge-agent (3), ada2 (3); flips of 3 of them are not counted"
    )
    assert sentence in told and "agents: {Judge: [judge-agent]}" in told
    assert receipt["unknown_agents"] == {
        "debates": 3, "flips_not_counted": 3, "names": {"judge-agent": 3, "ada2": 3}, "proposed": {"judge-agent": "Judge"},
    }  # fmt: skip
    assert "agents" not in lines[0]
    run = CliRunner().invoke(main, ["validate", str(tmp_path / "out.jsonl")])
    assert run.exit_code == 0 and sentence in run.output


def test_import_gives_agents_one_name_by_the_mapping(tmp_path: Path) -> None:
    told, lines, receipt = imported(tmp_path, MAPPING + 'agents: {Judge: [judge-agent], ada: {pattern: "ada.*"}}\n')
    assert "earlier rounds" not in told and receipt["unknown_agents"]["debates"] == 0
    assert [[a["agent_id"] for a in p] for p in [lines[0]["initial_states"], *lines[0]["round_traces"]]] == [["Judge", "ada"]] * 2
    assert lines[0]["agents"] == ["Judge", "ada"]
    assert CliRunner().invoke(main, ["validate", str(tmp_path / "out.jsonl")]).exit_code == 0


@pytest.mark.parametrize("mapping, options", [("agents: by_position\n", ()), ("", ("--agents-by-position",))])
def test_import_reads_agents_by_position_where_it_is_told(tmp_path: Path, mapping: str, options: tuple[str, ...]) -> None:
    _, lines, _ = imported(tmp_path, MAPPING + mapping, *options)
    assert [[a["agent_id"] for a in p] for p in [lines[0]["initial_states"], *lines[0]["round_traces"]]] == [["Judge", "ada1"]] * 2


def test_import_tells_a_conflict_with_file_line_and_mend(tmp_path: Path) -> None:
    told, lines, receipt = imported(tmp_path, MAPPING + "agents: {Judge: [judge-agent, ada2]}\n")
    assert "votes.csv:2, record 1: round 1: judge-agent and ada2 would be one agent, Judge (two agents of a round are two" in told
    assert lines == [] or receipt["debates"]["rejected"] == 3
