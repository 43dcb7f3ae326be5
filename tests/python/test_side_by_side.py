"""Two processes side by side run every test once, and tell what either of them finds."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

FILE = """
import os, time
from pathlib import Path
import pytest
import side_by_side

@pytest.fixture(scope="session")
def once():
    return side_by_side.shared("once", lambda: make())

def make():
    with (Path(__file__).parent / "made.txt").open("a") as out:
        out.write("made\\n")
    time.sleep(0.5)
    return "made by one"

@pytest.mark.parametrize("i", range(3))
def test_it(once, i):
    with (Path(__file__).parent / "ran.txt").open("a") as out:
        out.write(f"{Path(__file__).stem} {i} {os.getpid()}\\n")
    time.sleep(0.1)
    assert once == "made by one" and (Path(__file__).stem, i) != FAILING
"""


def run(folder: Path, failing: tuple[str, int] | None = None, *arguments: str) -> subprocess.CompletedProcess:
    for letter in "abcdef":
        (folder / f"test_{letter}.py").write_text(FILE.replace("FAILING", repr(failing)))
    command = [sys.executable, str(ROOT / "tests" / "side_by_side.py"), "-q", "--rootdir", str(folder), *arguments, str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def ran(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """(file, test) in order, by process."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in (folder / "ran.txt").read_text().splitlines():
        file, i, process = line.split()
        found.setdefault(process, []).append((file, i))
    return found


def test_every_test_runs_once_and_a_file_in_one_process(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    by_process = sorted(ran(tmp_path).values())
    front, back = by_process
    every = [(f"test_{letter}", str(i)) for letter in "abcdef" for i in range(3)]
    # From the front in order, from the back file by file, and within a file in order.
    assert front == every[: len(front)]
    assert sorted(front + back) == every
    files = list(dict.fromkeys(file for file, _ in back))
    assert files == sorted(files, reverse=True)
    assert back == [(file, str(i)) for file in files for i in range(3)]
    assert (tmp_path / "made.txt").read_text() == "made\n"


@pytest.mark.parametrize("letter", ["a", "f"])
def test_a_failure_in_either_process_fails_the_run_and_is_shown(tmp_path: Path, letter: str) -> None:
    done = run(tmp_path, (f"test_{letter}", 1))
    assert done.returncode == 1
    assert f"FAILED test_{letter}.py::test_it[1]" in done.stdout


def test_a_run_without_a_test_is_no_success(tmp_path: Path) -> None:
    assert run(tmp_path, None, "-k", "nothing_of_this_name").returncode == 5
