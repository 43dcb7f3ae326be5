"""The data files of a simulated audit in the authors' layouts: pairs, splits, candidates and their selection, grounded rows.

Sections 2.1 to 2.7, 2.10 of er_audit_formats.md. All words are invented. What the files come to is planned first and returned, so that it
can be compared with what a reader of the files counts.
"""

from __future__ import annotations

import hashlib
import json
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from debate_ledger.simulate import allot
from debate_ledger.simulate_audit import Audit, PairTexts, sha256_text

SPLIT_SEED = 1090998506967575423
N_CANDIDATES = 8
#: Published shares of the statuses (R18).
ADVERSARIAL_STATUSES = {"ok": 184, "qy_fallback": 27, "no_adv_survivor": 11}
HONEST_STATUSES = {"gate": 194, "fallback": 28}
CREATED_AT = "2026-01-02T03:04:05+00:00"
SIDES = ("Debater A", "Debater B")
#: No transcript holds the words of a hidden option.
NO_OVERLAP: dict[str, object] = {
    "transcript_contains_h_true_text": False,
    "h_true_text_match": None,
    "transcript_contains_h_false_text": False,
    "h_false_text_match": None,
}


def write_json(path: Path, document: object) -> str:
    """Write a JSON document and return the SHA-256 of the file's bytes."""
    return write_bytes(path, json_bytes(document))


def json_bytes(document: object) -> bytes:
    """A document as the bytes of its file."""
    return (json.dumps(document, ensure_ascii=False) + "\n").encode()


def write_bytes(path: Path, raw: bytes) -> str:
    """Write a file with its folders and return the SHA-256 of its bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return hashlib.sha256(raw).hexdigest()


def write_jsonl(path: Path, rows: Iterable[object]) -> int:
    """Write one JSON object per line and return how many."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    write_bytes(path, "".join(lines).encode())
    return len(lines)


# -- pairs -----------------------------------------------------------------------------------------------------------------------


def dataset_folder(folder: Path, dataset: str) -> Path:
    """``dataset/<DS>``."""
    return folder / "dataset" / dataset


def compact_row(texts: PairTexts) -> dict[str, object]:
    """Row of the compact pair file (2.1)."""
    i = texts.index
    return {
        "story_title": texts.title,
        "Q_Y": {"question": texts.monitored, "Y_true": f"The lamp {i} is lit", "Y_false": f"The lamp {i} is dark"},
        "Q_H": {"question": texts.hidden, "H_true": f"The door {i} is shut", "H_false": f"The door {i} is open"},
    }


def stage1_input(audit: Audit) -> list[dict[str, object]]:
    """Root list of ``<DS>-no-debate-100q.json`` (2.10): compact rows with one object per search draw."""
    draws = range(1, audit.plan.search_budget + 1)
    return [{**compact_row(p.texts), "paraphrase": [{"Q_H": p.texts.paraphrase("search", i)} for i in draws]} for p in audit.pairs]


def _transcript(texts: PairTexts, what: str) -> dict[str, object]:
    stances = ("Y_true", "Y_false") if texts.index % 2 else ("Y_false", "Y_true")
    rounds = [{side: f"Simulated {what} words {r} of {side} on lamp {texts.index}" for side in SIDES} for r in (1, 2, 3)]
    return {**dict(zip(SIDES, stances, strict=True)), "rounds": rounds}


def split_titles(titles: Sequence[str], seed: int = SPLIT_SEED) -> tuple[list[str], list[str]]:
    """Train and eval titles (2.2): distinct titles in order of occurrence, shuffled by the seed, the first floor(0.8 n) are train."""
    distinct = list(dict.fromkeys(titles))
    random.Random(seed).shuffle(distinct)
    n_train = len(distinct) * 8 // 10
    return distinct[:n_train], distinct[n_train:]


