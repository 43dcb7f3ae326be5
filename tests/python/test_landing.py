"""Finding, counting and converting files."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ledger import landing
from debate_ledger.landing import Found


def touch(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def test_files_are_found_in_order_and_once(tmp_path: Path) -> None:
    touch(tmp_path, "b/x.jsonl", "a/y.csv", "z.jsonl", "a/deep/w.jsonl.gz", ".hidden/h.jsonl", "a/._x.jsonl", "a/notes.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "b/again.jsonl").symlink_to(tmp_path / "z.jsonl")
    found = landing.find_files([tmp_path, tmp_path / "a"])
    name = tmp_path.name
    assert [f.file for f in found] == [f"{name}/a/deep/w.jsonl.gz", f"{name}/a/y.csv", f"{name}/b/again.jsonl", f"{name}/b/x.jsonl"]
    assert [f.folder for f in found] == ["a", "a", "b", "b"]


def test_the_folder_of_a_file_at_the_top_is_the_data_folder(tmp_path: Path) -> None:
    touch(tmp_path, "x.jsonl")
    assert landing.find_files([tmp_path])[0].folder == tmp_path.name


@pytest.mark.parametrize(
    "files, keys",
    [
        (["d/x.jsonl", "d/y.csv.gz"], ["x", "y"]),
        (["d/a/x.jsonl", "d/b/x.jsonl"], ["d/a/x.jsonl", "d/b/x.jsonl"]),
        (["d/x.jsonl", "d/x.jsonl.gz", "d/y.jsonl"], ["d/x.jsonl", "d/x.jsonl.gz", "y"]),
        (["d/x.jsonl", "d/x.jsonl"], ["d/x.jsonl#1", "d/x.jsonl#2"]),
        (["d/k.pre_1.jsonl"], ["k.pre_1"]),
    ],
)
def test_keys_are_stems_unless_two_files_share_one(files: list[str], keys: list[str]) -> None:
    assert landing.file_keys([Found(Path(f), f, "d") for f in files]) == keys


def test_a_missing_data_folder_says_how_to_set_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(landing.LandingError, match="LEDGER_DATA"):
        landing.data_roots()
    monkeypatch.setenv("LEDGER_DATA", str(tmp_path))
    monkeypatch.setenv("LEDGER_EXTRA_DATA", os.pathsep.join([str(tmp_path), str(tmp_path)]))
    assert landing.data_roots() == [tmp_path] * 3
    assert landing.data_roots(str(tmp_path), [str(tmp_path)]) == [tmp_path] * 2


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from([b"N", b"a", b"\n", b"\r", b"\x1e", b"\xc3\xa9", b"\xe9", landing.BOM, b"abc"])).map(b"".join),
    st.integers(1, 7),
    st.integers(1, 5),
)
def test_lines_are_counted_as_they_are_read(tmp_path_factory: pytest.TempPathFactory, data: bytes, chunk: int, window: int) -> None:
    """Whatever the bytes and wherever a chunk ends: the count, a bound of the longest line, and whether the text is plain."""
    path = tmp_path_factory.mktemp("bytes") / "x.jsonl"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(landing, "CHUNK", chunk)
        patch.setattr(landing, "WINDOW", window)
        text = landing._look_through(path)
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    assert text.n_lines == len(lines)
    longest = max(map(len, lines), default=0)
    assert longest <= text.longest <= longest + window
    try:
        data.decode()
        is_utf8 = True
    except UnicodeDecodeError:
        is_utf8 = False
    starts_with_bom = data.startswith(landing.BOM)
    plain = is_utf8 and not any(b in data for b in (b"\r", b"\x1e"))
    # A mark that a chunk of one or two bytes cuts in two is text like any other to the check; real chunks are 4 MiB.
    assert text.plain == (plain and not (starts_with_bom and chunk >= 3))
    rows = [r for batch in landing.converted_lines([(str(path), "jsonl", "converted")]) for r in batch.to_pylist()]
    assert [r["line_number"] for r in rows] == list(range(1, len(lines) + 1))
    assert all((r["line"] is None) == (r["reason"] is not None) for r in rows)


def test_csv_cells_become_values_and_empty_ones_null(tmp_path: Path) -> None:
    path = tmp_path / "m.csv.gz"
    path.write_bytes(gzip.compress(b'a,b\n1,\n"x,y","say ""hi"""\n\n3\n'))
    rows = [r for batch in landing.converted_lines([(str(path), "csv", "converted")]) for r in batch.to_pylist()]
    assert [(r["line_number"], r["kind"], r["line"]) for r in rows] == [
        (1, "header", None),
        (2, None, '{"a": "1", "b": null}'),
        (3, None, '{"a": "x,y", "b": "say \\"hi\\""}'),
        (4, "blank", None),
        (5, None, None),
    ]
    assert rows[4]["reason"].startswith("the row has 1 fields, the header has 2")


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nothing")
    [row] = landing.scan_folders([tmp_path]).to_pylist()
    assert (row["status"], row["sha256"], row["n_lines"]) == ("unreadable", None, None)
    assert "a link to nothing" in row["reason"]


def test_a_csv_header_with_a_name_twice_is_reported(tmp_path: Path) -> None:
    header = "question_id,collapsed,corrected,init_majority_correct,r1_majority_changed,collapsed\n"
    (tmp_path / "m.csv").write_text(header + "q,0,0,1,0,0\n")
    [row] = landing.scan_folders([tmp_path]).to_pylist()
    assert row["status"] == "unreadable"
    assert "collapsed twice" in row["reason"]
