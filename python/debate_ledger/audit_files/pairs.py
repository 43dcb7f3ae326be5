"""Pair files, splits and manifests of the adjudications: identifiers, counts and hashes only.

Source: `er_audit_formats` 2.1, 2.2, 2.6, 2.10 and 2.12.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from debate_ledger.audit_files.posterior import QUESTIONS, check_options
from debate_ledger.audit_files.values import (
    LABEL,
    Record,
    Refused,
    Rejected,
    Source,
    as_list,
    as_object,
    folder_label,
    identifier,
    need,
    number,
    one_of,
    refuse,
    sha256_text,
    share_text,
    shown,
    text_of,
    whole,
    whole_value,
)

PARAPHRASES = 100
#: Endings of the file names behind the dataset, longest first, and what such a file holds.
PAIR_FILES = (
    (re.compile(r"-no-debate-100q-not-counterexample-p[0-9]+-.+\.json"), "stage2_input"),
    (re.compile(r"-no-debate-100q\.json"), "stage1_input"),
    (re.compile(r"-with-honest-transcripts\.json"), "transcripts"),
    (re.compile(r"-no-debate\.json"), "compact"),
)
SPLIT_FILE = re.compile(r"-verifier-fullft(?P<mode>-adversarial)?(-qh)?-split\.json")
MANIFEST_FILE = re.compile(r"-verifier-fullft(-adversarial)?-(train|eval)-grounded-manifest\.json")
STORY_FILE = re.compile(r"-title-story\.json")
NAMES = (*(pattern for pattern, _ in PAIR_FILES), SPLIT_FILE, MANIFEST_FILE, STORY_FILE)
DEBATERS = ("Debater A", "Debater B")


def dataset_of(path: Path) -> str:
    """Dataset that the name of a file begins with, as its writer spells it; for another name the folder below ``dataset``."""
    for pattern in NAMES:
        if (found := pattern.search(path.name)) and found.start() and found.end() == len(path.name):
            return folder_label(path.name[: found.start()])
    return folder_label(path.name.removesuffix(".json") if path.name.endswith(".json") else path.absolute().parent.name)


def derived_pair_id(dataset: str, story_title: str, monitored: str, hidden: str) -> str:
    """pair_id that follows from the texts: slug of the dataset and 16 hex digits of a SHA-256 over four of them (2.1)."""
    slug = re.sub(r"[^a-z0-9]+", "_", dataset.lower()).strip("_")
    text = json.dumps([dataset, story_title, monitored, hidden], ensure_ascii=False, separators=(",", ":"))
    return f"{slug}_{sha256_text(text)[:16]}"


def _file_kind(path: Path, rows: list[object]) -> str:
    """What the pair file holds: by its name, else by the first row that tells."""
    for pattern, kind in PAIR_FILES:
        if pattern.search(path.name):
            return kind
    for row in rows:
        if not isinstance(row, dict):
            continue
        if "paraphrase" in row:
            return "stage1_input" if isinstance(row["paraphrase"], list) else "stage2_input"
        monitored = row.get("Q_Y")
        if isinstance(monitored, dict) and {"honest_transcript", "adversarial_transcript"} & set(monitored):
            return "merged"
        if isinstance(monitored, dict) and "transcript" in monitored:
            return "transcripts"
    return "compact"


def pairs(source: Source, document: object) -> Iterator[Record | Rejected]:
    """One record per pair, without any of its texts."""
    rows = as_list(document, "the file")
    dataset, kind = dataset_of(source.path), _file_kind(source.path, rows)
    seen: set[str] = set()
    for i, row in enumerate(rows):
        try:
            record = _pair(i, row, dataset, kind)
            if record["pair_id"] in seen:
                refuse(f"[{i}] is a pair of the file a second time: keep one")
            seen.add(str(record["pair_id"]))
            yield record
        except Refused as error:
            yield Rejected(str(error), str(i))


def _pair(i: int, row: object, dataset: str, kind: str) -> Record:
    where = f"[{i}]."
    row = as_object(row, where[:-1])
    title = text_of(row, "story_title", where)
    questions: dict[str, str] = {}
    for q_key, labels in QUESTIONS.items():
        holder = as_object(need(row, q_key, where), where + q_key)
        questions[q_key] = text_of(holder, "question", f"{where}{q_key}.")
        check_options(holder, labels, f"{where}{q_key}.")
    derived = derived_pair_id(dataset, title, *questions.values())
    if row.get("pair_id") is not None and identifier(row, "pair_id", where) != derived:
        refuse(f"{where}pair_id is {shown(row['pair_id'])}, the dataset and texts give {derived}: keep the pair as it was, or drop pair_id")
    index: int | None = i
    if kind == "stage2_input":  # a selection: its positions are not those of the dataset
        index = None if row.get("dataset_index") is None else whole(row, "dataset_index", where)
    elif row.get("dataset_index") is not None and whole(row, "dataset_index", where) != i:
        refuse(f"{where}dataset_index is {shown(row['dataset_index'])}: expected {i}, the position in the list")
    monitored = as_object(row["Q_Y"], f"{where}Q_Y")
    honest = adversarial = None
    if kind == "merged":
        honest, adversarial = (_has_transcript(monitored, f"{who}_transcript", where) for who in ("honest", "adversarial"))
    elif kind == "transcripts":
        honest = _has_transcript(monitored, "transcript", where)
    pools = _pools(row, kind, where)
    return {
        "record": "pair",
        "dataset": dataset,
        "model": None,
        "dataset_index": index,
        "pair_id": derived,
        "story_sha256": sha256_text(title),
        "q_y_sha256": sha256_text(questions["Q_Y"]),
        "q_h_sha256": sha256_text(questions["Q_H"]),
        "file_kind": kind,
        "has_honest_transcript": honest,
        "has_adversarial_transcript": adversarial,
        "n_paraphrases": None if pools is None else {name: len(texts) for name, texts in pools.items()},
        "n_unique_paraphrases": None if pools is None else {name: len({text.strip() for text in texts}) for name, texts in pools.items()},
    }


def _has_transcript(holder: Mapping[str, object], key: str, where: str) -> bool:
    """Whether a transcript is there, which then has two debaters of opposite stances and three rounds (2.1)."""
    if (transcript := holder.get(key)) is None:
        return False
    at = f"{where}Q_Y.{key}"
    transcript = as_object(transcript, at)
    stances = [one_of(transcript, debater, ("Y_true", "Y_false"), f"{at}.") for debater in DEBATERS]
    if stances[0] == stances[1]:
        refuse(f"{at} has both debaters on the side of {stances[0]}: expected opposite sides")
    for r, turns in enumerate(as_list(need(transcript, "rounds", f"{at}."), f"{at}.rounds", 3)):
        if not all(isinstance(as_object(turns, f"{at}.rounds[{r}]").get(debater), str) for debater in DEBATERS):
            refuse(f"{at}.rounds[{r}] lacks the text of a debater: write one per debater")
    return True


def _pools(row: Mapping[str, object], kind: str, where: str) -> dict[str, list[str]] | None:
    """Paraphrases by generator; None for a file that has none."""
    at = f"{where}paraphrase"
    if kind == "stage1_input":
        entries = as_list(need(row, "paraphrase", where), at, PARAPHRASES)
        return {"search": [text_of(as_object(entry, f"{at}[{j}]"), "Q_H", f"{at}[{j}].") for j, entry in enumerate(entries)]}
    if kind != "stage2_input":
        return None
    pools: dict[str, list[str]] = {}
    for name, texts in as_object(need(row, "paraphrase", where), at).items():
        if not LABEL.fullmatch(name):
            refuse(f"{at} has a key that is no short identifier: name the generators")
        texts = as_list(texts, f"{at}.{name}")
        if not texts:
            refuse(f"{at}.{name} is empty: expected at least one paraphrase")
        pools[name] = [text_of({f"{name}[{j}]": text}, f"{name}[{j}]", f"{at}.") for j, text in enumerate(texts)]
    return pools or refuse(f"{at} is empty: expected a list per generator")


def stories(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``<DS>-title-story.json``: titles and texts, of which nothing is kept."""
    as_object(document, "the file")
    yield from ()


