"""Time the build against DuckDB's own scan and a plain Python loop on simulated debates, and write docs/performance.md.

Everything is a ratio within one run, since machines differ and are noisy. Nothing here fails on a figure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np

from debate_ledger.bench_coder import coder_report, measure_coder
from debate_ledger.bench_permutation import exact_report, measure_exact
from debate_ledger.replay import intervals
from debate_ledger.simulate import simulate_file
from debate_ledger.simulate_audit import mixed_plan, model_names, simulate_audit_file
from debate_ledger.simulate_probes import battery_lines, graded_plan, simulate_batteries

#: Folders of the models from landing to marts; what comes after (reconciliation, release) and these are timed apart.
INFERENCE = ("inference", "reproduction")
REPLAY = ("localisation", "replay")
TO_MARTS = ("landing", "staging", "core", "ledger", "screen", "reparse", "verifier_audit")
DBT = Path(sys.executable).with_name("dbt")
#: What a user without a warehouse would let DuckDB read: inferred from nothing, but unsafe on a broken line.
SCAN = """
    select count(question_id), count(correct_label), count(majority_answer), count(initial_states), count(round_traces)
    from read_json(?, format = 'newline_delimited', columns = {
        question_id: 'VARCHAR', correct_label: 'VARCHAR', majority_answer: 'VARCHAR', model_name: 'VARCHAR',
        initial_states: 'STRUCT(agent_id VARCHAR, answer VARCHAR)[]',
        round_traces: 'STRUCT(agent_id VARCHAR, answer VARCHAR)[][]'
    })
"""


@dataclass
class Build:
    """One dbt run: seconds on the wall, seconds per model, peak resident memory in bytes."""

    wall: float
    models: dict[str, float]
    tests: float
    peak: int

    def seconds(self, *prefixes: str) -> float:
        """Sum over the models whose path (folder/name) begins with one of the prefixes."""
        return sum(s for path, s in self.models.items() if path.startswith(prefixes))

    @property
    def to_marts(self) -> float:
        """From landing to the marts of debates and probes; replay and inference, which come after, have rows of their own."""
        return self.seconds(*TO_MARTS)


def timed(work: Callable[[], object], runs: int = 1) -> float:
    """Median seconds of ``runs`` calls."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def scan(path: Path) -> None:
    """DuckDB's typed scan of the file, nothing kept."""
    with duckdb.connect() as con:
        con.execute(SCAN, [str(path)]).fetchall()


def python_loop(path: Path) -> Counter[tuple[bool, bool]]:
    """One transition table under the alphabetical rule as a script would make it."""
    table: Counter[tuple[bool, bool]] = Counter()

    def right(states: list[dict[str, str | None]], gold: str) -> bool:
        votes = Counter(s["answer"] for s in states if s["answer"])
        return bool(votes) and min(votes, key=lambda label: (-votes[label], label)) == gold

    with path.open() as lines:
        for line in lines:
            debate = json.loads(line)
            gold = debate["correct_label"]
            if gold is not None:
                table[right(debate["initial_states"], gold), right(debate["round_traces"][-1], gold)] += 1
    return table


def dbt(folder: Path, *arguments: str) -> Build:
    """Run dbt on the data in ``folder`` in a process of its own."""
    environment = {
        **os.environ,
        "LEDGER_DATA": str(folder / "data"),
        "LEDGER_EXTRA_DATA": "",
        "LEDGER_WORK": str(folder / "ledger.duckdb"),
        "LEDGER_PUBLISHED": str(folder / "published" / "ledger.duckdb"),
        "DBT_TARGET_PATH": str(folder / "target"),
        "DBT_LOG_PATH": str(folder / "logs"),
    }
    start = time.perf_counter()
    child = subprocess.Popen([str(DBT), "--quiet", "--warn-error", *arguments], env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"dbt {' '.join(arguments)} failed")
    results = json.loads((folder / "target" / "run_results.json").read_text())["results"]
    nodes = json.loads((folder / "target" / "manifest.json").read_text())["nodes"]
    models, tests = {}, 0.0
    for result in results:
        node = nodes.get(result["unique_id"], {})
        if node.get("resource_type") == "model":
            models[node["path"]] = result["execution_time"]
        elif node.get("resource_type") != "seed":
            tests += result["execution_time"]
    return Build(wall, models, tests, usage.ru_maxrss * 1024)


