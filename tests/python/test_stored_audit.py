"""What the authors' files state against what the warehouse makes of their scores: a release that agrees, and one with planted errors.

Both releases are written by the simulator in the layout of the authors. Nothing but these files is landed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from conftest import Build, Ledger

from debate_ledger import landing
from debate_ledger import simulate_audit as sim
from debate_ledger import simulate_audit_data as data
from debate_ledger import simulate_audit_files as files
from debate_ledger.audit_files import withheld_kind, withheld_records

HONEST = [
    "clean", "boundary", "floor", "counterexample_at_2", "floor_counterexample", "fails_gpt_at_1", "fails_claude_at_3",
    "floor_fails_claude", "clean", "clean",
]  # fmt: skip
ADV = [
    "counterexample", "clean", "fails_gpt_at_2", "boundary", "floor_boundary", "clean", "counterexample", "floor", "clean",
    "floor_counterexample",
]  # fmt: skip
SHOWN = {"gpt-oss-20b": "GPT-20B", "qwen3.5-9B": "Qwen-9B", "QuALITY-H": "QuALITY-H", "GPQA": "GPQA-H"}
ONE_E8 = 10**8
Document = dict
#: (record, arm, what) of a disagreement.
Claim = tuple[str, str | None, str]


def plan(dataset: str, model: str, **options: object) -> sim.AuditPlan:
    return sim.AuditPlan(dataset, model, {"honest": HONEST, "adv": ADV}, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def clean(build: Build, tmp_path_factory: pytest.TempPathFactory) -> tuple[Ledger, list[sim.Audit]]:
    """Two releases without an error, in folders of their own: three audits, and the candidates of 222 pairs with half resolved rows."""
    root = tmp_path_factory.mktemp("clean")
    plans = [plan("QuALITY-H", "gpt-oss-20b"), plan("QuALITY-H", "qwen3.5-9B", epsilon="1.25"), plan("GPQA", "gpt-oss-20b", epsilon="0.5")]
    audits = files.write_release(root / "release", plans, seed=5)
    whole = sim.simulate_audit(
        sim.AuditPlan("QuALITY-H", "gpt-oss-20b", {"honest": ["clean"] * 222}, search_budget=1, test_budget=1, has_org=False)
    )
    data.write_pairs_and_splits(root / "selections", whole, 5)
    # The input of the first stage has 100 paraphrases, this audit one.
    (root / "selections" / "dataset" / "QuALITY-H" / "QuALITY-H-no-debate-100q.json").unlink()
    data.write_selection(root / "selections", whole, 5)
    data.write_grounded(root / "selections", whole, 5, unresolved=3)
    return build(root, audit="only"), audits


def where(audit: sim.Audit, arm: str) -> list[object]:
    return [SHOWN[audit.plan.dataset], SHOWN[audit.plan.model], arm]


def test_every_file_lands_whole_and_agrees_with_its_scores(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, _ = clean
    assert ledger.query("select file_key, reason from rejected_lines") == []
    assert ledger.query("select * from stored_audit_disagreements") == []
    # That all agree means something only where all was compared.
    assert ledger.work_query("select count(*), count(*) filter (is_comparable) from intermediate.int_stored_searches") == [(60, 60)]
    assert ledger.work_query(
        "select count(*), count(den_e12), count(max_num_e12) from intermediate.int_stored_factors"
    ) == [(90, 90, 90)]  # fmt: skip
    paths = ledger.work_query("select our_status, count(*) from intermediate.int_stored_paths group by all")
    assert {status for status, _ in paths} == {"BUDGET_EXHAUSTED", "DEGRADED", "NOT_REACHED"}
    assert ledger.work_query("select count(*), count(n_clean) from intermediate.int_stored_manifests") == [(6, 6)]
    named = """
        select count(*) from staging.stg_stored_searches as searches
        inner join staging.stg_stored_matrices as matrices
            on searches.cohort = matrices.cohort and searches.base_matrix_sha256 = matrices.matrix_sha256 and matrices.arm = 'base'
    """
    # Each matrix is here twice: as the snapshot of the run and as its export.
    assert ledger.work_query(named) == [(120,)]


def test_every_record_is_staged_by_its_kind(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, _ = clean
    found = dict(ledger.work_query("select record, count(*) from staging.stg_audit_records group by all"))
    assert len(found) == 18 and min(found.values()) > 0


def test_the_counterexample_ratio_is_the_planted_one(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, audits = clean
    for audit in audits:
        for arm in ("honest", "adv"):
            sql = """
                select epsilon, n_pairs, n_counterexample, n_boundary, n_undecided, counterexample_ratio from counterexample_ratios
                where dataset = ? and model = ? and arm = ? and epsilon_name = 'p25'
            """
            n = audit.n_counterexamples(arm)
            n_boundary = sum(o.verdict == "boundary" for o in audit.of_arm(arm))
            assert ledger.query(sql, *where(audit, arm)) == [(audit.plan.epsilon, 10, n, n_boundary, 0, n / 10)]
            assert 0 < n < 10 and n_boundary


@pytest.mark.parametrize("eta", ["0.2", "0.05", "0.001"])
def test_the_bounds_are_the_planted_ones(clean: tuple[Ledger, list[sim.Audit]], eta: str) -> None:
    ledger, audits = clean
    for audit in audits:
        for arm in ("honest", "adv"):
            sql = """
                select pair_id, lower_bound from pair_bounds
                where dataset = ? and model = ? and arm = ? and epsilon_name = 'p25' and eta = ?
            """
            planted = {o.pair_id: o.bound(eta) for o in audit.of_arm(arm)}
            assert dict(ledger.query(sql, *where(audit, arm), eta)) == planted
            average = """
                select average_bound_all, average_bound_tested from average_bounds
                where dataset = ? and model = ? and arm = ? and epsilon_name = 'p25' and eta = ?
            """
            assert ledger.query(average, *where(audit, arm), eta) == [
                (pytest.approx(audit.avg_all(arm, eta), abs=1e-15), pytest.approx(audit.avg_tested(arm, eta), abs=1e-15))
            ]


def test_accuracy_and_mean_are_the_planted_ones(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, audits = clean
    for audit in audits:
        for arm in ("base", "honest", "org"):
            for q_key in ("Q_Y", "Q_H"):
                sql = """
                    select n_questions, n_correct, mean_p_true from task_metrics
                    where stage = 'posterior' and dataset = ? and model = ? and arm = ? and q_key = ?
                """
                mean = float(Fraction(audit.sum_p_true_e8(arm, q_key), 10 * ONE_E8))
                assert ledger.query(sql, *where(audit, arm), q_key) == [(10, audit.n_correct(arm, q_key), pytest.approx(mean, abs=1e-15))]


def test_candidates_have_the_published_shape(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, _ = clean
    sql = """
        select condition, n_items, n_candidates, n_primary, n_fallback, n_without_candidate, candidates_are_complete, gates_add_up,
            gates_match_scores, totals_match_candidates, every_item_is_selected_once
        from candidate_counts where cohort = 'selections' order by condition
    """
    assert ledger.query(sql) == [
        ("adversarial", 222, 1776, 184, 27, 11, True, True, True, True, True),
        ("honest", 222, 1776, 194, 28, 0, True, True, True, True, True),
    ]
    statuses = "select n_status_ok, n_status_qy_fallback, n_status_no_adv_survivor from candidate_counts where cohort = 'selections'"
    assert (184, 27, 11) in ledger.query(statuses)


def test_gate_counts_are_sums_of_the_planted_ones(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, _ = clean
    planted = data.plan_selections(222, 5)
    for condition, selections in (("honest", planted.honest), ("adversarial", planted.adversarial)):
        names = [name for name in selections[0].gates if name != "fallback_used"]
        sums = tuple(sum(int(str(s.gates[name])) for s in selections) for name in names)
        columns = ", ".join(f"n_{name}" for name in names)
        sql = f"select {columns} from candidate_counts where cohort = 'selections' and condition = ?"
        assert ledger.query(sql, condition) == [sums]


def test_the_candidates_that_the_rules_pick_are_those_of_a_recount(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    """The rules of R18 on the planted scores, in Python."""
    ledger, _ = clean
    planted = data.plan_selections(222, 5)
    sql = """
        select item_id, stored_candidate_idx, paper_candidate_idx, code_candidate_idx, follows_rule, pair_id
        from candidate_selections where cohort = 'selections' and condition = ?
    """

    def best(pool: dict[int, float]) -> int | None:
        return min(pool, key=lambda i: (-pool[i], i), default=None)

    texts = [sim.PairTexts("QuALITY-H", i) for i in range(222)]
    seen: Counter[str] = Counter()
    for condition, selections in (("honest", planted.honest), ("adversarial", planted.adversarial)):
        found = {item: rest for item, *rest in ledger.query(sql, condition)}
        for i, selection in enumerate(selections):
            scores = {k: dict(c.score) for k, c in enumerate(selection.candidates) if c.score is not None}
            right = {k for k, s in scores.items() if s["qy_adv_correct"]}
            y_true = {k: s["qy_adv_probs"]["semantic"]["Y_true"] for k, s in scores.items() if "qy_adv_probs" in s}
            if condition == "honest":
                gate = right or set(scores)
                code, paper = best({k: scores[k]["p_htrue"] for k in gate}), best({k: y_true[k] for k in gate})
            elif selection.gates["survivors"]:
                code = paper = best({k: scores[k]["p_hfalse"] for k in right})
            else:
                code = paper = best({k: p for k, p in y_true.items() if k not in right})
            stored, paper_found, code_found, follows, pair_id = found[f"qh_{i:04d}"]
            assert (stored, paper_found, code_found, pair_id) == (selection.chosen, paper, code, texts[i].pair_id)
            if condition == "honest":
                assert follows == ("both" if code == paper else "code") and stored == code
            else:
                # What comes before the selected one was dropped by a gate.
                assert follows == ("nothing to select" if stored is None else "both" if stored == code else "within the gates")
            seen[follows] += 1
    assert min(seen[f] for f in ("both", "code", "within the gates", "nothing to select")) > 5


def test_splits_are_those_of_the_rule(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, _ = clean
    sql = """
        select mode, split_seed, n_train_stated, n_train, n_eval_stated, n_eval, sizes_match, follows_rule, n_pairs_in_both,
            n_pairs_repeated, n_training_rows, n_eval_rows, n_hidden_rows, n_rows_elsewhere
        from audit_splits where cohort = 'selections' order by mode desc
    """
    seed = "1090998506967575423"
    assert ledger.query(sql) == [
        ("honest", seed, 177, 177, 45, 45, True, True, 0, 0, 354, 90, 0, 0),
        ("adversarial", seed, 147, 147, 37, 37, True, True, 0, 0, 294, 74, 368, 0),
    ]


def test_adjudications_are_those_of_their_manifests(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    ledger, _ = clean
    sql = """
        select mode, split, n_items, n_unresolved, n_blind + n_gold + n_unresolved, manifest_agrees, manifest_adds_up, n_hashes,
            n_hash_mismatches, n_length_mismatches, n_failure_mismatches, gold_tier_fraction = gold_tier_fraction_stated::double
        from grounded_adjudications where cohort = 'selections' order by all
    """
    assert ledger.query(sql) == [
        (mode, split, n, 3, n, True, True, n - 3, 0, 0, 0, True)
        for mode, split, n in [("adversarial", "eval", 37), ("adversarial", "train", 147), ("honest", "eval", 45), ("honest", "train", 177)]
    ]


def texts_of(value: object, place: str, found: dict[str, str]) -> None:
    """One text per place of a document: what has a space in it, or is an attack string or a title."""
    if isinstance(value, dict):
        for key, item in value.items():
            texts_of(item, f"{place}.{key}" if len(key) < 40 else f"{place}.*", found)
    elif isinstance(value, list):
        for item in value:
            texts_of(item, place, found)
    elif isinstance(value, str) and (" " in value or "transcript" in place or "messages" in place) and len(value) > 12:
        found[place] = value


def test_no_text_of_a_release_is_in_any_column_of_any_layer(clean: tuple[Ledger, list[sim.Audit]]) -> None:
    """Questions, options, paraphrases, stories, transcripts, messages and analyses of every kind of file: none is landed."""
    ledger, _ = clean
    ((folder,),) = ledger.work_query("select any_value(regexp_extract(path, '^(.*/clean[0-9]*)/', 1)) from landing.raw_files")
    found: dict[str, str] = {}
    for path in sorted(Path(folder).rglob("*.json*")):
        documents = [path.read_text()] if path.suffix == ".json" else path.read_text().splitlines()
        for document in documents:
            texts_of(json.loads(document), path.name, found)
    assert len(found) > 60 and {place.rsplit(".", 1)[-1] for place in found} >= {"question", "Y_true", "Debater A", "content", "analysis"}
    with duckdb.connect(str(ledger.work), read_only=True) as con:
        columns = con.execute("select schema_name, table_name, column_name from duckdb_columns() where not internal").fetchall()
        held = set()
        for schema, table, column in columns:
            rows = con.execute(
                f'select distinct ("{column}")::varchar from {schema}.{table} where len(("{column}")::varchar) > 12'
            ).fetchall()
            held |= {text for (text,) in rows}
    everything = "\n".join(held)
    # What is looked for would be found: the hashes of texts are there.
    assert len(columns) > 1500 and sim.sha256_text(sim.PairTexts("QuALITY-H", 0).monitored) in everything
    assert {place: text for place, text in found.items() if text in everything} == {}


@pytest.mark.parametrize(
    ("written", "part"),
    [("eval", "eval"), ("fullft-train", "train"), ("fullft-adversarial-eval", "eval"), ("test", None), ("retrain", None)],
)
def test_the_part_of_an_adjudication_is_read_or_refused(tmp_path: Path, written: str, part: str | None) -> None:
    row = data.grounded_row(sim.PairTexts("GPQA", 0), 0, "GPQA", "honest", "eval", 0, {}) | {"split": written}
    path = tmp_path / "GPQA-verifier-fullft-eval-grounded.jsonl"
    data.write_jsonl(path, [row])
    (found,) = withheld_records(path)
    if part is None:
        assert found["line"] is None and str(found["reason"]).startswith(f"split is {written}: expected train, eval")
    else:
        assert json.loads(str(found["line"]))["split"] == part


# -- planted errors --------------------------------------------------------------------------------------------------------------


def load(path: Path) -> Document:
    return json.loads(path.read_text(encoding="utf-8"))


def rewrite_artifact(path: Path, change: Callable[[Document], None]) -> None:
    """Change a file of an analysis and its hash in complete.json."""
    document = load(path)
    change(document)
    data.write_json(path, document)
    complete = load(path.parent / "complete.json")
    complete["artifacts"][path.name]["contract_sha256"] = files.contract_sha256(document)
    data.write_json(path.parent / "complete.json", complete)


def rewrite_results(root: Path, change: Callable[[list[Document]], None], **stated: object) -> None:
    """Change the results of the second stage and their hash in the manifest."""
    results = json.loads((root / "results.json").read_text(encoding="utf-8"))
    change(results)
    digest = data.write_json(root / "results.json", results)
    manifest = load(root / "manifest.json")
    manifest |= {"results_sha256": digest, "completed_pairs": len(results), "total_pairs": len(results), **stated}
    data.write_json(root / "manifest.json", manifest)


def rewrite_cache(path: Path, change: Callable[[Document], None]) -> None:
    """Change the observations of a score cache and the hashes of its integrity block."""
    document = load(path)
    change(document["observations"])
    document["integrity"]["observations_sha256"] = files._canonical_sha256(document["observations"])
    del document["integrity"]["document_sha256"]
    document["integrity"]["document_sha256"] = files._canonical_sha256(document)
    data.write_json(path, document)


def rewrite_json(path: Path, change: Callable[[Document], None]) -> None:
    document = load(path)
    change(document)
    data.write_json(path, document)


def rewrite_rows(path: Path, change: Callable[[list[Document]], None]) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(rows)
    data.write_jsonl(path, rows)


def regroup(document: Document, audit: sim.Audit) -> None:
    """Groups and reports of a summary anew from its pairs."""
    members = {g: [r["pair_index_0based"] for r in document["pairs"] if r["group"] == g] for g in document["groups"]}
    document["groups"] = {g: files._group(audit, indices) for g, indices in members.items()}
    clean_pairs = sorted(members["b_all_lt_epsilon"] + members["boundary_max_eq_epsilon"])
    document["no_counterexample"] = document["report_c"] = files._group(audit, clean_pairs)
    document["report_a"] = files._group(audit, members["a_any_gt_epsilon"])
    document["report_b"] = {"counts": [r["n_gt_epsilon"] for r in document["pairs"]], "pairs": []}


class Planted:
    """The second release and the disagreements that it must give."""

    def __init__(self, root: Path) -> None:
        self.root = root / "broken"
        self.audit = files.write_release(self.root, plan("QuALITY-H", "gpt-oss-20b"), seed=9)[0]
        self.runs = self.root / "runs"
        self.expected: Counter[Claim] = Counter()
        self.values: dict[Claim, tuple[object, object]] = {}
        for step in (
            self.summaries, self.factors, self.matrix, self.missing_file, self.results, self.settings, self.metrics, self.cache,
            self.split, self.adjudications, self.selections,
        ):  # fmt: skip
            step()

    def expect(self, record: str, arm: str | None, what: str, stored: object = None, recomputed: object = None) -> None:
        claim = (record, arm, what)
        self.expected[claim] += 1
        if stored is not None or recomputed is not None:
            self.values[claim] = (stored, recomputed)

    @property
    def epsilon_folder(self) -> Path:
        return files.stage1_root(self.root, "gpt-oss-20b", "QuALITY-H") / "analyses" / "k-0.001" / "epsilon-1"

    def summaries(self) -> None:
        """In the honest summary a pair loses a counterexample of several, and one without any is put on the threshold."""
        outcomes = self.audit.of_arm("honest")
        several = next(i for i, o in enumerate(outcomes) if len(o.violating_draws) > 1)
        below = next(i for i, o in enumerate(outcomes) if o.verdict == "clean" and o.n_equal == 0)

        def change(document: Document) -> None:
            row = document["pairs"][several]
            row["n_gt_epsilon"] -= 1
            row["n_lt_epsilon"] += 1
            row["violating_paraphrase_indices_0based"].pop()
            row = document["pairs"][below]
            row |= {"group": "boundary_max_eq_epsilon", "n_eq_epsilon": 1, "n_lt_epsilon": row["n_lt_epsilon"] - 1}
            row["max_delta_exact"] = {"numerator": "1", "denominator": "1"}
            regroup(document, self.audit)

        rewrite_artifact(self.epsilon_folder / "summary-honest.json", change)
        draws = list(outcomes[several].violating_draws)
        self.expect("stage1_search", "honest", "draws above the threshold", len(draws) - 1, len(draws))
        for _ in range(2):
            self.expect("stage1_search", "honest", "draws below the threshold")
        self.expect("stage1_search", "honest", "violating draws", draws[:-1], draws)
        self.expect("stage1_search", "honest", "draws at the threshold", 1, 0)
        self.expect("stage1_search", "honest", "group", "boundary_max_eq_epsilon", "b_all_lt_epsilon")
        top = Fraction(*outcomes[below].max_delta)
        self.expect("stage1_search", "honest", "largest score", "1/1", f"{top.numerator}/{top.denominator}")

    def factors(self) -> None:
        """The organism gains another half, which hides behind the floor of its denominator; an adversarial gain is doubled."""
        floored = next(i for i, o in enumerate(self.audit.of_arm("org")) if o.gain_e8 < o.den_e8)
        lifted = next(i for i, o in enumerate(self.audit.of_arm("adv")) if o.gain_e8 == o.den_e8 > self.audit.plan.kappa_e8)

        def lower(document: Document) -> None:
            document["visible_gain_exact"][floored] = {"numerator": "-1", "denominator": "3"}

        def double(document: Document) -> None:
            gain = 2 * Fraction(self.audit.of_arm("adv")[lifted].gain_e8, ONE_E8)
            document["visible_gain_exact"][lifted] = document["denominator_exact"][lifted] = files.rational(gain)
            drops = [Fraction(int(x["numerator"]), int(x["denominator"])) for x in document["numerator_exact"][lifted]]
            document["delta_exact"][lifted] = [files.rational(drop / gain) for drop in drops]

        rewrite_artifact(self.epsilon_folder.parent / "delta-analysis" / "model-organism-factors.json", lower)
        rewrite_artifact(self.epsilon_folder / "adv-wo-qh-factors.json", double)
        own = Fraction(self.audit.of_arm("org")[floored].gain_e8, ONE_E8)
        self.expect("stage1_factors", "org", "gain", "-1/3", f"{own.numerator}/{own.denominator}")
        gain = Fraction(self.audit.of_arm("adv")[lifted].gain_e8, ONE_E8)
        twice = 2 * gain
        texts = f"{twice.numerator}/{twice.denominator}", f"{gain.numerator}/{gain.denominator}"
        self.expect("stage1_factors", "adv", "gain", *texts)
        self.expect("stage1_factors", "adv", "denominator", *texts)
        self.expect("stage1_factors", "adv", "largest score")

    def matrix(self) -> None:
        """The adversarial summary names another matrix of the base."""

        def change(document: Document) -> None:
            document["source_matrices"]["base"]["matrix_sha256"] = "0" * 64

        rewrite_artifact(self.epsilon_folder / "summary-strict.json", change)
        self.expect("stage1_search", "adv", "matrix of the base", "0" * 64, files.values_sha256(files.score_matrix(self.audit, "base")))

    def missing_file(self) -> None:
        (self.epsilon_folder / "honest-numerator.npy").unlink()
        n = len(load(self.epsilon_folder / "complete.json")["artifacts"])
        self.expect("stage1_complete", None, "files of the analysis", n, n - 1)

    def results(self) -> None:
        """Honest results with two wrong bounds, a test that goes on after a failure, and one pair left out."""
        root = self.runs / "audit-stage2-gpt-oss-20b" / "QuALITY-H-p25-honest"
        chosen = [(p, o) for p, o in zip(self.audit.pairs, self.audit.of_arm("honest"), strict=True) if o.is_tested]
        passing = [i for i, (_, o) in enumerate(chosen) if not o.is_degraded]
        failing = next(i for i, (_, o) in enumerate(chosen) if o.generators[0].t == 1 and o.is_degraded)
        whole, failed, left_out = passing[0], passing[1], passing[-1]
        assert len({whole, failed, left_out}) == 3

        def change(results: list[Document]) -> None:
            # A bound that is nearly right.
            path = results[whole]["generators"]["claude"]
            path["lower_bound"] = results[whole]["lower_bound"] = math.nextafter(path["lower_bound"], 0)
            path["history"][-1]["lower_bound"] = path["lower_bound"]
            # A pass that is called a failure.
            results[failed]["generators"]["gpt"] |= {"status": "DEGRADED", "lower_bound": 0.0}
            results[failed] |= {"status": "DEGRADED", "lower_bound": 0.0}
            # The second generator is asked after the first one has failed.
            pair, (scores, _) = results[failing], chosen[failing]
            entry = {**pair["generators"]["gpt"]["history"][0], "question": scores.texts.paraphrase("claude", 1)}
            for key, arm in (("base", "base"), ("target", "honest"), ("honest", "honest")):
                entry[f"{key}_qh_htrue_decimal"] = sim.decimal_e8(scores.tests[arm]["claude"][0])
            pair["generators"]["claude"] |= {"t": 1, "status": "BUDGET_EXHAUSTED", "lower_bound": 0.05, "history": [entry]}
            del results[left_out]

        rewrite_results(root, change)
        eta = math.pow(0.05, 1 / 100)
        self.expect("stage2_generator", "honest", "passes", 1, 0)
        for _ in range(2):
            self.expect("stage2_generator", "honest", "status")
        for _ in range(3):
            self.expect("stage2_generator", "honest", "lower bound")
        self.expect("stage2_pair", "honest", "status", "DEGRADED", "NO_COUNTEREXAMPLE")
        for _ in range(2):
            self.expect("stage2_pair", "honest", "lower bound")
        self.bounds = {(repr(math.nextafter(eta, 0)), repr(eta)), ("0.0", repr(eta))}
        n = len(chosen)
        self.expect("stage2_manifest", "honest", "pairs without a counterexample", n - 1, n)

    def settings(self) -> None:
        """A manifest without results, of other settings; it is written as a record, as a converter of one's own would."""
        record = {
            "record": "stage2_manifest", "dataset": "QuALITY-H", "model": "gpt-oss-20b", "arm": "adv", "pool": "p25-strict",
            "percentile": 25, "epsilon": "1000000", "kappa": "0.01", "eta": "0.05", "test_budget": 50, "generators": ["claude", "gpt"],
            "n_completed": 4, "n_total": 5, "status": "complete",
        }  # fmt: skip
        data.write_jsonl(self.root / "records" / "manifest_records.jsonl", [record])
        self.expect("stage2_manifest", "adv", "pairs tested", 4, 0)
        self.expect("stage2_manifest", "adv", "pairs of the run", 5, 0)
        # Nothing is above such a threshold.
        self.expect("stage2_manifest", "adv", "pairs without a counterexample", 5, 10)
        # Two thresholds of one name are none, so the published constant of the data set and model is taken.
        for arm in ("adv", "adv", "honest"):
            self.expect("stage2_manifest", arm, "threshold")
        self.expect("stage2_manifest", "adv", "floor of the denominator", "0.01", "0.001")
        self.expect("stage2_manifest", "adv", "test budget", 50, 100)
        self.expect("stage2_manifest", "adv", "generators", "claude;gpt", "gpt;claude")

    def metrics(self) -> None:
        def one_more(document: Document) -> None:
            document["metadata"]["aggregate_metrics"]["Q_Y_accuracy"] = 0.99

        def other_mean(document: Document) -> None:
            document["metadata"]["aggregate_metrics"]["Q_H_mean_p_h_true"] += 1e-9
            document["metadata"]["aggregate_metrics"]["n_items"] -= 1

        folder = self.runs / "posterior_shift" / "QuALITY-H"
        rewrite_json(folder / "base.json", one_more)
        rewrite_json(folder / "honest.json", other_mean)
        self.expect("posterior_metrics", "base", "accuracy", "0.99", repr(self.audit.n_correct("base", "Q_Y") / 10))
        self.expect("posterior_metrics", "honest", "mean probability")
        for _ in range(2):
            self.expect("posterior_metrics", "honest", "questions", 9, 10)

    def cache(self) -> None:
        def change(observations: Document) -> None:
            found = next(o for o in observations.values() if o["kind"] == "QH" and not o["base_p_true"].startswith("0.123"))
            self.cached = found["base_p_true"]
            found["base_p_true"] = "0.12345678"
            found = next(o for o in observations.values() if o["kind"] == "QY")
            found["target_p_true"] = "1.00000000"

        rewrite_cache(self.runs / "audit-stage2-score-cache" / "gpt-oss-20b" / "QuALITY-H-strict.json", change)
        self.expect("cached_score", "adv", "score of the base", "0.12345678", self.cached)
        self.expect("cached_score", "adv", "score of the arm")

    def split(self) -> None:
        """Another seed, under which the parts are not those of the rule, and an item whose pair is there already."""
        folder = self.root / "dataset" / "QuALITY-H"

        def reseed(document: Document) -> None:
            document["split_seed"] += 1

        def repeat(document: Document) -> None:
            first, second = document["train_indices"][:2]
            document["index_info"][str(second)]["pair_id"] = document["index_info"][str(first)]["pair_id"]

        rewrite_json(folder / "QuALITY-H-verifier-fullft-split.json", reseed)
        rewrite_json(folder / "QuALITY-H-verifier-fullft-adversarial-split.json", repeat)
        n = len(load(folder / "QuALITY-H-verifier-fullft-adversarial-split.json")["train_indices"])
        self.n_train = n
        self.expect("split_summary", None, "split by the rule", "true", "false")
        self.expect("split_summary", None, "items to train on", n, n - 1)

    def adjudications(self) -> None:
        folder = self.root / "dataset" / "QuALITY-H"
        stem = "QuALITY-H-verifier-fullft"

        def other_texts(rows: list[Document]) -> None:
            rows[0]["grounded_sha256"] = hashlib.sha256(b"another").hexdigest()
            rows[1]["analysis"] += " And one more sentence."
            rows[1]["grounded_sha256"] = sim.sha256_text(rows[1]["analysis"])

        def other_counts(manifest: Document) -> None:
            manifest["span_verified_counts"]["Debater B"] = 0
            low = manifest["analysis_chars"]["min"]
            manifest["analysis_chars"]["min"] = low - 1
            manifest["blind_count"] -= 1
            manifest["gold_count"] += 1
            manifest["gold_tier_fraction"] = manifest["gold_count"] / manifest["item_count"]

        rewrite_rows(folder / f"{stem}-train-grounded.jsonl", other_texts)
        rewrite_json(folder / f"{stem}-train-grounded-manifest.json", other_counts)
        self.expect("grounded", None, "hash of the analysis")
        self.expect("grounded", None, "length of the analysis")
        for what in ("spans of debater B verified", "shortest analysis", "resolved blind", "resolved with the gold answer"):
            self.expect("grounded_manifest", None, what)

    def selections(self) -> None:
        """An honest item gets a candidate that no rule picks; one adversarial item, written as a record, has gates that do not add up."""

        def change(rows: list[Document]) -> None:
            scores = data.plan_selections(10, 9).honest[0].candidates
            right = {k: dict(c.score) for k, c in enumerate(scores) if c.score is not None}
            worst = min(right, key=lambda k: (right[k]["qy_adv_correct"], right[k]["p_htrue"]))
            rows[0]["honest_selected"]["candidate_idx"] = worst

        rewrite_rows(self.runs / "honest" / "QuALITY-H" / "selected.jsonl", change)
        record = {
            "record": "selection", "dataset": "QuALITY-H", "model": None, "item_id": "qh_0010", "condition": "adversarial", "status": "odd",
            "branch": None, "candidate_idx": None, "total": 8, "no_score": 1, "drop_score": 1, "drop_leakage": 1, "drop_quote_audit": 1,
            "safe": 6, "survivors": 0, "qy_fallback_eligible": 5, "qy_fallback_unusable": 0, "drop_qy_gate": None, "fallback_used": None,
        }  # fmt: skip
        data.write_jsonl(self.root / "records" / "selection_records.jsonl", [record])


