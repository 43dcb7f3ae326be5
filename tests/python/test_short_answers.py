"""The rule `short_answer`: SQL against a recount and the importers' numbers, and imported logs of every format in one ledger."""

import functools
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pytest
from click.testing import CliRunner
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from lines import line, per_agent
from test_importers import asked, change_logs, context, ford_row, inspect_log, jsonl, sample, write

from debate_ledger.cli import main
from debate_ledger.doctor import MODELS, findings
from debate_ledger.import_formats import FORMATS as IMPORT_FORMATS
from debate_ledger.importers import normalise_answer
from debate_ledger.project import run_dbt


@functools.cache
def rendered(text: str) -> str:
    """SQL of a text with the macros of the project, rendered by Jinja alone; a model is the table of its name."""
    names = ("labels", "panel_text", "answer_forms", "decisions", "unread")
    macros = "".join((ROOT / "macros" / f"{name}.sql").read_text() for name in names)
    return jinja2.Environment(extensions=["jinja2.ext.do"]).from_string(macros + text).render(ref=lambda name: name)


@functools.cache
def con() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def forms(labels: list[str]) -> dict[str, tuple[str, str, bool]]:
    """Normal form, sort key, and whether it is a number, of each label."""
    con().execute("create or replace temp table labels as select distinct unnest(?::varchar[]) as label", [labels])
    sql = rendered("{{ answer_forms('labels') }}")
    found = con().execute(f"select label, normal_form, sort_key, is_number from ({sql})").fetchall()
    return {label: tuple(rest) for label, *rest in found}


def decided(panels: list[tuple[list[str | None], str | None]]) -> list[tuple[str | None, bool | None, str | None]]:
    """(majority by meaning, whether it is the key, alphabetical majority) of each (answers, key), by the model int_panels itself."""
    rows = [(json.dumps(answers), key) for answers, key in panels]
    con().execute("create or replace temp table stg_panel_rounds (panel varchar, correct_label varchar)")
    con().executemany("insert into stg_panel_rounds values (?, ?)", rows)
    con().execute("create or replace temp table int_joined_panels as select '' as joined_panel, '' as correct_label where false")
    model = rendered((ROOT / "models" / "core" / "int_panels.sql").read_text())
    found = con().execute(f"select panel, correct_label, normalised_majority, normalised_correct, majority from ({model})").fetchall()
    by_panel = {(json.dumps(json.loads(panel)), key): (majority, right, first) for panel, key, majority, right, first in found}
    assert len(found) == len(set(rows)), "one row per distinct panel and key"
    return [by_panel[row] for row in rows]


# Answers of a known meaning, so that the recount reads nothing ----------------------------------------------------------------------------


def spellings(value: Fraction) -> st.SearchStrategy[str]:
    """Ways to write a number."""
    ways = [f"{value.numerator}/{value.denominator}", f"{2 * value.numerator}/{2 * value.denominator}"]
    ways += [f"\\frac{{{value.numerator}}}{{{value.denominator}}}", f" {value.numerator} / {value.denominator}"]
    if 1000 % value.denominator == 0:
        sign, (whole, rest) = "-" if value < 0 else "", divmod(int(abs(value) * 1000), 1000)
        plain = f"{whole}.{rest:03}"
        ways += [
            sign + plain,
            f"{sign}0{plain}",
            sign + plain.rstrip("0"),
            f"{sign}{whole:,}.{rest:03}",
            f"{sign}{plain}%",
            f"{sign}${plain}",
        ]
        ways += [f"{int(value * 1000)}e-3", f"{sign}.{rest:03}" if whole == 0 else f"{sign}{plain}."]
    return st.sampled_from(ways)


