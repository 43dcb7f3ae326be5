"""Release tiers: every column has one, open columns only are published, and no planted text is in an open column or a published byte."""

import copy
import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, Build, Ledger
from lines import line

from debate_ledger import build_diff, tiers
from debate_ledger.cards import write_cards
from debate_ledger.croissant import write_croissant
from debate_ledger.datasheet import write_datasheet
from debate_ledger.tiers import GATED, OPEN, load_manifest, tier_of, tier_problems, work_columns

MARK = "zqGATEDqz"
SAMPLES = ROOT / "data" / "samples"
#: Keys of the answers that a line may hold: text, or a list of texts, in every dialect.
ANSWER_KEYS = {
    "answer", "answers", "initial_answer", "initial_answers", "final_answer", "final_answers", "majority", "initial_majority",
    "majority_answer", "correct_label", "alt_answer", "post_answer", "probe_answer", "original_answer", "weighted_majority",
    "unweighted_majority", "initial_weighted_majority", "final_unweighted_answer",
}  # fmt: skip
#: Keys that tell an object of a line (a debate, a round, an agent, a probe) from a map whose keys are data.
OBJECT_KEYS = {
    "question_id",
    "answer",
    "answers",
    "final_answer",
    "agent_id",
    "agent_idx",
    "probe_type",
    "strength",
    "policy",
    "post_answer",
    "p_true",
}
#: Where texts of models stand in logs, and keys that nobody knows.
TEXT_KEYS = ("reasoning", "response", "raw_reply", "probe_text", "prompt", "error", "note_of_nobody")


class Planter:
    """Makes tokens and remembers where each was planted."""

    def __init__(self) -> None:
        self.places: dict[str, str] = {}

    def token(self, place: str) -> str:
        token = f"{MARK}{len(self.places):05d}"
        self.places[token] = place
        return token

    def text(self, place: str) -> str:
        """A text longer than any label that is published as it is."""
        return f"{self.token(place)} I was convinced by the argument of agent 2, since it was longer than the others and came with a proof."

    def texts_in(self, value: Any, place: str) -> Any:
        """The value with texts in every object: under known and unknown keys, short and long."""
        if isinstance(value, list):
            return [self.texts_in(item, place) for item in value]
        if not isinstance(value, dict):
            return value
        inner = {key: self.texts_in(item, f"{place}.{key}") for key, item in value.items()}
        if OBJECT_KEYS & set(value):
            inner |= {key: self.text(f"{place}.{key}") for key in TEXT_KEYS[::2]}
            inner |= {key: self.token(f"{place}.{key}") for key in TEXT_KEYS[1::2]}
            inner[self.text(f"{place}, a key")] = 1
            inner[f"{self.token(f'{place}, a short key')} said so"] = 1
        return inner

    def answers_in(self, value: Any, place: str) -> Any:
        """The value with a text in place of every answer and of the answer key."""
        if isinstance(value, list):
            return [self.answers_in(item, place) for item in value]
        if not isinstance(value, dict):
            return value
        out = {}
        for key, item in value.items():
            if key in ANSWER_KEYS and isinstance(item, str) and item:
                out[key] = self.text(f"{place}.{key}")
            elif key in ANSWER_KEYS and isinstance(item, list) and all(isinstance(x, str | None) for x in item):
                out[key] = [x and self.text(f"{place}.{key}") for x in item]
            else:
                out[key] = self.answers_in(item, f"{place}.{key}")
        return out


def samples() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for path in sorted(SAMPLES.glob("*.jsonl")):
        yield path.stem, [json.loads(text) for text in path.read_text().splitlines() if text.strip()]


