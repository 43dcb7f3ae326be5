"""The ledger as text, from the published file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb

from debate_ledger.importers.agents import SHOWN, proposed_text
from debate_ledger.receipts import loss_lines

HEADER = (
    "model", "family", "rule", "debates", "not codable", "init. correct", "collapses", "corrections",
    "cond. collapse [95 % Wilson]", "onset r1 / r2 / r3 / r4 / later / no round",
)  # fmt: skip
RATE = """
    case when conditional_collapse is null then 'n/a' else
        format('{:.2f} % [{:.2f}, {:.2f}]', 100 * conditional_collapse,
               100 * conditional_collapse_ci_lower, 100 * conditional_collapse_ci_upper)
    end
"""


def _named(words: Mapping[str, str]) -> str:
    """SQL of counts with their names ("3 tie, 2 unread"), zeros and unknown ones left out; empty where nothing is left."""
    parts = (f"case when {count} > 0 then format('{{:,}} {word}', {count}) end" for count, word in words.items())
    return f"concat_ws(', ', {', '.join(parts)})"


def _resting(count: str) -> str:
    """SQL of a count, and in brackets what of it rests on unread panels or on ties."""
    parts = _named({f"n_{count}_unread": "unread", f"n_{count}_by_tie": "by tie"})
    return f"coalesce(n_{count} || ' (' || nullif({parts}, '') || ')', n_{count}::varchar)"


#: Why debates are in no cell.
NOT_CODABLE = {
    "n_undefined_no_gold": "no key", "n_undefined_no_initial": "no start", "n_undefined_no_final": "no end", "n_undefined_tie": "tie",
    "n_undefined_unread": "unread", "n_unavailable": "not by this rule",
}  # fmt: skip
#: The mark of a row whose sign rests on unread panels.
SIGN_MARK = "±"
COUNTS = f"""
    coding_rule || ' @ ' || endpoint, n_debates, coalesce(nullif({_named(NOT_CODABLE)}, ''), '0'), n_initial_correct,
    {_resting("collapse")}, {_resting("correction")} || case when is_sign_unread then ' {SIGN_MARK}' else '' end, {RATE}
"""
MODELS = f"""
    select model, family, {COUNTS},
        concat_ws(' / ', n_onset_r1, n_onset_r2, n_onset_r3, n_onset_r4, n_onset_later, n_unlocalized)
        || coalesce(' (' || nullif({_named({"n_onset_unread": "unread", "n_onset_by_tie": "by tie"})}, '') || ')', '')
    from model_ledger where cohort = ? order by model
"""
COHORT = f"""
    select 'all models', '', {COUNTS}, ''
    from cohort_ledger where cohort = ? order by all
"""
SIGNS = """
    select count(*), min(model), min_by(net_corrections_lower, model), min_by(net_corrections_upper, model)
    from model_ledger where cohort = ? and is_sign_unread
"""
#: Lanes that lose more answers the longer a debate runs.
LOSSES = """
    select lane, profile, any_value(trend_p),
        string_agg(format('{:.1f} % in round {}', 100 * unparsed_rate, round), ', ' order by round)
    from parse_losses where cohort = ? and is_loss_rising
    group by lane, profile order by profile <> 'stored', lane, profile
"""
PROBE_HEADER = ("probe lane", "screens", "batteries", "unparsed", "alpha_tot [95 %]", "definition", "S/A", "cond. collapse")
PROBES = """
    select lane,
        coalesce(cohort || ' / ' || model || case when is_overlap_low then ' (other questions)' else '' end, ''),
        coalesce(n_probe_rows::varchar, ''),
        coalesce(format('{:.1f} %', 100 * parser_none_rate), ''),
        coalesce(format('{:.3f}', alpha_tot) || coalesce(format(' [{:.3f}, {:.3f}]', alpha_tot_ci_lower, alpha_tot_ci_upper), ''), 'n/a'),
        alpha_definition,
        coalesce(format('{:.3f}', social_argument_ratio), ''),
        coalesce(format('{:.2f} %', 100 * conditional_collapse), '')
    from screen where n_probe_rows is not null or n_debates is not null
    order by cohort is null, cohort, lane