NUMBERS = st.sampled_from([Fraction(n, d) for n in (-1000, -10, -9, -2, -1, 0, 1, 2, 3, 9, 10, 1000, 12345) for d in (1, 2, 3, 7, 8, 10)])
WORDS = st.sampled_from(["yes", "no", "blue", "the red one", "5 km", "zebra", "é"])
#: (what it means, as it sorts; how it is written). Numbers come before words.
ANSWERS = st.one_of(
    NUMBERS.flatmap(lambda value: spellings(value).map(lambda text: ((0, value, ""), text))),
    WORDS.flatmap(lambda w: st.sampled_from([w, w.upper(), w.title(), f"  {w}\n", w.replace(" ", " \t ")]).map(lambda t: ((1, 0, w), t))),
)
AGENTS = st.lists(st.one_of(ANSWERS, st.just(((2, 0, ""), "")), st.just(((3, 0, ""), None))), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(AGENTS, st.one_of(st.none(), ANSWERS)), min_size=1, max_size=25))
def test_random_short_answers_have_the_majority_of_a_recount(drawn: list) -> None:
    """Votes per meaning; the most frequent, the smallest number or first word among equals; null where nobody was parsed."""
    # The key comes stripped from staging.
    found = decided([([text for _, text in agents], key and key[1].strip()) for agents, key in drawn])
    for (agents, key), (majority, right, _) in zip(drawn, found, strict=True):
        votes = Counter(meaning for meaning, text in agents if text)
        wanted = min(votes, key=lambda m: (-votes[m], m)) if votes else None
        told = None
        if majority is not None:
            told = (1, 0, majority) if wanted and wanted[0] == 1 else (0, Fraction(majority), "")
        assert told == wanted, (agents, majority)
        assert right == (None if wanted is None or key is None else wanted == key[0])


@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from([*"ABCDE", "", None]), min_size=1, max_size=7), st.sampled_from([*"ABCDE", None])), min_size=1
    )
)
@settings(max_examples=40, deadline=None)
def test_letters_come_out_as_by_the_alphabet(panels: list) -> None:
    for (_, key), (majority, right, first) in zip(panels, decided(panels), strict=True):
        assert majority == first
        assert right == (None if first is None or key is None else first == key)


