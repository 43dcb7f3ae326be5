"""`ledger import messages`: flat message lists as AutoGen, AG2 and LangGraph write them, rounds by turn order, and a planted study."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from message_study import ABSENT, AGENTS, SPELLINGS, Planted, study, without_rounds
from test_importers import Imported, Panels, jsonl, panels, run, write

from debate_ledger import show
from debate_ledger.cli import main
from debate_ledger.doctor import MODELS, findings
from debate_ledger.importers.turns import BY_MODERATOR, BY_ORDER, BY_REPEAT, Turn, one_name, rounds_of
from debate_ledger.project import run_dbt

QUESTION = "Which burns?\nA) sand\nB) wood\nC) rain\nD) iron"


def said(*turns: tuple[str, Any], **more: Any) -> dict[str, Any]:
    """A record of messages, each (name, content)."""
    return {"id": "d1", "question": QUESTION, "answer": "B", "messages": [{"name": n, "content": c} for n, c in turns]} | more


def imported(tmp_path: Path, *records: Any, mapping: str = "", name: str = "chats.jsonl") -> Imported:
    log = jsonl(tmp_path / name, *records) if name.endswith(".jsonl") else write(tmp_path / name, records[0])
    return run(tmp_path, "messages", log, *(["--map", write(tmp_path / "map.yml", mapping)] if mapping else []))


# Rounds by turn order -----------------------------------------------------------------------------------------------------------------


def turns(text: str) -> list[Turn]:
    """Letters are agents, small ones calls that failed; | is a turn of a moderator."""
    found, is_break = [], False
    for character in text.replace(" ", ""):
        if character == "|":
            is_break = True
        else:
            found.append(Turn(character.upper(), character.islower(), is_break))
            is_break = False
    return found


@pytest.mark.parametrize(
    ("log", "rounds", "told"),
    [
        ("ABC ABC", "000111", None),
        ("ABC CAB BCA", "000111222", None),
        ("A A A", "012", None),
        # A call that failed holds its place, and one that was repeated at once is the same turn.
        ("AbC ABc aBC", "000111222", None),
        ("AbBC ABC", "0000111", None),
        ("AbbBC ABC", "00000111", None),
        # What follows a failed call begins a round in another order, where that leaves every agent one turn in each.
        ("Ab BA", "0011", None),
        ("ABc CAb BCA", "000111222", None),
        # After a moderator the same agent speaks in a new round.
        ("ABc | CAB", "000111", None),
        # An agent without a turn in the second round: its next one is not of that round.
        ("ABC BC ABC", "00011222", BY_ORDER),
        ("ABC | CB | BAC", "00011222", BY_MODERATOR),
        ("ABC | BC | ABC", "00011222", BY_MODERATOR),
        ("ABC AC ABC", "00011222", BY_ORDER),
        # A moderator between all turns, or within a round, ends none.
        ("A|B|C|A|B|C", "000111", None),
        ("ABC | A | BC", "000111", None),
        ("ABC | A | B", "00011", BY_ORDER),
        # Nothing tells which round C missed.
        ("ABC BA CBA", "00011122", BY_REPEAT),
        ("", "", None),
    ],
)
def test_rounds_by_turn_order(log: str, rounds: str, told: str | None) -> None:
    assert rounds_of(turns(log)) == ([int(r) for r in rounds], told)


def test_spellings_of_a_name_count_together_for_the_rounds_alone() -> None:
    names = ["Ada", "ada-agent", "ADA", "debater_1", "debater_2", "Debater 1", "gpt_v1", "gpt_v2", "red"]
    found = one_name(names)
    assert len({found[n] for n in ("Ada", "ada-agent", "ADA")}) == 1 and found["debater_1"] == found["Debater 1"]
    assert len({found[n] for n in ("Ada", "debater_1", "debater_2", "gpt_v1", "gpt_v2", "red")}) == 6


# Logs of the frameworks ---------------------------------------------------------------------------------------------------------------


def test_ag2_group_chat(tmp_path: Path) -> None:
    """Every speaker has the role user; the admin asks, the manager names letters, a tool is called: none of them debates."""
    chat = [
        {"content": QUESTION, "role": "user", "name": "Admin"},
        {"content": "(B)", "role": "user", "name": "Ada"},
        {"content": "(C)", "role": "user", "name": "Ben"},
        {"content": "I count (C) and (B).", "role": "user", "name": "chat_manager"},
        {"content": None, "role": "assistant", "name": "Ada", "tool_calls": [{"id": "1"}]},
        {"content": "the tool says (C)", "role": "tool", "name": "Ada", "tool_responses": [{"content": "x"}]},
        {"content": [{"type": "text", "text": "Still (B)."}, {"type": "image_url", "image_url": "x"}], "role": "user", "name": "Ada"},
        {"content": "(B) TERMINATE", "role": "user", "name": "Ben"},
    ]
    done = imported(tmp_path, {"chat_id": 7, "chat_history": chat, "summary": "(D)", "cost": {}}, mapping="gold: null\n")
    assert panels(done.lines[0]) == [{"Ada": "B", "Ben": "C"}, {"Ada": "B", "Ben": "B"}]
    assert done.lines[0]["debate_id"] == 7 and done.lines[0]["options"] == list("ABCD") and done.lines[0]["correct_label"] is None
    for told in ("Admin, who does not debate", "chat_manager, who does not debate", "call a tool", "of tools", "messages: chat_history"):
        assert told in done.errors
    # The messages alone, as a file of one list, and as an object of lists by identifier.
    for value in (chat, {"lamp": chat}, {"lamp": {"messages": chat}}, [{"messages": chat}]):
        again = imported(tmp_path, value, mapping="gold: null\n", name="chat.json")
        assert panels(again.lines[0]) == panels(done.lines[0]), value
        assert ("lamp" in value) == (again.lines[0].get("debate_id") == "lamp")
    lines = run(tmp_path, "messages", jsonl(tmp_path / "lines.jsonl", *chat))
    assert panels(lines.lines[0]) == panels(done.lines[0])


def test_autogen_team(tmp_path: Path) -> None:
    def message(source: str, content: Any, kind: str = "TextMessage") -> dict[str, Any]:
        return {"source": source, "models_usage": None, "content": content, "type": kind}

    messages = [
        message("user", QUESTION),
        message("debater_1", "(C)?", "ThoughtEvent"),
        message("debater_1", "(B)"),
        message("debater_2", [{"id": "c", "name": "look"}], "ToolCallRequestEvent"),
        message("debater_2", [{"content": "(D)", "call_id": "c"}], "ToolCallExecutionEvent"),
        message("debater_2", "(C)"),
        message("Moderator", "One says (C).", "TextMessage"),
        message("debater_2", "(B)"),
        message("debater_1", "(B)"),
        message("debater_1", "Transferred to (A)", "HandoffMessage"),
        message("Moderator", "Enough.", "StopMessage"),
    ]
    done = imported(tmp_path, {"id": 1, "answer": "B", "messages": messages, "stop_reason": None, "cost": float("nan")})
    assert panels(done.lines[0]) == [{"debater_1": "B", "debater_2": "C"}, {"debater_1": "B", "debater_2": "B"}]
    assert "agent: source" in done.errors and "rounds: by turn order" in done.errors and done.lines[0]["correct_label"] == "B"


def test_langgraph_states(tmp_path: Path) -> None:
    """Plain, serialised by constructor, and as {type, data}; human messages with a name are agents, those without one are the user."""

    def plain(kind: str, content: Any, name: str | None = None, **more: Any) -> dict[str, Any]:
        return {"content": content, "type": kind, "name": name, "response_metadata": {"model_name": "m"}, **more}

    messages = [
        plain("human", QUESTION),
        plain("ai", "(B)", "alpha"),
        plain("human", "(D)", "beta"),
        plain("system", "They say (D)."),
        plain("ai", "", "alpha", tool_calls=[{"name": "search"}]),
        plain("tool", "(A)", "search"),
        plain("ai", "(B)", "alpha"),
        plain("ai", "Next: (A).", "supervisor"),
        plain("ai", "(B) \ud835", "beta"),
        plain("ai", "I close with (A)."),
    ]
    wrapped = [{"lc": 1, "type": "constructor", "id": ["m"], "kwargs": m} for m in messages]
    data = [{"type": m["type"], "data": {k: v for k, v in m.items() if k != "type"}} for m in messages]
    for shape in (messages, wrapped, data):
        done = imported(tmp_path, [{"values": {"question": QUESTION, "key": "B", "messages": shape}, "thread_id": "t"}], name="state.json")
        assert panels(done.lines[0]) == [{"alpha": "B", "beta": "D"}, {"alpha": "B", "beta": "B"}]
        assert done.lines[0]["correct_label"] == "B" and done.lines[0]["model_name"] == "m"
        assert "messages without a name: left out (1)" in done.errors and "messages of the user: left out (1)" in done.errors


def test_rounds_errors_and_empty_replies(tmp_path: Path) -> None:
    """The round field rules, whatever the order; failed calls and empty replies are absent, a repeat counts, and each is told."""

    def message(name: str, content: Any, number: int, **more: Any) -> dict[str, Any]:
        return {"name": name, "content": content, "round": number, **more}

    messages = [
        message("Judge", "Options are (A) to (D).", 1),
        message("red", "(C)", 1),
        message("red", "(B)", 2, latency=float("nan")),
        message("blue", "", 1, error="Error code: 429 - Rate limit reached"),
        message("blue", "(C)", 1),
        message("green", "(B)", 1, error=None),
        message("blue", "", 2, error={"message": "timed out"}),
        message("green", "Error code: 429 - {'error': 'rate'}", 2),
        message("red", " ", 3),
        message("blue", "(B)", 3),
        message("blue", "Thank you all.", 3),
        message("green", "I cannot say.", 3),
    ]
    wanted: list[Panels] = [{"red": "C", "blue": "C", "green": "B"}, {"red": "B"}, {"blue": "B", "green": None}]
    record = {"id": "s", "question": QUESTION, "answer": "B", "messages": messages}
    done = imported(tmp_path, record)
    assert [dict(sorted(p.items())) for p in panels(done.lines[0])] == [dict(sorted(p.items())) for p in wanted]
    for told in (
        "first_round: 1", "calls that failed: absent (2)", "empty replies: absent", "message of a failed call: absent (1)",
        "the last that states an answer counts (1)", "messages of Judge, who does not debate: left out (1)",
    ):  # fmt: skip
        assert told in done.errors
    unparsed = imported(tmp_path, record, mapping="empty: unparsed\nmoderators: []\n")
    assert panels(unparsed.lines[0])[2]["red"] is None and "Judge" in panels(unparsed.lines[0])[0]
    named = imported(tmp_path, record, mapping='failed: [{pattern: "I cannot.*"}]\nplanned: 4\n')
    assert "green" not in panels(named.lines[0])[2] and named.lines[0]["n_agents"] == 4


def test_a_mapping_says_where_things_stand(tmp_path: Path) -> None:
    """Paths below others, aliases with patterns, moderators by pattern, options with their texts, and what tells runs apart."""
    turn = [
        {"from": {"id": "ada"}, "say": {"parts": ["(A)"]}, "at": {"turn": 1}, "by": "m1"},
        {"from": {"id": "bob-1"}, "say": {"parts": "The answer is (B)"}, "at": {"turn": 1}, "by": "m2"},
        {"from": {"id": "chair-9"}, "say": {"parts": "(A)"}, "at": {"turn": 1}, "by": "m3"},
        {
            "from": {"id": "ADA"},
            "say": {"parts": [{"type": "thinking", "thinking": "(A)"}, {"text": "(B)"}]},
            "at": {"turn": 2},
            "by": "m1",
        },
        {"from": {"id": "bob-2"}, "say": {"parts": "(B)"}, "at": {"turn": 2}, "by": "m2"},
    ]
    record = {"item": 5, "run": {"no": "r1"}, "log": {"all": turn}, "truth": "wood", "choices": ["sand", "wood"], "setting": "mixed"}
    mapping = """