def measure(folder: Path, debates: int) -> tuple[dict[str, float], Build, Build]:
    """Simulate, scan, loop and build ``debates`` four-round dialect-B debates of three agents."""
    shutil.rmtree(folder, ignore_errors=True)
    path = folder / "data" / "debate_traces_simulated.jsonl"
    print(f"simulating {debates:,} debates", flush=True)
    simulate_file(path, debates, dialect="B", agents=3, rounds=4, templates=2000, seed=1)
    print("scanning", flush=True)
    seconds = {"bytes": path.stat().st_size, "scan": timed(lambda: scan(path), runs=3)}
    print("looping", flush=True)
    seconds["loop"] = timed(lambda: python_loop(path))
    print("dbt run up to transitions, one rule", flush=True)
    one_rule = dbt(folder, "build", "--select", "+transitions", "--exclude-resource-type", "test", "unit_test",
                   "--vars", "{endpoints: [last], coding_rules: [alphabetical]}")  # fmt: skip
    print("dbt build, all rules", flush=True)
    whole = dbt(folder, "build", "--exclude-resource-type", "unit_test", "--vars", "{endpoints: [last]}")
    print("scanning again", flush=True)
    seconds["scan"] = statistics.median([seconds["scan"], timed(lambda: scan(path), runs=3)])
    return seconds, one_rule, whole


PROBE_SCAN = """
    select count(question_id), count(condition), count(initial_answer), count(probe_results)
    from read_json(?, format = 'newline_delimited', columns = {
        question_id: 'VARCHAR', condition: 'VARCHAR', initial_answer: 'VARCHAR', correct_label: 'VARCHAR',
        probe_results: 'STRUCT(strength VARCHAR, social BOOLEAN, post_answer VARCHAR, revised BOOLEAN)[]'
    })
"""


def measure_probes(folder: Path, lanes: int) -> tuple[dict[str, float], Build]:
    """Simulate, scan and build ``lanes`` probe lanes of 1,800 batteries (200 questions, three conditions, three agents)."""
    shutil.rmtree(folder, ignore_errors=True)
    data = folder / "data" / "probes"
    data.mkdir(parents=True)
    print(f"simulating {lanes} probe lanes", flush=True)
    # A few lanes under many names: drawing each anew would take longer than building them.
    templates = []
    for i in range(min(lanes, 5)):
        plan = graded_plan(0.1 + 0.1 * i, 0.05 * i, 0.3, unparsed=0.01 * i)
        templates.append("".join(battery_lines(simulate_batteries(plan, questions=200, seed=i), writer="vllm", model="LANE")))
    for i in range(lanes):
        (data / f"sa_causal_sim_{i}.jsonl").write_text(templates[i % len(templates)].replace("LANE", f"simulated-{i}"))
    files = sorted(map(str, data.iterdir()))
    seconds = {"bytes": sum(Path(f).stat().st_size for f in files)}

    def scan_all() -> None:
        with duckdb.connect() as con:
            con.execute(PROBE_SCAN, [files]).fetchall()

    seconds["scan"] = timed(scan_all, runs=3)
    print("dbt build", flush=True)
    return seconds, dbt(folder, "build", "--exclude-resource-type", "unit_test")


def probe_report(lanes: int, seconds: dict[str, float], build: Build) -> str:
    """The part of the page about probes."""
    n = lanes * 1800
    slowest = sorted(build.models.items(), key=lambda item: -item[1])[:8]
    lines = [
        "",
        "## Probes",
        "",
        f"{lanes} lanes of 1,800 batteries ({n * 8:,} replies, {seconds['bytes'] / 1e9:.2f} GB), whole `dbt build` with its data tests.",
        "",
        "| | |",
        "| --- | ---: |",
        f"| typed `read_json` scan (median) | {seconds['scan']:.1f} s |",
        f"| models, landing to marts | {build.to_marts:.1f} s |",
        f"| tables of what does not reconcile | {build.seconds('reconciliation'):.1f} s |",
        f"| publication | {build.seconds('release/publication'):.1f} s |",
        f"| tests | {build.tests:.1f} s |",
        f"| whole `dbt build` (aim: about 45 s) | {build.wall:.1f} s |",
        f"| **whole build ÷ scan** | {build.wall / seconds['scan']:.1f} |",
        f"| peak memory | {build.peak / 1e9:.2f} GB |",
        "",
        "The slowest models: " + ", ".join(f"`{path}` {s:.1f} s" for path, s in slowest) + ".",
    ]
    return "\n".join(lines) + "\n"


