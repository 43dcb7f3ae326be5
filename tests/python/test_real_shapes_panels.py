"""More of `test_real_shapes`: logs of Agora, EoT, Inspect, lm-eval and peer review, and the debates that must come out."""

from collections import Counter
from pathlib import Path

import duckdb
import pytest
from test_real_shapes import SHAPES, differences, expected, imported, spoilt, worked_out

from debate_ledger.importers.debate import text_id
from debate_ledger.project import run_dbt

EOT = "columns: {question: question, text: response_list, gold: answer}\nquestion_is_text: true\n"
FORMATS = {"agora": "agora", "eot": "table", "inspect": "inspect", "lm_eval": "lm-eval", "peer_review": "peer-review"}


def logs(tool: str, *patterns: str) -> list[Path]:
    """The logs of a tool, without the expectations."""
    return sorted(p for pattern in patterns for p in (SHAPES / tool).glob(pattern) if p.name != "expected.json")


def test_agora(tmp_path: Path) -> None:
    files = logs("agora", "*.json")
    lines, receipt = imported(tmp_path, "agora", *files)
    found = {(r["source_file"], r["question_id"]): r for r in lines}
    wanted = {
        (one["file"], text_id(Path(one["file"]).stem, one["question"]["text"])): one | {"names": one["agents"]} for one in expected("agora")
    }
    assert differences(found, wanted) == []
    assert receipt["debates"]["rejected"] == 0


@pytest.mark.parametrize("gzipped", [False, True])
def test_eot(tmp_path: Path, gzipped: bool) -> None:
    mapping = tmp_path / "eot.yml"
    mapping.write_text(EOT)
    files = logs("eot", "*.jsonl.gz" if gzipped else "*.jsonl")
    lines, receipt = imported(tmp_path, "table", *files, options=("--map", str(mapping)))
    found = {(r["source_file"], r["source_record"] - 1): r for r in lines}
    wanted = {(one["file"], one["question"]["index"]): one for one in expected("eot") if one["file"] in {f.name for f in files}}
    assert differences(found, wanted) == [] and receipt["debates"]["rejected"] == 0
    assert {r["mode"] for r in lines} == {"panel"}


def test_inspect(tmp_path: Path) -> None:
    files = logs("inspect", "*.json", "*.eval")
    lines, receipt = imported(tmp_path, "inspect", *files)
    found = {(r["source_file"], r["question_id"].rpartition("_")[2]): r for r in lines}
    wanted = {(one["file"], str(one["question"]["id"])): one for one in expected("inspect")}
    # Two right letters are no key of a debate; what was answered is the panel's all the same.
    several = [key for key, one in wanted.items() if one["rounds"] is None]
    assert [(found.pop(key)["no_key"], wanted.pop(key)["key"]) for key in several] == [("unread", None)]
    assert differences(found, wanted) == []
    assert receipt["debates"]["rejected"] == 0


def test_lm_eval(tmp_path: Path) -> None:
    lines, receipt = imported(tmp_path, "lm-eval", *logs("lm_eval", "*.jsonl"))
    found = {(r["source_file"], int(r["question_id"].rpartition("_")[2])): r for r in lines}
    assert len(found) == len(lines)
    wanted = {(one["file"], one["question"]["id"]): one for one in expected("lm_eval")}
    assert differences(found, wanted) == []
    assert receipt["debates"]["rejected"] == 0


def test_peer_review(tmp_path: Path) -> None:
    files = logs("peer_review", "*.json")
    lines, receipt = imported(tmp_path, "peer-review", *files)
    found = {(r["source_file"], r["source_record"] - 1): r for r in lines}
    wanted = {(one["file"], one["question"]["index"]): one for one in expected("peer_review")}
    assert differences(found, wanted) == []
    assert {key: r["mode"] for key, r in found.items()} == {
        key: {"single": "single_agent"}.get(one["mode"], one["mode"]) for key, one in wanted.items()
    }
    assert receipt["debates"]["rejected"] == 0


def test_the_ledger_has_the_majorities_that_were_worked_out(tmp_path: Path) -> None:
    """From the logs to the warehouse: the majority of each round, ties to the first label, and the key; no mode is in another's lane."""
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "eot.yml").write_text(EOT)
    wanted = Counter[tuple[str | None, tuple[tuple[str | None, int], ...]]]()
    for tool, source_format in FORMATS.items():
        files = logs(tool, "*.json", "*.jsonl", "*.jsonl.gz", "*.eval")
        imported(tmp_path, source_format, *files, options=("--map", str(tmp_path / "eot.yml")) if tool == "eot" else ())
        (tmp_path / "out.jsonl").rename(data / f"{tool}.jsonl")
        for one in expected(tool):
            if one["rounds"] is not None and one["file"] in {f.name for f in files}:
                parsed = [sorted(a for a in panel if a not in (None, "absent")) for panel in worked_out(one)]
                wanted[one["key"], tuple((max(p, key=p.count) if p else None, len(p)) for p in parsed)] += 1
    only = ["build", "--exclude-resource-type", "test", "unit_test", "--select", "+int_panel_rounds", "+rejected_lines", "+stg_debates"]
    assert run_dbt(only, data=data, published=tmp_path / "none.duckdb", state=tmp_path / "state") == []
    with duckdb.connect(str(tmp_path / "state" / "work.duckdb"), read_only=True) as con:
        found = con.execute(
            """
            select stg_debates.correct_label, list(struct_pack(m := majority, n := n_parsed) order by round)
            from intermediate.int_panel_rounds inner join staging.stg_debates using (debate_id)
            group by debate_id, stg_debates.correct_label
            """
        ).fetchall()
        assert con.execute("select count(*) from reconciliation.rejected_lines").fetchone() == (0,)
        modes = con.execute("select condition, mode from staging.stg_debates where source_file like '%1113.json' order by all").fetchall()
    landed = Counter((gold, tuple((r["m"], r["n"]) for r in rounds)) for gold, rounds in found)
    # The panel of two right letters has no key, and was not worked out.
    several = [row for row in landed - wanted if row[0] is None]
    assert len(several) == 1 and landed - wanted - Counter(several) == wanted - landed == Counter()
    assert len({mode for _, mode in modes}) == 5 and all(mode in condition for condition, mode in modes)


def spoilt_in_ways(folder: Path, tool: str, seeds: range) -> None:
    options = ()
    if tool == "eot":
        (folder / "eot.yml").write_text(EOT)
        options = ("--map", str(folder / "eot.yml"))
    for seed in seeds:
        spoilt(folder, tool, seed, FORMATS[tool], *options)


@pytest.mark.parametrize("tool", FORMATS)
def test_spoilt_logs_are_told(tmp_path: Path, tool: str) -> None:
    spoilt_in_ways(tmp_path, tool, range(20))


@pytest.mark.slow
@pytest.mark.parametrize("tool", FORMATS)
def test_thousands_of_spoilt_logs_are_told(tmp_path: Path, tool: str) -> None:
    spoilt_in_ways(tmp_path, tool, range(1000, 1600))
