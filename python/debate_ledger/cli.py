"""Command line: look at the published ledger, ask it something, simulate debates and probes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import duckdb

from debate_ledger import simulate, simulate_probes
from debate_ledger.publish import target_path
from debate_ledger.show import ledger_text, query_text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ledger", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="print the published ledger as a table")
    show.add_argument("published", nargs="?", default="", help="published file (default: LEDGER_PUBLISHED or published/ledger.duckdb)")
    query = commands.add_parser("query", help="run a query of analysis/ (or SQL in quotes) on the published file")
    query.add_argument("sql", help="path of a .sql file, or SQL")
    query.add_argument("published", nargs="?", default="", help="published file, as for show")
    sim = commands.add_parser("simulate", help="write simulated debates with planted outcomes")
    sim.add_argument("path", type=Path, help="file to write, for example data/my_simulation/debate_traces_sim.jsonl")
    sim.add_argument("--debates", type=int, default=1000)
    sim.add_argument("--dialect", choices=sorted(simulate.WRITERS), default="B")
    sim.add_argument("--model", default="simulated/model")
    sim.add_argument("--agents", type=int, default=3)
    sim.add_argument("--rounds", type=int, default=4)
    sim.add_argument("--seed", type=int, default=0)
    probes = commands.add_parser("simulate-probes", help="write simulated probe batteries with planted flips")
    probes.add_argument("path", type=Path, help="file to write, for example data/my_simulation/sa_causal_sim.jsonl")
    probes.add_argument("--questions", type=int, default=200)
    probes.add_argument("--agents", type=int, default=3)
    probes.add_argument("--writer", choices=sorted(simulate_probes.WRITERS), default="vllm")
    probes.add_argument("--model", default="simulated/model")
    probes.add_argument("--base", type=float, default=0.2, help="flip rate of a weak solo probe")
    probes.add_argument("--social", type=float, default=0.1, help="what a social probe adds")
    probes.add_argument("--argument", type=float, default=0.3, help="what a very strong probe adds")
    probes.add_argument("--unparsed", type=float, default=0.02, help="share of replies that are not parsed")
    probes.add_argument("--duplicates", type=int, default=0, help="batteries that stand once more at the end")
    probes.add_argument("--seed", type=int, default=0)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code, with the reason of a failure on standard error."""
    args = _parser().parse_args(argv)
    try:
        if args.command == "show":
            print(ledger_text(target_path(args.published)))
        elif args.command == "query":
            sql = Path(args.sql).read_text() if args.sql.endswith(".sql") else args.sql
            print(query_text(target_path(args.published), sql))
        elif args.command == "simulate-probes":
            # A repeated panel knows no conditions.
            conditions = ("default",) if args.writer == "panel" else simulate_probes.CONDITIONS
            plan = simulate_probes.graded_plan(args.base, args.social, args.argument, unparsed=args.unparsed, conditions=conditions)
            options = {"questions": args.questions, "agents": args.agents, "seed": args.seed, "writer": args.writer, "model": args.model}
            options["duplicates"] = args.duplicates
            batteries = simulate_probes.simulate_probe_file(args.path, plan, **options)
            print(f"{args.path}: {len(batteries)} batteries of {args.questions} questions")
        else:
            planted = simulate.simulate_file(
                args.path, args.debates, dialect=args.dialect, model=args.model, agents=args.agents, rounds=args.rounds, seed=args.seed
            )
            print(f"{args.path}: {sum(planted.values())} debates, " + ", ".join(f"{s} {n}" for s, n in planted.items()))
    except (OSError, ValueError, duckdb.Error) as error:
        print(f"ledger {args.command}: {error}", file=sys.stderr)
        if isinstance(error, duckdb.IOException):
            print("Is the ledger built? make build (or dbt build) writes the published file.", file=sys.stderr)
        return 1
    return 0
