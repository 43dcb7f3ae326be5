"""Reuse cards: what someone who wants to reuse an evaluation must know about one row or lane of the ledger.

A card is a JSON file in the fields of the published field catalogue (`ledger_formats` 1.15), checked against a JSON Schema of ours, with a
Markdown rendering beside it. Every value comes from the published file. What that file does not hold is null, and ``nulls`` says why.
Beside each rate stand its denominator and its interval, which the catalogue does not ask for.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import jsonschema

from debate_ledger.files import write_text
from debate_ledger.intervals import wilson_interval

SCHEMA_VERSION = "0.1"
ARTIFACT_TYPE = "debate_evaluation_reuse_card_instance"
#: The gate that a card is about, and what a prevented collapse and a lost correction weigh.
GATE = "r1_majority_changed"
WEIGHT_COLLAPSE = 1.0
WEIGHT_CORRECTION = 1.0
#: Name of the metadata file that `croissant` writes beside the Parquet files.
METADATA_FILE = "croissant.json"
OBJECTS = ("identity", "question_pool", "selection_time_fingerprint", "debate_outcome_accounting", "signed_utility", "release")

Card = dict[str, Any]
Row = dict[str, Any]

#: One row per ledger row and probe lane that screens it; a row that none screens has one with a null probe_lane.
MODEL_ROWS = """
    select model_ledger.*, screen.lane as probe_lane,
        count(*) over (partition by model_ledger.cohort, model_ledger.model, model_ledger.family) as n_screens
    from model_ledger left join screen using (cohort, model)
    order by cohort, model, family, probe_lane
"""
#: One row per lane that counts in a cohort, under the rule that speaks for its model.
DEBATE_LANES = """
    select
        lanes.cohort, lanes.lane, lanes.file_key, lanes.model, lanes.family, model_ledger.coding_rule, model_ledger.endpoint,
        count(debates.debate_key) as n_debates,
        min(debates.n_agents) as min_agents, max(debates.n_agents) as max_agents,
        min(debates.last_round) as min_rounds, max(debates.last_round) as max_rounds,
        count(*) filter (where cell = 'undefined') as n_undefined,
        count(*) filter (where cell in ('preserved', 'collapse')) as n_initial_correct,
        count(*) filter (where cell <> 'undefined' and initial_state = 'wrong') as n_initial_wrong,
        count(*) filter (where cell in ('preserved', 'correction', 'undecided_correct')) as n_final_correct,
        count(*) filter (where cell = 'collapse') as n_collapse,
        count(*) filter (where cell = 'correction') as n_correction,
        if(max(debates.n_agents) is null, null, count(*) filter (where cell = 'collapse' and (is_initial_unread or is_final_unread)))
            as n_collapse_unread,
        if(max(debates.n_agents) is null, null, count(*) filter (where cell = 'collapse' and (is_initial_tied or is_final_tied)))
            as n_collapse_by_tie,
        if(max(debates.n_agents) is null, null, count(*) filter (where cell = 'correction' and (is_initial_unread or is_final_unread)))
            as n_correction_unread,
        if(max(debates.n_agents) is null, null, count(*) filter (where cell = 'correction' and (is_initial_tied or is_final_tied)))
            as n_correction_by_tie,
        count(*) filter (where undefined_reason = 'unread') as n_undefined_unread,
        count(*) filter (where cell = 'collapse' and onset_round = 1) as n_onset_r1,
        count(*) filter (where cell = 'collapse' and onset_round = 2) as n_onset_r2,
        count(*) filter (where cell = 'collapse' and onset_round = 3) as n_onset_r3,
        count(*) filter (where cell = 'collapse' and onset_round = 4) as n_onset_r4,
        count(*) filter (where cell = 'collapse' and onset_round > 4) as n_onset_later,
        count(*) filter (where cell = 'collapse' and onset_round is null) as n_unlocalized,
    from cohort_lanes as lanes
    left join model_ledger on lanes.cohort = model_ledger.cohort and lanes.model = model_ledger.model
        and lanes.family is not distinct from model_ledger.family
    left join debates on lanes.cohort = debates.cohort and lanes.lane = debates.lane and lanes.file_key = debates.file_key
        and model_ledger.coding_rule = debates.coding_rule and model_ledger.endpoint = debates.endpoint
    where lanes.is_included
    group by all
    order by lanes.cohort, lanes.lane, lanes.file_key
