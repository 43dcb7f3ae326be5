"""`ledger import`: one subcommand per format, each with the options that mean something for it and an example."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from debate_ledger.console import FILE, Failed, Lossy, WrongCall, errors_told, one_line
from debate_ledger.import_formats import FORMATS, Format

#: Rejected debates that are printed; the receipt has all.
SHOWN_REJECTIONS = 20
#: Options that mean something for these formats alone.
OPTIONS_OF: dict[str, tuple[str, ...]] = {
    "--map": ("table", "messages", "inspect", "probes"), "--mode": ("peer-review",), "--gold": ("dylan",), "--scorer": ("inspect",),
    "--filter": ("lm-eval",), "--rounds": ("changes",), "--first-round": ("changes",),
}  # fmt: skip
_MAPS = {
    "messages": "YAML file that says where things stand, and who is who (default: found by names and shape).",
    "inspect": "YAML file that says where a solver of several agents keeps them.",
}


def _options(name: str) -> list[click.Parameter]:
    """The options of a format; those of others are taken too, without a word in its help, so that they are told with their format."""
    found = [
        click.Argument(["paths"], nargs=-1, required=True, type=FILE, metavar="PATH..."),
        click.Option(["--out"], type=FILE, required=True, help="File to write, *.jsonl or *.jsonl.gz, such as data/mine.jsonl."),
        click.Option(["--profile"], default="robust", show_default=True, help="Profile of the answer coder."),
        click.Option(
            ["--kind"], default="auto", show_default=True, help="Kind of the answers: auto, choice, number, yes_no, label."
        ),
        click.Option(["--options"], default="", help="Letters of the options, such as ABCD, where the logs do not list them."),
        click.Option(["--benchmark"], default="", help="Name of the benchmark (default: from the file's name or the log)."),
        click.Option(["--model"], default="", help="Name of the model (default: from the log)."),
        click.Option(["--map", "mapping"], type=FILE, help=_MAPS.get(name, "YAML file that says where things stand.")),
        click.Option(
            ["--mode"], default="", help="debate, single, self_correction, feedback or peer_review (default: from the file's name)."
        ),
        click.Option(["--gold"], type=FILE, help="CSV with question_id and correct_label."),
        click.Option(["--scorer"], default="", help="The scorer whose answers count (default: the first)."),
        click.Option(["--filter"], default="", help="The filter whose rows count (default: the first)."),
        click.Option(["--rounds"], type=int, help="Debate rounds that were held (default: the last one with a flip)."),
        click.Option(
            ["--first-round"], type=int, help="What the log calls the independent answers, 0 or 1 (default: told by its changes).",
        ),
        click.Option(
            ["--agents-by-position"], is_flag=True,
            help="Agents whose names change between rounds are told by their place in the round (default: their flips are not counted).",
        ),
        click.Option(
            ["--allow-losses"], is_flag=True,
            help="Exit code 0 though no debate has a key, or more than 5 % are lost; the receipt says so.",
        ),
        click.Option(
            ["--keep-text"], is_flag=True,
            help="Keep what the agents said, under `reasoning`. Texts of gated releases stay out by default.",
        ),
    ]  # fmt: skip
    for option in found:
        if isinstance(option, click.Option):
            option.hidden = name not in OPTIONS_OF.get(option.opts[0], (name,))
    return list(found)


class _OfFormat(click.Command):
    """The command of a format; its help ends with an example that can be run as it stands."""

    def __init__(self, name: str, what: Format) -> None:
        def run(**options: Any) -> None:
            import_logs_of(name, **options)

        super().__init__(name, params=_options(name), callback=run, help=what.what, short_help=what.what, epilog=_example(what))


def _example(of: Format) -> str:
    # After \b click leaves the lines as they are.
    shown = [f"\b\n{name}:\n" + "".join(f"  {line}\n" for line in text.splitlines()) for name, text in of.files.items()]
    return "\n".join([f"\b\nExample:\n  {of.call}\n", *shown])


class _Formats(click.Group):
    """The formats as subcommands; options may stand before the format, too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _format_first(args))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands:
            ctx.fail(f"no format is called {args[0]!r}: {', '.join(self.commands)}")
        return super().resolve_command(ctx, args)


def _format_first(args: Sequence[str]) -> list[str]:
    """The arguments with the format before the options."""
    flags = {name for option in _options("") if isinstance(option, click.Option) and option.is_flag for name in option.opts}
    is_value = False
    for place, word in enumerate(args):
        if is_value:
            is_value = False
        elif word.startswith("-"):
            is_value = word.startswith("--") and word not in (*flags, "--help") and "=" not in word
        else:
            return [word, *args[:place], *args[place + 1 :]]
    return list(args)


import_command = _Formats(
    "import",
    commands={name: _OfFormat(name, of) for name, of in FORMATS.items()},
    help="Turn logs of another project into canonical lines that land in a ledger, with a receipt beside them.\n\n"
    "Rejected debates are told with file, place and mend, and the rest comes in. Exit code 1 where nothing does; an older output and its "
    "receipt then stay as they were. Exit code 3 where no debate has a key, or more than 5 % are lost: output and receipt are written, and "
    "what to do is told.",
    short_help="Turn logs of another project into lines that land in a ledger.",
    subcommand_metavar="FORMAT PATH... --out FILE [OPTIONS]",
    epilog="Example: ledger import du mmlu_3_2.json --model my-model --out data/mmlu.jsonl   ·   `ledger import FORMAT --help` has the "
    "options and an example; `ledger doctor FOLDER` says which format logs have.",
)


