"""One dbt in each process builds the warehouses of its test files; each build has its own data folder and published file."""

import fcntl
import functools
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.cli.main import dbtRunner

from debate_ledger.project import overlay

ROOT = Path(__file__).parents[2]
#: Real debates that are not shipped; tests on them say so and pass where the folder is missing.
REAL = Path(os.environ.get("LEDGER_REAL_DATA", ROOT.parent / "shared" / "real"))
#: Small inputs that were once read wrongly.
FAILING = Path(os.environ.get("LEDGER_FAILING", ROOT.parent / "shared" / "failing"))
EXAMPLES = Path(os.environ.get("LEDGER_EXAMPLES", ROOT.parent / "shared" / "examples"))
#: Parts of the warehouse that not every build of the suite makes anew.
ONLY_WHOLE = ["path:models/inference", "path:models/reproduction"]
AUDIT = ["path:models/verifier_audit", "evaluation_problems", "stored_audit_disagreements"]
#: Topics that a build makes anew unless it names those that it is about.
TOPICS = "screen reparse localisation replay costs"
#: A tag for the data tests that look at seeds and nothing else.
OF_SEEDS = "of_seeds_alone"
OLD_DUCKDB = ROOT / ".venv" / "duckdb-1.2.2"


#: Whether other processes of pytest-xdist run tests of this run too.
IS_ONE_OF_SEVERAL = "PYTEST_XDIST_WORKER" in os.environ


def made_once(folder: Path, name: str, make: Callable[[], str]) -> str:
    """The text that ``make`` gives, made by the first process that asks, while others that ask wait; ``folder`` is the run's."""
    text = folder / f"{name}.made"
    with text.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not text.exists():
            text.write_text(make())
    return text.read_text()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if IS_ONE_OF_SEVERAL else own


@functools.lru_cache(maxsize=4)
def opened(path: Path) -> duckdb.DuckDBPyConnection:
    """A finished file, open for reading: to open it takes ten times as long as most queries on it."""
    return duckdb.connect(str(path), read_only=True)


@dataclass
class Ledger:
    """A finished build: the published file, a copy of the work file for the tables that are not published, and dbt's manifest."""

    published: Path
    work: Path
    manifest: Path

    def query(self, sql: str, *parameters: object) -> list[tuple]:
        with opened(self.published).cursor() as con:
            return con.execute(sql, list(parameters)).fetchall()

    def work_query(self, sql: str, *parameters: object) -> list[tuple]:
        with opened(self.work).cursor() as con:
            return con.execute(sql, list(parameters)).fetchall()

    def one(self, sql: str, *parameters: object) -> object:
        return self.query(sql, *parameters)[0][0]


