"""Croissant metadata and datasheet: valid, true of the files beside them, the same every time, and from one source."""

import hashlib
import itertools
import json
import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import mlcroissant as mlc
import pytest
from conftest import Ledger

from debate_ledger.croissant import data_type, write_croissant
from debate_ledger.datasheet import write_datasheet
from debate_ledger.release_facts import attributions, licences, names_in, read_facts, statements

# What the reference reader calls in its own dependencies is none of ours.
pytestmark = pytest.mark.filterwarnings("ignore:::rdflib", "ignore:::mlcroissant")

#: Properties of the RAI extension that the published metadata of the study have (`ledger_formats` 1.16), but for its inventory of files.
RAI = (
    "dataCollection hasSyntheticData dataCollectionType dataCollectionMissingData dataCollectionRawData dataPreprocessingProtocol"
    " dataAnnotationProtocol machineAnnotationTools dataBiases dataUseCases dataLimitations dataSocialImpact personalSensitiveInformation"
    " dataReleaseMaintenancePlan"
).split()


@pytest.fixture(scope="module")
def metadata_file(shipped: Ledger) -> Path:
    return write_croissant(shipped.published)


@pytest.fixture(scope="module")
def metadata(metadata_file: Path) -> dict[str, Any]:
    return json.loads(metadata_file.read_text())


@pytest.fixture
def copied(shipped: Ledger, tmp_path: Path) -> Path:
    """A copy of the published file and its Parquet files, to spoil."""
    shutil.copytree(shipped.published.parent, tmp_path / "published")
    return tmp_path / "published" / shipped.published.name


def test_the_reference_reader_finds_no_error(metadata_file: Path, copied: Path) -> None:
    issues = mlc.Dataset(jsonld=str(metadata_file)).metadata.ctx.issues
    assert issues.errors == set()
    # The date of a publication is the publisher's to give, and all that is missing.
    assert len(issues.warnings) == 1 and "datePublished" in next(iter(issues.warnings))
    dated = write_croissant(copied, url="https://example.org/ledger", date_published="2026-01-02")
    issues = mlc.Dataset(jsonld=str(dated)).metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    assert json.loads(dated.read_text())["url"] == "https://example.org/ledger"


@pytest.mark.parametrize("table", ["model_ledger", "raw_files", "screen", "gates", "rejected_lines", "probe_disagreements"])
def test_the_reference_reader_reads_the_rows_of_a_table(metadata_file: Path, shipped: Ledger, table: str) -> None:
    def plain(value: object) -> object:
        value = value.decode() if isinstance(value, bytes) else value
        return None if value is None or value != value else value

    records = mlc.Dataset(jsonld=str(metadata_file)).records(table)
    found = [{name.removeprefix(f"{table}/"): plain(value) for name, value in record.items()} for record in itertools.islice(records, 30)]
    columns = [c for (c,) in shipped.query("select column_name from duckdb_columns() where table_name = ? order by column_index", table)]
    rows = shipped.query("select * from read_parquet(?) limit 30", str(metadata_file.parent / "parquet" / f"{table}.parquet"))
    assert found == [dict(zip(columns, row, strict=True)) for row in rows]


