"""What a release of the published file must say about itself: counts, sources, licences, and sentences that hold for every ledger.

`croissant` writes them for machines, `datasheet` for people. All counts come from the published file, so both say the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

Row = dict[str, Any]

#: Addresses of licences that seeds/source_files.csv may name.
LICENCE_URLS = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC BY-SA 4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC0 1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "MIT": "https://opensource.org/license/mit",
    "Apache 2.0": "https://www.apache.org/licenses/LICENSE-2.0",
}


@dataclass(frozen=True)
class Table:
    """A published table: its comment, rows, columns as (name, DuckDB type, comment), and its Parquet file."""

    name: str
    comment: str
    n_rows: int
    columns: tuple[tuple[str, str, str], ...]
    parquet: Path
    n_bytes: int
    sha256: str


@dataclass(frozen=True)
class Facts:
    """What `read_facts` finds: the row of build_info, tables by name, releases, cohorts, and counts of the whole."""

    info: Row
    tables: tuple[Table, ...]
    releases: tuple[Row, ...]
    cohorts: tuple[Row, ...]
    counts: Row


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _rows(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[Row, ...]:
    result = con.execute(sql)
    names = [column[0] for column in result.description]
    return tuple(dict(zip(names, row, strict=True)) for row in result.fetchall())


RELEASES = """
    select release, is_invented, licence, attribution, count(*) as n_files, sum(n_bytes)::bigint as n_bytes,
        sum(n_debate_lines)::bigint as n_debate_lines, sum(n_probe_lines)::bigint as n_probe_lines,
        sum(n_rejected_lines)::bigint as n_rejected_lines,
    from raw_files where status = 'landed' group by all order by is_invented nulls last, release nulls last, licence, attribution
"""
COHORTS = """
    with models as (
        select cohort, count(distinct model) as n_models, string_agg(distinct model, ', ' order by model) as models,
            string_agg(distinct coding_rule || ' @ ' || endpoint, ', ' order by coding_rule || ' @ ' || endpoint) as rules,
            sum(n_debates)::bigint as n_debates, sum(n_undefined)::bigint as n_undefined,
            sum(n_initial_correct)::bigint as n_initial_correct,
            sum(n_collapse)::bigint as n_collapse, sum(n_correction)::bigint as n_correction, sum(n_unavailable)::bigint as n_unavailable
        from model_ledger group by cohort
    ),
    invented as (
        select cohort, bool_and(coalesce(is_invented, false)) as is_invented, count(distinct lane) as n_lanes
        from cohort_lanes left join raw_files using (file_key) where is_included group by cohort
    )
    select cohort, coalesce(description, 'The folder of this name.') as description, invented.is_invented, n_lanes,
        models.* exclude (cohort)
    from models left join cohorts using (cohort) left join invented using (cohort) order by cohort
"""
COUNTS = """
    select
        (select count(*) from raw_files) as n_files,
        (select count(*) from raw_files where status = 'landed' and licence is null) as n_files_without_licence,
        (select count(*) from raw_files where is_invented) as n_invented_files,
        (select count(*) from rejected_lines) as n_rejected,
        (select count(distinct lane) from screen where not is_from_published_counts) as n_probe_lanes,
        (select count(distinct lane) from screen where is_from_published_counts) as n_count_lanes,
        (select sum(n)::bigint from (select any_value(n_probe_completions) as n from screen group by lane)) as n_completions,
        (select count(distinct model) from model_ledger) as n_models,
        (select count(distinct question_id) from debates) as n_questions,
        (select count(distinct debate_key) from debates) as n_debates,
        (select count(distinct debate_key) from debates where file_key in (select file_key from raw_files where is_invented))
            as n_invented_debates,
        (select sum(n_answers_asked)::bigint from round_ledger) as n_answers_asked,
        (select sum(n_answers_parsed)::bigint from round_ledger) as n_answers_parsed,
        (select count(distinct debate_key) from duplicate_debates where not is_dropped) as n_kept_duplicates,
        (select count(*) from unanswerable_debates) as n_unanswerable,
        (select count(*) from left_out_lanes) as n_left_out_lanes,
        (select string_agg(distinct d, ', ' order by d) from (select unnest(string_split(dialects, ', ')) as d from raw_files)) as dialects
