"""Canonical posterior files ``runs/posterior_shift/<DS>/{base,honest,adv}.json``: accuracy and mean p (`er_audit_formats` 2.9).

In these files "adv" is the organism, as in the authors' README (section 7, trap 1); so the checkpoint that the metadata names decides the
arm, and the name of the file only where the metadata names none that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from debate_ledger.audit_files.values import (
    LABEL,
    Record,
    Refused,
    Rejected,
    Source,
    as_list,
    as_object,
    flag,
    folder_label,
    identifier,
    model_of,
    need,
    probability_text,
    refuse,
    run_folder,
    sha256_text,
    share_text,
    shown,
    text_of,
    whole,
)

#: Arm by name of the file.
FILE_ARMS = {"base": "base", "honest": "honest", "adv": "org", "org": "org", "model-organism": "org", "strict": "adv", "adv-wo-qh": "adv"}
#: Names of the base checkpoints outside the authors' folders, and the model names that the audit gives them (section 0).
BASE_MODELS = {"Llama-3.1-8B-Instruct": "llama3.1-8b-it", "Qwen3.5-9B": "qwen3.5-9B"}
QUESTIONS = {"Q_Y": ("Y_true", "Y_false"), "Q_H": ("H_true", "H_false")}
MEANS = {"Q_Y": "Q_Y_mean_p_y_true", "Q_H": "Q_H_mean_p_h_true"}
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(Z|[+-][0-9:]{4,6})?")


def checkpoint(name: object) -> tuple[str | None, str | None]:
    """(model, arm) that a checkpoint's path or hub id stands for; None where the name does not say."""
    if not isinstance(name, str) or not name.strip():
        return None, None
    last = name.rstrip("/").rsplit("/", 1)[-1]
    if last in BASE_MODELS:
        return BASE_MODELS[last], "base"
    if last.endswith("-bf16-base"):
        return last.removesuffix("-bf16-base"), "base"
    model, found, rest = last.partition("-verifier-fullft-")
    if not found:
        return last if LABEL.fullmatch(last) else None, None
    arm = "honest" if not rest.startswith("adversarial-") else "adv" if rest.endswith("-wo-qh") else "org"
    return model if LABEL.fullmatch(model) else None, arm


def partial(source: Source, document: object) -> Iterator[Record | Rejected]:
    """A file of a run that was still going on; it stays where the run has ended, and then holds nothing that the finished file has not."""
    finished = source.path.name.replace(".partial", "")
    if not source.path.with_name(finished).is_file():
        refuse(f"a partial file is for diagnosis only: let the run finish, so that {finished} is written")
    yield from ()


def posterior(source: Source, document: object) -> Iterator[Record | Rejected]:
    """Evaluations of both original questions of every pair, then the metrics that the file states."""
    document = as_object(document, "the file")
    metadata = as_object(need(document, "metadata"), "metadata")
    if metadata.get("dry_run"):
        refuse("metadata.dry_run is set: the numbers are no scores; score the questions with the model")
    if "both_orders" not in metadata or not flag(metadata, "both_orders", "metadata."):
        refuse("metadata.both_orders is missing or false: score every question in both answer orders")
    items = as_list(need(document, "items"), "items")
    if metadata.get("num_items", len(items)) != len(items):
        refuse(f"metadata.num_items is {shown(metadata['num_items'])}, but items has {len(items)}: copy the file again")
    named, arm = checkpoint(metadata.get("model"))
    file_arm = FILE_ARMS.get(source.path.name.removesuffix(".json"))
    if arm is None:
        arm = file_arm or refuse(f"neither metadata.model nor the name of the file says the arm: name it {', '.join(FILE_ARMS)}.json")
    elif file_arm is not None and file_arm != arm and source.path.name != "adv.json":
        refuse(f"the name of the file says the arm {file_arm}, metadata.model the arm {arm}: give the file its name back")
    dataset = metadata.get("dataset_name")
    if not isinstance(dataset, str) or not LABEL.fullmatch(dataset):
        below = [part for above, part in pairwise(source.folder.parts) if above == "posterior_shift"]
        dataset = folder_label(below[-1] if below else source.folder.name)
    head: Record = {
        "record": "evaluation",
        "run_id": run_folder(source.folder),
        "stage": "posterior",
        "dataset": dataset,
        "model": model_of(source.folder, named, metadata.get("model_label")),
        "arm": arm,
    }
    created = metadata.get("created_at")
    scored: Record = {"scored_at": created} if isinstance(created, str) and TIME.fullmatch(created) else {}
    seen: set[str] = set()
    for i, item in enumerate(items):
        try:
            records = _item(i, item, seen)
        except Refused as error:
            yield Rejected(str(error), str(i))
            continue
        for record in records:
            yield {**head, **record, **scored}
    yield from _metrics(metadata.get("aggregate_metrics"), {key: head[key] for key in ("dataset", "model", "arm")}, len(items))


