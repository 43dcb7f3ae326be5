"""The command line as a user runs it: a study in any folder, the doctor, a controller, exit codes."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result
from conftest import ROOT, Ledger
from lines import per_agent

from debate_ledger.cli import main
from debate_ledger.doctor import not_taken_up
from debate_ledger.project import ProjectError, merged_seed, overlay, project_root, read_seed, seed_keys


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_every_command_has_help_with_an_example() -> None:
    for name, command in main.commands.items():
        result = run(name, "--help")
        assert result.exit_code == 0 and "Example" in result.output, name
        assert command.help, name


def test_used_wrongly_is_2_and_failed_is_1(tmp_path: Path) -> None:
    assert run("nonsense").exit_code == 2 and run("simulate").exit_code == 2
    missing = run("show", tmp_path / "none.duckdb")
    assert missing.exit_code == 1 and "ledger build" in missing.output
    assert run("query", "select 1 from", "x.duckdb").exit_code == 1
    nowhere = run("build", "--data", tmp_path / "none", "--out", tmp_path / "p" / "l.duckdb")
    assert nowhere.exit_code == 1 and "is no folder" in nowhere.output
    (tmp_path / "folder.duckdb").mkdir()
    assert "is a folder" in run("build", "--data", tmp_path, "--out", tmp_path / "folder.duckdb").output
    assert "no query" in run("query", "").output
    assert "run ledger build" in run("publish", "--out", tmp_path / "l.duckdb").output


def test_show_and_query_print_tables(shipped: Ledger) -> None:
    shown = run("show", shipped.published)
    assert shown.exit_code == 0 and re.search(r"all models +stored @ last +6925 +0 +3458 +253 +816", shown.output)
    assert "sample controller" in shown.output and "of actions" in shown.output
    asked = run("query", "select count(*) as n from model_ledger where cohort = 'primary'", shipped.published)
    assert "6" in asked.output.splitlines()[2]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of its own, laid out by `ledger init`, with debates, actions and seeds."""
    folder = tmp_path_factory.mktemp("study")
    assert run("init", folder).exit_code == 0
    (folder / "data" / "pilot").mkdir()
    debates = [per_agent(f"q{i}", "A", ["AAB", "BBB"], model_name="lab/new-model") for i in range(12)]
    (folder / "data" / "pilot" / "run_7.jsonl").write_text("".join(json.dumps(d) + "\n" for d in debates))
    return folder


def test_init_keeps_what_is_there_and_its_seeds_are_only_examples(study: Path) -> None:
    for path in (study / "seeds").glob("*.csv"):
        columns, rows = read_seed(path)
        (shipped,) = (ROOT / "seeds").rglob(path.name)
        assert columns == read_seed(shipped)[0] and rows == []
        # An example whose comment sign goes is a row of the seed.
        commented = [line[2:] for line in path.read_text().splitlines() if line.startswith("# ")]
        assert any(line.count(",") >= len(columns) - 1 for line in commented)
    (study / "seeds" / "models.csv").write_text("mine")
    assert "models.csv" not in run("init", study).output and (study / "seeds" / "models.csv").read_text() == "mine"


