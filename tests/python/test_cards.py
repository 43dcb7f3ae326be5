"""Reuse cards: the schema, the values of a published card, sums over lanes, nulls with reasons, names, nothing half written."""

import copy
import json
import shutil
from pathlib import Path

import duckdb
import jsonschema
import pytest
from conftest import EXAMPLES, Ledger

from debate_ledger import cards as module
from debate_ledger.cards import OBJECTS, card_markdown, card_schema, cards, check_card, file_name, null_paths, write_cards

#: The field catalogue of the study, version 0.1 (`ledger_formats` 1.15).
CATALOGUE = {
    "identity": "model_name model_family backend model_version_or_snapshot serving_parameters",
    "question_pool": "benchmark question_pool_id pool_selection_rule n_questions outcome_blind_selection",
    "selection_time_fingerprint": "alpha_tot alpha_adv alpha_cor social_argument_ratio n_probe_rows n_probe_completions parser_none_rate",
    "debate_outcome_accounting": "n_debates initial_majority_accuracy final_majority_accuracy conditional_collapse_rate"
    " conditional_correction_rate collapse_onset_distribution",
    "signed_utility": "w_coll w_corr gate_name validation_cohort_id collapses_prevented corrections_lost net_utility accuracy_delta",
    "release": "aggregate_fields_open probe_templates_open_or_gated full_transcripts_open_or_gated r1_feature_matrix_open_or_gated"
    " known_missing_artifacts",
}
#: Phi-4-mini as published: path in the card, value, how far it may be off, where it is printed.
PUBLISHED = [
    # conditional_collapse_sealed11.csv, row Phi-4-mini (the paper's per cent as fractions).
    ("debate_outcome_accounting.n_debates", 2161, 0),
    ("debate_outcome_accounting.n_initial_correct", 1094, 0),
    ("debate_outcome_accounting.n_initial_wrong", 1067, 0),
    ("debate_outcome_accounting.n_collapse", 112, 0),
    ("debate_outcome_accounting.n_correction", 174, 0),
    ("debate_outcome_accounting.initial_majority_accuracy", 0.5062471078204535, 1e-12),
    ("debate_outcome_accounting.conditional_collapse_rate", 0.1023765996343693, 1e-12),
    ("debate_outcome_accounting.conditional_collapse_rate_ci_lower", 0.08578215391796752, 1e-12),
    ("debate_outcome_accounting.conditional_collapse_rate_ci_upper", 0.12175369471489645, 1e-12),
    ("debate_outcome_accounting.conditional_correction_rate", 0.16307403936269914, 1e-12),
    ("debate_outcome_accounting.conditional_correction_rate_ci_lower", 0.14212277259244887, 1e-12),
    ("debate_outcome_accounting.conditional_correction_rate_ci_upper", 0.18644263353982144, 1e-12),
    # model_rows_n14.csv, row phi-4-mini.
    ("debate_outcome_accounting.final_majority_accuracy", 0.5349375289217955, 1e-12),
    ("selection_time_fingerprint.alpha_tot", 0.4685593413292949, 1e-12),
    ("selection_time_fingerprint.alpha_adv", 0.3853020478860809, 1e-12),
    ("selection_time_fingerprint.alpha_cor", 0.09615587075219524, 1e-12),
    # onset_by_model_round.csv, row vllm_phi-4-mini.
    ("debate_outcome_accounting.collapse_onset_distribution.r1", 67, 0),
    ("debate_outcome_accounting.collapse_onset_distribution.r2", 17, 0),
    ("debate_outcome_accounting.collapse_onset_distribution.r3", 28, 0),
    # The .437 that Table 12 prints is the solo rate of 2,306 default probes (README of the published statistics, point 22).
    ("selection_time_fingerprint.channels.solo.flip_rate", 0.437, 5e-4),
    ("selection_time_fingerprint.channels.solo.flip_rate_n", 2306, 0),
]
#: What Table 12 has and the shipped data do not: the rows of the probes, how they were served and how the questions were drawn.
NOT_SHIPPED = (
    "identity.backend identity.model_version_or_snapshot identity.serving_parameters question_pool.benchmark question_pool.question_pool_id"
    " question_pool.pool_selection_rule question_pool.outcome_blind_selection selection_time_fingerprint.n_probe_rows"
    " selection_time_fingerprint.n_probe_completions selection_time_fingerprint.parser_none_rate"
    " selection_time_fingerprint.social_argument_ratio"
).split()
#: A card of the catalogue's fields only, without any extension.
PLAIN = {
    "schema_version": "0.1",
    "artifact_type": "debate_evaluation_reuse_card_instance",
    "identity": {
        "model_name": "invented", "model_family": None, "backend": "api", "model_version_or_snapshot": None,
        "serving_parameters": {"temperature": 0.7},
    },
    "question_pool": {
        "benchmark": "invented", "question_pool_id": "invented-10", "pool_selection_rule": "first ten", "n_questions": 10,
        "outcome_blind_selection": True,
    },
    "selection_time_fingerprint": {
        "alpha_tot": 0.25, "alpha_adv": 0.5, "alpha_cor": 0, "social_argument_ratio": -0.5, "n_probe_rows": 90, "n_probe_completions": 720,
        "parser_none_rate": None,
    },
    "debate_outcome_accounting": {
        "n_debates": 10, "initial_majority_accuracy": 0.5, "final_majority_accuracy": 0.6, "conditional_collapse_rate": 0.2,
        "conditional_correction_rate": 0.4, "collapse_onset_distribution": {"r1": 1, "r2": 0, "r3": 0},
    },
    "signed_utility": {
        "w_coll": 2.0, "w_corr": 1.0, "gate_name": "always", "validation_cohort_id": "invented", "collapses_prevented": 1,
        "corrections_lost": 2, "net_utility": 0.0, "accuracy_delta": -0.1,
    },
    "release": {
        "aggregate_fields_open": True, "probe_templates_open_or_gated": "open", "full_transcripts_open_or_gated": "gated",
        "r1_feature_matrix_open_or_gated": None, "known_missing_artifacts": [],
    },
}  # fmt: skip


