"""One row per (file, problem, name): names of agents that earlier rounds of their debates do not know, and aliases that do not fit."""

import pyarrow as pa

from debate_ledger.importers.agents import MAX_NAMES, proposals, shown

SCHEMA = pa.schema(
    [
        *[(c, pa.string()) for c in "file_key problem agent".split()],
        *[(c, pa.int64()) for c in "n_debates n_rounds n_debates_uncounted first_line_number".split()],
        *[(c, pa.string()) for c in "proposed_agent mend".split()],
        *[(c, pa.int64()) for c in "n_file_debates n_file_debates_unknown n_file_debates_uncounted".split()],
    ]
)
#: Names by what is to be told of them, the most frequent of each file; `in doubt` are those that a proposal may be made of.
NAMES = f"""
    select file_key, problem, name, count(distinct debate_id) as n_debates, sum(n_rounds)::bigint as n_rounds,
        count(distinct debate_id) filter (is_doubtful) as n_debates_uncounted, min(line_number) as first_line_number,
        sum(n_initial)::bigint as n_initial
    from (
        select file_key, line_number, debate_id, problem, name,
            len(list_filter(stated[2:], lambda p: list_contains(p, name))) as n_rounds,
            list_contains(stated[1], name)::integer as n_initial,
            list_bool_or(list_transform(doubts, lambda d: d.name = name or d.other = name)) as is_doubtful
        from (
            select *, names as stated, 'unknown name' as problem, unnest(unknown_names) as name from agent_names
            union all
            select *, names as stated, 'in doubt' as problem,
                unnest(list_distinct(flatten(list_transform(doubts, lambda d: [d.name, d.other])))) as name from agent_names
            union all
            select *, stated_names as stated, 'two names of one agent in a round' as problem, unnest(conflicting_names) as name
            from agent_names
            union all
            select *, stated_names as stated, 'name of two agents' as problem, unnest(ambiguous_names) as name from agent_names
        )
    )
    group by file_key, problem, name
    qualify row_number() over (partition by file_key, problem order by n_debates desc, name) <= {MAX_NAMES}
    order by file_key, problem, name
"""
FILES = """
    select file_key, count(*) filter (len(unknown_names) > 0), count(*) filter (len(doubts) > 0) from agent_names group by file_key
"""
SEED = "seeds/agent_aliases.csv"
MENDS = {
    "unknown name": f"if it is a spelling of another name, give both one agent_id in {SEED}; if it is an agent of its own,"
    " list it there with its own name as agent_id; if agents keep their places, add a row with by_position true",
    "two names of one agent in a round": f"two agents of a round are two: correct the rows of these names in {SEED}",
    "name of two agents": f"two rows of {SEED} give it to two agents: make a pattern narrower, or add its spelling as alias",
}


def model(dbt, session):
    dbt.config(materialized="table")
    agent_names = dbt.ref("stg_agent_names")
    rows = agent_names.query("agent_names", NAMES).fetchall()
    per_file = {file: counts for file, *counts in agent_names.query("agent_names", FILES).fetchall()}
    lines = dbt.ref("raw_lines").filter("kind = 'debate'").aggregate("file_key, count(*)").fetchall() if rows else []
    found = []
    for file, n_file_debates in sorted(lines):
        own = [row[1:] for row in rows if row[0] == file]
        proposed = proposals({name: n_initial for problem, name, *_, n_initial in own if problem == "in doubt"})
        for problem, name, n_debates, n_rounds, n_uncounted, first, _ in own:
            if problem == "in doubt":
                continue
            agent = proposed.get(name) if problem == "unknown name" else None
            told = (shown(name), n_debates, n_rounds, n_uncounted, first, None if agent is None else shown(agent), MENDS[problem])
            found.append((file, problem, *told, n_file_debates, *per_file[file]))
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in found], schema=SCHEMA)