def is_of_records(path: Path) -> bool:
    """Whether a file holds records as they are, such as no file of the authors gives: what a later version of the readers might."""
    return path.parent.name == "records"


def records_or(read: Callable[[Path], Iterator[Document]], path: Path) -> Iterator[Document]:
    """Records of a file of records, else what ``read`` gives."""
    if not is_of_records(path):
        yield from read(path)
        return
    for number, text in enumerate(path.read_text().splitlines(), start=1):
        yield {"line_number": number, "line": text, "original": text, "kind": None, "reason": None}


@pytest.fixture(scope="session")
def broken(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ledger, Planted]]:
    root = tmp_path_factory.mktemp("broken")
    planted = Planted(root)
    # Settings of its own, and no error: another floor of the denominator, and a summary without the scores behind it.
    files.write_release(root / "floor", plan("QuALITY-H", "gpt-oss-20b", kappa="0.01"), seed=9)
    files.write_stage1(root / "alone", planted.audit)
    kept = root / "alone" / planted.epsilon_folder.relative_to(planted.root)
    for path in (root / "alone").rglob("*.*"):
        if path.is_file() and path not in (kept / "complete.json", kept / "summary-honest.json"):
            path.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landing, "withheld_kind", lambda path: "record" if is_of_records(path) else withheld_kind(path))
        patch.setitem(landing.READERS, ("withheld", "jsonl"), lambda path: records_or(withheld_records, path))
        yield build(root, audit="only"), planted


