"""JSONL files whose rows hold prompts, transcripts or analyses (`er_audit_formats` 2.3 to 2.5 and 2.7): read, and their texts not kept."""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from debate_ledger.audit_files.kinds import rejected_row, row
from debate_ledger.audit_files.pairs import DEBATERS
from debate_ledger.audit_files.values import (
    LABEL,
    Record,
    Refused,
    Rejected,
    as_list,
    as_object,
    canonical,
    flag,
    folder_label,
    hexdigest,
    identifier,
    need,
    one_of,
    parse_json,
    refuse,
    safe,
    sha256_text,
    share_text,
    shown,
    text_of,
    whole,
)

#: Lines that are looked at to tell what a file holds.
LINES_LOOKED_AT = 20
#: Longest line that is parsed, as in the landing.
MAX_LINE_BYTES = 64 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
#: Keys that together tell a kind; a selection repeats keys of candidates and scores within it, so that it comes first.
TELLS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"item_id", "gates"}), "selection"),
    (frozenset({"grounded_prompt_version"}), "grounded"),
    (frozenset({"messages", "row_id"}), "training"),
    (frozenset({"row_id", "orientation", "target_letter"}), "training"),
    (frozenset({"qy_adv_correct", "item_id"}), "score"),
    (frozenset({"qy_adv_correct", "candidate_idx"}), "score"),
    (frozenset({"transcript", "candidate_idx"}), "candidate"),
)
ANY_KEY = re.compile('"({})"'.format("|".join(sorted(set().union(*(keys for keys, _ in TELLS))))).encode())
CONDITIONS = ("honest", "adversarial")
GATES = (
    "total no_score drop_score drop_leakage drop_quote_audit safe survivors qy_fallback_eligible qy_fallback_unusable drop_qy_gate".split()
)
DATASET = re.compile(r"(?P<dataset>.+?)-verifier-fullft.*\.jsonl(\.gz)?")


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb")


def _kind_of_line(raw: bytes) -> str | None:
    """Kind that a line's own keys tell; for a line that is no JSON, the keys that stand anywhere in it."""
    named = {name.decode() for name in ANY_KEY.findall(raw)}
    if not any(keys <= named for keys, _ in TELLS):
        return None
    try:
        document = parse_json(raw)
        named = set(document) if isinstance(document, dict) else set()
    except Refused:
        pass
    return next((kind for keys, kind in TELLS if keys <= named), None)


def withheld_kind(path: Path) -> str | None:
    """Kind of rows ("training", "grounded", "candidate", "score", "selection") that one of the first lines is; else None. Never raises."""
    looked_at = 0
    try:
        with _open(path) as stream:
            while looked_at < LINES_LOOKED_AT and (raw := stream.readline(MAX_LINE_BYTES)):
                if not raw.strip():
                    continue
                looked_at += 1
                if (kind := _kind_of_line(raw)) is not None:
                    return kind
    except (OSError, EOFError, zlib.error):
        return None
    return None


def _dataset(path: Path) -> str:
    """Dataset that the file name begins with, else the name of its folder (``runs/honest/<DS>/candidate.jsonl``)."""
    found = DATASET.fullmatch(path.name)
    return folder_label(found["dataset"] if found else path.absolute().parent.name)


def _optional(holder: Mapping[str, object], key: str, read: Callable[[Mapping[str, object], str, str], object], where: str = "") -> object:
    """The value read with ``read``, or None where it is missing or null."""
    return None if holder.get(key) is None else read(holder, key, where)


def _share(holder: Mapping[str, object], key: str, where: str = "") -> str:
    return share_text(need(holder, key, where), where + key)


def _training(line: Mapping[str, object], path: Path) -> Record:
    """Row of 2.3 or 2.4: of the prompt only its length."""
    pair_id = identifier(line, "pair_id")
    q_key = one_of(line, "q_key", ("Q_Y", "Q_H"))
    orientation = one_of(line, "orientation", ("A=Y_true", "A=Y_false", "A=H_true", "A=H_false"))
    wanted = f"{pair_id}|{orientation}" + ("|Q_H" if q_key == "Q_H" else "")
    row_id = identifier(line, "row_id", pattern=LABEL)
    if row_id != wanted and not (q_key == "Q_H" and row_id.startswith(f"{pair_id}|") and row_id.endswith("|Q_H")):
        refuse("row_id is not pair_id, orientation and, for Q_H, the question: keep the row as it was written")
    name = identifier(line, "split")
    if not name.endswith(("-train", "-eval")):
        refuse(f"split is {shown(name)}: expected a name that ends in -train or -eval")
    return {
        "record": "training_row",
        "dataset": _dataset(path),
        "model": None,
        "row_id": row_id,
        "pair_id": pair_id,
        "mode": "adversarial" if "adversarial" in name else "honest",
        "split": name.rsplit("-", 1)[1],
        "q_key": q_key,
        "orientation": orientation,
        "target_letter": one_of(line, "target_letter", ("A", "B")),
        "prompt_chars": whole(line, "prompt_chars"),
        "row_sha256": hexdigest(line, "row_sha256"),
    }


