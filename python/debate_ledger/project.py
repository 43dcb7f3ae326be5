"""The dbt project behind the command line: where it is, how a study's own seeds join it, and how a build runs.

A study lives in any folder. Its build takes the project as it is (clone or installed package), lays the study's seeds over it, and keeps
work file, target and logs in a hidden folder beside the published file, so that a clone stays clean.
"""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import yaml

#: States of a node that are no failure: exposures have nothing to do, and what waits for a failed node is skipped.
WELL = ("success", "pass", "skipped", "no-op")
#: What an overlay links to as it is; seeds are laid over.
LINKED = ("models", "macros", "tests", "analysis", "dbt_project.yml", "profiles.yml")


class ProjectError(Exception):
    """The project or a study's seeds cannot be used; the message names the file and the mend."""


def project_root() -> Path:
    """Folder of dbt_project.yml: the clone that this package is in, else the copy that an installed package carries."""
    here = Path(__file__).resolve().parent
    for root in (here.parents[1], here / "project"):
        if (root / "dbt_project.yml").is_file() and (root / "models").is_dir():
            return root
    raise ProjectError(f"no dbt_project.yml in {here.parents[1]} or {here / 'project'}: install the package anew, or run it in a clone")


def seed_keys(root: Path) -> dict[str, tuple[str, ...]]:
    """Columns that tell the rows of each seed apart: the grain of its description, where it has one."""
    described = yaml.safe_load((root / "seeds" / "seeds.yml").read_text(encoding="utf-8"))
    grains = {seed["name"]: seed["config"].get("meta", {}).get("grain") for seed in described["seeds"]}
    return {name: tuple(grain) for name, grain in grains.items() if grain}


def read_seed(path: Path) -> tuple[list[str], list[list[str]]]:
    """(columns, rows) of a seed file; lines that begin with # and blank ones are comments. Raises ProjectError with file and line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProjectError(f"{path}: it is no UTF-8 ({error.reason} at byte {error.start + 1}): save it as UTF-8") from error
    numbers = [i for i, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error as error:
        raise ProjectError(f"{path}: it is no CSV ({error}): close every quote, and keep a cell in one line") from error
    if not rows:
        raise ProjectError(f"{path}: no line with the names of the columns: the first line that is no comment must have them")
    for number, row in zip(numbers, rows, strict=False):
        if len(row) != len(rows[0]):
            raise ProjectError(
                f"{path}, line {number}: {len(row)} cells under {len(rows[0])} columns: a cell for each, in quotes if it holds a comma"
            )
    return rows[0], rows[1:]


def merged_seed(shipped: Path, own: Path, key: Sequence[str]) -> str:
    """A shipped seed with a study's rows, as CSV text: a row of the study takes the place of the shipped one with the same key.

    Raises ProjectError for a column that the seed does not have.
    """
    columns, rows = read_seed(shipped)
    own_columns, own_rows = read_seed(own)
    unknown = [c for c in own_columns if c not in columns]
    if unknown:
        raise ProjectError(f"{own}: the seed {shipped.stem} has no column {', '.join(unknown)}; it has {', '.join(columns)}")
    place = [own_columns.index(c) if c in own_columns else None for c in columns]
    added = [["" if p is None else row[p] for p in place] for row in own_rows]
    at = [columns.index(c) for c in key]
    seen: set[tuple[str, ...]] = set()
    for row in added if at else []:
        own_key = tuple(row[i] for i in at)
        if own_key in seen:
            raise ProjectError(f"{own}: two rows with the {' and '.join(key)} {', '.join(own_key)}: keep one of them")
        seen.add(own_key)
    replaced = {tuple(row[i] for i in at) for row in added} if at else set()
    kept = [row for row in rows if not at or tuple(row[i] for i in at) not in replaced]
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *kept, *added])
    return text.getvalue()


def overlay(root: Path, seeds: Path, folder: Path) -> Path:
    """A project in ``folder`` that is ``root`` with the seeds of a study laid over; returns the folder.

    Raises ProjectError for a file that is no seed of the project.
    """
    if not seeds.is_dir():
        raise ProjectError(f"{seeds} is no folder: name the folder with your seed files, or leave it out")
    shipped = {p.stem: p for p in (root / "seeds").rglob("*.csv")}
    own = sorted(seeds.glob("*.csv"))
    for path in own:
        if path.stem not in shipped:
            raise ProjectError(f"{path}: there is no seed of this name; there are {', '.join(sorted(shipped))}")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for name in LINKED:
        (folder / name).symlink_to(root / name)
    if (root / "python").is_dir():
        (folder / "python").symlink_to(root / "python")
    shutil.copytree(root / "seeds", folder / "seeds")
    keys = seed_keys(root)
    for path in own:
        target = folder / "seeds" / shipped[path.stem].relative_to(root / "seeds")
        target.write_text(merged_seed(shipped[path.stem], path, keys.get(path.stem, ())), encoding="utf-8")
    return folder


@contextmanager
def _environment(changes: Mapping[str, str], folder: Path) -> Iterator[None]:
    """Environment variables and working folder for the time of a run; dbt's paths are relative to the latter."""
    before, where = dict(os.environ), Path.cwd()
    os.environ.update(changes)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(where)
        os.environ.clear()
        os.environ.update(before)


