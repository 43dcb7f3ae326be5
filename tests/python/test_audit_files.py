"""The authors' ER-Audit files as records: every kind by hand, everything that can be broken, and no text in what comes out."""

import hashlib
import json
import math
import random
import struct
import time
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from debate_ledger.audit_files import audit_kind, audit_records

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
    assert "completed is 5" in only_reason(snapshot(home, "base", BASE, completed=5))
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
    ("not valid JSON (line 1, column 2)", lambda p: p.write_text("{")),
    ("byte 1 is not UTF-8", lambda p: p.write_bytes(b"\xff{}")),
    ("the same key twice", lambda p: p.write_text('{"phase": "base", "phase": "honest"}')),
    ("nested too deep", lambda p: p.write_text("[" * 200_000)),
    ("integer of thousands of digits", lambda p: p.write_text("9" * 5000)),
    ("the file is a list of 0: expected an object", lambda p: p.write_text("[]")),
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
    assert (
        audit_kind(write(home / "analysis.json", {"mode": "delta-analysis", "matrix_file": "a", "exact_factors_file": "b"}))
        == "stage1_derived"
    )


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


def test_a_group_that_the_counts_do_not_give(tmp_path: Path) -> None:
    home = analysis(tmp_path)
    file = home / "summary-honest.json"
    document = json.loads(file.read_text())
    document["pairs"][1].update(n_gt_epsilon=0, n_eq_epsilon=1, violating_paraphrase_indices_0based=[])
    document["report_b"]["counts"] = [0, 0]
    write(file, document)
    finish(home)
    assert ["group is a_any_gt_epsilon, but the counts 0, 1, 99 make it boundary_max_eq_epsilon" in r for r in reasons(file)] == [True]


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
    assert "not valid JSON" in only_reason(home / name) and "not valid JSON" in only_reason(home / "complete.json")
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
    assert "not valid JSON" in only_reason(path) and "not valid JSON" in only_reason(path.with_name("manifest.json"))
    path.with_name("manifest.json").unlink()
    assert "manifest.json is not beside the results" in only_reason(path)
    path.write_text("[")
    assert audit_kind(path) == "stage2_results" and "not valid JSON" in only_reason(path)
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