def _grounded(line: Mapping[str, object], path: Path) -> Record:
    """Row of 2.5: of the analysis only whether its length and hash are those stated. An unresolved row may have no winner."""
    status = identifier(line, "status")
    is_resolved = status == "resolved"

    def stated(key: str, read: Callable[[Mapping[str, object], str, str], object]) -> object:
        return read(line, key, "") if is_resolved else _optional(line, key, read)

    analysis = stated("analysis", text_of)
    length, digest = stated("analysis_chars", whole), stated("grounded_sha256", hexdigest)
    winner = stated("winner_debater", lambda holder, key, where: one_of(holder, key, DEBATERS, where))
    evidence = stated("evidence", lambda holder, key, where: as_object(need(holder, key, where), key))
    verified: list[bool | None] = []
    for debater in DEBATERS:
        entry = evidence.get(debater) if isinstance(evidence, dict) else None
        if entry is None and is_resolved:
            refuse(f"evidence.{debater} is missing: write it")
        verified.append(None if entry is None else flag(as_object(entry, f"evidence.{debater}"), "verified", f"evidence.{debater}."))
    # The part by itself, as the manifest writes it, or the name of the training rows, such as fullft-adversarial-eval.
    split = identifier(line, "split").rsplit("-", 1)[-1] if "split" in line else None
    if split not in ("train", "eval", None):
        refuse(f"split is {shown(line['split'])}: expected train, eval, or a name that ends in one of them")
    return {
        "record": "grounded",
        "dataset": identifier(line, "dataset", pattern=LABEL) if "dataset" in line else _dataset(path),
        "model": None,
        "pair_id": identifier(line, "pair_id"),
        "mode": one_of(line, "mode", CONDITIONS),
        "split": split,
        "status": status,
        "teacher_tier": stated("teacher_tier", lambda holder, key, where: one_of(holder, key, ("blind", "gold"), where)),
        "teacher_attempt": stated("teacher_attempt", whole),
        "winner_debater": None if winner is None else str(winner)[-1],
        "verified_a": verified[0],
        "verified_b": verified[1],
        "n_failures": len(as_list(need(line, "failures"), "failures")),
        "analysis_chars": length,
        "analysis_hash_matches": None if analysis is None or digest is None else sha256_text(str(analysis)) == digest,
        "chars_match": None if analysis is None or length is None else len(str(analysis)) == length,
    }


def _candidate_key(line: Mapping[str, object], path: Path) -> Record:
    return {
        "dataset": _dataset(path),
        "model": None,
        "item_id": identifier(line, "item_id"),
        "condition": one_of(line, "condition", CONDITIONS),
        "candidate_idx": whole(line, "candidate_idx"),
    }


def _candidate(line: Mapping[str, object], path: Path) -> Record:
    """Candidate transcript of 2.7: its hash, over the text or over the canonical JSON of an object."""
    transcript = need(line, "transcript")
    text = transcript if isinstance(transcript, str) else canonical(as_object(transcript, "transcript"))
    own: Record = {"dataset_index": whole(line, "dataset_index"), "transcript_sha256": sha256_text(text)}
    return {"record": "candidate", **_candidate_key(line, path), **own}


def _score(line: Mapping[str, object], path: Path) -> Record:
    """Score row of 2.7. P(Y_true) is taken as it stands, never from 1 − P(Y_false); where both are there they sum to 1 (R18)."""
    probabilities = line.get("qy_adv_probs")
    semantic = probabilities.get("semantic") if isinstance(probabilities, dict) else None
    semantic = semantic if isinstance(semantic, dict) else {}
    where = "qy_adv_probs.semantic."
    right, wrong = (_optional(semantic, label, _share, where) for label in ("Y_true", "Y_false"))
    if right is not None and wrong is not None and abs(float(str(right)) + float(str(wrong)) - 1) > 1e-6:
        refuse(f"{where}Y_true and Y_false are {right} and {wrong}: expected the sum 1")
    return {
        "record": "candidate_score",
        **_candidate_key(line, path),
        **{key: flag(line, key) for key in ("qy_clean_correct", "qy_adv_correct", "qy_no_regression_pass")},
        "p_hfalse": _share(line, "p_hfalse"),
        "p_htrue": _optional(line, "p_htrue", _share),
        "p_ytrue": right,
        "p_yfalse": wrong,
    }


