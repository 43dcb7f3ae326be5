"""What debates and probes took, where their rows come from, and what changed since the last published build."""

import json
from pathlib import Path

import duckdb
import pytest
from conftest import Build, Ledger
from lines import per_agent, states

from debate_ledger.publish import publish

USED = {"prompt_tokens": 100, "completion_tokens": 20, "cost": 0.001}


def with_usage(answers: str, usage: dict | None) -> list[dict]:
    return [{**s, **({"usage": usage} if usage else {})} for s in states(list(answers))]


def battery(agent: int, **extra: object) -> dict:
    """A dialect H line of eight replies."""
    replies = [
        {"strength": s, "social": social, "post_answer": "A", "revised": False, **dict(extra.get("reply", {}))}  # type: ignore[call-overload]
        for s in ("weak", "moderate", "strong", "very_strong")
        for social in (False, True)
    ]
    rest = {k: v for k, v in extra.items() if k != "reply"}
    return {
        "question_id": "q1", "condition": "default", "agent_idx": agent, "initial_answer": "A", "initial_correct": True,
        "correct_label": "A", "model_name": "p", "probe_results": replies, **rest,
    }  # fmt: skip


@pytest.fixture(scope="module")
def costs(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("costs") / "study"
    folder.mkdir()
    plain = per_agent("q1", "A", ["AAB", "AAB"], model_name="paid", backend="openrouter", timestamp="2026-01-02T03:04:05", total_cost=0.5)
    debates = [
        # Nine usages of three agents and two rounds; a total of 0 gives way to their sum.
        {**plain, "question_id": "q2", "initial_states": with_usage("AAB", USED), "total_cost": 0}
        | {"round_traces": [with_usage("AAB", USED), with_usage("ABB", USED)], "provider_resolved": "Acme", "timestamp": 1767322000},
        plain,
        {**plain, "question_id": "q3", "total_cost": None, "provider_resolved": "Acme"},
        # An agent who was not asked is no completion.
        {**plain, "question_id": "q4", "round_traces": [states({"1": "A", "3": "B"})], "provider_resolved": "Other"},
    ]
    probes = [
        battery(0, usage={"prompt_tokens": 900, "completion_tokens": 90}, reply={"usage": {"prompt_tokens": 1}}, total_cost=0.02),
        battery(1, reply={"usage": {"input_tokens": 50, "output_tokens": 5, "thinking_tokens": 7}}, backend="gemini_api"),
        battery(2, initial_usage=[{"input_tokens": 10, "output_tokens": 1, "cost": 0.25}], total_cost=0.0),
        # What no count and no cost can be is missing.
        battery(3, initial_usage=[{"input_tokens": 1e30, "output_tokens": -5}], total_cost=-1),
    ]
    free = [per_agent("q1", "A", ["AAB", "AAB"], model_name="free")]
    for name, rows in (("paid", debates), ("sa_causal_p", probes), ("free", free)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return build(folder.parent, topics="costs")


def test_a_lane_adds_up_what_its_lines_state(costs: Ledger) -> None:
    sql = (
        "select n_units, n_questions, n_completions, n_completions_n, n_usage, input_tokens, input_tokens_n, output_tokens,"
        " thinking_tokens, cost, cost_n, cost_per_unit, cost_per_completion, input_tokens_per_completion from cost_card where lane = ?"
    )
    total = 0.5 + 0.5 + 0.009
    assert costs.query(sql, "paid / paid") == [
        (4, 4, 9 + 6 + 6 + 5, 4, 9, 900, 1, 180, None, pytest.approx(total), 3, pytest.approx(total / 3), pytest.approx(total / 20), 100)
    ]  # fmt: skip
    # A usage of the whole line is about its nine completions, the others about as many as state one.
    assert costs.query(sql, "sa_causal_p / p") == [
        (4, 1, 36, 4, 9 + 8 + 1 + 1, 900 + 400 + 10, 3, 90 + 40 + 1, 56, pytest.approx(0.27), 2, 0.135, pytest.approx(0.27 / 18),
         pytest.approx(1310 / 18))
    ]  # fmt: skip
    assert costs.query(sql, "free / free") == [(1, 1, 6, 1, 0, None, 0, None, None, None, 0, None, None, None)]


def test_what_a_slice_takes(costs: Ledger) -> None:
    """Completions of the paper's Table 11 for 200 questions: 200 + 1,600, 1,800 + 14,400, and 3,000."""
    plans = dict(costs.query("select plan, n_completions from slice_costs where lane is null"))
    assert plans == {"alpha_lite": 200 + 1600, "full_screen": 1800 + 14400, "direct_debate": 3000}
    rows = costs.query("select plan, lane, cost, input_tokens from slice_costs where lane is not null order by all")
    assert rows == [
        ("alpha_lite", "sa_causal_p / p", pytest.approx(1800 * 0.27 / 18), pytest.approx(1800 * 1310 / 18)),
        ("direct_debate", "paid / paid", pytest.approx(3000 * 1.009 / 20), 300000),
        ("full_screen", "sa_causal_p / p", pytest.approx(16200 * 0.27 / 18), pytest.approx(16200 * 1310 / 18)),
    ]


def test_the_sources_say_where_rows_come_from(costs: Ledger) -> None:
    sql = (
        "select n_debates, n_batteries, first_recorded_at::varchar, last_recorded_at::varchar, n_recorded, backends, models, providers"
        " from provenance where file_key = ?"
    )
    assert costs.query(sql, "paid") == [
        (4, 0, "2026-01-02 02:46:40", "2026-01-02 03:04:05", 4, "openrouter", "paid", "Acme 2, Other 1")
    ]  # fmt: skip
    assert costs.query(sql, "sa_causal_p") == [(0, 4, None, None, 0, "gemini_api", "p", None)]
    assert costs.one("select sha256_prefix = left(sha256, 12) from provenance where file_key = 'free'") is True
    # What is read is no unread key.
    assert costs.query("select unread_key from unread_keys where unread_key like '%usage%' or unread_key like 'provider%'") == []


def test_what_changed_since_the_last_build_is_told(tmp_path: Path) -> None:
    con = duckdb.connect(str(tmp_path / "work.duckdb"))
    con.execute("create table raw_files as select 'a.jsonl' as file, repeat('a', 64) as sha256")
    con.execute(
        "create table model_ledger as select 'c' as cohort, 'm' as model, 2 as n_debates, 1 as n_collapse, 0.5 as conditional_collapse"
    )
    for table in ("raw_files", "model_ledger"):
        con.execute(f"comment on table {table} is 'T.'")
        for (column,) in con.execute("select column_name from duckdb_columns() where table_name = ?", [table]).fetchall():
            con.execute(f"comment on column {table}.{column} is 'C.'")
    target = tmp_path / "out" / "ledger.duckdb"
    relations = [("main", "raw_files"), ("main", "model_ledger")]

    def published() -> list[tuple]:
        publish(con, relations, target, {})
        with duckdb.connect(str(target), read_only=True) as copy:
            return copy.execute("from build_diff order by all").fetchall()

    assert published() == [("build", "earlier build", "none was published to this file", None, None, None)]
    assert published() == []
    con.execute("insert into raw_files values ('b.jsonl', repeat('b', 64)); update raw_files set sha256 = repeat('c', 64) where file < 'b'")
    con.execute("update model_ledger set n_debates = 5, conditional_collapse = null")
    assert published() == [
        ("file", "a.jsonl", "changed", "a" * 12, "c" * 12, None),
        ("file", "b.jsonl", "added", None, "b" * 12, None),
        ("headline", "c / m / conditional_collapse", "removed", "0.5", None, None),
        ("headline", "c / m / n_debates", "changed", "2", "5", 3),
        ("table", "raw_files", "changed", "1", "2", 1),
    ]
    target.write_bytes(b"no database")
    assert published() == [("build", "earlier build", "it cannot be read", None, None, None)]