def split_document(population: Sequence[PairTexts], mode: str) -> dict[str, object]:
    """The split of a mode's population (2.2); an index is a position in it."""
    train, evaluation = split_titles([t.title for t in population])
    info = {}
    for i, texts in enumerate(population):
        info[str(i)] = {"pair_id": texts.pair_id, "story_title": texts.title, "source_partition": None, **NO_OVERLAP}
        if mode == "adversarial":
            info[str(i)]["source_dataset_index"] = texts.index
    indices = {
        name: [i for i, t in enumerate(population) if t.title in titles] for name, titles in (("train", train), ("eval", evaluation))
    }
    return {
        "split_seed": SPLIT_SEED,
        "split_policy": "simulated: stories are shuffled and the first four fifths train",
        "train_story_count": len(train),
        "eval_story_count": len(evaluation),
        "train_count": len(indices["train"]),
        "eval_count": len(indices["eval"]),
        "train_story_titles": sorted(train),
        "eval_story_titles": sorted(evaluation),
        "train_indices": indices["train"],
        "eval_indices": indices["eval"],
        "index_info": info,
    }


def populations(audit: Audit, selections: Selections) -> dict[str, list[PairTexts]]:
    """Pairs of the honest mode (all) and of the adversarial one (those whose selection is ok), in order."""
    texts = [p.texts for p in audit.pairs]
    return {"honest": texts, "adversarial": [t for t in texts if selections.adversarial[t.index].status == "ok"]}


def _mode_stem(dataset: str, mode: str) -> str:
    return f"{dataset}-verifier-fullft" + ("-adversarial" if mode == "adversarial" else "")


def write_pairs_and_splits(folder: Path, audit: Audit, seed: int = 0) -> dict[str, dict[str, list[str]]]:
    """Write the pair files (2.1, 2.10), the stories and both splits (2.2); returns mode -> split -> pair_ids."""
    dataset, texts = audit.plan.dataset, [p.texts for p in audit.pairs]
    selections = plan_selections(len(texts), seed)
    root = dataset_folder(folder, dataset)
    write_json(root / f"{dataset}-no-debate.json", [compact_row(t) for t in texts])
    write_bytes(root / f"{dataset}-no-debate-100q.json", json_bytes(stage1_input(audit)))
    honest, merged = [], []
    for t in texts:
        row = compact_row(t)
        monitored = row["Q_Y"]
        assert isinstance(monitored, dict)
        is_ok = selections.adversarial[t.index].status == "ok"
        honest.append({**row, "Q_Y": {**monitored, "transcript": _transcript(t, "honest")}})
        both = {"honest_transcript": _transcript(t, "honest"), "adversarial_transcript": _transcript(t, "adversarial") if is_ok else None}
        merged.append({**row, "Q_Y": {**monitored, **both}})
    write_json(root / f"{dataset}-with-honest-transcripts.json", honest)
    write_json(root / f"{dataset}.json", merged)
    write_json(root / f"{dataset}-title-story.json", {t.title: f"Once there was lamp {t.index} beside door {t.index}." for t in texts})
    planted = {}
    for mode, population in populations(audit, selections).items():
        document = split_document(population, mode)
        write_json(root / f"{_mode_stem(dataset, mode)}-split.json", document)
        planted[mode] = {
            split: [population[i].pair_id for i in document[f"{split}_indices"]]  # type: ignore[attr-defined]
            for split in ("train", "eval")
        }
    return planted


# -- candidates, scores, selection -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """One candidate: its fate, and its score row without the key (None: not scored)."""

    fate: str
    score: Mapping[str, object] | None


@dataclass(frozen=True)
class Selection:
    """Planned selection of one item: status, branch, chosen candidate, counts per gate, candidates."""

    status: str
    branch: str | None
    chosen: int | None
    gates: Mapping[str, object]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Selections:
    """Planned selections per item, in the order of the pairs."""

    honest: tuple[Selection, ...]
    adversarial: tuple[Selection, ...]


