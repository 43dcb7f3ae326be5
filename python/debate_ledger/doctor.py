"""What is wrong with a folder of logs, in plain words, before anything is built on it.

The rules are those of the build: its landing, staging and audit models run into a work file that nobody keeps, and what they say is put
into sentences. So the doctor never knows better, or worse, than the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import duckdb

from debate_ledger.landing import RECEIPT_SUFFIX, SUFFIXES

#: Models whose rows the doctor reads; dbt makes what they need.
MODELS = (
    "published_raw_files", "published_rejected_lines", "unmapped_lanes", "unread_keys", "duplicate_debates", "duplicate_batteries",
    "incomplete_batteries", "unanswerable_debates", "stored_disagreements", "probe_disagreements", "action_problems",
    "evaluation_problems", "unmatched_agents", "int_cohorts",
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """Something to mend, or to know: ``is_loss`` is true where a file or line does not come into the ledger."""

    what: str
    mend: str
    is_loss: bool = False


#: (query for what and mend, whether it is a loss). Files and lines first, then what counts but may not be what was meant.
#: Files of which no line is an object of its own: told once, not line by line.
DOCUMENTS = """
    select rejected.file from main.rejected_lines as rejected
    inner join main.raw_files using (file_key)
    where raw_files.format = 'jsonl' and raw_files.n_rejected_lines > 2
        and raw_files.n_debate_lines + raw_files.n_probe_lines + raw_files.n_action_lines + raw_files.n_evaluation_lines = 0
    group by rejected.file
    having bool_and(rejected.reason like '%cut short%' or rejected.reason like '%one JSON object%')
