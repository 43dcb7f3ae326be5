"""What the commands share: how errors are told, and how texts come to the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import duckdb

from debate_ledger.project import ProjectError
from debate_ledger.publish import PublishError

#: A file of `ledger import` and `validate`, which say themselves what is wrong with one, and how to mend it.
FILE = click.Path(path_type=Path, readable=False)


class Lossy(click.ClickException):
    """An import that is written and should not be built on as it is: exit code 3, what to do on standard error."""

    exit_code = 3


class WrongCall(ValueError):
    """A command line that cannot be what was meant: exit code 2, the way out on standard error."""

    exit_code = 2


class Failed(click.ClickException):
    """A command that did not do what it should: exit code 1, the reason on standard error."""

    exit_code = 1


@contextmanager
def errors_told(after: str = "") -> Iterator[None]:
    """Errors that a user can mend become one line, not a traceback; ``after`` stands behind them."""
    try:
        yield
    except duckdb.IOException as error:
        raise Failed(f"{error}\nIs the ledger built? `make build`, or `ledger build`, writes the published file.") from error
    except (OSError, ValueError, duckdb.Error, ProjectError, PublishError) as error:
        # Behind an example of several lines a sentence has a line of its own.
        told = str(error)
        failed = Failed(told + (after.removeprefix("; ") if told.endswith("\n") else after))
        if isinstance(error, WrongCall):
            failed.exit_code = error.exit_code
        raise failed from error


def one_line(text: str) -> str:
    """A text for the terminal: names in it may hold line breaks, or bytes that are no UTF-8."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