def write_planted(folder: Path, planter: Planter) -> None:
    """Every dialect with planted texts: beside the answers, in place of the answers, in what is rejected, in what is no data."""
    folder.mkdir()
    for stem, records in samples():
        is_actions = "actions" in stem
        beside = [planter.texts_in(record, f"{stem} line {i}") for i, record in enumerate(records, 1)]
        (folder / f"{stem}.jsonl").write_bytes(b"".join(map(line, beside)))
        if not is_actions:
            instead = [planter.answers_in(record, f"{stem} answers, line {i}") for i, record in enumerate(records, 1)]
            (folder / f"{stem}_answers.jsonl").write_bytes(b"".join(map(line, instead)))
    first = {stem: records[0] for stem, records in samples()}
    broken = [
        line({**first["sample_dialect_b"], "reasoning": planter.text("cut short")})[:-40],
        planter.text("no JSON").encode() + b"\n",
        line([planter.text("a list")]),
        line(planter.text("a string")),
        line({"question_id": "q", "text": planter.text("no known shape")}),
        line({planter.text("no known shape, a key"): 1, "question_id": "q"}),
        line({planter.token("no known shape, a short key that is a text") + " it said": 1}),
        line({**first["sample_dialect_b"], "question_id": {"text": planter.text("question is an object")}}),
        line({**first["sample_dialect_a"], "correct_label": [planter.text("key is a list")]}),
        line({**first["sample_dialect_a"], "round_traces": planter.text("rounds are a text")}),
        line({**first["sample_dialect_a"], "round_traces": [planter.text("a round is a text")]}),
        line({**first["sample_dialect_h_vllm"], "probe_results": planter.text("replies are a text")}),
        line({**first["sample_dialect_h_vllm"], "probe_results": [planter.text("a reply is a text")]}),
        line({**first["sample_dialect_f"], "abc_debate": {"error": planter.text("error of a part")}}),
        line({**first["sample_dialect_f"], "standard_debate": {"error": planter.token("short error of a part")}}),
        line({**first["sample_dialect_f"], "standard_debate": planter.text("a part is a text")}),
        line({**first["sample_dialect_a"], "error": planter.text("error of a line")}),
    ]
    (folder / "broken.jsonl").write_bytes(b"".join(broken))
    probe = first["sample_dialect_h_vllm"]
    odd = copy.deepcopy(probe)
    odd["probe_results"][0] |= {"strength": planter.text("strength"), "strength_value": planter.text("value of a strength")}
    odd["probe_results"][1] |= {"social": planter.text("social"), "revised": planter.text("revised")}
    odd_probes = [
        {**probe, "condition": planter.text("condition")},
        {**probe, "agent_idx": planter.text("agent")},
        {**probe, "initial_correct": planter.text("flag"), "flip_rate": planter.text("rate")},
        odd,
    ]
    (folder / "odd_probes.jsonl").write_bytes(b"".join(map(line, odd_probes)))
    action = first["sample_controller.actions"]
    odd_actions = [
        {**action, "action": planter.text("action")},
        {**action, "action": "answer", "answer": planter.text("answer of an action")},
        {**action, "score": planter.text("score")},
        {**action, "split": planter.text("split")},
        {**action, "debate_key": planter.text("debate key of an action")},
    ]
    (folder / "odd.actions.jsonl").write_bytes(b"".join(map(line, odd_actions)))
    score = first["sample_verifier_eval"]
    odd_scores = [{**score, key: planter.text(f"{key} of an evaluation")} for key in score] + [
        {**score, "stage": planter.text("stage"), "pool": planter.text("pool")},
        {**score, "arm": planter.token("short arm of an evaluation")},
        {**score, "scored_at": planter.text("time of an evaluation"), "pair_id": "other"},
        {"record": planter.text("kind of a record")},
        {"record": "pair", "dataset": planter.text("data set of a record"), "pair_id": planter.text("pair of a record")},
    ]
    (folder / "odd_scores.jsonl").write_bytes(b"".join(map(line, odd_scores)))
    matrix = first["sample_dialect_m"]
    header = [*matrix, "reasoning"]
    rows = [",".join("" if v is None else str(v) for v in matrix.values()) + "," + planter.text("cell of a matrix").replace(",", ";")]
    (folder / "matrix.csv").write_text("\n".join([",".join(header), *rows]) + "\n")
    other = planter.token("header of a CSV that is no matrix"), planter.text("cell of a CSV that is no matrix").replace(",", ";")
    (folder / "other.csv").write_text("\n".join(other) + "\n")
    (folder / "no_text.jsonl").write_bytes(planter.text("a file that is no text").encode() + b"\xff\xfe\x00\n")


@pytest.fixture(scope="module")
def planted(build: Build, tmp_path_factory: pytest.TempPathFactory) -> tuple[Ledger, Planter]:
    planter = Planter()
    # Where the data lie on a machine is nobody's business either.
    folder = tmp_path_factory.mktemp(planter.token("path of the data folder")) / "texts"
    write_planted(folder, planter)
    return build(folder, audit="too"), planter


