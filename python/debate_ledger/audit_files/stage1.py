"""Stage 1: probability matrices and what the authors derived from them (`er_audit_formats` 2.11).

A phase is one checkpoint. Its matrix is N × 101 doubles: column 0 is the probability of the right answer on the original monitored
question, columns 1 to 100 those of the right hidden answer on the paraphrases. NaN is a cell not scored yet.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np

from debate_ledger.audit_files.values import (
    ARMS,
    IDENTIFIER,
    LABEL,
    MAX_FILE_BYTES,
    Record,
    Refused,
    Rejected,
    Source,
    as_list,
    as_object,
    canonical,
    decimal_text,
    flag,
    folder_label,
    fraction,
    hexdigest,
    identifier,
    model_of,
    need,
    one_of,
    parse_json,
    rational,
    read_bytes,
    read_sibling,
    refuse,
    sha256_text,
    shown,
    utf8,
    whole,
    whole_value,
)

PARAPHRASES = 100
COLUMNS = PARAPHRASES + 1
#: Beginning of the file names of a phase's published arrays.
STEMS = {"base": "base_verifier", "model-organism": "model_organism", "honest": "honest_verifier", "adv-wo-qh": "strict_verifier"}
PHASES = {stem: phase for phase, stem in STEMS.items()}
#: Keys of `identity` that name the checkpoint: without them it names what was scored, so that it is the same in every phase of a run.
CHECKPOINT_KEYS = frozenset("phase arm role checkpoint checkpoints checkpoint_path model_path stem".split())
#: Keys that the authors leave out of a contract hash.
INFORMATIONAL = frozenset({"training_metadata", "epsilon_raw", "k_raw"})
GROUPS = ("a_any_gt_epsilon", "b_all_lt_epsilon", "boundary_max_eq_epsilon")
ROLE_OF_PHASE = {"adv-wo-qh": "strict", "honest": "honest"}
Matrix = np.ndarray


def load_array(raw: bytes, name: str) -> np.ndarray:
    """A .npy file's array; never runs pickled code. Raises Refused."""
    try:
        array = np.load(io.BytesIO(raw), allow_pickle=False)
    except (ValueError, OSError, EOFError, MemoryError, SyntaxError, zipfile.BadZipFile):
        refuse(f"{name} is no plain array in the .npy format: copy it again")
    if not isinstance(array, np.ndarray):
        refuse(f"{name} is an archive: expected one array in the .npy format")
    return array


def values_sha256(array: np.ndarray) -> str:
    """SHA-256 of the row-major little-endian doubles (2.11)."""
    return hashlib.sha256(np.ascontiguousarray(array, dtype="<f8").tobytes()).hexdigest()


def _doubles(array: np.ndarray, name: str, shape: tuple[int, ...]) -> np.ndarray:
    if array.dtype.kind != "f" or array.dtype.itemsize != 8:
        refuse(f"{name} holds {array.dtype.name}: expected float64")
    if array.shape != shape:
        refuse(f"{name} has shape {list(array.shape)}: expected {list(shape)}")
    return array


def contract_sha256(document: object) -> str:
    """Hash of a JSON document as `complete.json` states it: canonical form, without the keys that only inform."""
    if isinstance(document, dict):
        document = {key: value for key, value in document.items() if key not in INFORMATIONAL}
    return sha256_text(canonical(document))


def input_identity(identity: object) -> str:
    """Canonical JSON of what was scored: the identity without the keys that name the checkpoint, on every level."""

    def without(value: object) -> object:
        if isinstance(value, dict):
            return {key: without(v) for key, v in value.items() if key not in CHECKPOINT_KEYS}
        return [without(v) for v in value] if isinstance(value, list) else value

    return canonical(without(identity))