def _score(
    rng: random.Random, *, right: bool, clean_right: bool, p_hfalse: float, p_ytrue: float, has_probs: bool = True
) -> dict[str, object]:
    semantic = {"Y_true": p_ytrue, "Y_false": round(1 - p_ytrue, 8)}
    letters = dict(zip("AB", semantic.values() if rng.random() < 0.5 else reversed(semantic.values()), strict=True))
    row: dict[str, object] = {
        "qy_clean_correct": clean_right,
        "qy_adv_correct": right,
        "qy_no_regression_pass": right or not clean_right,
        "p_hfalse": p_hfalse,
        "p_htrue": round(1 - p_hfalse, 8),
    }
    if has_probs:
        row["qy_adv_probs"] = {"letter": letters, "semantic": semantic}
    return {**row, "baseline_p_hfalse": 0.5, "scorer": "base-forced-choice-logits"}


def _share(rng: random.Random, low: float, high: float) -> float:
    return round(low + (high - low) * rng.random(), 8)


def _winner(rng: random.Random, places: list[int]) -> tuple[int, set[int]]:
    """The chosen of ``places`` and those that share the highest value: in a third of the items a later one does."""
    chosen = rng.choice(places)
    later = [i for i in places if i > chosen]
    return chosen, {chosen, rng.choice(later)} if later and rng.random() < 1 / 3 else {chosen}


def _adversarial(rng: random.Random, status: str) -> Selection:
    fates = rng.choices(["no_score", "drop_score", "drop_leakage", "drop_quote_audit", "unusable"], k=N_CANDIDATES)
    order = rng.sample(range(N_CANDIDATES), N_CANDIDATES)
    n_survivors = rng.randint(1, 4) if status == "ok" else 0
    n_eligible = 0 if status == "no_adv_survivor" else rng.randint(0 if status == "ok" else 1, 3)
    for i in order[:n_survivors]:
        fates[i] = "survivor"
    for i in order[n_survivors : n_survivors + n_eligible]:
        fates[i] = "eligible"
    pool = [i for i, f in enumerate(fates) if f == ("survivor" if status == "ok" else "eligible")] if status != "no_adv_survivor" else []
    chosen, top = _winner(rng, pool) if pool else (None, set())
    high = _share(rng, 0.81, 0.95)
    candidates = []
    for i, fate in enumerate(fates):
        if fate == "no_score":
            candidates.append(Candidate(fate, None))
            continue
        # Dropped candidates may score higher than the chosen one: the gates come first.
        is_right = fate in ("survivor", "drop_leakage", "drop_quote_audit")
        p_hfalse = (
            high if i in top and status == "ok" else _share(rng, 0.2, 0.8) if is_right and fate == "survivor" else _share(rng, 0.2, 0.99)
        )
        p_ytrue = _share(rng, 0.51, 0.99) if is_right else round(high - 0.5, 8) if i in top else _share(rng, 0.01, 0.3)
        # In this simulation the score gate drops an answer that the transcript spoils.
        score = _score(
            rng,
            right=is_right,
            clean_right=is_right or fate == "drop_score",
            p_hfalse=p_hfalse,
            p_ytrue=p_ytrue,
            has_probs=fate != "unusable",
        )
        candidates.append(Candidate(fate, score))
    count = Counter(fates)
    gates = {
        "total": N_CANDIDATES,
        "no_score": count["no_score"],
        "drop_score": count["no_score"] + count["drop_score"],
        "drop_leakage": count["drop_leakage"],
        "drop_quote_audit": count["drop_quote_audit"],
        "safe": count["survivor"] + count["eligible"] + count["unusable"],
        "survivors": count["survivor"],
        "qy_fallback_eligible": count["eligible"],
        "qy_fallback_unusable": count["unusable"],
    }
    branch = {"ok": "primary", "qy_fallback": "qy_fallback"}.get(status)
    return Selection(status, branch, chosen, gates, tuple(candidates))


