"""The answer coder in DuckDB: expressions made of the rules of ``coder.rules``, and an Arrow function that runs Python's engine.

The expressions give the answer and the rule at the speed of the database. Spans, numbers and units are Python's alone and come from the
Arrow function. Run as a module, this prints ``macros/coded_answer.sql``, the same expressions for dbt:

    python -m debate_ledger.coder.sql > macros/coded_answer.sql
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import groupby

import duckdb
import pyarrow as pa

from debate_ledger.coder.characters import FOLDS, LETTERS_OF
from debate_ledger.coder.engine import code_answer, folded
from debate_ledger.coder.parts import NAMES_SEVERAL, NONE
from debate_ledger.coder.patterns import BARE, LABEL, OPTIONS_IN_ORDER, Profile, ReadOver, Rule
from debate_ledger.coder.robust import YES_NO, YES_NO_LABEL
from debate_ledger.coder.rules import CODER_VERSION, DEFAULT_OPTIONS, PROFILES

#: What ``code_answer`` returns in SQL.
CODED_TYPE = pa.struct(
    [
        pa.field("answer", pa.string()),
        pa.field("rule", pa.string()),
        pa.field("start", pa.int32()),
        pa.field("end", pa.int32()),
        pa.field("kind", pa.string()),
        pa.field("unit", pa.string()),
    ]
)


def literal(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def regex(pattern: str) -> str:
    """A pattern as a literal of SQL, with what is not printable ASCII written as its code point."""
    return literal("".join(c if " " <= c <= "~" else f"\\x{{{ord(c):x}}}" for c in pattern))


#: The characters beyond ASCII that English texts are full of, for a text that has no other: to replace one is much faster than to look
#: for a class of characters.
_COMMON = "\u2014\u2013\u2018\u2019\u201c\u201d"


def prepared_sql(text: str, folds: str) -> str:
    """``engine.prepared`` as an expression over the expression ``text``."""
    if folds != "none":
        if folds == "normal":
            for character in _COMMON:
                text = f"replace({text}, chr({ord(character)}), {literal(folded(character, folds))})"
        # Most texts are plain ASCII by now, and seeing that is much faster than folding.
        needed = ["strlen(t) > length(t)"]
        if folds == "normal":
            needed += [f"contains(t, chr({code}))" for code in (9, 11, 12, 13, 28, 29, 30, 31)]
        text = _with(text, "t", f"if({' or '.join(needed)}, {_folded_sql('t', folds)}, t)")
    return f"(chr(10) || replace({text}, chr(10), chr(10) || chr(10)) || chr(10))"


def _folded_sql(text: str, folds: str) -> str:
    changed = text
    for characters, target in FOLDS[folds]:
        changed = f"regexp_replace({changed}, {regex(f'[{characters}]')}, {literal(target)}, 'g')"
    if folds == "normal":
        # A translation takes its table anew for each row, so it is left to the few rows that need it.
        source, target = "".join(LETTERS_OF), "".join(LETTERS_OF.values())
        translated = f"translate({changed}, {literal(source)}, {literal(target)})"
        changed = f"if(regexp_matches({text}, {regex(f'[{source}]')}), {translated}, {changed})"
    return changed


def _with(value: str, name: str, expression: str) -> str:
    """An expression over a value that is computed once: within branches the database would compute it each time it is named."""
    return f"list_transform([{value}], lambda {name}: {expression})[1]"


def _label(group: str, label: str) -> str:
    return f"upper(regexp_extract({group}, {regex(label)}))"


def _joined(texts: str) -> str:
    """The texts of a list as one, null for an empty list; ``array_to_string`` names its list twice, so that it is made for every row."""
    return f"list_aggregate({texts}, 'string_agg', '')"


def _matches(rule: Rule, text: str) -> str:
    """Of all matches the first group that took part, as a list of texts.

    The matches are looked for once per group, since lists of groups are not to be had; where the first took part in all, the rest are not.
    """

    def group(n: int, text: str = text) -> str:
        return f"regexp_extract_all({text}, {regex(rule.pattern)}, {n})"

    if rule.groups == 1:
        return group(1)
    # A group that took no part is null or an empty text, as the version of the database has it.
    numbers = range(1, rule.groups + 1)
    rows = f"list_zip(f, {', '.join(group(n, 'v') for n in numbers[1:])})"
    all_groups = f"list_transform({rows}, lambda z: concat({', '.join(f'z[{n}]' for n in numbers)}))"
    return _with(group(1), "f", f"if(len(list_filter(f, lambda g: g <> '')) < len(f), {_with(text, 'v', all_groups)}, f)")


def rule_sql(rule: Rule, text: str, valid: str, label: str) -> str:
    """One rule as an expression: place of the label in the list ``valid`` (from 1), 0 where the search ends, null where it goes on."""
    if rule.take == "first":
        return f"list_position({valid}, {_label(f'regexp_extract({text}, {regex(rule.pattern)}, 1)', label)})"
    place = f"list_position({valid}, {_label('g', label)})"
    if rule.take == "stated":
        # Several labels, or none, end the search.
        ends = f"if(regexp_matches(g, {regex(f'^(?:{NONE})')}), 0, {place} * 0)"
        place = f"if(regexp_matches(g, {regex(f'^(?:{NAMES_SEVERAL}|{NONE})')}), {ends}, {place})"
    if rule.take in ("last", "stated"):
        return f"list_filter(list_transform({_matches(rule, text)}, lambda g: {place}), lambda n: n is not null)[-1]"
    if rule.take == "run":
        letters = f"string_split(regexp_replace({_joined(_matches(rule, text))}, '[^A-J]', '', 'g'), '')"
        return f"list_filter(list_transform({letters}, lambda c: list_position({valid}, c)), lambda n: n is not null)[-1]"
    one = f"coalesce(if(regexp_full_match(g, {regex(BARE)}), chr((64 + {place})::int), null), '-')"
    places = _joined(f"list_transform({_matches(rule, text)}, lambda g: {one})")
    kept = f"regexp_replace(regexp_replace({places}, {regex(OPTIONS_IN_ORDER)}, '-', 'g'), '-+$', '')"
    if rule.take == "only":
        # Nothing is left where there are two labels.
        kept = _with(kept, "k", "if(replace(replace(k, '-', ''), right(k, 1), '') = '', k, '')")
    return f"list_filter([unicode(right({kept}, 1)) - 64], lambda n: n > 0)[1]"


def _replaced(text: str, over: ReadOver) -> str:
    """A text without the matches of one pattern."""
    left = literal(f"\\1{over.mark}" if over.keeps else over.mark)
    return f"regexp_replace({text}, {regex(over.pattern)}, {left}, 'g')"


def _where_signs(text: str, passes: Sequence[ReadOver]) -> str:
    """A text without the matches of patterns that have signs: a text without a sign has no match, and that is seen much faster.

    Within a function of a list the database makes its patterns anew for each few thousand rows, also those of a branch that no row takes.
    So a pass has its own function within the branch, which is left alone where no row has a sign of any pass.
    """

    def signs(*passes: ReadOver) -> str:
        found = dict.fromkeys(sign for over in passes for sign in over.signs)
        return " or ".join(f"contains(u, {literal(sign)})" for sign in found)

    read_over = "u"
    for over in passes:
        read_over = _with(read_over, "u", f"if({signs(over)}, {_replaced('u', over)}, u)")
    return _with(text, "u", f"if({signs(*passes)}, {read_over}, u)")


def profile_sql(profile: Profile, text: str, valid: str, written: str, label: str = LABEL) -> str:
    """A profile as an expression of type struct(answer varchar, rule varchar), both null where there is no answer.

    ``text`` is an expression of a text, ``valid`` one of a list of labels in upper case and ``written`` of the same as they are
    returned (both are the profile's own where it has some). ``coalesce`` looks at no further rule once one has decided.
    """
    if profile.labels is not None:
        valid, written = (f"[{', '.join(map(literal, names))}]" for names in (profile.labels.keys(), profile.labels.values()))
    own = prepared_sql(text, profile.folds)
    for signed, group in groupby(profile.read_over, lambda over: bool(over.signs)):
        passes = list(group)
        own = _where_signs(own, passes) if signed else reduce(_replaced, passes, own)
    # Place of the label plus a thousand for each rule that was passed: one number, taken apart at the end.
    places = [f"{1000 * n} + {rule_sql(rule, 'own', valid, label)}" for n, rule in enumerate(profile.rules)]
    if profile.rare:
        # Where none of the later rules matches, one look at the text tells.
        later = f"regexp_matches(own, {regex('|'.join(f'(?:{rule.pattern})' for rule in profile.rules[1:]))})"
        places[1:] = [f"if({later}, coalesce(" + ",\n    ".join(places[1:]) + "), null)"]
    decided = _with(own, "own", "coalesce(" + ",\n    ".join(places) + ")")
    names = f"[{', '.join(literal(rule.name) for rule in profile.rules)}]"
    return _with(decided, "d", f"{{'answer': {written}[d % 1000], 'rule': {names}[if(d % 1000 > 0, d // 1000 + 1, 0)]}}")


def coded_answer(text: str, options: str | None = None, profile: str = "robust", kind: str = "choice") -> str:
    """``code_answer`` as an expression over the expressions ``text`` (varchar) and ``options`` (a list of them; null: as in Python).

    Raises ``ValueError`` for an unknown profile, and for kinds that have no expression (number: use the Arrow function).
    """
    if profile not in PROFILES:
        raise ValueError(f"no profile {profile!r}: choose one of {', '.join(PROFILES)}")
    if kind not in ("choice", "label", "yes_no") or (kind == "yes_no" and profile != "robust"):
        raise ValueError(f"no expression for answers of the kind {kind!r} under {profile!r}: register() has a function for them")
    rules, label = (YES_NO, YES_NO_LABEL) if kind == "yes_no" else (PROFILES[profile], LABEL)
    default = f"[{', '.join(map(literal, DEFAULT_OPTIONS.get(kind, ())))}]"
    labels = (default, default) if options is None else _labels_sql(f"coalesce({options}, {default})")
    return profile_sql(rules, text, *labels, label)


def _labels_sql(options: str) -> tuple[str, str]:
    """Labels in upper case, and as they are written."""
    return f"list_transform({options}, lambda o: upper(trim(o)))", f"list_transform({options}, lambda o: trim(o))"


def register(con: duckdb.DuckDBPyConnection) -> None:
    """Macros ``coded_<profile>(text, options)`` and ``coded_yes_no(text)``, and the function ``code_answer(text, options, profile, kind)``.

    The macros are temporary, and so is the function: a connection that wants them registers them.
    """
    for profile in PROFILES:
        con.execute(f"create or replace temp macro coded_{profile}(text, options := null) as {coded_answer('text', 'options', profile)}")
    con.execute(f"create or replace temp macro coded_yes_no(text) as {coded_answer('text', kind='yes_no')}")
    con.create_function(
        "code_answer",
        code_batch,
        ["varchar", "varchar[]", "varchar", "varchar"],
        'struct(answer varchar, rule varchar, "start" integer, "end" integer, kind varchar, unit varchar)',
        type="arrow",
        null_handling="special",
    )


def code_batch(text: pa.ChunkedArray, options: pa.ChunkedArray, profile: pa.ChunkedArray, kind: pa.ChunkedArray) -> pa.Array:
    """``code_answer`` over columns of one length; null options, profiles and kinds are the defaults. Equal rows are coded once."""
    known: dict[tuple, dict] = {}
    coded = []
    for row in zip(text.to_pylist(), options.to_pylist(), profile.to_pylist(), kind.to_pylist(), strict=True):
        key = (row[0], None if row[1] is None else tuple(row[1]), *row[2:])
        if key not in known:
            found = code_answer(key[0], key[1], row[2] or "robust", row[3] or "choice")
            known[key] = {name.name: getattr(found, name.name) for name in CODED_TYPE}
        coded.append(known[key])
    return pa.array(coded, CODED_TYPE)


def dbt_macro() -> str:
    """The text of ``macros/coded_answer.sql``."""
    branches = []
    for name, rules, label in [*((p, PROFILES[p], LABEL) for p in PROFILES), ("yes_no", YES_NO, YES_NO_LABEL)]:
        condition = "kind == 'yes_no'" if name == "yes_no" else f"kind in ('choice', 'label') and profile == '{name}'"
        if name == "yes_no":
            condition += " and profile == 'robust'"
        branches.append((condition, _raw(profile_sql(rules, _TEXT, _VALID, _WRITTEN, label))))
    choices = "".join(f"{{%- {'if' if n == 0 else 'elif'} {condition} %}}\n{body}\n" for n, (condition, body) in enumerate(branches))
    valid, written = _labels_sql("coalesce(' ~ options ~ ', ' ~ defaults[kind] ~ ')")
    defaults = ", ".join(f"'{kind}': \"[{', '.join(map(literal, options))}]\"" for kind, options in DEFAULT_OPTIONS.items())
    return f"""{{#-
    Answer that a text states, by the rules of python/debate_ledger/coder/rules.py (version {CODER_VERSION}): struct(answer, rule),
    both null without one. `text` and `options` are SQL, options a list of labels. Made by `python -m debate_ledger.coder.sql`; not to be
    edited by hand.
-#}}
{{% macro coded_answer(text, options=none, profile='robust', kind='choice') -%}}
{{%- set defaults = {{{defaults}}} -%}}
{{%- set valid = '{valid}' if options else defaults[kind] -%}}
{{%- set written = '{written}' if options else defaults[kind] -%}}
{choices}{{%- else %}}
{{{{ exceptions.raise_compiler_error("coded_answer: no profile '" ~ profile ~ "' for answers of the kind '" ~ kind ~ "'") }}}}
{{%- endif -%}}
{{%- endmacro %}}
"""


#: Stand for the arguments of the macro, until its text is put between raw blocks.
_TEXT, _VALID, _WRITTEN = "@text@", "@valid@", "@written@"


def _raw(sql: str) -> str:
    """SQL of which Jinja reads the arguments alone."""
    for name in (_TEXT, _VALID, _WRITTEN):
        sql = sql.replace(name, f"{{% endraw %}}{{{{ {name.strip('@')} }}}}{{% raw %}}")
    return f"{{% raw %}}{sql}{{% endraw %}}"


if __name__ == "__main__":
    print(dbt_macro(), end="")
