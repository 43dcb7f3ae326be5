"""What tells runs apart: columns of `debates`, lanes by condition, panels that did not debate, and the conditions of an import."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lines import line, per_agent

from debate_ledger.importers import Agent, Debate, Settings, Source
from debate_ledger.importers.run import import_with
from debate_ledger.importers.validate import problems
from debate_ledger.project import run_dbt

COLLAPSE, RIGHT = [["A", "A"], ["B", "B"]], [["A", "A"], ["A", "A"]]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The work file of a study in which three files hold several runs."""
    base = tmp_path_factory.mktemp("runs")
    data = base / "study"
    data.mkdir()
    files = {
        "plain": [per_agent("q1", "A", RIGHT), per_agent("q2", "A", COLLAPSE)],
        "conditions": [
            per_agent("q1", "A", COLLAPSE, condition="short"),
            per_agent("q1", "A", RIGHT, condition="long", task="law", n_agents=3, source_file="log.json", debate_id=7),
            per_agent("q1", "A", RIGHT),
            per_agent("q2", "A", RIGHT, condition=" "),
            per_agent("q2", "A", RIGHT, condition=None),
        ],
        "modes": [
            per_agent("q1", "A", RIGHT, mode="debate"),
            per_agent("q2", "A", RIGHT, mode="Multi-agent debate"),
            per_agent("q1", "A", RIGHT),
            per_agent("q1", "A", COLLAPSE, mode="single_agent"),
            per_agent("q1", "A", COLLAPSE, mode="single_agent", condition="hot"),
            per_agent("q1", "A", COLLAPSE, mode="self_correction", condition="hot"),
        ],
        "single": [per_agent("q1", "A", COLLAPSE, mode="single_agent", n_agents="2.0")],
        "named": [per_agent("q1", "A", RIGHT, condition="cot"), per_agent("q1", "A", RIGHT), per_agent("q1", "A", RIGHT, condition="tot")],
        "long": [per_agent("q1", "A", RIGHT, condition="I was convinced by the longest argument of all. " * 3)],
    }
    for name, records in files.items():
        (data / f"{name}.jsonl").write_bytes(b"".join(map(line, records)))
    seeds = base / "seeds"
    seeds.mkdir()
    (seeds / "lane_models.csv").write_text(
        "file_key,stored_model,condition,model,reason\nnamed,,cot,m with thoughts,x\nnamed,,,m alone,x\nnamed,m,tot,m with a tree,x\n"
    )
    (seeds / "cohort_members.csv").write_text(
        "cohort,file_pattern,model_pattern,condition_pattern,is_included,reason\n"
        "short runs,conditions,*,short,true,x\nall runs,modes,*,,true,x\n"
    )
    (seeds / "cohorts.csv").write_text(
        'cohort,coding_rule,endpoint,description\nall runs,short_answer,r1,x\n"all runs [single_agent]",strict_plurality,last,x\n'
    )
    wanted = ["+debates", "+cohort_ledger", "+duplicate_debates", "+unread_keys", "+cohort_lanes"]
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", *wanted]
    assert run_dbt(only, data=data, seeds=seeds, published=base / "none.duckdb", state=base / "state") == []
    with duckdb.connect(str(base / "state" / "work.duckdb"), read_only=True) as con:
        yield con


def test_a_lane_is_a_file_a_model_and_a_condition(study: duckdb.DuckDBPyConnection) -> None:
    lanes = dict(study.execute("select lane, n_debates from intermediate.int_lanes").fetchall())
    hashed = next(lane for lane in lanes if lane.startswith("long"))
    assert hashed.startswith("long / m [(label of 143 bytes, ")
    assert lanes == {
        "plain / m": 2,
        "conditions / m [short]": 1,
        "conditions / m [long]": 1,
        "conditions / m": 3,
        "modes / m": 3,
        "modes / m [single_agent]": 1,
        "modes / m [hot; single_agent]": 1,
        "modes / m [hot; self_correction]": 1,
        # A file of one run keeps the lane that it had.
        "single / m": 1,
        "named / m": 1,
        "named / m [cot]": 1,
        "named / m [tot]": 1,
        hashed: 1,
    }


def test_what_tells_runs_apart_stands_beside_every_debate(study: duckdb.DuckDBPyConnection) -> None:
    columns = "source_file, mode, task, condition, planned_agents, source_debate_id"
    found = dict(study.execute(f"select debate_key, ({columns}) from debates where coding_rule = 'alphabetical'").fetchall())
    assert found["plain:1"] == (None,) * 6
    assert found["conditions:2"] == ("log.json", None, "law", "long", 3, "7")
    assert found["conditions:4"] == found["conditions:5"] == (None,) * 6
    assert found["modes:2"] == (None, "Multi-agent debate", None, None, None, None)
    assert found["single:1"] == (None, "single_agent", None, None, 2, None)
    assert study.execute("select unread_key from reconciliation.unread_keys where unread_key <> 'reasoning'").fetchall() == []


def test_the_same_question_in_two_runs_is_no_duplicate(study: duckdb.DuckDBPyConnection) -> None:
    twice = "select debate_key from reconciliation.duplicate_debates where kind = 'same question in a lane' order by all"
    assert [k for (k,) in study.execute(twice).fetchall()] == ["conditions:4", "conditions:5"]


