"""Files and lines that are broken or odd: each has a clear reason or the right reading, and nothing else is lost."""

import gzip
import re
import struct
import zlib
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import FAILING, ROOT, Build, Ledger
from lines import line, per_agent, summary

from debate_ledger.cli import main
from debate_ledger.show import ledger_text

GOOD = line(per_agent("good", "A", [["A", "A", "B"], ["B", "B", "B"]]))
MATRIX = gzip.decompress((ROOT / "data/primary_cohort/per_debate_r1_features.csv.gz").read_bytes()).splitlines(keepends=True)[:3]


#: Tokens that Python and C write for a missing number, in place of a key, an answer and a model.
NO_NUMBERS = [
    line(per_agent(f"key {token}", "@", [["B", "B", "B"], ["D", "D", "D"]])).replace(b'"@"', token.encode())
    for token in ("NaN", "-NaN", "nan", "Infinity", "-Infinity", "inf")
] + [
    line(per_agent("second key", "@", [["B"], ["D"]]) | {"gold": "B"}).replace(b'"@"', b"NaN"),
    line(per_agent("answers", "B", [["@", "@", "B"], ["B", "B", "B"]])).replace(b'"@"', b"NaN"),
    line(per_agent("endless answers", "B", [["B", "@", "@"], ["@", "@", "B"]])).replace(b'"@"', b"Infinity"),
    line(per_agent("model", "B", [["B"], ["B"]], model="m2") | {"model_name": "@"}).replace(b'"@"', b"NaN"),
]


def gzip_member(data: bytes, flags: int = 0, extra: bytes = b"") -> bytes:
    """A gzip member with flags in its header and what they announce."""
    packed = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    body = packed.compress(data) + packed.flush()
    return b"\x1f\x8b\x08" + bytes([flags]) + bytes(5) + b"\xff" + extra + body + struct.pack("<II", zlib.crc32(data), len(data))


#: What Python's gzip reads and DuckDB's reader does not, and two members that both read. Each holds GOOD as often as its name ends in.
ODD_GZIP = {
    "padded_1": gzip_member(GOOD) + bytes(512),
    "one_zero_1": gzip_member(GOOD) + bytes(1),
    "zeros_between_2": gzip_member(GOOD) + bytes(8) + gzip_member(GOOD),
    "comment_1": gzip_member(GOOD, 16, b"my run\x00"),
    "header_crc_1": gzip_member(GOOD, 2, struct.pack("<H", zlib.crc32(b"\x1f\x8b\x08\x02" + bytes(5) + b"\xff") & 0xFFFF)),
    "second_comment_2": gzip_member(GOOD, 8, b"a\x00") + gzip_member(GOOD, 16, b"c\x00"),
    "members_2": gzip_member(GOOD) + gzip_member(GOOD, 4, struct.pack("<H", 4) + b"abcd"),
}


def write(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)