"""
POLICY_HEADER = (
    "policy", "cohort", "rule", "debates", "not decided", "fired", "prevented", "lost", "gained", "broken", "abstained", "net",
)  # fmt: skip
AUDIT_HEADER = (
    "verifier", "data set", "cohort", "arm", "threshold", "counterexamples", "pairs", "undecided", "ratio", "mean bound at .95",
)  # fmt: skip
#: Policies that landed, under the rule of their cohort.
POLICIES = """
    select replay.policy, replay.cohort, replay.coding_rule || ' @ ' || replay.endpoint, replay.n_debates, replay.n_undecidable,
        replay.n_fired,
        replay.n_prevented, replay.n_lost + replay.n_lost_undecided, replay.n_gained, replay.n_broken,
        replay.n_abstained_right + replay.n_abstained_wrong, replay.net
    from replay
    inner join (select distinct cohort, policy, coding_rule from policy_report) as report using (cohort, policy, coding_rule)
    order by replay.cohort, replay.policy
"""
AUDITS = """
    select ratios.model, ratios.dataset, ratios.cohort, ratios.arm, ratios.epsilon || ' (' || ratios.epsilon_source || ')',
        ratios.n_counterexample, ratios.n_pairs, ratios.n_undecided, coalesce(round(ratios.counterexample_ratio, 4)::varchar, ''),
        coalesce(round(bounds.average_bound_all, 4)::varchar, '')
    from counterexample_ratios as ratios
    left join average_bounds as bounds
        on ratios.cohort = bounds.cohort and ratios.dataset = bounds.dataset and ratios.model = bounds.model and ratios.arm = bounds.arm
        and ratios.epsilon_name = bounds.epsilon_name and bounds.eta = '0.05'
    where ratios.is_headline
    order by ratios.cohort, ratios.dataset, ratios.model, ratios.arm
"""
AUDIT_PROBLEMS = """
    select cohort, model, problem, count(*), min(coalesce(pair_id || ', ', '') || detail) from evaluation_problems group by all order by all
"""
ALIAS_PROBLEMS = """
    select problem, string_agg(agent, ', ' order by agent), max(n_debates) from unmatched_agents
    where problem <> 'unknown name' group by problem order by problem
"""
ACTION_PROBLEMS = """
    select policy, split_part(problem, ':', 1), count(distinct file_key || ':' || line_number) from action_problems
    where line_number is not null group by all order by all
"""
#: Seeds whose rows meet something in every build, so that one that does not is worth a line.
LOUD_SEEDS = (
    "dropped_debates", "dropped_batteries", "association_tests", "groupings", "model_traits", "joint_drops", "inference_settings",
    "dose_floor_pairs", "reproduction_sources", "reproduction_exceptions",
)  # fmt: skip
#: Of these, the ones whose rows begin with the key of a file.
DROPS = ("dropped_debates", "dropped_batteries")
#: After a number of answers.
MISSING_WORDS = "answers are the word nan, none, null or n/a: labels as they stand; where they mean no answer, write null."
REPRODUCED = """
    select study, n_reproduced, n_statistics, n_value_reproduced_only, n_differ, n_inputs_unpublished, n_not_attempted
    from reproduction_summary order by study