def _selection(line: Mapping[str, object], path: Path) -> Record:
    """Selection row of 2.7 with its counts per gate, which must add up in an adversarial one (R18)."""
    condition = "adversarial" if "cti" in line else "honest"
    gates = as_object(need(line, "gates"), "gates")
    if isinstance(gates.get(condition), dict):  # runs over both conditions have one object per condition
        gates = as_object(gates[condition], f"gates.{condition}")
    counts = {name: _optional(gates, name, whole, "gates.") for name in GATES}
    if condition == "adversarial":
        _check_gates({name: whole(gates, name, "gates.") for name in GATES[:-1]})
    chosen = line.get("selection") if condition == "adversarial" else line.get("honest_selected")
    if isinstance(chosen, dict) and isinstance(chosen.get(condition), dict):
        chosen = chosen[condition]
    chosen = chosen if isinstance(chosen, dict) else {}
    fallback = gates.get("fallback_used")
    if fallback is not None and fallback not in (0, 1):
        refuse(f"gates.fallback_used is {shown(fallback)}: expected true or false")
    return {
        "record": "selection",
        "dataset": _dataset(path),
        "model": None,
        "item_id": identifier(line, "item_id"),
        "condition": condition,
        "status": identifier(line, "status"),
        "branch": _optional(chosen, "branch", identifier, "selection."),
        "candidate_idx": _optional(chosen, "candidate_idx", whole, "selection."),
        **counts,
        "fallback_used": None if fallback is None else bool(fallback),
    }


def _check_gates(n: Mapping[str, int]) -> None:
    dropped = n["drop_score"] + n["drop_leakage"] + n["drop_quote_audit"]
    if n["total"] != dropped + n["safe"]:
        refuse(f"gates.total is {n['total']}: expected drop_score + drop_leakage + drop_quote_audit + safe, which is {dropped + n['safe']}")
    pool = n["survivors"] + n["qy_fallback_eligible"] + n["qy_fallback_unusable"]
    if n["safe"] != pool:
        refuse(f"gates.safe is {n['safe']}: expected survivors + qy_fallback_eligible + qy_fallback_unusable, which is {pool}")
    if n["no_score"] > n["drop_score"]:
        refuse(f"gates.no_score is {n['no_score']}: expected at most drop_score, which is {n['drop_score']}")


READERS: dict[str, Callable[[Mapping[str, object], Path], Record]] = {
    "training": _training,
    "grounded": _grounded,
    "candidate": _candidate,
    "score": _score,
    "selection": _selection,
}


def withheld_records(path: Path) -> Iterator[dict[str, object]]:
    """One row per line of the file, as `audit_records` gives them; a blank line has the kind "blank".

    A line ends at LF alone, and a CR before it is not part of it. Raises nothing: a gzip stream that breaks off gives a rejected row.
    """
    kind = withheld_kind(path)
    number = 0
    try:
        with _open(path) as stream:
            for number, raw in enumerate(stream, start=1):
                raw = raw.removesuffix(b"\n")
                yield _line(number, raw.removeprefix(BOM) if number == 1 else raw, kind, path)
    except (OSError, EOFError, zlib.error):
        reason = "the file breaks off behind the line before: fetch or compress it again"
        yield rejected_row(number + 1, Rejected(reason), hashlib.sha256(b"").hexdigest(), 0)


def _line(number: int, raw: bytes, kind: str | None, path: Path) -> dict[str, object]:
    text = raw.removesuffix(b"\r")
    if not text.strip():
        return {"line_number": number, "line": None, "original": "", "kind": "blank", "reason": None}
    try:
        if kind is None:
            refuse("the file holds no rows of the audit: move it out of the folder")
        if len(text) > MAX_LINE_BYTES:
            refuse(f"the line has {len(text):,} bytes, more than {MAX_LINE_BYTES:,}: split it, or leave texts out")
        return row(number, safe(READERS[kind](as_object(parse_json(text), "the line"), path)))
    except Refused as error:
        return rejected_row(number, Rejected(str(error)), hashlib.sha256(raw).hexdigest(), len(raw))
