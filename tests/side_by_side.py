"""Run the tests in two processes side by side; arguments are pytest's: ``python tests/side_by_side.py [-k …]``.

dbt, which builds the warehouses of the tests, spends most of its time in Python, so that threads of one process wait for each other while a
core is idle. Both processes collect every test; each test file is run by the one that comes to it first. One begins with the first file,
the other with the last, and they meet where they meet. What is built for the whole suite is built once (`shared`).

This file is a plugin of pytest too. `python -m pytest` alone runs every test in one process, in the usual order.
"""

from __future__ import annotations

import fcntl
import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

#: Environment: the folder that the processes share (none: this one is alone), and where this one begins, "front" or "back".
FOLDER, FROM = "LEDGER_TESTS_SIDE_BY_SIDE", "LEDGER_TESTS_FROM"


def is_alone() -> bool:
    """Whether no other process runs tests of this run."""
    return not os.environ.get(FOLDER)


@functools.cache
def claim(name: str) -> bool:
    """Whether what has this name is for this process: it is for the first one that asks, and stays so."""
    if is_alone():
        return True
    try:
        (Path(os.environ[FOLDER]) / f"{name}.claimed").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def shared(name: str, make: Callable[[], str]) -> str:
    """The text that ``make`` gives, made once: by the first process that asks, while others that ask wait for it."""
    if is_alone():
        return make()
    text = Path(os.environ[FOLDER]) / f"{name}.made"
    with text.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not text.exists():
            text.write_text(make())
    return text.read_text()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Turn the order of the files around for the process that begins at the back; within a file the order stays."""
    if os.environ.get(FROM) == "back":
        place = {path: i for i, path in enumerate(dict.fromkeys(item.path for item in items))}
        items.sort(key=lambda item: -place[item.path])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Pass over the tests of a file that another process has begun."""
    return None if claim(str(item.path).replace(os.sep, "_")) else True


def main(arguments: Sequence[str]) -> int:
    """Run both and print what the second one said after the first; 0 if both are well, else the exit code of one that is not."""
    command = [sys.executable, "-m", "pytest", "-p", "side_by_side", *arguments]
    if (os.cpu_count() or 1) < 2:
        return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode
    path = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as said:
        environment = os.environ | {FOLDER: folder, "PYTHONPATH": path}
        # One cache of what failed cannot be written by two.
        uncached = [*command, "-p", "no:cacheprovider"]
        back = subprocess.Popen(uncached, env=environment | {FROM: "back"}, stdout=said, stderr=subprocess.STDOUT)
        try:
            front = subprocess.run(command, env=environment | {FROM: "front"}, check=False)
            back.wait()
        finally:
            back.kill()
        said.seek(0)
        print("\nThe other half of the files:", said.read(), sep="\n", flush=True)
    return front.returncode or back.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