def run_dbt(
    arguments: Sequence[str],
    *,
    data: Path | None = None,
    extra: Sequence[Path] = (),
    seeds: Path | None = None,
    published: Path,
    state: Path | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[str]:
    """Run dbt on the project; returns what failed, a text each (empty: all went well).

    ``data`` and ``extra`` are the data folders, ``published`` the file to publish to; ``state`` keeps work file, target and logs (default:
    a hidden folder beside the published file). ``progress`` is told (number, of how many, what) as each model begins. Raises ProjectError
    for folders and seeds that cannot be used.
    """
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager
    from dbt.cli.main import dbtRunner

    root, published = project_root(), published.resolve()
    if published.is_dir():
        raise ProjectError(f"{published} is a folder: name the file to publish to, such as {published / 'ledger.duckdb'}")
    for folder in [*([data] if data else []), *extra]:
        if not folder.is_dir():
            raise ProjectError(f"{folder} is no folder: name the folder that holds your *.jsonl files")
    state = (state or published.parent / f".{published.stem}").resolve()
    state.mkdir(parents=True, exist_ok=True)
    project = overlay(root, seeds, state / "project") if seeds else root
    changes = {
        "LEDGER_PUBLISHED": str(published.resolve()),
        "LEDGER_WORK": str((state / "work.duckdb").resolve()),
        "LEDGER_EXTRA_DATA": os.pathsep.join(str(p.resolve()) for p in extra),
        "DBT_TARGET_PATH": str((state / "target").resolve()),
        "DBT_LOG_PATH": str((state / "logs").resolve()),
    }
    if data:
        changes["LEDGER_DATA"] = str(data.resolve())

    def told(event: object) -> None:
        if progress and event.info.name == "LogStartLine":  # type: ignore[attr-defined]
            progress(event.data.index, event.data.total, event.data.description)  # type: ignore[attr-defined]

    with _environment(changes, project):
        try:
            result = dbtRunner(callbacks=[told]).invoke(
                ["--warn-error", "--log-level", "none", *arguments, "--project-dir", str(project), "--profiles-dir", str(project)]
            )
        finally:
            # The adapter keeps the file open for the life of the process.
            DuckDBConnectionManager.close_all_connections()
    if result.exception:
        return [str(result.exception)]
    failed = [f"{r.node.name}: {r.message}" for r in result.result or [] if str(r.status) not in WELL]
    return failed or ([] if result.success else ["it was stopped before its end"])


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for a build that nobody keeps."""
    with tempfile.TemporaryDirectory(prefix="ledger-") as folder:
        yield Path(folder)
