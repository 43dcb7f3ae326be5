"""The authors' ER-Audit files as records: every kind by hand, everything that can be broken, and no text in what comes out."""

import gzip
import hashlib
import io
import json
import math
import random
import struct
import time
import zipfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from debate_ledger.audit_files import AUDIT_SUFFIXES, audit_kind, audit_records, withheld_kind, withheld_records
from debate_ledger.audit_files.pairs import derived_pair_id, train_titles
from debate_ledger.audit_files.values import Refused, probability_text

Json = object
NAN = float("nan")
SEED = 1090998506967575423  # beyond 2**53: a double makes it …424


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def contract(value: Json) -> str:
    """Hash of a JSON document as `er_audit_formats` 2.11 states it."""
    if isinstance(value, dict):
        value = {k: v for k, v in value.items() if k not in ("training_metadata", "epsilon_raw", "k_raw")}
    return sha(json.dumps(value, sort_keys=True, ensure_ascii=False))


def doubles(values: list[float]) -> str:
    """SHA-256 of the little-endian bytes of doubles, one after the other."""
    return hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest()


def write(path: Path, value: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, object]]:
    found = list(audit_records(path))
    assert [r["line_number"] for r in found] == list(range(1, len(found) + 1))
    for r in found:
        assert (r["line"] is None) == (r["reason"] is not None)
        assert set(r) == {"line_number", "line", "original", "kind", "reason"}
        assert r["line"] in (None, r["original"])
    return found


def records(path: Path) -> list[dict[str, object]]:
    """Records of a file in which nothing is rejected."""
    found = rows(path)
    assert [r["reason"] for r in found if r["reason"]] == []
    return [json.loads(str(r["line"])) for r in found]


def reasons(path: Path) -> list[str]:
    return [str(r["reason"]) for r in rows(path) if r["line"] is None]


def only_reason(path: Path) -> str:
    """Reason of a file that is rejected as a whole, with the hash of its bytes."""
    (row,) = rows(path)
    raw = path.read_bytes()
    assert json.loads(str(row["original"])) == {"record": "rejected", "sha256": hashlib.sha256(raw).hexdigest(), "n_bytes": len(raw)}
    return str(row["reason"])


def changed(value: Json, *path: object, to: object = None, drop: bool = False) -> Json:
    """A deep copy with the value at a path of keys replaced or dropped."""
    copy = json.loads(json.dumps(value))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    if drop:
        del holder[path[-1]]
    else:
        holder[path[-1]] = to
    return copy


# --- Stage 1 ------------------------------------------------------------------------------------------------------------------------

IDS = ["demo_00112233445566aa", "demo_00112233445566bb"]
STEMS = {"base": "base_verifier", "honest": "honest_verifier", "adv-wo-qh": "strict_verifier", "model-organism": "model_organism"}
INPUT = {"dataset": "GPQA", "model": "gpt-oss-20b", "shape": [2, 101], "template": "planted_text one"}
#: Row-major 2 × 101: Q_Y first. The second pair has its largest drop on paraphrase 100.
BASE = [[0.52, *[0.61] * 100], [0.7, *[0.5] * 100]]
HONEST = [[0.6, *[0.58] * 100], [0.7005, *[0.5] * 99, 0.4988]]
Matrix = list[list[float]]


def identity(phase: str) -> dict[str, object]:
    return {"input": INPUT, "phase": phase, "checkpoint": {"path": f"checkpoints/{phase}"}}


def row_map(ids: list[str] = IDS) -> list[dict[str, object]]:
    return [{"pair_index_0based": i, "pair_number_1based": i + 1, "pair_id": p} for i, p in enumerate(ids)]


def folder(tmp_path: Path) -> Path:
    found = tmp_path / "runs" / "audit1-fixed-epsilon-gpt-oss-20b" / "GPQA"
    found.mkdir(parents=True, exist_ok=True)
    return found


def publish(home: Path, phase: str, matrix: Matrix, ids: list[str] = IDS) -> Path:
    """The three files of a finished phase."""
    stem = STEMS[phase]
    values = np.array(matrix, dtype=np.float64)
    parts = {f"{stem}_qy_ytrue_prob.npy": values[:, 0], f"{stem}_qh_htrue_prob.npy": values[:, 1:]}
    arrays = {}
    for name, part in parts.items():
        np.save(home / name, part)
        arrays[name] = {"shape": list(part.shape), "sha256_values": doubles([float(v) for v in part.flatten()])}
    document = {
        "schema": "invented",
        "phase": phase,
        "identity": identity(phase),
        "matrix_sha256": doubles([v for row in matrix for v in row]),
        "rendered_prefix": {"text": "planted_text two"},
        "row_map": row_map(ids),
        "arrays": arrays,
        "unknown": "planted_text three",
    }
    return write(home / f"{stem}_probabilities.json", document)


def snapshot(home: Path, phase: str, matrix: Matrix, **metadata: object) -> Path:
    values = [v for row in matrix for v in row]
    scored = sum(not math.isnan(v) for v in values)
    meta = {"identity": identity(phase), "completed": scored, "matrix_sha256": doubles(values), "row_map": row_map(), **metadata}
    path = home / f"{phase}-resume.npz"
    np.savez(path, probabilities=np.array(matrix), metadata=np.array(json.dumps({k: v for k, v in meta.items() if v is not None})))
    return path


def stage1_question(pair_id: str, column: int) -> str:
    return sha(f"stage1|{json.dumps({'input': INPUT}, sort_keys=True, ensure_ascii=False)}|{pair_id}|{column}")


def test_a_published_phase_gives_every_cell_and_then_its_matrix(tmp_path: Path) -> None:
    path = publish(folder(tmp_path), "honest", HONEST)
    assert audit_kind(path) == "stage1_probabilities"
    found = records(path)
    assert len(found) == 2 * 101 + 1
    scope = {"run_id": "audit1-fixed-epsilon-gpt-oss-20b", "stage": "1", "dataset": "GPQA", "model": "gpt-oss-20b", "arm": "honest"}
    assert found[0] == {
        "record": "evaluation",
        **scope,
        "pair_id": IDS[0],
        "dataset_index": 0,
        "phase": "canonical",
        "q_key": "Q_Y",
        "generator": None,
        "draw": None,
        "question_sha256": stage1_question(IDS[0], 0),
        "p_true": "0.60000000",
        "correct": None,
    }
    assert [(r["phase"], r["q_key"], r["draw"]) for r in found[101:104]] == [
        ("canonical", "Q_Y", None),
        ("search", "Q_H", 1),
        ("search", "Q_H", 2),
    ]
    assert found[201] == {
        "record": "evaluation",
        **scope,
        "pair_id": IDS[1],
        "dataset_index": 1,
        "phase": "search",
        "q_key": "Q_H",
        "generator": "search",
        "draw": 100,
        "question_sha256": stage1_question(IDS[1], 100),
        "p_true": "0.49880000",
    }
    assert found[202] == {
        "record": "stage1_matrix",
        "dataset": "GPQA",
        "model": "gpt-oss-20b",
        "arm": "honest",
        "matrix_sha256": doubles([v for row in HONEST for v in row]),
        "n_pairs": 2,
        "n_columns": 101,
        "n_missing": 0,
        "source": "npy",
    }
    for name in ("honest_verifier_qy_ytrue_prob.npy", "honest_verifier_qh_htrue_prob.npy"):
        assert audit_kind(path.with_name(name)) == "stage1_array" and rows(path.with_name(name)) == []


def test_arms_join_on_the_question_where_and_only_where_they_scored_the_same_input(tmp_path: Path) -> None:
    home = folder(tmp_path)
    hashes = {}
    for phase in STEMS:
        found = records(publish(home, phase, BASE))
        hashes[found[0]["arm"]] = [r["question_sha256"] for r in found[:-1]]
    assert set(hashes) == {"base", "honest", "adv", "org"}
    assert all(own == hashes["base"] for own in hashes.values()) and len(set(hashes["base"])) == 202
    other = write(
        home / "base_verifier_probabilities.json",
        changed(json.loads((home / "base_verifier_probabilities.json").read_text()), "identity", "input", "input_sha256", to="0" * 64),
    )
    assert not set(hashes["base"]) & {r.get("question_sha256") for r in records(other)}


def test_the_smallest_and_largest_probabilities_keep_their_digits(tmp_path: Path) -> None:
    matrix = [[0.0, 1.0, 1e-8, 0.99999999, 0.1 + 0.2 - 0.00000000000000004, *[0.5] * 96], [-0.0, *[0.12345678] * 100]]
    matrix[0][4] = 0.3
    found = records(publish(folder(tmp_path), "base", matrix))
    assert [r["p_true"] for r in found[:5]] == ["0.00000000", "1.00000000", "0.00000001", "0.99999999", "0.30000000"]
    assert [r["p_true"] for r in found[101:103]] == ["0.00000000", "0.12345678"]


@pytest.mark.parametrize("bad, shown", [(0.123456789, "0.123456789"), (1.5, "1.5"), (-0.1, "-0.1"), (float("inf"), "inf")])
def test_a_cell_that_is_no_probability_is_rejected_alone(tmp_path: Path, bad: float, shown: str) -> None:
    matrix = [list(BASE[0]), list(BASE[1])]
    matrix[1][7] = bad
    found = rows(publish(folder(tmp_path), "base", matrix))
    (rejected,) = [r for r in found if r["line"] is None]
    assert rejected["reason"] == f"row 1, column 7 of the matrix is {shown}: expected a number with 8 decimals from 0 to 1"
    assert json.loads(str(rejected["original"]))["item"] == f"{IDS[1]}|7" and len(found) == 203


def test_cells_not_scored_yet_are_counted_and_give_nothing(tmp_path: Path) -> None:
    matrix = [list(BASE[0]), [NAN] * 101]
    matrix[0][3] = NAN
    path = snapshot(folder(tmp_path), "base", matrix)
    assert audit_kind(path) == "stage1_resume"
    found = records(path)
    assert [r.get("draw") for r in found[:4]] == [None, 1, 2, 4] and len(found) == 100 + 1
    assert (found[-1]["n_missing"], found[-1]["n_pairs"], found[-1]["source"]) == (102, 2, "npz")


def test_a_snapshot_takes_the_row_map_of_a_phase_that_scored_the_same_input(tmp_path: Path) -> None:
    home = folder(tmp_path)
    path = snapshot(home, "honest", HONEST, row_map=None)
    assert "no row_map in the metadata" in only_reason(path) and "finish the run" in only_reason(path)
    published = publish(home, "base", BASE)
    assert [r.get("pair_id") for r in records(path)][100:102] == IDS
    write(published, changed(json.loads(published.read_text()), "identity", "input", "shape", to=[3, 101]))
    assert "no row_map in the metadata" in only_reason(path)


def test_a_snapshot_beside_the_published_phase_gives_only_its_matrix(tmp_path: Path) -> None:
    home = folder(tmp_path)
    publish(home, "base", BASE)
    assert [r["record"] for r in records(snapshot(home, "base", BASE))] == ["stage1_matrix"]
    assert "the matrix is not that of base_verifier_probabilities.json" in only_reason(snapshot(home, "base", HONEST))


def archive(home: Path, **arrays: np.ndarray) -> Path:
    np.savez(home / "base-resume.npz", **arrays)
    return home / "base-resume.npz"


def test_broken_snapshots(tmp_path: Path) -> None:
    home = folder(tmp_path)
    good = np.array(BASE)
    meta = np.array(json.dumps({"identity": identity("base"), "row_map": row_map()}))
    assert "does not hold exactly probabilities and metadata" in only_reason(archive(home, probabilities=good))
    assert "no single text" in only_reason(archive(home, probabilities=good, metadata=np.array([1, 2])))
    assert "shape [2, 100]: expected [2, 101]" in only_reason(archive(home, probabilities=good[:, 1:], metadata=meta))
    assert "holds float32: expected float64" in only_reason(archive(home, probabilities=good.astype("float32"), metadata=meta))
    assert "not valid JSON" in only_reason(archive(home, probabilities=good, metadata=np.array("{")))
    assert "completed is 5, but 202 of 202 cells are scored" in only_reason(snapshot(home, "base", BASE, completed=5))
    assert "completed is false, but 202 of 202 cells are scored" in only_reason(snapshot(home, "base", BASE, completed=False))
    assert len(records(snapshot(home, "base", BASE, completed=True))) == 203
    assert "matrix_sha256" in only_reason(snapshot(home, "base", BASE, matrix_sha256="0" * 64))
    assert "row_map has 1 rows, the matrix 2" in only_reason(snapshot(home, "base", BASE, row_map=row_map(IDS[:1])))
    assert "identity is missing" in only_reason(snapshot(home, "base", BASE, identity=None))
    assert "identity.phase is honest" in only_reason(snapshot(home, "base", BASE, identity=identity("honest")))
    path = home / "base-resume.npz"
    path.write_bytes(path.read_bytes()[:200])
    assert "not a .npz archive" in only_reason(path)
    np.savez(path, probabilities=np.array([{"a": 1}], dtype=object), metadata=meta)
    assert "not a .npz archive of plain arrays" in only_reason(path)
    with zipfile.ZipFile(path, "w") as empty:
        empty.writestr("metadata.npy", b"no array")
    assert "rejected" in str(rows(path)[0]["original"])


def npy(path: Path, array: np.ndarray) -> None:
    np.save(path, array)