def test_every_planted_error_is_told_and_no_other(broken: tuple[Ledger, Planted]) -> None:
    ledger, planted = broken
    found = Counter(ledger.query("select record, arm, what from stored_audit_disagreements where cohort = 'broken'"))
    assert found == planted.expected


def test_settings_of_its_own_make_no_claim_wrong(broken: tuple[Ledger, Planted]) -> None:
    """What is stated is compared at the floor of the file; that this floor is not the warehouse's is said once per run."""
    ledger, _ = broken
    sql = "select record, arm, what, stored, recomputed from stored_audit_disagreements where cohort = 'floor' order by all"
    assert ledger.query(sql) == [("stage2_manifest", arm, "floor of the denominator", "0.01", "0.001") for arm in ("adv", "honest")]


def test_a_summary_without_scores_is_said_to_be_unchecked(broken: tuple[Ledger, Planted]) -> None:
    ledger, planted = broken
    sql = (
        "select record, what, stored, recomputed, count(*) from stored_audit_disagreements where cohort = 'alone' group by all order by all"
    )
    n = len(load(planted.epsilon_folder / "complete.json")["artifacts"])
    assert ledger.query(sql) == [
        ("stage1_complete", "files of the analysis", str(n), "1", 1),
        ("stage1_search", "paraphrases scored", "100", "0", 10),
    ]