"""


def _table(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    text = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*text, strict=True)]
    columns = zip(*rows[1:], strict=True) if len(rows) > 1 else [()] * len(widths)
    is_number = [all(isinstance(cell, int) or str(cell).replace(".", "").isdigit() or cell == "" for cell in c) for c in columns]
    for i, row in enumerate(text):
        cells = (c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, is_number, strict=True))
        yield ("  " + "  ".join(cells)).rstrip()
        if i == 0:
            yield "  " + "  ".join("-" * w for w in widths)


def query_text(published: Path, sql: str) -> str:
    """Rows of one query on the published file, as an aligned table. Raises duckdb.Error for a missing file or wrong SQL."""
    with duckdb.connect(str(published), read_only=True) as con:
        result = con.execute(sql) if sql.strip() else None
        if result is None or result.description is None:
            raise ValueError("there is no query in it")
        names = [column[0] for column in result.description]
        rows = [["" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else cell for cell in row] for row in result.fetchall()]
    return "\n".join([*_table([names, *rows]), f"  ({len(rows)} rows)"])


def ledger_text(published: Path) -> str:
    """The model rows of every cohort, the probe lanes, what was rejected, what could not be read. Raises duckdb.IOException without it."""
    lines: list[str] = []
    with duckdb.connect(str(published), read_only=True) as con:
        cohorts = con.execute(
            """
            select cohort, any_value(coalesce(description, 'the folder of this name')), bool_and(coalesce(is_invented, false))
            from cohort_lanes left join cohorts using (cohort) left join raw_files using (file_key)
            where is_included group by cohort order by cohort = 'primary' desc, bool_and(coalesce(is_invented, false)), cohort
            """
        ).fetchall()
        for cohort, description, is_invented in cohorts:
            models = con.execute(MODELS, [cohort]).fetchall()
            lines += [f"Cohort {cohort}{' (INVENTED, no result)' if is_invented else ''}: {description}"]
            if not models:
                lines += ["  no debate that a coding rule can answer: see unanswerable_debates", ""]
                continue
            total = con.execute(COHORT, [cohort]).fetchall() if len({row[2] for row in models}) == 1 else []
            lines += [*_table([HEADER, *models, *total])]
            n_signs, model, lower, upper = con.execute(SIGNS, [cohort]).fetchone()
            if n_signs:
                lines += [
                    f"  {SIGN_MARK} The sign of corrections - collapses rests on panels that were not read: of {model}, they may be"
                    f" anything from {lower:+,} to {upper:+,} (net_corrections_lower and _upper of model_ledger)."
                ]
            if con.execute("select max(max_rounds) from model_ledger where cohort = ?", [cohort]).fetchone() == (0,):
                lines += ["  Nobody debated here: these panels end as they began, so none can collapse or be corrected."]
            for lane, profile, p, shares in con.execute(LOSSES, [cohort]).fetchall():
                which = "stored answers" if profile == "stored" else f"answers by {profile}"
                lines += [
                    f"  Unparsed {which} of {lane} grow with the rounds (p = {p:.4f}): {shares}."
                    " Every such loss can look like a collapse (table parse_losses)."
                ]
            lines += [""]
        lines += _losses(con)
        probes = con.execute(PROBES).fetchall()
        if probes:
            lines += [
                "Probe lanes, and the rows of the ledger that they screen (seeds/screen_lanes.csv):",
                *_table([PROBE_HEADER, *probes]),
                "",
            ]
        policies = con.execute(POLICIES).fetchall()
        if policies:
            lines += ["Policies of actions files, on the debates that they decide (table replay):", *_table([POLICY_HEADER, *policies]), ""]
        audits = con.execute(AUDITS).fetchall()
        if audits:
            lines += ["Verifier audits at their headline threshold (table counterexample_ratios):", *_table([AUDIT_HEADER, *audits]), ""]
        info = con.execute(
            """
            select n_files_landed, n_lines, n_debate_lines, n_probe_lines, n_action_lines,
                n_evaluation_lines + n_audit_record_lines, n_rejected_lines, n_header_lines + n_blank_lines
            from build_info
            """
        ).fetchone()
        lines += [
            "Landed {} files with {:,} lines: {:,} of debates, {:,} of probes, {:,} of actions, {:,} of the verifier audit, "
            "{:,} rejected, {:,} headers and blank lines.".format(*info)
        ]
        n_parts = con.execute("select count(*) from rejected_lines where part is not null").fetchone()[0]
        if n_parts:
            lines += [f"Rejected parts of lines that are staged otherwise: {n_parts}."]
        rejected = con.execute("select file, line_number, part, reason from rejected_lines order by all limit 20").fetchall()
        n_rejected = con.execute("select count(*) from rejected_lines").fetchone()[0]
        for file, number, part, reason in rejected:
            lines += [f"  {file}, line {number}{f', {part}' if part else ''}: {reason}"]
        if n_rejected > len(rejected):
            lines += [f"  … and {n_rejected - len(rejected):,} more in the table rejected_lines"]
        for status, file, reason in con.execute(
            "select status, file, reason from raw_files where status <> 'landed' order by all"
        ).fetchall():
            lines += [f"File {status}: {file}: {reason}"]
        for file, n in con.execute("select file, n_missing_words from raw_files where n_missing_words > 0 order by all").fetchall():
            lines += [f"{file}: {n:,} {MISSING_WORDS}"]
        for cohort, model, problem, n, example in con.execute(AUDIT_PROBLEMS).fetchall():
            lines += [f"Verifier audit of {model} ({cohort}): {problem}, {n:,} (table evaluation_problems), for example {example}."]
        for policy, problem, n in con.execute(ACTION_PROBLEMS).fetchall():
            lines += [f"Actions of {policy} that do not count: {n:,} {problem} (table action_problems)."]
        n_incomplete = con.execute("select count(distinct battery_key) from incomplete_batteries").fetchone()[0]
        if n_incomplete:
            lines += [f"Probe batteries that are not whole: {n_incomplete:,}; they count as far as they go (table incomplete_batteries)."]
        # A row that drops something of a file that did not land belongs to another study.
        lost = f"""
            select seed, seed_row from unmatched_seed_rows where seed in {LOUD_SEEDS}
                and (seed not in {DROPS} or regexp_replace(seed_row, ':[0-9]+(:[^:]+)?$', '') in (select file_key from raw_files))
            order by all
        """
        for seed, key in con.execute(lost).fetchall():
            lines += [f"The row {key} of seeds/{seed}.csv meets nothing: its key may have changed, or be misspelt."]
        unknown = con.execute("select distinct model from unmapped_lanes order by all").fetchall()
        if unknown:
            lines += [f"Models without a row in seeds/models.csv (family unassigned): {', '.join(m for (m,) in unknown)}."]
        lines += _unmatched_agents(con)
        changes = con.execute("select kind, count(*) from build_diff where kind <> 'build' group by all order by all").fetchall()
        if changes:
            counted = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in changes)
            lines += [f"Changed since the last published build: {counted} (table build_diff)."]
        for row in con.execute(REPRODUCED).fetchall():
            lines += [
                "Published statistics of {}: {} of {} reproduced, {} more but for an interval, {} known differences, "
                "{} with unpublished inputs, {} not attempted.".format(*row)
            ]
    return "\n".join(lines)


def _unmatched_agents(con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """What is told of agents whose names do not meet: the flips that are not counted, and what may be spellings of one agent."""
    files = "select distinct file_key, n_file_debates, n_file_debates_unknown, n_file_debates_uncounted from unmatched_agents"
    counts = con.execute(f"select sum(#3)::bigint, sum(#2)::bigint, sum(#4)::bigint from ({files}) having sum(#3) > 0").fetchone()
    if counts:
        yield (
            "{:,} debates of {:,} hold names of agents that earlier rounds do not know: flips of {:,} of them are not counted;"
            " see the table unmatched_agents.".format(*counts)
        )
    proposed = con.execute(
        "select file_key, list((agent, proposed_agent) order by agent) from unmatched_agents where proposed_agent is not null"
        " group by file_key order by max(n_file_debates_uncounted) desc, file_key"
    ).fetchall()
    for file_key, names in proposed[:SHOWN]:
        yield f"  Names of {file_key} that may be of one agent, for seeds/agent_aliases.csv: {proposed_text(dict(names))}."
    if len(proposed) > SHOWN:
        yield f"  … and of {len(proposed) - SHOWN:,} more files, in the same table"
    for problem, names, n in con.execute(ALIAS_PROBLEMS).fetchall():
        yield f"seeds/agent_aliases.csv, {problem}: {names} ({n:,} debates; table unmatched_agents)."


def _losses(con: duckdb.DuckDBPyConnection) -> list[str]:
    """What was lost when the logs of each cohort were imported, and receipts that say nothing of the file beside them."""
    lines = loss_lines(con.sql("from import_losses order by cohort").to_arrow_table().to_pylist())
    problems = con.execute("select file_key, problem from import_receipts where problem is not null order by all").fetchall()
    lines += [f"Receipt of {key}: {problem}." for key, problem in problems]
    return [*lines, ""] if lines else []


def policy_text(work: Path, file_name: str) -> str:
    """What the policies of one actions file come to, from a work file: counts, the checklist, and the actions that do not count.

    ``file_name`` is the file's name in a data folder called ``actions``.
    """
    lines: list[str] = []
    with duckdb.connect(str(work), read_only=True) as con:
        con.execute(
            "create temp table own as"
            " select distinct policy from staging.stg_actions inner join landing.raw_files using (file_key) where file = ?",
            [f"actions/{file_name}"],
        )
        policies = con.execute(f"from ({POLICIES}) where policy in (from own)").fetchall()
        if policies:
            lines += [*_table([POLICY_HEADER, *policies]), ""]
        else:
            lines += [f"{file_name}: no policy of it is scored.", ""]
        for policy, cohort in con.execute(
            "select distinct policy, cohort from policy_report where policy in (from own) order by all"
        ).fetchall():
            items = con.execute(
                "select case when is_present then 'yes' else 'NO' end, item, detail from policy_report"
                " where policy = ? and cohort = ? order by item_number", [policy, cohort]
            ).fetchall()  # fmt: skip
            lines += [f"Checklist of {policy} on {cohort} (paper, E.8):", *_table([("there", "item", "detail"), *items]), ""]
        problems = con.execute(
            "select file_key || ', line ' || line_number, problem from reconciliation.action_problems"
            " where line_number is not null and policy in (from own) order by file_key, line_number limit 20"
        ).fetchall()  # fmt: skip
        problems += con.execute(
            "select file || ', line ' || line_number, reason from rejected_lines where file = ? order by line_number limit 20",
            [f"actions/{file_name}"],
        ).fetchall()
        lines += [f"{place}: {problem}" for place, problem in problems]
    return "\n".join(lines)
