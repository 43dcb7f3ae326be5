"""Logs of other tools are told by their shape: format, call, mapping. The help of each format has an example that runs."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import EXAMPLES, REAL, ROOT
from test_importers import ONE_OF_EACH, QUESTION, asked, context, jsonl, panels, put, run, write
from test_messages import PLANTED, as_planted, said

from debate_ledger.cli import main
from debate_ledger.import_command import OPTIONS_OF
from debate_ledger.import_formats import FORMATS
from debate_ledger.importers.sniff import foreign_logs, format_of


def formats(folder: Path) -> dict[str, str]:
    """File below a folder → format, of those that are logs of other tools."""
    return {p.relative_to(folder).as_posix(): f.source_format for f in foreign_logs(folder) for p in f.files}


@pytest.mark.parametrize("source_format", ONE_OF_EACH)
def test_a_log_of_each_format_is_told(tmp_path: Path, source_format: str) -> None:
    put(tmp_path, source_format)
    files = [name for name in ONE_OF_EACH[source_format][0] if not name.endswith(".yml")]
    if source_format == "table":
        # A table of two columns more than nothing.
        write(tmp_path / "x.csv", "item,bot,vote\nq1,ada,A\n")
    assert formats(tmp_path) == dict.fromkeys(files, source_format)


@pytest.mark.parametrize("source_format", FORMATS)
def test_the_example_of_the_help_is_recognised_and_comes_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source_format: str) -> None:
    """The call and the log that `ledger import FORMAT --help` shows, as they stand there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    result = CliRunner().invoke(main, ["import", source_format, "--help"])
    assert result.exit_code == 0
    example = FORMATS[source_format]
    assert example.call in result.output
    for name, text in example.files.items():
        write(tmp_path / name, text)
        assert name in result.output and all(f"  {line}\n" in result.output for line in text.splitlines())
    assert set(formats(tmp_path).values()) == {source_format}
    command, *arguments = shlex.split(example.call)
    done = CliRunner().invoke(main, arguments)
    assert command == "ledger" and done.exit_code == 0 and " 0 rejected" in done.output, done.output


@pytest.mark.parametrize("source_format", FORMATS)
def test_the_help_of_a_format_has_its_options_alone(source_format: str) -> None:
    shown = CliRunner().invoke(main, ["import", source_format, "--help"]).output
    for option, owners in OPTIONS_OF.items():
        assert (f"  {option} " in shown) == (source_format in owners), option
    for option in ("--out", "--profile", "--kind", "--model", "--keep-text"):
        assert f"  {option} " in shown


def test_formats_are_listed_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    shown = CliRunner().invoke(main, ["import", "--help"]).output
    assert all(f"  {name} " in shown for name in FORMATS)
    wrong = CliRunner().invoke(main, ["import", "nothing", "x.json", "--out", str(tmp_path / "x.jsonl")])
    assert wrong.exit_code == 2 and "no format is called 'nothing': du, dylan" in wrong.output
    assert CliRunner().invoke(main, ["import", "du", "--colour", "x"]).exit_code == 2


def test_options_may_stand_before_the_format(tmp_path: Path) -> None:
    log = write(tmp_path / "mmlu_1_1.json", ONE_OF_EACH["du"][0]["mmlu_1_1.json"])
    out = tmp_path / "out.jsonl"
    arguments = ["import", "--model", "du", "--keep-text", f"--out={out}", "--kind", "choice", "du", str(log)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert json.loads(out.read_text())["model_name"] == "du"


def invented() -> Iterator[tuple[str, Any, str | None]]:
    """(file, content, format) of shapes that are near to others; None where no format has them."""
    chat = said(("ada", "(A)"), ("bob", "(B)"), ("ada", "(B)"))
    yield "trials.json", [[[context("(A)", "(B)")], "B"]], "du"
    yield "lines.jsonl", {QUESTION: [[context("(A)")], "B"]}, "du"
    yield "contexts.json", [asked(context("(A)"))], "du"
    yield "some_debate.json", [asked(context("(A)"))], "peer-review"
    yield "one_row.json", [["(A)", None], ["(B)", "(A)"]], "dylan"
    yield "chat.json", chat["messages"], "messages"
    yield "by_id.json", {"one": chat["messages"], "two": chat["messages"]}, "messages"
    yield "roles.json", {"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "(A)"}]}, None
    yield "rows.jsonl", {"question": "Why?", "answer": "B", "response_list": ["It is (A), since it is.", "(B)"]}, "table"
    yield "votes.jsonl", {"item": "q", "agent": "ada", "vote": "A", "key": "B"}, "table"
    yield "pushed.jsonl", {"question": "Is it so?", "initial_answer": "yes", "final_answer": "no", "condition": "x"}, "probes"
    yield "settings.json", {"name": "pilot", "seed": 1}, None
    yield "numbers.csv", "a,b\n1,2\n", None
    yield "text.json", "Some words", None
    yield "broken.json", '{"a": ', None
    yield "empty.json", "", None


@pytest.mark.parametrize(("name", "content", "source_format"), list(invented()), ids=[name for name, *_ in invented()])
def test_shapes_that_are_near_to_others(tmp_path: Path, name: str, content: Any, source_format: str | None) -> None:
    path = jsonl(tmp_path / name, content) if name.endswith(".jsonl") else write(tmp_path / name, content)
    assert format_of(path) == source_format


def test_lines_that_land_are_no_logs_of_other_tools() -> None:
    folders = [ROOT / "data", *(f for f in (EXAMPLES, REAL / "dylan_mmlu_n3", REAL / "primary_cohort") if f.is_dir())]
    assert [formats(folder) for folder in folders] == [{}] * len(folders)


def test_real_logs_are_told() -> None:
    folder = REAL / "raw_logs"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}: the real logs are not part of a clone")
    found = formats(folder)
    logs = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.suffix in (".json", ".jsonl")}
    owners = {"debunc": "du", "dylan": "dylan", "eot": "table"}
    assert found == {name: owners[name.partition("/")[0]] for name in logs} and len(found) >= 7


