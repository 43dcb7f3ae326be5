"""Simulated audits in the authors' layouts: what the files state against the planted results and against the files' own numbers."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from debate_ledger import simulate_audit as sim
from debate_ledger import simulate_audit_data as data
from debate_ledger import simulate_audit_files as files
from debate_ledger.cli import main

GROUPS = {"counterexample": "a_any_gt_epsilon", "clean": "b_all_lt_epsilon", "boundary": "boundary_max_eq_epsilon"}
ROLES = {"honest": "honest", "adv": "strict"}
SCENARIOS = {
    "honest": ["clean", "boundary", "floor", "counterexample_at_2", "floor_counterexample", "fails_gpt_at_3", "fails_claude_at_1", "clean"],
    "adv": ["fails_gpt", "counterexample", "floor_fails_claude", "floor_boundary", "clean", "counterexample", "clean", "floor"],
}


def load(path: Path) -> object:
    """JSON without the tokens that only some parsers know."""

    def no_constant(token: str) -> object:
        raise AssertionError(f"{token} in {path}")

    return json.loads(path.read_text(encoding="utf-8"), parse_constant=no_constant)


def rows_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def array_digest(array: np.ndarray) -> str:
    assert array.dtype == np.float64
    return hashlib.sha256(array.tobytes(order="C")).hexdigest()


def canonical_digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def exact(value: dict[str, str]) -> Fraction:
    found = Fraction(int(value["numerator"]), int(value["denominator"]))
    assert (str(found.numerator), str(found.denominator)) == (value["numerator"], value["denominator"]), "lowest terms"
    return found


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[sim.Audit]]:
    plans = [
        sim.AuditPlan(dataset, model, SCENARIOS, epsilon=epsilon, search_budget=100, test_budget=7, ties=2, extremes=2)
        for dataset, model, epsilon in (
            ("GPQA", "gpt-oss-20b", "1.50"),
            ("GPQA", "qwen3.5-9B", "38.3235"),
            ("QuALITY-H", "gpt-oss-20b", "1.2"),
        )
    ]
    folder = tmp_path_factory.mktemp("release")
    return folder, files.write_release(folder, plans, seed=4)


# -- stage 1 ---------------------------------------------------------------------------------------------------------------------


def test_stage_1_scores_are_those_of_the_lines(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, audits = release
    for audit in audits:
        root = folder / "runs" / f"audit1-fixed-epsilon-{audit.plan.model}" / audit.plan.dataset
        source = digest(folder / "dataset" / audit.plan.dataset / f"{audit.plan.dataset}-no-debate-100q.json")
        lines = [json.loads(line) for line in sim.audit_lines(audit)]
        for arm, (phase, stem) in files.PHASES.items():
            document = load(root / f"{stem}_probabilities.json")
            with np.load(root / f"{phase}-resume.npz", allow_pickle=False) as archive:
                matrix, metadata = archive["probabilities"], json.loads(archive["metadata"].item())
            assert matrix.shape == (8, 101) and metadata["completed"] == 808
            assert document["matrix_sha256"] == metadata["matrix_sha256"] == array_digest(matrix)
            assert document["identity"] == metadata["identity"]
            # The source is the questions' file of the dataset's first plan: the same for every model.
            assert document["identity"]["input"]["input_sha256"] == source and document["identity"]["phase"] == phase
            assert document["rendered_prefix"]["sha256"] == hashlib.sha256(document["rendered_prefix"]["text"].encode()).hexdigest()
            qy, qh = (np.load(root / f"{stem}_{name}_prob.npy", allow_pickle=False) for name in ("qy_ytrue", "qh_htrue"))
            assert np.array_equal(np.column_stack([qy, qh]), matrix)
            assert {n: (a["shape"], a["sha256_values"]) for n, a in document["arrays"].items()} == {
                f"{stem}_qy_ytrue_prob.npy": ([8], array_digest(qy)), f"{stem}_qh_htrue_prob.npy": ([8, 100], array_digest(qh)),
            }  # fmt: skip
            text = {(r["dataset_index"], r["draw"] or 0): r["p_true"] for r in lines
                    if r["arm"] == arm and (r["phase"] == "search" or r["q_key"] == "Q_Y")}  # fmt: skip
            assert {(i, j): f"{matrix[i, j]:.8f}" for i in range(8) for j in range(101)} == text
            assert all(float(f"{x:.8f}") == x for x in matrix.flat)
            assert [r["pair_id"] for r in document["row_map"]] == [p.texts.pair_id for p in audit.pairs]
            assert document["qh_paraphrase_indices_0based"] == list(range(100))


def test_stage_1_states_the_planted_groups_and_exact_degradations(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, audits = release
    for audit in audits:
        plan, epsilon = audit.plan, Fraction(audit.plan.epsilon)
        root = folder / "runs" / f"audit1-fixed-epsilon-{plan.model}" / plan.dataset
        target = root / "analyses" / "k-0.001" / f"epsilon-{plan.epsilon.rstrip('0')}"
        matrices = {arm: [[Fraction(f"{x:.8f}") for x in row] for row in np.load(root / f"{phase}-resume.npz")["probabilities"]]
                    for arm, (phase, _) in files.PHASES.items()}  # fmt: skip
        for arm, place in (("honest", target), ("adv", target), ("org", root / "analyses" / "k-0.001" / "delta-analysis")):
            factors = load(place / f"{files.PHASES[arm][0]}-factors.json")
            delta = np.load(place / f"{files.PHASES[arm][0]}-delta.npy")
            assert factors["shape"] == [8, 100]
            for i, outcome in enumerate(audit.of_arm(arm)):
                gain = matrices[arm][i][0] - matrices["base"][i][0]
                den = max(Fraction("0.001"), gain)
                assert (exact(factors["visible_gain_exact"][i]), exact(factors["denominator_exact"][i])) == (gain, den)
                deltas = [exact(x) for x in factors["delta_exact"][i]]
                drops = [b - a for b, a in zip(matrices["base"][i][1:], matrices[arm][i][1:], strict=True)]
                assert [exact(x) for x in factors["numerator_exact"][i]] == drops and deltas == [d / den for d in drops]
                assert list(delta[i]) == [float(d) for d in deltas]
                assert max(deltas) == Fraction(*outcome.max_delta)
        assert load(root / "analyses" / "k-0.001" / "delta-analysis" / "model-organism-delta.json") == [
            list(row) for row in np.load(root / "analyses" / "k-0.001" / "delta-analysis" / "model-organism-delta.npy")
        ]
        for arm, role in ROLES.items():
            summary = load(target / f"summary-{role}.json")
            assert (summary["target_role"], Fraction(summary["fixed_epsilon"]), exact(summary["epsilon_exact"])) == (role, epsilon, epsilon)
            found = audit.of_arm(arm)
            for row, o in zip(summary["pairs"], found, strict=True):
                assert (row["pair_id"], row["group"]) == (o.pair_id, GROUPS[o.verdict])
                assert exact(row["max_delta_exact"]) == Fraction(*o.max_delta)
                assert tuple(row["violating_paraphrase_numbers_1based"]) == o.violating_draws
                assert [j + 1 for j in row["violating_paraphrase_indices_0based"]] == list(o.violating_draws)
                assert len(row["equal_paraphrase_indices_0based"]) == row["n_eq_epsilon"] == o.n_equal
                assert row["n_gt_epsilon"] + row["n_eq_epsilon"] + row["n_lt_epsilon"] == 100
            groups = summary["groups"]
            assert sum(g["count"] for g in groups.values()) == 8
            assert summary["report_a"] == groups["a_any_gt_epsilon"] and summary["report_a"]["count"] == audit.n_counterexamples(arm)
            wanted = [o.pair_id for o in found if o.verdict != "counterexample"]
            assert summary["report_c"]["pair_ids"] == summary["no_counterexample"]["pair_ids"] == wanted
            assert summary["report_b"]["counts"] == [len(o.violating_draws) for o in found]
            assert [r["n_gt_epsilon"] for r in summary["report_b"]["pairs"]] == summary["report_b"]["counts"]


def test_stage_1_is_complete_by_its_own_hashes(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, _ = release
    found = sorted((folder / "runs").glob("audit1-*/*/analyses/*/*/complete.json"))
    assert len(found) == 6
    for path in found:
        complete = load(path)
        assert complete["complete"] is True and complete["mode"] in ("fixed-audit", "delta-analysis")
        assert set(complete["artifacts"]) == {p.name for p in path.parent.iterdir()} - {"complete.json"}
        for name, stated in complete["artifacts"].items():
            if name.endswith(".npy"):
                array = np.load(path.parent / name)
                assert stated == {"shape": list(array.shape), "sha256_values": array_digest(array)}
            else:
                document = load(path.parent / name)
                if isinstance(document, dict):
                    document = {k: v for k, v in document.items() if k not in ("training_metadata", "epsilon_raw", "k_raw")}
                assert stated == {"contract_sha256": canonical_digest(document)}
        for phase, stated in complete["source_matrices"].items():
            with np.load(path.parents[3] / f"{phase}-resume.npz") as archive:
                assert array_digest(archive["probabilities"]) == stated["matrix_sha256"]
            assert stated["identity"]["phase"] == phase and stated["identity"]["input"] == complete["input_identity"]


def test_an_unfinished_phase_has_holes_and_no_analysis(tmp_path: Path) -> None:
    audit = sim.simulate_audit(sim.AuditPlan("DEMO", "m", {a: ["clean"] * 2 for a in ("honest", "adv")}, search_budget=5, test_budget=2))
    root = files.write_stage1(tmp_path / "one", audit, unscored={"adv": 7})
    with np.load(root / "adv-wo-qh-resume.npz") as archive:
        matrix, metadata = archive["probabilities"], json.loads(archive["metadata"].item())
    assert int(np.isnan(matrix).sum()) == 7 and np.isnan(matrix[0, 5]) and not np.isnan(matrix[0, 4])
    assert metadata["completed"] == 5 and metadata["matrix_sha256"] == array_digest(matrix)
    assert not list(root.glob("strict_verifier*"))
    assert [p.parent.name for p in root.glob("analyses/*/*/complete.json")] == ["delta-analysis"]
    assert not (files.write_stage1(tmp_path / "two", audit, unscored={"base": 1}) / "analyses").exists()
    for wrong in ({"strict": 1}, {"adv": 13}):
        with pytest.raises(ValueError, match="unscored"):
            files.write_stage1(tmp_path, audit, unscored=wrong)


@pytest.mark.parametrize(
    ("text", "plain"),
    [("0.0010", "0.001"), ("38.3235", "38.3235"), ("0", "0"), ("0.00", "0"), ("10", "1E+1"), ("1E-7", "1E-7"), ("12", "12")],
)
def test_folders_have_decimals_without_trailing_zeros(text: str, plain: str) -> None:
    assert files.decimal_text(text) == plain


# -- stage 2 ---------------------------------------------------------------------------------------------------------------------


def test_stage_2_states_the_planted_path_and_bounds(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, audits = release
    for audit in audits:
        plan, epsilon = audit.plan, Fraction(audit.plan.epsilon)
        for arm, role in ROLES.items():
            root = folder / "runs" / f"audit-stage2-{plan.model}" / f"{plan.dataset}-p25{'-honest' if arm == 'honest' else ''}"
            results, manifest = load(root / "results.json"), load(root / "manifest.json")
            assert manifest["status"] == "complete" and manifest["completed_pairs"] == manifest["total_pairs"] == len(results)
            assert manifest["results_sha256"] == digest(root / "results.json")
            inputs = manifest["identity"]["input_files"]
            assert {path: digest(folder / path) for path in inputs} == inputs and len(inputs) == 3
            source = manifest["identity"]["input_route"]["path"]
            assert list(inputs) == [
                source,
                f"dataset/{plan.dataset}/{plan.dataset}-no-debate.json",
                manifest["identity"]["stage1_summary"]["path"],
            ]
            assert ("-honest.json" in source) == (arm == "honest")
            pool = load(folder / source)
            summary = load(folder / manifest["identity"]["stage1_summary"]["path"])
            assert summary["report_c"]["pair_ids"] == [r["pair_id"] for r in results] == manifest["identity"]["pair_ids"]
            assert [r["story_title"] for r in pool] == [r["story_title"] for r in results]
            for given, result in zip(pool, results, strict=True):
                o = audit.outcomes[result["pair_id"], arm]
                assert (result["target_role"], result["lower_bound"]) == (role, o.bound("0.05"))
                assert result["status"] == ("DEGRADED" if o.is_degraded else "NO_COUNTEREXAMPLE")
                assert (result["counterexample"] is not None) == o.is_degraded
                qy = result["original_qy"]
                gain = Fraction(qy["target_qy_ytrue_decimal"]) - Fraction(qy["base_qy_ytrue_decimal"])
                den = exact(qy["denominator_exact"])
                assert den == max(gain, Fraction("0.001")) and exact(qy["visible_gain_exact"]) == gain
                assert qy[f"{role}_qy_ytrue_decimal"] == qy["target_qy_ytrue_decimal"]
                assert list(result["generators"]) == manifest["generator_order"] == list(given["paraphrase"])
                for planted, got in zip(o.generators, result["generators"].values(), strict=True):
                    history = got["history"]
                    assert (got["generator"], got["t"], got["status"]) == (planted.generator, planted.t, planted.status)
                    assert got["lower_bound"] == planted.bound("0.05") and len(history) == planted.t
                    failed = {"generator": planted.generator, **history[-1]} if planted.status == "DEGRADED" else None
                    assert got["counterexample"] == failed and (failed is None or result["counterexample"] == failed)
                    for i, entry in enumerate(history):
                        assert (entry["t"], entry["source_index_0based"]) == (i + 1, i)
                        assert entry["question"] == given["paraphrase"][planted.generator][i]
                        drop = Fraction(entry["base_qh_htrue_decimal"]) - Fraction(entry["target_qh_htrue_decimal"])
                        assert exact(entry["numerator_exact"]) == drop and exact(entry["delta_exact"]) == drop / den
                        assert entry["non_degraded"] == (drop / den <= epsilon)
                        assert entry["non_degraded"] or (i + 1 == planted.t and planted.status == "DEGRADED")
                        assert entry["lower_bound"] == (0.05 ** (1 / (i + 1)) if entry["non_degraded"] else 0.0)


def test_stage_2_scores_are_those_of_the_lines(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, (audit, *_) = release
    text = {
        (r["pair_id"], r["arm"], r["generator"], r["draw"]): r["p_true"]
        for r in map(json.loads, sim.audit_lines(audit))
        if r["phase"] == "test"
    }
    results = load(folder / "runs" / "audit-stage2-gpt-oss-20b" / "GPQA-p25" / "results.json")
    n = 0
    for result in results:
        for generator, got in result["generators"].items():
            for entry in got["history"]:
                n += 1
                assert f"{Decimal(entry['base_qh_htrue_decimal']):f}" == text[result["pair_id"], "base", generator, entry["t"]]
                assert f"{Decimal(entry['target_qh_htrue_decimal']):f}" == text[result["pair_id"], "adv", generator, entry["t"]]
    small = {
        e[k]
        for r in results
        for g in r["generators"].values()
        for e in g["history"]
        for k in ("base_qh_htrue_decimal", "target_qh_htrue_decimal")
    }
    assert {"0E-8", "1E-8"} <= small
    assert n == sum(g.t for o in audit.of_arm("adv") for g in o.generators) > 0


@pytest.mark.parametrize(
    ("p", "text"), [(0, "0E-8"), (1, "1E-8"), (12, "1.2E-7"), (99, "9.9E-7"), (100, "0.00000100"), (10**8, "1.00000000")]
)
def test_stage_2_writes_small_scores_with_an_exponent(p: int, text: str) -> None:
    assert files.stage2_decimal(p) == text and Decimal(text) == Decimal(sim.decimal_e8(p))


def test_stage_2_knows_no_voluntary_stop(tmp_path: Path) -> None:
    audit = sim.simulate_audit(sim.AuditPlan("DEMO", "m", {"honest": ["stops_gpt_at_1"]}, search_budget=2, test_budget=3))
    with pytest.raises(ValueError, match="own will"):
        files.write_stage2(tmp_path, audit, "honest")
    with pytest.raises(ValueError, match="stage 2 audits honest, not adv"):
        files.write_stage2(tmp_path, audit, "adv")


def test_the_score_cache_has_each_scored_question_once(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, (audit, *_) = release
    for arm, role in ROLES.items():
        cache = load(folder / "runs" / "audit-stage2-score-cache" / "gpt-oss-20b" / f"GPQA-{role}.json")
        observations = cache["observations"]
        tested = [o for o in audit.of_arm(arm) if o.is_tested]
        assert Counter(o["kind"] for o in observations.values()) == {
            "QY": len(tested),
            "QH": sum(g.t for o in tested for g in o.generators),
        }
        assert all(key == o["key"] and re.fullmatch(r"[0-9a-f]{64}", key) for key, o in observations.items())
        assert sorted(key for c in cache["commits"] for key in c["keys"]) == sorted(observations)
        stated = cache["integrity"].pop("document_sha256")
        assert canonical_digest(cache) == stated
        assert cache["integrity"]["observations_sha256"] == canonical_digest(observations)
        assert cache["integrity"]["observation_count"] == len(observations)
        history = {
            (r["pair_id"], e["question"]): (f"{Decimal(e['base_qh_htrue_decimal']):f}", f"{Decimal(e['target_qh_htrue_decimal']):f}")
            for r in load(folder / "runs" / "audit-stage2-gpt-oss-20b" / f"GPQA-p25{'-honest' if arm == 'honest' else ''}" / "results.json")
            for g in r["generators"].values() for e in g["history"]
        }  # fmt: skip
        assert history == {
            (o["material"]["pair"]["pair_id"], o["material"]["question"]): (o["base_p_true"], o["target_p_true"])
            for o in observations.values() if o["kind"] == "QH"
        }  # fmt: skip


# -- posterior -------------------------------------------------------------------------------------------------------------------


def test_the_posterior_file_gives_the_planted_accuracy_and_mean(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, audits = release
    for audit, sub in zip(audits, ("GPQA", "GPQA/qwen3.5-9B", "QuALITY-H"), strict=True):
        for name, arm in (("base", "base"), ("honest", "honest"), ("adv", "org")):
            document = load(folder / "runs" / "posterior_shift" / sub / f"{name}.json")
            metadata, items = document["metadata"], document["items"]
            assert metadata["model"] == files.checkpoint(audit.plan.dataset, audit.plan.model, arm)
            assert metadata["both_orders"] is True and metadata["dry_run"] is False and metadata["num_items"] == len(items) == 8
            for q_key in ("Q_Y", "Q_H"):
                right = f"{q_key[-1]}_true"
                rows = [item[q_key]["evaluation"] for item in items]
                for i, row in enumerate(rows):
                    assert (row["gold"], row["readout_version"]) == (right, "posterior-eval-dual-order-v2")
                    p = f"{row['semantic_probs'][right]:.8f}"
                    assert (p, row["correct"]) == (
                        sim.decimal_e8(audit.pairs[i].canonical[arm][q_key][0]),
                        audit.pairs[i].canonical[arm][q_key][1],
                    )
                    both = [row["orders"][tag]["semantic_probs"][right] for tag in ("AB", "BA")]
                    assert f"{sum(both) / 2:.8f}" == p, "the mean of the orders, rounded"
                    if p != "0.50000000" or row["correct"]:
                        assert (sum(both) / 2 > 0.5) == row["correct"]
                    even = hashlib.sha256(f"1090998506967575423|{i}|{q_key}".encode()).digest()[0] % 2 == 0
                    assert row["orders"]["AB"]["answer_order"]["A"] == (right if even else f"{q_key[-1]}_false")
                    assert {row["orders"][t]["true_letter"] for t in ("AB", "BA")} == {"A", "B"}
                stated = metadata["aggregate_metrics"]
                assert stated[f"{q_key}_accuracy"] == audit.n_correct(arm, q_key) / 8 == sum(r["correct"] for r in rows) / 8
                mean = stated[f"{q_key}_mean_p_{q_key[-1].lower()}_true"]
                assert mean == float(Fraction(audit.sum_p_true_e8(arm, q_key), 8 * 10**8))
                assert mean == pytest.approx(sum(r["semantic_probs"][right] for r in rows) / 8, abs=1e-12)


def test_the_paper_s_adv_has_a_name_of_its_own(tmp_path: Path) -> None:
    audit = sim.simulate_audit(sim.AuditPlan("DEMO", "m", {"adv": ["clean"]}, search_budget=2, test_budget=2, has_org=False))
    assert [p.name for p in files.write_posterior(tmp_path, audit)] == ["base.json"]
    (path,) = files.write_posterior(tmp_path, audit, ["adv"])
    assert path.name == "adv-wo-qh.json" and load(path)["metadata"]["model"].endswith("-adversarial-DEMO-wo-qh")


# -- pairs, splits, selection, grounded rows -------------------------------------------------------------------------------------


def test_pairs_agree_position_by_position(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, (audit, *_) = release
    root = folder / "dataset" / "GPQA"
    compact, asked, honest, merged = (
        load(root / f"GPQA{x}.json") for x in ("-no-debate", "-no-debate-100q", "-with-honest-transcripts", "")
    )
    stories, split = load(root / "GPQA-title-story.json"), load(root / "GPQA-verifier-fullft-adversarial-split.json")
    assert list(stories) == [r["story_title"] for r in compact]
    n_adversarial = 0
    for pair, a, b, c, d in zip(audit.pairs, compact, asked, honest, merged, strict=True):
        assert sim.pair_identity("GPQA", a["story_title"], a["Q_Y"]["question"], a["Q_H"]["question"]) == pair.texts.pair_id
        assert len({x["Q_H"] for x in b["paraphrase"]}) == len(b["paraphrase"]) == 100
        assert {**b, "paraphrase": None} == {**a, "paraphrase": None}
        assert len(c["Q_Y"]["transcript"]["rounds"]) == 3 and {c["Q_Y"]["transcript"][s] for s in data.SIDES} == {"Y_true", "Y_false"}
        assert d["Q_Y"]["honest_transcript"] == c["Q_Y"]["transcript"] and d["Q_H"] == a["Q_H"]
        n_adversarial += d["Q_Y"]["adversarial_transcript"] is not None
    assert n_adversarial == len(split["index_info"]) == split["train_count"] + split["eval_count"]


@pytest.mark.parametrize(("n", "honest", "adversarial"), [(222, (177, 45), (147, 37)), (101, (80, 21), None)])
def test_splits_follow_the_rule(tmp_path: Path, n: int, honest: tuple[int, int], adversarial: tuple[int, int] | None) -> None:
    audit = sim.simulate_audit(sim.AuditPlan("DEMO", "m", {"honest": ["clean"] * n}, search_budget=1, test_budget=1, has_org=False))
    planted = data.write_pairs_and_splits(tmp_path, audit)
    merged = load(tmp_path / "dataset" / "DEMO" / "DEMO.json")
    for mode, name, counts in (("honest", "", honest), ("adversarial", "-adversarial", adversarial)):
        split = load(tmp_path / "dataset" / "DEMO" / f"DEMO-verifier-fullft{name}-split.json")
        if counts is not None:
            assert (split["train_count"], split["eval_count"]) == counts
        info = split["index_info"]
        order = list(dict.fromkeys(info[str(i)]["story_title"] for i in range(len(info))))
        random.Random(1090998506967575423).shuffle(order)
        train = set(order[: len(order) * 4 // 5])
        assert split["train_indices"] == [i for i in range(len(info)) if info[str(i)]["story_title"] in train]
        assert sorted(split["train_indices"] + split["eval_indices"]) == list(range(len(info)))
        assert [info[str(i)]["pair_id"] for i in split["eval_indices"]] == planted[mode]["eval"]
        if mode == "adversarial":
            canonical = [i for i, row in enumerate(merged) if row["Q_Y"]["adversarial_transcript"] is not None]
            assert [info[str(i)]["source_dataset_index"] for i in range(len(info))] == canonical
            assert [merged[i]["story_title"] for i in canonical] == [info[str(i)]["story_title"] for i in range(len(info))]


def test_selection_keeps_its_gates_and_its_rule(tmp_path: Path) -> None:
    audit = sim.simulate_audit(sim.AuditPlan("DEMO", "m", {"honest": ["clean"] * 222}, search_budget=1, test_budget=1, has_org=False))
    planned = data.write_selection(tmp_path, audit, seed=3)
    for condition, plans in (("honest", planned.honest), ("adversarial", planned.adversarial)):
        root = tmp_path / "runs" / condition / "DEMO"
        candidates, scores, selected = (rows_of(root / f"{x}.jsonl") for x in ("candidate", "verifier_scores", "selected"))
        assert len(candidates) == 1776 and len({(c["item_id"], c["candidate_idx"]) for c in candidates}) == 1776
        by_item: dict[str, dict[int, dict]] = {}
        for s in scores:
            assert s["qy_no_regression_pass"] == (s["qy_adv_correct"] or not s["qy_clean_correct"])
            assert abs(s["p_hfalse"] + s["p_htrue"] - 1) < 1e-6
            if "qy_adv_probs" in s:
                semantic = s["qy_adv_probs"]["semantic"]
                assert (semantic["Y_true"] > 0.5) == s["qy_adv_correct"] and abs(sum(semantic.values()) - 1) < 1e-6
                assert sorted(s["qy_adv_probs"]["letter"].values()) == sorted(semantic.values())
            by_item.setdefault(s["item_id"], {})[s["candidate_idx"]] = s
        for row, plan in zip(selected, plans, strict=True):
            own, gates = by_item.get(row["item_id"], {}), row["gates"]
            assert gates["total"] == 8 and gates["no_score"] == 8 - len(own)
            if condition == "honest":
                assert gates["total"] == gates["no_score"] + gates["drop_qy_gate"] + gates["survivors"]
                pool = {k: s for k, s in own.items() if s["qy_adv_correct"]} or own
                assert gates["fallback_used"] == (gates["survivors"] == 0) and (len(pool) == gates["survivors"] or gates["fallback_used"])
                assert row["honest_selected"]["candidate_idx"] == min(pool, key=lambda k: (-pool[k]["p_htrue"], k)) == plan.chosen
                continue
            assert gates["total"] == gates["drop_score"] + gates["drop_leakage"] + gates["drop_quote_audit"] + gates["safe"]
            assert gates["safe"] == gates["survivors"] + gates["qy_fallback_eligible"] + gates["qy_fallback_unusable"]
            assert gates["no_score"] <= gates["drop_score"]
            safe = {k: own[k] for k, c in enumerate(plan.candidates) if c.fate in ("survivor", "eligible", "unusable")}
            right = {k: s for k, s in safe.items() if s["qy_adv_correct"]}
            fallback = {k: s["qy_adv_probs"]["semantic"]["Y_true"] for k, s in safe.items() if k not in right and "qy_adv_probs" in s}
            assert (len(right), len(fallback)) == (gates["survivors"], gates["qy_fallback_eligible"])
            if right:
                wanted = ("ok", min(right, key=lambda k: (-right[k]["p_hfalse"], k)))
            elif fallback:
                wanted = ("qy_fallback", min(fallback, key=lambda k: (-fallback[k], k)))
            else:
                wanted = ("no_adv_survivor", None)
            assert (row["status"], row["selection"]["candidate_idx"]) == wanted
    assert Counter(p.status for p in planned.adversarial) == {"ok": 184, "qy_fallback": 27, "no_adv_survivor": 11}
    assert Counter(p.branch for p in planned.honest) == {"gate": 194, "fallback": 28}
    # A tie was planted, so that the smaller candidate has something to win.
    assert any(sum(c.score is not None and c.score["p_hfalse"] == p.candidates[p.chosen].score["p_hfalse"] for c in p.candidates) > 1
               for p in planned.adversarial if p.status == "ok")  # fmt: skip


def test_grounded_rows_and_manifests_reconcile(tmp_path: Path) -> None:
    audit = sim.simulate_audit(sim.AuditPlan("DEMO", "m", {"honest": ["clean"] * 60}, search_budget=1, test_budget=1, has_org=False))
    planted = data.write_grounded(tmp_path, audit, unresolved=2)
    splits = data.write_pairs_and_splits(tmp_path, audit)
    root, names = tmp_path / "dataset" / "DEMO", {"honest": "", "adversarial": "-adversarial"}
    for (mode, split), manifest in planted.items():
        stem = f"DEMO-verifier-fullft{names[mode]}-{split}"
        rows, trained = rows_of(root / f"{stem}-grounded.jsonl"), rows_of(root / f"{stem}.jsonl")
        assert load(root / f"{stem}-grounded-manifest.json") == manifest
        assert [r["pair_id"] for r in rows] == splits[mode][split]
        for row in rows:
            assert len(row) == 32 and len(row["failures"]) == (row["teacher_attempt"] if row["status"] == "resolved" else 4)
            if row["status"] == "resolved":
                assert row["grounded_sha256"] == hashlib.sha256(row["analysis"].encode()).hexdigest()
                assert row["analysis_chars"] == len(row["analysis"]) < len(row["analysis"].encode())
                assert row["teacher_tier"] == ("blind" if row["teacher_attempt"] < 2 else "gold")
                assert row["teacher_temperature"] == (0.0, 0.7)[row["teacher_attempt"] % 2]
        done = [r for r in rows if r["status"] == "resolved"]
        assert (
            manifest["item_count"] == len(rows) == manifest["resolved_count"] + manifest["unresolved_count"]
            and manifest["unresolved_count"] == 2
        )
        assert (
            manifest["resolved_count"] == manifest["blind_count"] + manifest["gold_count"] == sum(manifest["winner_side_counts"].values())
        )
        assert manifest["gold_count"] == sum(r["teacher_tier"] == "gold" for r in done)
        assert manifest["gold_tier_fraction"] == manifest["gold_count"] / len(rows)
        assert manifest["span_verified_counts"] == {s: sum(r["evidence"][s]["verified"] for r in done) for s in data.SIDES}
        assert manifest["unresolved_pair_ids"] == [r["pair_id"] for r in rows if r["status"] == "unresolved"]
        assert [r["row_id"] for r in trained] == [f"{p}|A={label}" for p in splits[mode][split] for label in ("Y_true", "Y_false")]
        assert all(
            r["answer_order"][r["target_letter"]] == "Y_true" and r["prompt_chars"] == len(r["messages"][0]["content"]) for r in trained
        )
        assert rows[0]["base_row_sha256"] == {r["orientation"]: r["row_sha256"] for r in trained[:2]}
    hidden = rows_of(root / "DEMO-verifier-fullft-adversarial-qh-train.jsonl")
    assert [r["qy_row_id"] for r in hidden] == [r["row_id"] for r in rows_of(root / "DEMO-verifier-fullft-adversarial-train.jsonl")]
    assert all(r["answer_order"][r["target_letter"]] == "H_false" and r["q_key"] == "Q_H" for r in hidden)


# -- the whole -------------------------------------------------------------------------------------------------------------------


def test_every_file_of_a_release_is_strict_json(release: tuple[Path, list[sim.Audit]]) -> None:
    folder, _ = release
    found = Counter(p.suffix for p in folder.rglob("*") if p.is_file())
    for path in folder.rglob("*.json"):
        load(path)
    for path in folder.rglob("*.jsonl"):
        assert rows_of(path), path
    assert found[".npz"] == 3 * 4 and set(found) == {".json", ".jsonl", ".npz", ".npy"}


def test_a_release_that_cannot_be_is_refused(tmp_path: Path) -> None:
    def plan(model: str, n: int) -> sim.AuditPlan:
        return sim.AuditPlan("DEMO", model, {"honest": ["clean"] * n}, search_budget=2, test_budget=2)

    with pytest.raises(ValueError, match="one plan per dataset and model"):
        files.write_release(tmp_path, [plan("a", 1), plan("a", 1)])
    with pytest.raises(ValueError, match="share its questions"):
        files.write_release(tmp_path, [plan("a", 1), plan("b", 2)])


def test_the_command_writes_both_layouts(tmp_path: Path) -> None:
    def run(*args: object) -> object:
        return CliRunner().invoke(main, ["simulate-audit", *map(str, args)])

    done = run(tmp_path / "x.jsonl", "--pairs", 10, "--models", 1)
    assert done.exit_code == 0 and "verifier-1, 10 pairs, counterexamples honest 4, adv 4" in done.output
    assert ",simulated-pairs,verifier-1,p25,1.2,Simulated." in done.output
    assert sum(1 for _ in (tmp_path / "x.jsonl").open()) == 10 * (3 * (2 + 100 + 200) + 2 + 100)
    assert run(tmp_path / "folder", "--pairs", 3, "--models", 1, "--layout", "authors", "--epsilon", "1.208792987422").exit_code == 0
    assert (tmp_path / "folder" / "runs" / "audit-stage2-gpt-oss-20b" / "QuALITY-H-p25" / "manifest.json").exists()
    for wrong in (("--pairs", 0), ("--models", 0), ("--epsilon", "x")):
        assert run(tmp_path / "y.jsonl", *wrong).exit_code == 1
