"""The published file checked as a consumer would check it; the report is left in target/data_docs."""

import os
from pathlib import Path

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")

import duckdb
import great_expectations as gx
import great_expectations.expectations as gxe
import pytest
from conftest import ROOT, Ledger

CELLS = ["n_preserved", "n_collapse", "n_correction", "n_unrepaired", "n_undecided_correct", "n_undefined"]
RATES = {
    "conditional_collapse": ("n_collapse", "n_initial_correct"),
    "conditional_correction": ("n_correction", "n_initial_wrong"),
    "initial_accuracy": ("n_initial_correct", "n_defined"),
    "final_accuracy": ("n_final_correct", "n_defined"),
}


def ledger_expectations(keys: list[str]) -> list[gxe.Expectation]:
    """Denominators, cells that sum, rates within their intervals. Sets and ranges pass on null in GX, so each has a not-null beside it."""
    wanted: list[gxe.Expectation] = [gxe.ExpectTableRowCountToBeBetween(min_value=1), gxe.ExpectCompoundColumnsToBeUnique(column_list=keys)]
    wanted += [gxe.ExpectColumnValuesToNotBeNull(column=c) for c in [*keys, "n_debates", *CELLS, *(n for _, n in RATES.values())]]
    wanted += [gxe.ExpectColumnValuesToBeBetween(column=c, min_value=0) for c in ["n_debates", *CELLS]]
    wanted += [gxe.ExpectColumnValuesToBeBetween(column="cells_minus_debates", min_value=0, max_value=0)]
    for rate, (_, denominator) in RATES.items():
        wanted += [
            gxe.ExpectColumnPairValuesToBeEqual(column_A=f"{rate}_n", column_B=denominator),
            gxe.ExpectColumnValuesToBeBetween(column=f"{rate}_times_n_minus_count", min_value=-1e-9, max_value=1e-9),
            gxe.ExpectColumnValuesToNotBeNull(column=f"{rate}_times_n_minus_count"),
            gxe.ExpectColumnPairValuesAToBeGreaterThanB(
                column_A=f"{rate}_ci_upper", column_B=rate, or_equal=True, ignore_row_if="either_value_is_missing"
            ),
            gxe.ExpectColumnPairValuesAToBeGreaterThanB(
                column_A=rate, column_B=f"{rate}_ci_lower", or_equal=True, ignore_row_if="either_value_is_missing"
            ),
        ]
    return wanted


SUITES: dict[str, tuple[str, list[gxe.Expectation]]] = {
    table: (
        f"select *, {' + '.join(CELLS)} - n_debates as cells_minus_debates, "
        + ", ".join(f"coalesce({r} * {n}, 0) - if({n} = 0, 0, {k}) as {r}_times_n_minus_count" for r, (k, n) in RATES.items())
        + f" from {table}",
        ledger_expectations(keys),
    )
    for table, keys in {
        "transitions": ["cohort", "model", "coding_rule", "endpoint"],
        "model_ledger": ["cohort", "model"],
        "family_ledger": ["cohort", "family"],
    }.items()
}
SUITES["debates"] = (
    "from debates",
    [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectCompoundColumnsToBeUnique(column_list=["cohort", "debate_key", "coding_rule", "endpoint"]),
        gxe.ExpectColumnValuesToNotBeNull(column="cell"),
        gxe.ExpectColumnValuesToBeInSet(
            column="cell", value_set=["preserved", "collapse", "correction", "unrepaired", "undecided_correct", "undefined"]
        ),
        gxe.ExpectColumnValuesToBeBetween(column="onset_round", min_value=1),
    ],
)
SUITES["flip_rates"] = (
    "select *, n_adv + n_cor + n_neutral + n_flip_without_key - n_compared_flip as n_lost from flip_rates",
    [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectCompoundColumnsToBeUnique(column_list=["lane", "condition", "channel", "strength"]),
        gxe.ExpectColumnValuesToNotBeNull(column="n_lost"),
        gxe.ExpectColumnValuesToBeBetween(column="n_lost", min_value=0, max_value=0),
        *(
            expectation
            for rate in ("flip_rate", "flip_rate_dropped", "alpha_adv", "alpha_cor", "alpha_neutral")
            for expectation in (
                gxe.ExpectColumnValuesToBeBetween(column=rate, min_value=0, max_value=1),
                gxe.ExpectColumnPairValuesAToBeGreaterThanB(
                    column_A=f"{rate}_ci_upper", column_B=rate, or_equal=True, ignore_row_if="either_value_is_missing"
                ),
            )
        ),
    ],
)
SUITES["screen"] = (
    "from screen",
    [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectColumnValuesToNotBeNull(column="lane"),
        gxe.ExpectColumnValuesToNotBeNull(column="alpha_definition"),
        gxe.ExpectColumnValuesToNotBeNull(column="alpha_tot"),
        gxe.ExpectColumnValuesToBeBetween(column="alpha_tot", min_value=0, max_value=1),
        gxe.ExpectColumnValuesToBeBetween(column="social_argument_ratio", min_value=-1, max_value=1),
    ],
)
FLOWS = ["n_prevented", "n_gained", "n_lost", "n_lost_undecided", "n_broken", "n_abstained_right", "n_abstained_wrong"]
SUITES["replay"] = (
    "select *, n_prevented + n_gained - n_lost - n_lost_undecided - n_broken - net as flows_minus_net from replay where reason is null",
    [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectCompoundColumnsToBeUnique(column_list=["cohort", "coding_rule", "endpoint", "policy"]),
        *(gxe.ExpectColumnValuesToNotBeNull(column=c) for c in [*FLOWS, "n_fired", "net", "n_undecidable", "flows_minus_net"]),
        *(gxe.ExpectColumnValuesToBeBetween(column=c, min_value=0) for c in [*FLOWS, "n_undecidable"]),
        gxe.ExpectColumnValuesToBeBetween(column="n_debates", min_value=1),
        gxe.ExpectColumnValuesToBeBetween(column="flows_minus_net", min_value=0, max_value=0),
        gxe.ExpectColumnPairValuesAToBeGreaterThanB(column_A="n_debates", column_B="n_fired", or_equal=True),
        gxe.ExpectColumnPairValuesToBeEqual(column_A="accuracy_change_n", column_B="n_answered"),
        gxe.ExpectColumnPairValuesAToBeGreaterThanB(
            column_A="accuracy_change_ci_upper", column_B="accuracy_change_ci_lower", or_equal=True, ignore_row_if="either_value_is_missing"
        ),
    ],
)
SUITES["raw_files"] = (
    "select *, n_lines - n_debate_lines - n_probe_lines - n_action_lines - n_evaluation_lines - n_audit_record_lines"
    " - n_rejected_lines - n_header_lines - n_blank_lines as n_lost from raw_files where status = 'landed'",
    [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        gxe.ExpectColumnValuesToNotBeNull(column="n_lost"),
        gxe.ExpectColumnValuesToBeBetween(column="n_lost", min_value=0, max_value=0),
        gxe.ExpectColumnValueLengthsToEqual(column="sha256", value=64),
        gxe.ExpectColumnValuesToNotBeNull(column="sha256"),
    ],
)


