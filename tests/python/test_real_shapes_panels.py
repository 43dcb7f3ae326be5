"""More of `test_real_shapes`: logs of Agora, EoT, Inspect, lm-eval and peer review, and the debates that must come out."""

import importlib.util
from pathlib import Path

import pytest
from test_real_shapes import SHAPES, differences, expected, imported, spoilt

from debate_ledger.importers.debate import text_id

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
    has_reader = importlib.util.find_spec("inspect_ai") is not None
    files = logs("inspect", "*.json", *(["*.eval"] if has_reader else []))
    lines, receipt = imported(tmp_path, "inspect", *files)
    found = {(r["source_file"], r["question_id"].rpartition("_")[2]): r for r in lines}
    wanted = {(one["file"], str(one["question"]["id"])): one for one in expected("inspect") if one["file"] in {f.name for f in files}}
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
