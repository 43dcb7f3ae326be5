"""Datasheet of the published file as a Markdown page: motivation, composition, collection, preprocessing, uses, distribution, maintenance.

The questions are those of Gebru et al., Datasheets for Datasets (arXiv 1803.09010). Counts and sentences come from `release_facts`, like
those of the Croissant metadata, so the two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from debate_ledger.cards import METADATA_FILE, markdown_text
from debate_ledger.files import write_text
from debate_ledger.release_facts import Facts, attributions, description, read_facts, statements

DATASHEET_FILE = "datasheet.md"


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Lines of a Markdown table and an empty line; numbers with commas, null as a dash."""

    def cell(value: object) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:,}" if isinstance(value, int) else markdown_text(str(value))

    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return [*lines, *("| " + " | ".join(map(cell, row)) + " |" for row in rows), ""]


def _rate(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" + (f" ({100 * part / whole:.2f} %)" if whole else "")


def datasheet(facts: Facts) -> str:
    """The page as text."""
    say = {name: " ".join(sentences) for name, sentences in statements(facts).items()}
    c, info = facts.counts, facts.info
    lines = [
        "# Datasheet of a debate ledger",
        "",
        f"Ledger {info['ledger_version']}, input {info['input_sha256']}. Written from the published file; {METADATA_FILE} says the same to"
        " machines.",
        "",
        "## Motivation",
        "",
        "Final accuracy hides two opposite flows: the same discussion can destroy a right majority (collapse) and repair a wrong one"
        " (correction). This data set keeps them apart, with stated denominators, for those who decide when language models should"
        " debate.",
        "",
        say["dataUseCases"],
        "",
        "## Composition",
        "",
        description(facts),
        "",
        "Cohorts, each under its own coding rule and endpoint. Collapses are of debates that start right, corrections of those that start"
        " wrong; undefined ones have no start, no end or no key under the rule.",
        "",
        *_table(
            ("cohort", "what it is", "invented", "models", "lanes", "rule @ endpoint", "debates", "undefined", "collapses", "corrections"),
            (
                (
                    r["cohort"], r["description"], r["is_invented"], r["n_models"], r["n_lanes"], r["rules"], r["n_debates"],
                    r["n_undefined"], _rate(r["n_collapse"], r["n_initial_correct"]), r["n_correction"],
                )
                for r in facts.cohorts
            ),
        ),
        f"Probes: {c['n_probe_lanes']:,} lanes with {c['n_completions'] or 0:,} replies, and {c['n_count_lanes']:,} lanes of which only"
        f" counts are known. Shapes of lines in the files: {c['dialects'] or 'none'}.",
        "",
        "Missing:",
        "",
        say["dataCollectionMissingData"],
        "",
        say["personalSensitiveInformation"],
        "",
        "Tables, one Parquet file each:",
        "",
        *_table(
            ("table", "rows", "columns", "what a row is"), ((t.name, t.n_rows, len(t.columns), t.comment) for t in facts.tables)
        ),
        "## Collection",
        "",
        say["dataCollection"],
        "",
        *_table(
            ("release", "invented", "files", "bytes", "debate lines", "probe lines", "rejected lines", "licence", "attribution"),
            (
                (
                    r["release"] or "not known", r["is_invented"], r["n_files"], r["n_bytes"], r["n_debate_lines"], r["n_probe_lines"],
                    r["n_rejected_lines"], r["licence"] or "not known", r["attribution"] or "not known",
                )
                for r in facts.releases
            ),
        ),
        "## Preprocessing and labelling",
        "",
        say["dataPreprocessingProtocol"],
        "",
        say["dataAnnotationProtocol"] + f" Made with {say['machineAnnotationTools']}.",
        "",
        say["dataCollectionRawData"],
        "",
        "## Uses",
        "",
        say["dataLimitations"],
        "",
        say["dataBiases"],
        "",
        say["dataSocialImpact"],
        "",
        "## Distribution",
        "",
        "A DuckDB file (storage of DuckDB 1.2, so later ones read it) and the Parquet files, with this page and the metadata beside them."
        " Each file stays under the licence of its release; the licences stand above."
        + (f" Name, when you use the data: {'; '.join(map(markdown_text, attributions(facts)))}." if attributions(facts) else ""),
        "",
        "Open are the columns of the published tables: names, short labels and what follows from the logs by counting. Gated, and in none"
        " of these files, is what models wrote: texts, rejected lines, errors, and answers long enough to be a text.",
        "",
        "## Maintenance",
        "",
        say["dataReleaseMaintenancePlan"],
        "",
        "Files and their SHA-256:",
        "",
        *_table(("file", "bytes", "SHA-256"), ((f"parquet/{t.parquet.name}", t.n_bytes, t.sha256) for t in facts.tables)),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def write_datasheet(published: Path) -> Path:
    """Write ``datasheet.md`` beside the published file; returns its path.

    Raises FileNotFoundError where a Parquet file is missing, duckdb.Error where the published file cannot be read. The old page stays then.
    """
    return write_text(published.parent / DATASHEET_FILE, datasheet(read_facts(published)))