def import_logs_of(
    source_format: str, paths: tuple[Path, ...], out: Path, options: str, mapping: Path | None, allow_losses: bool, **given: Any
) -> None:
    """Read logs of a format, write lines and receipt, and tell what came in and what did not."""
    from debate_ledger.importers import Rejected, Settings, Source, import_logs

    told, done = [0], [0]
    noun = "batteries" if source_format == "probes" else "debates"

    def rejected(one: Rejected) -> None:
        told[0] += 1
        if told[0] <= SHOWN_REJECTIONS:
            # On a terminal the line of the progress goes first.
            click.echo(("\r\033[K" if sys.stderr.isatty() else "") + one_line(f"rejected {one}"), err=True)

    def progress(path: Path, share: float) -> None:
        width = shutil.get_terminal_size().columns - 1
        click.echo("\r" + f"{path.name} {share:4.0%}  {done[0]:,} {noun}"[:width].ljust(width), nl=False, err=True)

    with errors_told(_left_as_it_was(out)):
        for option, formats in OPTIONS_OF.items():
            value = mapping if option == "--map" else given[option.removeprefix("--").replace("-", "_")]
            if value not in (None, "") and source_format not in formats:
                raise WrongCall(f"{option} is of the format {' or '.join(formats)}: leave it out with {source_format}")
        settings = Settings(options=_letters(options), mapping=mapping, **given)
        source = Source(list(paths), settings, progress if sys.stderr.isatty() else None)
        receipt = import_logs(
            source_format, source, out, told=rejected, counted=lambda n: done.__setitem__(0, n), allow_losses=allow_losses
        )
    if sys.stderr.isatty():
        click.echo("\r\033[K", nl=False, err=True)
    if told[0] > SHOWN_REJECTIONS:
        click.echo(f"… and {told[0] - SHOWN_REJECTIONS} more, all in {receipt.path}", err=True)
    for file, reason in receipt.files_set_aside[:SHOWN_REJECTIONS]:
        click.echo(one_line(f"{file}: set aside: {reason}"), err=True)
    if len(receipt.files_set_aside) > SHOWN_REJECTIONS:
        click.echo(f"… and {len(receipt.files_set_aside) - SHOWN_REJECTIONS} more files, all in {receipt.path}", err=True)
    for (file, reason), n in receipt.set_aside.items():
        click.echo(one_line(f"{file}: {n:,} rows set aside: {reason}"), err=True)
    for what, n in receipt.notes.items():
        click.echo(one_line(f"{what} ({n:,})"), err=True)
    for what in receipt.agents.told():
        click.echo(one_line(what), err=True)
    if receipt.without_model:
        click.echo(f"no model is named in the log: give it with --model ({receipt.without_model:,})", err=True)
    if len(receipt.kinds) > 1:
        kinds = ", ".join(f"{k} {n:,}" for k, n in receipt.kinds.most_common())
        click.echo(f"several kinds of answers, told debate by debate ({kinds}): give --kind where they are of one", err=True)
    counts = f"{receipt.read:,} {noun} read, {receipt.written:,} written, {receipt.rejected:,} rejected"
    if not receipt.written:
        fits = _format_that_fits(source_format, paths)
        raise Failed(one_line(f"{counts}: {out} is not written{_left_as_it_was(out)}; {receipt.path} says why{fits}"))
    unparsed = receipt.answers["unparsed"]
    answers = f"{receipt.without_key:,} without a key; {unparsed:,} of {receipt.answers.total():,} answers unparsed"
    click.echo(one_line(f"{out}: {counts}, {answers}"))
    for sentence in receipt.losses.sentences():
        click.echo(one_line(sentence))
    if receipt.exit_status:
        way = f"{out} and its receipt are written: mend that and import again, or accept it with --allow-losses"
        raise Lossy("\n".join(map(one_line, [*receipt.faults, way])))


def _format_that_fits(source_format: str, paths: Sequence[Path]) -> str:
    """A word on logs of which nothing came in and that look as if they were of another format."""
    from debate_ledger.importers.sniff import format_of

    found = {format_of(path) for path in paths if path.is_file()} - {None, source_format}
    return f"; they look like the format {' and '.join(map(str, sorted(found)))}: ledger doctor FOLDER gives the call" if found else ""


def _left_as_it_was(out: Path) -> str:
    """What an import that fails says about an output that was there before."""
    from debate_ledger.importers.run import receipt_path

    if not os.path.isfile(out):
        return ""
    return f"; {out} and its receipt are as they were" if os.path.exists(receipt_path(out)) else f"; {out} is as it was"


def _letters(options: str) -> tuple[str, ...]:
    """Option letters from a text such as ABCD or A,B,C,D. Raises ValueError."""
    found = tuple(options.replace(",", "").replace(" ", ""))
    if not all("A" <= o <= "Z" for o in found) or len(set(found)) < len(found):
        raise WrongCall(f"--options {options}: capital letters, each once, such as ABCD")
    return found