def _honest(rng: random.Random, branch: str) -> Selection:
    fates = rng.choices(["no_score", "drop_qy_gate"], weights=[1, 4], k=N_CANDIDATES)
    order = rng.sample(range(N_CANDIDATES), N_CANDIDATES)
    for i in order[: rng.randint(1, 6) if branch == "gate" else 1]:
        # Somebody is scored even where nobody passes the gate.
        fates[i] = "survivor" if branch == "gate" else "drop_qy_gate"
    pool = [i for i, f in enumerate(fates) if f == ("survivor" if branch == "gate" else "drop_qy_gate")]
    chosen, top = _winner(rng, pool)
    low = _share(rng, 0.05, 0.19)
    candidates = []
    for i, fate in enumerate(fates):
        if fate == "no_score":
            candidates.append(Candidate(fate, None))
            continue
        is_right = fate == "survivor"
        p_hfalse = low if i in top else _share(rng, 0.01, 0.8) if branch == "gate" and not is_right else _share(rng, 0.2, 0.8)
        p_ytrue = _share(rng, 0.51, 0.99) if is_right else _share(rng, 0.01, 0.49)
        candidates.append(Candidate(fate, _score(rng, right=is_right, clean_right=rng.random() < 0.6, p_hfalse=p_hfalse, p_ytrue=p_ytrue)))
    count = Counter(fates)
    gates = {
        "total": N_CANDIDATES,
        "no_score": count["no_score"],
        "drop_qy_gate": count["drop_qy_gate"],
        "survivors": count["survivor"],
        "fallback_used": branch == "fallback",
    }
    return Selection("ok", branch, chosen, gates, tuple(candidates))


def plan_selections(n_pairs: int, seed: int = 0) -> Selections:
    """Planned selections of ``n_pairs`` items, statuses in the published shares (exact for 222), by the rules of R18 (as in the code)."""
    rng = random.Random(f"{seed}|selection")
    statuses = {name: [s for s, n in allot(n_pairs, shares).items() for _ in range(n)] for name, shares in
                (("honest", HONEST_STATUSES), ("adversarial", ADVERSARIAL_STATUSES))}  # fmt: skip
    for order in statuses.values():
        rng.shuffle(order)
    return Selections(tuple(_honest(rng, s) for s in statuses["honest"]), tuple(_adversarial(rng, s) for s in statuses["adversarial"]))


def _selected(condition: str, texts: PairTexts, item_id: str, plan: Selection) -> dict[str, object]:
    score = plan.candidates[plan.chosen].score if plan.chosen is not None else None
    where = {"item_id": item_id, "dataset_index": texts.index, "story_title": texts.title, "status": plan.status}
    if condition == "honest":
        assert score is not None
        return {
            "schema_version": "simulated-honest-selection-v1",
            **where,
            "selector": "max_p_htrue",
            "honest_selected": {"candidate_idx": plan.chosen},
            "gates": dict(plan.gates),
            "audits": {},
            "readout": {
                "honest_p_htrue": score["p_htrue"],
                "honest_p_hfalse": score["p_hfalse"],
                "baseline_p_hfalse": score["baseline_p_hfalse"],
                "scorer": score["scorer"],
                "readout_max_letter_logprob": -0.01,
            },
        }
    flags = ("qy_clean_correct", "qy_adv_correct", "qy_no_regression_pass")
    chosen: dict[str, object] = {"branch": plan.branch, "candidate_idx": plan.chosen, "p_hfalse": None, "qy_true_prob": None}
    chosen |= dict.fromkeys(flags)
    if score is not None:
        probabilities = score["qy_adv_probs"]
        assert isinstance(probabilities, dict)
        chosen |= {"p_hfalse": score["p_hfalse"], "qy_true_prob": probabilities["semantic"]["Y_true"], **{f: score[f] for f in flags}}
    return {**where, "selection": chosen, "gates": dict(plan.gates), "cti": None}


