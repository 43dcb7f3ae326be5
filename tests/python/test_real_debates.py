"""2,809 real three-agent debates: the ground-truth table that was computed for them without SQL, rule by rule.

They are not shipped; where the folder is missing the tests say so and pass.
"""

import pytest
from conftest import REAL, Ledger

pytestmark = pytest.mark.skipif(not (REAL / "dylan_mmlu_n3").is_dir(), reason=f"no folder {REAL}/dylan_mmlu_n3: nothing to check here")

COHORT = "cohort = 'dylan_mmlu_n3' and endpoint = 'last'"


def cells(ledger: Ledger, rule: str) -> dict[str, int]:
    columns = (
        "n_debates n_defined n_undefined n_undefined_no_gold n_undefined_no_initial n_undefined_no_final n_undefined_tie"
        " n_preserved n_collapse n_collapse_wrong n_collapse_tied n_correction n_unrepaired n_undecided_correct"
    ).split()
    [row] = ledger.query(f"select {', '.join(columns)} from transitions where {COHORT} and coding_rule = ?", rule)
    return dict(zip(columns, row, strict=True))


def onsets(ledger: Ledger, rule: str) -> dict[int | None, int]:
    return dict(ledger.query(f"select onset_round, n_onset from onsets where {COHORT} and coding_rule = ?", rule))


def test_every_debate_lands(real: Ledger) -> None:
    assert real.one("select n_debate_lines from raw_files where file = 'real/dylan_mmlu_n3/debates.jsonl.gz'") == 2809
    assert real.query(
        f"select last_round, count(*) from debates where {COHORT} and coding_rule = 'alphabetical' group by 1 order by 1"
    ) == [(0, 1615), (1, 609), (2, 585)]


def test_ties_to_the_first_label_and_undefined_left_out(real: Ledger) -> None:
    found = cells(real, "replay_drop_undefined")
    assert (found["n_defined"], found["n_preserved"], found["n_collapse"], found["n_correction"], found["n_unrepaired"]) == (
        2199, 1806, 71, 138, 184,
    )  # fmt: skip
    assert (found["n_undefined"], found["n_undefined_no_gold"], found["n_undefined_no_initial"], found["n_undefined_no_final"]) == (
        610, 603, 5, 2,
    )  # fmt: skip
    assert onsets(real, "replay_drop_undefined") == {1: 49, 2: 22}


@pytest.mark.parametrize("rule", ["alphabetical", "alphabetical_stored_final"])
def test_an_undefined_majority_is_wrong(real: Ledger, rule: str) -> None:
    """The files store no majority, so the rule that trusts a stored final one falls back to the recount."""
    found = cells(real, rule)
    assert (found["n_defined"], found["n_undefined"], found["n_undefined_no_gold"]) == (2206, 603, 603)
    assert (found["n_preserved"], found["n_collapse"], found["n_correction"], found["n_unrepaired"]) == (1806, 73, 138, 189)


def test_a_tie_is_no_majority_and_left_out(real: Ledger) -> None:
    found = cells(real, "strict_plurality")
    assert (found["n_defined"], found["n_preserved"], found["n_collapse"], found["n_correction"], found["n_unrepaired"]) == (
        2045, 1778, 52, 86, 129,
    )  # fmt: skip
    assert onsets(real, "strict_plurality") == {1: 31, 2: 21}
    # The same 52 collapses where a tied round counts as the break.
    assert real.query(
        f"""
        select undecided.onset_round, count(*)
        from debates as strict inner join debates as undecided using (cohort, debate_key, endpoint)
        where {COHORT} and strict.coding_rule = 'strict_plurality' and strict.cell = 'collapse'
            and undecided.coding_rule = 'undecided_is_wrong'
        group by 1 order by 1
        """
    ) == [(1, 39), (2, 13)]


def test_undecided_is_wrong(real: Ledger) -> None:
    found = cells(real, "undecided_is_wrong")
    assert found["n_defined"] == 2206
    assert (found["n_preserved"], found["n_collapse"], found["n_collapse_wrong"], found["n_collapse_tied"]) == (1778, 64, 52, 12)
    assert (found["n_correction"], found["n_undecided_correct"], found["n_unrepaired"]) == (86, 76, 202)


