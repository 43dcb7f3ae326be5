"""Croissant 1.0 metadata with the RAI extension for the published Parquet files (`ledger_formats` 1.16).

One file object per Parquet file with its SHA-256 and size, one record set per table with a field per column. Descriptions are the comments
of the published file. Nothing in it depends on the clock: the same published file gives the same bytes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from debate_ledger.cards import METADATA_FILE
from debate_ledger.files import write_text
from debate_ledger.release_facts import Facts, attributions, description, has_synthetic_data, licences, names_in, read_facts, statements

CONFORMS_TO = ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
#: JSON-LD context of Croissant 1.0, with the RAI vocabulary.
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
#: Properties of the RAI extension that hold one text; the others hold a list.
ONE_TEXT = (
    "dataCollection", "dataCollectionMissingData", "dataCollectionRawData", "dataSocialImpact", "dataReleaseMaintenancePlan",
)  # fmt: skip
DATA_TYPES = {
    "VARCHAR": "sc:Text", "BOOLEAN": "sc:Boolean", "DOUBLE": "sc:Float", "FLOAT": "sc:Float", "DATE": "sc:Date", "TIME": "sc:Time",
    "TIMESTAMP": "sc:DateTime", "TIMESTAMP WITH TIME ZONE": "sc:DateTime",
}  # fmt: skip


def data_type(duckdb_type: str) -> str:
    """Croissant data type of a DuckDB type. Raises ValueError for a nested or unknown one, which the published file does not hold."""
    if re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", duckdb_type):
        return "sc:Integer"
    if duckdb_type.startswith("DECIMAL"):
        return "sc:Float"
    if duckdb_type not in DATA_TYPES:
        raise ValueError(f"no Croissant data type for the DuckDB type {duckdb_type}")
    return DATA_TYPES[duckdb_type]


def _creators(facts: Facts) -> list[dict[str, str]]:
    """Persons named at the head of the attributions; an attribution that names none is an organisation of that name."""
    found = []
    for attribution in attributions(facts):
        persons = [{"@type": "sc:Person", "name": name} for name in names_in(attribution)]
        found += persons or [{"@type": "sc:Organization", "name": attribution}]
    return [creator for i, creator in enumerate(found) if creator not in found[:i]]


def croissant(facts: Facts, url: str = "", date_published: str = "") -> dict[str, Any]:
    """The metadata as a JSON-LD object.

    ``url`` is where the data set is to be found and ``date_published`` an ISO date: neither follows from the published file, so both are
    the publisher's to give. Without a ``url`` the data set is named by the hash of its input, without a date there is none.
    """
    rai = {
        f"rai:{name}": " ".join(sentences) if name in ONE_TEXT else sentences
        for name, sentences in statements(facts).items()
        if sentences
    }  # fmt: skip
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": "debate-ledger",
        "description": description(facts),
        "conformsTo": CONFORMS_TO,
        "url": url or f"urn:sha256:{facts.info['input_sha256']}",
        "version": facts.info["ledger_version"],
        **({"datePublished": date_published} if date_published else {}),
        "license": licences(facts) or ["unknown"],
        "creator": _creators(facts) or [{"@type": "sc:Organization", "name": "unknown"}],
        **({"citeAs": "; ".join(attributions(facts))} if attributions(facts) else {}),
        "keywords": ["multi-agent debate", "language models", "majority vote", "evaluation"],
        "inLanguage": "en",
        "isLiveDataset": False,
        **rai,
        "rai:hasSyntheticData": has_synthetic_data(facts),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": f"parquet/{table.name}.parquet",
                "name": f"{table.name}.parquet",
                "description": table.comment,
                "contentUrl": f"parquet/{table.name}.parquet",
                "contentSize": f"{table.n_bytes} B",
                "encodingFormat": "application/x-parquet",
                "sha256": table.sha256,
            }
            for table in facts.tables
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": table.name,
                "name": table.name,
                "description": f"{table.comment} {table.n_rows:,} rows.",
                "field": [
                    {
                        "@type": "cr:Field",
                        "@id": f"{table.name}/{column}",
                        "name": column,
                        "description": comment,
                        "dataType": data_type(kind),
                        "source": {"fileObject": {"@id": f"parquet/{table.name}.parquet"}, "extract": {"column": column}},
                    }
                    for column, kind, comment in table.columns
                ],
            }
            for table in facts.tables
        ],
    }


def write_croissant(published: Path, url: str = "", date_published: str = "") -> Path:
    """Write ``croissant.json`` beside the published file, from it and its Parquet files; returns its path.

    Raises FileNotFoundError where a Parquet file is missing, ValueError for a column type that Croissant does not know, duckdb.Error where
    the published file cannot be read. The old file stays as it was then.
    """
    metadata = croissant(read_facts(published), url, date_published)
    return write_text(published.parent / METADATA_FILE, json.dumps(metadata, indent=2, ensure_ascii=False) + "\n")
