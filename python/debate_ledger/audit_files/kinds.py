"""What kind of audit file a .json, .npy or .npz is, and its records."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from debate_ledger.audit_files import pairs, posterior, stage1, stage2
from debate_ledger.audit_files.values import Record, Refused, Rejected, Source, compact, parse_json, read_bytes, refuse, taken

AUDIT_SUFFIXES = (".json", ".npy", ".npz")
Reader = Callable[[Source, object], Iterator[Record | Rejected]]


def _nothing(source: Source, document: object) -> Iterator[Record | Rejected]:
    """A file that another one repeats or that holds no observation: its kind is known, and it gives no record."""
    yield from ()


#: Reader per kind.
READERS: dict[str, Reader] = {
    "pairs": pairs.pairs,
    "stories": pairs.stories,
    "split": pairs.split,
    "grounded_manifest": pairs.grounded_manifest,
    "posterior": posterior.posterior,
    "partial": posterior.partial,
    "stage1_probabilities": stage1.probabilities,
    "stage1_array": stage1.array,
    "stage1_resume": stage1.resume,
    "stage1_summary": stage1.summary,
    "stage1_factors": stage1.factors,
    "stage1_complete": stage1.complete,
    "stage1_derived": _nothing,
    "selection_report": _nothing,
    "stage2_results": stage2.results,
    "stage2_manifest": stage2.manifest,
    "stage2_score_cache": stage2.score_cache,
    "stage2_warm_coverage": stage2.warm_coverage,
}
BINARY = (
    (re.compile(r"(base_verifier|model_organism|honest_verifier|strict_verifier)_(qy_ytrue|qh_htrue)_prob\.npy"), "stage1_array"),
    (re.compile(r"(model-organism|honest|adv-wo-qh)-(delta|numerator|visible_gain|denominator)\.npy"), "stage1_derived"),
    (re.compile(r"(base|model-organism|honest|adv-wo-qh)-resume\.npz"), "stage1_resume"),
)
#: Names that only files of the audit have: such a file keeps its kind whatever it holds.
OWN_NAMES = (
    (re.compile(r"(base_verifier|model_organism|honest_verifier|strict_verifier)_probabilities\.json"), "stage1_probabilities"),
    (re.compile(r"(model-organism|honest|adv-wo-qh)-factors\.json"), "stage1_factors"),
    (re.compile(r"summary-(strict|honest)\.json"), "stage1_summary"),
    (re.compile(r"warm-coverage\.json"), "stage2_warm_coverage"),
    (re.compile(r"warm-coverage\.partial\.json"), "partial"),
    (re.compile(r".+-verifier-fullft(-adversarial)?-split\.json"), "split"),
    (re.compile(r".+-verifier-fullft(-adversarial)?-(train|eval)-grounded-manifest\.json"), "grounded_manifest"),
    (re.compile(r".+-title-story\.json"), "stories"),
    (re.compile(r".+-no-debate(-100q(-not-counterexample-p[0-9]+-.+)?)?\.json"), "pairs"),
    (re.compile(r".+-with-honest-transcripts\.json"), "pairs"),
)
#: Reports beside the candidates of `runs/honest/<DS>` and `runs/adversarial/<DS>` (2.7): what counts in them stands in the rows.
REPORTS = ("report.json", "run_manifest.json", "verifier_manifest.json")
CANDIDATES = ("candidate.jsonl", "verifier_scores.jsonl", "selected.jsonl")
#: Names that other projects use as well: they decide only about a file that is no JSON, so that it is rejected and not passed over.
COMMON_NAMES = (
    (re.compile(r".+-factors\.json"), "stage1_factors"),
    (re.compile(r"summary-.+\.json"), "stage1_summary"),
    (re.compile(r".+_probabilities\.json"), "stage1_probabilities"),
    (re.compile(r"complete\.json"), "stage1_complete"),
    (re.compile(r"model-organism-delta\.json"), "stage1_derived"),
    (re.compile(r"results\.json"), "stage2_results"),
    (re.compile(r"results\.partial\.json"), "partial"),
    (re.compile(r"manifest\.json"), "stage2_manifest"),
    (re.compile(r".+-split\.json"), "split"),
    (re.compile(r"(base|honest|adv)(\.partial)?\.json"), "posterior"),
    (re.compile(r".+-(strict|honest)\.json"), "stage2_score_cache"),
)


def _by_name(name: str, names: tuple[tuple[re.Pattern[str], str], ...]) -> str | None:
    return next((kind for pattern, kind in names if pattern.fullmatch(name)), None)


def _without_json(path: Path) -> str | None:
    """Kind of a file that cannot be parsed, by its name and folders alone."""
    found = _by_name(path.name, OWN_NAMES) or _by_name(path.name, COMMON_NAMES)
    folders = path.absolute().parent.parts
    if found == "stage2_score_cache" and "audit-stage2-score-cache" not in folders:
        found = None
    if found is None and "dataset" in folders and path.name.startswith(folders[-1].removesuffix("-50").removesuffix("-250")):
        return "pairs"
    return found


def _by_content(path: Path, document: object) -> str | None:
    """Kind of a parsed file, by its keys."""
    if isinstance(document, list):
        rows = [row for row in document[:20] if isinstance(row, dict)]
        if any({"original_qy", "generators"} <= set(row) or {"pair_id", "generators", "target_role"} <= set(row) for row in rows):
            return "partial" if path.name.endswith(".partial.json") else "stage2_results"
        if any("statistical_observations" in row for row in rows):
            return "partial" if path.name.endswith(".partial.json") else "stage2_warm_coverage"
        if any({"Q_Y", "Q_H"} <= set(row) or {"story_title", "Q_Y"} <= set(row) for row in rows):
            return "pairs"
        in_stage2 = any(part.startswith("audit-stage2-") for part in path.absolute().parts)
        if not document and in_stage2 and path.name in ("results.json", "results.partial.json"):
            return "partial" if "partial" in path.name else "stage2_results"
        return "stage1_derived" if path.name == "model-organism-delta.json" else None
    if not isinstance(document, dict):
        return None
    keys = set(document)
    tells = (
        ({"phase", "arrays", "matrix_sha256"}, "stage1_probabilities"),
        ({"delta_exact", "denominator_exact"}, "stage1_factors"),
        ({"groups", "pairs", "no_counterexample"}, "stage1_summary"),
        ({"complete", "artifacts", "mode"}, "stage1_complete"),
        ({"observations", "namespace", "integrity"}, "stage2_score_cache"),
        ({"mtest_per_generator", "completed_pairs", "total_pairs"}, "stage2_manifest"),
        ({"status", "target_role", "total_pairs"}, "stage2_manifest"),
        ({"split_seed", "train_indices", "eval_indices"}, "split"),
        ({"split_seed", "index_info"}, "split"),
        ({"grounded_prompt_version", "winner_side_counts"}, "grounded_manifest"),
        ({"statistical_observations", "qh_unique"}, "stage2_warm_coverage"),
    )
    for wanted, kind in tells:
        if wanted <= keys:
            return kind
    if document.get("mode") == "delta-analysis" and path.name == "analysis.json":
        return "stage1_derived"
    metadata, items = document.get("metadata"), document.get("items")
    if isinstance(metadata, dict) and isinstance(items, list):
        is_ours = {"readout_version", "both_orders", "option_seed"} & set(metadata) or any(
            isinstance(item, dict) and {"Q_Y", "Q_H"} & set(item) for item in items[:20]
        )
        if is_ours:
            return "partial" if path.name.endswith(".partial.json") else "posterior"
    return None


def _read(source: Source) -> tuple[str | None, object]:
    """Kind and parsed content of a file, whose bytes the source then holds. Raises Refused for a file that cannot be parsed."""
    name = source.path.name
    if source.path.suffix in (".npy", ".npz"):
        kind = _by_name(name, BINARY)
        source.raw = read_bytes(source.path) if kind else b""
        return kind, None
    if source.path.suffix != ".json":
        return None, None
    source.raw = read_bytes(source.path)
    document = parse_json(source.raw)
    if name in REPORTS and any(source.path.with_name(rows).is_file() for rows in CANDIDATES):
        return "selection_report", document
    return _by_content(source.path, document) or _by_name(name, OWN_NAMES), document


def audit_kind(path: Path) -> str | None:
    """Kind of an audit file, a key of `READERS`; None for a file that is none. Never raises.

    What the file holds decides. A name that only the audit has, and any name of its layout on a file that is no JSON, decide where the
    content does not, so that a broken file is rejected with a reason.
    """
    if path.suffix in (".npy", ".npz"):
        return _by_name(path.name, BINARY)
    try:
        return _read(Source(path))[0]
    except Refused:
        return _without_json(path)


def row(number: int, record: Record) -> dict[str, object]:
    """A record as a row of the landing."""
    line = compact(record)
    return {"line_number": number, "line": line, "original": line, "kind": None, "reason": None}


def rejected_row(number: int, rejected: Rejected, sha256: str, n_bytes: int) -> dict[str, object]:
    """A rejection as a row of the landing: the hash stands for what was not taken."""
    original: Record = {"record": "rejected", "sha256": sha256, "n_bytes": n_bytes}
    if rejected.item is not None:
        original["item"] = rejected.item
    return {"line_number": number, "line": None, "original": compact(original), "kind": None, "reason": rejected.reason}


def _outcomes(source: Source) -> Iterator[Record | Rejected]:
    """Records and rejections of a file; what makes the whole file unusable is one rejection."""
    try:
        kind, document = _read(source)
        if kind is None:
            refuse("the file is none of the audit's: move it out of the folder")
        yield from taken(READERS[kind](source, document))
    except Refused as error:
        yield Rejected(str(error))


def audit_records(path: Path) -> Iterator[dict[str, object]]:
    """Rows of an audit file for the landing: line_number, line, original, kind, reason.

    Line numbers count the rows from 1. A file that cannot be trusted at all gives one rejected row; one bad item gives one of its own.
    """
    source = Source(path)
    digest: str | None = None
    for number, outcome in enumerate(_outcomes(source), start=1):
        if isinstance(outcome, Rejected):
            digest = digest or hashlib.sha256(source.raw).hexdigest()
            yield rejected_row(number, outcome, digest, len(source.raw))
        else:
            yield row(number, outcome)
