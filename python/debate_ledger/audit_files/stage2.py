"""Stage 2: sequential tests, their manifest and the score cache (`er_audit_formats` 2.13 and 2.14).

Results count only with a manifest beside them that says that the run is complete and gives the hash of the results.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from debate_ledger.audit_files.values import (
    LABEL,
    Record,
    Refused,
    Rejected,
    Source,
    arm_of,
    as_list,
    as_object,
    canonical,
    decimal_text,
    folder_label,
    hexdigest,
    identifier,
    model_of,
    need,
    number,
    one_of,
    probability_text,
    read_sibling,
    refuse,
    run_folder,
    sha256_text,
    shown,
    text_of,
    whole,
)

ROLES = ("strict", "honest")
#: Folder of a run: of the tool's default, or of the sweep (dataset, η, percentile).
RUN_FOLDER = re.compile(r"(?P<dataset>.+?)-(p[0-9]+|[0-9.]+-[0-9]+)(-honest)?")
PAIR_STATUS = ("NO_COUNTEREXAMPLE", "DEGRADED")
GENERATOR_STATUS = ("NOT_REACHED", "BUDGET_EXHAUSTED", "DEGRADED")


def _first(*holders_and_keys: tuple[Mapping[str, object], str]) -> object:
    """The value of the first key that is there, else None."""
    return next((holder[key] for holder, key in holders_and_keys if holder.get(key) is not None), None)


def _percentile(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 100:
        refuse(f"{what} is {shown(value)}: expected an integer from 1 to 99")
    return value


def _share(value: object, what: str) -> str:
    """A number strictly between 0 and 1, such as η, as text."""
    text = decimal_text(value, what)
    return text if 0 < float(text) < 1 else refuse(f"{what} is {text}: expected a number above 0 and below 1")


def _dataset(source: Source, stated: object) -> str:
    """Dataset as the file names it, else from a folder such as ``GPQA-p25-honest`` or ``GPQA-0.05-25``."""
    if isinstance(stated, str) and LABEL.fullmatch(stated):
        return stated
    found = RUN_FOLDER.fullmatch(source.folder.name)
    return folder_label(found["dataset"] if found else source.folder.name)


def _checked_manifest(document: object) -> dict[str, object]:
    """A manifest of a run that is complete. Raises Refused for any other."""
    document = as_object(document, "manifest.json")
    status = one_of(document, "status", ("complete", "running", "failed"), "manifest ")
    if status != "complete":
        refuse(f"the manifest's status is {status}: the run did not finish; run it to its end")
    n_completed, n_total = (whole(document, key, "manifest ") for key in ("completed_pairs", "total_pairs"))
    if n_completed != n_total:
        refuse(f"the manifest has completed_pairs {n_completed} of total_pairs {n_total}: the run did not finish; run it to its end")
    return document


def manifest(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``manifest.json`` of a finished run; one that only filled the score cache gives nothing."""
    document = _checked_manifest(document)
    if "warm_coverage_sha256" in document or document.get("mode") == "prime":
        return
    if not (source.folder / "results.json").is_file():
        refuse("results.json is not beside the manifest: copy it there")
    identity = as_object(document.get("identity", {}), "identity")
    role = one_of(document, "target_role", ROLES)
    percentile = _percentile(_first((identity, "p"), (document, "p")), "identity.p")
    stated_epsilon = _first(
        *((holder, key) for holder in (identity, document) for key in ("epsilon_configured", "epsilon", "epsilon_text"))
    )
    order = as_list(need(document, "generator_order"), "generator_order")
    if not all(isinstance(name, str) and LABEL.fullmatch(name) for name in order) or len(set(map(str, order))) != len(order):
        refuse("generator_order is no list of distinct names: expected one name per generator")
    yield {
        "record": "stage2_manifest",
        "dataset": _dataset(source, identity.get("dataset")),
        "model": model_of(source.folder, document.get("model"), identity.get("evaluation_model")),
        "arm": arm_of(role, "target_role"),
        "pool": f"p{percentile}-{role}",
        "percentile": percentile,
        "epsilon": decimal_text(stated_epsilon, "identity.epsilon_configured"),
        "kappa": decimal_text(_first((identity, "k"), (document, "k")), "identity.k"),
        "eta": _share(need(document, "eta_significance"), "eta_significance"),
        "test_budget": whole(document, "mtest_per_generator", low=1),
        "generators": order,
        "n_completed": document["completed_pairs"],
        "n_total": document["total_pairs"],
        "status": "complete",
    }