"""
PROBE_LANES = """
    select lane as probe_lane, any_value(probe_model) as model, any_value(probe_family) as family,
        list(distinct cohort || ' / ' || model order by cohort || ' / ' || model) filter (where cohort is not null) as screens,
        list(distinct cohort order by cohort) filter (where cohort is not null) as cohorts
    from screen group by lane order by lane
"""
#: What a gate does with the debates of one lane.
LANE_REPLAY = """
    select
        count(*) as n_debates,
        count(*) filter (where action_name not in ('abstain', 'defer')) as n_answered,
        count(*) filter (where action_name <> 'keep') as n_fired,
        count(*) filter (where decisions.cell = 'collapse') as n_collapse,
        count(*) filter (where decisions.cell = 'correction') as n_correction,
        count(*) filter (where decisions.cell = 'collapse' and policy_state = 'right') as n_prevented,
        count(*) filter (where decisions.cell = 'correction' and policy_state <> 'right') as n_lost,
        count(*) filter (where policy_state = 'right') - count(*) filter (where decisions.final_state = 'right') as net,
    from replay_decisions as decisions
    inner join debates using (cohort, debate_key, coding_rule, endpoint)
    where cohort = ? and lane = ? and file_key = ? and coding_rule = ? and endpoint = ? and policy = ?
"""
MODEL_REPLAY = """
    select * from replay_by_model where cohort = ? and model = ? and coding_rule = ? and endpoint = ? and policy = ?
"""
OTHER_GATES = """
    select policy as gate_name, n_prevented as collapses_prevented, n_lost as corrections_lost, n_fired, n_answered, net
    from replay_by_model
    where cohort = ? and model = ? and coding_rule = ? and endpoint = ? and source = 'gate' and is_deployable and policy <> ?
    order by policy
"""
QUESTIONS = "select distinct question_id from debates where cohort = ? and model = ? and coding_rule = ? and endpoint = ? {} order by all"
BENCHMARKS = "select distinct benchmark from debates where cohort = ? and model = ? and coding_rule = ? and endpoint = ? {} order by all"
FILES = """
    select file_key, file, sha256, release, is_invented, licence, attribution, list_contains(string_split(dialects, ', '), 'M') as is_matrix
    from raw_files where file_key in (select unnest(?::varchar[])) order by file_key
"""
CHANNELS = """
    select channel,
        flip_rate_dropped as flip_rate, flip_rate_dropped_n as flip_rate_n,
        flip_rate_dropped_ci_lower as flip_rate_ci_lower, flip_rate_dropped_ci_upper as flip_rate_ci_upper,
        alpha_adv, alpha_adv_n, alpha_adv_ci_lower, alpha_adv_ci_upper, alpha_cor, alpha_cor_n, alpha_cor_ci_lower, alpha_cor_ci_upper
    from flip_rates where lane = ? and condition = 'default' and strength = 'all' and channel in ('solo', 'social') order by channel desc
"""

#: What unread panels may make of corrections minus collapses, of a ledger row.
SIGN = ("net_corrections_lower", "net_corrections_upper", "is_sign_unread")
#: What of the counts rests on panels that unparsed answers could decide, or on ties.
RESTING = ("n_collapse_unread", "n_collapse_by_tie", "n_correction_unread", "n_correction_by_tie")
NO_DEBATES = "a probe lane holds no debates; the card of a ledger row that it screens has both sides"
NO_PROBES = "a debate lane holds no probes; the card of its model row has those that screen it"
UNSCREENED = "no probe lane screens this row (seeds/screen_lanes.csv)"
COUNTS_ONLY = "only published counts of the probes are known, and they do not tell"
MEAN_OF_CHANNELS = "a mean of two channels has no binomial interval; channels has those of its parts"
NOT_PUBLISHED = "the published file does not hold it"


@cache
def card_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every card meets."""
    return json.loads((resources.files("debate_ledger") / "schemas" / "reuse_card.schema.json").read_text(encoding="utf-8"))


