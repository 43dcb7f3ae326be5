"""Command line: import and check logs, build a study, look at its ledger, ask it, score a controller, simulate debates, probes, audits."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import indent

import click

from debate_ledger import simulate, simulate_audit, simulate_audit_files, simulate_probes
from debate_ledger.console import FILE, Failed, errors_told, one_line
from debate_ledger.import_command import import_command
from debate_ledger.project import ProjectError, run_dbt, scratch
from debate_ledger.publish import target_path

FOLDER = click.Path(path_type=Path)
SETTINGS = {"help_option_names": ["-h", "--help"]}
#: What `ledger score` looks at; dbt makes what that needs.
POLICY_MODELS = ("policy_report", "replay", "action_problems", "published_rejected_lines")


def _progress() -> Callable[[int, int, str], None]:
    """Where a build is: one line that rewrites itself on a terminal, else a line every five seconds."""
    start, last = time.monotonic(), [0.0]

    def told(number: int, total: int, what: str) -> None:
        now = time.monotonic() - start
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            click.echo("\r" + f"[{number}/{total}] {now:.0f} s  {what}"[:width].ljust(width), nl=number == total, err=True)
        elif now - last[0] >= 5 or number == total:
            last[0] = now
            click.echo(f"[{number}/{total}] {now:.0f} s  {what}", err=True)

    return told


def _only(models: Sequence[str]) -> list[str]:
    """A build of some models and all that they need, without tests; nobody keeps its folder, so it writes no log and no manifest."""
    arguments = ["build", "--exclude-resource-type", "test", "unit_test", "--log-level-file", "none", "--no-write-json"]
    return [*arguments, "--select", *(f"+{model}" for model in models)]


def _built(failed: Sequence[str]) -> None:
    if failed:
        raise Failed("the build failed, and what was published stays as it was:\n" + "\n".join(f"  {f}" for f in failed))


@click.group(
    context_settings=SETTINGS,
    epilog="`ledger COMMAND --help` has examples. Exit codes: 0 done, 1 failed or found something, 2 used wrongly, "
    "3 an import that lost much.",
)
@click.version_option(package_name="debate-ledger", prog_name="ledger")
def main() -> None:
    """The debate ledger: what multi-agent LLM debates did, with stated denominators."""


def _published(function: Callable) -> Callable:
    return click.argument("published", default="", metavar="[FILE]")(function)


@main.command(epilog="Example: ledger init ~/studies/pilot")
@click.argument("folder", type=FOLDER)
def init(folder: Path) -> None:
    """Lay a study out in FOLDER: data/, and seeds/ with commented examples. Files that are there stay as they are."""
    from debate_ledger.study import init_study

    with errors_told():
        written = init_study(folder)
    for path in written:
        click.echo(f"wrote {path}")
    click.echo(f"Put your logs into {folder / 'data'}, then: ledger doctor {folder / 'data'}")


@main.command(
    epilog="Example: ledger build --data ~/studies/pilot/data --seeds ~/studies/pilot/seeds --out ~/studies/pilot/published/ledger.duckdb"
)
@click.option("--data", type=FOLDER, help="Folder of the logs (default: LEDGER_DATA, else the project's data/).")
@click.option("--extra", type=FOLDER, multiple=True, help="A further data folder; may be given several times.")
@click.option("--seeds", type=FOLDER, help="Folder with seed files whose rows join, or take the place of, the project's own.")
@click.option("--out", type=FOLDER, help="File to publish to (default: LEDGER_PUBLISHED, else published/ledger.duckdb).")
@click.option("--vars", "variables", default="", help="dbt vars as YAML, such as '{endpoints: [last, r1, r2, r3, r4]}'.")
def build(data: Path | None, extra: tuple[Path, ...], seeds: Path | None, out: Path | None, variables: str) -> None:
    """Build a ledger and publish it, after every test has passed.

    Work file, target and logs stay in a hidden folder beside the published file.
    """
    from debate_ledger.show import ledger_text

    published = target_path(str(out or ""))
    with errors_told():
        arguments = ["build", "--exclude-resource-type", "unit_test", *(["--vars", variables] if variables else [])]
        _built(run_dbt(arguments, data=data, extra=extra, seeds=seeds, published=published, progress=_progress()))
        click.echo(ledger_text(published))


@main.command(epilog="Example: ledger publish --out published/ledger.duckdb")
@click.option("--out", type=FOLDER, help="File to publish to (default: LEDGER_PUBLISHED, else published/ledger.duckdb).")
def publish(out: Path | None) -> None:
    """Publish once more what the last `ledger build` to the same file has made, without making it anew."""
    published = target_path(str(out or ""))
    state = published.parent / f".{published.stem}"
    if not (state / "work.duckdb").exists():
        raise Failed(f"no build of `ledger build` belongs to {published}: run ledger build --out {published}")
    with errors_told():
        _built(run_dbt(["run", "--select", "publication"], published=published, progress=_progress()))
    click.echo(f"published {published}")


@main.command(epilog="Examples: ledger show   ·   ledger show ~/studies/pilot/published/ledger.duckdb")
@_published
def show(published: str) -> None:
    """Print a published ledger as a table: models, policies, what was rejected, what no seed knows."""
    from debate_ledger.show import ledger_text

    with errors_told():
        click.echo(ledger_text(target_path(published)))


@main.command(epilog='Examples: ledger query analysis/onset_by_round.sql   ·   ledger query "select * from model_ledger"')
@click.argument("sql")
@_published
def query(sql: str, published: str) -> None:
    """Run SQL (a query in quotes, or the path of a .sql file) on a published ledger."""
    from debate_ledger.show import query_text

    with errors_told():
        text = Path(sql).read_text(encoding="utf-8") if sql.endswith(".sql") else sql
        click.echo(query_text(target_path(published), text))


main.add_command(import_command)


@main.command(epilog="Example: ledger validate data/mine.jsonl")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True, help="Problems to print; the rest is counted.")
def validate(files: tuple[Path, ...], limit: int) -> None:
    """Check canonical lines (docs/import.md): the schema, and what it cannot say. Exit code 1 where anything is wrong."""
    from debate_ledger.importers.validate import Remark, validate_files

    n_problems = n_lines = 0
    remarks: list[Remark] = []
    with errors_told():
        for found in validate_files(list(files)):
            if isinstance(found, int):
                n_lines += found
                continue
            if isinstance(found, Remark):
                remarks.append(found)
                continue
            n_problems += 1
            if n_problems <= limit:
                click.echo(one_line(str(found)))
    if n_problems > limit:
        click.echo(f"… and {n_problems - limit} more (--limit {n_problems})")
    for remark in remarks:
        click.echo(one_line(str(remark)))
    if n_problems:
        raise Failed(f"{n_problems:,} problems in {n_lines:,} lines")
    click.echo(f"{n_lines:,} lines, nothing to mend")


@main.command(epilog="Example: ledger doctor ~/studies/pilot/data")
@click.argument("folder", type=FOLDER)
@click.option("--seeds", type=FOLDER, help="Folder with the study's seed files.")
@click.option("--limit", default=20, show_default=True, help="Findings of one kind to print; the rest is counted.")
def doctor(folder: Path, seeds: Path | None, limit: int) -> None:
    """Say what is wrong with a folder of logs before anything is built on it: file, line and mend.

    Exit code 1 where a file, a line or an action does not come into the ledger.
    """
    from debate_ledger import doctor as checks

    with errors_told(), scratch() as place:
        failed = run_dbt(_only(checks.MODELS), data=folder, seeds=seeds, published=place / "none.duckdb", state=place, progress=_progress())
        if failed:
            raise Failed("the folder cannot be read:\n" + "\n".join(f"  {f}" for f in failed))
        foreign, names = checks.foreign_logs(folder, place / "work.duckdb")
        found = [*foreign, *checks.not_taken_up(folder, names), *checks.findings(place / "work.duckdb", names)]
        click.echo(checks.landed(place / "work.duckdb"))
    losses, notes = [f for f in found if f.is_loss], [f for f in found if not f.is_loss]
    for title, group in (("Does not come in:", losses), ("Comes in, but look at it:", notes)):
        if group:
            click.echo(f"\n{title}")
        for finding in group[:limit]:
            click.echo(f"  {finding.what}\n{indent(finding.mend, '      ')}")
        if len(group) > limit:
            click.echo(f"  … and {len(group) - limit} more (--limit {len(group)})")
    if not found:
        click.echo("Nothing to mend.")
    if losses:
        raise SystemExit(1)


@main.command(epilog="Example: ledger score mine.actions.jsonl --data ~/studies/pilot/data")
@click.argument("actions", type=FOLDER)
@click.option("--data", type=FOLDER, help="Folder of the debates (default: LEDGER_DATA, else the project's data/).")
@click.option("--seeds", type=FOLDER, help="Folder with the study's seed files.")
def score(actions: Path, data: Path | None, seeds: Path | None) -> None:
    """Score a controller's ACTIONS (docs/replay.md) on saved debates, without publishing anything."""
    from debate_ledger.show import policy_text

    with errors_told(), scratch() as place:
        if not actions.is_file():
            raise ProjectError(f"{actions} is no file: name the file with your actions, one JSON object per line")
        (place / "actions").mkdir()
        shutil.copy(actions, place / "actions" / actions.name)
        _built(
            run_dbt(
                _only(POLICY_MODELS), data=data, extra=[place / "actions"], seeds=seeds, published=place / "none.duckdb",
                state=place, progress=_progress(),
            )
        )  # fmt: skip
        click.echo(policy_text(place / "work.duckdb", actions.name))