def _item(i: int, item: object, seen: set[str]) -> list[Record]:
    where = f"items[{i}]."
    item = as_object(item, where[:-1])
    pair_id = identifier(item, "pair_id", where)
    if whole(item, "index", where) != i:
        refuse(f"{where}index is {shown(item['index'])}: expected {i}, since the position decides the answer order")
    if pair_id in seen:
        refuse(f"{where}pair_id {pair_id} occurs before: keep one item per pair")
    records: list[Record] = []
    for q_key, labels in QUESTIONS.items():
        if q_key not in item:
            continue
        at = f"{where}{q_key}."
        holder = as_object(item[q_key], at[:-1])
        if holder.get("evaluation") is None:  # not asked
            continue
        check_options(holder, labels, at)
        p_true, correct = _readout(as_object(holder["evaluation"], f"{at}evaluation"), labels, f"{at}evaluation.")
        records.append(
            {
                "pair_id": pair_id,
                "dataset_index": i,
                "phase": "canonical",
                "q_key": q_key,
                "generator": None,
                "draw": None,
                "question_sha256": sha256_text(text_of(holder, "question", at)),
                "p_true": p_true,
                "correct": correct,
            }
        )
    seen.add(pair_id)
    return records


def check_options(holder: Mapping[str, object], labels: tuple[str, str], where: str) -> None:
    """Both options are there and differ after trimming (2.1)."""
    right, wrong = (text_of(holder, label, where) for label in labels)
    if right.strip() == wrong.strip():
        refuse(f"{where}{labels[0]} and {labels[1]} are the same text: write two options")


def _readout(evaluation: Mapping[str, object], labels: tuple[str, str], where: str) -> tuple[str, bool]:
    """(p_true, correct): the semantic probability of the right option with 8 decimals, and the stored flag."""
    if evaluation.get("gold", labels[0]) != labels[0]:
        refuse(f"{where}gold is {shown(evaluation['gold'])}: expected {labels[0]}")
    orders = evaluation.get("orders")
    if orders is not None and not {"AB", "BA"} <= set(as_object(orders, f"{where}orders")):
        refuse(f"{where}orders lacks AB or BA: score the question in both answer orders")
    probabilities = as_object(need(evaluation, "semantic_probs", where), f"{where}semantic_probs")
    p_true, p_false = (
        probability_text(need(probabilities, label, f"{where}semantic_probs."), f"{where}semantic_probs.{label}") for label in labels
    )
    # Each of the two is rounded to 8 decimals by itself.
    if abs(float(p_true) + float(p_false) - 1) > 2.5e-8:
        refuse(f"{where}semantic_probs are {p_true} and {p_false}: expected the sum 1")
    return p_true, flag(evaluation, "correct", where)


def _metrics(stated: object, head: Record, n_items: int) -> Iterator[Record | Rejected]:
    """The accuracy and mean that the file states, one record per question that has them."""
    if stated is None:
        return
    for q_key, mean in MEANS.items():
        if not isinstance(stated, dict) or stated.get(f"{q_key}_accuracy") is None:
            continue
        try:
            where = "aggregate_metrics."
            n = whole(stated, "n_items", where)
            if n > n_items:
                refuse(f"{where}n_items is {n}, but items has {n_items}: copy the file again")
            yield {
                "record": "posterior_metrics",
                **head,
                "q_key": q_key,
                "n_items": n,
                "accuracy": share_text(need(stated, f"{q_key}_accuracy", where), f"{where}{q_key}_accuracy"),
                "mean_p_true": share_text(need(stated, mean, where), where + mean),
            }
        except Refused as error:
            yield Rejected(str(error), q_key)