@pytest.fixture(scope="module")
def manifest(shipped: Ledger) -> dict[str, Any]:
    return load_manifest(shipped.manifest)


@pytest.fixture
def work(shipped: Ledger) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(shipped.work), read_only=True) as con:
        yield con


def found_tokens(con: duckdb.DuckDBPyConnection, schema: str, table: str, column: str) -> list[str]:
    """Tokens in the values of a column, whatever its type and whatever the case."""
    quoted = '"' + column.replace('"', '""') + '"'
    rows = con.execute(
        f"select distinct unnest(regexp_extract_all(({quoted})::varchar, ?)) from {schema}.{table} where ({quoted})::varchar ilike ?",
        [f"(?i){MARK}[0-9]*", f"%{MARK}%"],
    ).fetchall()
    return sorted(token for (token,) in rows)


@pytest.fixture(scope="module")
def tokens(planted: tuple[Ledger, Planter], manifest: dict[str, Any]) -> dict[tiers.Column, list[str]]:
    """The planted tokens in each column of the work file, where there are any."""
    with duckdb.connect(str(planted[0].work), read_only=True) as con:
        columns = work_columns(manifest, con)
        found = {c: found_tokens(con, c.schema, c.table, c.name) for c in columns}
    assert len(columns) > 1500
    return {c: here for c, here in found.items() if here}


# -- the tiers themselves --------------------------------------------------------------------------------------------------------


def test_every_column_has_a_tier_and_open_ones_only_are_published(manifest: dict[str, Any], work: duckdb.DuckDBPyConnection) -> None:
    assert list(tier_problems(manifest, work)) == []
    columns = work_columns(manifest, work)
    assert {c.schema for c in columns} == {"landing", "staging", "intermediate", "reconciliation", "main", "seeds"}
    assert {c.tier for c in columns} == {OPEN, GATED}
    gated = {str(c) for c in columns if c.tier == GATED}
    assert {"reconciliation.rejected_lines.rejected_text", "landing.raw_records.rejected_text", "landing.raw_files.path"} <= gated


def test_the_published_file_holds_what_the_manifest_says_and_no_other_column(
    manifest: dict[str, Any], shipped: Ledger, work: duckdb.DuckDBPyConnection
) -> None:
    published = tiers.published_relations(manifest)
    columns = [c for c in work_columns(manifest, work) if (c.schema, c.table) in published]
    found = shipped.query("select table_name, column_name from duckdb_columns() where not internal")
    # What changed since the last build is told by the publication itself, from columns that it publishes.
    assert set(found) == {(c.table, c.name) for c in columns} | {(build_diff.TABLE, name) for name in build_diff.COLUMNS}
    assert {c.tier for c in columns} == {OPEN}


def spoilt(change: Callable[[dict[str, Any]], object], manifest: dict[str, Any], name: str) -> dict[str, Any]:
    wrong = copy.deepcopy(manifest)
    change(next(node for node in wrong["nodes"].values() if node["name"] == name and node["resource_type"] == "model"))
    return wrong


def without_tier(node: dict[str, Any]) -> None:
    node["config"]["meta"].pop("tier")
    node.get("meta", {}).pop("tier", None)


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("onsets", without_tier, "main.onsets.cohort has no tier: add `tier: open` or `tier: gated` to the meta of onsets"),
        ("onsets", lambda node: node["config"]["meta"].update(tier="secret"), "main.onsets.cohort has the tier 'secret'"),
        (
            "onsets",
            lambda node: node["columns"]["cohort"].update(config={"meta": {"tier": "gated"}}),
            "main.onsets.cohort is gated and published",
        ),
        (
            "onsets",
            lambda node: node["columns"].update(gone={"name": "gone", "config": {"meta": {"tier": "open"}}}),
            "main.onsets.gone has a tier and is no column",
        ),
    ],
)
def test_a_wrong_tier_is_named(
    manifest: dict[str, Any], work: duckdb.DuckDBPyConnection, name: str, change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    assert any(sentence in problem for problem in tier_problems(spoilt(change, manifest, name), work))


def test_a_relation_that_dbt_does_not_know_is_named(manifest: dict[str, Any], tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "work.duckdb")) as con:
        con.execute("create table left_behind as select 1 as x")
        assert [p for p in tier_problems(manifest, con) if "left_behind.x is of a relation that dbt does not know" in p]