"""
CHECKS: Sequence[tuple[str, bool]] = (
    ("select format('{}: the file is {}', file, status), reason from main.raw_files where status <> 'landed' order by file", True),
    (
        f"""
        select format('{{}}: none of its {{:,}} lines is an object of its own', file, count(*)),
            'a document that is spread over many lines lands once every debate stands in one line; its first line: '
            || min_by(reason, line_number)
        from main.rejected_lines where file in ({DOCUMENTS}) group by file order by file
        """,
        True,
    ),
    (
        f"""
        select format('{{}}, line {{}}{{}}', file, line_number, coalesce(', ' || part, '')), reason
        from main.rejected_lines where file not in ({DOCUMENTS}) order by file, line_number, part
        """,
        True,
    ),
    (
        """
        select format('{}, line {}: the action of {} does not count', file_key, line_number, policy), problem
        from reconciliation.action_problems where line_number is not null order by file_key, line_number
        """,
        True,
    ),
    (
        """
        select format('verifier audit of {} on {} ({}): {} ({:,})', model, dataset, cohort, problem, count(*)),
            min(mend) || ', for example ' || min(coalesce(arm || ', ', '') || coalesce(pair_id || ': ', '') || detail)
        from reconciliation.evaluation_problems group by model, dataset, cohort, problem order by cohort, dataset, model, problem
        """,
        False,
    ),
    (
        """
        select format('{} ({:,} debates, {:,} batteries): the model {} is in no seed', file_key, n_debates, n_batteries, model), mend
        from reconciliation.unmapped_lanes order by file_key, model
        """,
        False,
    ),
    (
        """
        select format(
                '{}: {:,} of {:,} debates hold names of agents that earlier rounds do not know, flips of {:,} are not counted: {}',
                file_key, any_value(n_file_debates_unknown), any_value(n_file_debates), any_value(n_file_debates_uncounted),
                array_to_string(list(format('{} ({:,})', agent, n_debates) order by n_debates desc, agent)[:8], ', ')
            ),
            coalesce(
                'if they are spellings of one agent, rows of seeds/agent_aliases.csv: '
                || string_agg(format('{} is {}', agent, proposed_agent), ', ' order by agent) filter (agent <> proposed_agent) || '; else ',
                ''
            ) || any_value(mend)
        from reconciliation.unmatched_agents where problem = 'unknown name' group by file_key order by file_key
        """,
        False,
    ),
    (
        """
        select format('{}, line {}: {}: {}', file_key, first_line_number, agent, problem), mend
        from reconciliation.unmatched_agents where problem <> 'unknown name' order by file_key, problem, agent
        """,
        False,
    ),
    (
        """
        select format('{}: {:,} debates are in no denominator', cohort, count(*)), reason || ', for example ' || min(debate_key)
        from reconciliation.unanswerable_debates group by cohort, reason order by cohort, reason
        """,
        False,
    ),
    (
        """
        select format('{}: {:,} debates stand there more than once ({})', lane, count(*), kind),
            'they count as often; to drop one, put its key into seeds/dropped_debates.csv, for example ' || max(debate_key)
        from reconciliation.duplicate_debates where not is_dropped group by lane, kind order by lane, kind
        """,
        False,
    ),
    (
        """
        select format('{}: {:,} batteries stand there more than once ({})', lane, count(*), kind),
            'they count as often; to drop one, put its key into seeds/dropped_batteries.csv, for example ' || max(battery_key)
        from reconciliation.duplicate_batteries where not is_dropped group by lane, kind order by lane, kind
        """,
        False,
    ),
    (
        """
        select format('{:,} probe batteries are not whole: {}', count(distinct battery_key), what),
            'they count as far as they go, for example ' || min(battery_key)
        from reconciliation.incomplete_batteries group by what order by what
        """,
        False,
    ),
    (
        """
        select format('{:,} debates store another value than a recount gives: {}', count(*), what),
            'the rule decides which of them counts (docs/definitions.md), for example ' || min(debate_key)
        from reconciliation.stored_disagreements group by what order by what
        """,
        False,
    ),
    (
        """
        select format('{}: {:,} debates ask for {}, and the rule {} compares their answers letter by letter',
                cohort, sum(n), string_agg(format('{} ({:,})', task_kind, n), ', ' order by kind_order), coding_rule),
            format('with 9.0 beside 9, or ties, the rule short_answer counts otherwise: {},short_answer,{},"…" in seeds/cohorts.csv',
                cohort, endpoint)
        from (
            select cohort, coding_rule, endpoint, task_kind, count(*) as n,
                list_position(['number', 'yes_no', 'label'], task_kind) as kind_order
            from intermediate.int_debates
            inner join staging.stg_debates using (debate_id)
            inner join intermediate.int_cohorts using (cohort)
            inner join seeds.coding_rules using (coding_rule)
            where task_kind in ('number', 'yes_no', 'label') and panel_decision in ('alphabetical', 'plurality')
            group by all
        )
        group by cohort, coding_rule, endpoint order by cohort
        """,
        False,
    ),
    (
        """
        select format('{}: {:,} answers are the word nan, none, null or n/a', file, n_missing_words),
            'they are labels as they stand; where they mean no answer, write null'
        from main.raw_files where n_missing_words > 0 order by file
        """,
        False,
    ),
    (
        """
        select format('{:,} probe batteries store another value than their replies give: {}', count(*), what),
            'for example ' || min(battery_key)
        from reconciliation.probe_disagreements group by what order by what
        """,
        False,
    ),
    (
        """
        select format('{}: nobody reads the key {} ({}, {:,} lines)', file_key, unread_key, place, n_lines),
            'if it is a known one under another name, rename it (docs/raw_files.md)'
        from reconciliation.unread_keys order by file_key, place, unread_key
        """,
        False,
    ),
)  # fmt: skip


#: Ends of names that logs have, and landing does not take.
ALMOST = (".ndjson", ".jsonl.zip", ".jsonl.bz2", ".jsonl.zst", ".jsonl.xz", ".jsonlines", ".parquet", ".xlsx")


def not_taken_up(folder: Path, foreign: Collection[str] = ()) -> list[Finding]:
    """Files that look like logs and end in what landing does not take, and a folder in which nothing ends in what it takes."""
    mend = "it lands *.jsonl, *.jsonl.gz and feature matrices *.csv, *.csv.gz: rename or convert it"
    # The receipt of `ledger import` lies beside its file, and is no log.
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.name.endswith(RECEIPT_SUFFIX)]
    taken = [p for p in files if p.name.endswith(SUFFIXES)]
    odd = [p for p in files if p not in taken and p.name.lower().endswith((*ALMOST, ".jsonl", ".jsonl.gz"))]
    own = folder.resolve().name
    odd = [p for p in odd if f"{own}/{p.relative_to(folder).as_posix()}" not in foreign]
    found = [Finding(f"{p.relative_to(folder)}: the file is not taken up", mend, True) for p in odd]
    if not taken and not odd and not foreign:
        found.append(Finding(f"{folder}: no file in it ends in .jsonl, .jsonl.gz, .csv or .csv.gz", "name the folder with your logs", True))
    return found


def foreign_logs(folder: Path, work: Path) -> tuple[list[Finding], set[str]]:
    """Logs of other tools in a folder, each with the `ledger import` call that reads it; and the names of their files.

    A file of which a line lands is none, whatever it looks like.
    """
    from debate_ledger.importers import sniff

    with duckdb.connect(str(work), read_only=True) as con:
        counts = "n_debate_lines + n_probe_lines + n_action_lines + n_evaluation_lines + n_audit_record_lines"
        rows = con.execute(f"select file from main.raw_files where status = 'landed' and coalesce({counts}, 0) > 0").fetchall()
    own = Path(folder.resolve().name)
    # Files are named from the folder on.
    lands = {Path(name).relative_to(own).as_posix() for (name,) in rows}
    found, names = [], set()
    for logs in sniff.foreign_logs(folder, lands):
        told = ", ".join(str(p.relative_to(folder)) for p in logs.named[: sniff.SHOWN])
        more = f" and {len(logs.named) - sniff.SHOWN} more" if len(logs.named) > sniff.SHOWN else ""
        mend = f"{logs.call(Path('data'))}   (and keep the logs themselves outside of the data folder)"
        if logs.mapping:
            mend = f"look at this mapping and save it as {logs.mapping_name}:\n" + indent(logs.mapping, "    ") + mend
        found.append(Finding(f"{told}{more}: {'logs' if len(logs.files) > 1 else 'a log'} of the format {logs.source_format}", mend, True))
        names |= {(own / p.relative_to(folder)).as_posix() for p in logs.files}
    return found, names


def findings(work: Path, foreign: Collection[str] = ()) -> list[Finding]:
    """What the audit models of a work file found, losses first; what is lost of a file of another tool is told once, with its import."""
    found: list[Finding] = []
    with duckdb.connect(str(work), read_only=True) as con:
        for sql, is_loss in CHECKS:
            rows = [(str(what), str(mend)) for what, mend in con.execute(sql).fetchall()]
            found += [Finding(what, mend, is_loss) for what, mend in rows if not (is_loss and re.split(r"[:,] ", what)[0] in foreign)]
    return found


def landed(work: Path) -> str:
    """How much came in, as a sentence."""
    with duckdb.connect(str(work), read_only=True) as con:
        counts = con.execute(
            """
            select count(*) filter (status = 'landed'), count(*), coalesce(sum(n_lines), 0)::bigint,
                coalesce(sum(n_debate_lines), 0)::bigint,
                coalesce(sum(n_probe_lines), 0)::bigint, coalesce(sum(n_action_lines), 0)::bigint,
                coalesce(sum(n_evaluation_lines + n_audit_record_lines), 0)::bigint
            from main.raw_files
            """
        ).fetchone()
    kinds = "{:,} of debates, {:,} of probes, {:,} of actions, {:,} of the verifier audit"
    return ("{} of {} files land, with {:,} lines: " + kinds + ".").format(*counts)