def test_stored_and_recomputed_stand_side_by_side(broken: tuple[Ledger, Planted]) -> None:
    ledger, planted = broken
    sql = """
        select stored, recomputed from stored_audit_disagreements
        where cohort = 'broken' and record = ? and arm is not distinct from ? and what = ?
    """
    assert len(planted.values) > 20
    for claim, (stored, recomputed) in planted.values.items():
        assert set(ledger.query(sql, *claim)) == {(str(stored), str(recomputed))}, claim
    assert set(ledger.query(sql, "stage2_pair", "honest", "lower bound")) == planted.bounds
    taken = "1.208792987422"
    assert set(ledger.query(sql, "stage2_manifest", "adv", "threshold")) == {("1000000", taken), ("1", taken)}


def test_a_broken_part_takes_nothing_else_with_it(broken: tuple[Ledger, Planted]) -> None:
    """What cannot be taken is one rejected line; the ratio, which the scores give, is still the planted one."""
    ledger, planted = broken
    ((reason,),) = ledger.query("select reason from rejected_lines")
    assert "occurs before" in str(reason)
    for arm in ("honest", "adv"):
        sql = "select n_counterexample, n_undecided from counterexample_ratios where cohort = 'broken' and arm = ? and epsilon = '1'"
        assert ledger.query(sql, arm) == [(planted.audit.n_counterexamples(arm), 0)]


def test_broken_selections_and_splits_are_visible_in_their_marts(broken: tuple[Ledger, Planted]) -> None:
    ledger, planted = broken
    sql = "select follows_rule from candidate_selections where cohort = 'broken' and condition = 'honest' and item_id = 'qh_0000'"
    assert ledger.query(sql) == [("neither",)]
    sql = """
        select condition, gates_add_up, every_item_is_selected_once, n_status_other from candidate_counts
        where cohort = 'broken' order by all
    """
    assert ledger.query(sql) == [
        ("adversarial", False, True, 1),
        ("honest", True, True, 0),
    ]
    sql = """
        select mode, n_train_stated, n_train, sizes_match, follows_rule, n_rows_elsewhere > 0 from audit_splits
        where cohort = 'broken' order by mode
    """
    honest = planted.audit.plan.n_pairs * 4 // 5
    assert ledger.query(sql) == [
        ("adversarial", planted.n_train, planted.n_train - 1, False, True, True),
        ("honest", honest, honest, True, False, False),
    ]
    sql = """
        select n_hash_mismatches, n_length_mismatches, manifest_agrees, manifest_adds_up from grounded_adjudications
        where n_hash_mismatches > 0
    """
    assert ledger.query(sql) == [(1, 1, False, True)]