def test_a_file_that_is_no_manifest_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(ValueError, match="dbt parse"):
        load_manifest(tmp_path / "manifest.json")


def test_a_column_has_its_own_tier_before_that_of_its_model() -> None:
    node = {"config": {"meta": {"tier": "open"}}, "columns": {"x": {"config": {"meta": {"tier": "gated"}}}, "y": {"meta": {}}}}
    assert [tier_of(node, c) for c in ("x", "y", "z")] == ["gated", "open", "open"]
    assert tier_of({"config": {}, "columns": {}}, "x") is None


# -- planted texts ---------------------------------------------------------------------------------------------------------------


def test_texts_are_planted_in_every_dialect_and_reach_the_gated_columns(
    planted: tuple[Ledger, Planter], tokens: dict[tiers.Column, list[str]]
) -> None:
    ledger, planter = planted
    assert len(planter.places) > 1000
    dialects = set(itertools.chain.from_iterable((d or "").split(", ") for (d,) in ledger.query("select dialects from raw_files")))
    assert dialects >= set("ABCDEFGHIJKLM")
    reached = {str(c) for c in tokens if c.tier == GATED}
    # A search that finds nothing anywhere would prove nothing.
    assert {
        "reconciliation.rejected_lines.rejected_text",
        "staging.stg_debates.correct_label",
        "staging.stg_arms.error_text",
        "landing.raw_files.path",
    } <= reached
    assert len(ledger.query("select * from rejected_lines")) >= 12


def test_no_planted_text_is_in_an_open_column_of_any_layer(planted: tuple[Ledger, Planter], tokens: dict[tiers.Column, list[str]]) -> None:
    _, planter = planted
    leaks = {str(c): planter.places.get(MARK + re.sub(r"\D", "", found[0]), found[0]) for c, found in tokens.items() if c.tier == OPEN}
    assert leaks == {}


def test_what_agents_said_is_in_no_column_once_it_is_read(planted: tuple[Ledger, Planter], tokens: dict[tiers.Column, list[str]]) -> None:
    """Not even in a gated one: texts that stood where answers are read from leave the work file."""
    ledger, planter = planted
    place = re.compile(r"sample_dialect_[bcl] line \d+\.(initial_states|round_traces|round_states)\.(reasoning|response)")
    agents = {token for token, where in planter.places.items() if place.fullmatch(where)}
    assert len(agents) > 50
    assert ledger.work_query("select count(agent_texts), sum(n_agent_texts) > 50 from landing.raw_records") == [(0, True)]
    left = {
        str(c): planter.places[token]
        for c, found in tokens.items()
        for token in (MARK + re.sub(r"\D", "", text) for text in found)
        if token in agents
    }
    assert left == {}


def test_no_planted_text_is_in_the_published_file(planted: tuple[Ledger, Planter]) -> None:
    ledger, _ = planted
    assert MARK.lower().encode() not in ledger.published.read_bytes().lower()
    with duckdb.connect(str(ledger.published), read_only=True) as con:
        columns = con.execute("select table_name, column_name from duckdb_columns() where not internal").fetchall()
        # The bytes may be compressed, so the values are looked at too.
        leaks = [(t, c) for t, c in columns if found_tokens(con, "main", t, c)]
    assert len(columns) > 800 and leaks == []


def test_no_planted_text_is_in_a_parquet_file(planted: tuple[Ledger, Planter]) -> None:
    ledger, _ = planted
    files = sorted((ledger.published.parent / "parquet").glob("*.parquet"))
    assert len(files) == ledger.one("select count(*) from duckdb_tables()")
    for path in files:
        assert MARK.lower().encode() not in path.read_bytes().lower(), path.name
        for row in pq.read_table(path).to_pylist():
            assert MARK.lower() not in "\n".join(map(str, row.values())).lower(), path.name


def test_no_planted_text_is_in_cards_or_metadata(planted: tuple[Ledger, Planter], tmp_path: Path) -> None:
    ledger, _ = planted
    cards = write_cards(ledger.published, tmp_path / "cards")
    assert len(cards) > 20
    written = [*tmp_path.rglob("*.*"), write_croissant(ledger.published), write_datasheet(ledger.published)]
    for path in [*written, *ledger.published.parent.rglob("*")]:
        if path.is_file():
            assert MARK.lower().encode() not in path.read_bytes().lower(), path.name