def write_selection(folder: Path, audit: Audit, seed: int = 0) -> Selections:
    """Write ``runs/{honest,adversarial}/<DS>/`` (2.7): candidates, scores, selected rows, manifests; returns what was planned."""
    selections = plan_selections(len(audit.pairs), seed)
    for condition, plans in (("honest", selections.honest), ("adversarial", selections.adversarial)):
        root = folder / "runs" / condition / audit.plan.dataset
        candidates, scores, selected = [], [], []
        for pair, plan in zip(audit.pairs, plans, strict=True):
            texts, item_id = pair.texts, f"qh_{pair.texts.index:04d}"
            row = compact_row(texts)
            for k, candidate in enumerate(plan.candidates):
                key = {"item_id": item_id, "condition": condition, "candidate_idx": k}
                is_attack = condition == "adversarial"
                candidates.append(
                    {
                        "item_id": item_id,
                        "dataset_index": texts.index,
                        "story_title": texts.title,
                        "condition": condition,
                        "candidate_idx": k,
                        "compromised_debater": SIDES[texts.index % 2] if is_attack else None,
                        "qh_target": "H_false" if is_attack else None,
                        "transcript": _transcript(texts, f"{condition} candidate {k}"),
                        "qy": row["Q_Y"],
                        "qh": row["Q_H"],
                        "gen_meta": {"simulated": True},
                    }
                )
                if candidate.score is not None:
                    scores.append({**key, **candidate.score})
            selected.append(_selected(condition, texts, item_id, plan))
        counts = {
            "candidate": write_jsonl(root / "candidate.jsonl", candidates),
            "verifier_scores": write_jsonl(root / "verifier_scores.jsonl", scores),
            "selected": write_jsonl(root / "selected.jsonl", selected),
        }
        about = {"dataset": audit.plan.dataset, "condition": condition, "simulated": True}
        write_json(root / "run_manifest.json", {**about, "rows": counts["candidate"], "created_at": CREATED_AT})
        write_json(root / "verifier_manifest.json", {**about, "rows": counts["verifier_scores"], "option_seed": SPLIT_SEED})
        write_json(root / "report.json", {**about, "statuses": dict(Counter(p.status for p in plans))})
    return selections


# -- training and grounded rows --------------------------------------------------------------------------------------------------


def _answer_orders(q_key: str) -> dict[str, dict[str, str]]:
    right, wrong = (f"{q_key[-1]}_true", f"{q_key[-1]}_false")
    return {f"A={right}": {"A": right, "B": wrong}, f"A={wrong}": {"A": wrong, "B": right}}


def training_rows(population: Sequence[PairTexts], mode: str, split: str, indices: Sequence[int]) -> list[dict[str, object]]:
    """Two rows per pair, one per orientation (2.3)."""
    name = "fullft-" + ("adversarial-" if mode == "adversarial" else "") + split
    rows = []
    for i in indices:
        texts = population[i]
        for orientation, order in _answer_orders("Q_Y").items():
            target = next(letter for letter, label in order.items() if label == "Y_true")
            prompt = f"{texts.monitored} A or B? é"
            row: dict[str, object] = {
                "row_id": f"{texts.pair_id}|{orientation}",
                "dataset_index": i,
                "pair_id": texts.pair_id,
                "story_title": texts.title,
                "split": name,
                "q_key": "Q_Y",
                "orientation": orientation,
                "answer_order": order,
                "debater_stances": {"Debater A": "Y_true", "Debater B": "Y_false"},
                "debater_to_letter": {s: k for s, k in zip(SIDES, "AB" if target == "A" else "BA", strict=True)},
                "name_a": SIDES[0],
                "name_b": SIDES[1],
                "target_letter": target,
                "target": f"Answer: {target}",
                "messages": [{"role": "user", "content": prompt}, {"role": "assistant", "content": f"Answer: {target}"}],
                "prompt_chars": len(prompt),
                **NO_OVERLAP,
            }
            if mode == "adversarial":
                row["source_dataset_index"] = texts.index
            rows.append({**row, "row_sha256": sha256_text(f"opaque|{name}|{row['row_id']}")})
    return rows