def at(card: dict, path: str) -> object:
    for name in path.split("."):
        card = card[name]
    return card


@pytest.fixture(scope="module")
def written(shipped: Ledger, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("cards")
    return {path.stem: json.loads(path.read_text()) for path in write_cards(shipped.published, folder)}


def test_the_schema_is_a_schema_and_covers_the_catalogue() -> None:
    schema = card_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["required"]) == {"schema_version", "artifact_type", *CATALOGUE}
    for name, fields in CATALOGUE.items():
        assert set(schema["properties"][name]["required"]) == set(fields.split()), name
    assert "metadata_file" in schema["properties"]["release"]["properties"]


def test_a_plain_card_meets_the_schema_and_each_of_its_fields_is_needed() -> None:
    check_card(PLAIN)
    for name, fields in CATALOGUE.items():
        for field in fields.split():
            less = copy.deepcopy(PLAIN)
            del less[name][field]
            with pytest.raises(jsonschema.ValidationError, match=field):
                check_card(less)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("debate_outcome_accounting.conditional_collapse_rate", 5.0),
        ("debate_outcome_accounting.n_debates", -1),
        ("debate_outcome_accounting.n_debats", 10),
        ("release.full_transcripts_open_or_gated", "closed"),
        ("artifact_type", "card"),
        ("identity.model_name", None),
    ],
)
def test_a_card_with_a_wrong_value_does_not_meet_the_schema(path: str, value: object) -> None:
    wrong = copy.deepcopy(PLAIN)
    *outer, last = path.split(".")
    (at(wrong, ".".join(outer)) if outer else wrong)[last] = value
    with pytest.raises(jsonschema.ValidationError):
        check_card(wrong)


def test_the_invented_instance_of_the_study_meets_the_schema() -> None:
    path = EXAMPLES / "reuse_card.json"
    if not path.is_file():
        pytest.skip(f"no file {path}: the invented examples are not part of a clone")
    check_card(json.loads(path.read_text()))