@main.command(epilog="Example: ledger report --out report.html")
@_published
@click.option("--out", type=FOLDER, help="Page to write (default: report.html beside the published file).")
def report(published: str, out: Path | None) -> None:
    """Write one HTML page of a published ledger that opens from disk, without a network."""
    with errors_told():
        file = target_path(published)
        try:
            from debate_ledger.report import write_report
        except ImportError as error:
            raise Failed(f"{error}: the report needs the extra `report`, pip install 'debate-ledger[report]'") from error
        page = out / "report.html" if out and out.is_dir() else out or file.parent / "report.html"
        click.echo(f"wrote {write_report(file, page)}")


@main.command(epilog="Examples: ledger card   ·   ledger card --model phi-4-mini --out cards")
@_published
@click.option("--model", help="Only cards of this model.")
@click.option("--cohort", help="Only cards of this cohort.")
@click.option("--out", type=FOLDER, help="Folder to write to (default: cards/ beside the published file).")
def card(published: str, model: str | None, cohort: str | None, out: Path | None) -> None:
    """Write the reuse cards of a published ledger: JSON after a schema, and Markdown, one pair per ledger row and lane."""
    from debate_ledger.cards import write_cards

    with errors_told():
        file = target_path(published)
        written = write_cards(file, out or file.parent / "cards", model=model, cohort=cohort)
        if not written:
            raise ProjectError("no card: no ledger row or lane has this model and cohort")
    for path in written:
        click.echo(f"wrote {path}")