"""


def read_facts(published: Path) -> Facts:
    """Read the published file and hash the Parquet files beside it.

    Raises FileNotFoundError where a table has no Parquet file beside it, duckdb.Error where the file cannot be read.
    """
    folder = published.parent / "parquet"
    tables = []
    with duckdb.connect(str(published), read_only=True) as con:
        names = con.execute("select table_name, comment from duckdb_tables() where schema_name = 'main' order by table_name").fetchall()
        for name, comment in names:
            parquet = folder / f"{name}.parquet"
            if not parquet.is_file():
                raise FileNotFoundError(
                    f"{parquet} is missing: build the ledger again, it writes the Parquet files beside the published file"
                )
            columns = con.execute(
                "select column_name, data_type, comment from duckdb_columns() where schema_name = 'main' and table_name = ? order by"
                " column_index",
                [name],
            ).fetchall()
            n_rows = con.execute(f'select count(*) from "{name}"').fetchone()[0]
            tables.append(Table(name, comment or "", n_rows, tuple(columns), parquet, parquet.stat().st_size, file_sha256(parquet)))
        return Facts(
            info=_rows(con, "select * from build_info")[0],
            tables=tuple(tables),
            releases=_rows(con, RELEASES),
            cohorts=_rows(con, COHORTS),
            counts=_rows(con, COUNTS)[0],
        )


def licences(facts: Facts) -> list[str]:
    """Distinct licences of the landed files, as addresses where they are known, else by name."""
    return sorted({LICENCE_URLS.get(r["licence"], r["licence"]) for r in facts.releases if r["licence"]})


def attributions(facts: Facts) -> list[str]:
    """Whom to name when using the data: attributions of releases that are not invented."""
    return sorted({r["attribution"] for r in facts.releases if r["attribution"] and not r["is_invented"]})


def description(facts: Facts) -> str:
    """The data set in a few sentences."""
    c = facts.counts
    invented = f" {c['n_invented_debates']:,} of the debates are invented samples." if c["n_invented_debates"] else ""
    return (
        f"What recorded multi-agent debates of language models did: {c['n_debates']:,} debates of {c['n_models']} models on"
        f" {c['n_questions']:,} questions, in {len(facts.cohorts)} cohorts.{invented} Each debate has its start, its end and the round in"
        " which a right majority broke, under every rule for tied and empty panels that its source can answer; rates stand beside their"
        " counts and 95 % intervals. Probes that screen for collapse, replays of gates and the checks of the data are tables of their own."
    )


def _invented(facts: Facts) -> str:
    n, of = facts.counts["n_invented_files"], facts.counts["n_files"]
    return (
        f"{n} of {of} files are invented samples, marked so in raw_files.is_invented; no number of their cohorts is a result." if n else ""
    )


def statements(facts: Facts) -> dict[str, list[str]]:
    """Sentences by RAI property (Croissant's extension for responsible AI), in the order in which they are shown."""
    c, info = facts.counts, facts.info
    asked, parsed = c["n_answers_asked"], c["n_answers_parsed"]
    without_answers = "" if asked else "No source holds the answers of single agents."
    answers = f"{asked - parsed:,} of {asked:,} answers of agents were asked for and not parsed." if asked else without_answers
    sentences = {
        "dataCollection": [
            "The debates and probes were run elsewhere and written to log files; this data set is made from those files and runs no"
            " model.",
            f"{info['n_files_landed']} files with {info['n_lines']:,} lines landed: {info['n_debate_lines']:,} lines of debates,"
            f" {info['n_probe_lines']:,} of probes, {info['n_action_lines']:,} of a controller's actions,"
            f" {info['n_evaluation_lines'] + info['n_audit_record_lines']:,} of the verifier audit.",
            "Tables named published_…, reproduction and the probe lanes `published counts / …` rest on statistics that a study printed.",
            "The table raw_files has the name, size and SHA-256 of each, with its release, licence and attribution where these are known.",
        ],
        "dataCollectionType": ["Software collection of logs", "Answers of language models to multiple-choice and short-answer questions"],
        "dataCollectionMissingData": [
            answers,
            f"Lines or parts of lines that were rejected: {c['n_rejected']:,}; the table rejected_lines says where and why.",
            f"Debates that no coding rule can answer: {c['n_unanswerable']:,} (table unanswerable_debates).",
            "Feature matrices hold correctness per round and no answers, so rules that look at answers are not defined on them;"
            " rule_sensitivity says so row by row. Parsed, unparsed and not asked are three states, and an unknown value is null.",
        ],
        "dataCollectionRawData": [
            "The raw files are not part of this data set: what models wrote in them is gated. A file's SHA-256 tells whether it is the"
            " same file.",
        ],
        "dataPreprocessingProtocol": [
            "Every line is parsed once, typed, and staged or rejected with a reason; white space around answers goes, single letters are"
            " put in upper case.",
            "A majority is decided under each of the coding rules of the table coding_rules; a collapse is a right start that does not"
            " end right, a correction a wrong start that ends right.",
            f"Intervals of proportions are Wilson and Jeffreys, 95 %. A rate whose denominator is below {info['minimum_n']} is null and"
            " keeps its denominator.",
        ],
        "dataAnnotationProtocol": [
            "Right and wrong follow from the answer key in the log files; no person labelled anything for this data set.",
        ],
        "machineAnnotationTools": [
            f"debate ledger {info['ledger_version']} on DuckDB {info['duckdb_version']} and dbt {info['dbt_version']}"
        ],
        "dataBiases": [
            "Cohorts are what somebody chose to run: models, questions, panel sizes and prompts are no sample of all debates, and debates"
            " of one question or one model are not independent.",
            f"Debates that stand more than once in the data and count as often: {c['n_kept_duplicates']:,} (table duplicate_debates).",
            "The coding of ties and of unparsed answers moves the rates; rule_sensitivity shows by how much.",
        ],
        "dataUseCases": [
            "Measuring how often debate breaks a right majority or repairs a wrong one, with denominators; comparing coding rules;"
            " scoring gates and controllers on recorded debates; checking a pre-debate screen against what debate did.",
            "It is not meant for ranking models in general, nor for training on what they wrote: no text is in it.",
        ],
        "dataLimitations": [
            "Recorded debates say what happened, not what would have happened without them: a replayed gate keeps the recorded start or"
            " end, and no model answers anew.",
            f"Landed files without a known licence: {c['n_files_without_licence']}; ask their owners before passing anything on."
            if c["n_files_without_licence"]
            else "",
            f"{c['n_count_lanes']} probe lanes are published counts without their rows, so they have no intervals over questions."
            if c["n_count_lanes"]
            else "",
            _invented(facts),
        ],
        "dataSocialImpact": [
            "Seen with both flows, debate can be switched off where it does harm and kept where it helps. A small rate with a wide"
            " interval can mislead a reader who looks at the rate only.",
        ],
        "personalSensitiveInformation": [
            "No column asks for data about persons. Texts of models are not published; names of files, models and questions are published"
            " as they are in the logs, so whoever builds a ledger must keep persons out of these.",
        ],
        "dataReleaseMaintenancePlan": [
            "Every build writes all files anew and swaps them in as a whole; the same input gives the same tables."
            " build_info.input_sha256 names the input, the changelog of the project says what changed in the models.",
        ],
    }  # fmt: skip
    return {name: [sentence for sentence in found if sentence] for name, found in sentences.items()}


def has_synthetic_data(facts: Facts) -> bool:
    """True: answers of models are synthetic, and so are invented samples. A ledger without a debate or probe has none."""
    return bool(facts.info["n_debate_lines"] or facts.info["n_probe_lines"])


def names_in(attribution: str) -> Iterator[str]:
    """Names of persons at the head of an attribution (``A B, C D: Title``); none where the head does not read like names of persons."""
    head, colon, _ = attribution.partition(":")
    parts = [part.strip() for part in head.split(",")]
    if colon and all(re.fullmatch(r"[^\W\d_a-z][\w.'-]*( [^\W\d_a-z][\w.'-]*){1,3}", part) for part in parts):
        yield from parts
