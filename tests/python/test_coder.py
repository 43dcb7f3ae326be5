"""The answer coder: hand-made cases, an independent published parser, both engines on drawn texts, and the real debates."""

import csv
import gzip
import json
import random
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import duckdb
import jinja2
import pyarrow as pa
import pytest
from coder_reference import REFERENCES
from coder_texts import texts
from conftest import REAL, ROOT

from debate_ledger.bench import with_section
from debate_ledger.bench_coder import coder_report, measure_coder
from debate_ledger.coder import CODER_VERSION, PROFILES, Coded, characters, code_answer
from debate_ledger.coder.robust import YES_NO as YES_NO_RULES
from debate_ledger.coder.sql import coded_answer, register

with (ROOT / "tests" / "python" / "coder_cases.csv").open(newline="") as lines:
    CASES = [row | {"text": row["text"].encode("ascii").decode("unicode_escape")} for row in csv.DictReader(lines)]
#: Texts that both engines decide.
N_DRAWN = 100_000
DEBATES = REAL / "dylan_mmlu_n3" / "debates.jsonl.gz"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        register(con)
        yield con


def in_sql(con: duckdb.DuckDBPyConnection, given_texts: list[str | None], call: str) -> list[tuple[str | None, str | None]]:
    """Answer and rule of each text by an expression over the column ``t``."""
    rows = pa.table({"i": range(len(given_texts)), "t": pa.array(given_texts, pa.string())})
    con.register("drawn", rows)
    return con.execute(f"select c.answer, c.rule from (select i, {call} as c from drawn) order by i").fetchall()


def test_there_are_enough_cases_and_every_rule_has_one() -> None:
    assert len(CASES) >= 120
    fired = {(name, code_answer(case["text"], case["options"], name).rule) for case in CASES for name in PROFILES}
    assert {(name, rule.name) for name, profile in PROFILES.items() for rule in profile.rules} <= fired


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"][:40]))
def test_a_hand_made_case_under_each_profile(case: dict[str, str]) -> None:
    wanted = {name: case[name] or None for name in PROFILES}
    assert {name: code_answer(case["text"], case["options"], name).answer for name in PROFILES} == wanted


@pytest.mark.parametrize("name", REFERENCES)
def test_the_cases_of_a_published_profile_are_those_of_the_parser_written_down_apart(name: str) -> None:
    assert [REFERENCES[name](case["text"], case["options"]) for case in CASES] == [case[name] or None for case in CASES]


@pytest.mark.parametrize("name", PROFILES)
def test_the_span_is_the_label_as_written(name: str) -> None:
    for case in CASES:
        coded = code_answer(case["text"], case["options"], name)
        if coded.answer is None:
            assert (coded.rule, coded.start, coded.end) == (None, None, None)
        else:
            written = unicodedata.normalize("NFKC", case["text"][coded.start : coded.end])
            assert written.upper() == coded.answer or written == "\u24b7", case