@pytest.fixture(scope="module")
def context() -> gx.data_context.EphemeralDataContext:
    context = gx.get_context(mode="ephemeral")
    for site in list(context.get_site_names()):
        context.delete_data_docs_site(site)
    context.add_data_docs_site(
        site_name="published_ledger",
        site_config={
            "class_name": "SiteBuilder",
            "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
            "store_backend": {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(ROOT / "target" / "data_docs")},
        },
    )
    context.data_sources.add_pandas("published")
    return context


def validate(context: gx.data_context.EphemeralDataContext, name: str, published: Path, query: str, expectations: list) -> list[str]:
    """Names of the expectations that fail or raise, and the data docs renewed."""
    with duckdb.connect(str(published), read_only=True) as con:
        frame = con.execute(query).df()
    asset = context.data_sources.get("published").add_dataframe_asset(name)
    batch = asset.add_batch_definition_whole_dataframe("all rows")
    suite = context.suites.add(gx.ExpectationSuite(name=name, expectations=[e.copy() for e in expectations]))
    definition = context.validation_definitions.add(gx.ValidationDefinition(name=name, data=batch, suite=suite))
    checkpoint = context.checkpoints.add(gx.Checkpoint(name=name, validation_definitions=[definition], result_format="SUMMARY"))
    outcome = checkpoint.run(batch_parameters={"dataframe": frame})
    context.build_data_docs()
    failed = []
    for result in outcome.run_results.values():
        for one in result.results:
            raised = [info for info in (one.exception_info or {}).values() if isinstance(info, dict) and info.get("raised_exception")]
            if not one.success or raised:
                failed.append(f"{one.expectation_config.type} {one.expectation_config.kwargs} {raised or one.result}")
        assert len(result.results) == len(expectations)
    return failed


@pytest.mark.parametrize("table", SUITES)
def test_the_published_table_keeps_its_promises(context: gx.data_context.EphemeralDataContext, shipped: Ledger, table: str) -> None:
    query, expectations = SUITES[table]
    assert validate(context, table, shipped.published, query, expectations) == []
    assert (ROOT / "target" / "data_docs" / "index.html").exists()


def test_the_checks_notice_a_spoiled_table(context: gx.data_context.EphemeralDataContext, shipped: Ledger) -> None:
    query, expectations = SUITES["model_ledger"]
    spoiled = query.replace("from model_ledger", "from (select * replace (n_collapse + 1 as n_collapse) from model_ledger)")
    failed = validate(context, "spoiled", shipped.published, spoiled, expectations)
    assert any("cells_minus_debates" in f for f in failed)
    assert any("conditional_collapse_times_n" in f for f in failed)