messages: log.all
agent: from.id
content: say.parts
round: at.turn
first_round: 1
model: by
question_id: item
debate: run.no
gold: truth
options: choices
condition: setting
mode: null
moderators: [{pattern: "chair.*"}]
agents: {Ada: [ada, ADA], Bob: {pattern: "bob-[0-9]"}}
"""
    (record_out,) = imported(tmp_path, record, mapping=mapping).lines
    assert panels(record_out) == [{"Ada": "A", "Bob": "B"}, {"Ada": "B", "Bob": "B"}]
    wanted = {"question_id": "5", "debate_id": "r1", "correct_label": "B", "options": ["A", "B"], "model_name": "m1 + m2"}
    assert wanted.items() <= record_out.items()


# What is wrong ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ("messages: turns", "no list turns in the records; there are: id, question, answer, messages (correct messages in the mapping)"),
        ("agent: speaker", "no speaker for agent; there are: name, content"),
        ("content: text", "no text for content; there are: name, content"),
        ("round: step", "no step for round"),
        ("gold: label", "no label for gold; there are: id, question, answer, messages"),
        ("speaker: name", "'speaker' is no key of a mapping"),
        ("moderators: Judge", "moderators is a text; it has to be a list"),
        ('moderators: [{pattern: "("}]', "no regular expression"),
        ("moderators: [[x]]", "moderators holds a list"),
        ("first_round: -1", "first_round is no number of a round"),
        ("planned: 0", "planned is no number of agents"),
        ("empty: gone", "empty is absent or unparsed"),
        ("agents: {Ada: [x], Bob: [x]}", "x is a spelling of two agents"),
        ("[1]", "a mapping has keys"),
    ],
)
def test_a_wrong_mapping_is_one_message(tmp_path: Path, mapping: str, message: str) -> None:
    done = imported(tmp_path, *[said(("ada", "(A)"), ("bob", "(B)"), ("ada", "(B)"))] * 3, mapping=mapping)
    assert done.exit_code == 1 and done.receipt is None and not done.lines
    assert message in done.errors and done.errors.count("map.yml") == 1


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"id": 1, "question": "x"}, "no list of messages in the records; there are: id, question"),
        ({"id": 1, "messages": []}, "no list of messages in the records"),
        ({"messages": [{"role": "assistant", "content": "(A)"}]}, "nothing in the messages says who spoke; there are: role, content"),
        ({"messages": [{"name": "ada", "said": "(A)"}]}, "no list of messages"),
        ({"question": "x", "agent": "ada", "content": "(A)"}, "every record is one message; there are: question, agent, content"),
        (3, "no list of messages in the records; there are: a whole number"),
        (said(("user", "(A)"), ("judge", "(B)")), "no message of an agent that debates"),
        (said(("ada", "")), "no agent answered"),
        (said(("ada", {"thought": "x", "answer": "(B)"}), ("bob", "(A)"), ("cyd", "(A)")), "message 1: content is an object"),
        (said(("ada", 3), ("bob", "(A)"), ("cyd", "(A)")), "message 1: content is a whole number"),
        (said(("ada", "(A)"), ("bob", "(B)"), (1.5, "(A)")), "message 3: name is a number"),
        (said(("ada", "(A)"), answer="E"), None),
        (said(("ada", "(A)"), answer=None, question="Why?"), "nothing tells what kind of answer is asked for"),
        (said(("ada", "(A)"), answer=["B"]), None),
    ],
)
def test_records_that_do_not_fit(tmp_path: Path, record: Any, reason: str | None) -> None:
    """One reason, and no text of the log in it."""
    done = imported(tmp_path, record)
    if reason is not None:
        assert done.exit_code == 1 and len(done.reasons) == 1 and reason in done.reasons[0], done.reasons


def test_a_record_that_does_not_fit_rejects_itself_alone(tmp_path: Path) -> None:
    good = said(("ada", "(A)"), ("bob", "(B)"), ("ada", "(B)"), round=1)
    rounds = [{"name": n, "content": "(B)", "round": r} for n, r in (("ada", 0), ("bob", 0), ("ada", 1), ("bob", "later"))]
    lines = [json.dumps(good), '{"id": ', json.dumps(good | {"messages": "none"}), json.dumps(said(("x", "(A)")) | {"messages": ["text"]})]
    log = write(tmp_path / "chats.jsonl", "\n".join([json.dumps(said() | {"messages": rounds[:2]}), *lines[1:]]) + "\n")
    done = run(tmp_path, "messages", log)
    assert done.receipt["debates"] | {"without_key": 0} == {"read": 4, "written": 1, "rejected": 3, "without_key": 0}
    assert [r["line"] for r in done.receipt["rejections"]] == [2, 3, 4]
    done = imported(tmp_path, said() | {"messages": rounds})
    assert done.reasons == ["message 4: round is no number of a round"]
    broken = write(tmp_path / "chat.json", json.dumps([good, good])[:-30])
    done = run(tmp_path, "messages", broken)
    assert done.receipt["debates"]["written"] == 1 and done.receipt["debates"]["rejected"] == 1
    # Bare messages of which one is broken are no debate without it.
    lines = [json.dumps(m) for m in good["messages"]]
    done = run(tmp_path, "messages", write(tmp_path / "bare.jsonl", "\n".join([lines[0], lines[1][:-1], lines[2]])))
    assert done.exit_code == 1 and len(done.reasons) == 1


def test_mutated_logs_end_in_no_traceback(tmp_path: Path) -> None:
    """1,500 message logs with values, keys and bytes changed at random: read is written and rejected, and what is written is valid."""
    drawn = random.Random(16)
    seeds = [p.record for p in study(6, seed=1)] + [without_rounds(p.record) for p in study(3, seed=2)]
    odd: list[Any] = [
        None,
        "",
        0,
        -1,
        1.5,
        True,
        [],
        {},
        "(A)",
        [None],
        {"x": []},
        "\ud800",
        float("nan"),
        10**30,
        "Judge",
        ["a", {"text": 1}],
    ]

    def places(value: Any) -> list[tuple[Any, Any]]:
        inner = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
        return [(value, key) for key, _ in inner] + [place for _, v in inner for place in places(v)]

    def mutated(record: Any) -> Any:
        record = copy.deepcopy(record)
        for _ in range(drawn.randint(1, 4)):
            found = places(record)
            if not found:
                break
            where, key = drawn.choice(found)
            change = drawn.randrange(4)
            if change == 0:
                del where[key]
            elif change == 1 and isinstance(where, dict):
                where[drawn.choice(["name", "role", "error", "type", "x"])] = where.pop(key)
            else:
                where[key] = copy.deepcopy(drawn.choice(odd))
        return record

    n_read = 0
    for number in range(150):
        lines = [json.dumps(mutated(drawn.choice(seeds))) for _ in range(10)]
        if number % 5 == 0:
            lines[drawn.randrange(10)] = lines[0][: drawn.randrange(len(lines[0]))]
        text = "[" + ",".join(lines) + "]" if number % 3 == 0 else "\n".join(lines) + "\n"
        log = tmp_path / ("chats.json" if number % 3 == 0 else "chats.jsonl")
        log.write_text(text)
        # `Imported` checks that the counts add up and that the lines are valid.
        result = run(tmp_path, "messages", log)
        assert result.receipt is not None, result.output
        assert "Traceback" not in result.output
        n_read += result.receipt["debates"]["read"]
    assert n_read > 1000


# A planted study ----------------------------------------------------------------------------------------------------------------------

PLANTED = study(300, seed=20)
ALIASES = "agents:\n" + "".join(f"  {agent}: {json.dumps(names)}\n" for agent, names in SPELLINGS.items())


def as_planted(record: dict[str, Any]) -> list[list[str | None]]:
    return [[panel.get(agent, ABSENT) for agent in AGENTS] for panel in panels(record)]


@pytest.mark.parametrize("has_rounds", [True, False])
def test_a_study_comes_in_as_planted(tmp_path: Path, has_rounds: bool) -> None:
    """Four spellings of each agent, failed calls and empty replies; the judge, who is listed too, is no planned agent."""
    records = [p.record if has_rounds else without_rounds(p.record) for p in PLANTED]
    done = imported(tmp_path, *records, mapping=ALIASES)
    assert len(done.lines) == len(PLANTED) and done.reasons == []
    for record, planted in zip(done.lines, PLANTED, strict=True):
        assert as_planted(record) == planted.rounds and record["debate_id"] == planted.debate_id
    assert "earlier rounds do not know" not in done.errors


def test_without_aliases_the_import_says_what_is_not_counted(tmp_path: Path) -> None:
    for has_rounds in (True, False):
        done = imported(tmp_path, *(p.record if has_rounds else without_rounds(p.record) for p in PLANTED))
        # The rounds are right all the same: as many answers in each.
        for record, planted in zip(done.lines, PLANTED, strict=True):
            assert [sorted(str(a) for a in p.values()) for p in panels(record)] == [
                sorted(str(a) for a in r if a != ABSENT) for r in planted.rounds
            ]
        assert "hold names of agents that earlier rounds do not know" in done.errors and "are not counted" in done.errors
        assert "agents: {" in done.errors and done.receipt["unknown_agents"]["flips_not_counted"] > 250


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Work file of a build of the study, imported with aliases and without."""
    base = tmp_path_factory.mktemp("study")
    log = jsonl(base / "study.jsonl", *(without_rounds(p.record) for p in PLANTED))
    aliases = write(base / "map.yml", ALIASES)
    for cohort, extra in (("told", ["--map", str(aliases)]), ("untold", [])):
        (base / "data" / cohort).mkdir(parents=True)
        arguments = ["import", "messages", str(log), *extra, "--model", "m", "--out", str(base / "data" / cohort / f"{cohort}.jsonl")]
        assert CliRunner().invoke(main, arguments).exit_code == 0
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", "+debates", "+debate_rounds", *(f"+{m}" for m in MODELS)]
    assert run_dbt(only, data=base / "data", published=base / "none.duckdb", state=base / "state") == []
    return base / "state" / "work.duckdb"