def row_map_ids(row_map: object, name: str = "row_map") -> list[str]:
    """pair_id per matrix row. Raises Refused where a row could be taken for another one."""
    ids: list[str] = []
    for i, row in enumerate(as_list(row_map, name)):
        where = f"{name}[{i}]."
        row = as_object(row, where[:-1])
        if whole(row, "pair_index_0based", where) != i:
            refuse(f"{where}pair_index_0based is {shown(row['pair_index_0based'])}: expected {i}, the rows in order")
        if row.get("pair_number_1based", i + 1) != i + 1:
            refuse(f"{where}pair_number_1based is {shown(row['pair_number_1based'])}: expected {i + 1}")
        ids.append(identifier(row, "pair_id", where))
    if len(set(ids)) != len(ids):
        refuse(f"{name} names a pair_id twice: every row needs its own")
    return ids


def _scope(folder: Path, identity: object, *models: object) -> tuple[str, str]:
    """(dataset, model) from the identity of the input, else from the folders ``audit1-…-<model>/<DS>``."""
    levels = [identity] if isinstance(identity, dict) else []
    if levels and isinstance(levels[0].get("input"), dict):
        levels.append(levels[0]["input"])
    datasets = [level["dataset"] for level in levels if isinstance(level.get("dataset"), str) and LABEL.fullmatch(level["dataset"])]
    below = [i for i, part in enumerate(folder.parts) if part.startswith("audit1-")]
    named = folder.parts[below[-1] + 1] if below and below[-1] + 1 < len(folder.parts) else folder.name
    return datasets[0] if datasets else folder_label(named), model_of(folder, *models, *(level.get("model") for level in levels))


def _run_id(folder: Path) -> str:
    return folder_label(next((part for part in reversed(folder.parts) if part.startswith("audit1-")), folder.name))


def _evaluations(matrix: Matrix, ids: list[str], identity: object, folder: Path, phase: str, source: str) -> Iterator[Record | Rejected]:
    """One record per scored cell, row by row, one rejection per cell that is no probability, and the record of the matrix."""
    dataset, model = _scope(folder, identity)
    arm, run_id = ARMS[phase], _run_id(folder)
    missing = np.isnan(matrix)
    with np.errstate(invalid="ignore", over="ignore"):
        e8 = np.rint(matrix * 1e8)
        # Both operands are exact in a double, so that the quotient is the double nearest to the 8-decimal number.
        good = (matrix >= 0) & (matrix <= 1) & (e8 / 1e8 == matrix)
    units = np.where(good, e8, 0).astype(np.int64).tolist()
    is_good, is_missing = good.tolist(), missing.tolist()
    prefix = hashlib.sha256(utf8(f"stage1|{input_identity(identity)}|"))
    for i, pair_id in enumerate(ids):
        row_prefix = prefix.copy()
        row_prefix.update(f"{pair_id}|".encode())
        for column in range(COLUMNS):
            if is_missing[i][column]:
                continue
            if not is_good[i][column]:
                value = shown(float(matrix[i, column]))
                reason = f"row {i}, column {column} of the matrix is {value}: expected a number with 8 decimals from 0 to 1"
                yield Rejected(reason, f"{pair_id}|{column}")
                continue
            question = row_prefix.copy()
            question.update(str(column).encode())
            unit = units[i][column]
            record: Record = {
                "record": "evaluation",
                "run_id": run_id,
                "stage": "1",
                "dataset": dataset,
                "model": model,
                "arm": arm,
                "pair_id": pair_id,
                "dataset_index": i,
                "phase": "search" if column else "canonical",
                "q_key": "Q_H" if column else "Q_Y",
                "generator": "search" if column else None,
                "draw": column or None,
                "question_sha256": question.hexdigest(),
                "p_true": f"{unit // 10**8}.{unit % 10**8:08d}",
            }
            if not column:
                record["correct"] = None
            yield record
    yield _matrix_record(matrix, dataset, model, arm, source)


def _matrix_record(matrix: Matrix, dataset: str, model: str, arm: str, source: str) -> Record:
    return {
        "record": "stage1_matrix",
        "dataset": dataset,
        "model": model,
        "arm": arm,
        "matrix_sha256": values_sha256(matrix),
        "n_pairs": matrix.shape[0],
        "n_columns": matrix.shape[1],
        "n_missing": int(np.isnan(matrix).sum()),
        "source": source,
    }