def split(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``…-split.json``: one record per item, then one of the whole, which says whether the rule of 2.2 gives this split."""
    document = as_object(document, "the file")
    found = SPLIT_FILE.search(source.path.name)
    seed = need(document, "split_seed")
    if not isinstance(seed, int) or isinstance(seed, bool):
        refuse(f"split_seed is {shown(seed)}: expected an integer; a double would round it")
    indices = {name: as_list(need(document, f"{name}_indices"), f"{name}_indices") for name in ("train", "eval")}
    for name, own in indices.items():
        for index in own:
            whole_value(index, f"{name}_indices")
        if whole(document, f"{name}_count") != len(own):
            refuse(f"{name}_count is {shown(document[f'{name}_count'])}, but {name}_indices has {len(own)}: copy the file again")
    everything = [index for own in indices.values() for index in own]
    if sorted(map(int, everything)) != list(range(len(everything))):
        refuse(f"train_indices and eval_indices are not each of 0 to {len(everything) - 1} once: copy the file again")
    info = as_object(need(document, "index_info"), "index_info")
    if surplus := len(set(info) - {str(i) for i in everything}):
        refuse(f"index_info has {surplus} keys that are in neither list of indices: copy the file again")
    entries = {int(key): value for key, value in info.items() if isinstance(value, dict)}
    is_adversarial = bool(found["mode"]) if found else any("source_dataset_index" in entry for entry in entries.values())
    mode = "adversarial" if is_adversarial else "honest"
    titles = _titles(entries, len(everything))
    sides = _check_stories(document, indices, titles)
    dataset = dataset_of(source.path)
    head: Record = {"dataset": dataset, "model": None, "mode": mode}
    side_of = {index: name for name, own in indices.items() for index in own}
    seen: set[str] = set()
    for index in sorted(side_of):
        where = f"index_info.{index}."
        try:
            entry = as_object(need(info, str(index), "index_info."), where[:-1])
            pair_id = identifier(entry, "pair_id", where)
            if pair_id in seen:
                refuse(f"{where}pair_id {pair_id} occurs before: keep one item per pair")
            seen.add(pair_id)
            stated = entry.get("source_dataset_index")
            own: Record = {"split": side_of[index], "split_index": index, "pair_id": pair_id}
            own["source_dataset_index"] = None if stated is None else whole(entry, "source_dataset_index", where)
            yield {"record": "split", **head, **own}
        except Refused as error:
            yield Rejected(str(error), str(index))
    yield {
        "record": "split_summary",
        **head,
        "split_seed": str(seed),
        "n_train": len(indices["train"]),
        "n_eval": len(indices["eval"]),
        "n_train_stories": sides[0],
        "n_eval_stories": sides[1],
        "follows_rule": None if titles is None else _follows_rule(titles, seed, side_of),
    }


def _titles(entries: Mapping[int, Mapping[str, object]], n: int) -> list[str] | None:
    """Story title per index; None where one is missing."""
    titles = [entries.get(i, {}).get("story_title") for i in range(n)]
    return [str(title) for title in titles] if all(isinstance(title, str) for title in titles) else None


def _check_stories(
    document: Mapping[str, object], indices: Mapping[str, list[object]], titles: list[str] | None
) -> tuple[int | None, int | None]:
    """Numbers of train and eval stories, which all places that state them give alike; None where no place does."""
    counts: list[int | None] = []
    for name, own in indices.items():
        places: dict[str, int] = {}
        if f"{name}_story_count" in document:
            places[f"{name}_story_count"] = whole(document, f"{name}_story_count")
        if f"{name}_story_titles" in document:
            stated = as_list(document[f"{name}_story_titles"], f"{name}_story_titles")
            places[f"{name}_story_titles"] = len(stated)
            if titles is not None and {title for title in stated if isinstance(title, str)} != {titles[int(str(i))] for i in own}:
                refuse(f"{name}_story_titles are not the titles that index_info gives to {name}_indices: copy the file again")
        if titles is not None:
            places["index_info"] = len({titles[int(str(i))] for i in own})
        if len(set(places.values())) > 1:
            refuse(f"the number of {name} stories is {', '.join(f'{n} by {place}' for place, n in places.items())}: copy the file again")
        counts.append(next(iter(places.values()), None))
    return counts[0], counts[1]


def train_titles(titles: list[str], seed: int) -> set[str]:
    """Titles of the train side: the distinct ones in the order of their first item, shuffled, then the first 4/5 of them, rounded down."""
    distinct = list(dict.fromkeys(titles))
    random.Random(seed).shuffle(distinct)
    return set(distinct[: len(distinct) * 4 // 5])


def _follows_rule(titles: list[str], seed: int, side_of: Mapping[object, str]) -> bool:
    train = train_titles(titles, seed)
    return all((side_of[i] == "train") == (title in train) for i, title in enumerate(titles))


def grounded_manifest(source: Source, document: object) -> Iterator[Record | Rejected]:
    """``…-grounded-manifest.json``: counts, which must add up (2.6)."""
    document = as_object(document, "the file")
    counts = {name: whole(document, f"{name}_count") for name in ("item", "resolved", "blind", "gold", "unresolved")}
    winners, verified = (_sides(document, key) for key in ("winner_side_counts", "span_verified_counts"))
    sums = (
        ("resolved_count + unresolved_count", counts["resolved"] + counts["unresolved"], "item_count", counts["item"]),
        ("blind_count + gold_count", counts["blind"] + counts["gold"], "resolved_count", counts["resolved"]),
        ("the sum of winner_side_counts", sum(winners), "resolved_count", counts["resolved"]),
    )
    for name, found, total, wanted in sums:
        if found != wanted:
            refuse(f"{name} is {found}, {total} is {wanted}: copy the manifest again")
    if max(verified) > counts["resolved"]:
        refuse(f"span_verified_counts go up to {max(verified)}, resolved_count is {counts['resolved']}: copy the manifest again")
    fraction = share_text(need(document, "gold_tier_fraction"), "gold_tier_fraction")
    if abs(float(fraction) * counts["item"] - counts["gold"]) > 5e-5 * counts["item"]:
        refuse(f"gold_tier_fraction is {fraction}, but gold_count is {counts['gold']} of {counts['item']}: copy the manifest again")
    chars = as_object(need(document, "analysis_chars"), "analysis_chars")
    low, high = (whole(chars, key, "analysis_chars.") for key in ("min", "max"))
    middle = number(chars, "median", "analysis_chars.")  # halfway between two of them for an even number of items
    if not low <= middle <= high:
        refuse(f"analysis_chars are {low}, {shown(middle)} and {high}: expected min, median and max in this order")
    yield {
        "record": "grounded_manifest",
        "dataset": identifier(document, "dataset", pattern=LABEL),
        "model": None,
        "mode": one_of(document, "mode", ("honest", "adversarial")),
        "split": one_of(document, "split", ("train", "eval")),
        "n_items": counts["item"],
        **{f"n_{name}": counts[name] for name in ("resolved", "blind", "gold", "unresolved")},
        "n_winner_a": winners[0],
        "n_winner_b": winners[1],
        "n_verified_a": verified[0],
        "n_verified_b": verified[1],
        "chars_min": low,
        "chars_median": middle,
        "chars_max": high,
        "gold_tier_fraction": fraction,
    }


def _sides(document: Mapping[str, object], key: str) -> tuple[int, int]:
    """Counts of the two debaters; a debater that never occurs may be missing."""
    holder = as_object(need(document, key), key)
    if set(holder) - set(DEBATERS):
        refuse(f"{key} has keys that are neither Debater A nor Debater B: copy the manifest again")
    a, b = (whole(holder, debater, f"{key}.") if debater in holder else 0 for debater in DEBATERS)
    return a, b