def check_card(card: Mapping[str, Any]) -> None:
    """Raise jsonschema.ValidationError unless the card meets the schema, with the place of the first problem in its message."""
    jsonschema.Draft202012Validator(card_schema()).validate(card)


def _rows(con: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
    result = con.execute(sql, list(parameters))
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _rate(name: str, value: float | None, n: int | None, lower: float | None, upper: float | None, interval: str) -> Row:
    """A rate with its denominator and 95 % interval beside it, and the interval's name where there is one; a null rate stands alone."""
    if value is None:
        return {name: None}
    ends = {f"{name}_ci_lower": lower, f"{name}_ci_upper": upper}
    return {name: value, f"{name}_n": n, **ends, **({} if lower is None else {f"{name}_interval": interval})}


def _wilson(name: str, successes: int | None, trials: int | None) -> Row:
    """A proportion with its Wilson interval; nulls without a trial."""
    if not trials or successes is None:
        return {name: None}
    return _rate(name, successes / trials, trials, *wilson_interval(successes, trials), "Wilson, 95 %")


def ids_hash(question_ids: Sequence[str]) -> str:
    """SHA-256 of the sorted distinct ids, each followed by a line feed, as 64 hexadecimal digits."""
    return hashlib.sha256("".join(f"{q}\n" for q in sorted(set(question_ids))).encode()).hexdigest()


def net_utility(prevented: int, lost: int, w_coll: float = WEIGHT_COLLAPSE, w_corr: float = WEIGHT_CORRECTION) -> float:
    """w_coll × prevented collapses − w_corr × lost corrections, in debates (paper, section 6; `ledger_formats` 2.19)."""
    return w_coll * prevented - w_corr * lost


def _fingerprint(con: duckdb.DuckDBPyConnection, lane: str | None, cohort: str | None, model: str | None, why: str) -> tuple[Row, Row, Row]:
    """(fingerprint, reasons of its nulls, screen row) of a probe lane; all null for the reason ``why`` where there is none."""
    fields = ("alpha_tot", "alpha_adv", "alpha_cor", "social_argument_ratio", "n_probe_rows", "n_probe_completions", "parser_none_rate")
    if lane is None:
        return dict.fromkeys(fields), dict.fromkeys(fields, why), {}
    found = _rows(
        con,
        "select * from screen where lane = ? and (? is null or (cohort = ? and model = ?)) order by cohort, model limit 1",
        [lane, cohort, cohort, model],
    )
    row = found[0]
    print_ = {
        **_rate(
            "alpha_tot", row["alpha_tot"], row["alpha_tot_n"], row["alpha_tot_ci_lower"], row["alpha_tot_ci_upper"],
            "bootstrap over questions, 95 %",
        ),
        "alpha_definition": row["alpha_definition"],
        **_rate("alpha_adv", row["alpha_adv"], row["alpha_adv_n"], None, None, ""),
        **_rate("alpha_cor", row["alpha_cor"], row["alpha_cor_n"], None, None, ""),
        "social_argument_ratio": row["social_argument_ratio"],
        **_rate(
            "sa_question_mean", row["sa_question_mean"], row["sa_question_mean_n"], row["sa_question_mean_ci_lower"],
            row["sa_question_mean_ci_upper"], "bootstrap over questions, 95 %",
        ),
        "n_probe_rows": row["n_probe_rows"],
        "n_probe_completions": row["n_probe_completions"],
        **_wilson("parser_none_rate", row["n_probe_unparsed"], row["n_probe_completions"]),
        "n_probe_unparsed": row["n_probe_unparsed"],
        "probe_lane": lane,
        "is_from_published_counts": row["is_from_published_counts"],
        "channels": {
            r["channel"]: {
                key: value
                for name in ("flip_rate", "alpha_adv", "alpha_cor")
                for key, value in _rate(
                    name, r[name], r[f"{name}_n"], r[f"{name}_ci_lower"], r[f"{name}_ci_upper"], "Wilson, 95 %"
                ).items()
            }
            for r in _rows(con, CHANNELS, [lane])
        },
    }  # fmt: skip
    untold = COUNTS_ONLY if row["is_from_published_counts"] else "the replies of the lane do not tell it"
    nulls = {name: MEAN_OF_CHANNELS if name.startswith(("alpha_adv_", "alpha_cor_")) else untold for name in print_ if print_[name] is None}
    for channel, rates in print_["channels"].items():
        nulls |= {f"channels.{channel}.{name}": untold for name, value in rates.items() if value is None}
    return print_, nulls, row


def _accounting(row: Row, is_lane: bool) -> tuple[Row, Row]:
    """(accounting, reasons of its nulls) of a ledger row, or of a lane whose rates are made here from its counts."""
    if not row["n_debates"]:
        fields = (
            "n_debates", "initial_majority_accuracy", "final_majority_accuracy", "conditional_collapse_rate", "conditional_correction_rate",
        )  # fmt: skip
        why = "the coding rule of the model's row has no answer for a debate of this lane (rule_sensitivity has the reason)"
        onset = dict.fromkeys(("r1", "r2", "r3"))
        nulls = dict.fromkeys(fields, why) | {f"collapse_onset_distribution.{r}": why for r in onset}
        return dict.fromkeys(fields) | {"collapse_onset_distribution": onset}, nulls
    if is_lane:
        n_defined = row["n_debates"] - row["n_undefined"]
        rates = {
            **_wilson("initial_majority_accuracy", row["n_initial_correct"], n_defined),
            **_wilson("final_majority_accuracy", row["n_final_correct"], n_defined),
            **_wilson("conditional_collapse_rate", row["n_collapse"], row["n_initial_correct"]),
            **_wilson("conditional_correction_rate", row["n_correction"], row["n_initial_wrong"]),
        }
    else:
        names = {
            "initial_majority_accuracy": "initial_accuracy",
            "final_majority_accuracy": "final_accuracy",
            "conditional_collapse_rate": "conditional_collapse",
            "conditional_correction_rate": "conditional_correction",
        }
        rates = {}
        for ours, name in names.items():
            rates |= _rate(ours, *(row[f"{name}{end}"] for end in ("", "_n", "_ci_lower", "_ci_upper")), "Wilson, 95 %")
    accounting = {
        "n_debates": row["n_debates"],
        **rates,
        "collapse_onset_distribution": {
            "r1": row["n_onset_r1"], "r2": row["n_onset_r2"], "r3": row["n_onset_r3"], "r4": row["n_onset_r4"],
            "later": row["n_onset_later"], "no_round": row["n_unlocalized"],
        },
        **{name: row[name] for name in ("coding_rule", "endpoint", "n_undefined", "n_initial_correct", "n_initial_wrong")},
        **{name: row[name] for name in ("n_final_correct", "n_collapse", "n_correction")},
        "net_corrections": row["n_correction"] - row["n_collapse"],
        "n_undefined_unread": row["n_undefined_unread"],
        **{name: row[name] for name in RESTING},
        **({} if is_lane else {name: row[name] for name in SIGN}),
    }  # fmt: skip
    why = dict.fromkeys((*RESTING, *SIGN), "the sources hold no answers of the agents, so nothing tells what was not parsed or tied")
    below = "its denominator is below the minimum of the build"
    return accounting, {name: why.get(name, below) for name, value in accounting.items() if value is None}


def _utility(found: Sequence[Row], cohort: str | None, why: str) -> tuple[Row, Row]:
    """(signed utility of the gate, reasons of its nulls); null for the reason ``why`` where the gate decides none of the debates."""
    if not found or not found[0]["n_debates"]:
        fields = (
            "w_coll", "w_corr", "gate_name", "validation_cohort_id", "collapses_prevented", "corrections_lost", "net_utility",
            "accuracy_delta",
        )  # fmt: skip
        return dict.fromkeys(fields), dict.fromkeys(fields, why)
    row = found[0]
    utility = {
        "w_coll": WEIGHT_COLLAPSE,
        "w_corr": WEIGHT_CORRECTION,
        "gate_name": GATE,
        "validation_cohort_id": cohort,
        "collapses_prevented": row["n_prevented"],
        "corrections_lost": row["n_lost"],
        "net_utility": net_utility(row["n_prevented"], row["n_lost"]),
        "accuracy_delta": row["net"] / row["n_answered"] if row["n_answered"] else None,
        "accuracy_delta_n": row["n_answered"],
        "n_collapse": row["n_collapse"],
        "n_correction": row["n_correction"],
        "n_fired": row["n_fired"],
    }
    return utility, {} if row["n_answered"] else {"accuracy_delta": "the gate answers none of the debates"}


def _other_gate(row: Row) -> Row:
    """One row of OTHER_GATES in the fields of a card."""
    n, net = row.pop("n_answered"), row.pop("net")
    worth = net_utility(row["collapses_prevented"], row["corrections_lost"])
    return row | {"net_utility": worth, "accuracy_delta": net / n if n else None, "accuracy_delta_n": n}


def _release(files: Sequence[Row], kind: str, fingerprint: Row, has_answers: bool) -> tuple[Row, Row]:
    """(release, reasons of its nulls). Only files that the seeds give a licence make a feature matrix open."""
    matrices = [file for file in files if file["is_matrix"]]
    missing = []
    if kind != "probe_lane" and not has_answers:
        missing.append("answers of the agents: the sources hold correctness only")
    if kind != "probe_lane":
        missing.append("transcripts: model texts are not published")
    if fingerprint.get("is_from_published_counts"):
        missing.append("probe rows: only their counts are published")
    elif kind == "model_row" and fingerprint.get("probe_lane") is None:
        missing.append("probe rows: no lane screens this row")
    if kind != "debate_lane":
        missing.append("probe templates: texts of probes are not landed")
    release = {
        "aggregate_fields_open": True,
        "probe_templates_open_or_gated": "gated",
        "full_transcripts_open_or_gated": "gated",
        "r1_feature_matrix_open_or_gated": "open" if matrices and all(file["licence"] for file in matrices) else None,
        "known_missing_artifacts": missing,
        "metadata_file": METADATA_FILE,
    }
    why = "no licence is known for the feature matrix" if matrices else "the sources are no feature matrix"
    return release, {} if release["r1_feature_matrix_open_or_gated"] else {"r1_feature_matrix_open_or_gated": why}


def _build(con: duckdb.DuckDBPyConnection, kind: str, row: Row) -> Card:
    """One card from a row of MODEL_ROWS, DEBATE_LANES or PROBE_LANES."""
    is_probe = kind == "probe_lane"
    cohort, model, lane = row.get("cohort"), row["model"], row.get("lane")
    key = [cohort, model, row.get("coding_rule"), row.get("endpoint")]
    probe_lane = row.get("probe_lane")
    fingerprint, fingerprint_nulls, screen = _fingerprint(
        con, probe_lane, None if is_probe else cohort, None if is_probe else model, NO_PROBES if kind == "debate_lane" else UNSCREENED
    )
    if is_probe:
        lanes = _rows(con, "select lane, file_key from probe_parser_audit where lane = ?", [probe_lane])
        questions = [r["question_id"] for r in _rows(con, "select distinct question_id from question_screen where lane = ?", [probe_lane])]
        benchmarks: list[str | None] = []
        accounting, accounting_nulls = _accounting({"n_debates": 0}, is_lane=True)
        accounting_nulls = dict.fromkeys(accounting_nulls, NO_DEBATES)
        utility, utility_nulls = _utility([], None, NO_DEBATES)
    else:
        extra, more = ("and lane = ? and file_key = ?", [lane, row["file_key"]]) if kind == "debate_lane" else ("", [])
        questions = [r["question_id"] for r in _rows(con, QUESTIONS.format(extra), [*key, *more])]
        benchmarks = [r["benchmark"] for r in _rows(con, BENCHMARKS.format(extra), [*key, *more])]
        accounting, accounting_nulls = _accounting(row, is_lane=kind == "debate_lane")
        if kind == "debate_lane":
            replayed = _rows(con, LANE_REPLAY, [cohort, lane, row["file_key"], *key[2:], GATE])
            lanes = [row]
        else:
            replayed = _rows(con, MODEL_REPLAY, [*key, GATE])
            others = _rows(con, OTHER_GATES, [*key, GATE])
            lanes = _rows(con, "select distinct lane, file_key from debates where cohort = ? and model = ? and coding_rule = ?"
                               " and endpoint = ? order by all", key)  # fmt: skip
        utility, utility_nulls = _utility(replayed, cohort, f"the gate {GATE} scores none of these debates under this rule")
        if kind == "model_row" and replayed:
            utility["other_gates"] = [_other_gate(r) for r in others]
    files = _rows(con, FILES, [[r["file_key"] for r in lanes]])
    info = _rows(con, "select ledger_version, input_sha256 from build_info")[0]
    named = sorted(b for b in benchmarks if b is not None)
    stored = _rows(
        con, "select distinct stored_model from cohort_lanes where lane in (select unnest(?::varchar[])) and stored_model is not null"
             " order by all", [[r["lane"] for r in lanes]],
    )  # fmt: skip
    release, release_nulls = _release(files, kind, fingerprint, has_answers=row.get("max_agents") is not None)
    is_one_benchmark = len(named) == 1 and None not in benchmarks
    pool = {
        "benchmark": named[0] if is_one_benchmark else None,
        "question_pool_id": None,
        "pool_selection_rule": None,
        "n_questions": screen.get("n_probe_questions") if is_probe else len(questions) or None,
        "outcome_blind_selection": None,
        "benchmarks": named,
        "question_ids_sha256": ids_hash(questions) if questions else None,
        "n_probe_questions": screen.get("n_probe_questions"),
        "n_shared_questions": None if is_probe else screen.get("n_shared_questions"),
    }
    no_questions = (
        COUNTS_ONLY if fingerprint.get("is_from_published_counts") else NO_DEBATES if is_probe else fingerprint_nulls.get("alpha_tot")
    )
    why_pool = {
        "benchmark": "the published file does not tell it for probes" if is_probe
        else "the sources name several" if named else "no line states it as a field",
        "question_pool_id": "the sources do not name the pool; question_ids_sha256 tells equal ones",
        "pool_selection_rule": "the sources do not tell how the questions were chosen",
        "outcome_blind_selection": "the sources do not tell how the questions were chosen",
        "n_questions": COUNTS_ONLY if is_probe else "there is no debate that the rule answers",
        "question_ids_sha256": COUNTS_ONLY if is_probe else "there is no debate that the rule answers",
        "n_probe_questions": no_questions or NOT_PUBLISHED,
        "n_shared_questions": NO_DEBATES if is_probe else no_questions or NOT_PUBLISHED,
    }  # fmt: skip
    backends = _rows(
        con, "select distinct unnest(string_split(backends, ', ')) as backend from provenance"
             " where file_key in (select unnest(?::varchar[])) order by all", [[r["file_key"] for r in lanes]],
    )  # fmt: skip
    identity = {
        "model_name": model,
        "model_family": row["family"],
        "backend": backends[0]["backend"] if len(backends) == 1 else None,
        "model_version_or_snapshot": None,
        "serving_parameters": None,
        "stored_model_names": [r["stored_model"] for r in stored],
        **({} if is_probe else {name: row[name] for name in ("min_agents", "max_agents", "min_rounds", "max_rounds")}),
    }
    reasons = {
        "identity": dict.fromkeys(identity, NOT_PUBLISHED) | dict.fromkeys(("min_agents", "max_agents"), "no line states its answers")
        | dict.fromkeys(("min_rounds", "max_rounds"), "the sources do not tell")
        | {"backend": "the lines state several" if backends else "no line states it as a field"},
        "question_pool": why_pool,
        "selection_time_fingerprint": fingerprint_nulls,
        "debate_outcome_accounting": accounting_nulls,
        "signed_utility": utility_nulls,
        "release": release_nulls,
    }  # fmt: skip
    parts = {
        "identity": identity,
        "question_pool": pool,
        "selection_time_fingerprint": fingerprint,
        "debate_outcome_accounting": accounting,
        "signed_utility": utility,
        "release": release,
    }
    invented = {file["is_invented"] for file in files}
    card = {
        "schema_version": SCHEMA_VERSION,
        "artifact_type": ARTIFACT_TYPE,
        "card": {
            "kind": kind,
            "cohort": cohort,
            "lane": probe_lane if kind != "debate_lane" else lane,
            "is_invented": invented.pop() if len(invented) == 1 else None if not invented or None in invented else False,
            **info,
        },
        **parts,
        "sources": [{name: file[name] for name in ("file", "sha256", "release", "licence", "attribution")} for file in files],
        "nulls": {f"{name}.{path}": reasons[name][path] for name in OBJECTS for path in null_paths(parts[name])},
    }
    check_card(card)
    return card


def null_paths(part: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Dotted paths of the null fields of an object, those of inner objects included, in the order of the fields."""
    for name, value in part.items():
        if value is None:
            yield prefix + name
        elif isinstance(value, Mapping):
            yield from null_paths(value, f"{prefix}{name}.")


def cards(published: Path, model: str | None = None, cohort: str | None = None) -> Iterator[tuple[str, Card]]:
    """(file name without ending, card) of every ledger row, debate lane and probe lane, or of those of a model or a cohort.

    A ledger row that several probe lanes screen has a card for each. Probe lanes belong to the cohorts whose rows they screen. Raises
    duckdb.Error where the published file cannot be read.
    """
    with duckdb.connect(str(published), read_only=True) as con:
        for kind, sql in (("model_row", MODEL_ROWS), ("debate_lane", DEBATE_LANES), ("probe_lane", PROBE_LANES)):
            for row in _rows(con, sql):
                of = row.get("cohorts") or [] if kind == "probe_lane" else [row["cohort"]]
                if (model is not None and row["model"] != model) or (cohort is not None and cohort not in of):
                    continue
                name = [kind, *([] if kind == "probe_lane" else [row["cohort"]])]
                if kind == "model_row":
                    name += [row["model"], *([row["probe_lane"]] if row["n_screens"] > 1 else [])]
                else:
                    name += [row["probe_lane"] if kind == "probe_lane" else row["lane"]]
                yield file_name(name), _build(con, kind, row)


def file_name(parts: Sequence[str]) -> str:
    """A file name of the parts, joined by two underscores: letters, digits, dots, hyphens and single underscores.

    A name that had to be changed or cut ends with a hash: ``invented/a`` and ``invented-a`` are two models and two files.
    """
    plain = "__".join(re.sub(r"[^A-Za-z0-9._-]+", "-", part) for part in parts).strip(".")
    if plain == "__".join(parts) and len(plain) <= 120 and not any("__" in part for part in parts):
        return plain
    return f"{plain[:110]}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:8]}"


TITLES = {
    "identity": "Identity",
    "question_pool": "Question pool",
    "selection_time_fingerprint": "Fingerprint before debate",
    "debate_outcome_accounting": "What debate did",
    "signed_utility": "Signed utility of a gate",
    "release": "Release",
}
BESIDE = ("_n", "_ci_lower", "_ci_upper", "_interval")


def markdown_text(text: str) -> str:
    """The text on one line, with a backslash before what Markdown reads as markup: a name from the data may hold anything."""
    return re.sub(r"([\\`*<>|\[\]])", r"\\\1", " ".join(text.split()))


def _cell(value: object) -> str:
    """A value as text of a Markdown table cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return "; ".join(map(_cell, value)) or "none"
    return markdown_text(str(value))


def _lines(part: Mapping[str, Any], nulls: Mapping[str, str], prefix: str) -> Iterator[str]:
    """Table rows of one object: a rate with its denominator and interval in one row, a null with its reason."""
    for name, value in part.items():
        owner = next((name.removesuffix(end) for end in BESIDE if name.endswith(end) and name.removesuffix(end) in part), None)
        if owner is not None or name == "other_gates":
            continue
        if isinstance(value, Mapping):
            yield from _lines({f"{name}.{k}": v for k, v in value.items()}, nulls, prefix)
        elif value is None:
            yield f"| `{name}` | null | {_cell(nulls.get(prefix + name, ''))} |"
        else:
            n, lower, upper = (part.get(f"{name}{end}") for end in BESIDE[:3])
            beside = [f"n = {n:,}"] if n is not None else []
            if lower is not None:
                beside.append(f"[{lower:.4f}, {upper:.4f}] {part[f'{name}_interval']}")
            yield f"| `{name}` | {_cell(value)} | {'; '.join(beside)} |"


def card_markdown(card: Mapping[str, Any]) -> str:
    """The card as a Markdown page: one table per object, rates with denominators and intervals, nulls with their reasons."""
    about = card["card"]
    what = {"model_row": "model row", "debate_lane": "debate lane", "probe_lane": "probe lane"}[about["kind"]]
    lines = [f"# Reuse card: {_cell(card['identity']['model_name'])}", ""]
    where = [what, *([f"cohort {about['cohort']}"] if about["cohort"] else []), *([f"lane {about['lane']}"] if about["lane"] else [])]
    lines += [_cell(", ".join(where)) + f". Ledger {about['ledger_version']}, input {about['input_sha256'][:12]}.", ""]
    if about["is_invented"]:
        lines += ["**Every source of this card is invented: no number in it is a result.**", ""]
    for name in OBJECTS:
        lines += [f"## {TITLES[name]}", "", "| field | value | n, interval, or why there is none |", "| --- | --- | --- |"]
        lines += [*_lines(card[name], card["nulls"], f"{name}."), ""]
        if card[name].get("other_gates"):
            lines += ["Other gates, with the same weights:", ""]
            lines += [
                "| gate | alarms | collapses prevented | corrections lost | net utility | accuracy |",
                "| --- | --- | --- | --- | --- | --- |",
            ]
            for gate in card[name]["other_gates"]:
                counts = [gate[key] for key in ("gate_name", "n_fired", "collapses_prevented", "corrections_lost")]
                delta = "n/a" if gate["accuracy_delta"] is None else f"{gate['accuracy_delta']:+.4f} (n = {gate['accuracy_delta_n']:,})"
                lines += ["| " + " | ".join([*map(_cell, counts), f"{gate['net_utility']:+g}", delta]) + " |"]
            lines += [""]
    lines += ["## Sources", ""]
    if not card["sources"]:
        lines += ["No landed file: the values come from published counts in the seeds.", ""]
    for source in card["sources"]:
        release, licence, names = (_cell(source[key] or f"{key} unknown") for key in ("release", "licence", "attribution"))
        lines += [f"- {_cell(source['file'])}: {release}; {licence}; {names}. SHA-256 {source['sha256'] or 'unknown'}"]
    return "\n".join(lines).rstrip() + "\n"


def write_cards(published: Path, folder: Path, model: str | None = None, cohort: str | None = None) -> list[Path]:
    """Write a JSON card and its Markdown page per ledger row, debate lane and probe lane into ``folder``; returns the JSON paths.

    ``model`` and ``cohort`` are names as in model_ledger and keep the cards of these only. Raises ValueError where no card is left,
    duckdb.Error where the published file cannot be read, jsonschema.ValidationError for a card that does not meet the schema. Nothing is
    written then.
    """
    found = list(cards(published, model, cohort))
    if not found:
        asked = " and ".join(f"{what} {name!r}" for what, name in (("model", model), ("cohort", cohort)) if name is not None)
        raise ValueError(f"the published file has no row or lane of {asked or 'any model'}: see the table model_ledger for the names")
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, card in found:
        paths.append(write_text(folder / f"{name}.json", json.dumps(card, indent=2, ensure_ascii=False, allow_nan=False) + "\n"))
        write_text(folder / f"{name}.md", card_markdown(card))
    return paths