def test_the_card_of_phi_has_the_published_values(written: dict[str, dict]) -> None:
    card = written["model_row__primary__phi-4-mini"]
    for path, value, tolerance in PUBLISHED:
        assert at(card, path) == pytest.approx(value, abs=tolerance), path


def test_what_the_shipped_data_do_not_hold_is_null_with_a_reason(written: dict[str, dict]) -> None:
    card = written["model_row__primary__phi-4-mini"]
    for path in NOT_SHIPPED:
        assert at(card, path) is None, path
        assert card["nulls"][path]
    assert card["release"]["r1_feature_matrix_open_or_gated"] == "open"
    assert [source["licence"] for source in card["sources"]] == ["CC BY 4.0"]


def test_the_gate_of_the_card_follows_from_single_debates(shipped: Ledger, written: dict[str, dict]) -> None:
    # By hand: the gate fires where round 1 moved the majority, and then the start is the end.
    prevented, lost = shipped.query(
        """
        select count(*) filter (where cell = 'collapse'), count(*) filter (where cell = 'correction')
        from debates inner join debate_rounds using (cohort, debate_key)
        where cohort = 'primary' and debates.model = 'phi-4-mini' and coding_rule = 'stored' and endpoint = 'last'
            and round = 1 and stored_majority_changed
        """
    )[0]
    utility = written["model_row__primary__phi-4-mini"]["signed_utility"]
    assert (utility["collapses_prevented"], utility["corrections_lost"]) == (prevented, lost)
    assert utility["net_utility"] == prevented - lost
    assert utility["accuracy_delta"] == pytest.approx((prevented - lost) / 2161)
    assert "r1_majority_changed" not in [gate["gate_name"] for gate in utility["other_gates"]]


def test_there_is_a_card_of_every_row_and_lane(shipped: Ledger, written: dict[str, dict]) -> None:
    def of(kind: str, *keys: str) -> set:
        return {tuple(at(c, key) for key in keys) for c in written.values() if c["card"]["kind"] == kind}

    assert of("model_row", "card.cohort", "identity.model_name") == set(shipped.query("select cohort, model from model_ledger"))
    assert of("probe_lane", "card.lane") == set(shipped.query("select lane from screen"))
    assert of("debate_lane", "card.cohort", "card.lane") == set(shipped.query("select cohort, lane from cohort_lanes where is_included"))
    n = shipped.one(
        "select (select count(*) from model_ledger left join screen using (cohort, model)) + (select count(distinct lane) from screen)"
        " + (select count(*) from cohort_lanes where is_included)"
    )
    assert len(written) == n


def test_lanes_add_up_to_their_model_row(written: dict[str, dict]) -> None:
    lanes = [c for c in written.values() if c["card"]["kind"] == "debate_lane"]
    rows = [c for c in written.values() if c["card"]["kind"] == "model_row"]
    assert any(len([x for x in lanes if x["identity"]["model_name"] == c["identity"]["model_name"]]) > 1 for c in rows)
    for row in rows:
        mine = [
            c for c in lanes if (c["card"]["cohort"], c["identity"]["model_name"]) == (row["card"]["cohort"], row["identity"]["model_name"])
        ]
        counts = ["n_debates", "n_undefined", "n_initial_correct", "n_initial_wrong", "n_final_correct", "n_collapse", "n_correction"]
        if "debate_outcome_accounting.n_collapse_unread" not in row["nulls"]:
            counts += ["n_undefined_unread", "n_collapse_unread", "n_collapse_by_tie", "n_correction_unread", "n_correction_by_tie"]
        for name in counts:
            total = sum(c["debate_outcome_accounting"].get(name) or 0 for c in mine)
            assert total == row["debate_outcome_accounting"][name], (row["identity"]["model_name"], name)
        for name in ("collapses_prevented", "corrections_lost", "n_fired", "accuracy_delta_n"):
            total = sum(c["signed_utility"].get(name) or 0 for c in mine)
            assert total == (row["signed_utility"].get(name) or 0), (row["identity"]["model_name"], name)