def results(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``results.json``: per pair its bound, both original scores, and per generator its path and every draw."""
    beside = source.folder / "manifest.json"
    if not beside.is_file():
        refuse("manifest.json is not beside the results, so that nothing says that the run finished: copy it there")
    stated = _checked_manifest(read_sibling(beside))
    if hexdigest(stated, "results_sha256", "manifest ") != hashlib.sha256(source.raw).hexdigest():
        refuse("the bytes of the file do not have the manifest's results_sha256: copy both from one run")
    pairs = as_list(document, "the file")
    if len(pairs) != stated["total_pairs"]:
        refuse(f"the file has {len(pairs)} pairs, the manifest's total_pairs is {shown(stated['total_pairs'])}: copy both from one run")
    identity = stated.get("identity")
    dataset = _dataset(source, identity.get("dataset") if isinstance(identity, dict) else None)
    order = stated.get("generator_order")
    names = [name for name in order if isinstance(name, str)] if isinstance(order, list) else None
    seen: set[str] = set()
    for i, pair in enumerate(pairs):
        try:
            records = _pair(source, stated, dataset, names, as_object(pair, f"[{i}]"), f"[{i}].", seen)
        except Refused as error:
            yield Rejected(str(error), str(i))
            continue
        yield from records


def _pair(
    source: Source,
    stated: Mapping[str, object],
    dataset: str,
    order: list[str] | None,
    pair: Mapping[str, object],
    where: str,
    seen: set[str],
) -> list[Record]:
    """All records of one pair, or none: a pair whose draws cannot be trusted has no bound either."""
    pair_id = identifier(pair, "pair_id", where)
    if pair_id in seen:
        refuse(f"{where}pair_id {pair_id} occurs before: keep one object per pair")
    role = one_of(pair, "target_role", ROLES, where)
    if stated.get("target_role", role) != role:
        refuse(f"{where}target_role is {role}, the manifest's is {shown(stated['target_role'])}: copy both from one run")
    arm, percentile = arm_of(role, "target_role"), _percentile(need(pair, "p", where), f"{where}p")
    scope: Record = {
        "dataset": dataset,
        "model": model_of(source.folder, pair.get("model"), pair.get("evaluation_model"), stated.get("model")),
        "arm": arm,
        "pair_id": pair_id,
        "pool": f"p{percentile}-{role}",
    }
    epsilon = decimal_text(need(pair, "epsilon_configured", where), f"{where}epsilon_configured")
    eta = _share(_first((pair, "eta_significance"), (stated, "eta_significance")), f"{where}eta_significance")
    setting: Record = {"percentile": percentile, "epsilon": epsilon, "eta": eta}
    records: list[Record] = [
        {
            "record": "stage2_pair",
            **scope,
            **setting,
            "kappa": decimal_text(need(pair, "k", where), f"{where}k"),
            "status": one_of(pair, "status", PAIR_STATUS, where),
            "lower_bound": _bound(pair, where),
        }
    ]
    evaluation: Record = {
        "record": "evaluation",
        "run_id": run_folder(source.folder),
        "stage": "2",
        **scope,
        "dataset_index": whole(pair, "dataset_index", where),
    }
    original = as_object(need(pair, "original_qy", where), f"{where}original_qy")
    at = f"{where}original_qy."
    asked: Record = {"phase": "canonical", "q_key": "Q_Y", "generator": None, "draw": None}
    question: Record = {"question_sha256": sha256_text(text_of(original, "question", at))}
    for who, p_true in zip(("base", arm), _both(original, "qy_ytrue", role, at), strict=True):
        records.append({**evaluation, **asked, **question, "arm": who, "p_true": p_true, "correct": None})
    generators = as_object(need(pair, "generators", where), f"{where}generators")
    names = order if order is not None else list(generators)
    if sorted(names) != sorted(generators):
        refuse(f"{where}generators has {len(generators)} keys that are not those of the manifest's generator_order: copy both from one run")
    for k, name in enumerate(names, start=1):
        if not LABEL.fullmatch(name):
            refuse(f"{where}generators has a key that is no short identifier: rename it")
        at = f"{where}generators.{name}."
        path = as_object(generators[name], at[:-1])
        history = [as_object(entry, f"{at}history") for entry in as_list(path.get("history", []), f"{at}history")]
        t = whole(path, "t", at)
        if t != len(history):
            refuse(f"{at}t is {t}, but history has {len(history)} entries: copy the results again")
        status = one_of(path, "status", GENERATOR_STATUS, at)
        if (status == "NOT_REACHED") != (t == 0):
            refuse(f"{at}status is {status} with t {t}: expected NOT_REACHED with 0 draws and only then")
        own: Record = {"generator": name, "generator_order": k, "t": t, "lower_bound": _bound(path, at), "status": status}
        records.append({"record": "stage2_generator", **scope, **setting, **own})
        records += _draws(history, name, role, arm, evaluation, at)
    seen.add(pair_id)
    return records


def _bound(holder: Mapping[str, object], where: str) -> float:
    bound = number(holder, "lower_bound", where)
    return bound if 0 <= bound <= 1 else refuse(f"{where}lower_bound is {shown(bound)}: expected a number from 0 to 1")


def _both(holder: Mapping[str, object], name: str, role: str, where: str) -> tuple[str, str]:
    """Base and adapted probability, whose copy under the role's name must not differ."""
    base, target, copy = (f"{who}_{name}_decimal" for who in ("base", "target", role))
    p_base, p_target = (probability_text(need(holder, key, where), where + key) for key in (base, target))
    if holder.get(copy, p_target) != p_target:
        refuse(f"{where}{copy} is {shown(holder[copy])}, {target} is {p_target}: copy the results again")
    return p_base, p_target


def _draws(history: list[dict[str, object]], name: str, role: str, arm: str, evaluation: Record, where: str) -> list[Record]:
    """Two test evaluations per draw, base and arm, in the order of the draws."""
    records: list[Record] = []
    last = 0
    for j, entry in enumerate(history):
        at = f"{where}history[{j}]."
        t = whole(entry, "t", at, 1)
        if t != j + 1:
            refuse(f"{at}t is {t}: expected {j + 1}, the draws in order")
        draw = whole(entry, "source_index_0based", at) + 1 if "source_index_0based" in entry else t
        if draw <= last:
            refuse(f"{at}source_index_0based is {draw - 1}: expected the draws in the order of their file, each once")
        last = draw
        own: Record = {"phase": "test", "q_key": "Q_H", "generator": name, "draw": draw}
        own["question_sha256"] = sha256_text(text_of(entry, "question", at))
        for who, p_true in zip(("base", arm), _both(entry, "qh_htrue", role, at), strict=True):
            records.append({**evaluation, **own, "arm": who, "p_true": p_true})
    return records


def score_cache(source: Source, document: object) -> Iterator[Record | Rejected]:
    """Score cache: every question scored once, without its draw. Counts and hashes of its integrity block are checked where stated."""
    document = as_object(document, "the file")
    observations = as_object(need(document, "observations"), "observations")
    integrity = as_object(need(document, "integrity"), "integrity")
    if whole(integrity, "observation_count", "integrity.") != len(observations):
        refuse(
            f"integrity.observation_count is {shown(integrity['observation_count'])}, but observations has {len(observations)}: copy again"
        )
    without = {**document, "integrity": {k: v for k, v in integrity.items() if k != "document_sha256"}}
    for key, value in {**{k: document.get(k) for k in ("observations", "commits", "epoch")}, "document": without}.items():
        if f"{key}_sha256" in integrity and integrity[f"{key}_sha256"] != _plain_sha256(value):
            refuse(f"integrity.{key}_sha256 is not the hash of what the file holds: copy the file again")
    namespace = as_object(need(document, "namespace"), "namespace")
    role = one_of(namespace, "target_role", ROLES, "namespace.")
    dataset, model = (identifier(namespace, key, "namespace.", LABEL) for key in ("dataset", "model"))
    head: Record = {"record": "cached_score", "dataset": dataset, "model": model, "arm": arm_of(role, "namespace.target_role")}
    seen: set[tuple[object, ...]] = set()
    for i, (key, observation) in enumerate(observations.items()):
        try:
            record = _observation(as_object(observation, f"observations[{i}]"), key, namespace, f"observations[{i}].")
            own = (record["pair_id"], record["q_key"], record["question_sha256"])
            if own in seen:
                refuse(f"observations[{i}] scores a question of its pair a second time: keep one")
            seen.add(own)
            yield {**head, **record}
        except Refused as error:
            yield Rejected(str(error), str(i))


def _plain_sha256(value: object) -> str:
    """Hash in the form of `contract_sha256`, with every key kept."""
    return sha256_text(canonical(value))


def _observation(observation: Mapping[str, object], key: str, namespace: Mapping[str, object], where: str) -> Record:
    if observation.get("key", key) != key:
        refuse(f"{where}key is not the key under which it stands: copy the file again")
    kind = one_of(observation, "kind", ("QY", "QH"), where)
    material = as_object(need(observation, "material", where), f"{where}material")
    at = f"{where}material."
    q_key = one_of(material, "q_key", ("Q_Y", "Q_H"), at)
    if q_key.replace("_", "") != kind:
        refuse(f"{where}kind is {kind}, {at}q_key is {q_key}: copy the file again")
    for name in ("model", "dataset", "target_role"):
        if material.get(name, namespace[name]) != namespace[name]:
            refuse(f"{at}{name} is not that of the namespace: copy the file again")
    pair = need(material, "pair", at)
    return {
        "pair_id": identifier(pair if isinstance(pair, dict) else {"pair_id": pair}, "pair_id", f"{at}pair."),
        "q_key": q_key,
        "question_sha256": sha256_text(text_of(material, "question", at)),
        "base_p_true": probability_text(need(observation, "base_p_true", where), f"{where}base_p_true"),
        "arm_p_true": probability_text(need(observation, "target_p_true", where), f"{where}target_p_true"),
    }


def warm_coverage(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``warm-coverage.json``: says what a run put into the cache, and must say that it observed nothing."""
    rows = document if isinstance(document, list) else [document]
    for i, row in enumerate(rows):
        value = as_object(row, f"[{i}]").get("statistical_observations", 0)
        if value not in (0, False):
            refuse(f"[{i}].statistical_observations is {shown(value)}: expected 0, since these scores never count as draws")
    yield from ()