def report(runs: dict[int, tuple[dict[str, float], Build, Build]]) -> str:
    """The page docs/performance.md."""
    lines = [
        "# Performance",
        "",
        "Written by `make bench`: seconds of one run on one machine, to be read as ratios. The input is simulated",
        "(`debate_ledger.simulate`): four-round dialect-B debates of three agents. Nothing fails on these figures.",
        "",
        f"Machine: {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, DuckDB {duckdb.__version__},"
        f" memory limit {os.environ.get('LEDGER_MEMORY_LIMIT', '2GB')}.",
        "",
        "| | " + " | ".join(f"{n:,} debates" for n in runs) + " |",
        "| --- |" + " ---: |" * len(runs),
    ]

    def row(name: str, value: Callable[[dict[str, float], Build, Build], str]) -> None:
        lines.append(f"| {name} | " + " | ".join(value(*run) for run in runs.values()) + " |")

    row("file", lambda s, o, w: f"{s['bytes'] / 1e9:.2f} GB")
    row("typed `read_json` scan (median)", lambda s, o, w: f"{s['scan']:.1f} s")
    row("plain Python loop, one transition table", lambda s, o, w: f"{s['loop']:.1f} s")
    row("file to `transitions`, one rule, models", lambda s, o, w: f"{sum(o.models.values()):.1f} s")
    row("models, landing to marts, all rules", lambda s, o, w: f"{w.to_marts:.1f} s")
    row("localisation and replay, all gates and rules (aim: below 20 s)", lambda s, o, w: f"{w.seconds(*REPLAY):.1f} s")
    row("inference and reproduction, mostly over published rows", lambda s, o, w: f"{w.seconds(*INFERENCE):.1f} s")
    row("tables of what does not reconcile", lambda s, o, w: f"{w.seconds('reconciliation'):.1f} s")
    row("publication (file and Parquet)", lambda s, o, w: f"{w.seconds('release/publication'):.1f} s")
    row("tests", lambda s, o, w: f"{w.tests:.1f} s")
    row("whole `dbt build`", lambda s, o, w: f"{w.wall:.1f} s")
    row(
        "**models ÷ scan** (aim: at most 15)",
        lambda s, o, w: f"{w.to_marts / s['scan']:.1f}",
    )
    row("**whole build ÷ scan** (aim: at most 30)", lambda s, o, w: f"{w.wall / s['scan']:.1f}")
    row("**file to `transitions` ÷ Python loop** (aim: below 1)", lambda s, o, w: f"{sum(o.models.values()) / s['loop']:.2f}")
    row("**peak memory** (aim: below 3.5 GB)", lambda s, o, w: f"{max(o.peak, w.peak) / 1e9:.2f} GB")
    sizes = list(runs)
    if len(sizes) > 1:
        small, large = (runs[n][2].to_marts for n in (sizes[0], sizes[-1]))
        lines += ["", f"Growth of the models' time from {sizes[0]:,} to {sizes[-1]:,} debates: {large / small:.1f} times."]
    _, _, whole = runs[sizes[-1]]
    lines += ["", f"The slowest models at {sizes[-1]:,} debates:", "", "| model | seconds |", "| --- | ---: |"]
    slowest = sorted(whole.models.items(), key=lambda item: -item[1])[:12]
    lines += [f"| `{path}` | {seconds:.1f} |" for path, seconds in slowest]
    lines += [
        "",
        "Where an aim above is not met, it is not met: most of the whole build goes into the published file, that is into sorting and",
        "compressing some million wide rows in the storage format that old drivers read, and into their Parquet copies.",
        "The models of the probe screen are in the figures too, though there are no probes in these files: some twenty small models",
        "and the initial diversity. Inference has a row of its own.",
        "",
        "`debates` and `debate_rounds` are views of the work file and become tables when they are published, so that millions of rows are",
        "written once. The build is timed with the endpoint `last`; every further endpoint adds as many rows to `debates` as the first.",
    ]
    return "\n".join(lines) + "\n"


def draws_report() -> str:
    """The part of the page about bootstraps of a replay: the size of the primary cohort, ten policies."""
    rng = np.random.default_rng(0)
    question = rng.integers(0, 2161, 6925)
    net, size = np.zeros((2, 2161, 10))
    for policy in range(10):
        np.add.at(net[:, policy], question, rng.integers(-1, 2, 6925))
        np.add.at(size[:, policy], question, 1)
    seconds = timed(lambda: intervals(net, size, 2000), runs=3)
    return (
        "\n## Bootstraps of a replay\n\n"
        f"2,000 draws of 2,161 questions for ten policies on 6,925 debates, both kinds of draws: {seconds:.2f} s (aim: below 1 s).\n"
    )