def test_a_build_of_a_study_takes_its_seeds_and_leaves_the_clone_alone(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (study / "seeds" / "models.csv").write_text('# mine\nmodel,family,source\nnew-model,"Lab, new",added\n')
    (study / "seeds" / "model_aliases.csv").write_text("stored_model,model\nlab/new-model,new-model\n")
    (study / "seeds" / "gates.csv").write_text(
        "policy,gate,threshold,needs_answers,needs_probes,description\n"
        "always,always,,false,false,Mine.\nshield_0.10,question_flips,0.1,false,true,Mine.\n"
    )
    before = {p: p.stat().st_mtime_ns for p in (ROOT / "seeds").rglob("*")}
    out = study / "published" / "ledger.duckdb"
    # From the folder of the study, with relative paths.
    with monkeypatch.context() as there:
        there.chdir(study)
        result = run("build", "--data", "data", "--seeds", "seeds", "--out", "published/ledger.duckdb")
    assert result.exit_code == 0, result.output
    assert "Cohort pilot" in result.output and "Lab, new" in result.output
    assert before == {p: p.stat().st_mtime_ns for p in (ROOT / "seeds").rglob("*")}
    with duckdb.connect(str(out), read_only=True) as con:
        assert con.execute("select model, family, n_debates, n_collapse from model_ledger").fetchall() == [
            ("new-model", "Lab, new", 12, 12)
        ]
        assert con.execute("select count(*) from unmapped_lanes").fetchone() == (0,)
        # A row of the study takes the place of the shipped one with its key, the others stay.
        gates = dict(con.execute("select policy, description from gates").fetchall())
        assert gates["always"] == "Mine." and "shield_0.10" in gates and len(gates) == len(read_seed(ROOT / "seeds" / "gates.csv")[1]) + 1
    out.unlink()
    assert run("publish", "--out", out).exit_code == 0 and out.exists()


def test_seeds_that_cannot_join_say_why(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    with pytest.raises(ProjectError, match="is no folder"):
        overlay(project_root(), tmp_path / "none", tmp_path / "p")
    (seeds / "modles.csv").write_text("model\nx\n")
    with pytest.raises(ProjectError, match=r"modles\.csv: there is no seed of this name; there are .*models"):
        overlay(project_root(), seeds, tmp_path / "p")
    shipped = ROOT / "seeds" / "models.csv"
    for text, message in (
        ("model,famly\nx,y\n", "has no column famly"),
        ("# nothing\n\n", "names of the columns"),
        ("model,family,source\nx,y\n", "line 2: 2 cells under 3 columns"),
        ('model,family,source\n"x,y\n', "close every quote"),
        ("model,family,source\nx,y,z\nx,v,w\n", "two rows with the model x"),
    ):
        own = tmp_path / "models.csv"
        own.write_text(text)
        with pytest.raises(ProjectError, match=message):
            merged_seed(shipped, own, ("model",))
    assert seed_keys(project_root())["models"] == ("model",)
    assert "cohort_members" not in seed_keys(project_root())


def test_the_doctor_of_a_good_folder_finds_nothing_to_lose(study: Path, tmp_path: Path) -> None:
    assert run("doctor", study / "data", "--seeds", tmp_path / "none").exit_code == 1
    (tmp_path / "empty").mkdir()
    nothing = run("doctor", tmp_path / "empty")
    assert nothing.exit_code == 1 and "no file in it ends in .jsonl" in nothing.output
    (tmp_path / "empty" / "logs.ndjson").write_text("{}")
    (finding,) = not_taken_up(tmp_path / "empty")
    assert finding.what == "logs.ndjson: the file is not taken up" and finding.is_loss
    pretty = json.dumps([per_agent("q", "A", ["AAB", "BBB"])], indent=1)
    (tmp_path / "empty" / "pretty.jsonl").write_text(pretty)
    told = run("doctor", tmp_path / "empty").output
    assert (
        f"pretty.jsonl: none of its {len(pretty.splitlines())} lines is an object of its own" in told and "pretty.jsonl, line" not in told
    )
    assert finding.what in told
    result = run("doctor", study / "data")
    assert result.exit_code == 0 and "1 of 1 files land, with 12 lines" in result.output
    assert "the model lab/new-model is in no seed" in result.output


def test_a_controller_is_scored_without_a_build(study: Path, tmp_path: Path) -> None:
    actions = tmp_path / "mine.actions.jsonl"
    rows = [{"policy": "mine", "debate_key": f"run_7:{i}", "action": "freeze" if i < 4 else "keep"} for i in range(1, 13)]
    actions.write_text("".join(json.dumps(r) + "\n" for r in [*rows, {"policy": "mine", "debate_key": "run_7:99", "action": "keep"}]))
    result = run("score", actions, "--data", study / "data")
    assert result.exit_code == 0, result.output
    assert re.search(r"mine +pilot +read_panels @ last +12 +0 +3 +3 +0", result.output)
    assert "mine.actions, line 13: unmatched" in result.output and "Checklist of mine on pilot" in result.output
    assert run("score", tmp_path / "none.jsonl").exit_code == 1


def test_simulations_are_written(tmp_path: Path) -> None:
    assert "50 debates" in run("simulate", tmp_path / "d.jsonl", "--debates", 50).output
    assert "batteries of 5 questions" in run("simulate-probes", tmp_path / "sa_causal_s.jsonl", "--questions", 5).output
    assert len((tmp_path / "d.jsonl").read_text().splitlines()) == 50


def test_simulated_answers_are_lost_by_round(tmp_path: Path) -> None:
    out = tmp_path / "lost.jsonl"
    assert run("simulate", out, "--debates", 20, "--rounds", 2, "--unparsed", "0,1").exit_code == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    first = [a["answer"] for r in records for a in r["initial_states"]]
    assert sum(map(bool, first)) > 0.8 * len(first)
    assert not any(a["answer"] for r in records for panel in r["round_traces"] for a in panel)
    for wrong in ("1.5", "-0.1", "nan", "few", "0.1,"):
        refused = run("simulate", tmp_path / "none.jsonl", "--unparsed", wrong)
        assert refused.exit_code == 2 and "numbers from 0 to 1" in refused.output, wrong
    assert not (tmp_path / "none.jsonl").exists()


def test_the_wheel_carries_the_project(tmp_path: Path) -> None:
    """An installed package builds without a clone: models, macros, seeds, tests and shipped data are in the wheel."""
    clone = tmp_path / "clone"
    unwanted = shutil.ignore_patterns(
        ".venv", ".git", "target", "logs", "work", "published", "build", "*.egg-info", "__pycache__", ".*cache"
    )
    shutil.copytree(ROOT, clone, ignore=unwanted)
    script = "import sys; from setuptools.build_meta import build_wheel; print(build_wheel(sys.argv[1]))"
    made = subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=clone, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(tmp_path / made.stdout.splitlines()[-1]) as wheel:
        names = set(wheel.namelist())
    for part in ("models", "macros", "seeds", "analysis", "data", "tests/data", "tests/generic"):
        files = [p for p in (clone / part).rglob("*") if p.is_file()]
        assert files and {f"debate_ledger/project/{p.relative_to(clone)}" for p in files} <= names, part
    assert {"debate_ledger/report/page.html", "debate_ledger/report/page.js", "debate_ledger/schemas/reuse_card.schema.json"} <= names
    assert {"debate_ledger/project/dbt_project.yml", "debate_ledger/project/profiles.yml", "debate_ledger/cli.py"} <= names