def counted(planted: list[Planted]) -> dict[str, tuple[int, int | None]]:
    """Collapses with the sum of their onsets, and corrections, by the letters' rule between the first and the last round."""
    onsets, n_corrections = [], 0
    for p in planted:
        right = [None if (m := p.majority(r)) is None else m == p.key for r in range(len(p.rounds))]
        if right[0] is True and right[-1] is False:
            onsets.append(right.index(False))
        n_corrections += right[0] is False and right[-1] is True
    return {"collapse": (len(onsets), sum(onsets)), "correction": (n_corrections, None)}


def test_the_ledger_of_the_study_is_the_planted_one(work: Path) -> None:
    with duckdb.connect(str(work), read_only=True) as con:
        rows = con.execute(
            """
            select round, sum(n_parsed)::int, sum(n_absent)::int, sum(n_unparsed)::int,
                sum(n_flipped_from_initial)::int, sum(n_flipped_from_previous)::int
            from debate_rounds where cohort = 'told' group by round order by round
            """
        ).fetchall()
        cells = con.execute(
            """
            select cell, count(*), sum(onset_round)::int from debates
            where cohort = 'told' and coding_rule = 'alphabetical' and endpoint = 'last' group by all
            """
        ).fetchall()
    wanted = []
    for r in range(3):
        letters = [a for p in PLANTED for a in p.rounds[r]]
        flips = [sum(p.flips(r, against) for p in PLANTED) if r else None for against in (0, r - 1)]
        wanted.append((r, sum(a not in (None, ABSENT) for a in letters), letters.count(ABSENT), letters.count(None), *flips))
    assert rows == wanted
    found = {cell: (n, onsets) for cell, n, onsets in cells}
    assert {cell: found[cell] for cell in ("collapse", "correction")} == counted(PLANTED)