def test_a_call_names_the_logs_of_a_folder(tmp_path: Path) -> None:
    """Files of one format in one folder make one call; a pattern takes the place of many, where it names them alone."""
    for number in range(5):
        write(tmp_path / "many logs" / f"mmlu_{number}_1.json", {QUESTION: [[context("(A)")], "B"]})
    (logs,) = foreign_logs(tmp_path)
    assert logs.call(Path("data")) == f"ledger import du '{tmp_path}/many logs'/*.json --out 'data/many logs_du.jsonl'"
    write(tmp_path / "many logs" / "settings.json", {"seed": 1})
    (logs,) = foreign_logs(tmp_path)
    assert shlex.split(logs.call(Path("data")))[3:8] == [str(p) for p in logs.named] and len(logs.named) == 5


def test_the_proposed_mapping_of_a_study_brings_it_in_as_planted(tmp_path: Path) -> None:
    """From the log alone: the places, who moderates, and the four spellings of each agent."""
    jsonl(tmp_path / "logs" / "study.jsonl", *(p.record for p in PLANTED))
    (logs,) = foreign_logs(tmp_path / "logs")
    assert logs.source_format == "messages" and logs.call(Path("data")).endswith("--map study.yml --out data/study.jsonl")
    done = run(tmp_path, "messages", *logs.named, "--map", write(tmp_path / "study.yml", logs.mapping))
    own = {"optimist": 0, "sceptic": 1, "field": 2}
    for record, planted in zip(done.lines, PLANTED, strict=True):
        found = [{own[a.casefold().replace("_", "-").replace("-", " ").split()[0]]: v for a, v in p.items()} for p in panels(record)]
        assert found == [{i: a for i, a in enumerate(r) if a != "absent"} for r in planted.rounds] and record["n_agents"] == 3
    assert "earlier rounds do not know" not in done.errors and as_planted(done.lines[0]) is not None


@pytest.mark.parametrize("name", ["votes.csv", "rows.jsonl"])
def test_a_proposed_mapping_of_a_table_brings_it_in(tmp_path: Path, name: str) -> None:
    table = "item,run,turn,bot,vote,key\nq1,1,0,ada,A,B\nq1,1,0,bob,B,B\nq1,1,1,ada,B,B\n"
    rows = [{"question_id": "q1", "round": r, "agent": a, "response": f"The answer is ({v}).", "answer": "B"} for r, a, v in (
        (0, "ada", "A"), (0, "bob", "B"), (1, "ada", "B"),
    )]  # fmt: skip
    (write(tmp_path / "logs" / name, table) if name == "votes.csv" else jsonl(tmp_path / "logs" / name, *rows))
    (logs,) = foreign_logs(tmp_path / "logs")
    assert logs.source_format == "table"
    done = run(tmp_path, "table", *logs.named, "--map", write(tmp_path / "map.yml", logs.mapping))
    assert [panels(r) for r in done.lines] == [[{"ada": "A", "bob": "B"}, {"ada": "B"}]] and done.lines[0]["correct_label"] == "B"


def test_the_doctor_names_the_call_and_tells_a_foreign_file_once(tmp_path: Path) -> None:
    jsonl(tmp_path / "logs" / "chats.jsonl", *(p.record for p in PLANTED[:5]))
    write(tmp_path / "logs" / "sub" / "mmlu_1_1.json", {QUESTION: [[context("(A)")], "B"]})
    write(tmp_path / "logs" / "mine.jsonl", (ROOT / "data" / "samples" / "sample_dialect_b.jsonl").read_text())
    result = CliRunner().invoke(main, ["doctor", str(tmp_path / "logs")])
    assert result.exit_code == 1
    assert f"ledger import du {tmp_path}/logs/sub/mmlu_1_1.json --out data/mmlu_1_1.jsonl" in result.output
    assert "--map chats.yml --out data/chats.jsonl" in result.output and "          moderators: [" in result.output
    # The lines of the chats that do not land, and the file that is skipped, are not told again.
    assert result.output.count("chats.jsonl") == 3 and result.output.count("mmlu_1_1.json") == 3
