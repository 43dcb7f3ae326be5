"""Time the SQL of the answer coder on texts of about a kilobyte, against a scan of the same texts and against Python's coder."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

from debate_ledger.coder import code_answer
from debate_ledger.coder.sql import coded_answer

#: What agents say before their answer, invented; a text is a dozen of these and one of ENDS.
SENTENCES = (
    "Let me go through the options one by one before I commit to anything.",
    "The first agent makes a fair point, but the second step does not follow from it.",
    "Option (A) would need the pressure to stay constant, which the question rules out.",
    "If we double the mass, the period of the pendulum stays as it is.",
    "I was tempted by B at first, since the units match.",
    "That said, a larger sample does not make a biased estimate right.",
    "Agent 2 argues that the answer is (D), and gives no reason for it.",
    "We have x = 3 and y = 4, so the distance is 5.",
    "This is not what the text says: the treaty was signed two years later.",
    "Both sides of the equation are positive, so squaring is safe.",
    "In a closed system the entropy cannot fall, whatever the path.",
    "I still think the original reading holds — the word “may” is permissive.",
    "Looking at the remaining choices, (C) and (E) say nearly the same.",
    "A quick check with small numbers gives the same result.",
)
ENDS = (
    "Final answer: ({})",
    "The answer is {}.",
    "So the correct option is **{}**.",
    "Therefore, I choose {}.",
    "Answer: {}",
    "$\\boxed{{{}}}$",
    "It has to be {}",
    "({})",
    "I cannot decide this.",
)
#: Texts that Python reads; its time is scaled up.
SAMPLE = 5_000
RUNS = 3


@dataclass(frozen=True)
class CoderTimes:
    """Seconds on the wall for ``texts`` texts of ``size`` bytes in all; Python's are those of its sample."""

    texts: int
    size: int
    scan: float
    sql: float
    python: float
    sample: int
    answered: int
    load: float

    @property
    def python_for_all(self) -> float:
        """Seconds that Python would take for every text, one after the other."""
        return self.python * self.texts / self.sample


def write_texts(con: duckdb.DuckDBPyConnection, texts: int) -> None:
    """A table ``texts`` (i, text): each text another draw, the same in every run."""
    ends = sorted({end.format(label) for end in ENDS for label in "ABCDE"})
    con.execute("set variable sentences = ?::varchar[]", [list(SENTENCES)])
    con.execute("set variable ends = ?::varchar[]", [ends])
    said = [f"getvariable('sentences')[1 + (hash(i, {place}) % {len(SENTENCES)})::bigint]" for place in range(len(SENTENCES))]
    con.execute(
        f"""
        create or replace table texts as
        select
            i,
            concat_ws(' ', {", ".join(said)}, 'Case ' || i || '.')
            || chr(10) || getvariable('ends')[1 + (hash(i) % {len(ends)})::bigint] as text
        from range(?) as r(i)
        """,
        [texts],
    )


def _timed(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[float, int]:
    start = time.perf_counter()
    [(found,)] = con.execute(sql).fetchall()
    return time.perf_counter() - start, int(found)


def measure_coder(folder: Path, texts: int) -> CoderTimes:
    """Median of three runs over ``texts`` texts in a file of DuckDB. Raises AssertionError where SQL and Python differ on the sample."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "texts.duckdb"
    path.unlink(missing_ok=True)
    load = os.getloadavg()[0]
    with duckdb.connect(str(path), config={"memory_limit": os.environ.get("LEDGER_MEMORY_LIMIT", "2GB")}) as con:
        print(f"writing {texts:,} texts", flush=True)
        write_texts(con, texts)
        [(size,)] = con.execute("select sum(strlen(text))::bigint from texts").fetchall()
        coded = coded_answer("text")
        print("scanning and coding", flush=True)
        # A word that no text holds: every byte is looked at, and nothing is kept.
        scans = sorted(_timed(con, "select count(*) filter (contains(text, 'qqqq')) from texts")[0] for _ in range(RUNS))
        runs = sorted(_timed(con, f"select count(c.answer) from (select {coded} as c from texts)") for _ in range(RUNS))
        sample = con.execute(f"select text, {coded}.answer from texts order by i limit {SAMPLE}").fetchall()
    start = time.perf_counter()
    answers = [code_answer(text).answer for text, _ in sample]
    seconds = time.perf_counter() - start
    assert answers == [answer for _, answer in sample], "SQL and Python read the same texts alike"
    path.unlink()
    return CoderTimes(texts, size, scans[RUNS // 2], runs[RUNS // 2][0], seconds, len(sample), runs[0][1], load)


def coder_report(t: CoderTimes) -> str:
    """The part of the page about the answer coder."""
    lines = [
        "",
        "## Answer coder",
        "",
        f"{t.texts:,} invented texts of {t.size / t.texts:,.0f} bytes ({t.size / 1e9:.2f} GB) in a table, read by the expression of the",
        f"profile `robust` (`debate_ledger.coder.sql`), median of {RUNS} runs; {t.answered / t.texts:.0%} of them state an answer.",
        f"Load of the machine when it began: {t.load:.1f} on {os.cpu_count()} cores.",
        "",
        "| | |",
        "| --- | ---: |",
        f"| scan that looks at every byte | {t.scan:.2f} s |",
        f"| answers in SQL | {t.sql:.1f} s |",
        f"| Python's coder, scaled from {t.sample:,} texts, one core | {t.python_for_all:.1f} s |",
        f"| **SQL ÷ scan** | {t.sql / t.scan:.0f} |",
        f"| **SQL ÷ Python** | {t.sql / t.python_for_all:.2f} |",
    ]
    return "\n".join(lines) + "\n"