def test_ties_by_round(real: Ledger) -> None:
    """201 tied starts and 35 tied ends over all debates, 136 and 22 of them with an answer key."""
    tied = "count(*) filter (is_tie), count(*) filter (is_tie and alphabetical_correct is not null)"
    where = "from debate_rounds where cohort = 'dylan_mmlu_n3'"
    assert real.query(f"select {tied} {where} and round = 0") == [(201, 136)]
    assert real.query(f"select {tied} {where} and is_last_round") == [(35, 22)]


@pytest.mark.parametrize(
    "rule, change, expected",
    [
        ("replay_drop_undefined", "majority_changed_from_initial", (71, 138, 229, 49, 115, 630, 65, 131)),
        ("strict_plurality", "plurality_changed_from_initial", (52, 86, 118, 31, 61, 493, 47, 82)),
    ],
)
def test_always_freeze_and_round_one_gates(real: Ledger, rule: str, change: str, expected: tuple) -> None:
    """What stopping before debate would prevent and lose; the gates fire in defined debates with a first round."""
    gates = real.query(
        f"""
        with defined as (
            select debate_key, cell from debates
            where {COHORT} and coding_rule = ? and cell <> 'undefined'
        ),
        first_rounds as (select * from debate_rounds where cohort = 'dylan_mmlu_n3' and round = 1)
        select count(*) filter (cell = 'collapse'), count(*) filter (cell = 'correction'),
            count(*) filter ({change}),
            count(*) filter ({change} and cell = 'collapse'),
            count(*) filter ({change} and cell = 'correction'),
            count(*) filter (n_flipped_from_initial > 0),
            count(*) filter (n_flipped_from_initial > 0 and cell = 'collapse'),
            count(*) filter (n_flipped_from_initial > 0 and cell = 'correction')
        from defined left join first_rounds using (debate_key)
        """,
        rule,
    )
    assert gates == [expected]


def test_a_named_endpoint_carries_early_stops_forward(real: Ledger) -> None:
    [(n_debates, n_carried)] = real.query(
        "select n_debates, n_carried_forward from transitions"
        " where cohort = 'dylan_mmlu_n3' and endpoint = 'r2' and coding_rule = 'alphabetical'"
    )
    assert (n_debates, n_carried) == (2809, 1615 + 609)
    assert real.query(
        "select n_debates_with_round from onsets"
        " where cohort = 'dylan_mmlu_n3' and endpoint = 'last' and coding_rule = 'alphabetical' order by onset_round"
    ) == [(609 + 585,), (585,)]


def test_model_texts_stay_out_of_the_published_file(real: Ledger) -> None:
    """No published text column is long enough to hold an answer's reasoning, and a phrase of one is in none of them."""
    columns = real.query("select table_name, column_name from duckdb_columns() where schema_name = 'main' and data_type = 'VARCHAR'")
    for table, column in columns:
        found = real.one(f"""select count(*) from "{table}" where contains("{column}", 'Sylow')""")
        assert found == 0, f"{table}.{column}"


@pytest.mark.parametrize(
    "rule, expected",
    [
        ("replay_drop_undefined", {"always": (71, 138), "r1_majority_changed": (229, 49, 115), "any_r1_flip": (630, 65, 131)}),
        ("strict_plurality", {"always": (52, 86), "r1_majority_changed": (118, 31, 61), "any_r1_flip": (493, 47, 82)}),
    ],
)
def test_the_freeze_replays(real: Ledger, rule: str, expected: dict[str, tuple[int, ...]]) -> None:
    """Fired, prevented and lost, as the README of the debates has them."""
    for policy, numbers in expected.items():
        where = "where policy = ? and coding_rule = ? and cohort = 'dylan_mmlu_n3'"
        ((fired, prevented, lost),) = real.query(f"select n_fired, n_prevented, n_lost from replay {where}", policy, rule)
        assert (fired, prevented, lost)[-len(numbers) :] == numbers