def test_without_aliases_flips_are_null_and_the_doctor_says_so(work: Path) -> None:
    """Not one flip less: a number that looks like a count of flips would be one of names that happen to agree."""
    with duckdb.connect(str(work), read_only=True) as con:
        rows = con.execute(
            """
            select count(*), count(n_flipped_from_previous), count(*) filter (where n_flipped_from_previous is null) as n_null,
                count(*) filter (where n_flipped_from_previous is null and flips_unknown_reason is null) as n_unexplained
            from debate_rounds where cohort = 'untold' and round > 0
            """
        ).fetchall()
        told = con.execute("select count(*) from debate_rounds where cohort = 'told' and n_flipped_from_previous is null and round > 0")
        assert told.fetchone() == (0,)
    ((n, n_counted, n_null, n_unexplained),) = rows
    # Two rounds of 300 debates, in which three names of four spellings each agree by chance in one of 64.
    assert n == 2 * len(PLANTED) and n_null == n - n_counted > 0.9 * n and n_unexplained == 0
    (finding,) = [f for f in findings(work) if "untold" in f.what and "earlier rounds do not know" in f.what]
    assert "flips of" in finding.what and "not counted" in finding.what and "agent_aliases.csv" in finding.mend
    assert not [f for f in findings(work) if f.what.startswith("told") and "earlier rounds do not know" in f.what]