def test_every_file_has_its_hash_and_size(metadata: dict[str, Any], metadata_file: Path, shipped: Ledger) -> None:
    objects = {o["contentUrl"]: o for o in metadata["distribution"]}
    files = sorted((shipped.published.parent / "parquet").glob("*.parquet"))
    assert set(objects) == {f"parquet/{f.name}" for f in files}
    for file in files:
        found = objects[f"parquet/{file.name}"]
        assert found["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
        assert found["contentSize"] == f"{file.stat().st_size} B"
        assert found["encodingFormat"] == "application/x-parquet"


def test_every_column_is_a_field_with_its_comment(metadata: dict[str, Any], shipped: Ledger) -> None:
    fields = {
        (r["name"], f["name"]): (f["description"], f["dataType"], f["source"]["fileObject"]["@id"], f["source"]["extract"]["column"])
        for r in metadata["recordSet"]
        for f in r["field"]
    }
    rows = shipped.query("select table_name, column_name, comment, data_type from duckdb_columns() where not internal")
    assert set(fields) == {(t, c) for t, c, _, _ in rows}
    for table, column, comment, kind in rows:
        assert fields[table, column] == (comment, data_type(kind), f"parquet/{table}.parquet", column)
    counts = {r["name"]: r["description"] for r in metadata["recordSet"]}
    assert counts["model_ledger"].endswith(f" {shipped.one('select count(*) from model_ledger'):,} rows.")


def test_the_extension_for_responsible_ai_is_whole(metadata: dict[str, Any]) -> None:
    assert {f"rai:{name}" for name in RAI} <= set(metadata)
    assert metadata["rai:hasSyntheticData"] is True
    for name in RAI[:1] + RAI[2:]:
        texts = metadata[f"rai:{name}"] if isinstance(metadata[f"rai:{name}"], list) else [metadata[f"rai:{name}"]]
        assert all(len(text) > 10 and "{" not in text for text in texts), name


def test_licences_and_names_are_those_of_the_sources(metadata: dict[str, Any], shipped: Ledger) -> None:
    assert metadata["license"] == [
        "https://creativecommons.org/licenses/by/4.0/",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ]
    (attribution,) = shipped.one("select list(distinct attribution) from raw_files where not is_invented")
    assert metadata["citeAs"] == attribution
    assert [c["name"] for c in metadata["creator"]] == attribution.split(":")[0].split(", ")
    assert {c["@type"] for c in metadata["creator"]} == {"sc:Person"}


@pytest.mark.parametrize(
    ("attribution", "names"),
    [
        ("Ann Lee, Bo van Dyk: Logs", []),
        ("Ann Lee, Bo Van Dyk: Logs", ["Ann Lee", "Bo Van Dyk"]),
        ("Élise O'Neil-Day: Logs", ["Élise O'Neil-Day"]),
        ("ACME, Inc: Logs", []),
        ("Ann Lee", []),
        ("", []),
    ],
)
def test_names_are_taken_only_from_what_reads_like_names(attribution: str, names: list[str]) -> None:
    assert list(names_in(attribution)) == names


def test_a_release_without_licence_is_told(copied: Path) -> None:
    with duckdb.connect(str(copied)) as con:
        con.execute("update raw_files set licence = null, attribution = 'ACME, Inc: Logs' where not is_invented")
    facts = read_facts(copied)
    assert licences(facts) == ["https://creativecommons.org/publicdomain/zero/1.0/"]
    assert attributions(facts) == ["ACME, Inc: Logs"]
    assert any(s.startswith("Landed files without a known licence: 1;") for s in statements(facts)["dataLimitations"])
    metadata = json.loads(write_croissant(copied).read_text())
    assert metadata["creator"] == [{"@type": "sc:Organization", "name": "ACME, Inc: Logs"}]
    assert "| primary cohort | no | 1 |" in (page := write_datasheet(copied).read_text())
    assert "| not known | ACME, Inc: Logs |" in page


def test_a_ledger_without_licences_and_names_is_still_valid(copied: Path) -> None:
    with duckdb.connect(str(copied)) as con:
        con.execute("update raw_files set licence = null, attribution = null, release = null, is_invented = null")
    path = write_croissant(copied)
    assert mlc.Dataset(jsonld=str(path)).metadata.ctx.issues.errors == set()
    assert json.loads(path.read_text())["license"] == ["unknown"]
    assert "not known" in write_datasheet(copied).read_text()


def test_the_same_file_gives_the_same_bytes_and_another_does_not(shipped: Ledger, copied: Path) -> None:
    first = [write(shipped.published).read_bytes() for write in (write_croissant, write_datasheet)]
    assert first == [write(copied).read_bytes() for write in (write_croissant, write_datasheet)]
    assert not re.search(rb"20\d\d-\d\d-\d\dT", first[0] + first[1])
    with duckdb.connect() as con:
        con.execute(f"copy (select 1 as x) to '{copied.parent / 'parquet' / 'gates.parquet'}' (format parquet)")
    assert first[0] != write_croissant(copied).read_bytes()


def test_a_missing_parquet_file_is_named_and_the_old_metadata_stay(copied: Path) -> None:
    old = write_croissant(copied).read_bytes()
    (copied.parent / "parquet" / "onsets.parquet").unlink()
    with pytest.raises(FileNotFoundError, match=r"onsets\.parquet is missing: build the ledger again"):
        write_croissant(copied)
    assert (copied.parent / "croissant.json").read_bytes() == old


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("BIGINT", "sc:Integer"), ("UBIGINT", "sc:Integer"), ("TINYINT", "sc:Integer"), ("INTEGER", "sc:Integer"),
        ("HUGEINT", "sc:Integer"), ("DOUBLE", "sc:Float"),
        ("DECIMAL(18,3)", "sc:Float"), ("BOOLEAN", "sc:Boolean"), ("DATE", "sc:Date"), ("TIMESTAMP", "sc:DateTime"),
        ("VARCHAR", "sc:Text"),
    ],
)  # fmt: skip
def test_types_are_mapped(kind: str, expected: str) -> None:
    assert data_type(kind) == expected


@pytest.mark.parametrize("kind", ["VARCHAR[]", "STRUCT(a INTEGER)", "INTERVAL", ""])
def test_a_type_without_a_croissant_type_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="no Croissant data type"):
        data_type(kind)


def test_the_datasheet_has_its_seven_parts_and_the_counts_of_the_file(shipped: Ledger) -> None:
    page = write_datasheet(shipped.published).read_text()
    parts = ["Motivation", "Composition", "Collection", "Preprocessing and labelling", "Uses", "Distribution", "Maintenance"]
    assert re.findall(r"(?m)^## (.*)$", page) == parts
    n, correct, collapse, correction = shipped.query(
        "select n_debates, n_initial_correct, n_collapse, n_correction from cohort_ledger where cohort = 'primary'"
    )[0]
    assert f"| {n:,} | 0 | {collapse} of {correct:,} ({100 * collapse / correct:.2f} %) | {correction} |" in page
    for (table,) in shipped.query("select table_name from duckdb_tables()"):
        assert re.search(rf"(?m)^\| {table} \| {shipped.one(f'select count(*) from {table}'):,} \|", page), table
    for sentences in statements(read_facts(shipped.published)).values():
        assert " ".join(sentences) in page or sentences[0].startswith("Software collection")


def test_metadata_and_datasheet_say_the_same(metadata: dict[str, Any], shipped: Ledger) -> None:
    page = write_datasheet(shipped.published).read_text()
    assert metadata["description"] in page
    assert metadata["rai:dataCollection"] in page
    for file in metadata["distribution"]:
        assert f"| {file['contentUrl']} | {int(file['contentSize'].split()[0]):,} | {file['sha256']} |" in page


def test_names_from_the_data_are_no_markup(copied: Path) -> None:
    with duckdb.connect(str(copied)) as con:
        con.execute("update raw_files set release = '<b>|x|' || chr(10) || '# y' where is_invented")
    page = write_datasheet(copied).read_text()
    assert "| \\<b\\>\\|x\\| # y | yes |" in page