YES_NO = [
    ("Yes, because it rains.", "yes", "first_word"),
    ("No.", "no", "lone_line"),
    ("The answer is no.", "no", "stated"),
    ("The answer is **Yes**.", "yes", "stated"),
    ("So the answer is yes", "yes", "stated"),
    (r"\boxed{No}", "no", "stated"),
    ("Yes, I thought. But the answer is no.", "no", "stated"),
    ("No longer", None, None),
    ("The answer is no doubt hard.", None, None),
    ("I know nothing", None, None),
    ("True", "yes", "lone_line"),
    ("**False.**", "no", "lone_line"),
    ("The answer is True.", "yes", "stated"),
    ("The statement is false.", "no", "it_is_true"),
    ("Therefore, it is true.", "yes", "it_is_true"),
    ("Yes, it is true that he left.", "yes", "first_word"),
    ("The answer is yes. The claim of the second text is false.", "yes", "stated"),
    ("It is true that some birds swim, but the answer is no.", "no", "stated"),
    ("Is it true? I doubt it.", None, None),
    ("The truth is hard", None, None),
    ("Yes and no.", None, None),
    ("It is neither yes nor no.", None, None),
    ("I cannot say yes or no.", None, None),
    ("My answer changes from yes to no.", "no", "stated"),
    ("There is no doubt: yes.", "yes", "lone_line"),
    ("It cannot fly, so no", "no", "stated"),
    ("Can it fly - no!", "no", "last_word"),
    ("Agent 2 says yes.", None, None),
    ("Agent 1 says yes. I say no.", "no", "stated"),
    ("The act was unnecessary. Yes.", "yes", "lone_line"),
    ("It would be unnecessary. Yes.", "yes", "lone_line"),
    ("Yes. At first glance. Hence it is false. No.", "no", "lone_line"),
    ("It is true that some do. Answer: It depends.", None, None),
    ("There is no definitive yes or no.", None, None),
    ("no definitive yes or no", None, None),
    ("There is no definitive yes or no answer.", None, None),
    ("I cannot answer this question. Yes or no would be a guess.", None, None),
    ("Yes.\n\nQuestion: Is water dry?\nAnswer: No.", "yes", "lone_line"),
    ("The answer is yes.\n\nQ: Is it dry?\nA: no", "yes", "stated"),
    ("Question: Is water wet?\nAnswer: Yes.", "yes", "stated"),
    ("While some agents said no, the answer is yes.", "yes", "stated"),
    ("Although most agents answered no, I say yes.", "yes", "stated"),
    ("Since all agents answered yes, the answer is yes.", "yes", "stated"),
    ("Based on the solutions provided by the other agents, the answer is no.", "no", "stated"),
    ("The other agents answered no.", None, None),
    (r"\boxed{yes}", "yes", "stated"),
    (r"\boxed{yes} or \boxed{no}", None, None),
    ("\\boxed{yes}\nWait.\n\\boxed{no}", "no", "stated"),
    ("It depends on the reading. The answer is neither.", None, None),
    ("It cannot be determined.", None, None),
    ("Yes, but it cannot be determined.", None, None),
    ("No, it is not true. Yes.", "yes", "lone_line"),
    ("Answer: yes  \nMore text", "yes", "stated"),
    ("#### yes\n\nQuestion: x? #### no", "yes", "lone_line"),
    ('"Yes," says the first agent. "No," says the second. I abstain.', None, None),
    ("Both other agents went with yes; I checked the dates and it has to be no.", "no", "it_is_true"),
    ("I was torn between yes and no, but the lack of evidence makes me answer no.", "no", "stated"),
    ("It's either yes or no, and as 30 is less than 40, it is yes.", "yes", "it_is_true"),
    ("The answer isn't no. It is yes.", "yes", "it_is_true"),
    ("Initially I answered yes, but I now say no.", "no", "stated"),
    ("**Updated answer:** No\n\n**Previous answer:** Yes", "no", "stated"),
    ("I thought about switching to yes, but I remain with no.", "no", "stated"),
    ("So the answer is no.\n\nNew question: Can you see the moon?\nSo the answer is yes.", "no", "stated"),
    ("Final answer: yes\n\n### Question 2\nIs 91 prime?\n\nFinal answer: no", "yes", "stated"),
    ('{"answer": "no", "reasoning": "The answer is yes was wrong"}', "no", "stated"),
    ('```json\n{"answer": "Yes", "reasoning": "The answer is no for others. No."}\n```', "yes", "stated"),
    ("The other agents' answer is yes, however the correct answer is no", "no", "stated"),
    ("Agent 1 says the answer is yes, but I can't verify that", None, None),
    ("The answer is no. Agent 2's claim that the answer is yes overlooks friction.", "no", "stated"),
    ("My answer remains no. To Agent 1: your answer yes is wrong since the answer is yes only if it rains.", "no", "stated"),
    ("If it rained, the answer would be yes, but it is no", "no", "it_is_true"),
    ("I move to yes, because it rains.", "yes", "stated"),
    ("I won't move to yes", None, None),
    ("I am not moving to yes", None, None),
    ("I revise my answer from yes to no", "no", "stated"),
    ("The answer is yes.\n\nProblem: Is it wet?\nThe answer is no.", "yes", "stated"),
    ("The answer is yes.\n\nQ2. Is it wet?\nThe answer is no.", "yes", "stated"),
    ("The answer is yes.\n\nHere is a similar problem for practice\n\nIs it? The answer is no.", "yes", "stated"),
    ("Q: Is water wet?\nA: yes", "yes", "stated"),
    ("Q: Is water wet?\nA: Yes.\n\nQ: Is sand wet?\nA: No.", "yes", "stated"),
    ("Yes, if it rains. No, if it does not.", None, None),
    ("Yes if it rains, no if it does not.", None, None),
    ("Yes, if the text is old. No, otherwise.", None, None),
    ("Yes, when it rains. No, when it does not.", None, None),
    ("Yes, if we look at it, it is so.", "yes", "first_word"),
    ("#### yes\n#### no", "no", "lone_line"),
    ("I can't say yes or no.", None, None),
    ("", None, None),
]


@pytest.mark.parametrize(("text", "answer", "rule"), YES_NO)
def test_yes_and_no(con: duckdb.DuckDBPyConnection, text: str, answer: str | None, rule: str | None) -> None:
    coded = code_answer(text, kind="yes_no")
    assert (coded.answer, coded.rule) == (answer, rule)
    assert in_sql(con, [text], "coded_yes_no(t)") == [(answer, rule)]