@given(st.lists(st.text(alphabet="0123456789.,-+/%$ −eEx", min_size=1, max_size=10).filter(str.strip), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_a_number_in_sql_is_a_number_of_the_importers(texts: list[str]) -> None:
    """Both read the same texts as numbers and write them alike, and the sort key orders them by value."""
    # Powers of ten in quotients make long parts, which only Python reads.
    texts = [t for t in texts if not ("/" in t and "e" in t.lower())]
    found = forms(texts)
    for text in texts:
        normal_form, _, is_number = found[text]
        wanted = normalise_answer(text, "number")
        assert is_number == (wanted is not None), text
        assert wanted is None or normal_form == wanted
    numbers = sorted({(Fraction(form), key) for form, key, is_number in found.values() if is_number})
    assert [key for _, key in numbers] == sorted({key for _, key in numbers})
    assert all(key < "2" for _, key in numbers)


def test_decimals_of_any_length_are_exact() -> None:
    """Doubles would take these for equal, or 0.1 + 0.2 for another number."""
    texts = ["9007199254740993", "9007199254740992", "0.30000000000000004", "0.3", "1" + "0" * 300, "-1" + "0" * 300, "1e-300", "0"]
    # What goes on for ever against its first decimals, and negative numbers of which one begins like the other.
    texts += ["1/3", "0." + "3" * 29, "-1/3", "-0." + "3" * 29, "0.3333", "-0.5", "-0.55", "-1", "-12", "-1.5"]
    found = forms([*texts, "0.300", "9007199254740993.0"])
    assert found["0.300"][:2] == found["0.3"][:2] and found["9007199254740993.0"][:2] == found["9007199254740993"][:2]
    assert sorted(texts, key=lambda t: found[t][1]) == sorted(texts, key=Fraction)
    assert len({found[t][0] for t in texts}) == len(texts)


@pytest.mark.parametrize(
    "one, other, is_same",
    [
        ("9.0", "9", True), ("1,000", "1000", True), ("50%", "50", True), ("50%", "0.5", False), ("5 km", "5", False),
        ("5  KM", "5 km", True), ("-0", "0", True), ("3,5", "3.5", False), ("1/2", "0.5", True), ("\\boxed{9}", "9", True),
        ("$9$", "9", True), ("Yes", " yes", True), ("true", "yes", False), ("\\Pi", "\\pi", False), ("x", "X", True),
        ("1/0", "0", False), ("1e400", "1e401", False), ("9.", "9", True),
    ],
)  # fmt: skip
def test_what_is_the_same_answer(one: str, other: str, is_same: bool) -> None:
    found = forms([one, other])
    assert (found[one][0] == found[other][0], found[one][1] == found[other][1]) == (is_same, is_same)


def test_a_text_stays_as_long_as_it_is() -> None:
    """More than 100 bytes are published by their hash; white space that went would make a text short enough to be shown."""
    padded = "I was" + " " * 90 + "convinced"
    assert forms([padded, "I  was"])[padded][0] == padded and forms(["I  was"])["I  was"][0] == "i was"


def test_the_table_of_the_page_is_what_the_model_decides() -> None:
    page = (ROOT / "docs" / "coding_rules.md").read_text().partition("## Short answers")[2]
    rows = [[cell.strip() for cell in row.split("|")[1:4]] for row in page.splitlines() if row.startswith("|")][2:11]
    assert len(rows) == 9
    found = decided([(votes.split(", "), None) for votes, *_ in rows])
    assert [(alphabetical, short) for _, alphabetical, short in rows] == [(first, majority) for majority, _, first in found]


# Logs of every format in one ledger -------------------------------------------------------------------------------------------------------


def logs(folder: Path) -> list[tuple[Any, ...]]:
    """(format, path, options) of one invented log per format."""
    said = {
        # A tie of 10 and 9.0, then a round in which 9 leads, and a last one of which only the second agent is left, unparsed.
        "Thrice three?": [[context("10", "The answer is 9.0", None), context("9.0", "It is 9", "Hard to say")], 9],
        # 1,000 against 999: the alphabet would take 1000 first.
        "A thousand?": [[context("1,000", "999"), context("999", "1000.0"), context("no idea", "999")], "#### 1,000"],
    }
    told = [[["(B)", "(A)", None], ["(A)", "(A)", None]]]
    write(folder / "law_test_23.txt", "[True]\n1.0\n")
    turns: list[tuple[str, str | None]] = [("alpha", "(A)"), ("beta", "(B)"), ("alpha", "(B)")]
    agora = {"question": "Is the sky above us blue by day?", "answer": True, "agent_response": {
        "m-one": ["Answer: yes", "Answer: no"], "m-two": ["Answer: no", "Answer: no"],
    }}  # fmt: skip
    scored = [
        sample(1, epoch, f"ANSWER: {answer}") | {"choices": None, "target": "2", "scores": {"s": {"value": "C", "answer": answer}}}
        for epoch, answer in ((1, "10"), (2, "2.0"), (3, "-1/3"))
    ]
    words = {"doc_id": 0, "doc": {}, "target": "Blue", "resps": [["Answer: blue.", "Answer: Red", "It is hard\nto say"]]}
    # The kind label keeps spellings that a number would not have.
    table = "item,turn,bot,vote,key\n" + "".join(f"q,{r},{b},{v},9\n" for r, b, v in [
        (0, "ada", "9"), (0, "bob", "9.0"), (0, "cyd", "10"), (0, "dan", "10"),
        (1, "ada", "9"), (1, "bob", "9.0"), (1, "cyd", "8"), (1, "dan", "8"),
        (2, "ada", "9.00"), (2, "bob", "09"), (2, "cyd", "9"), (2, "dan", "10"),
    ])  # fmt: skip
    mapping = "columns: {question: item, round: turn, agent: bot, answer: vote, gold: key}\n"
    chat = [{"name": n, "content": f"The answer is {v}."} for n, v in (("ada", "7"), ("bob", "7.0"), ("ada", "8"), ("bob", "8.00"))]
    changed = "s1,m1,2,[1]\ns1,m2,10,[]\n", "s1,m1,1,10,2\n", "sample,correct_label,final_majority\ns1,2,\n"
    return [
        ("du", write(folder / "gsm_3_3.json", said)),
        ("dylan", jsonl(folder / "law_test_23.json", *told)),
        ("peer-review", write(folder / "gsm8k_debate.json", [asked(context("-1", "0"), context("0", "-1"), gold="0", question="1 - 1?")])),
        ("ford", jsonl(folder / "table" / "round1_1" / "weather_agreed.jsonl", ford_row("q", turns)).parents[1]),
        ("changes", change_logs(folder / "changed", *changed)),
        ("agora", write(folder / "agora_x.json", [agora])),
        ("inspect", write(folder / "log.json", inspect_log(*scored))),
        ("lm-eval", jsonl(folder / "samples_colours_2026-01-02T03-04-05.jsonl", words)),
        ("table", write(folder / "votes.csv", table), "--map", write(folder / "map.yml", mapping), "--kind", "label"),
        ("messages", jsonl(folder / "chats.jsonl", {"answer": 7, "question": "Three and four?", "messages": chat})),
    ]


#: By hand: kind of answer, majority of each round under alphabetical and short_answer (- is nobody parsed), (cell, onset) under each.
HAND: dict[str, tuple[str, list[str], list[str], tuple[str, int | None], tuple[str, int | None]]] = {
    # Start: 10 and 9 share the lead. Round 2 has one agent, who is unparsed; the other is absent.
    "du 1": ("number", ["10", "9", "-"], ["9", "9", "-"], ("unrepaired", None), ("collapse", 2)),
    "du 2": ("number", ["1000", "999"], ["999", "999"], ("collapse", 1), ("unrepaired", None)),
    "dylan 1": ("choice", ["A", "A"], ["A", "A"], ("preserved", None), ("preserved", None)),
    # The text "-1" stands before "0", and so does the number.
    "peer-review 1": ("number", ["-1", "-1"], ["-1", "-1"], ("unrepaired", None), ("unrepaired", None)),
    "ford 1": ("choice", ["A", "B"], ["A", "B"], ("collapse", 1), ("collapse", 1)),
    # 10 10, then 2 10.
    "changes 1": ("number", ["10", "10"], ["10", "2"], ("unrepaired", None), ("correction", None)),
    "agora 1": ("yes_no", ["no", "no"], ["no", "no"], ("unrepaired", None), ("unrepaired", None)),
    # Three answers, three votes: "-1/3" is first of both.
    "inspect 1": ("number", ["-1/3"], ["-1/3"], ("unrepaired", None), ("unrepaired", None)),
    "lm-eval 1": ("label", ["blue"], ["blue"], ("preserved", None), ("preserved", None)),
    # 9 9.0 10 10; 9 9.0 8 8; 9.00 09 9 10: letters count 10, 8 and the first of four; numbers count 9, the smaller of 8 and 9, 9.
    "messages 1": ("number", ["7", "8"], ["7", "8"], ("collapse", 1), ("collapse", 1)),
    "table 1": ("label", ["10", "8", "09"], ["9", "8", "9"], ("unrepaired", None), ("preserved", None)),
}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Work file of one build of the ten imports, and of lines of a cohort whose row in the seeds names the rule."""
    base = tmp_path_factory.mktemp("short")
    sources, data, seeds = base / "logs", base / "data", base / "seeds"
    (data / "short").mkdir(parents=True)
    seeds.mkdir()
    (seeds / "cohorts.csv").write_text(
        'cohort,coding_rule,endpoint,description\nshort,short_answer,last,"Numbers, invented."\ndata,alphabetical,last,The imports.\n'
    )
    imports = logs(sources)
    assert {i[0] for i in imports} == set(IMPORT_FORMATS) - {"probes"}
    for source_format, *arguments in imports:
        out = data / f"{source_format}.jsonl"
        result = CliRunner().invoke(main, ["import", source_format, *map(str, arguments), "--out", str(out)])
        assert result.exit_code == 0, result.output
    debate = per_agent("mine", "9.0", [["9", "7", "9.00"], ["7", "9,000", "9e3"], ["7", "7.0", "x"]]) | {"task_kind": "number"}
    (data / "short" / "mine.jsonl").write_bytes(line(debate))
    actions = [
        {"policy": p, "debate_key": "mine:1", **what}
        for p, what in {"says": {"action": "answer", "answer": "9e0"}, "keeps": {"action": "answer", "answer": "7.00"}}.items()
    ]
    (data / "short" / "says.actions.jsonl").write_bytes(b"".join(map(line, actions)))
    names = [*MODELS, "debates", "debate_rounds", "int_decisions", "int_action_outcomes", "int_replay_debates", "rule_sensitivity"]
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", *(f"+{name}" for name in names)]
    assert run_dbt(only, data=data, seeds=seeds, published=base / "none.duckdb", state=base / "state") == []
    return base / "state" / "work.duckdb"


def query(work: Path, sql: str, *parameters: Any) -> list[tuple]:
    with duckdb.connect(str(work), read_only=True) as con:
        return con.execute(sql, list(parameters)).fetchall()


@pytest.mark.parametrize("name", HAND)
def test_imported_debates_have_the_majorities_and_cells_worked_out_by_hand(imported: Path, name: str) -> None:
    kind, alphabetical, normalised, *cells = HAND[name]
    key = name.replace(" ", ":")
    rounds = query(imported, "select majority, normalised_majority from debate_rounds where debate_key = ? order by round", key)
    assert ([a or "-" for a, _ in rounds], [n or "-" for _, n in rounds]) == (alphabetical, normalised)
    sql = "select cell, onset_round from debates where debate_key = ? and coding_rule = ? and endpoint = 'last'"
    assert [query(imported, sql, key, rule) for rule in ("alphabetical", "short_answer")] == [[tuple(c)] for c in cells]
    assert query(imported, "select task_kind from staging.stg_debates where debate_key = ?", key) == [(kind,)]


def test_no_other_debate_came_in_and_the_keys_of_imports_are_known(imported: Path) -> None:
    assert {k for (k,) in query(imported, "select distinct debate_key from debates")} == {*(n.replace(" ", ":") for n in HAND), "mine:1"}
    assert query(imported, "select unread_key from reconciliation.unread_keys where file_key <> 'mine'") == []


def test_the_close_look_agrees_with_the_debates(imported: Path) -> None:
    sql = """
        select d.debate_key, i.round, i.answer, i.state from intermediate.int_decisions as i
        inner join intermediate.int_debates as n using (debate_id)
        inner join debates as d on d.debate_key = n.debate_key and d.coding_rule = i.coding_rule and d.endpoint = 'last'
        where i.coding_rule = 'short_answer' and (
            (i.round = 0 and (i.answer is distinct from d.initial_answer or i.state is distinct from d.initial_state))
            or (i.round = d.end_round and (i.answer is distinct from d.final_answer or i.state is distinct from d.final_state))
        )
    """
    assert query(imported, sql) == []


def test_the_doctor_says_which_rule_suits(imported: Path) -> None:
    told = [f for f in findings(imported) if "short_answer" in f.mend]
    # The ten imports lie in one folder, whose row in the seeds names the rule of letters; the cohort short has the other.
    # A panel that never debated is in a cohort of its own, under the rule of its folder.
    found, panel = told
    assert "data: 7 debates ask for number (5), yes_no (1), label (1)" in found.what and "alphabetical" in found.what
    assert "data [panel]: 2 debates ask for number (1), label (1)" in panel.what


def test_a_controllers_answer_is_read_like_the_panels(imported: Path) -> None:
    """mine: 9 9.00 against 7 at the start; 9,000 and 9e3 in round 1; 7 and 7.0 at the end, the key is 9.0."""
    sql = "select normalised_majority, normalised_changed_from_initial from debate_rounds where debate_key = 'mine:1' order by round"
    assert query(imported, sql) == [("9", None), ("9000", True), ("7", True)]
    sql = "select policy, outcome, is_other_answer from intermediate.int_action_outcomes where coding_rule = 'short_answer' order by policy"
    assert query(imported, sql) == [("keeps", "wrong", False), ("says", "right", True)]
    sql = "select coding_rule from rule_sensitivity where cohort = 'short' and is_cohort_rule and endpoint = 'last'"
    assert query(imported, sql) == [("short_answer",)]
    replayed = "intermediate.int_replay_debates where cohort = 'short' and coding_rule = 'short_answer'"
    sql = f"select r1_majority_changed, is_changed from {replayed}"
    assert query(imported, sql) == [(True, True)]
