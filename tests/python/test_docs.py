"""The documentation is true: its SQL runs and prints what the pages show, its links lead somewhere, and what it names exists."""

import re
import sys
from pathlib import Path

import duckdb
import pytest
import yaml
from conftest import ROOT, Ledger

sys.path.insert(0, str(ROOT / "tests"))
import doc_blocks

PAGES = doc_blocks.pages()
WITH_SQL = [path for path in PAGES if "```sql" in path.read_text()]
#: `name.name` in backticks that is a table and a column, or a layer and a table.
DOTTED = re.compile(r"`([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)`")
#: Endings of file names, which look the same.
ENDINGS = {"csv", "duckdb", "gz", "html", "json", "jsonl", "md", "parquet", "py", "sh", "sql", "toml", "txt", "yaml", "yml"}
#: Keys of raw lines that are written with a dot.
RAW_KEYS = {("outcome", "collapse")}
#: Modules of the package, which look like a column too.
MODULES = re.compile(r"`debate_ledger\.([a-z_]+)`")
#: Paths of the clone in backticks; * stands for any name.
PATHS = re.compile(r"`((?:analysis|data|docs|macros|models|python|seeds|tests)/[A-Za-z0-9_./*-]*)`")
LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    """Path of a page as a test's id."""
    return str(path.relative_to(ROOT))


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them: lower case, spaces to hyphens, no punctuation."""
    headings = re.findall(r"^#+ (.*)$", prose(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(path: Path, text: str) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
    broken = []
    for link in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        if not file.exists() or (anchor and anchor not in anchors(text if file == path else file.read_text())):
            broken.append(link)
    return broken


def unknown_names(text: str, columns: set[tuple[str, str]]) -> list[str]:
    """The backticked table.column and layer.table of a page that are not among ``columns``."""
    found = set(DOTTED.findall(prose(text))) - RAW_KEYS - columns
    return sorted(f"{table}.{column}" for table, column in found if table != "debate_ledger" and column not in ENDINGS)


def missing_paths(text: str) -> list[str]:
    """The backticked paths of a page that match nothing in the clone; folders that a user makes are named ``my_…``."""
    named = [path for path in PATHS.findall(text) if "/my_" not in path]
    named += [f"python/debate_ledger/{module}.py" for module in MODULES.findall(text)]
    return [path for path in named if not any(ROOT.glob(path.rstrip("/")))]


@pytest.fixture(scope="module")
def columns(shipped: Ledger) -> set[tuple[str, str]]:
    """Every (table, column) of the published file and of the seeds, and every (layer, table) and (table, column) of the work file."""
    known = set(shipped.query("select table_name, column_name from duckdb_columns()"))
    known |= set(shipped.work_query("select table_name, column_name from duckdb_columns()"))
    return known | set(shipped.work_query("select table_schema, table_name from information_schema.tables"))


@pytest.mark.parametrize("path", WITH_SQL, ids=name)
def test_the_sql_of_a_page_prints_what_the_page_shows(shipped: Ledger, path: Path) -> None:
    answer = doc_blocks.answer_from(shipped.published, shipped.work)
    for block in doc_blocks.blocks(path.read_text()):
        found = answer(block)
        assert block.output in (None, found), f"{name(path)}, line {block.line}: python tests/doc_blocks.py --write, after make build"


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_the_links_of_a_page_lead_somewhere(path: Path) -> None:
    assert broken_links(path, path.read_text()) == []


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_the_tables_columns_and_files_that_a_page_names_exist(columns: set[tuple[str, str]], path: Path) -> None:
    text = path.read_text()
    assert unknown_names(text, columns) == []
    assert missing_paths(text) == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, open_pages = set(), [ROOT / "README.md"]
    while open_pages:
        path = open_pages.pop()
        if path in reached:
            continue
        reached.add(path)
        for link in LINK.findall(prose(path.read_text())):
            target = (path.parent / link.partition("#")[0]).resolve()
            if target.is_dir():
                open_pages += sorted(target.glob("*.md"))
            elif target.suffix == ".md" and target.exists() and target != path:
                open_pages.append(target)
    assert [name(path) for path in PAGES if path not in reached and path.is_relative_to(ROOT / "docs")] == []


def test_every_family_of_problems_has_its_table_on_a_page(shipped: Ledger) -> None:
    """Each published table that the layer `audit` makes is on a page below docs/data_quality."""
    text = "\n".join(path.read_text() for path in (ROOT / "docs" / "data_quality").glob("*.md"))
    tables = {t for (t,) in shipped.work_query("select table_name from information_schema.tables where table_schema = 'audit'")}
    published = {t for (t,) in shipped.query("select table_name from duckdb_tables()")}
    # What is compared with the published study is no problem of one's data: docs/reproduction.md.
    assert sorted(t for t in tables & published - {"published_screen_checks"} if f"`{t}`" not in text and f"from {t}" not in text) == []


def test_the_exposures_are_about_tables_that_are_published(shipped: Ledger) -> None:
    exposures = yaml.safe_load((ROOT / "models" / "exposures.yml").read_text())["exposures"]
    read = {re.fullmatch(r"ref\('(\w+)'\)", ref)[1] for exposure in exposures for ref in exposure["depends_on"]}
    published = {t for (t,) in shipped.query("select table_name from duckdb_tables()")}
    assert {table.removeprefix("published_") for table in read - {"publication"}} <= published
    assert len(read) > 20


def test_the_readme_lists_tables_that_are_published(shipped: Ledger) -> None:
    section = (ROOT / "README.md").read_text().split("## What comes out")[1].split("\n## ")[0]
    listed = {word for row in re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE) for word in re.findall(r"`(\w+)`", row)}
    published = {t for (t,) in shipped.query("select table_name from duckdb_tables()")}
    assert listed <= published and len(listed) > 40


def test_the_controller_of_the_page_does_what_the_page_says(shipped: Ledger) -> None:
    """Its alarms, prevented collapses and lost corrections, counted here from the debates and their first rounds."""
    row = re.search(
        r"^  freeze if split +(\d+) +\d+ +(\d+) +(\d+) +(\d+)", (ROOT / "docs" / "score_a_controller.md").read_text(), re.MULTILINE
    )
    counted = shipped.query(
        """
        select count(*), count(*) filter (where splits), count(*) filter (where splits and cell = 'collapse'),
            count(*) filter (where splits and cell = 'correction')
        from (
            select debates.cell, debate_rounds.agreement_counting_unparsed < 1 as splits
            from debates inner join cohorts using (cohort, coding_rule, endpoint)
            inner join debate_rounds using (cohort, debate_key)
            where cohort = 'primary' and debate_rounds.round = 0
        )
        """
    )
    assert [tuple(map(int, row.groups()))] == counted


def test_a_broken_link_or_anchor_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One thing\n")
    page = tmp_path / "page.md"
    page.touch()
    text = "# Here: now\n[a](a.md) [b](a.md#one-thing) [c](b.md) [d](a.md#two) [e](#here-now) [f](#there) [g](https://example.org)"
    assert broken_links(page, text) == ["b.md", "a.md#two", "#there"]


def test_an_unknown_name_or_path_is_told() -> None:
    text = "`debates.cell` `debates.cel` `models.csv` `debate_ledger.ranks` `debate_ledger.rank`\n```\n`x.y`\n```\n"
    text += "`seeds/models.csv` `seeds/model.csv` `data/my_study/`\n"
    assert unknown_names(text, {("debates", "cell")}) == ["debates.cel"]
    assert missing_paths(text) == ["seeds/model.csv", "python/debate_ledger/rank.py"]


def test_blocks_are_found_and_written_anew() -> None:
    text = "a\n```sql\nselect 1 as a\n```\n\n```text\nold\n```\n\n```sql\n-- work file\nselect 2\n```\nb\n"
    first, second = doc_blocks.blocks(text)
    assert (first.line, first.sql, first.output, first.is_work) == (2, "select 1 as a\n", "old\n", False)
    assert (second.output, second.is_work) == (None, True)
    assert doc_blocks.refreshed(text, lambda block: "new\n") == text.replace("old\n", "new\n")


def test_sql_that_does_not_run_is_no_answer(shipped: Ledger) -> None:
    answer = doc_blocks.answer_from(shipped.published, shipped.work)
    with pytest.raises(duckdb.Error):
        answer(doc_blocks.Block(1, "select cel from debates\n", None))