@main.command(epilog="Example: ledger metadata --url https://example.org/my-ledger")
@_published
@click.option("--url", default="", help="Where the files will be found, for the metadata.")
@click.option("--date", "date_published", default="", help="Day of publication, such as 2026-01-31.")
def metadata(published: str, url: str, date_published: str) -> None:
    """Write Croissant metadata (croissant.json) and a datasheet (datasheet.md) beside the published Parquet files."""
    from debate_ledger.croissant import write_croissant
    from debate_ledger.datasheet import write_datasheet

    with errors_told():
        file = target_path(published)
        click.echo(f"wrote {write_croissant(file, url=url, date_published=date_published)}")
        click.echo(f"wrote {write_datasheet(file)}")


def _shares(ctx: click.Context, option: click.Parameter, text: str) -> tuple[float, ...]:
    """Shares from a text such as 0.01,0.05."""
    try:
        found = tuple(float(share) for share in text.split(",")) if text else ()
    except ValueError:
        found = (-1.0,)
    if not all(0 <= share <= 1 for share in found):
        raise click.BadParameter(f"{text}: shares are numbers from 0 to 1, such as 0.05 or 0.01,0.05,0.12")
    return found


@main.command("simulate", epilog="Example: ledger simulate data/simulated/debates.jsonl --debates 1000 --agents 5")
@click.argument("path", type=FOLDER)
@click.option("--debates", default=1000, show_default=True)
@click.option("--dialect", type=click.Choice(sorted(simulate.WRITERS)), default="B", show_default=True)
@click.option("--model", default="simulated/model", show_default=True)
@click.option("--agents", default=3, show_default=True)
@click.option("--rounds", default=4, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option(
    "--unparsed",
    default="",
    callback=_shares,
    metavar="SHARE[,SHARE…]",
    help="Shares of answers that a parser lost, for round 0, 1, …; the last one goes on (0.05, or growing: 0.01,0.05,0.12).",
)
def simulate_debates(
    path: Path,
    debates: int,
    dialect: str,
    model: str,
    agents: int,
    rounds: int,
    seed: int,
    unparsed: tuple[float, ...],
) -> None:
    """Write simulated debates with planted outcomes to PATH."""
    with errors_told():
        planted = simulate.simulate_file(
            path, debates, dialect=dialect, model=model, agents=agents, rounds=rounds, seed=seed, unparsed=unparsed
        )
    click.echo(f"{path}: {sum(planted.values())} debates, " + ", ".join(f"{s} {n}" for s, n in planted.items()))


@main.command("simulate-probes", epilog="Example: ledger simulate-probes data/simulated/sa_causal_sim.jsonl --questions 200")
@click.argument("path", type=FOLDER)
@click.option("--questions", default=200, show_default=True)
@click.option("--agents", default=3, show_default=True)
@click.option("--writer", type=click.Choice(sorted(simulate_probes.WRITERS)), default="vllm", show_default=True)
@click.option("--model", default="simulated/model", show_default=True)
@click.option("--base", default=0.2, show_default=True, help="Flip rate of a weak solo probe.")
@click.option("--social", default=0.1, show_default=True, help="What a social probe adds.")
@click.option("--argument", default=0.3, show_default=True, help="What a very strong probe adds.")
@click.option("--unparsed", default=0.02, show_default=True, help="Share of replies that are not parsed.")
@click.option("--duplicates", default=0, show_default=True, help="Batteries that stand once more at the end.")
@click.option("--seed", default=0, show_default=True)
def simulate_probe_lane(
    path: Path, questions: int, agents: int, writer: str, model: str, base: float, social: float, argument: float, unparsed: float,
    duplicates: int, seed: int,
) -> None:  # fmt: skip
    """Write simulated probe batteries with planted flips to PATH."""
    with errors_told():
        # A repeated panel knows no conditions.
        conditions = ("default",) if writer == "panel" else simulate_probes.CONDITIONS
        plan = simulate_probes.graded_plan(base, social, argument, unparsed=unparsed, conditions=conditions)
        batteries = simulate_probes.simulate_probe_file(
            path, plan, questions=questions, agents=agents, seed=seed, writer=writer, model=model, duplicates=duplicates
        )
    click.echo(f"{path}: {len(batteries)} batteries of {questions} questions")


@main.command("simulate-audit", epilog="Example: ledger simulate-audit data/simulated/verifier_eval_sim.jsonl --pairs 222 --models 3")
@click.argument("path", type=FOLDER)
@click.option("--pairs", default=222, show_default=True)
@click.option("--models", default=3, show_default=True, help="Audited models, all on the same pairs.")
@click.option("--layout", type=click.Choice(["lines", "authors"]), default="lines", show_default=True, help="A file or a folder.")
@click.option("--dataset", help="Default: simulated-pairs, in the authors' layout QuALITY-H.")
@click.option("--epsilon", default="1.2", show_default=True, help="Threshold of the degradation, a decimal.")
@click.option("--seed", default=0, show_default=True)
def simulate_reliability_audit(path: Path, pairs: int, models: int, layout: str, dataset: str | None, epsilon: str, seed: int) -> None:
    """Write simulated reliability audits with planted degradation to PATH."""
    with errors_told():
        # Lines do not say how they were read, so they keep away from names whose published thresholds would be taken.
        is_lines = layout == "lines"
        names = simulate_audit.model_names(models)
        if is_lines:
            names = [f"verifier-{i}" for i, _ in enumerate(names, start=1)]
        dataset = dataset or ("simulated-pairs" if is_lines else "QuALITY-H")
        plans = [simulate_audit.mixed_plan(dataset, name, pairs, seed=seed, epsilon=epsilon) for name in names]
        write = simulate_audit.simulate_audit_file if layout == "lines" else simulate_audit_files.write_release
        for audit in write(path, plans, seed=seed):
            found = ", ".join(f"{arm} {audit.n_counterexamples(arm)}" for arm in audit.plan.scenarios)
            click.echo(f"{path}: {audit.plan.model}, {pairs} pairs, counterexamples {found}")
    if is_lines:
        click.echo("at the planted threshold, which is read with these rows in seeds/audit_epsilons.csv:")
        for name in names:
            click.echo(f",{dataset},{name},p25,{epsilon},Simulated.")


if __name__ == "__main__":
    main()