def probabilities(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``<stem>_probabilities.json`` with its two arrays: the evaluations of a phase."""
    document = as_object(document, "the file")
    phase = one_of(document, "phase", tuple(STEMS))
    stem = STEMS[phase]
    if source.path.name != f"{stem}_probabilities.json":
        refuse(f"phase is {phase}, whose file is {stem}_probabilities.json: give the file its name back")
    ids = row_map_ids(need(document, "row_map"))
    arrays = as_object(need(document, "arrays"), "arrays")
    parts: list[np.ndarray] = []
    for name, shape in ((f"{stem}_qy_ytrue_prob.npy", (len(ids),)), (f"{stem}_qh_htrue_prob.npy", (len(ids), PARAPHRASES))):
        stated = as_object(need(arrays, name, "arrays."), f"arrays.{name}")
        if stated.get("shape") != list(shape):
            refuse(f"arrays.{name}.shape is not {list(shape)}, which the row_map of {len(ids)} pairs asks for: export the phase again")
        if not (source.folder / name).is_file():
            refuse(f"{name} is not beside the file: copy it there")
        array = _doubles(load_array(read_bytes(source.folder / name), name), name, shape)
        if values_sha256(array) != hexdigest(stated, "sha256_values", f"arrays.{name}."):
            refuse(f"the values of {name} do not have the sha256_values of the file: copy both from one run")
        parts.append(array)
    matrix = np.column_stack([parts[0].astype("<f8"), parts[1].astype("<f8")])
    if values_sha256(matrix) != hexdigest(document, "matrix_sha256"):
        refuse("the two arrays side by side do not have the matrix_sha256 of the file: copy all from one run")
    yield from _evaluations(matrix, ids, need(document, "identity"), source.folder, phase, "npy")


def array(source: Source, document: object) -> Iterator[Record | Rejected]:
    """A published array: read with its JSON file, and refused where that is not there."""
    stem = re.sub(r"_(qy_ytrue|qh_htrue)_prob\.npy$", "", source.path.name)
    if not (source.folder / f"{stem}_probabilities.json").is_file():
        refuse(f"{stem}_probabilities.json is not beside the array, so that nothing says which pairs its rows are: copy it there")
    yield from ()


def resume(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``<phase>-resume.npz``: the state of a phase that may not have finished."""
    phase = source.path.name.removesuffix("-resume.npz")
    if phase not in STEMS:
        refuse(f"the name of the file does not begin with a phase: expected {', '.join(STEMS)}")
    matrix, metadata = _snapshot(source.raw)
    if metadata.get("matrix_sha256", values_sha256(matrix)) != values_sha256(matrix):
        refuse("the probabilities do not have the matrix_sha256 of the metadata: copy the file again")
    scored = int((~np.isnan(matrix)).sum())
    completed = metadata.get("completed", scored)
    # The number of scored cells, or whether there are as many as cells.
    if completed != (scored == matrix.size if isinstance(completed, bool) else scored):
        refuse(f"metadata.completed is {shown(completed)}, but {scored} of {matrix.size} cells are scored: copy the file again")
    identity = need(metadata, "identity", "metadata.")
    if isinstance(identity, dict) and identity.get("phase", phase) != phase:
        refuse(f"identity.phase is {shown(identity['phase'])}, the name of the file says {phase}: give the file its name back")
    published = source.folder / f"{STEMS[phase]}_probabilities.json"
    if published.is_file():
        if read_sibling(published).get("matrix_sha256") != values_sha256(matrix):
            refuse(f"the matrix is not that of {published.name}: keep the two of one run")
        yield _matrix_record(matrix, *_scope(source.folder, identity), ARMS[phase], "npz")
        return
    row_map = _row_map_beside(source.folder, metadata, identity)
    if row_map is None:
        refuse(f"nothing says which pairs the rows are (no row_map in the metadata): finish the run, so that {published.name} is written")
    ids = row_map_ids(row_map)
    if len(ids) != matrix.shape[0]:
        refuse(f"row_map has {len(ids)} rows, the matrix {matrix.shape[0]}: copy the file again")
    yield from _evaluations(matrix, ids, identity, source.folder, phase, "npz")


def _row_map_beside(folder: Path, metadata: Mapping[str, object], identity: object) -> object:
    """Row map of a snapshot: its own, else that of another phase of the folder that scored the same input."""
    levels = [metadata, identity, identity.get("input") if isinstance(identity, dict) else None]
    for level in levels:
        if isinstance(level, dict) and "row_map" in level:
            return level["row_map"]
    for stem in PHASES:
        try:
            other = read_sibling(folder / f"{stem}_probabilities.json")
            if input_identity(other.get("identity")) == input_identity(identity):
                return other.get("row_map")
        except Refused:
            continue
    return None


def _snapshot(raw: bytes) -> tuple[Matrix, dict[str, object]]:
    """Matrix and metadata of a .npz snapshot."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_FILE_BYTES:
                refuse(f"the archive unpacks to more than {MAX_FILE_BYTES:,} bytes: it is no snapshot")
        with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
            if set(archive.files) != {"probabilities", "metadata"}:
                refuse("the archive does not hold exactly probabilities and metadata: it is no snapshot")
            matrix, metadata = archive["probabilities"], archive["metadata"]
    except (ValueError, OSError, EOFError, MemoryError, SyntaxError, NotImplementedError, zipfile.BadZipFile, zipfile.zlib.error):
        refuse("not a .npz archive of plain arrays: copy the file again")
    if matrix.ndim != 2 or metadata.ndim != 0 or metadata.dtype.kind != "U":
        refuse("probabilities is no table, or metadata no single text: it is no snapshot")
    matrix = _doubles(matrix, "probabilities", (matrix.shape[0], COLUMNS))
    return matrix.astype("<f8"), as_object(parse_json(str(metadata.item()).encode("utf-8", "surrogatepass")), "metadata")


def _finished(source: Source) -> dict[str, object]:
    """`complete.json` beside an analysis file, which is written last. Raises Refused where the run did not finish."""
    path = source.folder / "complete.json"
    if not path.is_file():
        refuse("complete.json is not beside the file: the run did not finish, or the file was copied alone")
    document = read_sibling(path)
    if document.get("complete") is not True:
        refuse("complete.json does not say that the run finished: run the analysis to its end")
    return document


def _check_artifact(source: Source, document: object) -> None:
    """The file is the one that `complete.json` was written for."""
    stated = _finished(source).get("artifacts")
    stated = stated.get(source.path.name) if isinstance(stated, dict) else None
    if not isinstance(stated, dict) or "contract_sha256" not in stated:
        refuse(f"complete.json names no contract_sha256 of {source.path.name}: copy both from one run")
    if stated["contract_sha256"] != contract_sha256(document):
        refuse("the file does not have the contract_sha256 that complete.json states: copy both from one run")


def _token_agrees(token: str, value: str) -> bool:
    """Whether a folder token is the decimal: written out, or the beginning of its hash where it is longer than 80 characters."""
    if token.startswith("sha256-"):
        return sha256_text(value)[:24] == token.removeprefix("sha256-")
    try:
        return decimal_text(token, "token") == value
    except Refused:
        return False


def _check_folder(folder: Path, kappa: str, epsilon: str | None) -> None:
    """κ and ε are those of the folders ``k-<κ>/epsilon-<ε>``; a file that lies elsewhere is not checked."""
    above = folder.parent.name
    if above.startswith("k-") and not _token_agrees(above.removeprefix("k-"), kappa):
        refuse(f"k is {kappa}, but the folder is another one's ({shown(above)}): put the file back into its folder")
    if epsilon is not None and folder.name.startswith("epsilon-") and not _token_agrees(folder.name.removeprefix("epsilon-"), epsilon):
        refuse(f"epsilon is {epsilon}, but the folder is another one's ({shown(folder.name)}): put the file back into its folder")


def _kappa(document: Mapping[str, object]) -> str:
    kappa = decimal_text(need(document, "k"), "k")
    return kappa if Decimal(kappa) > 0 else refuse(f"k is {kappa}: expected a number above 0")


def _epsilon(document: Mapping[str, object]) -> str:
    """ε as text, the same in every key that states it."""
    epsilon = decimal_text(need(document, "fixed_epsilon" if "fixed_epsilon" in document else "epsilon"), "epsilon")
    if "epsilon_exact" in document and fraction(document["epsilon_exact"], "epsilon_exact") != Fraction(Decimal(epsilon)):
        refuse(f"epsilon_exact is not {epsilon}: run the analysis again")
    if isinstance(document.get("epsilon"), float | int) and float(document["epsilon"]) != float(epsilon):
        refuse(f"epsilon is {shown(document['epsilon'])}, fixed_epsilon is {epsilon}: run the analysis again")
    return epsilon


def _matrix_hashes(document: Mapping[str, object], phase: str) -> tuple[str | None, str | None]:
    """Hashes of the base matrix and the arm's matrix that the file was computed from; None where it does not say."""
    stated = document.get("source_matrices")
    found: list[str | None] = []
    for name in ("base", phase):
        entry = stated.get(name) if isinstance(stated, dict) else None
        entry = {"matrix_sha256": entry} if isinstance(entry, str) else entry
        is_there = isinstance(entry, dict) and "matrix_sha256" in entry
        found.append(hexdigest(entry, "matrix_sha256", f"source_matrices.{name}.") if is_there else None)
    return found[0], found[1]


def summary(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``summary-<role>.json``: the verdict per pair at one ε."""
    document = as_object(document, "the file")
    _check_artifact(source, document)
    phase = one_of(document, "arm", tuple(ROLE_OF_PHASE))
    role = ROLE_OF_PHASE[phase]
    if source.path.name != f"summary-{role}.json" or document.get("target_role", role) != role:
        refuse(f"arm is {phase}, whose file is summary-{role}.json with target_role {role}: give the file its name back")
    kappa, epsilon = _kappa(document), _epsilon(document)
    _check_folder(source.folder, kappa, epsilon)
    dataset, model = _scope(source.folder, document.get("input_identity"), document.get("model"))
    rows = [as_object(row, f"pairs[{i}]") for i, row in enumerate(as_list(need(document, "pairs"), "pairs"))]
    if "shape" in document and document["shape"] != [len(rows), PARAPHRASES]:
        refuse(f"shape is not [{len(rows)}, {PARAPHRASES}], which the {len(rows)} pairs ask for: run the analysis again")
    _check_groups(document, rows)
    hashes = _matrix_hashes(document, phase)
    head: Record = {"dataset": dataset, "model": model, "arm": ARMS[phase]}
    for i, row in enumerate(rows):
        try:
            yield {
                "record": "stage1_search",
                **head,
                "pair_id": row["pair_id"],
                "dataset_index": i,
                "kappa": kappa,
                "epsilon": epsilon,
                **_verdict(row, Fraction(Decimal(epsilon)), f"pairs[{i}]."),
                "base_matrix_sha256": hashes[0],
                "arm_matrix_sha256": hashes[1],
            }
        except Refused as error:
            yield Rejected(str(error), str(row["pair_id"]))


def _check_groups(document: Mapping[str, object], rows: list[dict[str, object]]) -> None:
    """The groups and the three reports name each pair once, and as the rows have it."""
    ids = row_map_ids(rows, "pairs")
    members = {name: [i for i, row in enumerate(rows) if row.get("group") == name] for name in GROUPS}
    groups = as_object(need(document, "groups"), "groups")
    counts = [whole(as_object(need(groups, name, "groups."), f"groups.{name}"), "count", f"groups.{name}.") for name in GROUPS]
    if sum(counts) != len(rows):
        refuse(f"the counts of the groups are {' + '.join(map(str, counts))}: expected the sum {len(rows)}, the number of pairs")
    clean = sorted(members["b_all_lt_epsilon"] + members["boundary_max_eq_epsilon"])
    claims = {f"groups.{name}": (groups[name], members[name]) for name in GROUPS}
    claims["no_counterexample"] = (need(document, "no_counterexample"), clean)
    claims["report_a"] = (need(document, "report_a"), members["a_any_gt_epsilon"])
    claims["report_c"] = (document.get("report_c", document["no_counterexample"]), clean)
    for name, (stated, wanted) in claims.items():
        stated = as_object(stated, name)
        agrees = stated.get("count") == len(wanted) and stated.get("pair_indices_0based", wanted) == wanted
        if not agrees or stated.get("pair_ids", [ids[i] for i in wanted]) != [ids[i] for i in wanted]:
            refuse(f"{name} does not name the {len(wanted)} pairs that the rows of pairs put there: run the analysis again")
    report_b = document.get("report_b")
    if isinstance(report_b, dict) and report_b.get("counts", None) not in (None, [row.get("n_gt_epsilon") for row in rows]):
        refuse("report_b.counts are not the n_gt_epsilon of pairs: run the analysis again")


def _verdict(row: Mapping[str, object], epsilon: Fraction, where: str) -> Record:
    """Checked columns of one pair of a summary."""
    n_gt, n_eq, n_lt = (whole(row, f"n_{name}_epsilon", where, 0, PARAPHRASES) for name in ("gt", "eq", "lt"))
    if n_gt + n_eq + n_lt != PARAPHRASES:
        refuse(f"{where}n_gt + n_eq + n_lt is {n_gt} + {n_eq} + {n_lt}: expected the sum {PARAPHRASES}")
    group = one_of(row, "group", GROUPS, where)
    wanted = GROUPS[0] if n_gt else GROUPS[2] if n_eq else GROUPS[1]
    if group != wanted:
        refuse(f"{where}group is {group}, but the counts {n_gt}, {n_eq}, {n_lt} make it {wanted}: run the analysis again")
    top, bottom = rational(need(row, "max_delta_exact", where), f"{where}max_delta_exact")
    largest = Fraction(top, bottom)
    if (largest > epsilon, largest == epsilon) != (group == GROUPS[0], group == GROUPS[2]):
        refuse(f"{where}max_delta_exact {shown(top)}/{shown(bottom)} does not stand to epsilon as {group} asks: run the analysis again")
    if "epsilon_exact" in row and fraction(row["epsilon_exact"], f"{where}epsilon_exact") != epsilon:
        refuse(f"{where}epsilon_exact is not the epsilon of the file: run the analysis again")
    indices = as_list(need(row, "violating_paraphrase_indices_0based", where), f"{where}violating_paraphrase_indices_0based", n_gt)
    draws = [whole_value(j, f"{where}violating_paraphrase_indices_0based", 0, PARAPHRASES - 1) + 1 for j in indices]
    if draws != sorted(set(draws)):
        refuse(f"{where}violating_paraphrase_indices_0based is not ascending: run the analysis again")
    counts: Record = {"n_gt": n_gt, "n_eq": n_eq, "n_lt": n_lt, "violating_draws": draws}
    return {"group": group, "max_delta_num": str(top), "max_delta_den": str(bottom)} | counts


def factors(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``<phase>-factors.json``: exact gains, denominators and drops of every pair."""
    document = as_object(document, "the file")
    _check_artifact(source, document)
    phase = one_of(document, "arm", tuple(STEMS))
    if source.path.name != f"{phase}-factors.json":
        refuse(f"arm is {phase}, whose file is {phase}-factors.json: give the file its name back")
    kappa = _kappa(document)
    _check_folder(source.folder, kappa, None)
    dataset, model = _scope(source.folder, document.get("input_identity"), document.get("model"))
    ids = row_map_ids(need(document, "row_map"))
    if "shape" in document and document["shape"] != [len(ids), PARAPHRASES]:
        refuse(f"shape is not [{len(ids)}, {PARAPHRASES}], which the row_map of {len(ids)} pairs asks for: run the analysis again")
    names = ("visible_gain_exact", "denominator_exact", "numerator_exact", "delta_exact")
    columns = [as_list(need(document, name), name, len(ids)) for name in names]
    head: Record = {"record": "stage1_factors", "dataset": dataset, "model": model, "arm": ARMS[phase]}
    for i, (pair_id, *row) in enumerate(zip(ids, *columns, strict=True)):
        try:
            yield {**head, "pair_id": pair_id, "kappa": kappa, **_factors(i, Fraction(Decimal(kappa)), *row)}
        except Refused as error:
            yield Rejected(str(error), pair_id)


def _factors(i: int, kappa: Fraction, gain: object, denominator: object, numerators: object, deltas: object) -> Record:
    """Checked columns of one pair of a factors file: denominator = max(κ, gain), delta = numerator / denominator, exactly."""
    gain_num, gain_den = rational(gain, f"visible_gain_exact[{i}]")
    den_num, den_den = rational(denominator, f"denominator_exact[{i}]")
    if Fraction(den_num, den_den) != max(kappa, Fraction(gain_num, gain_den)):
        refuse(f"denominator_exact[{i}] is not max(k, visible_gain_exact[{i}]): run the analysis again")
    tops = as_list(numerators, f"numerator_exact[{i}]", PARAPHRASES)
    largest: tuple[int, int] | None = None
    for j, delta in enumerate(as_list(deltas, f"delta_exact[{i}]", PARAPHRASES)):
        top, top_den = rational(tops[j], f"numerator_exact[{i}][{j}]")
        n, d = rational(delta, f"delta_exact[{i}][{j}]")
        if n * top_den * den_num != d * top * den_den:
            refuse(f"delta_exact[{i}][{j}] is not numerator / denominator: run the analysis again")
        if largest is None or n * largest[1] > largest[0] * d:
            largest = (n, d)
    pairs = {"gain": (gain_num, gain_den), "denominator": (den_num, den_den), "max_delta": largest or refuse("no paraphrase")}
    return {f"{name}_{part}": str(value) for name, both in pairs.items() for part, value in zip(("num", "den"), both, strict=True)}


def complete(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``complete.json``: what the analysis wrote, checked against what lies beside it.

    A file that is not there is not counted as checked; one that differs is rejected by name.
    """
    document = as_object(document, "the file")
    mode = one_of(document, "mode", ("fixed-audit", "delta-analysis"))
    if not flag(document, "complete"):
        refuse("complete is false: the run did not finish; run the analysis to its end")
    dataset, model = _scope(source.folder, document.get("input_identity"), document.get("model"))
    epsilon = _epsilon(document) if mode == "fixed-audit" else None
    if "k" in document:
        _check_folder(source.folder, _kappa(document), epsilon)
    artifacts = as_object(need(document, "artifacts"), "artifacts")
    n_checked = 0
    for name, stated in artifacts.items():
        try:
            n_checked += _artifact_agrees(source.folder, name, stated)
        except Refused as error:
            yield Rejected(str(error), name if IDENTIFIER.fullmatch(name) else None)
    counts = {"n_artifacts": len(artifacts), "n_checked": n_checked}
    yield {"record": "stage1_complete", "dataset": dataset, "model": model, "mode": mode, "epsilon": epsilon, **counts}


def _artifact_agrees(folder: Path, name: str, stated: object) -> bool:
    """Whether an artifact is there and as stated; False where it is not there. Raises Refused where it differs."""
    if not IDENTIFIER.fullmatch(name) or name.startswith("."):
        refuse("artifacts has a key that is no plain file name: expected file names")
    stated = as_object(stated, f"artifacts.{name}")
    if not (folder / name).is_file():
        return False
    raw = read_bytes(folder / name)
    if name.endswith(".npy"):
        array = load_array(raw, name)
        if stated.get("shape") != list(array.shape) or hexdigest(stated, "sha256_values", f"artifacts.{name}.") != values_sha256(array):
            refuse(f"{name} does not have the shape and sha256_values that complete.json states: copy both from one run")
    elif contract_sha256(parse_json(raw)) != hexdigest(stated, "contract_sha256", f"artifacts.{name}."):
        refuse(f"{name} does not have the contract_sha256 that complete.json states: copy both from one run")
    return True