def test_panels_that_did_not_debate_are_pooled_with_no_debates(study: duckdb.DuckDBPyConnection) -> None:
    """They are in a cohort of their own beside that of their seeds or folder, under its rule unless they have one of their own."""
    found = study.execute(
        "select distinct cohort, lane, coding_rule, endpoint from cohort_lanes where file_key in ('modes', 'single') and is_included"
    ).fetchall()
    assert sorted(found) == [
        ("all runs", "modes / m", "short_answer", "r1"),
        ("all runs [self_correction]", "modes / m [hot; self_correction]", "short_answer", "r1"),
        ("all runs [single_agent]", "modes / m [hot; single_agent]", "strict_plurality", "last"),
        ("all runs [single_agent]", "modes / m [single_agent]", "strict_plurality", "last"),
        ("study [single_agent]", "single / m", "read_panels", "last"),
    ]
    collapses = dict(study.execute("select cohort, (n_debates, n_collapse) from cohort_ledger").fetchall())
    assert collapses["all runs"] == (3, 0)
    assert collapses["all runs [single_agent]"] == (2, 2)
    assert collapses["study [single_agent]"] == (1, 1)
    # Nor in a sum over cohorts that have no seeds: the folder's own holds debates alone.
    modes = "select distinct mode from debates where cohort in ('study', 'all runs') order by all"
    assert study.execute(modes).fetchall() == [("Multi-agent debate",), ("debate",), (None,)]


def test_seeds_name_lanes_by_condition(study: duckdb.DuckDBPyConnection) -> None:
    models = dict(study.execute("select lane, model from intermediate.int_lanes where file_key = 'named'").fetchall())
    assert models == {"named / m": "m alone", "named / m [cot]": "m with thoughts", "named / m [tot]": "m with a tree"}
    short = study.execute("select lane from cohort_lanes where cohort = 'short runs' and is_included").fetchall()
    assert short == [("conditions / m [short]",)]


def debate(question: str = "q", **told: Any) -> Debate:
    panel = [Agent("a", "A"), Agent("b", "B")]
    return replace(Debate(question, [panel, panel], "A", "choice", "log.json", 1), **told)


def imported(folder: Path, debates: list[Debate], name: str = "out.jsonl") -> list[dict[str, Any]]:
    """Lines that an import of these debates writes."""
    log, out = folder / "log.json", folder / name
    log.write_text("[]")

    def read(source: Source) -> Iterator[Debate]:
        source.used(log)
        yield from (replace(d, record=number) for number, d in enumerate(debates, start=1))

    receipt = import_with(read, "test", Source([log], Settings()), out)
    written = json.loads(receipt.path.read_text())
    lines = [json.loads(text) for text in (gzip.decompress if name.endswith(".gz") else bytes)(out.read_bytes()).splitlines()]
    assert written["output"]["lines"] == len(lines)
    assert [p for record in lines for p in problems(record)] == []
    assert sorted(p.name for p in folder.iterdir()) == sorted({"log.json", out.name, receipt.path.name})
    return lines


@pytest.mark.parametrize(
    ("debates", "wanted"),
    [
        ([debate(), debate()], [None, None]),
        ([debate(mode="debate", task="law", n_agents=3)] * 2, [None, None]),
        # The only condition of an import tells nothing apart.
        ([debate(condition="long")] * 2, [None, None]),
        ([debate(condition="long"), debate(condition="short")], ["long", "short"]),
        ([debate(mode="debate"), debate(mode="single_agent")], ["debate", "single_agent"]),
        ([debate(n_agents=3), debate(n_agents=1), debate(n_agents=3)], ["3 agents", "1 agent", "3 agents"]),
        # What is the same everywhere is not in it, nor what a line does not say.
        ([debate(task="law", n_agents=4, mode="debate"), debate(task="art", mode="debate"), debate(mode="debate")],
         ["law; 4 agents", "art", None]),
        ([debate(mode="debate", condition="x"), debate(mode="solo", condition="x"), debate(mode="solo", task="art", condition="y")],
         ["debate; x", "solo; x", "solo; art; y"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_an_import_of_several_runs_says_which_is_which(tmp_path: Path, debates: list[Debate], wanted: list[str | None], name: str) -> None:
    lines = imported(tmp_path, debates, name)
    assert [record.get("condition") for record in lines] == wanted
    # Nothing else changes, and the same debates give the same bytes.
    for record, found in zip(lines, debates, strict=True):
        assert (record.get("mode"), record.get("task"), record.get("n_agents")) == (found.mode, found.task, found.n_agents)
    once = (tmp_path / name).read_bytes()
    imported(tmp_path, debates, name)
    assert (tmp_path / name).read_bytes() == once


def test_the_receipt_says_what_the_conditions_are_made_of(tmp_path: Path) -> None:
    imported(tmp_path, [debate(mode="debate", n_agents=3), debate(mode="single_agent", n_agents=3)])
    assert json.loads((tmp_path / "out.jsonl.receipt.json").read_text())["conditions_by"] == ["mode"]
