"""Numbers that are equal within the tolerance of a rule, in a debate: the models against a walk along the sorted values."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from conftest import ROOT
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_short_answers import con, rendered

MILLIONTH = 1e-6
Panel = list[str | None]
#: Panels of a debate, from the start on, and its key.
Debate = tuple[list[Panel], str]


def value(label: str) -> Fraction:
    return Fraction(label)


def spellings(labels: set[str], key: str, tolerance: float) -> dict[str, str]:
    """The spelling that each label of a debate takes: values in their order, each joined to the group before if it is near its last one."""
    groups: list[list[Fraction]] = []
    for x in sorted({value(label) for label in labels}):
        last = groups[-1][-1] if groups else None
        is_near = last is not None and float(x - last) <= tolerance * max(abs(float(x)), abs(float(last)))
        if is_near and not (x.denominator == 1 and any(y.denominator == 1 for y in groups[-1])):
            groups[-1].append(x)
        else:
            groups.append([x])
    found = {}
    for group in groups:
        names = sorted((label for label in labels if value(label) in group), key=lambda label: (value(label), label))
        for label in names:
            found[label] = key if value(key) in group else names[0]
    return found


def decided(debates: list[Debate], tolerance: float | None) -> dict[tuple[int, int], tuple[Fraction | None, bool | None]]:
    """(value of the majority, whether it is the key) by (debate, round), from the models."""
    db = con()
    rows = [
        {"debate_id": i, "round": r, "panel": json.dumps(panel), "correct_label": key}
        for i, (panels, key) in enumerate(debates)
        for r, panel in enumerate(panels)
    ]
    db.execute(
        "create or replace temp table stg_panel_rounds as select unnest(r), 'number' as task_kind from (select unnest("
        "?::struct(debate_id bigint, round integer, panel varchar, correct_label varchar)[]) as r)", [rows]
    )  # fmt: skip
    db.execute("create or replace temp table coding_rules as select ?::double as tolerance", [tolerance])
    for name in ("int_joined_panels", "int_panels"):
        sql = rendered((ROOT / "models" / "core" / f"{name}.sql").read_text())
        db.execute(f"create or replace temp table {name} as {sql}")
    found = db.execute("""
        select r.debate_id, r.round, p.normalised_majority, p.normalised_correct
        from stg_panel_rounds as r
        left join int_joined_panels as j on r.debate_id = j.debate_id and r.panel = j.panel
        inner join int_panels as p on p.panel = coalesce(j.joined_panel, r.panel) and p.correct_label = r.correct_label
    """).fetchall()
    assert len(found) == len(rows)
    return {(i, r): (None if majority is None else value(majority), right) for i, r, majority, right in found}


def walked(debates: list[Debate], tolerance: float) -> dict[tuple[int, int], tuple[Fraction | None, bool | None]]:
    """The same by hand."""
    found = {}
    for i, (panels, key) in enumerate(debates):
        names = spellings({key, *(a for p in panels for a in p if a)}, key, tolerance)
        for r, panel in enumerate(panels):
            votes = Counter(value(names[a]) for a in panel if a)
            majority = min(votes, key=lambda v: (-votes[v], v)) if votes else None
            found[i, r] = (majority, None if majority is None else majority == value(names[key]))
    return found


@pytest.mark.parametrize(
    ("panel", "key", "majority", "is_right"),
    [
        (["5/6", "0.833333", "0.8"], "0.8333333333333334", "0.8333333333333334", True),
        (["0.833333", "0.8", "5/6"], "0.8", "0.833333", False),
        (["0.8333", "5/6"], "5/6", "0.8333", False),
        # Whole numbers are equal exactly or not at all, also where something between them is near both.
        (["10000001", "10000001", "10000000"], "10000000", "10000001", False),
        (["10000001", "10000000.5", "10000000.5"], "10000001", "10000001", True),
        (["10000000.5", "10000001"], "10000000", "10000000", True),
        (["3.0000001", "3"], "3", "3", True),
        (["-0.3333333", "-1/3", "0"], "-1/3", "-1/3", True),
        # Nothing is near nought but itself.
        (["0.000000001", "0.000000001"], "0", "0.000000001", False),
    ],
)
def test_values_within_a_millionth_are_one_answer(panel: Panel, key: str, majority: str, is_right: bool) -> None:
    for order in (panel, panel[::-1]):
        assert decided([([order], key)], MILLIONTH) == {(0, 0): (value(majority), is_right)}


def test_a_chain_over_the_rounds_is_one_answer_in_each() -> None:
    """1.0000000, 1.0000008 and 1.0000016: the first and the last are apart, and meet by what another round says."""
    panels = [["1.0000016", "2", None], ["1.0000008", "1.0000008", "2"]]
    assert decided([(panels, "1")], MILLIONTH) == {(0, 0): (value("1"), True), (0, 1): (value("1"), True)}
    assert decided([(panels[:1], "1")], MILLIONTH) == {(0, 0): (value("1.0000016"), False)}
    for exact in (0.0, None):
        assert decided([(panels, "1")], exact)[0, 1] == (value("1.0000008"), False)


BASES = st.sampled_from(["0", "1", "-1", "1/3", "5/6", "7", "12.5", "-2/7", "9999999", "10000000", "1/1000000"])
NEAR = st.tuples(BASES, st.integers(-4, 4)).map(lambda p: str(value(p[0]) * (1 + Fraction(p[1] * 4, 10**7))))
DECIMALS = st.tuples(BASES, st.integers(5, 12)).map(lambda p: f"{float(value(p[0])):.{p[1]}f}")
LABELS = st.one_of(BASES, NEAR, DECIMALS, st.sampled_from(["10000001", "9999998", "8", "10000000.5"]))


def is_on_the_edge(labels: set[str]) -> bool:
    """Whether two values are a millionth apart but for what a double cannot tell."""
    values = sorted({value(label) for label in labels})
    apart = [(y - x) / max(abs(x), abs(y)) for x, y in pairwise(values)]
    return any(abs(a * 10**6 - 1) < Fraction(1, 10**6) for a in apart)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.lists(st.one_of(LABELS, st.just("")), min_size=1, max_size=4), min_size=1, max_size=3), LABELS),
        min_size=1,
        max_size=12,
    )
)
def test_random_debates_are_decided_as_by_a_walk_along_the_values(debates: list[Debate]) -> None:
    # Quotients whose denominator is long are words, and no matter of values.
    debates = [([[a if not a or value(a).denominator < 10**9 else "3" for a in p] for p in panels], key) for panels, key in debates
               if value(key).denominator < 10**9]  # fmt: skip
    # On the tolerance itself (1/3 and 0.333333) the last bit of a double decides.
    assume(not any(is_on_the_edge({key, *(a for p in panels for a in p if a)}) for panels, key in debates))
    if debates:
        assert decided(debates, MILLIONTH) == walked(debates, MILLIONTH)
        shuffled = [(random.Random(1).sample([p[::-1] for p in panels], len(panels)), key) for panels, key in debates]
        assert sorted(map(str, decided(shuffled, MILLIONTH).values())) == sorted(map(str, decided(debates, MILLIONTH).values()))