def test_model_rows_say_whether_their_sign_rests_on_unread_panels(shipped: Ledger, written: dict[str, dict]) -> None:
    names = ("net_corrections_lower", "net_corrections_upper", "is_sign_unread")
    rows = {(c, m): tuple(v) for c, m, *v in shipped.query(f"select cohort, model, {', '.join(names)} from model_ledger")}
    cards_of = [c for c in written.values() if c["card"]["kind"] == "model_row"]
    for card in cards_of:
        found = tuple(card["debate_outcome_accounting"][name] for name in names)
        assert found == rows[card["card"]["cohort"], card["identity"]["model_name"]]
    assert {True, None} <= {c["debate_outcome_accounting"]["is_sign_unread"] for c in cards_of}


def test_a_single_lane_has_the_rates_and_intervals_of_its_row(written: dict[str, dict]) -> None:
    row = written["model_row__primary__phi-4-mini"]["debate_outcome_accounting"]
    (lane,) = [c for c in written.values() if c["card"]["kind"] == "debate_lane" and c["identity"]["model_name"] == "phi-4-mini"]
    for name, value in lane["debate_outcome_accounting"].items():
        assert value == (pytest.approx(row[name], abs=1e-12) if isinstance(value, float) else row[name]), name


def test_every_null_has_a_reason_and_every_reason_a_null(written: dict[str, dict]) -> None:
    for name, card in written.items():
        nulls = {f"{part}.{path}" for part in OBJECTS for path in null_paths(card[part])}
        assert nulls == set(card["nulls"]), name


def test_every_rate_has_its_denominator(written: dict[str, dict]) -> None:
    for card in written.values():
        for part, names in (
            ("debate_outcome_accounting", ("initial_majority_accuracy", "conditional_collapse_rate", "conditional_correction_rate")),
            ("selection_time_fingerprint", ("alpha_tot", "alpha_adv", "alpha_cor", "parser_none_rate")),
        ):
            for name in names:
                if card[part][name] is not None:
                    assert card[part][f"{name}_n"] > 0
                    assert f"{name}_ci_lower" in card[part]


def test_a_screened_row_carries_the_probes_of_its_lane(shipped: Ledger, written: dict[str, dict]) -> None:
    fingerprint = written["model_row__samples__invented-beta"]["selection_time_fingerprint"]
    lane, rows, completions, unparsed, low, high = shipped.query(
        "select lane, n_probe_rows, n_probe_completions, n_probe_unparsed, alpha_tot_ci_lower, alpha_tot_ci_upper from screen"
        " where cohort = 'samples' and model = 'invented-beta'"
    )[0]
    assert (fingerprint["probe_lane"], fingerprint["n_probe_rows"], fingerprint["n_probe_completions"]) == (lane, rows, completions)
    assert fingerprint["parser_none_rate"] == pytest.approx(unparsed / completions)
    assert (fingerprint["alpha_tot_ci_lower"], fingerprint["alpha_tot_ci_upper"]) == (low, high)
    assert written["model_row__samples__invented-alpha"]["selection_time_fingerprint"]["alpha_tot"] is None
    assert all(c["card"]["is_invented"] for c in written.values() if c["card"]["cohort"] == "samples")


def test_filters_and_names(shipped: Ledger, tmp_path: Path) -> None:
    paths = write_cards(shipped.published, tmp_path, model="phi-4-mini")
    assert {json.loads(p.read_text())["identity"]["model_name"] for p in paths} == {"phi-4-mini"}
    assert {json.loads(p.read_text())["card"]["kind"] for p in paths} == {"model_row", "debate_lane", "probe_lane"}
    assert {p.with_suffix(".md") for p in paths} == set(tmp_path.glob("*.md"))
    assert {card["card"]["cohort"] for _, card in cards(shipped.published, cohort="samples")} == {"samples", None}
    with pytest.raises(ValueError, match="no-such-model"):
        write_cards(shipped.published, tmp_path / "none", model="no-such-model")
    assert not (tmp_path / "none").exists()
    names = [file_name(["model_row", "c", model]) for model in ("a/b", "a-b", "a b", "a__b", "../../a", "ä" * 300)]
    assert len(set(names)) == len(names)
    assert all("/" not in name and len(name) < 130 for name in names)


