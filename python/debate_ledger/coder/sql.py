"""The answer coder in DuckDB: macros made of the rules of ``coder.rules``, and an Arrow function that runs Python's engine.

The macros give the answer and the rule, at the speed of the database; numbers and spans are Python's alone, so they come from the Arrow
function. ``tests/python/test_coder.py`` holds both against ``code_answer``.
"""

from __future__ import annotations

from debate_ledger.coder import rules as r
from debate_ledger.coder.rules import PROFILES, Profile, Rule


def literal(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def prepared_sql(text: str, folds: str) -> str:
    """``engine.prepared`` as an expression over the expression ``text``."""
    changed = text
    for characters, target in r.FOLDS[folds]:
        changed = f"regexp_replace({changed}, {literal(f'[{characters}]')}, {literal(target)}, 'g')"
    if folds == "normal":
        # A translation takes its table anew for each row, so it is left to the few rows that need it.
        source, target = "".join(r.LETTERS_OF), "".join(r.LETTERS_OF.values())
        changed = f"if(regexp_matches({text}, {literal(f'[{source}]')}), translate({changed}, {literal(source)}, {literal(target)}), {changed})"
    # Most texts are plain ASCII, and seeing that is much faster than folding.
    needed = [f"strlen({text}) > length({text})"]
    if folds == "normal":
        needed += [f"contains({text}, chr({code}))" for code in (9, 11, 12, 13, 28, 29, 30, 31)]
    if folds != "none":
        text = f"if({' or '.join(needed)}, {changed}, {text})"
    return f"(chr(10) || replace({text}, chr(10), chr(10) || chr(10)) || chr(10))"


def _label(group: str, label: str) -> str:
    return f"upper(regexp_extract({group}, {literal(label)}))"


def _matches(rule: Rule, text: str) -> str:
    """Of all matches the first group that took part, as a list of texts.

    The matches are looked for once per group, since lists of groups are not to be had; where a cheaper pattern says that a group takes
    part nowhere, they are not.
    """
    lists = [f"regexp_extract_all({text}, {literal(rule.pattern)}, 1)"]
    for n, pattern in enumerate(rule.later_groups, 2):
        lists.append(f"if(regexp_matches({text}, {literal(pattern)}), regexp_extract_all({text}, {literal(rule.pattern)}, {n}), [])")
    if len(lists) == 1:
        return lists[0]
    # A group that took no part is an empty text, or null where its list is empty.
    groups = ", ".join(f"z[{n}]" for n in range(1, len(lists) + 1))
    return f"list_transform(list_zip({', '.join(lists)}), lambda z: concat({groups}))"


def rule_sql(rule: Rule, text: str, valid: str, label: str) -> str:
    """One rule as an expression: place of the label in the list ``valid`` (from 1), 0 where the search ends, null where it goes on."""
    if rule.take == "first":
        return f"list_position({valid}, {_label(f'regexp_extract({text}, {literal(rule.pattern)}, 1)', label)})"
    place = f"list_position({valid}, {_label('g', label)})"
    if rule.take == "stated":
        # The place of one label among several ends the search.
        place = f"if(regexp_matches(g, {literal('^(?:' + r.SEVERAL + ')')}), {place} * 0, {place})"
    if rule.take in ("last", "stated"):
        return f"list_filter(list_transform({_matches(rule, text)}, lambda g: {place}), lambda n: n is not null)[-1]"
    if rule.take == "run":
        letters = f"string_split(regexp_replace(array_to_string({_matches(rule, text)}, ''), '[^A-J]', '', 'g'), '')"
        return f"list_filter(list_transform({letters}, lambda c: list_position({valid}, c)), lambda n: n is not null)[-1]"
    one = f"coalesce(if(regexp_full_match(g, {literal(r.BARE)}), chr((64 + {place})::int), null), '-')"
    places = f"array_to_string(list_transform({_matches(rule, text)}, lambda g: {one}), '')"
    kept = f"regexp_replace(regexp_replace({places}, {literal(r.OPTIONS_IN_ORDER)}, '-', 'g'), '-+$', '')"
    last = f"nullif(unicode(right({kept}, 1)), -1) - 64"
    return f"if(replace(replace({kept}, '-', ''), right({kept}, 1), '') = '', {last}, null)" if rule.take == "only" else last


def profile_sql(profile: Profile, text: str, options: str, label: str) -> str:
    """A profile as an expression of type struct(answer varchar, rule varchar), both null where there is no answer.

    ``text`` and ``options`` are expressions; options a list of texts. ``coalesce`` looks at no further rule once one has decided.
    """
    valid, written = (f"list_transform({options}, lambda o: upper(trim(o)))", f"list_transform({options}, lambda o: trim(o))")
    if profile.labels is not None:
        valid = written = f"[{', '.join(map(literal, profile.labels))}]"
    text = prepared_sql(text, profile.folds)
    # Place of the label plus a thousand for each rule that was passed: one number, taken apart at the end.
    places = [f"{1000 * n} + {rule_sql(rule, text, valid, label)}" for n, rule in enumerate(profile.rules)]
    decided = "coalesce(" + ", ".join(places) + ")"
    names = f"[{', '.join(literal(rule.name) for rule in profile.rules)}]"
    answer = f"{written}[({decided}) % 1000]"
    return f"{{'answer': {answer}, 'rule': {names}[if(({decided}) % 1000 > 0, ({decided}) // 1000 + 1, 0)]}}"