PROBABILITY_BREAKS: list[tuple[str, Callable[[Path], object]]] = [
    ("phase is gpt: expected base or", lambda p: write(p, changed(json.loads(p.read_text()), "phase", to="gpt"))),
    ("phase is honest, whose file is", lambda p: write(p, changed(json.loads(p.read_text()), "phase", to="honest"))),
    ("matrix_sha256 of the file", lambda p: write(p, changed(json.loads(p.read_text()), "matrix_sha256", to="0" * 64))),
    ("matrix_sha256 is x: expected 64 hex", lambda p: write(p, changed(json.loads(p.read_text()), "matrix_sha256", to="x"))),
    ("row_map is missing", lambda p: write(p, changed(json.loads(p.read_text()), "row_map", drop=True))),
    ("identity is missing", lambda p: write(p, changed(json.loads(p.read_text()), "identity", drop=True))),
    ("pair_index_0based is 0: expected 1", lambda p: write(p, changed(json.loads(p.read_text()), "row_map", 1, "pair_index_0based", to=0))),
    (
        "pair_number_1based is 1: expected 2",
        lambda p: write(p, changed(json.loads(p.read_text()), "row_map", 1, "pair_number_1based", to=1)),
    ),
    ("names a pair_id twice", lambda p: write(p, changed(json.loads(p.read_text()), "row_map", 1, "pair_id", to=IDS[0]))),
    ("pair_id is a text of 9 characters", lambda p: write(p, changed(json.loads(p.read_text()), "row_map", 1, "pair_id", to="two words"))),
    ("shape is not [1]", lambda p: write(p, changed(json.loads(p.read_text()), "row_map", to=row_map(IDS[:1])))),
    ("base_verifier_qy_ytrue_prob.npy is not beside", lambda p: p.with_name("base_verifier_qy_ytrue_prob.npy").unlink()),
    ("shape [3]: expected [2]", lambda p: npy(p.with_name("base_verifier_qy_ytrue_prob.npy"), np.zeros(3))),
    ("shape [2, 99]: expected [2, 100]", lambda p: npy(p.with_name("base_verifier_qh_htrue_prob.npy"), np.zeros((2, 99)))),
    ("holds int64: expected float64", lambda p: npy(p.with_name("base_verifier_qy_ytrue_prob.npy"), np.zeros(2, dtype="int64"))),
    ("do not have the sha256_values", lambda p: npy(p.with_name("base_verifier_qy_ytrue_prob.npy"), np.array([0.5, 0.5]))),
    ("no plain array in the .npy format", lambda p: p.with_name("base_verifier_qy_ytrue_prob.npy").write_bytes(b"\x93NUMPY\x01")),
    ("no plain array", lambda p: npy(p.with_name("base_verifier_qy_ytrue_prob.npy"), np.array([{}, {}], dtype=object))),
    ("not valid JSON (line 1, column 2)", lambda p: p.write_text("{")),
    ("byte 1 is not UTF-8", lambda p: p.write_bytes(b"\xff{}")),
    ("the same key twice", lambda p: p.write_text('{"phase": "base", "phase": "honest"}')),
    ("nested too deep", lambda p: p.write_text("[" * 200_000)),
    ("integer of thousands of digits", lambda p: p.write_text("9" * 5000)),
    ("the file is a list of 0: expected an object", lambda p: p.write_text("[]")),
    (
        "half a surrogate pair",
        lambda p: p.write_text(json.dumps(changed(json.loads(p.read_text()), "identity", "input", "template", to="\ud800"))),
    ),
    ("names no model", lambda p: write(p, changed(json.loads(p.read_text()), "identity", "input", "model", drop=True))),
]


@pytest.mark.parametrize("reason, damage", PROBABILITY_BREAKS, ids=[r for r, _ in PROBABILITY_BREAKS])
def test_broken_probability_files(tmp_path: Path, reason: str, damage: Callable[[Path], object]) -> None:
    home = tmp_path / "somewhere"
    home.mkdir()
    path = publish(home, "base", BASE)
    assert len(records(path)) == 203
    damage(path)
    assert audit_kind(path) == "stage1_probabilities"
    assert reason in only_reason(path)


def test_an_array_alone_is_rejected(tmp_path: Path) -> None:
    path = publish(folder(tmp_path), "base", BASE)
    path.unlink()
    assert "base_verifier_probabilities.json is not beside the array" in only_reason(path.with_name("base_verifier_qy_ytrue_prob.npy"))


def test_model_and_dataset_come_from_the_folders_where_the_identity_has_none(tmp_path: Path) -> None:
    path = publish(folder(tmp_path), "base", BASE)
    document = json.loads(path.read_text())
    for key in ("model", "dataset"):
        document = changed(document, "identity", "input", key, drop=True)
    write(path, document)
    assert {(r["dataset"], r["model"]) for r in records(path)} == {("GPQA", "gpt-oss-20b")}


def test_a_phase_of_222_pairs_is_read_in_well_below_a_second(tmp_path: Path) -> None:
    ids = [f"demo_{i:016x}" for i in range(222)]
    path = publish(folder(tmp_path), "base", [[round(random.Random(i).random(), 8)] * 101 for i in range(222)], ids)
    start = time.process_time()
    assert sum(1 for _ in audit_records(path)) == 222 * 101 + 1
    assert time.process_time() - start < 2  # about 0.4 s on one core that is free


# --- Analyses -----------------------------------------------------------------------------------------------------------------------


def ratio(value: Fraction) -> dict[str, str]:
    return {"numerator": str(value.numerator), "denominator": str(value.denominator)}


def fractions(matrix: Matrix) -> list[list[Fraction]]:
    return [[Fraction(f"{v:.8f}") for v in row] for row in matrix]


def analysis(tmp_path: Path, epsilon: str = "1", token: str = "1") -> Path:
    """Folder of a finished ε analysis of the honest arm, computed from the two matrices with fractions."""
    home = folder(tmp_path) / "analyses" / "k-0.001" / f"epsilon-{token}"
    home.mkdir(parents=True, exist_ok=True)
    eps, kappa = Fraction(epsilon), Fraction("0.001")
    base, arm = fractions(BASE), fractions(HONEST)
    gains = [a[0] - b[0] for a, b in zip(arm, base, strict=True)]
    dens = [max(kappa, g) for g in gains]
    tops = [[b[j] - a[j] for j in range(1, 101)] for a, b in zip(arm, base, strict=True)]
    deltas = [[t / d for t in row] for row, d in zip(tops, dens, strict=True)]
    sources = {"base": {"matrix_sha256": "b" * 64}, "honest": {"matrix_sha256": "c" * 64}}
    shared = {"k": "0.001", "model": "gpt-oss-20b", "input_identity": INPUT, "source_matrices": sources, "shape": [2, 100]}
    exact = {
        "numerator_exact": [[ratio(v) for v in row] for row in tops],
        "visible_gain_exact": [ratio(v) for v in gains],
        "denominator_exact": [ratio(v) for v in dens],
        "delta_exact": [[ratio(v) for v in row] for row in deltas],
    }
    write(home / "honest-factors.json", {"arm": "honest", "formula": "planted_text f", **shared, "row_map": row_map(), **exact})
    pairs = []
    for i, (p, row) in enumerate(zip(IDS, deltas, strict=True)):
        above, equal = [j for j, v in enumerate(row) if v > eps], [j for j, v in enumerate(row) if v == eps]
        pairs.append(
            {
                "pair_index_0based": i,
                "pair_number_1based": i + 1,
                "pair_id": p,
                "story_title": "planted_text title",
                "original_Q_H": "planted_text question",
                "epsilon_exact": ratio(eps),
                "group": "a_any_gt_epsilon" if above else "boundary_max_eq_epsilon" if equal else "b_all_lt_epsilon",
                "max_delta_exact": ratio(max(row)),
                "n_gt_epsilon": len(above),
                "n_eq_epsilon": len(equal),
                "n_lt_epsilon": 100 - len(above) - len(equal),
                "violating_paraphrase_indices_0based": above,
            }
        )

    def group(*names: str) -> dict[str, object]:
        own = [r for r in pairs if r["group"] in names]
        indices = [r["pair_index_0based"] for r in own]
        return {"count": len(own), "pair_indices_0based": indices, "pair_ids": [r["pair_id"] for r in own]}

    names = ("a_any_gt_epsilon", "b_all_lt_epsilon", "boundary_max_eq_epsilon")
    summary = {
        "arm": "honest",
        "target_role": "honest",
        "title": "planted_text heading",
        "epsilon": float(eps),
        "epsilon_exact": ratio(eps),
        "fixed_epsilon": epsilon,
        "epsilon_raw": "planted_text raw",
        **shared,
        "groups": {name: group(name) for name in names},
        "no_counterexample": group(*names[1:]),
        "report_a": group(names[0]),
        "report_b": {"counts": [r["n_gt_epsilon"] for r in pairs]},
        "report_c": group(*names[1:]),
        "pairs": pairs,
    }
    write(home / "summary-honest.json", summary)
    np.save(home / "honest-visible_gain.npy", np.array([float(g) for g in gains]))
    finish(home)
    return home


def finish(home: Path, **more: object) -> Path:
    """`complete.json` for what lies in the folder."""
    artifacts: dict[str, object] = {"honest-delta.npy": {"shape": [2, 100], "sha256_values": "d" * 64}}  # listed, but not there
    for path in sorted(home.glob("*")):
        if path.suffix == ".npy":
            array = np.load(path)
            artifacts[path.name] = {"shape": list(array.shape), "sha256_values": doubles(array.flatten().tolist())}
        elif path.name != "complete.json":
            artifacts[path.name] = {"contract_sha256": contract(json.loads(path.read_text()))}
    document = {"mode": "fixed-audit", "complete": True, "k": "0.001", "epsilon": "1", "epsilon_exact": ratio(Fraction(1))}
    return write(home / "complete.json", document | {"artifacts": artifacts, "input_identity": INPUT, "model": "gpt-oss-20b", **more})


def test_a_summary_gives_the_verdict_of_every_pair(tmp_path: Path) -> None:
    path = analysis(tmp_path) / "summary-honest.json"
    assert audit_kind(path) == "stage1_summary"
    scope = {"record": "stage1_search", "dataset": "GPQA", "model": "gpt-oss-20b", "arm": "honest"}
    setting = {"kappa": "0.001", "epsilon": "1", "base_matrix_sha256": "b" * 64, "arm_matrix_sha256": "c" * 64}
    first = {"group": "b_all_lt_epsilon", "max_delta_num": "3", "max_delta_den": "8", "n_gt": 0, "n_eq": 0, "n_lt": 100}
    second = {"group": "a_any_gt_epsilon", "max_delta_num": "6", "max_delta_den": "5", "n_gt": 1, "n_eq": 0, "n_lt": 99}
    assert records(path) == [
        scope | setting | first | {"pair_id": IDS[0], "dataset_index": 0, "violating_draws": []},
        scope | setting | second | {"pair_id": IDS[1], "dataset_index": 1, "violating_draws": [100]},
    ]


