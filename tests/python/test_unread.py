"""Unread panels: the closed form of the models against every completion of small panels."""

import itertools
import json
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from conftest import ROOT
from test_short_answers import con, rendered

Answers = tuple[str | None, ...]
#: A panel, its key, and the kind of answer that the debate asks for.
Case = tuple[Answers, str, str | None]


def leaders(answers: Sequence[str | None]) -> list[str]:
    votes = Counter(a for a in answers if a)
    return [label for label, n in votes.items() if n == max(votes.values())]


def alphabetical(answers: Sequence[str | None], key: str) -> bool:
    return min(leaders(answers), default=None) == key


def plurality(answers: Sequence[str | None], key: str) -> bool:
    return leaders(answers) == [key]


def by_value(answers: Sequence[str | None], key: str) -> bool:
    """Numbers by their value, and before words."""

    def place(answer: str) -> tuple[bool, Fraction, str]:
        is_word = not answer.lstrip("-").isdigit()
        return is_word, Fraction(0 if is_word else answer), answer

    return min(leaders(answers), key=place, default=None) == key


RULES: dict[str, Callable[[Sequence[str | None], str], bool]] = {
    "alphabetical": alphabetical,
    "plurality": plurality,
    "normalised": by_value,
}


def could_change(answers: Answers, key: str, possible: Sequence[str], rule: Callable[[Sequence[str | None], str], bool]) -> bool:
    """Whether any way to fill in the unparsed answers makes another verdict than the parsed ones."""
    parsed = [a for a in answers if a]
    n_unparsed = sum(a == "" for a in answers)
    verdict = rule(parsed, key)
    return any(rule([*parsed, *filled], key) != verdict for filled in itertools.product(possible, repeat=n_unparsed))


def models(cases: Sequence[Case]) -> dict[int, dict[str, bool]]:
    """What the models int_panels and int_panel_rounds say: the verdict and whether it is unread, per case and decision."""
    db = con()
    db.execute("""
        create or replace temp table stg_panel_rounds as
        select c.id::bigint as debate_id, 0 as round, true as is_initial, true as is_last, 'B' as dialect, c.key as correct_label,
            c.kind as task_kind, 3 as n_agents, c.panel, c.panel as initial_panel, null::varchar as previous_panel,
            true as are_initial_agents_met, true as are_previous_agents_met,
            null::varchar as stored_majority, false as has_stored_majority, null::boolean as stored_majority_changed,
            c.stored as stored_initial_correct, null::varchar as stored_final_majority, c.stored as stored_final_correct
        from (select unnest(?::struct(id bigint, panel varchar, "key" varchar, kind varchar, stored boolean)[]) as c)
    """, [[{"id": i, "panel": json.dumps(a), "key": k, "kind": t, "stored": i % 2 == 0} for i, (a, k, t) in enumerate(cases)]])  # fmt: skip
    db.execute("create or replace temp table int_joined_panels as select '' as joined_panel, '' as correct_label where false")
    db.execute(f"create or replace temp table int_panels as {rendered(model('int_panels'))}")
    db.execute("""
        create or replace temp table stg_arms as
        select 0::bigint as line_id, '' as arm, '' as correct_label, false as needs_no_key, false as stored_initial_correct,
            false as stored_final_correct, '' as stored_initial_majority, '' as stored_final_majority, '' as reason where false
    """)
    db.execute("""
        create or replace temp table stg_round_features as
        select 0::bigint as line_id, true as initial_correct, true as final_correct, 1.0 as initial_agreement,
            true as r1_correct, true as r2_correct, true as r3_correct, 1.0 as r1_agreement, 1.0 as r2_agreement, 1.0 as r3_agreement,
            true as r1_majority_changed, true as r2_majority_changed, true as r3_majority_changed, 1 as r1_n_flipped_from_initial
        where false
    """)
    rows = rendered(model("int_panel_rounds").replace("{{ config(materialized='view') }}", ""))
    names = [f"{d}_{what}" for d in (*RULES, "stored", "by_kind") for what in ("correct", "unread")]
    found = db.execute(f"select debate_id, {', '.join(names)} from ({rows})").fetchall()
    return {i: dict(zip(names, values, strict=True)) for i, *values in found}


def model(name: str) -> str:
    return (ROOT / "models" / "core" / f"{name}.sql").read_text()


def panels(labels: Sequence[str], most: int) -> list[Answers]:
    """Every panel of up to ``most`` agents: parsed, unparsed (empty) or absent (None)."""
    return [p for n in range(1, most + 1) for p in itertools.combinations_with_replacement([*labels, "", None], n)]


#: kind: labels that are given, labels that could be, keys, agents at most. A letter before A does not exist, a number before any does.
KINDS = {
    "choice": ("ABCD", "ABCDE", "ABCD", 5),
    "yes_no": (["yes", "no"], ["yes", "no"], ["yes", "no"], 6),
    "number": (["-3", "2", "10"], ["-100", "-3", "2", "7", "10", "90"], ["-3", "2", "10"], 5),
    "label": (["blue", "red"], ["aqua", "blue", "green", "red", "white"], ["blue", "red"], 5),
}


@pytest.mark.parametrize("is_kind_told", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_a_panel_is_unread_where_some_completion_changes_the_verdict(kind: str, is_kind_told: bool) -> None:
    given, possible, keys, most = KINDS[kind]
    cases = [(panel, key, kind if is_kind_told else None) for panel in panels(given, most) for key in keys]
    found = models(cases)
    assert len(found) == len(cases)
    n_unread = 0
    for i, (answers, key, _) in enumerate(cases):
        wanted = {d: could_change(answers, key, possible, rule) for d, rule in RULES.items()}
        wanted["by_kind"] = wanted["alphabetical" if kind == "choice" else "normalised"]
        assert {d: found[i][f"{d}_unread"] for d in wanted} == wanted, (answers, key)
        n_unread += wanted["by_kind"]
        if any(a for a in answers):
            assert {d: bool(found[i][f"{d}_correct"]) for d in RULES} == {d: rule(answers, key) for d, rule in RULES.items()}
    assert 0 < n_unread < len(cases)


def test_a_stored_verdict_is_unread_where_the_answers_could_give_the_other() -> None:
    """The file says right or wrong; the votes say whether both are possible."""
    cases = [(panel, key, "choice") for panel in panels("ABC", 4) for key in "ABC" for _ in range(2)]
    for i, says in models(cases).items():
        answers, key, _ = cases[i]
        parsed, n_unparsed = [a for a in answers if a], sum(a == "" for a in answers)
        verdicts = {alphabetical([*parsed, *filled], key) for filled in itertools.product("ABCD", repeat=n_unparsed)}
        assert says["stored_correct"] == (i % 2 == 0)
        assert says["stored_unread"] == (n_unparsed > 0 and (i % 2 != 0) in verdicts), (answers, key)