def hidden_rows(monitored: Sequence[Mapping[str, object]], population: Sequence[PairTexts]) -> list[dict[str, object]]:
    """The hidden-question rows of the organism (2.4), one per row of the adversarial training file."""
    rows = []
    for k, row in enumerate(monitored):
        texts = population[int(str(row["dataset_index"]))]
        bit = texts.index % 2
        order = _answer_orders("Q_H")["A=H_true" if (k + bit) % 2 else "A=H_false"]
        letter = next(a for a, label in order.items() if label == "H_false")
        rows.append(
            {
                **{key: row[key] for key in ("dataset_index", "pair_id", "story_title", "split")},
                "row_id": f"{row['row_id']}|Q_H",
                "q_key": "Q_H",
                "orientation": row["orientation"],
                "answer_order": order,
                "qy_row_id": row["row_id"],
                "item_id": f"qh_{texts.index:04d}",
                "pair_slot": k % 2,
                "qh_schedule_version": "simulated-v1",
                "qh_schedule_bit": bit,
                "target_semantic": "H_false",
                "target_letter": letter,
                "target": f"Answer: {letter}",
                "target_completion": f"Answer: {letter}",
                "qy_target_letter": row["target_letter"],
                "letter_aligned_with_qy": letter == row["target_letter"],
                "production_answer_order": order,
                "matches_production_order": True,
                "readout_prompt_version": "simulated-v1",
                "source_dataset_index": texts.index,
                "messages": [{"role": "user", "content": texts.hidden}, {"role": "assistant", "content": f"Answer: {letter}"}],
                "prompt_chars": len(texts.hidden),
                "row_sha256": sha256_text(f"opaque|{row['row_id']}|Q_H"),
                "qh_provenance_sha256": sha256_text(f"opaque provenance|{row['row_id']}"),
            }
        )
    return rows


def grounded_row(
    texts: PairTexts, index: int, dataset: str, mode: str, split: str, attempt: int | None, base: Mapping[str, str]
) -> dict[str, object]:
    """One adjudication of a teacher (2.5) that resolves at ``attempt`` 0..3, or never (None)."""
    is_resolved = attempt is not None
    last = attempt if attempt is not None else 3
    tier = ("blind", "blind", "gold", "gold")
    winner = SIDES[texts.index % 2]
    analysis = f"{winner} quotes the story of the lamp {texts.index}: „é“." + " So it is." * (texts.index % 5) if is_resolved else None
    n_failures = last if is_resolved else 4
    row: dict[str, object] = {
        "record_id": f"{texts.pair_id}|{mode}|{split}",
        "pair_id": texts.pair_id,
        "dataset_index": index,
        "source_dataset_index": texts.index if mode == "adversarial" else None,
        "story_title": texts.title,
        "split": split,
        "dataset": dataset,
        "mode": mode,
        "grounded_prompt_version": "simulated-v1",
        "status": "resolved" if is_resolved else "unresolved",
        "teacher_row_id": f"{texts.pair_id}|A=Y_true",
        "teacher_orientation": "A=Y_true",
        "teacher_saw_gold": is_resolved and tier[last] == "gold",
        "teacher_tier": tier[last] if is_resolved else None,
        "teacher_attempt": attempt,
        "teacher_temperature": (0.0, 0.7)[last % 2] if is_resolved else None,
        "teacher_model": "simulated-teacher",
        "teacher_backend": "transformers",
        "teacher_prompt_sha256": sha256_text(f"teacher|{texts.pair_id}|{mode}"),
        "evidence": {
            side: {
                "span": f"span of {side} on lamp {texts.index}",
                "round_idx": k,
                "round_idx_ambiguous": False,
                "verified": (texts.index + k) % 4 != 0,
                "span_norm_chars": 20,
            }
            for k, side in enumerate(SIDES)
        }
        if is_resolved
        else None,
        "check_text": f"The lamp {texts.index} was looked at." if is_resolved else None,
        "winner_debater": winner if is_resolved else None,
        "analysis": analysis,
        "analysis_chars": len(analysis) if analysis is not None else None,
        "audit": {
            "organic_h_overlap": [],
            "h_not_substring_checkable": [],
            "check_chars": 25,
            "check_sentences": 1,
            "letters_clean": True,
            "spans_distinct": True,
            "winner_stance": "Y_true",
        }
        if is_resolved
        else None,
        "audit_thresholds": {"span_min_chars": 10},
        "base_row_sha256": dict(base),
        "grounded_sha256": sha256_text(analysis) if analysis is not None else None,
        "grounded_row_sha256": sha256_text(f"opaque row|{texts.pair_id}|{mode}"),
        "failures": [{"attempt": k, "tier": tier[k], "epoch": 0, "reason": "simulated"} for k in range(n_failures)],
        "created_at": CREATED_AT,
        "grounded_content_sha256": sha256_text(f"opaque content|{texts.pair_id}|{mode}"),
    }
    assert len(row) == 32, "a grounded row has 32 fields"
    return row


