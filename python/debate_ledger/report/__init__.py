"""The published ledger as one HTML page that opens from disk and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from debate_ledger.files import write_text
from debate_ledger.report import data

__all__ = ["page", "write_report"]


def _json_for_html(value: object) -> str:
    """JSON that can stand in a script element: nothing in it ends the element, opens a comment or starts an entity."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # Half a surrogate pair cannot be written as UTF-8; as an escape it can.
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)


def _hash(script: str) -> str:
    """Source expression of the Content Security Policy that lets this script run, and no other."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


def _resource(name: str) -> str:
    return files("debate_ledger.report").joinpath(name).read_text(encoding="utf-8")


def _sql_details(names: str, datasets: Mapping[str, data.Dataset]) -> str:
    """Queries of a figure, to be unfolded."""
    texts = "\n".join(f"<pre tabindex=0><code>{html.escape(datasets[name].sql)}</code></pre>" for name in names.split())
    plural = "queries" if " " in names else "query"
    return f"<details class=sql><summary>The SQL {plural} behind this</summary>\n{texts}\n</details>"


def page(datasets: Mapping[str, data.Dataset]) -> str:
    """The page of the given data sets (data.read), as HTML.

    Its Content Security Policy allows the scripts of the page by their hashes and no connection at all: a name in the data that looks
    like markup is text, and could not run if it were not.
    """
    # Altair and the bundle take seconds to load, and only the report needs them.
    import vl_convert

    from debate_ledger.report import charts

    content = {
        "specs": charts.specs(),
        "data": {name: {"columns": found.columns, "rows": found.rows} for name, found in datasets.items()},
        "limits": {"examples": data.EXAMPLES_PER_MODEL_UP_TO},
    }
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    if "</script" in bundle.lower() or "<!--" in bundle:
        raise ValueError("the JavaScript bundle of vl-convert holds the end of a script element")
    # The bundle is a module by its syntax only; in a function of its own its hundreds of names stay out of the page's.
    # A browser reads every line end as \n, and the hash is of what it reads.
    bundle = "(() => {" + bundle.replace("\r\n", "\n").replace("\r", "\n") + "\n})();"
    own = _resource("page.js")
    parts = {
        "policy": "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src {_hash(bundle)} {_hash(own)}",
        "style": _resource("page.css"),
        "content": _json_for_html(content),
        "bundle": bundle,
        "script": own,
    }

    def filled(match: re.Match[str]) -> str:
        kind, _, argument = match[1].partition(":")
        return _sql_details(argument, datasets) if kind == "sql" else parts[kind]

    return re.sub(r"\{\{([a-z_]+(?::[a-z_ ]+)?)\}\}", filled, _resource("page.html"))


def write_report(published: Path, out: Path) -> Path:
    """Write the report of a published file to ``out``; missing folders are made, an old report is replaced as a whole.

    Returns ``out``. Raises duckdb.Error (data.read), OSError, and ImportError where altair or vl-convert-python is not installed.
    """
    text = page(data.read(published))
    out.parent.mkdir(parents=True, exist_ok=True)
    return write_text(out, text)