def test_a_row_that_two_lanes_screen_has_a_card_for_each(shipped: Ledger, tmp_path: Path) -> None:
    twice = Path(shutil.copy(shipped.published, tmp_path / "twice.duckdb"))
    with duckdb.connect(str(twice)) as con:
        con.execute(
            "insert into screen select * replace ('again' as lane, 0.5 as alpha_tot) from screen"
            " where cohort = 'primary' and model = 'phi-4-mini'"
        )
    found = {name: card for name, card in cards(twice, model="phi-4-mini", cohort="primary") if card["card"]["kind"] == "model_row"}
    assert {c["card"]["lane"]: round(c["selection_time_fingerprint"]["alpha_tot"], 4) for c in found.values()} == {
        "again": 0.5,
        "published counts / Phi-4-mini": 0.4686,
    }
    assert len(found) == 2
    assert {c["debate_outcome_accounting"]["n_debates"] for c in found.values()} == {2161}


def test_a_row_under_the_minimum_has_null_rates_and_says_so(shipped: Ledger, tmp_path: Path) -> None:
    few = Path(shutil.copy(shipped.published, tmp_path / "few.duckdb"))
    with duckdb.connect(str(few)) as con:
        con.execute(
            "update model_ledger set conditional_collapse = null, conditional_collapse_ci_lower = null,"
            " conditional_collapse_ci_upper = null"
        )
    (card,) = [c for _, c in cards(few, model="phi-4-mini", cohort="primary") if c["card"]["kind"] == "model_row"]
    assert card["debate_outcome_accounting"]["conditional_collapse_rate"] is None
    assert card["nulls"]["debate_outcome_accounting.conditional_collapse_rate"] == "its denominator is below the minimum of the build"
    assert card["debate_outcome_accounting"]["n_initial_correct"] == 1094


def test_the_page_shows_values_reasons_and_no_markup_of_the_data(written: dict[str, dict], shipped: Ledger, tmp_path: Path) -> None:
    page = card_markdown(written["model_row__primary__phi-4-mini"])
    assert "| `conditional_collapse_rate` | 0.1024 | n = 1,094; [0.0858, 0.1218] Wilson, 95 % |" in page
    assert "| `benchmark` | null | no line states it as a field |" in page
    assert "CC BY 4.0" in page and "result.**" not in page
    assert "**Every source of this card is invented" in card_markdown(written["model_row__samples__invented-beta"])
    odd = shutil.copy(shipped.published, tmp_path / "odd.duckdb")
    name = "<script>|x|\n# y"
    with duckdb.connect(str(odd)) as con:
        for table in ("model_ledger", "debates", "cohort_lanes", "replay_by_model", "replay_decisions"):
            con.execute(f"update {table} set model = ? where cohort = 'samples' and model = 'invented-beta'", [name])
    text = "\n".join(card_markdown(card) for _, card in cards(Path(odd), model=name))
    assert "\\<script\\>\\|x\\| # y" in text
    assert "<script>" not in text.replace("\\<", "") and "\n# y" not in text


def test_cards_are_the_same_every_time_and_an_old_card_survives_a_failure(
    shipped: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {p.name: p.read_bytes() for p in write_cards(shipped.published, tmp_path, cohort="primary")}
    assert first == {p.name: p.read_bytes() for p in write_cards(shipped.published, tmp_path, cohort="primary")}
    monkeypatch.setattr(module, "SCHEMA_VERSION", "9.9")
    with pytest.raises(jsonschema.ValidationError):
        write_cards(shipped.published, tmp_path, cohort="primary")
    assert first == {p.name: p.read_bytes() for p in sorted(tmp_path.glob("*.json"))}
    assert not list(tmp_path.glob(".*"))