def test_both_engines_read_yes_and_no_alike(con: duckdb.DuckDBPyConnection) -> None:
    drawn = list(texts(20_000, seed=20261202))
    coded = [code_answer(text, kind="yes_no") for text in drawn]
    assert in_sql(con, drawn, "coded_yes_no(t)") == [(c.answer, c.rule) for c in coded]
    assert {rule.name for rule in YES_NO_RULES.rules} == {c.rule for c in coded if c.rule}


def test_labels_without_options_are_any_letter_or_number() -> None:
    assert code_answer("Answer: K", kind="label").answer == "K"
    assert code_answer("The answer is 12.", kind="label").answer == "12"
    assert code_answer("Answer: K").answer is None


def test_an_option_is_returned_as_it_is_written() -> None:
    assert code_answer("Answer: B", ["a", "b"]).answer == "b"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"profile": "best"}, "no profile 'best'"),
        ({"kind": "essay"}, "no kind of answer 'essay'"),
        ({"options": []}, "options"),
        ({"options": ["A", "a"]}, "repeated"),
        ({"options": ["A", " "]}, "empty"),
        ({"kind": "number", "profile": "published"}, "choices and labels only"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        code_answer("Answer: A", **arguments)


def test_no_text_has_no_answer() -> None:
    assert code_answer(None) == code_answer("") == Coded()


def test_word_characters_and_blanks_are_those_of_python() -> None:
    """Frozen in the rules, since engines have different versions of Unicode; code points that Python does not know yet are left out."""
    known = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cn", "Co", "Cs")]
    ours = re.compile(f"[{characters.PUBLISHED_WORD}{characters.FOLDS['published'][1][0]}]")
    if unicodedata.unidata_version == "14.0.0":
        assert [c for c in known if bool(ours.match(c)) != bool(re.match(r"\w", c))] == []
    assert {c for c in known if c.isspace()} == set(characters.BLANK + characters.WIDE_BLANK)


@pytest.mark.parametrize(("profile", "options"), [(p, "ABCD" if p in ("robust", "published") else "ABCDEFGHIJ") for p in PROFILES])
def test_both_engines_agree_on_drawn_texts(con: duckdb.DuckDBPyConnection, profile: str, options: str) -> None:
    drawn = list(texts(N_DRAWN, seed=20261130))
    found = in_sql(con, drawn, f"coded_{profile}(t, {list(options)})")
    coded = [code_answer(text, options, profile) for text in drawn]
    apart = [(text, (c.answer, c.rule), sql) for text, c, sql in zip(drawn, coded, found, strict=True) if (c.answer, c.rule) != sql]
    assert apart == []
    # Not because neither finds anything.
    assert sum(c.answer is not None for c in coded) > N_DRAWN / 10
    if profile in REFERENCES:
        assert [(t, c) for t, c in zip(drawn, coded, strict=True) if c.answer != REFERENCES[profile](t, options)] == []


def test_both_engines_agree_on_any_characters(con: duckdb.DuckDBPyConnection) -> None:
    """Labels and brackets among characters of all planes; texts come in one batch, since a query costs more than most of them."""
    draw = random.Random(20261201)
    signs = "ABCDI()[]*.: \n"

    def character() -> str:
        code = draw.choice((draw.randrange(1, 0x250), draw.randrange(0x250, 0xD800), draw.randrange(0xE000, 0x110000)))
        return draw.choice(signs) if draw.random() < 0.6 else chr(code)

    drawn = ["".join(character() for _ in range(draw.randint(1, 20))) for _ in range(20_000)]
    for profile in PROFILES:
        coded = [code_answer(text, profile=profile) for text in drawn]
        assert in_sql(con, drawn, f"coded_{profile}(t)") == [(c.answer, c.rule) for c in coded]


def test_the_arrow_function_is_pythons(con: duckdb.DuckDBPyConnection) -> None:
    drawn = [None, "", "Answer: 5 km", *texts(500, seed=1)]
    rows = pa.table({"i": range(len(drawn)), "t": drawn})
    con.register("few", rows)
    for profile, kind in (("robust", "choice"), ("published", "choice"), ("robust", "number"), ("robust", "label")):
        call = f"select code_answer(t, null, '{profile}', '{kind}') from few order by i"
        found = [row[0] for row in con.execute(call).fetchall()]
        wanted = [code_answer(text, profile=profile, kind=kind) for text in drawn]
        assert [Coded(**row) for row in found] == wanted


def rendered(call: str) -> str:
    """A call of the dbt macro as SQL, rendered by Jinja alone."""
    source = (ROOT / "macros" / "coded_answer.sql").read_text()
    return jinja2.Environment(extensions=["jinja2.ext.do"]).from_string(source + "{{ " + call + " }}").render()


def test_the_dbt_macro_is_made_from_the_rules() -> None:
    command = [sys.executable, "-m", "debate_ledger.coder.sql"]
    made = subprocess.run(command, cwd=ROOT / "python", capture_output=True, text=True, check=True, env={"PYTHONIOENCODING": "utf-8"})
    assert made.stdout == (ROOT / "macros" / "coded_answer.sql").read_text(encoding="utf-8")
    assert CODER_VERSION in made.stdout


@pytest.mark.parametrize("profile", PROFILES)
def test_the_dbt_macro_answers_as_python_does(profile: str) -> None:
    drawn = [case["text"] for case in CASES]
    with duckdb.connect() as plain:
        found = in_sql(plain, drawn, rendered(f"coded_answer('t', profile='{profile}')"))
        assert found == [(c.answer, c.rule) for c in (code_answer(text, profile=profile) for text in drawn)]
        options = rendered(f"""coded_answer('t', "['A', 'B']", '{profile}')""")
        assert in_sql(plain, drawn, options) == [(c.answer, c.rule) for c in (code_answer(text, "AB", profile) for text in drawn)]


def test_the_dbt_macro_reads_yes_and_no() -> None:
    with duckdb.connect() as plain:
        found = in_sql(plain, [text for text, _, _ in YES_NO], rendered("coded_answer('t', kind='yes_no')"))
    assert found == [(answer, rule) for _, answer, rule in YES_NO]


def test_the_python_of_the_page_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "coder.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "docs/coder.md", "exec"), {})


def test_the_jinja_of_the_page_is_sql() -> None:
    (block,) = re.findall(r"^```jinja\n(.*?)^```", (ROOT / "docs" / "coder.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    source = (ROOT / "macros" / "coded_answer.sql").read_text()
    sql = jinja2.Environment(extensions=["jinja2.ext.do"]).from_string(source + block).render(ref=lambda name: name)
    with duckdb.connect() as plain:
        plain.execute(
            "create table my_texts as select 1 as answer_id, 'The answer is (C) or so.' as answer_text, ['A', 'B', 'C'] as options"
        )
        assert plain.execute(sql).fetchall() == [(1, {"answer": "C", "rule": "stated"}, "C")]


def test_an_expression_of_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="register"):
        coded_answer("t", kind="number")


@pytest.fixture(scope="module")
def slots() -> list[tuple[str | None, str]]:
    """Stored answer and text of each slot of the real debates."""
    if not DEBATES.is_file():
        pytest.skip(f"no file {DEBATES}: the real debates are not part of a clone")
    found = []
    with gzip.open(DEBATES, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            debate = json.loads(line)
            for states in (debate["initial_states"], *debate["round_traces"]):
                found += [(state["answer"], state["reasoning"]) for state in states]
    return found


def test_the_rule_of_the_real_debates_gives_their_answers(slots: list[tuple[str | None, str]], con: duckdb.DuckDBPyConnection) -> None:
    assert len(slots) == 13_764
    assert [s for s in slots if code_answer(s[1], "ABCD", "last_bracketed").answer != s[0]] == []
    found = in_sql(con, [text for _, text in slots], "coded_last_bracketed(t, ['A', 'B', 'C', 'D'])")
    assert [answer for answer, _ in found] == [answer for answer, _ in slots]


def test_both_engines_agree_on_the_real_debates(slots: list[tuple[str | None, str]], con: duckdb.DuckDBPyConnection) -> None:
    apart = {}
    for profile in ("robust", "published"):
        found = in_sql(con, [text for _, text in slots], f"coded_{profile}(t, ['A', 'B', 'C', 'D'])")
        coded = [code_answer(text, "ABCD", profile) for _, text in slots]
        assert found == [(c.answer, c.rule) for c in coded]
        apart[profile] = sum(c.answer != stored for c, (stored, _) in zip(coded, slots, strict=True))
    # As docs/coder_review.md says.
    assert apart == {"robust": 699, "published": 539}


def test_the_bench_reads_its_texts_alike_and_keeps_the_rest_of_the_page(tmp_path: Path) -> None:
    """SQL and Python agree on them (the bench asserts it), and a section that is measured anew takes the place of the old one."""
    times = measure_coder(tmp_path, 300)
    assert times.texts == times.sample == 300 and 800 < times.size / times.texts < 1200 and 0 < times.answered <= 300
    section = coder_report(times)
    page = with_section("# Page\n\n## Before\n\nx\n", section)
    page = with_section(page + "\n## After\n\ny\n", section.replace("300 invented", "600 invented"))
    assert page.startswith("# Page\n\n## Before\n\nx\n\n## Answer coder\n\n600 invented") and page.endswith("|\n\n## After\n\ny\n")
    assert page.count("## Answer coder") == 1