AUDIT_SCAN = """
    select count(arm), count(pair_id), count(phase), count(generator), count(draw), count(question_sha256), count(p_true)
    from read_json(?, format = 'newline_delimited', columns = {
        arm: 'VARCHAR', pair_id: 'VARCHAR', phase: 'VARCHAR', q_key: 'VARCHAR', generator: 'VARCHAR', draw: 'INTEGER',
        question_sha256: 'VARCHAR', p_true: 'VARCHAR'
    })
"""


def audit_report(folder: Path) -> str:
    """The part of the page about the verifier audit: 222 pairs, four arms, three models, all scores of both stages."""
    shutil.rmtree(folder, ignore_errors=True)
    path = folder / "data" / "audit" / "verifier_eval.jsonl"
    path.parent.mkdir(parents=True)
    print("simulating a verifier audit", flush=True)
    plans = [mixed_plan("QuALITY-H", model, 222, seed=i, epsilon="1.2", org_tests=True) for i, model in enumerate(model_names(3))]
    simulate_audit_file(path, plans, seed=1)
    with path.open() as lines:
        n = sum(1 for _ in lines)

    def scan_all() -> None:
        with duckdb.connect() as con:
            con.execute(AUDIT_SCAN, [str(path)]).fetchall()

    scanned = timed(scan_all, runs=3)
    print("dbt build of the audit", flush=True)
    selected = ["--select", "+path:models/verifier_audit", "+evaluation_problems"]
    build = dbt(folder, "build", *selected, "--exclude-resource-type", "test", "unit_test")
    slowest = sorted(build.models.items(), key=lambda item: -item[1])[:6]
    lines = [
        "",
        "## Verifier audit",
        "",
        f"222 pairs, four arms, three models: {n:,} evaluations, {path.stat().st_size / 1e9:.2f} GB, from landing to marts.",
        "",
        "| | |",
        "| --- | ---: |",
        f"| typed `read_json` scan (median) | {scanned:.1f} s |",
        f"| models, landing to marts (aim: about 20 s) | {sum(build.models.values()):.1f} s |",
        f"| of these landing | {build.seconds('landing'):.1f} s |",
        f"| **models ÷ scan** | {sum(build.models.values()) / scanned:.1f} |",
        f"| peak memory | {build.peak / 1e9:.2f} GB |",
        "",
        "The slowest models: " + ", ".join(f"`{path}` {s:.1f} s" for path, s in slowest) + ".",
    ]
    return "\n".join(lines) + "\n"


def with_section(page: str, section: str) -> str:
    """The page with a section (from a ``## `` line on) put in place of the one of its name, or behind all others."""
    title = section.strip().splitlines()[0] + "\n"
    if title not in page:
        return page.rstrip("\n") + "\n" + section
    before, _, rest = page.partition(title)
    _, mark, after = rest.partition("\n## ")
    return before.rstrip("\n") + "\n" + section.rstrip("\n") + "\n" + mark + after


def main() -> int:
    """Measure both sizes and write the page, or one section of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debates", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--probe-lanes", type=int, default=200)
    parser.add_argument("--folder", type=Path, default=Path("work/bench"))
    parser.add_argument("--page", type=Path, default=Path("docs/performance.md"))
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["audit", "coder"], help="measure this section alone, and leave the rest of the page as it is")
    args = parser.parse_args()
    if args.only:
        section = (
            coder_report(measure_coder(args.folder / "coder", args.texts)) if args.only == "coder" else audit_report(args.folder / "audit")
        )
        args.page.write_text(with_section(args.page.read_text(), section))
        print(section)
        shutil.rmtree(args.folder, ignore_errors=True)
        return 0
    runs = {n: measure(args.folder / str(n), n) for n in args.debates}
    text = report(runs) + probe_report(args.probe_lanes, *measure_probes(args.folder / "probes", args.probe_lanes))
    print("exact tests", flush=True)
    text += exact_report(measure_exact()) + draws_report() + audit_report(args.folder / "audit")
    print("answer coder", flush=True)
    text += coder_report(measure_coder(args.folder / "coder", args.texts))
    args.page.write_text(text)
    print(text)
    shutil.rmtree(args.folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
