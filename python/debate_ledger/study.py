"""A folder for a study of one's own: where its logs go, and seeds with commented examples."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import yaml

from debate_ledger.project import ProjectError, project_root

#: Seeds that a study begins with, and example rows that stay comments until their first character goes.
EXAMPLES: dict[str, list[dict[str, str]]] = {
    "models": [{"model": "my-model-8b", "family": "My family"}],
    "model_aliases": [{"stored_model": "lab/My-Model-8B-Instruct", "model": "my-model-8b"}],
    "agent_aliases": [
        {"file_pattern": "run_7", "alias": "judge-agent", "agent_id": "Judge", "reason": "The judge of later rounds."},
        {"file_pattern": "run_8", "by_position": "true", "reason": "Names are drawn anew in every round, places stay."},
    ],
    "cohorts": [{"cohort": "pilot", "coding_rule": "read_panels", "endpoint": "last", "description": "The first twenty questions."}],
    "cohort_members": [{"cohort": "pilot", "file_pattern": "pilot_*", "model_pattern": "*", "is_included": "true", "reason": "The pilot."}],
    "lane_models": [{"file_key": "run_7", "model": "my-model-8b", "reason": "The file names no model."}],
    "dropped_debates": [{"debate_key": "run_7:12", "reason": "The same debate as line 3."}],
    "screen_lanes": [
        {"cohort": "pilot", "model": "my-model-8b", "probe_lane": "sa_causal_my-model", "reason": "Probes of the same questions."}
    ],
    "arm_comparisons": [{"comparison": "private or peer", "first_lane": "private", "second_lane": "peer", "reason": "The same starts."}],
    "audit_settings": [
        {
            "cohort": "my_audit",
            "search_budget": "50",
            "test_budget": "80",
            "generators": "gpt;claude",
            "n_pairs": "120",
            "reason": "Budgets of the pilot.",
        }
    ],
    "audit_epsilons": [
        {
            "cohort": "my_audit",
            "dataset": "my-pairs",
            "model": "my-verifier",
            "epsilon_name": "p25",
            "epsilon": "0.84",
            "reason": "Frozen from organism_thresholds.",
        }
    ],
    "source_files": [
        {"file_pattern": "*/data/*", "release": "my study", "is_invented": "false", "licence": "CC BY 4.0", "attribution": "My lab"}
    ],
}
README = """# A study for the debate ledger

Put your logs (`*.jsonl`, `*.jsonl.gz`, feature matrices `*.csv`), files of actions (`*.actions.jsonl`) and scores of a verifier audit
into `data/`: a folder in it is a cohort of its own. The files in `seeds/` name models, make cohorts, drop duplicates and say how an audit
was run; lines that begin with # are comments, and rows that you add join those that the ledger ships.

    ledger doctor data
    ledger build --data data --seeds seeds --out published/ledger.duckdb
    ledger show published/ledger.duckdb
"""


def _example(seed: Path, rows: list[dict[str, str]], description: str, columns: dict[str, str]) -> str:
    """Text of a seed file: what it is for, its columns, and example rows, all but the names of the columns as comments."""
    with seed.open(encoding="utf-8") as file:
        names = next(csv.reader(file))
    lines = [f"# {description}", *(f"#   {name}: {columns[name]}" for name in names if name in columns)]
    lines += ["# Rows are added below the names of the columns; take the # away to use an example."]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    header = text.getvalue()
    examples = []
    for row in rows:
        unknown = set(row) - set(names)
        if unknown:
            raise ProjectError(f"{seed}: the example has columns that the seed has not: {', '.join(sorted(unknown))}")
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow([row.get(name, "") for name in names])
        examples.append("# " + text.getvalue())
    return "\n".join(lines) + "\n" + header + "".join(examples)


def init_study(folder: Path) -> list[Path]:
    """Lay a study out in ``folder``; returns what was written. Files that are there stay as they are."""
    root = project_root()
    described = {s["name"]: s for s in yaml.safe_load((root / "seeds" / "seeds.yml").read_text(encoding="utf-8"))["seeds"]}
    texts = {folder / "README.md": README}
    for name, rows in EXAMPLES.items():
        columns = {c["name"]: c["description"] for c in described[name]["columns"]}
        texts[folder / "seeds" / f"{name}.csv"] = _example(root / "seeds" / f"{name}.csv", rows, described[name]["description"], columns)
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    written = [path for path in texts if not path.exists()]
    for path in written:
        path.write_text(texts[path], encoding="utf-8")
    return written
