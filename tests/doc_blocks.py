"""The SQL of the documentation: every ```sql block of a page is run, and the ```text block that follows it must be what it prints.

A block whose first line is ``-- work file`` is about the layers that are not published. ``python tests/doc_blocks.py --write`` writes the
answers of the built ledger into the pages; without it, differences are printed and the exit code is 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

ROOT = Path(__file__).parents[1]
WORK_MARK = "-- work file\n"
#: A block of SQL, and the block of its output if one follows after nothing but an empty line.
BLOCK = re.compile(r"^```sql\n(?P<sql>.*?)^```\n(?:\n?```text\n(?P<output>.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One SQL block of a page: where it begins (line), its text, and the output that the page shows (None: the page shows none)."""

    line: int
    sql: str
    output: str | None

    @property
    def is_work(self) -> bool:
        """Whether it is about the work file."""
        return self.sql.startswith(WORK_MARK)


def pages() -> list[Path]:
    """The pages of the project that people read, without the changelog."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "data").rglob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """The SQL blocks of a page, in order."""
    for match in BLOCK.finditer(text):
        yield Block(text.count("\n", 0, match.start()) + 1, match["sql"], match["output"])


def refreshed(text: str, answer: Callable[[Block], str]) -> str:
    """The page with every shown output replaced by ``answer`` of its block; blocks without an output stay without."""

    def replaced(match: re.Match[str]) -> str:
        if match["output"] is None:
            return match[0]
        block = Block(0, match["sql"], match["output"])
        return match[0][: match.start("output") - match.start()] + answer(block) + "```\n"

    return BLOCK.sub(replaced, text)


def answer_from(published: Path, work: Path) -> Callable[[Block], str]:
    """What ``ledger query`` prints for a block. Raises duckdb.Error for SQL that does not run."""
    sys.path.insert(0, str(ROOT / "python"))
    from debate_ledger.show import query_text

    return lambda block: query_text(work if block.is_work else published, block.sql) + "\n"


def main() -> int:
    """Check or write the pages against the ledger built in the clone."""
    answer = answer_from(ROOT / "published" / "ledger.duckdb", ROOT / "work" / "ledger.duckdb")
    n_stale = 0
    for path in pages():
        text = path.read_text()
        for block in blocks(text):
            try:
                found = answer(block)
            except (duckdb.Error, ValueError) as error:
                found = f"{error}\n"
                print(f"{path.relative_to(ROOT)}, line {block.line}: {error}")
                n_stale += 1
                continue
            if block.output is not None and block.output != found:
                print(f"{path.relative_to(ROOT)}, line {block.line}: the page shows something else\n{found}")
                n_stale += 1
        if "--write" in sys.argv[1:]:
            path.write_text(refreshed(text, answer))
    return int(n_stale > 0)


if __name__ == "__main__":
    sys.exit(main())