@pytest.fixture(scope="module")
def odd_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of broken or odd file."""
    folder = tmp_path_factory.mktemp("odd")
    write(folder, "cut_short.jsonl", GOOD + GOOD[:100] + b"\n" + GOOD[:50])
    write(folder, "not_json.jsonl", GOOD + b"hello {world}\n" + b'{"question_id": "x" "y"}\n' + b"{'question_id': 'x'}\n" + GOOD)
    write(folder, "no_object.jsonl", b'[1, 2]\n"text"\n3\nnull\ntrue\n{}\n' + GOOD)
    write(folder, "two_objects.jsonl", GOOD.strip() + GOOD + GOOD)
    write(folder, "bom.jsonl", b"\xef\xbb\xbf" + GOOD + GOOD)
    write(folder, "crlf.jsonl", GOOD.replace(b"\n", b"\r\n") + b"\r\n" + GOOD.replace(b"\n", b"\r\n"))
    write(folder, "mixed_line_ends.jsonl", GOOD + GOOD.replace(b"\n", b"\r\n") + GOOD.rstrip())
    write(folder, "blank.jsonl", b"\n" + GOOD + b"\n   \n\t\n" + GOOD + b"\n\n")
    write(folder, "empty.jsonl", b"")
    write(folder, "only_blank.jsonl", b"\n")
    long_text = "x" * 20_000_000
    write(folder, "long_line.jsonl", GOOD + line(per_agent("long", "A", [["A"], ["A"]], note=long_text)) + GOOD + line(long_text)[:-2])
    write(
        folder,
        "nan.jsonl",
        line(per_agent("nan", "A", [["A"]], total_cost=float("nan")))
        + line(per_agent("no_nan", "A", [["A"]]))
        # The token counts, wherever it stands; the word in a text does not.
        + line(per_agent("in_list", "A", [["A"]], scores=[float("nan")] * 3))
        + line(per_agent("word", "A", [["A"]], note="NaN", mood='x: NaN, y "[Infinity]"')),
    )
    write(folder, "no_numbers.jsonl", b"".join(NO_NUMBERS))
    write(folder, "missing_words.jsonl", line(per_agent("words", "B", [["nan", "nan", "B"], ["None", "N/A", "B"]])))
    write(
        folder,
        "surrogates.jsonl",
        line(per_agent("half", "B", [["B", "x\ud835", "x\ud835"]]))
        + line(per_agent("pair", "\U0001d49c", [["\U0001d49c", "\\ud835"]]))
        + line(per_agent("nul", "x\x00y", [["x\x00y", "z"]])),
    )
    for name, packed in ODD_GZIP.items():
        write(folder, f"{name}.jsonl.gz", packed)
    write(
        folder,
        "costly.jsonl",
        line(per_agent("costly", "A", [["A"]], total_cost=1e19)) + line(per_agent("cheap", "A", [["A"]], total_cost=2)),
    )
    write(folder, "double_key.jsonl", b'{"question_id": "q", "correct_label": "A", ' + GOOD[1:])
    write(folder, "no_gold.jsonl", line(per_agent("null", None, [["A", "A"]])) + line({**per_agent("empty", "", [["A", "A"]])}))
    write(
        folder,
        "labels.jsonl",
        line(per_agent("beyond_j", "N", [["N", "N", "K"], ["N", "K", "K"]]))
        + line(per_agent("lower_case", "b", [["b", "B", " a "], [" a ", "A", "b"]]))
        + line(per_agent("digits", 3, [[3, "3", 4], ["4", 4, 3]]))
        + line(per_agent("latex", "\\frac{1}{2}", [["\\frac{1}{2}", " \\frac{1}{2} ", "x"], ["x", "x", "X"]])),
    )
    write(
        folder,
        "agents.jsonl",
        # Agent 2 was not asked in round 1; ten agents sort by number; a round of another size.
        line(per_agent("absent", "A", [["A", "A", "B"], {"1": "B", "3": "B"}, ["B", "B", "B"]]))
        + line(per_agent("ten", "A", [{str(i): "A" if i < 9 else "B" for i in (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)}] * 2))
        + line(per_agent("names", "A", [{"judge": "A", "a": "A", "2": "B"}, {"2": "B", "a": "A", "judge": "B"}]))
        + line(per_agent("growing", "A", [["A", "B"], ["A", "B", "B"], ["B"]]))
        + line(summary("short_round", "A", [["A", "A", "B"], ["A", "B"]]))
        + line(per_agent("one_agent", "A", [["A"], [None], ["A"]])),
    )
    write(
        folder,
        "broken_agents.jsonl",
        line(per_agent("twice", "A", [["A", "B"]], round_traces=[[*[{"agent_id": "1", "answer": "A"}] * 2]]))
        + line(per_agent("nameless", "A", [["A", "B"]], round_traces=[[{"agent_id": "1", "answer": "A"}, {"answer": "B"}]]))
        + line(per_agent("text", "A", [["A", "B"]], round_traces=[["A", "B"]]))
        + line(per_agent("null_round", "A", [["A", "B"], ["A", "B"]], round_traces=[None]))
        + line({**summary("renumbered", "A", [["A"], ["A"]]), "round_traces": [{"round": 2, "answers": ["A"]}]})
        + line({**summary("no_answers", "A", [["A"], ["A"]]), "round_traces": [{"round": 1, "answers": "A"}]}),
    )
    write(
        folder,
        "wrong_types.jsonl",
        line({**per_agent("traces", "A", [["A"]]), "round_traces": "none"})
        + line({"question_id": "initial", "correct_label": "A", "initial_answers": "A", "round_traces": [{"round": 1, "answers": ["A"]}]})
        + line({**per_agent("nothing", "A", [["A"]]), "question_id": " "})
        + line({"question_id": "unknown", "text": "a debate of no known shape"})
        + line({"question_id": "no_start", "correct_label": "A", "round_traces": [[{"agent_id": "1", "answer": "A"}]]}),
    )
    write(
        folder,
        "rounds.jsonl",
        line(per_agent("none_held", "A", [["A", "A", "B"]]))
        + line(per_agent("three_held", "A", [["A", "A", "B"]] * 4))
        + line(per_agent("all_unparsed", "A", [[None, "", " "], [None, None, None]])),
    )
    write(
        folder,
        "times.jsonl",
        line(per_agent("epoch", "A", [["A"]], timestamp=1770000000.5))
        + line(per_agent("iso", "A", [["A"]], timestamp="2026-01-02T03:04:05"))
        + line(per_agent("zone", "A", [["A"]], timestamp="2026-01-02T03:04:05+02:00"))
        + line(per_agent("nonsense", "A", [["A"]], timestamp="yesterday")),
    )
    extra = per_agent("extra", "A", [["A"]])
    extra["initial_states"][0] |= {"hunch": "strong"}
    write(folder, "extra_keys.jsonl", line({**extra, "mood": "calm", "usage": {"cost": 1}}))
    write(folder, "latin1.jsonl", GOOD + b'{"question_id": "caf\xe9"}\n' + GOOD)
    write(folder, "separators.jsonl", GOOD + b'{"question_id": "a\x1eb"}\n' + b'{"question_id": "a\x00b"}\n' + GOOD)
    write(folder, "utf16.jsonl", GOOD.decode().encode("utf-16"))
    write(folder, "binary.jsonl", bytes(range(256)) * 20)
    write(folder, "broken.jsonl.gz", gzip.compress(GOOD * 1000)[:-40])
    write(folder, "plain.jsonl.gz", GOOD)
    write(folder, "packed.jsonl", gzip.compress(GOOD))
    write(folder, "fine.jsonl.gz", gzip.compress(GOOD))
    write(folder, "notes.csv", b"name,value\na,1\n")
    write(
        folder,
        "broken_cells.csv",
        MATRIX[0] + MATRIX[1].replace(b",", b',"a\n\nb",', 1) + MATRIX[2] + MATRIX[1].replace(b",", b',"', 1) + MATRIX[2],
    )
    write(folder, "matrix.csv", b"\xef\xbb\xbf" + MATRIX[0].replace(b"\n", b"\r\n") + MATRIX[1] + b"\n" + MATRIX[2][:30] + b"\n")
    return folder


@pytest.fixture(scope="module")
def odd(build: Build, odd_folder: Path) -> Ledger:
    return build(odd_folder)


def rejected(odd: Ledger, file: str) -> dict[int, str]:
    return dict(odd.query("select line_number, reason from rejected_lines where file_key = ? and part is null", file))


def keys(odd: Ledger, file: str) -> list[int]:
    return [n for (n,) in odd.query("select distinct line_number from debates where file_key = ? order by 1", file)]


def debate(odd: Ledger, question: str, rule: str = "alphabetical", endpoint: str = "last") -> tuple:
    [row] = odd.query(
        "select correct_label, initial_answer, final_answer, cell, onset_round, n_agents, last_round from debates"
        " where question_id = ? and coding_rule = ? and endpoint = ?",
        question,
        rule,
        endpoint,
    )
    return row


def test_staged_and_rejected_and_blank_lines_are_all_lines(odd: Ledger) -> None:
    assert (
        odd.query(
            """
        select file from raw_files where status = 'landed'
            and n_lines <> n_debate_lines + n_probe_lines + n_rejected_lines + n_header_lines + n_blank_lines
        """
        )
        == []
    )
    assert odd.one("select n_lines from build_info") == odd.one("select sum(n_lines)::int from raw_files where status = 'landed'")


def test_a_line_cut_short_is_rejected_and_the_rest_of_the_file_lands(odd: Ledger) -> None:
    assert keys(odd, "cut_short") == [1]
    found = rejected(odd, "cut_short")
    assert set(found) == {2, 3}
    assert all("cut short" in reason for reason in found.values())
    [(text,)] = odd.work_query("select rejected_text from reconciliation.rejected_lines where file_key = 'cut_short' and line_number = 2")
    assert text == GOOD[:100].decode()


def test_a_line_that_is_not_json_is_rejected(odd: Ledger) -> None:
    assert keys(odd, "not_json") == [1, 5]
    assert {n: r.split(":")[0] for n, r in rejected(odd, "not_json").items()} == dict.fromkeys((2, 3, 4), "not JSON")
    assert set(rejected(odd, "two_objects")) == {1}


def test_valid_json_that_is_no_object_is_rejected_by_its_type(odd: Ledger) -> None:
    found = rejected(odd, "no_object")
    assert [re.findall(r"\((\w+)\)", found[n]) for n in range(1, 6)] == [["array"], ["varchar"], ["ubigint"], ["null"], ["boolean"]]
    assert "no known dialect" in found[6]
    assert keys(odd, "no_object") == [7]


@pytest.mark.parametrize("file, lines", [("bom", [1, 2]), ("crlf", [1, 3]), ("mixed_line_ends", [1, 2, 3]), ("blank", [2, 6])])
def test_marks_and_line_ends_change_nothing(odd: Ledger, file: str, lines: list[int]) -> None:
    assert keys(odd, file) == lines
    assert rejected(odd, file) == {}


def test_an_empty_file_has_no_lines(odd: Ledger) -> None:
    assert odd.query("select status, n_lines, n_debate_lines from raw_files where file_key = 'empty'") == [("landed", 0, 0)]
    assert odd.query("select status, n_lines, n_blank_lines from raw_files where file_key = 'only_blank'") == [("landed", 1, 1)]


def test_a_line_of_twenty_megabytes_lands_or_is_rejected_like_any_other(odd: Ledger) -> None:
    assert keys(odd, "long_line") == [1, 2, 3]
    assert "cut short" in rejected(odd, "long_line")[4]


def test_nan_is_null_and_counted(odd: Ledger) -> None:
    assert odd.work_query("select question_id, total_cost from staging.stg_debates where file_key = 'nan' order by line_number") == [
        ("nan", None),
        ("no_nan", None),
        ("in_list", None),
        ("word", None),
    ]
    assert odd.one("select n_nan_tokens from raw_files where file_key = 'nan'") == 4


def test_tokens_that_are_no_number_are_no_key_no_answer_and_no_model(odd: Ledger) -> None:
    found = odd.query(
        "select question_id, correct_label, model, initial_answer, undefined_reason from debates"
        " where file_key = 'no_numbers' and coding_rule = 'alphabetical' and endpoint = 'last' order by line_number"
    )
    assert found[:6] == [(f"key {token}", None, "m", "B", "no_gold") for token in ("NaN", "-NaN", "nan", "Infinity", "-Infinity", "inf")]
    assert found[6:] == [
        ("second key", "B", "m", "B", None),
        ("answers", "B", "m", "B", None),
        ("endless answers", "B", "m", "B", None),
        ("model", "B", "m2", "B", None),
    ]
    rounds = "select round, n_asked, n_parsed, n_unparsed from debate_rounds where question_id = 'endless answers' order by round"
    assert odd.query(rounds) == [(0, 3, 1, 2), (1, 3, 1, 2)]
    assert odd.one("select n_nan_tokens from raw_files where file_key = 'no_numbers'") == 6 + 1 + 2 + 4 + 1


def test_words_that_may_mean_no_answer_are_labels_and_are_told(odd: Ledger) -> None:
    assert debate(odd, "words")[1] == "nan"
    assert odd.query("select file_key, n_missing_words from raw_files where n_missing_words > 0") == [("missing_words", 4)]
    assert "missing_words.jsonl: 4 answers are the word" in ledger_text(odd.published)


def test_half_a_surrogate_pair_and_an_escaped_nul_cost_no_debate(odd: Ledger) -> None:
    assert rejected(odd, "surrogates") == {}
    assert debate(odd, "half")[1] == "x\ufffd"
    assert debate(odd, "pair")[:2] == ("\U0001d49c", "\\ud835")
    assert debate(odd, "nul")[:2] == ("x\x00y", "x\x00y")


@pytest.mark.parametrize("name", ODD_GZIP)
def test_gzip_streams_land_as_python_reads_them(odd: Ledger, name: str) -> None:
    assert keys(odd, name) == list(range(1, int(name[-1]) + 1))
    assert odd.one("select status from raw_files where file_key = ?", name) == "landed"


def test_an_amount_that_nobody_pays_is_refused_by_its_key(odd: Ledger) -> None:
    parts = odd.query("select line_number, part from rejected_lines where file_key = 'costly'")
    assert parts == [(1, "total_cost")]
    found = odd.work_query("select question_id, total_cost from staging.stg_debates where file_key = 'costly' order by line_number")
    assert found == [("costly", None), ("cheap", 2)]


def test_the_second_half_of_a_csv_cell_is_no_row(odd: Ledger) -> None:
    found = rejected(odd, "broken_cells")
    assert {n: "holds a line break" in reason for n, reason in found.items()} == {2: True, 4: True, 6: False}
    assert "begins in line 6 is never closed" in found[6]
    assert keys(odd, "broken_cells") == [5, 7]


def test_a_key_that_stands_twice_is_rejected_by_name(odd: Ledger) -> None:
    assert "correct_label, question_id" in rejected(odd, "double_key")[1]


def test_a_debate_without_a_key_counts_as_undefined_under_every_rule(odd: Ledger) -> None:
    found = odd.query("select distinct cell, undefined_reason from debates where file_key = 'no_gold'")
    assert found == [("undefined", "no_gold")]
    assert len(keys(odd, "no_gold")) == 2


def test_labels_of_every_kind_are_kept(odd: Ledger) -> None:
    assert debate(odd, "beyond_j")[:4] == ("N", "N", "K", "collapse")
    assert debate(odd, "lower_case")[:4] == ("B", "B", "A", "collapse")
    assert debate(odd, "digits")[:4] == ("3", "3", "4", "collapse")
    # Upper case is for one-letter keys only: x and X stay two labels, so that x leads with two votes.
    assert debate(odd, "latex")[:4] == ("\\frac{1}{2}", "\\frac{1}{2}", "x", "collapse")


def test_an_agent_that_was_not_asked_is_absent_not_unparsed(odd: Ledger) -> None:
    assert odd.query(
        "select round, n_agents, n_asked, n_parsed, n_unparsed, n_absent, n_flipped_from_previous, majority from debate_rounds"
        " where question_id = 'absent' order by round"
    ) == [(0, 3, 3, 3, 0, 0, None, "A"), (1, 3, 2, 2, 0, 1, 1, "B"), (2, 3, 3, 3, 0, 0, 0, "B")]
    assert odd.work_query(
        "select round, agent_position, answer_state from staging.stg_agent_answers inner join staging.stg_debates using (debate_key)"
        " where question_id = 'absent' and answer is null"
    ) == [(1, 2, "absent")]


def test_agents_are_told_apart_by_their_ids(odd: Ledger) -> None:
    assert debate(odd, "ten")[5] == 10
    assert odd.one("select n_flipped_from_initial from debate_rounds where question_id = 'ten' and round = 1") == 0
    # judge changed from A to B, the others stayed: by place in the list it would be two changes.
    assert odd.one("select n_flipped_from_initial from debate_rounds where question_id = 'names' and round = 1") == 1


def test_panels_of_different_sizes_in_one_file_keep_their_own(odd: Ledger) -> None:
    assert odd.query("select n_agents, n_asked, n_absent from debate_rounds where question_id = 'growing' order by round") == [
        (3, 2, 1), (3, 3, 0), (3, 1, 2),
    ]  # fmt: skip
    assert odd.query("select n_asked, n_absent from debate_rounds where question_id = 'short_round' order by round") == [(3, 0), (2, 1)]
    assert debate(odd, "one_agent")[3:] == ("preserved", None, 1, 2)


@pytest.mark.parametrize(
    "number, part",
    [(1, "stands twice"), (2, "no agent_id"), (3, "no object"), (4, "no list"), (5, "not numbered"), (6, "without a list")],
)
def test_broken_agents_are_rejected_by_kind(odd: Ledger, number: int, part: str) -> None:
    assert part in rejected(odd, "broken_agents")[number]


@pytest.mark.parametrize(
    "number, part",
    [
        (1, "round_traces is no list"),
        (2, "initial_answers is no list"),
        (3, "no question_id"),
        (4, "no known dialect (keys: question_id, text)"),
        (5, "no initial"),
    ],
)
def test_wrong_types_and_missing_keys_are_rejected_not_read_as_missing(odd: Ledger, number: int, part: str) -> None:
    assert part in rejected(odd, "wrong_types")[number]


def test_a_debate_without_rounds_ends_where_it_starts(odd: Ledger) -> None:
    assert debate(odd, "none_held")[3:] == ("preserved", None, 3, 0)
    assert odd.query("select carried_forward, end_round from debates where question_id = 'none_held' and endpoint = 'r2'")[0] == (True, 0)
    assert debate(odd, "three_held")[6] == 3


def test_a_panel_that_nobody_parsed_is_a_state(odd: Ledger) -> None:
    assert debate(odd, "all_unparsed")[3] == "unrepaired"
    assert debate(odd, "all_unparsed", "strict_plurality")[3] == "undefined"
    assert odd.query("select n_parsed, n_leaders, majority from debate_rounds where question_id = 'all_unparsed' and round = 0") == [
        (0, 0, None)
    ]


def test_times_are_utc(odd: Ledger) -> None:
    found = odd.work_query(
        "select question_id, recorded_at::varchar from staging.stg_debates where file_key = 'times' order by line_number"
    )
    assert found == [
        ("epoch", "2026-02-02 02:40:00.5"),
        ("iso", "2026-01-02 03:04:05"),
        ("zone", "2026-01-02 01:04:05"),
        ("nonsense", None),
    ]


def test_keys_that_nothing_reads_are_listed(odd: Ledger) -> None:
    assert odd.query("select place, unread_key, n_lines from unread_keys where file_key = 'extra_keys' order by all") == [
        ("agent", "hunch", 1), ("line", "mood", 1),
    ]  # fmt: skip


def test_bytes_that_are_no_utf8_cost_one_line_not_the_file(odd: Ledger) -> None:
    assert keys(odd, "latin1") == [1, 3]
    assert "byte 21" in rejected(odd, "latin1")[2]
    assert keys(odd, "separators") == [1, 4]
    assert set(rejected(odd, "separators")) == {2, 3}


@pytest.mark.parametrize(
    "file, part",
    [
        ("utf16.jsonl", "save it as UTF-8"),
        ("binary.jsonl", "save it as UTF-8"),
        ("broken.jsonl.gz", "broken gzip stream"),
        ("plain.jsonl.gz", "rename it to plain.jsonl"),
        ("packed.jsonl", "rename it to packed.jsonl.gz"),
    ],
)
def test_a_file_that_is_no_text_has_one_line_with_the_way_out(odd: Ledger, file: str, part: str) -> None:
    [(status, reason, n_lines)] = odd.query("select status, reason, n_lines from raw_files where file like '%/' || ?", file)
    assert status == "unreadable"
    assert part in reason
    assert n_lines is None


def test_the_other_files_still_land(odd: Ledger) -> None:
    assert keys(odd, "fine") == [1]
    assert odd.one("select n_files_unreadable from build_info") == 5


def test_csv_lands_if_it_is_a_feature_matrix(odd: Ledger) -> None:
    [(status, reason)] = odd.query("select status, reason from raw_files where file like '%/notes.csv'")
    assert status == "skipped"
    assert "feature matrix" in reason
    assert keys(odd, "matrix") == [2]
    assert "fields" in rejected(odd, "matrix")[4]
    assert odd.query("select n_header_lines, n_blank_lines from raw_files where file_key = 'matrix'") == [(1, 1)]


def test_equal_lines_are_listed_over_files_and_still_count(odd: Ledger) -> None:
    n_good = odd.one("select count(*) from debates where question_id = 'good' and coding_rule = 'alphabetical' and endpoint = 'last'")
    listed = odd.one("select count(*) from duplicate_debates where kind = 'same line' and question_id = 'good'")
    assert listed == n_good > 10
    # Files with CRLF line ends or a byte order mark hold the same lines.
    groups = odd.query("select distinct first_of_group from duplicate_debates where kind = 'same line' and question_id = 'good'")
    assert len(groups) == 1


def test_the_doctor_names_every_line_that_does_not_land_and_its_mend(odd: Ledger, odd_folder: Path) -> None:
    """What `ledger doctor` prints of the folder, against what the build of it rejected."""
    result = CliRunner().invoke(main, ["doctor", str(odd_folder), "--limit", "1000"])
    assert result.exit_code == 1
    told: dict[str, list[str]] = defaultdict(list)
    for what, mend in pairwise(result.output.splitlines()):
        told[what.strip()].append(mend.strip())
    rejected = odd.query("select file, line_number, part, reason from rejected_lines")
    assert len(rejected) > 25
    for file, number, part, reason in rejected:
        # What is wrong, and the way out.
        assert reason in told[f"{file}, line {number}{f', {part}' if part else ''}"] and ":" in reason, (file, number, reason)
    files = odd.query("select file, status, reason from raw_files where status <> 'landed'")
    assert files and all(reason in told[f"{file}: the file is {status}"] for file, status, reason in files)


@pytest.mark.skipif(not FAILING.is_dir(), reason="the folder of inputs that were once read wrongly is not here")
def test_lines_that_were_once_read_wrongly_have_their_right_value(build: Build) -> None:
    ledger = build(FAILING / "landing", topics="")
    debates = "from debates where coding_rule = 'alphabetical' and endpoint = 'last'"
    found = {q: row for q, *row in ledger.query(f"select question_id, correct_label, model, cell {debates} and file_key = 'nan_keys'")}
    for question in ("nan_key", "null_key", "nokey", "minusnan", "nan_lower"):
        assert found[question] == [None, "m", "undefined"]
    for question in ("nan_then_gold", "null_then_gold", "empty_then_gold"):
        assert found[question] == ["B", "m", "collapse"]
    assert found["nan_model"][:2] == ["B", "m2"]
    starts = dict(ledger.query("select question_id, n_unparsed from debate_rounds where round = 0 and file_key = 'nan_keys'"))
    assert (starts["nan_answer"], starts["inf_answer"], starts["strnan_answer"], starts["strnone_answer"]) == (2, 2, 0, 0)
    landed = {f for (f,) in ledger.query(f"select distinct file_key {debates}")}
    assert {"zero_padded", "fcomment", "trailing_zeros", "lone_surrogate", "costly"} <= landed
    assert ledger.query("select file_key, part from rejected_lines where part is not null") == [("costly", "total_cost")]
    assert ledger.query("select count(*) from debates where model like '%\"%'") == [(0,)]