def test_without_aliases_show_and_validate_say_so_too(work: Path) -> None:
    with duckdb.connect(str(work), read_only=True) as con:
        # In the published file the table is in main.
        con.execute("set search_path = 'reconciliation,main'")
        lines = "\n".join(show._unmatched_agents(con))
    assert "hold names of agents that earlier rounds do not know: flips of" in lines and "are not counted" in lines
    data = work.parents[1] / "data"
    said = {name: CliRunner().invoke(main, ["validate", str(data / name / f"{name}.jsonl")]).output for name in ("told", "untold")}
    assert "earlier rounds do not know" in said["untold"] and "earlier rounds do not know" not in said["told"]


def test_an_agent_whose_first_call_failed_was_there_from_the_start(tmp_path: Path) -> None:
    turns = [("ada", "(A)"), ("bob", "(B)"), ("cyd", "Error code: 429")] + [(n, "(B)") for n in ("ada", "bob", "cyd")]
    done = imported(tmp_path, said(*turns))
    assert done.lines[0]["agents"] == ["ada", "bob", "cyd"] and "unknown" not in done.errors
    assert panels(done.lines[0]) == [{"ada": "A", "bob": "B"}, {"ada": "B", "bob": "B", "cyd": "B"}]
    assert "agents" not in imported(tmp_path, said(*[(n, "(B)") for n in ("ada", "bob", "ada", "bob")])).lines[0]