Build = Callable[..., Ledger]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory, run_folder: Path) -> Iterator[Build]:
    """Build function: ``build(data_folder, *further_folders)``; fails the test if any model or dbt test fails.

    Every build makes landing to ledger, reconciliation and release anew. ``topics`` names the folders of models beside these that a test is
    about; the verifier audit is made where ``audit`` is "too" or "only" (and nothing else beside), inference and reproduction, which run
    over published rows for the most part, where ``whole`` asks for all. What is not made keeps the rows of builds before; the first makes
    everything. ``seeds`` is a folder of seed rows of a study's own, ``variables`` are vars of dbt. The project's own seeds are loaded, and
    tested, by the first build.
    """
    base = tmp_path_factory.mktemp("ledger")
    old_folder, old_environment = Path.cwd(), dict(os.environ)
    os.chdir(ROOT)
    work = base / "ledger.duckdb"
    # The same for every build, so that dbt parses the project once.
    os.environ["LEDGER_WORK"] = str(work)
    os.environ["DBT_TARGET_PATH"] = str(base / "target")
    os.environ["DBT_LOG_PATH"] = str(base / "logs")
    # What fails is in the result, and writing the log takes dbt a quarter of its time.
    options = ["--warn-error", "--log-level", "none", "--log-level-file", "none"]
    # Two processes keep two cores busy; in one, a second thread works while the first waits for a query.
    threads = ["--threads", "1" if IS_ONE_OF_SEVERAL else "2"]
    runner = dbtRunner()
    n_builds = 0
    has_own_seeds = False

    def run(
        data: Path, *further: Path, whole: bool = False, audit: str = "", topics: str = TOPICS, seeds: Path | None = None,
        variables: dict[str, object] | None = None,
    ) -> Ledger:  # fmt: skip
        nonlocal runner, n_builds, has_own_seeds
        n_builds += 1
        folder = base / f"build_{n_builds}"
        folder.mkdir()
        os.environ["LEDGER_DATA"] = str(data)
        os.environ["LEDGER_EXTRA_DATA"] = os.pathsep.join(map(str, further))
        os.environ["LEDGER_PUBLISHED"] = str(folder / "published" / "ledger.duckdb")
        left_out = ["--exclude"]
        # Unit tests look at no data, and seeds are the same unless a study adds rows: one build of the suite is enough for them.
        is_first = n_builds == 1 and made_once(run_folder, "first_build", lambda: str(base)) == str(base)
        types = [] if is_first else ["--exclude-resource-type", "unit_test"]
        if not is_first and not seeds and not variables:
            left_out += [f"tag:{OF_SEEDS}"]
            types += ["--exclude-resource-type", "seed"] if has_own_seeds else []
        if n_builds > 1 and not whole:
            made = "" if audit == "only" else topics
            left_out += [*ONLY_WHOLE, *([] if audit else AUDIT), *(f"path:models/{t}" for t in TOPICS.split() if t not in made.split())]
        # Known again when the build is through.
        has_own_seeds = False
        project = overlay(ROOT, seeds, folder / "project") if seeds else ROOT
        where = ["--project-dir", str(project), "--profiles-dir", str(project)]
        given = ["--vars", json.dumps(variables)] if variables else []
        os.chdir(project)
        if seeds or variables:
            target, its_runner = folder / "target", dbtRunner()
        else:
            target, its_runner = base / "target", runner
            if not (target / "manifest.json").exists():
                parsed = runner.invoke([*options, "parse", *where])
                if not parsed.success:
                    pytest.fail(f"dbt parse failed: {parsed.exception!r}")
                for node in parsed.result.nodes.values():
                    parents = node.depends_on_nodes
                    if node.resource_type == "test" and parents and all(parent.startswith("seed.") for parent in parents):
                        node.tags.append(OF_SEEDS)
                # Reading it again for every build takes as long as a hundred small tests.
                runner = its_runner = dbtRunner(manifest=parsed.result)
            given += ["--no-write-json"]
        os.environ["DBT_TARGET_PATH"] = str(target)
        selected = left_out if len(left_out) > 1 else []
        result = its_runner.invoke([*options, "build", *threads, *where, *given, *types, *selected])
        os.chdir(ROOT)
        os.environ["DBT_TARGET_PATH"] = str(base / "target")
        # The adapter keeps the file open for the life of the process; closing it writes the log into the file.
        DuckDBConnectionManager.close_all_connections()
        if not result.success:
            failed = [f"{r.node.name}: {r.message}" for r in result.result or [] if str(r.status) not in ("success", "pass", "skipped")]
            pytest.fail("dbt build failed: " + ("\n".join(failed) or repr(result.exception)))
        has_own_seeds = not seeds
        # Under the same name, since views of older DuckDB versions name the file that they are in.
        copied = shutil.copy(work, folder / "ledger.duckdb")
        return Ledger(folder / "published" / "ledger.duckdb", Path(copied), target / "manifest.json")

    yield run
    os.chdir(old_folder)
    os.environ.clear()
    os.environ.update(old_environment)


def ledger_once(folder: Path, name: str, make: Callable[[], Ledger]) -> Ledger:
    """A ledger that several files ask for, built by one process of the run."""

    def paths() -> str:
        ledger = make()
        return "\n".join(map(str, (ledger.published, ledger.work, ledger.manifest)))

    return Ledger(*map(Path, made_once(folder, name, paths).split("\n")))


@pytest.fixture(scope="session")
def shipped(build: Build, run_folder: Path) -> Ledger:
    """The ledger of what is in data/."""
    return ledger_once(run_folder, "shipped", lambda: build(ROOT / "data", whole=True))


@pytest.fixture(scope="session")
def real(build: Build, run_folder: Path) -> Ledger:
    """The ledger of the real debates beside the project; passes with a line where they are not there."""
    if not REAL.is_dir():
        print(f"no folder {REAL}: the tests on the real debates have nothing to do")
        pytest.skip(f"no folder {REAL}: the real debates are not part of a clone")
    return ledger_once(run_folder, "real", lambda: build(REAL))


@pytest.fixture(scope="session")
def examples(build: Build, run_folder: Path) -> Ledger:
    """The ledger of the invented example lines, of which there is one file for each dialect."""
    return ledger_once(run_folder, "examples", lambda: build(EXAMPLES))