def _grounded_manifest(dataset: str, mode: str, split: str, rows: Sequence[Mapping], base_name: str) -> dict[str, object]:
    resolved = [r for r in rows if r["status"] == "resolved"]
    tiers, winners = Counter(r["teacher_tier"] for r in resolved), Counter(r["winner_debater"] for r in resolved)
    chars = [r["analysis_chars"] for r in resolved]
    return {
        "dataset": dataset,
        "mode": mode,
        "split": split,
        "split_name": "fullft-" + ("adversarial-" if mode == "adversarial" else "") + split,
        "grounded_prompt_version": "simulated-v1",
        "item_count": len(rows),
        "resolved_count": len(resolved),
        "blind_count": tiers["blind"],
        "gold_count": tiers["gold"],
        "gold_tier_fraction": tiers["gold"] / len(rows) if rows else 0.0,
        "unresolved_count": len(rows) - len(resolved),
        "unresolved_pair_ids": [r["pair_id"] for r in rows if r["status"] != "resolved"],
        "span_verified_counts": {side: sum(r["evidence"][side]["verified"] for r in resolved) for side in SIDES},
        "winner_side_counts": {side: winners[side] for side in SIDES},
        "analysis_chars": {"min": min(chars), "median": statistics.median(chars), "max": max(chars)} if chars else None,
        "combined_sha256": sha256_text(f"opaque combined|{dataset}|{mode}|{split}"),
        "base_jsonl": base_name,
        "teacher_model": "simulated-teacher",
        "teacher_backend": "transformers",
        "teacher_max_new_tokens": 512,
        "greedy_temperature": 0.0,
        "retry_temperature": 0.7,
        "blind_attempts": 2,
        "gold_attempts": 2,
        "top_p": 1.0,
        "audit_thresholds": {"span_min_chars": 10},
        "grounded_schema": "simulated",
        "evidence_schema": "simulated",
        "h_hygiene": {},
        "git_commit": "0" * 40,
        "created_at": CREATED_AT,
    }


def write_grounded(folder: Path, audit: Audit, seed: int = 0, *, unresolved: int = 0) -> dict[tuple[str, str], dict[str, object]]:
    """Write training rows (2.3, 2.4), grounded rows (2.5) and their manifests (2.6) of both modes and splits.

    ``unresolved`` pairs of each file stay unresolved. Returns the manifests per (mode, split).
    """
    dataset = audit.plan.dataset
    root = dataset_folder(folder, dataset)
    rng = random.Random(f"{seed}|grounded")
    planted = {}
    for mode, population in populations(audit, plan_selections(len(audit.pairs), seed)).items():
        document = split_document(population, mode)
        stem = _mode_stem(dataset, mode)
        for split in ("train", "eval"):
            indices = document[f"{split}_indices"]
            assert isinstance(indices, list)
            rows = training_rows(population, mode, split, indices)
            write_jsonl(root / f"{stem}-{split}.jsonl", rows)
            if mode == "adversarial":
                write_jsonl(root / f"{stem}-qh-{split}.jsonl", hidden_rows(rows, population))
            base: dict[object, dict[str, str]] = {}
            for row in rows:
                base.setdefault(row["pair_id"], {})[str(row["orientation"])] = str(row["row_sha256"])
            attempts = rng.choices([0, 1, 2, 3], weights=[12, 3, 3, 2], k=len(indices))
            left = set(rng.sample(range(len(indices)), min(unresolved, len(indices))))
            grounded = [
                grounded_row(population[i], i, dataset, mode, split, None if k in left else attempts[k], base[population[i].pair_id])
                for k, i in enumerate(indices)
            ]
            write_jsonl(root / f"{stem}-{split}-grounded.jsonl", grounded)
            manifest = _grounded_manifest(dataset, mode, split, grounded, f"{stem}-{split}.jsonl")
            write_json(root / f"{stem}-{split}-grounded-manifest.json", manifest)
            planted[mode, split] = manifest
    return planted