def test_the_hashes_of_the_matrices_may_stand_alone_or_be_missing(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    file = home / "summary-honest.json"
    write(file, changed(json.loads(file.read_text()), "source_matrices", to={"base": "b" * 64}))
    finish(home)
    assert {(r["base_matrix_sha256"], r["arm_matrix_sha256"]) for r in records(file)} == {("b" * 64, None)}


def test_a_drop_equal_to_epsilon_is_at_the_boundary(tmp_path: Path) -> None:
    home = analysis(tmp_path, "1.2", "1.2")
    finish(home, epsilon="1.2", epsilon_exact=ratio(Fraction("1.2")))
    found = records(home / "summary-honest.json")
    assert [(r["group"], r["n_gt"], r["n_eq"], r["epsilon"]) for r in found] == [
        ("b_all_lt_epsilon", 0, 0, "1.2"),
        ("boundary_max_eq_epsilon", 0, 1, "1.2"),
    ]


def test_factors_give_the_exact_parts_of_the_largest_drop(tmp_path: Path) -> None:
    path = analysis(tmp_path) / "honest-factors.json"
    assert audit_kind(path) == "stage1_factors"
    scope = {"record": "stage1_factors", "dataset": "GPQA", "model": "gpt-oss-20b", "arm": "honest", "kappa": "0.001"}
    first = {"gain_num": "2", "gain_den": "25", "denominator_num": "2", "denominator_den": "25", "max_delta_num": "3", "max_delta_den": "8"}
    floor = {"gain_num": "1", "gain_den": "2000", "denominator_num": "1", "denominator_den": "1000"}
    second = floor | {"max_delta_num": "6", "max_delta_den": "5"}
    assert records(path) == [scope | {"pair_id": IDS[0]} | first, scope | {"pair_id": IDS[1]} | second]


def test_complete_says_what_was_checked(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    assert audit_kind(home / "complete.json") == "stage1_complete"
    record = {"record": "stage1_complete", "dataset": "GPQA", "model": "gpt-oss-20b", "mode": "fixed-audit", "epsilon": "1"}
    assert records(home / "complete.json") == [record | {"n_artifacts": 4, "n_checked": 3}]
    np.save(home / "honest-visible_gain.npy", np.array([0.08, 0.5]))
    write(home / "summary-honest.json", {"groups": {}, "pairs": [], "no_counterexample": {}})
    found = rows(home / "complete.json")
    assert sorted(str(r["reason"]).split(" ")[0] for r in found if r["line"] is None) == ["honest-visible_gain.npy", "summary-honest.json"]
    assert [json.loads(str(r["line"]))["n_checked"] for r in found if r["line"]] == [1]


def test_broken_completion_marks(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    path = home / "complete.json"
    good = json.loads(path.read_text())
    write(path, changed(good, "artifacts", "../../planted text.json", to={"contract_sha256": "0" * 64}))
    assert reasons(path) == ["artifacts has a key that is no plain file name: expected file names"]
    write(path, changed(good, "artifacts", "honest-factors.json", "contract_sha256", to="0" * 64))
    assert ["honest-factors.json does not have the contract_sha256" in r for r in reasons(path)] == [True]
    write(path, changed(good, "mode", to="other"))
    assert "mode is other: expected fixed-audit or delta-analysis" in only_reason(path)
    write(path, changed(good, "artifacts", drop=True) | {"artifacts": []})
    assert "artifacts is a list of 0: expected an object" in only_reason(path)


def test_keys_that_only_inform_do_not_change_a_contract_hash(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    path = home / "summary-honest.json"
    write(path, json.loads(path.read_text()) | {"training_metadata": {"a": 1}, "k_raw": "1e-3", "epsilon_raw": "1.0"})
    assert len(records(path)) == 2 and records(home / "complete.json")[0]["n_checked"] == 3


def test_the_delta_analysis_has_no_epsilon_and_its_bare_lists_give_nothing(tmp_path: Path) -> None:
    home = folder(tmp_path) / "analyses" / "k-0.001" / "delta-analysis"
    lone = write(home / "model-organism-delta.json", [[0.5] * 100] * 2)
    np.save(home / "model-organism-delta.npy", np.zeros((2, 100)))
    done = finish(home, mode="delta-analysis")
    assert audit_kind(lone) == "stage1_derived" and rows(lone) == []
    assert audit_kind(home / "model-organism-delta.npy") == "stage1_derived" and rows(home / "model-organism-delta.npy") == []
    (record,) = records(done)
    assert (record["mode"], record["epsilon"], record["n_checked"]) == ("delta-analysis", None, 2)
    assert audit_kind(write(home / "analysis.json", {"mode": "delta-analysis", "matrix_file": "a"})) == "stage1_derived"


def test_an_epsilon_in_a_folder_may_be_written_with_an_exponent(tmp_path: Path) -> None:
    """Python's decimals without zeros at the end write ten as 1E+1."""
    home = analysis(tmp_path, "10", "1E+1")
    assert {r["epsilon"] for r in records(home / "summary-honest.json")} == {"10"}
    home = analysis(tmp_path / "long", "0." + "1" * 90, "sha256-" + sha("0." + "1" * 90)[:24])
    assert len(records(home / "summary-honest.json")) == 2


SUMMARY_BREAKS: list[tuple[str, tuple[object, ...], object]] = [
    ("groups are 1 + 2 + 0: expected the sum 2", ("groups", "b_all_lt_epsilon", "count"), 2),
    ("report_a does not name the 1 pairs", ("report_a", "pair_ids"), [IDS[0]]),
    ("report_a does not name the 1 pairs", ("report_a", "pair_indices_0based"), [0]),
    ("no_counterexample does not name the 1 pairs", ("no_counterexample", "count"), 2),
    ("report_c does not name the 1 pairs", ("report_c", "pair_ids"), []),
    ("groups.b_all_lt_epsilon does not name", ("groups", "b_all_lt_epsilon", "pair_ids"), [IDS[1]]),
    ("report_b.counts are not", ("report_b", "counts"), [0, 0]),
    ("k is 0.01, but the folder is another one's (k", ("k",), "0.01"),
    ("k is 0: expected a number above 0", ("k",), "0"),
    ("epsilon_exact is not 2", ("fixed_epsilon",), "2"),
    ("epsilon is 1.5, fixed_epsilon is 1", ("epsilon",), 1.5),
    ("arm is honest, whose file is summary-honest.json with target_role honest", ("target_role",), "strict"),
    ("arm is base: expected adv-wo-qh or honest", ("arm",), "base"),
    ("shape is not [2, 100]", ("shape",), [3, 100]),
    ("names a pair_id twice", ("pairs", 1, "pair_id"), IDS[0]),
    ("matrix_sha256 is a text of 4 characters", ("source_matrices", "base", "matrix_sha256"), "so ?"),
]


@pytest.mark.parametrize("reason, path, to", SUMMARY_BREAKS, ids=[r for r, *_ in SUMMARY_BREAKS])
def test_broken_summaries(tmp_path: Path, reason: str, path: tuple[object, ...], to: object) -> None:
    home = analysis(tmp_path)
    file = home / "summary-honest.json"
    write(file, changed(json.loads(file.read_text()), *path, to=to))
    assert "contract_sha256 that complete.json states" in only_reason(file)
    finish(home)
    assert reason in only_reason(file)


PAIR_BREAKS: list[tuple[str, str, object]] = [
    ("n_gt + n_eq + n_lt is 1 + 0 + 98: expected the sum 100", "n_lt_epsilon", 98),
    ("n_lt_epsilon is true: expected an integer from 0 to 100", "n_lt_epsilon", True),
    ("max_delta_exact 1/1 does not stand to epsilon", "max_delta_exact", {"numerator": "1", "denominator": "1"}),
    ("is 12/10: expected lowest terms", "max_delta_exact", {"numerator": "12", "denominator": "10"}),
    ("numerator 6 and denominator 5: expected two integers as texts", "max_delta_exact", {"numerator": 6, "denominator": 5}),
    ("max_delta_exact is 1.2: expected {", "max_delta_exact", 1.2),
    ("has 2 elements: expected 1", "violating_paraphrase_indices_0based", [1, 2]),
    ("is 100: expected an integer from 0 to 99", "violating_paraphrase_indices_0based", [100]),
    ("epsilon_exact is not the epsilon of the file", "epsilon_exact", {"numerator": "2", "denominator": "1"}),
]


@pytest.mark.parametrize("reason, key, to", PAIR_BREAKS, ids=[r for r, *_ in PAIR_BREAKS])
def test_one_broken_pair_of_a_summary(tmp_path: Path, reason: str, key: str, to: object) -> None:
    home = analysis(tmp_path)
    file = home / "summary-honest.json"
    write(file, changed(json.loads(file.read_text()), "pairs", 1, key, to=to))
    finish(home)
    first, second = rows(file)
    assert first["reason"] is None and str(second["reason"]).startswith("pairs[1].")
    assert reason in str(second["reason"]) and json.loads(str(second["original"]))["item"] == IDS[1]


def test_violating_paraphrases_out_of_order(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    file = home / "summary-honest.json"
    document = json.loads(file.read_text())
    document["pairs"][1].update(n_gt_epsilon=2, n_lt_epsilon=98, violating_paraphrase_indices_0based=[99, 3])
    document["report_b"]["counts"] = [0, 2]
    write(file, document)
    finish(home)
    assert reasons(file) == ["pairs[1].violating_paraphrase_indices_0based is not ascending: run the analysis again"]


def test_a_group_that_the_counts_do_not_give(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    file = home / "summary-honest.json"
    document = json.loads(file.read_text())
    document["pairs"][1].update(n_gt_epsilon=0, n_eq_epsilon=1, violating_paraphrase_indices_0based=[])
    document["report_b"]["counts"] = [0, 0]
    write(file, document)
    finish(home)
    assert ["group is a_any_gt_epsilon, but the counts 0, 1, 99 make it boundary_max_eq_epsilon" in r for r in reasons(file)] == [True]


FACTOR_FILE_BREAKS: list[tuple[str, tuple[object, ...], object]] = [
    ("arm is base, whose file is base-factors.json", ("arm",), "base"),
    ("shape is not [2, 100]", ("shape",), [2, 99]),
    ("delta_exact has 1 elements: expected 2", ("delta_exact",), [[]]),
    ("k is a text of 3 characters: expected a decimal number", ("k",), "a b"),
    ("k is 1e+300: expected a decimal number of at most 60 digits", ("k",), 1e300),
    ("half a surrogate pair", ("formula",), "\ud800"),
]


@pytest.mark.parametrize("reason, path, to", FACTOR_FILE_BREAKS, ids=[r for r, *_ in FACTOR_FILE_BREAKS])
def test_broken_factors_files(tmp_path: Path, reason: str, path: tuple[object, ...], to: object) -> None:
    home = analysis(tmp_path)
    file = home / "honest-factors.json"
    document = changed(json.loads(file.read_text()), *path, to=to)
    file.write_text(json.dumps(document))
    if to != "\ud800":
        finish(home)
    assert reason in only_reason(file)


FACTOR_BREAKS: list[tuple[str, tuple[object, ...], object]] = [
    ("denominator_exact[1] is not max(k, visible_gain_exact[1])", ("denominator_exact", 1), ratio(Fraction(1, 2000))),
    ("delta_exact[1][99] is not numerator / denominator", ("delta_exact", 1, 99), ratio(Fraction(1))),
    ("delta_exact[1] has 1 elements: expected 100", ("delta_exact", 1), [ratio(Fraction(1))]),
    ("visible_gain_exact[1] is 2/4000: expected lowest terms", ("visible_gain_exact", 1), {"numerator": "2", "denominator": "4000"}),
    ("denominator above 0", ("visible_gain_exact", 1), {"numerator": "1", "denominator": "0"}),
]


@pytest.mark.parametrize("reason, path, to", FACTOR_BREAKS, ids=[r for r, *_ in FACTOR_BREAKS])
def test_one_broken_pair_of_a_factors_file(tmp_path: Path, reason: str, path: tuple[object, ...], to: object) -> None:
    home = analysis(tmp_path)
    file = home / "honest-factors.json"
    write(file, changed(json.loads(file.read_text()), *path, to=to))
    finish(home)
    first, second = rows(file)
    assert first["reason"] is None and reason in str(second["reason"])


@pytest.mark.parametrize("name", ["summary-honest.json", "honest-factors.json"])
def test_an_analysis_without_its_end_is_rejected(tmp_path: Path, name: str) -> None:
    home = analysis(tmp_path)
    write(home / "complete.json", changed(json.loads((home / "complete.json").read_text()), "complete", to=False))
    assert "does not say that the run finished" in only_reason(home / name)
    assert "complete is false" in only_reason(home / "complete.json")
    write(home / "complete.json", changed(json.loads((home / "complete.json").read_text()), "artifacts", name, drop=True))
    write(home / "complete.json", changed(json.loads((home / "complete.json").read_text()), "complete", to=True))
    assert f"names no contract_sha256 of {name}" in only_reason(home / name)
    (home / "complete.json").write_text("{")
    assert "complete.json beside the file cannot be used: not valid JSON" in only_reason(home / name)
    assert "not valid JSON" in only_reason(home / "complete.json")
    (home / "complete.json").unlink()
    assert "complete.json is not beside the file: the run did not finish" in only_reason(home / name)


def test_a_file_in_the_folder_of_another_epsilon_is_rejected(tmp_path: Path) -> None:
    home = analysis(tmp_path, "1", "1.5")
    assert "epsilon is 1, but the folder is another one's (epsilon-1.5)" in only_reason(home / "summary-honest.json")
    assert "epsilon is 1, but the folder is another one's (epsilon-1.5)" in only_reason(home / "complete.json")
    assert len(records(home / "honest-factors.json")) == 2  # the factors do not depend on it


# --- Stage 2 ------------------------------------------------------------------------------------------------------------------------


def entry(t: int, base: str, target: str, question: str, role: str = "honest") -> dict[str, object]:
    return {
        "t": t,
        "source_index_0based": t - 1,
        "question": question,
        "base_qh_htrue_decimal": base,
        "target_qh_htrue_decimal": target,
        f"{role}_qh_htrue_decimal": target,
        "delta_exact": {"numerator": "planted_text", "denominator": "1"},
    }


def full_pair(role: str = "honest") -> dict[str, object]:
    """Pair g1 of the golden vectors: gpt passes with two draws, claude fails at the first."""
    passed = [
        entry(1, "0.50000000", "0.49950000", "Which door? planted_text", role),
        entry(2, "0.50000000", "0.50000000", "What door? planted_text", role),
    ]
    failed = [entry(1, "0.50000000", "0.49880000", "Which door? planted_text", role)]
    return {
        "pair_id": IDS[1],
        "dataset_index": 7,
        "subset_index": 0,
        "target_role": role,
        "p": 25,
        "epsilon_configured": "1.0",
        "k": "0.001",
        "eta_significance": 0.05,
        "status": "DEGRADED",
        "lower_bound": 0.0,
        "model": "gpt-oss-20b",
        "story_title": "planted_text title",
        "assumptions": "planted_text assumption",
        "counterexample": failed[0],
        "historical_stage1_metadata": {"original_Q_H": "planted_text"},
        "original_qy": {
            "question": "Who carried the lamp? planted_text",
            "base_qy_ytrue_decimal": "0.70000000",
            "target_qy_ytrue_decimal": "0.70050000",
            f"{role}_qy_ytrue_decimal": "0.70050000",
        },
        "generators": {
            "gpt": {"t": 2, "lower_bound": 0.22360679774997896, "status": "BUDGET_EXHAUSTED", "history": passed},
            "claude": {"t": 1, "lower_bound": 0.0, "status": "DEGRADED", "history": failed},
        },
    }


def early_pair() -> dict[str, object]:
    """A pair that failed with the first draw of the first generator, so that the second was not reached."""
    found = full_pair() | {"pair_id": IDS[0], "dataset_index": 3}
    never = {"t": 0, "lower_bound": 0.0, "status": "NOT_REACHED", "history": []}
    return found | {"generators": {"gpt": found["generators"]["claude"], "claude": never}}


def run(tmp_path: Path, pairs: list[Json], role: str = "honest", **manifest: object) -> Path:
    """Results and their manifest in the folder that the sweep writes."""
    suffix = "-honest" if role == "honest" else ""
    home = tmp_path / "runs" / f"audit-stage2-gpt-oss-20b{suffix}" / "GPQA-0.05-25"
    path = write(home / "results.json", pairs)
    stated = {
        "status": "complete",
        "mode": "audit-uncached",
        "identity": {"dataset": "GPQA", "p": 25, "epsilon_configured": "1.0", "k": "0.001", "input_route": "planted_text"},
        "model": "gpt-oss-20b",
        "target_role": role,
        "mtest_per_generator": 2,
        "generator_order": ["gpt", "claude"],
        "completed_pairs": len(pairs),
        "total_pairs": len(pairs),
        "eta_significance": 0.05,
        "caveats": "planted_text",
        "results_file": "results.json",
        "results_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    write(home / "manifest.json", {k: v for k, v in (stated | manifest).items() if v is not None})
    return path


@pytest.mark.parametrize("role, arm", [("honest", "honest"), ("strict", "adv")])
def test_results_give_the_pair_its_scores_and_every_draw(tmp_path: Path, role: str, arm: str) -> None:
    path = run(tmp_path, [full_pair(role)], role)
    assert audit_kind(path) == "stage2_results"
    scope = {"dataset": "GPQA", "model": "gpt-oss-20b", "pair_id": IDS[1], "pool": f"p25-{role}"}
    setting = {"percentile": 25, "epsilon": "1", "eta": "0.05"}
    own_folder = "audit-stage2-gpt-oss-20b-honest" if role == "honest" else "audit-stage2-gpt-oss-20b"
    scored = scope | {"record": "evaluation", "run_id": f"{own_folder}/GPQA-0.05-25", "stage": "2", "dataset_index": 7}
    asked = {"phase": "canonical", "q_key": "Q_Y", "generator": None, "draw": None, "correct": None}
    asked |= {"question_sha256": sha("Who carried the lamp? planted_text")}
    test = {"phase": "test", "q_key": "Q_H"}
    which, what = sha("Which door? planted_text"), sha("What door? planted_text")
    generator = scope | setting | {"record": "stage2_generator", "arm": arm}
    first = {"generator": "gpt", "draw": 1, "question_sha256": which}
    second = {"generator": "gpt", "draw": 2, "question_sha256": what}
    third = {"generator": "claude", "draw": 1, "question_sha256": which}
    path_of_gpt = {"generator": "gpt", "generator_order": 1, "t": 2, "lower_bound": 0.22360679774997896, "status": "BUDGET_EXHAUSTED"}
    path_of_claude = {"generator": "claude", "generator_order": 2, "t": 1, "lower_bound": 0.0, "status": "DEGRADED"}
    assert records(path) == [
        scope | setting | {"record": "stage2_pair", "arm": arm, "kappa": "0.001", "status": "DEGRADED", "lower_bound": 0.0},
        scored | asked | {"arm": "base", "p_true": "0.70000000"},
        scored | asked | {"arm": arm, "p_true": "0.70050000"},
        generator | path_of_gpt,
        scored | test | first | {"arm": "base", "p_true": "0.50000000"},
        scored | test | first | {"arm": arm, "p_true": "0.49950000"},
        scored | test | second | {"arm": "base", "p_true": "0.50000000"},
        scored | test | second | {"arm": arm, "p_true": "0.50000000"},
        generator | path_of_claude,
        scored | test | third | {"arm": "base", "p_true": "0.50000000"},
        scored | test | third | {"arm": arm, "p_true": "0.49880000"},
    ]


def test_a_generator_that_was_not_reached_has_its_row_and_no_draws(tmp_path: Path) -> None:
    found = records(run(tmp_path, [early_pair()]))
    assert [(r["generator"], r["t"], r["status"]) for r in found if r["record"] == "stage2_generator"] == [
        ("gpt", 1, "DEGRADED"),
        ("claude", 0, "NOT_REACHED"),
    ]
    assert {r["generator"] for r in found if r.get("phase") == "test"} == {"gpt"}


def test_the_order_of_the_generators_is_that_of_the_manifest(tmp_path: Path) -> None:
    pair = full_pair()
    pair["generators"] = dict(reversed(pair["generators"].items()))
    found = [r for r in records(run(tmp_path, [pair])) if r["record"] == "stage2_generator"]
    assert [(r["generator"], r["generator_order"]) for r in found] == [("gpt", 1), ("claude", 2)]


def test_a_draw_is_its_place_in_the_pool_or_else_its_step(tmp_path: Path) -> None:
    pair = full_pair()
    del pair["generators"]["gpt"]["history"][0]["source_index_0based"]
    pair["generators"]["gpt"]["history"][1]["source_index_0based"] = 4
    found = records(run(tmp_path, [pair]))
    assert [r["draw"] for r in found if r.get("generator") == "gpt" and r["record"] == "evaluation"] == [1, 1, 5, 5]


def test_model_and_dataset_come_from_the_folder_where_no_key_names_them(tmp_path: Path) -> None:
    pair = full_pair()
    del pair["model"]
    path = run(tmp_path, [pair], model=None, identity={"p": 25, "epsilon_configured": "1", "k": "0.001"})
    for file in (path, path.with_name("manifest.json")):
        assert {(r["dataset"], r["model"]) for r in records(file)} == {("GPQA", "gpt-oss-20b")}


@pytest.mark.parametrize("folder_name", ["QuALITY-H-p25", "QuALITY-H-p25-honest", "QuALITY-H-0.05-25"])
def test_the_folder_of_a_run_names_the_dataset(tmp_path: Path, folder_name: str) -> None:
    path = run(tmp_path, [full_pair()], identity={"p": 25, "epsilon_configured": "1", "k": "0.001"})
    home = path.parent.rename(path.parent.with_name(folder_name))
    for name in ("results.json", "manifest.json"):
        assert {r["dataset"] for r in records(home / name)} == {"QuALITY-H"}


def test_a_manifest_gives_the_setting_of_its_run(tmp_path: Path) -> None:
    path = run(tmp_path, [full_pair(), early_pair()]).with_name("manifest.json")
    assert audit_kind(path) == "stage2_manifest"
    assert records(path) == [
        {
            "record": "stage2_manifest",
            "dataset": "GPQA",
            "model": "gpt-oss-20b",
            "arm": "honest",
            "pool": "p25-honest",
            "percentile": 25,
            "epsilon": "1",
            "kappa": "0.001",
            "eta": "0.05",
            "test_budget": 2,
            "generators": ["gpt", "claude"],
            "n_completed": 2,
            "n_total": 2,
            "status": "complete",
        }
    ]
    path.with_name("results.json").unlink()
    assert "results.json is not beside the manifest" in only_reason(path)


def test_a_manifest_whose_generators_are_no_names(tmp_path: Path) -> None:
    for order in (["gpt", "gpt"], ["planted text"], [5]):
        path = run(tmp_path, [full_pair()], generator_order=order).with_name("manifest.json")
        assert "generator_order is no list of distinct names" in only_reason(path)


MANIFEST_BREAKS = [
    ("status is running: the run did not finish", {"status": "running"}),
    ("status is failed: the run did not finish", {"status": "failed"}),
    ("status is done: expected complete", {"status": "done"}),
    ("completed_pairs 1 of total_pairs 2", {"completed_pairs": 1}),
]


@pytest.mark.parametrize("reason, manifest", MANIFEST_BREAKS, ids=[r for r, _ in MANIFEST_BREAKS])
def test_a_run_that_did_not_finish_is_rejected(tmp_path: Path, reason: str, manifest: dict[str, object]) -> None:
    path = run(tmp_path, [full_pair(), early_pair()], **manifest)
    assert reason in only_reason(path) and reason in only_reason(path.with_name("manifest.json"))


def test_results_without_their_manifest_are_rejected(tmp_path: Path) -> None:
    path = run(tmp_path, [full_pair()], results_sha256="0" * 64)
    assert "do not have the manifest's results_sha256" in only_reason(path)
    assert "results_sha256 is missing" in only_reason(run(tmp_path, [full_pair()], results_sha256=None))
    counted = run(tmp_path, [full_pair()], completed_pairs=2, total_pairs=2)
    assert "the file has 1 pairs, the manifest's total_pairs is 2" in only_reason(counted)
    path.with_name("manifest.json").write_text("{]")
    assert "manifest.json beside the file cannot be used: not valid JSON (line 1, column 2)" in only_reason(path)
    assert "not valid JSON" in only_reason(path.with_name("manifest.json"))
    path.with_name("manifest.json").unlink()
    assert "manifest.json is not beside the results" in only_reason(path)
    path.write_text("[")
    assert audit_kind(path) == "stage2_results" and "not valid JSON" in only_reason(path)
    path.unlink()
    partial = write(path.with_name("results.partial.json"), [full_pair()])
    assert audit_kind(partial) == "partial" and "a partial file is for diagnosis only" in only_reason(partial)


def test_a_run_that_only_filled_the_cache_gives_nothing(tmp_path: Path) -> None:
    path = run(tmp_path, [], mode="prime", statistical_observations=False, warm_coverage_sha256="0" * 64)
    assert rows(path.with_name("manifest.json")) == []


GPT = ("generators", "gpt")
RESULT_BREAKS: list[tuple[str, tuple[object, ...], object]] = [
    ("[1].target_role is strict, the manifest's is honest", ("target_role",), "strict"),
    ("[1].target_role is base: expected strict or honest", ("target_role",), "base"),
    ("[1].pair_id demo_00112233445566aa occurs before", ("pair_id",), IDS[0]),
    ("base_qy_ytrue_decimal is 0.7: expected 0.dddddddd or 1.00000000", ("original_qy", "base_qy_ytrue_decimal"), "0.7"),
    ("base_qy_ytrue_decimal is 1.00000001: expected 0.dddddddd", ("original_qy", "base_qy_ytrue_decimal"), "1.00000001"),
    ("honest_qy_ytrue_decimal is 0.7, target_qy_ytrue_decimal is 0.70050000", ("original_qy", "honest_qy_ytrue_decimal"), "0.7"),
    ("original_qy.question is blank", ("original_qy", "question"), " "),
    ("half a surrogate pair", ("original_qy", "question"), "\ud800"),
    ("generators.gpt.t is 3, but history has 2 entries", (*GPT, "t"), 3),
    ("history[1].t is 1: expected 2", (*GPT, "history", 1, "t"), 1),
    ("in the order of their file, each once", (*GPT, "history", 1, "source_index_0based"), 0),
    ("target_qh_htrue_decimal is nan: expected a number", (*GPT, "history", 1, "target_qh_htrue_decimal"), NAN),
    ("generators.gpt.status is NOT_REACHED with t 2", (*GPT, "status"), "NOT_REACHED"),
    ("generators.gpt.status is DONE: expected NOT_REACHED or BUDGET_EXHAUSTED or DEGRADED", (*GPT, "status"), "DONE"),
    ("lower_bound is 1.5: expected a number from 0 to 1", ("lower_bound",), 1.5),
    ("keys that are not those of the manifest's generator_order", ("generators", "third"), {}),
    ("p is 25.0: expected an integer", ("p",), 25.0),
    ("eta_significance is 1: expected a number above 0 and below 1", ("eta_significance",), 1),
    ("epsilon_configured is a text of 5 characters: expected a decimal", ("epsilon_configured",), "a lot"),
    ("dataset_index is -1: expected an integer from 0", ("dataset_index",), -1),
]


@pytest.mark.parametrize("reason, path, to", RESULT_BREAKS, ids=[r for r, *_ in RESULT_BREAKS])
def test_one_broken_pair_of_results(tmp_path: Path, reason: str, path: tuple[object, ...], to: object) -> None:
    pairs = json.dumps([early_pair(), changed(full_pair(), *path, to=to)])  # escapes half a surrogate pair, unlike `write`
    file = run(tmp_path, [])
    file.write_text(pairs)
    stated = json.loads(file.with_name("manifest.json").read_text())
    stated |= {"completed_pairs": 2, "total_pairs": 2, "results_sha256": sha(pairs)}
    write(file.with_name("manifest.json"), stated)
    found = rows(file)
    (rejected,) = [r for r in found if r["line"] is None]
    assert reason in str(rejected["reason"]) and json.loads(str(rejected["original"]))["item"] == "1"
    assert {json.loads(str(r["line"]))["pair_id"] for r in found if r["line"]} == {IDS[0]}


# --- Score cache --------------------------------------------------------------------------------------------------------------------


def cache(tmp_path: Path) -> Path:
    pair = {"dataset_index": 7, "pair_id": IDS[1], "story_title": "planted_text", "Q_Y": {"question": "planted_text"}}

    def observation(key: str, kind: str, question: str, base: str, target: str) -> dict[str, object]:
        material = {"model": "gpt-oss-20b", "target_role": "strict", "dataset": "GPQA", "pair": pair, "question": question}
        material["q_key"] = {"QY": "Q_Y", "QH": "Q_H"}[kind]
        return {"key": key, "kind": kind, "material": material, "base_p_true": base, "target_p_true": target}

    document: dict[str, object] = {
        "schema": "audit-stage2-score-cache-v1",
        "namespace": {"model": "gpt-oss-20b", "dataset": "GPQA", "target_role": "strict", "target_arm": "adv-wo-qh"},
        "epoch": {"a": "é planted_text", "k_raw": 1},
        "observations": {
            "a" * 64: observation("a" * 64, "QY", "Who carried the lamp? planted_text", "0.70000000", "0.70050000"),
            "b" * 64: observation("b" * 64, "QH", "Which door? planted_text", "0.50000000", "1.00000000"),
        },
        "commits": [],
    }
    integrity: dict[str, object] = {"observation_count": 2}
    for key in ("observations", "commits", "epoch"):
        integrity[f"{key}_sha256"] = sha(json.dumps(document[key], sort_keys=True, ensure_ascii=False))
    document["integrity"] = dict(integrity)
    integrity["document_sha256"] = sha(json.dumps(document, sort_keys=True, ensure_ascii=False))
    document["integrity"] = integrity
    return write(tmp_path / "runs" / "audit-stage2-score-cache" / "gpt-oss-20b" / "GPQA-strict.json", document)


def test_the_score_cache_gives_every_question_once(tmp_path: Path) -> None:
    path = cache(tmp_path)
    assert audit_kind(path) == "stage2_score_cache"
    scope = {"record": "cached_score", "dataset": "GPQA", "model": "gpt-oss-20b", "arm": "adv", "pair_id": IDS[1]}
    monitored = {"q_key": "Q_Y", "question_sha256": sha("Who carried the lamp? planted_text")}
    hidden = {"q_key": "Q_H", "question_sha256": sha("Which door? planted_text")}
    assert records(path) == [
        scope | monitored | {"base_p_true": "0.70000000", "arm_p_true": "0.70050000"},
        scope | hidden | {"base_p_true": "0.50000000", "arm_p_true": "1.00000000"},
    ]


def test_a_broken_score_cache(tmp_path: Path) -> None:
    path = cache(tmp_path)
    good = json.loads(path.read_text())
    write(path, changed(good, "integrity", "observation_count", to=3))
    assert "integrity.observation_count is 3, but observations has 2" in only_reason(path)
    for key, at in {"observations": ("observations", "b" * 64, "base_p_true"), "epoch": ("epoch", "a"), "document": ("schema",)}.items():
        write(path, changed(good, *at, to="0.40000000"))
        assert f"integrity.{key}_sha256 is not the hash" in only_reason(path)
    loose = changed(good, "integrity", to={"observation_count": 2})
    for reason, at, to in [
        ("base_p_true is 0.5: expected 0.dddddddd", ("base_p_true",), "0.5"),
        ("kind is QH, observations[1].material.q_key is Q_Y", ("material", "q_key"), "Q_Y"),
        ("material.dataset is not that of the namespace", ("material", "dataset"), "QuALITY-H"),
        ("key is not the key under which it stands", ("key",), "c" * 64),
        ("pair_id is a text of 5 characters", ("material", "pair", "pair_id"), "a b c"),
    ]:
        write(path, changed(loose, "observations", "b" * 64, *at, to=to))
        first, second = rows(path)
        assert first["reason"] is None and reason in str(second["reason"])
    twice = changed(loose, "observations", "c" * 64, to=good["observations"]["b" * 64] | {"key": "c" * 64})
    write(path, changed(twice, "integrity", "observation_count", to=3))
    assert ["scores a question of its pair a second time" in r for r in reasons(path)] == [True]


def test_warm_coverage_counts_for_nothing(tmp_path: Path) -> None:
    unit = {"p": 25, "pair_id": IDS[0], "qh_unique": 5, "qh_hits": 2, "qh_scored": 3, "statistical_observations": 0}
    path = write(tmp_path / "warm-coverage.json", [unit])
    assert audit_kind(path) == "stage2_warm_coverage" and rows(path) == []
    write(path, [unit, unit | {"statistical_observations": 4}])
    assert "[1].statistical_observations is 4: expected 0" in only_reason(path)


# --- Posterior ----------------------------------------------------------------------------------------------------------------------


def answered(q_key: str, p_true: float, correct: bool) -> dict[str, object]:
    right, wrong = {"Q_Y": ("Y_true", "Y_false"), "Q_H": ("H_true", "H_false")}[q_key]
    evaluation = {
        "readout": "planted_text",
        "gold": right,
        "orders": {"AB": {"semantic_probs": {right: 0.7}}, "BA": {"semantic_probs": {right: 0.6}}},
        "semantic_probs": {right: p_true, wrong: round(1 - p_true, 8)},
        "p_sem": 0.9,
        "correct": correct,
    }
    return {"question": f"planted_text {q_key}?", right: "planted_text yes", wrong: "planted_text no", "evaluation": evaluation}


def posterior(tmp_path: Path, name: str = "honest.json", **metadata: object) -> Path:
    unasked = {"question": "planted_text", "H_true": "a", "H_false": "b", "evaluation": None}
    items = [
        {"index": 0, "pair_id": IDS[0], "Q_Y": answered("Q_Y", 0.65, True), "Q_H": answered("Q_H", 0.5, False)},
        {"index": 1, "pair_id": IDS[1], "Q_Y": answered("Q_Y", 1.0, True), "Q_H": unasked, "story_title": "planted_text"},
    ]
    stated = {
        "model": "./checkpoints/gpt-oss-20b-verifier-fullft-GPQA",
        "dataset_name": "GPQA",
        "dataset": "planted_text",
        "num_items": 2,
        "dry_run": False,
        "both_orders": True,
        "readout_version": "posterior-eval-dual-order-v2",
        "created_at": "2026-08-11T01:33:33+00:00",
        "caveats": ["planted_text"],
        "aggregate_metrics": {"n_items": 2, "Q_Y_accuracy": 1.0, "Q_Y_mean_p_y_true": 0.825, "planted_text": 1},
    }
    document = {"metadata": {k: v for k, v in (stated | metadata).items() if v is not None}, "items": items}
    return write(tmp_path / "runs" / "posterior_shift" / "GPQA" / name, document)


def test_a_posterior_file_gives_both_questions_and_its_own_metrics(tmp_path: Path) -> None:
    path = posterior(tmp_path)
    assert audit_kind(path) == "posterior"
    scope = {"dataset": "GPQA", "model": "gpt-oss-20b", "arm": "honest"}
    scored = {"record": "evaluation", "run_id": "posterior_shift/GPQA", "stage": "posterior", "scored_at": "2026-08-11T01:33:33+00:00"}
    canonical = {"phase": "canonical", "generator": None, "draw": None}
    monitored = canonical | {"q_key": "Q_Y", "question_sha256": sha("planted_text Q_Y?"), "correct": True}
    hidden = canonical | {"q_key": "Q_H", "question_sha256": sha("planted_text Q_H?"), "correct": False}
    metrics = {"record": "posterior_metrics", "q_key": "Q_Y", "n_items": 2, "accuracy": "1", "mean_p_true": "0.825"}
    assert records(path) == [
        scope | scored | monitored | {"pair_id": IDS[0], "dataset_index": 0, "p_true": "0.65000000"},
        scope | scored | hidden | {"pair_id": IDS[0], "dataset_index": 0, "p_true": "0.50000000"},
        scope | scored | monitored | {"pair_id": IDS[1], "dataset_index": 1, "p_true": "1.00000000"},
        scope | metrics,
    ]


ARMS = [
    ("base.json", "./checkpoints/gpt-oss-20b-bf16-base", "gpt-oss-20b", "base"),
    ("base.json", "Qwen/Qwen3.5-9B", "qwen3.5-9B", "base"),
    ("base.json", "meta-llama/Llama-3.1-8B-Instruct", "llama3.1-8b-it", "base"),
    ("honest.json", "checkpoints/qwen3.5-9B-verifier-fullft-QuALITY-H/", "qwen3.5-9B", "honest"),
    ("adv.json", "checkpoints/gpt-oss-20b-verifier-fullft-adversarial-GPQA", "gpt-oss-20b", "org"),
    ("adv.json", "checkpoints/gpt-oss-20b-verifier-fullft-adversarial-GPQA-wo-qh", "gpt-oss-20b", "adv"),
    ("adv.json", "gpt-oss-20b", "gpt-oss-20b", "org"),
    ("strict.json", "gpt-oss-20b", "gpt-oss-20b", "adv"),
]


@pytest.mark.parametrize("name, checkpoint, model, arm", ARMS)
def test_the_checkpoint_names_the_arm_since_adv_json_is_the_organism(
    tmp_path: Path, name: str, checkpoint: str, model: str, arm: str
) -> None:
    assert {(r["model"], r["arm"]) for r in records(posterior(tmp_path, name, model=checkpoint))} == {(model, arm)}


def test_the_folder_of_a_posterior_file_names_the_dataset(tmp_path: Path) -> None:
    path = posterior(tmp_path, dataset_name=None)
    assert {r["dataset"] for r in records(path)} == {"GPQA"}
    path.with_name("m").mkdir()
    assert {r["dataset"] for r in records(path.rename(path.parent / "m" / path.name))} == {"GPQA"}


POSTERIOR_BREAKS: list[tuple[str, str, dict[str, object]]] = [
    ("metadata.dry_run is set", "honest.json", {"dry_run": True}),
    ("metadata.both_orders is missing or false", "honest.json", {"both_orders": None}),
    ("metadata.both_orders is missing or false", "honest.json", {"both_orders": False}),
    ("metadata.num_items is 3, but items has 2", "honest.json", {"num_items": 3}),
    ("the name of the file says the arm base, metadata.model the arm honest", "base.json", {}),
    ("neither metadata.model nor the name of the file says the arm", "third.json", {"model": "gpt-oss-20b"}),
    ("a partial file is for diagnosis only", "honest.partial.json", {}),
]


@pytest.mark.parametrize("reason, name, metadata", POSTERIOR_BREAKS)
def test_broken_posterior_files(tmp_path: Path, reason: str, name: str, metadata: dict[str, object]) -> None:
    assert reason in only_reason(posterior(tmp_path, name, **metadata))


EVALUATION = ("Q_Y", "evaluation")
ITEM_BREAKS: list[tuple[str, tuple[object, ...], object]] = [
    ("items[1].index is 0: expected 1", ("index",), 0),
    ("items[1].pair_id demo_00112233445566aa occurs before", ("pair_id",), IDS[0]),
    ("gold is Y_false: expected Y_true", (*EVALUATION, "gold"), "Y_false"),
    ("semantic_probs.Y_true is 0.123456789: expected a number with 8 decimals", (*EVALUATION, "semantic_probs", "Y_true"), 0.123456789),
    ("semantic_probs.Y_true is 2: expected a number", (*EVALUATION, "semantic_probs", "Y_true"), 2),
    ("semantic_probs.Y_true is true: expected a number", (*EVALUATION, "semantic_probs", "Y_true"), True),
    ("semantic_probs are 0.40000000 and 0.00000000: expected the sum 1", (*EVALUATION, "semantic_probs", "Y_true"), 0.4),
    ("correct is null: expected true or false", (*EVALUATION, "correct"), None),
    ("orders lacks AB or BA", (*EVALUATION, "orders"), {"AB": {}}),
    ("Y_true and Y_false are the same text", ("Q_Y", "Y_true"), " planted_text no "),
    ("items[1].Q_Y.question is no text", ("Q_Y", "question"), 5),
]


@pytest.mark.parametrize("reason, path, to", ITEM_BREAKS, ids=[r for r, *_ in ITEM_BREAKS])
def test_one_broken_item_of_a_posterior_file(tmp_path: Path, reason: str, path: tuple[object, ...], to: object) -> None:
    file = posterior(tmp_path)
    write(file, changed(json.loads(file.read_text()), "items", 1, *path, to=to))
    found = rows(file)
    (rejected,) = [r for r in found if r["line"] is None]
    assert reason in str(rejected["reason"]) and len(found) == 4


def test_metrics_that_cannot_be_are_rejected_alone(tmp_path: Path) -> None:
    path = posterior(tmp_path, aggregate_metrics={"n_items": 2, "Q_Y_accuracy": 1.5, "Q_Y_mean_p_y_true": 0.8})
    assert reasons(path) == ["aggregate_metrics.Q_Y_accuracy is 1.5: expected a number from 0 to 1"] and len(rows(path)) == 4
    assert "n_items is 5, but items has 2" in reasons(posterior(tmp_path, aggregate_metrics={"n_items": 5, "Q_H_accuracy": 1}))[0]


# --- Pair files, splits, manifests --------------------------------------------------------------------------------------------------


def pair_row(i: int, **more: object) -> dict[str, object]:
    return {
        "story_title": f"planted_text_{i}",
        "Q_Y": {"question": f"Who carried lamp {i}? planted_text", "Y_true": "Ida planted_text", "Y_false": "Tomas planted_text"},
        "Q_H": {"question": f"Which door {i}? planted_text", "H_true": "North planted_text", "H_false": "Cellar planted_text"},
        **more,
    }


def pair_id(i: int, dataset: str = "GPQA") -> str:
    """The rule of 2.1 written out: no spaces, non-ASCII as it is, 16 hex digits."""
    text = f'["{dataset}","planted_text_{i}","Who carried lamp {i}? planted_text","Which door {i}? planted_text"]'
    return {"GPQA": "gpqa", "QuALITY-H": "quality_h"}[dataset] + "_" + sha(text)[:16]


def transcript(**more: object) -> dict[str, object]:
    turns = {"Debater A": "planted_text a", "Debater B": "planted_text b"}
    return {"Debater A": "Y_true", "Debater B": "Y_false", "rounds": [turns] * 3, **more}


def debated(i: int, **transcripts: object) -> dict[str, object]:
    row = pair_row(i)
    return row | {"Q_Y": row["Q_Y"] | transcripts}


def search_row(i: int, n: int = 100) -> dict[str, object]:
    return pair_row(i, paraphrase=[{"Q_H": f"planted_text {j % 90} "} for j in range(n)])


def pools(i: int, **more: object) -> dict[str, object]:
    return pair_row(i, paraphrase={"gpt": ["planted_text a", "planted_text b", " planted_text a"], "claude": ["planted_text c"]}, **more)


PAIR_FILES: list[tuple[str, list[Json], list[dict[str, object]]]] = [
    ("GPQA-no-debate.json", [pair_row(0), pair_row(1, dataset_index=1, pair_id=pair_id(1))], [{"file_kind": "compact"}] * 2),
    (
        "GPQA-with-honest-transcripts.json",
        [debated(0, transcript=transcript()), debated(1)],
        [{"file_kind": "transcripts", "has_honest_transcript": has} for has in (True, False)],
    ),
    (
        "GPQA.json",
        [debated(0, honest_transcript=transcript(), adversarial_transcript=None), debated(1, honest_transcript=transcript())],
        [{"file_kind": "merged", "has_honest_transcript": True, "has_adversarial_transcript": False}] * 2,
    ),
    (
        "GPQA-no-debate-100q.json",
        [search_row(0), search_row(1)],
        [{"file_kind": "stage1_input", "n_paraphrases": {"search": 100}, "n_unique_paraphrases": {"search": 90}}] * 2,
    ),
    (
        "GPQA-no-debate-100q-not-counterexample-p25-gpt-oss-20b-honest.json",
        [pools(0), pools(1, dataset_index=57)],
        [
            {
                "file_kind": "stage2_input",
                "dataset_index": index,
                "n_paraphrases": {"gpt": 3, "claude": 1},
                "n_unique_paraphrases": {"gpt": 2, "claude": 1},
            }
            for index in (None, 57)
        ],
    ),
]


@pytest.mark.parametrize("name, content, wanted", PAIR_FILES, ids=[n for n, *_ in PAIR_FILES])
def test_a_pair_file_gives_hashes_and_counts(tmp_path: Path, name: str, content: list[Json], wanted: list[dict[str, object]]) -> None:
    path = write(tmp_path / "dataset" / "GPQA" / name, content)
    assert audit_kind(path) == "pairs"
    empty = dict.fromkeys(["has_honest_transcript", "has_adversarial_transcript", "n_paraphrases", "n_unique_paraphrases"])
    assert records(path) == [
        {
            "record": "pair",
            "dataset": "GPQA",
            "model": None,
            "dataset_index": i,
            "pair_id": pair_id(i),
            "story_sha256": sha(f"planted_text_{i}"),
            "q_y_sha256": sha(f"Who carried lamp {i}? planted_text"),
            "q_h_sha256": sha(f"Which door {i}? planted_text"),
            **empty,
            **own,
        }
        for i, own in enumerate(wanted)
    ]


@pytest.mark.parametrize("name, content, wanted", PAIR_FILES, ids=[n for n, *_ in PAIR_FILES])
def test_a_pair_file_of_another_name_is_told_by_its_first_rows(
    tmp_path: Path, name: str, content: list[Json], wanted: list[dict[str, object]]
) -> None:
    path = write(tmp_path / "pairs.json", ["no object", *content])
    assert audit_kind(path) == "pairs"
    found = [json.loads(str(r["line"])) for r in rows(path) if r["line"]]
    assert {r["file_kind"] for r in found} <= {wanted[0]["file_kind"]} and {r["dataset"] for r in found} <= {"pairs"}
    assert len(reasons(path)) == 3 - len(found)


def test_the_dataset_is_that_of_the_name_and_goes_into_the_pair_id(tmp_path: Path) -> None:
    """The variant folder QuALITY-H-50 holds the pairs of QuALITY-H under their own ids."""
    path = write(tmp_path / "dataset" / "QuALITY-H-50" / "QuALITY-H-no-debate.json", [pair_row(0)])
    (record,) = records(path)
    assert (record["dataset"], record["pair_id"]) == ("QuALITY-H", pair_id(0, "QuALITY-H"))


def test_the_derived_id_of_texts_outside_ascii() -> None:
    """Hand-made: the authors' two test values need texts that are not here, so that only the rule can be tested."""
    wanted = "quality_h_" + hashlib.sha256('["QuALITY-H","Ünder","Wér \\"?","日本"]'.encode()).hexdigest()[:16]
    assert derived_pair_id("QuALITY-H", "Ünder", 'Wér "?', "日本") == wanted == "quality_h_ea60d35fdf1a4573"


PAIR_FILE_BREAKS: list[tuple[str, str, Json]] = [
    ("[1].story_title is blank", "GPQA-no-debate.json", pair_row(1) | {"story_title": " "}),
    ("[1].story_title is missing", "GPQA-no-debate.json", {k: v for k, v in pair_row(1).items() if k != "story_title"}),
    ("[1].Q_H is missing", "GPQA-no-debate.json", {k: v for k, v in pair_row(1).items() if k != "Q_H"}),
    ("[1].Q_Y.question is no text", "GPQA-no-debate.json", changed(pair_row(1), "Q_Y", "question", to=["planted_text"])),
    ("[1].Q_Y.Y_true and Y_false are the same", "GPQA-no-debate.json", changed(pair_row(1), "Q_Y", "Y_true", to="Tomas planted_text\n")),
    ("[1].Q_H.H_true and H_false are the same", "GPQA-no-debate.json", changed(pair_row(1), "Q_H", "H_true", to=" Cellar planted_text")),
    ("[1].dataset_index is 2: expected 1", "GPQA-no-debate.json", pair_row(1, dataset_index=2)),
    (f"the dataset and texts give {pair_id(1)}", "GPQA-no-debate.json", pair_row(1, pair_id=pair_id(0))),
    ("[1] is a pair of the file a second time", "GPQA-no-debate.json", pair_row(0)),
    ("[1] is a text of 12 characters: expected an object", "GPQA-no-debate.json", "planted text"),
    ("paraphrase has 99 elements: expected 100", "GPQA-no-debate-100q.json", search_row(1, 99)),
    ("paraphrase[4].Q_H is blank", "GPQA-no-debate-100q.json", changed(search_row(1), "paraphrase", 4, "Q_H", to="")),
    ("paraphrase is missing", "GPQA-no-debate-100q.json", pair_row(1)),
    ("paraphrase is an object of 2 keys: expected a list", "GPQA-no-debate-100q.json", pools(1)),
    ("paraphrase.claude is empty", "GPQA-no-debate-100q-not-counterexample-p10-m.json", changed(pools(1), "paraphrase", "claude", to=[])),
    ("gpt[1] is blank", "GPQA-no-debate-100q-not-counterexample-p10-m.json", changed(pools(1), "paraphrase", "gpt", 1, to=" ")),
    (
        "a key that is no short identifier",
        "GPQA-no-debate-100q-not-counterexample-p10-m.json",
        pair_row(1, paraphrase={"planted text": ["a"]}),
    ),
    ("paraphrase is empty", "GPQA-no-debate-100q-not-counterexample-p10-m.json", pair_row(1, paraphrase={})),
    ("rounds has 2 elements: expected 3", "GPQA.json", debated(1, honest_transcript=transcript(rounds=[{}, {}]))),
    ("both debaters on the side of Y_true", "GPQA.json", debated(1, adversarial_transcript=transcript(**{"Debater B": "Y_true"}))),
    ("lacks the text of a debater", "GPQA.json", debated(1, honest_transcript=transcript(rounds=[{"Debater A": "planted_text"}] * 3))),
]


@pytest.mark.parametrize("reason, name, row", PAIR_FILE_BREAKS, ids=[r for r, *_ in PAIR_FILE_BREAKS])
def test_one_broken_pair_of_a_pair_file(tmp_path: Path, reason: str, name: str, row: Json) -> None:
    good = {"GPQA.json": debated(0, honest_transcript=transcript())}.get(name, search_row(0) if name.endswith("100q.json") else pools(0))
    first, second = rows(write(tmp_path / "dataset" / "GPQA" / name, [good if "no-debate.json" not in name else pair_row(0), row]))
    assert first["reason"] is None and reason in str(second["reason"])
    assert json.loads(str(second["original"]))["item"] == "1" and "planted" not in str(second)


def test_stories_give_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "GPQA-title-story.json", {"planted_text": "planted_text"})
    assert audit_kind(path) == "stories" and rows(path) == []
    path.write_text("{")
    assert audit_kind(path) == "stories" and "not valid JSON" in only_reason(path)


def split_of(titles: list[str], seed: int = SEED, is_adversarial: bool = False) -> dict[str, object]:
    """A split by the rule, reckoned here by itself."""
    order: list[str] = []
    for title in titles:
        if title not in order:
            order.append(title)
    random.Random(seed).shuffle(order)
    train = set(order[: int(0.8 * len(order))])
    sides = {"train": [i for i, t in enumerate(titles) if t in train], "eval": [i for i, t in enumerate(titles) if t not in train]}
    found: dict[str, object] = {"split_seed": seed, "split_policy": "planted_text", "index_info": {}}
    for side, own in sides.items():
        stories = sorted({titles[i] for i in own})
        found |= {f"{side}_count": len(own), f"{side}_indices": own, f"{side}_story_count": len(stories), f"{side}_story_titles": stories}
    for i, title in enumerate(titles):
        entry: dict[str, object] = {"pair_id": f"demo_{i:016x}", "story_title": title, "h_true_text_match": "planted_text"}
        found["index_info"][str(i)] = entry | ({"source_dataset_index": 2 * i} if is_adversarial else {})
    return found


TITLES = [f"planted_text {i}" for i in (0, 1, 2, 3, 1, 4)]


@pytest.mark.parametrize("mode", ["honest", "adversarial"])
def test_a_split_gives_its_items_and_whether_it_follows_the_rule(tmp_path: Path, mode: str) -> None:
    document = split_of(TITLES, is_adversarial=mode == "adversarial")
    path = write(tmp_path / f"GPQA-verifier-fullft{'-adversarial' if mode == 'adversarial' else ''}-split.json", document)
    assert audit_kind(path) == "split"
    head = {"dataset": "GPQA", "model": None, "mode": mode}
    items = [
        {
            "record": "split",
            **head,
            "split": "train" if i in document["train_indices"] else "eval",
            "split_index": i,
            "pair_id": f"demo_{i:016x}",
            "source_dataset_index": 2 * i if mode == "adversarial" else None,
        }
        for i in range(6)
    ]
    n = len(document["train_indices"])
    counts = {"n_train": n, "n_eval": 6 - n, "n_train_stories": 4, "n_eval_stories": 1}
    summary = {"record": "split_summary", **head, "split_seed": "1090998506967575423", **counts, "follows_rule": True}
    assert records(path) == [*items, summary]


def test_a_split_by_another_rule_is_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "GPQA-verifier-fullft-split.json"
    write(path, split_of(TITLES, seed=5) | {"split_seed": 4})
    assert split_of(TITLES, seed=5)["eval_indices"] != split_of(TITLES, seed=4)["eval_indices"]
    assert records(path)[-1]["follows_rule"] is False
    write(path, changed(split_of(TITLES), "index_info", "3", "story_title", drop=True))
    assert records(path)[-1]["follows_rule"] is None


@pytest.mark.parametrize("n, train", [(222, 177), (101, 80), (184, 147), (83, 66), (5, 4), (1, 0)])
def test_four_fifths_of_the_stories_rounded_down_are_for_training(n: int, train: int) -> None:
    titles = [str(i) for i in range(n)]
    assert len(train_titles(titles, SEED)) == train
    assert train_titles(titles, SEED) != train_titles(titles, int(float(SEED))) or n == 1  # a double rounds the seed


def test_the_published_split_of_the_adversarial_pairs_of_gpqa() -> None:
    """The 17 positions of the released file; its 83 titles are distinct, so that any distinct titles give them."""
    train = train_titles([str(i) for i in range(83)], SEED)
    published = [12, 14, 15, 19, 34, 39, 40, 41, 42, 44, 47, 50, 62, 65, 67, 72, 77]
    assert [i for i in range(83) if str(i) not in train] == published


@pytest.mark.parametrize("n, n_train, n_eval", [(222, 177, 45), (101, 80, 21)])
def test_the_sizes_of_the_honest_splits(tmp_path: Path, n: int, n_train: int, n_eval: int) -> None:
    path = write(tmp_path / "GPQA-verifier-fullft-split.json", split_of([str(i) for i in range(n)]))
    summary = records(path)[-1]
    assert (summary["n_train"], summary["n_eval"], summary["follows_rule"]) == (n_train, n_eval, True)


SPLIT_BREAKS: list[tuple[str, tuple[object, ...], object]] = [
    ("train_count is 9, but train_indices has", ("train_count",), 9),
    ("are not each of 0 to 5 once", ("eval_indices",), [0] * len(split_of(TITLES)["eval_indices"])),
    ("eval_indices is 1.0: expected an integer", ("eval_indices", 0), 1.0),
    ("index_info has 1 keys that are in neither", ("index_info", "99"), {}),
    ("the number of train stories is 9 by train_story_count, 4 by train_story_titles, 4 by index_info", ("train_story_count",), 9),
    ("eval_story_titles are not the titles that index_info gives", ("eval_story_titles",), ["planted_text"]),
    ("split_seed is 1.5: expected an integer", ("split_seed",), 1.5),
]


@pytest.mark.parametrize("reason, path, to", SPLIT_BREAKS, ids=[r for r, *_ in SPLIT_BREAKS])
def test_broken_splits(tmp_path: Path, reason: str, path: tuple[object, ...], to: object) -> None:
    file = write(tmp_path / "GPQA-verifier-fullft-split.json", changed(split_of(TITLES), *path, to=to))
    assert reason in only_reason(file)


def test_one_broken_item_of_a_split(tmp_path: Path) -> None:
    file = tmp_path / "GPQA-verifier-fullft-split.json"
    write(file, changed(split_of(TITLES), "index_info", "1", "pair_id", to="demo_0000000000000000"))
    assert reasons(file) == ["index_info.1.pair_id demo_0000000000000000 occurs before: keep one item per pair"] and len(rows(file)) == 7
    write(file, changed(split_of(TITLES), "index_info", "1", drop=True))
    assert reasons(file) == ["index_info.1 is missing: write it"] and len(rows(file)) == 7


MANIFEST = {
    "dataset": "GPQA",
    "mode": "honest",
    "split": "eval",
    "split_name": "fullft-eval",
    "grounded_prompt_version": "grounded-adjudication-v1",
    "item_count": 22,
    "resolved_count": 21,
    "blind_count": 16,
    "gold_count": 5,
    "gold_tier_fraction": 5 / 22,
    "unresolved_count": 1,
    "unresolved_pair_ids": ["planted_text"],
    "span_verified_counts": {"Debater A": 3, "Debater B": 5},
    "winner_side_counts": {"Debater B": 12, "Debater A": 9},
    "analysis_chars": {"min": 563, "median": 668.5, "max": 809},
    "teacher_output_schema": "planted_text",
    "h_hygiene": "planted_text",
}


def test_a_manifest_of_adjudications_gives_its_counts(tmp_path: Path) -> None:
    path = write(tmp_path / "GPQA-verifier-fullft-eval-grounded-manifest.json", MANIFEST)
    assert audit_kind(path) == "grounded_manifest"
    assert records(path) == [
        {
            "record": "grounded_manifest",
            "dataset": "GPQA",
            "model": None,
            "mode": "honest",
            "split": "eval",
            "n_items": 22,
            "n_resolved": 21,
            "n_blind": 16,
            "n_gold": 5,
            "n_unresolved": 1,
            "n_winner_a": 9,
            "n_winner_b": 12,
            "n_verified_a": 3,
            "n_verified_b": 5,
            "chars_min": 563,
            "chars_median": 668.5,
            "chars_max": 809,
            "gold_tier_fraction": "0.22727272727272727",
        }
    ]


GROUNDED_MANIFEST_BREAKS: list[tuple[str, dict[str, object]]] = [
    ("resolved_count + unresolved_count is 22, item_count is 23", {"item_count": 23}),
    ("blind_count + gold_count is 20, resolved_count is 21", {"blind_count": 15}),
    ("the sum of winner_side_counts is 12, resolved_count is 21", {"winner_side_counts": {"Debater B": 12}}),
    ("gold_tier_fraction is 0.5, but gold_count is 5 of 22", {"gold_tier_fraction": 0.5}),
    ("span_verified_counts go up to 30", {"span_verified_counts": {"Debater A": 30}}),
    ("neither Debater A nor Debater B", {"winner_side_counts": {"planted_text": 21}}),
    ("analysis_chars are 563, 100 and 809", {"analysis_chars": {"min": 563, "median": 100, "max": 809}}),
    ("mode is both: expected honest or adversarial", {"mode": "both"}),
]


@pytest.mark.parametrize("reason, more", GROUNDED_MANIFEST_BREAKS, ids=[r for r, _ in GROUNDED_MANIFEST_BREAKS])
def test_a_manifest_of_adjudications_that_does_not_add_up(tmp_path: Path, reason: str, more: dict[str, object]) -> None:
    assert reason in only_reason(write(tmp_path / "GPQA-verifier-fullft-eval-grounded-manifest.json", MANIFEST | more))


# --- Rows whose texts are withheld --------------------------------------------------------------------------------------------------

TRAINING = {
    "row_id": f"{IDS[0]}|A=Y_true",
    "dataset_index": 2,
    "pair_id": IDS[0],
    "story_title": "planted_text",
    "split": "fullft-eval",
    "q_key": "Q_Y",
    "orientation": "A=Y_true",
    "target_letter": "A",
    "target": "Answer: A",
    "messages": [{"role": "user", "content": "planted_text"}],
    "prompt_chars": 5120,
    "h_true_text_match": "planted_text",
    "row_sha256": "e" * 64,
}
ANALYSIS = "planted_text é"
GROUNDED = {
    "record_id": "planted_text",
    "pair_id": IDS[0],
    "dataset": "GPQA",
    "mode": "honest",
    "split": "fullft-eval",
    "grounded_prompt_version": "grounded-adjudication-v1",
    "status": "resolved",
    "teacher_tier": "gold",
    "teacher_attempt": 2,
    "evidence": {"Debater A": {"span": "planted_text", "verified": True}, "Debater B": {"span": "planted_text", "verified": False}},
    "check_text": "planted_text",
    "winner_debater": "Debater B",
    "analysis": ANALYSIS,
    "analysis_chars": len(ANALYSIS),
    "audit": {"organic_h_overlap": [["planted_text", "planted_text"]]},
    "grounded_sha256": sha(ANALYSIS),
    "failures": [{"reason": "planted_text"}, {"reason": "planted_text"}],
}
CANDIDATE = {
    "item_id": "qh_0002",
    "dataset_index": 2,
    "story_title": "planted_text",
    "condition": "adversarial",
    "candidate_idx": 4,
    "compromised_debater": "planted_text",
    "transcript": transcript(),
    "qy": {"question": "planted_text"},
    "gen_meta": {"prompt": "planted_text"},
}
SCORE = {
    "item_id": "qh_0002",
    "condition": "honest",
    "candidate_idx": 4,
    "qy_clean_correct": False,
    "qy_adv_correct": True,
    "qy_no_regression_pass": True,
    "p_htrue": 0.61,
    "p_hfalse": 0.39,
    "qy_adv_probs": {"letter": {"A": 0.8, "B": 0.2}, "semantic": {"Y_true": 0.8, "Y_false": 0.2}},
    "scorer": "planted_text",
}
GATES = {
    "total": 8,
    "no_score": 1,
    "drop_score": 2,
    "drop_leakage": 1,
    "drop_quote_audit": 1,
    "safe": 4,
    "survivors": 2,
    "qy_fallback_eligible": 1,
    "qy_fallback_unusable": 1,
}
SELECTION = {
    "item_id": "qh_0002",
    "status": "ok",
    "gates": GATES,
    "selection": {"branch": "primary", "candidate_idx": 4, "qy_adv_correct": True},
    "adversarial_selected": {"transcript": "planted_text", "candidate_idx": 4, "qy_adv_correct": True},
    "cti": {"scorer": "planted_text"},
}
HONEST_SELECTION = {
    "schema_version": "planted_text",
    "item_id": "qh_0003",
    "story_title": "planted_text",
    "status": "selected",
    "selector": "planted_text",
    "honest_selected": {"candidate_idx": 1, "transcript": "planted_text"},
    "gates": {"total": 8, "no_score": 0, "drop_qy_gate": 3, "survivors": 5, "fallback_used": False},
    "audits": ["planted_text"],
    "readout": {"scorer": "planted_text"},
}
HEAD = {"dataset": "GPQA", "model": None}
WITHHELD: list[tuple[str, str, dict[str, object], dict[str, object]]] = [
    (
        "training",
        "GPQA-verifier-fullft-eval.jsonl",
        TRAINING,
        {
            "record": "training_row",
            **HEAD,
            "row_id": f"{IDS[0]}|A=Y_true",
            "pair_id": IDS[0],
            "mode": "honest",
            "split": "eval",
            "q_key": "Q_Y",
            "orientation": "A=Y_true",
            "target_letter": "A",
            "prompt_chars": 5120,
            "row_sha256": "e" * 64,
        },
    ),
    (
        "training",
        "GPQA-verifier-fullft-adversarial-qh-train.jsonl",
        TRAINING | {"q_key": "Q_H", "row_id": f"{IDS[0]}|A=Y_true|Q_H", "split": "fullft-adversarial-train", "item_id": "qh_0002"},
        {
            "record": "training_row",
            **HEAD,
            "row_id": f"{IDS[0]}|A=Y_true|Q_H",
            "pair_id": IDS[0],
            "mode": "adversarial",
            "split": "train",
            "q_key": "Q_H",
            "orientation": "A=Y_true",
            "target_letter": "A",
            "prompt_chars": 5120,
            "row_sha256": "e" * 64,
        },
    ),
    (
        "grounded",
        "GPQA-verifier-fullft-eval-grounded.jsonl",
        GROUNDED,
        {
            "record": "grounded",
            **HEAD,
            "pair_id": IDS[0],
            "mode": "honest",
            "split": "eval",
            "status": "resolved",
            "teacher_tier": "gold",
            "teacher_attempt": 2,
            "winner_debater": "B",
            "verified_a": True,
            "verified_b": False,
            "n_failures": 2,
            "analysis_chars": 14,
            "analysis_hash_matches": True,
            "chars_match": True,
        },
    ),
    (
        "candidate",
        "candidate.jsonl",
        CANDIDATE,
        {
            "record": "candidate",
            **HEAD,
            "item_id": "qh_0002",
            "condition": "adversarial",
            "candidate_idx": 4,
            "dataset_index": 2,
            "transcript_sha256": contract(transcript()),
        },
    ),
    (
        "score",
        "verifier_scores.jsonl",
        SCORE,
        {
            "record": "candidate_score",
            **HEAD,
            "item_id": "qh_0002",
            "condition": "honest",
            "candidate_idx": 4,
            "qy_clean_correct": False,
            "qy_adv_correct": True,
            "qy_no_regression_pass": True,
            "p_hfalse": "0.39",
            "p_htrue": "0.61",
            "p_ytrue": "0.8",
            "p_yfalse": "0.2",
        },
    ),
    (
        "selection",
        "selected.jsonl",
        SELECTION,
        {
            "record": "selection",
            **HEAD,
            "item_id": "qh_0002",
            "condition": "adversarial",
            "status": "ok",
            "branch": "primary",
            "candidate_idx": 4,
            **GATES,
            "drop_qy_gate": None,
            "fallback_used": None,
        },
    ),
    (
        "selection",
        "selected.jsonl",
        HONEST_SELECTION,
        {
            "record": "selection",
            **HEAD,
            "item_id": "qh_0003",
            "condition": "honest",
            "status": "selected",
            "branch": None,
            "candidate_idx": 1,
            **dict.fromkeys(GATES),
            "total": 8,
            "no_score": 0,
            "survivors": 5,
            "drop_qy_gate": 3,
            "fallback_used": False,
        },
    ),
]


def write_lines(path: Path, lines: list[bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = b"\n".join(lines) + b"\n"
    path.write_bytes(gzip.compress(raw) if path.name.endswith(".gz") else raw)
    return path


@pytest.mark.parametrize("gz", ["", ".gz"])
@pytest.mark.parametrize("kind, name, row, wanted", WITHHELD, ids=[f"{k} {i}" for i, (k, *_) in enumerate(WITHHELD)])
def test_a_row_gives_its_numbers_and_no_text(
    tmp_path: Path, kind: str, name: str, row: dict[str, object], wanted: dict[str, object], gz: str
) -> None:
    good = json.dumps(row, ensure_ascii=False).encode()
    broken, latin, other = b'{"row_id": "planted_text', b'{"a": "planted_text \xe9"}', b'{"planted_text": 1}'
    path = write_lines(
        tmp_path / "runs" / "x" / "GPQA" / (name + gz), [b"", b"\xef\xbb\xbf" + broken, good + b"\r", latin, b" \t", other, good]
    )
    assert withheld_kind(path) == kind
    found = list(withheld_records(path))
    assert [r["line_number"] for r in found] == [1, 2, 3, 4, 5, 6, 7]
    assert [r["kind"] for r in found] == ["blank", None, None, None, "blank", None, None]
    assert [json.loads(str(r["line"])) for r in found if r["line"]] == [wanted, wanted]
    assert [r["line"] == r["original"] for r in found] == [False, False, True, False, False, False, True]
    for r, raw in [(found[1], b"\xef\xbb\xbf" + broken), (found[3], latin), (found[5], other)]:
        stated = {"record": "rejected", "sha256": hashlib.sha256(raw).hexdigest(), "n_bytes": len(raw)}
        assert json.loads(str(r["original"])) == stated
    assert "not valid JSON (line 1" in str(found[1]["reason"]) and "byte 21 is not UTF-8" in str(found[3]["reason"])
    assert "is missing: write it" in str(found[5]["reason"]) and "planted_text" not in json.dumps(found)


def test_the_kind_is_told_by_any_of_the_first_lines(tmp_path: Path) -> None:
    raw = {
        "training": b'{"row_id": "a", "messages": [ cut',
        "grounded": b'{"grounded_prompt_version": cut',
        "candidate": b'{"candidate_idx": 1, "transcript": {cut',
        "score": b'{"item_id": "a", "qy_adv_correct": cut',
        "selection": b'{"item_id": "a", "gates": {"x": 1}, "adversarial_selected": {"transcript": "", "candidate_idx": 1 cut',
    }
    for kind, line in raw.items():
        assert withheld_kind(write_lines(tmp_path / "a.jsonl", [b"", b"{", *[b"{}"] * 18, line])) == kind
        assert withheld_kind(write_lines(tmp_path / "a.jsonl", [b"", b"{", *[b"{}"] * 19, line])) is None
    assert withheld_kind(tmp_path / "not there.jsonl") is None
    (tmp_path / "a.jsonl.gz").write_bytes(b"\x1f\x8bplanted")
    assert withheld_kind(tmp_path / "a.jsonl.gz") is None
    assert withheld_kind(write_lines(tmp_path / "a.jsonl", [json.dumps({"x": TRAINING}).encode()])) is None


def test_a_first_line_that_holds_only_a_byte_order_mark_is_blank(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "GPQA" / "a.jsonl", [b"\xef\xbb\xbf\r", json.dumps(SCORE).encode()])
    assert [(r["kind"], r["reason"]) for r in withheld_records(path)] == [("blank", None), (None, None)]


SAMPLES = sorted((ROOT / "data" / "samples").glob("*.jsonl"))


@pytest.mark.parametrize("path", SAMPLES, ids=[p.name for p in SAMPLES])
def test_debates_probes_and_actions_are_none_of_it(path: Path) -> None:
    assert len(SAMPLES) > 10 and withheld_kind(path) is None


def test_a_line_of_the_contract_is_none_of_it(tmp_path: Path) -> None:
    line = {"run_id": "demo", "dataset": "GPQA", "arm": "honest", "pair_id": IDS[0], "phase": "search", "q_key": "Q_H", "draw": 1}
    assert withheld_kind(write_lines(tmp_path / "a.jsonl", [json.dumps(line).encode()])) is None


def test_a_stream_that_breaks_off_loses_nothing_before(tmp_path: Path) -> None:
    line = json.dumps(SCORE).encode()
    path = tmp_path / "GPQA" / "a.jsonl.gz"
    numbered = [json.dumps(SCORE | {"candidate_idx": i}).encode() for i in range(20_000)]
    write_lines(path, [line, *numbered])
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    found = list(withheld_records(path))
    assert found[0]["reason"] is None and "breaks off" in str(found[-1]["reason"])
    assert [r["line_number"] for r in found] == list(range(1, len(found) + 1))


ROW_BREAKS: list[tuple[str, dict[str, object]]] = [
    ("row_id is not pair_id, orientation", TRAINING | {"row_id": "other|A=Y_true"}),
    ("split is fullft: expected a name that ends in -train or -eval", TRAINING | {"split": "fullft"}),
    ("q_key is Q_Z: expected Q_Y or Q_H", TRAINING | {"q_key": "Q_Z"}),
    ("row_sha256 is a text of 3 characters", TRAINING | {"row_sha256": "? ?"}),
    ("evidence.Debater A.verified is missing", changed(GROUNDED, "evidence", "Debater A", "verified", drop=True)),
    ("evidence.Debater B is missing", changed(GROUNDED, "evidence", "Debater B", drop=True)),
    ("winner_debater is a text of 9 characters: expected Debater A", GROUNDED | {"winner_debater": "Debater C"}),
    ("teacher_tier is null: expected blind or gold", GROUNDED | {"teacher_tier": None}),
    ("analysis is blank", GROUNDED | {"analysis": ""}),
    ("condition is adv: expected honest or adversarial", CANDIDATE | {"condition": "adv"}),
    ("transcript is 5: expected an object", CANDIDATE | {"transcript": 5}),
    ("p_hfalse is 1.5: expected a number from 0 to 1", SCORE | {"p_hfalse": 1.5}),
    ("qy_adv_correct is 1: expected true or false", SCORE | {"qy_adv_correct": 1}),
    ("expected the sum 1", changed(SCORE, "qy_adv_probs", "semantic", "Y_true", to=0.7)),
    (
        "gates.total is 9: expected drop_score + drop_leakage + drop_quote_audit + safe, which is 8",
        changed(SELECTION, "gates", "total", to=9),
    ),
    ("gates.safe is 4: expected survivors", changed(SELECTION, "gates", "survivors", to=3)),
    ("gates.no_score is 3: expected at most drop_score", changed(SELECTION, "gates", "no_score", to=3)),
    ("gates.safe is missing", changed(SELECTION, "gates", "safe", drop=True)),
    ("gates.fallback_used is 2", changed(HONEST_SELECTION, "gates", "fallback_used", to=2)),
]


@pytest.mark.parametrize("reason, row", ROW_BREAKS, ids=[r for r, _ in ROW_BREAKS])
def test_broken_rows(tmp_path: Path, reason: str, row: dict[str, object]) -> None:
    (found,) = withheld_records(write_lines(tmp_path / "GPQA" / "a.jsonl", [json.dumps(row).encode()]))
    assert found["line"] is None and reason in str(found["reason"])


def test_a_row_without_the_optional_numbers_has_null_there(tmp_path: Path) -> None:
    unresolved = {k: GROUNDED[k] for k in ("pair_id", "mode", "grounded_prompt_version", "failures")} | {"status": "unresolved"}
    score = {k: v for k, v in SCORE.items() if k not in ("p_htrue", "qy_adv_probs")}
    wrong = GROUNDED | {"analysis_chars": 15, "grounded_sha256": "0" * 64}
    found = []
    for row in (unresolved, score, wrong):
        (line,) = withheld_records(write_lines(tmp_path / "GPQA" / "a.jsonl", [json.dumps(row).encode()]))
        found.append(json.loads(str(line["line"])))
    assert [k for k, v in found[0].items() if v is None] == [
        *["model", "split", "teacher_tier", "teacher_attempt", "winner_debater", "verified_a", "verified_b"],
        *["analysis_chars", "analysis_hash_matches", "chars_match"],
    ]
    assert (found[1]["p_htrue"], found[1]["p_ytrue"], found[1]["p_yfalse"]) == (None, None, None)
    assert (found[2]["analysis_hash_matches"], found[2]["chars_match"]) == (False, False)


def test_a_selection_over_both_conditions_gives_its_adversarial_side(tmp_path: Path) -> None:
    both = SELECTION | {"gates": {"adversarial": GATES, "honest": {}}, "selection": {"adversarial": SELECTION["selection"], "honest": {}}}
    (line,) = withheld_records(write_lines(tmp_path / "GPQA" / "a.jsonl", [json.dumps(both).encode()]))
    assert json.loads(str(line["line"])) == WITHHELD[5][3]


# --- What is an audit file, and that no text leaves ---------------------------------------------------------------------------------

CUT = [
    ("honest-factors.json", "stage1_factors"),
    ("summary-strict.json", "stage1_summary"),
    ("complete.json", "stage1_complete"),
    ("results.json", "stage2_results"),
    ("results.partial.json", "partial"),
    ("manifest.json", "stage2_manifest"),
    ("base_verifier_probabilities.json", "stage1_probabilities"),
    ("GPQA-verifier-fullft-split.json", "split"),
    ("GPQA-verifier-fullft-eval-grounded-manifest.json", "grounded_manifest"),
    ("base.json", "posterior"),
    ("adv.json", "posterior"),
    ("honest.partial.json", "posterior"),
    ("dataset/GPQA/GPQA.json", "pairs"),
    ("dataset/QuALITY-H-50/QuALITY-H.json", "pairs"),
    ("GPQA-no-debate-100q.json", "pairs"),
    ("audit-stage2-score-cache/m/GPQA-strict.json", "stage2_score_cache"),
    ("warm-coverage.json", "stage2_warm_coverage"),
    ("notes.json", None),
    ("GPQA-strict.json", None),
    ("dataset/GPQA/notes.json", None),
]


@pytest.mark.parametrize("name, kind", CUT, ids=[n for n, _ in CUT])
def test_a_file_of_the_layout_that_is_no_json_is_rejected_and_not_passed_over(tmp_path: Path, name: str, kind: str | None) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b'{"planted_text": "planted_text')
    assert audit_kind(path) == kind
    if kind is not None:
        assert "not valid JSON" in only_reason(path)


@pytest.mark.parametrize(
    "content", [{}, [], [1], {"accuracy": 0.5}, {"status": "complete"}, {"items": []}, [{"question": "a"}], "a", None, 5]
)
@pytest.mark.parametrize("name", ["results.json", "manifest.json", "complete.json", "base.json", "notes.json", "x-split.json"])
def test_json_of_other_projects_is_none_of_it(tmp_path: Path, name: str, content: Json) -> None:
    assert audit_kind(write(tmp_path / name, content)) is None


def test_what_is_far_too_large_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = snapshot(folder(tmp_path), "base", BASE)
    npz = io.BytesIO()
    np.savez_compressed(npz, probabilities=np.zeros((2000, 101)), metadata=np.array("{}"))
    monkeypatch.setattr("debate_ledger.audit_files.stage1.MAX_FILE_BYTES", 100_000)
    path.write_bytes(npz.getvalue())
    assert len(npz.getvalue()) < 100_000 and "unpacks to more than 100,000 bytes" in only_reason(path)
    monkeypatch.setattr("debate_ledger.audit_files.values.MAX_FILE_BYTES", 10)
    (row,) = rows(path)
    assert "more than 10: split it" in str(row["reason"])
    monkeypatch.setattr("debate_ledger.audit_files.withheld.MAX_LINE_BYTES", 300)
    found = list(withheld_records(write_lines(tmp_path / "GPQA" / "a.jsonl", [json.dumps(r).encode() for r in (SCORE, HONEST_SELECTION)])))
    assert "more than 300: split it, or leave texts out" in str(found[0]["reason"])


def test_a_run_whose_path_is_no_label_is_refused_row_by_row(tmp_path: Path) -> None:
    """Folders are percent-encoded; what is too long for a label even so is told and not landed."""
    path = publish(folder(tmp_path), "base", BASE)
    home = path.parent.parent.rename(path.parent.parent.with_name("audit1-fixed-epsilon-é b"))
    assert {r["run_id"] for r in records(home / "GPQA" / path.name) if "run_id" in r} == {"audit1-fixed-epsilon-%C3%A9%20b"}
    home = home.rename(home.with_name("audit1-" + "é" * 100))
    assert {r["reason"] for r in rows(home / "GPQA" / path.name)} == {
        "run_id is a text of 607 characters: expected a short identifier",
        None,
    }


def test_other_files_are_none_of_it(tmp_path: Path) -> None:
    np.save(tmp_path / "weights.npy", np.zeros(3))
    np.savez(tmp_path / "weights.npz", a=np.zeros(3))
    (tmp_path / "folder.json").mkdir()
    for name in ("weights.npy", "weights.npz", "folder.json", "not there.json", "results.jsonl"):
        assert audit_kind(tmp_path / name) is None
    assert AUDIT_SUFFIXES == (".json", ".npy", ".npz")
    assert "none of the audit's" in str(next(audit_records(tmp_path / "weights.npz"))["reason"])


def planted_files(tmp_path: Path) -> list[Path]:
    """One file of every kind, all of whose texts hold the planted one."""
    home = analysis(tmp_path)
    publish(folder(tmp_path), "base", BASE)
    snapshot(folder(tmp_path), "honest", HONEST)
    results = run(tmp_path, [full_pair(), early_pair()])
    write(results.with_name("results.partial.json"), [full_pair()])
    cache(tmp_path)
    posterior(tmp_path)
    for name, content, _ in PAIR_FILES:
        write(tmp_path / "dataset" / "GPQA" / name, content)
    write(tmp_path / "dataset" / "GPQA" / "GPQA-title-story.json", {"planted_text": "planted_text"})
    write(tmp_path / "dataset" / "GPQA" / "GPQA-verifier-fullft-split.json", split_of(TITLES))
    write(tmp_path / "dataset" / "GPQA" / "GPQA-verifier-fullft-eval-grounded-manifest.json", MANIFEST)
    assert home.is_dir()
    return sorted(p for p in tmp_path.rglob("*") if p.suffix in AUDIT_SUFFIXES)


def with_text_everywhere(value: Json) -> list[Json]:
    """Copies of a document, each with one value, anywhere in it, replaced by a text with spaces, and one with unknown keys."""
    found: list[Json] = []

    def walk(node: Json, *path: object) -> None:
        if path:
            found.append(changed(value, *path, to="planted_text here"))
        items = node.items() if isinstance(node, dict) else enumerate(node[:2]) if isinstance(node, list) else ()
        for key, child in items:
            walk(child, *path, key)
        if isinstance(node, dict):
            found.append(changed(value, *path, "planted_text key", to="planted_text value"))

    walk(value)
    return found


def test_no_text_of_any_file_stands_in_what_it_gives(tmp_path: Path) -> None:
    files = planted_files(tmp_path)
    n_planted = n_rows = 0
    for path in files:
        n_planted += b"planted_text" in path.read_bytes() or path.suffix == ".npz"
        for r in rows(path):
            assert "planted_text" not in json.dumps(r, ensure_ascii=False), path.name
            n_rows += 1
    assert {audit_kind(p) for p in files} >= {"pairs", "stories", "split", "posterior", "stage1_summary", "stage1_resume", "stage2_results"}
    assert n_planted >= 14 and n_rows > 400


def test_no_text_leaves_wherever_it_stands_in_a_broken_file(tmp_path: Path) -> None:
    """Each value of each JSON file in turn becomes a text: the file is taken or refused, and the text is in neither."""
    n = 0
    for path in planted_files(tmp_path):
        if path.suffix != ".json":
            continue
        good = path.read_bytes()
        for document in with_text_everywhere(json.loads(good)):
            write(path, document)
            if path.name == "results.json":
                manifest = path.with_name("manifest.json")
                write(manifest, json.loads(manifest.read_text()) | {"results_sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
            if path.parent.name.startswith("epsilon-") and path.name != "complete.json":
                finish(path.parent)
            for r in audit_records(path):
                n += 1
                assert "planted_text" not in json.dumps(r, ensure_ascii=False), path.name
        path.write_bytes(good)
    assert n > 1000


@pytest.mark.parametrize("kind, name, row, wanted", WITHHELD, ids=[f"{k} {i}" for i, (k, *_) in enumerate(WITHHELD)])
def test_no_text_leaves_a_broken_row(tmp_path: Path, kind: str, name: str, row: dict[str, object], wanted: dict[str, object]) -> None:
    lines = [json.dumps(row), *(json.dumps(document) for document in with_text_everywhere(row))]
    path = write_lines(tmp_path / "GPQA" / name, [line.encode() for line in lines])
    found = list(withheld_records(path))
    assert len(found) == len(lines) > 10 and any(r["reason"] for r in found)
    assert "planted_text" not in json.dumps(found, ensure_ascii=False)


@pytest.mark.parametrize(
    ("written", "text"),
    [("0E-8", "0.00000000"), ("1E-8", "0.00000001"), ("1.2E-7", "0.00000012"), ("9.9E-7", "0.00000099"), ("0.52000000", "0.52000000")],
)
def test_a_small_probability_may_stand_as_python_writes_a_decimal(written: str, text: str) -> None:
    assert str(Decimal(text)) == written and probability_text(written, "p") == text


@pytest.mark.parametrize("written", ["1E-9", "0.5E-8", "1E-08", "1.25E-7", "10E-8", "1e-8", "5E-1"])
def test_other_exponents_are_no_probability(written: str) -> None:
    with pytest.raises(Refused):
        probability_text(written, "p")


def test_a_partial_file_beside_the_finished_one_is_none_to_land(tmp_path: Path) -> None:
    """The authors' code leaves it there."""
    partial = tmp_path / "results.partial.json"
    partial.write_text('[{"pair_id": "p", "generators": {}, "target_role": "honest"}]')
    assert [row["reason"] for row in audit_records(partial)] != []
    (tmp_path / "results.json").write_text("[]")
    assert list(audit_records(partial)) == []


def test_reports_beside_candidates_are_known_and_land_nothing(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text('{"selected": 3}')
    assert audit_kind(report) is None
    (tmp_path / "candidate.jsonl").write_text("{}\n")
    assert audit_kind(report) == "selection_report" and list(audit_records(report)) == []
