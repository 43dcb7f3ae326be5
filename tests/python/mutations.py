"""Logs with something wrong in them: each seed spoils one copy of a folder of logs in one to three ways."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 3.5, 10**30, float("nan"), float("inf"), "", " ", "B", "(X)", "None", "nan", "\ud835", "x" * 2000,
    [], {}, [[]], [None], [{}], {"role": 1}, {"role": "user"}, {"role": "assistant", "content": None},
    {"content": [{"text": "A"}, 5]}, [1, 2, [3, ["a"]]],
]  # fmt: skip
#: What may stand in a cell of a table, or in a line of flags.
CELLS = [
    "",
    " ",
    "1",
    "0",
    "-3",
    "99999",
    "2.0",
    "[2",
    "[2, 2]",
    "[True, None]",
    "True",
    "nan",
    "me",
    'a "quoted" one',
    "a,b",
    "a\nb",
    "é",
    "\x00",
]


def spoil(folder: Path, seed: int) -> list[str]:
    """Spoil files below a folder in place; what was done, for the message of a failure."""
    dice = random.Random(seed)
    done = []
    for _ in range(dice.choice((1, 1, 2, 3))):
        files = sorted(p for p in folder.rglob("*") if p.is_file())
        if not files:
            break
        path = dice.choice(files)
        how = dice.choice((_lines, _lines, _bytes, _encoding, _file, _values, _values, _values, _values))
        how(path, dice)
        done.append(f"{how.__name__.strip('_')} of {path.relative_to(folder)}")
    return done


def _lines(path: Path, dice: random.Random) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    if not lines:
        return
    place, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(other, lines[place])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            lines[place] = lines[place][: dice.randrange(len(lines[place]) + 1)]
        case 4:
            lines[place] = lines[place].rstrip(b"\n") + lines[other]
        case _:
            lines.insert(place, dice.choice((b"\n", b"{}\n", b"[]\n", b"null\n", b"text\n", b'"text"\n', b"[" * 3000 + b"\n")))
    path.write_bytes(b"".join(lines))


def _bytes(path: Path, dice: random.Random) -> None:
    content = bytearray(path.read_bytes())
    if not content:
        return
    place = dice.randrange(len(content))
    match dice.randrange(4):
        case 0:
            del content[place:]
        case 1:
            content[place] = dice.randrange(256)
        case 2:
            del content[place : place + dice.randrange(1, 60)]
        case _:
            content[place:place] = dice.choice((b'"', b"\\", b"{", b"]", b",", b"\xff", b"\x00", b"\r\n", b"\\u0000", b"NaN"))
    path.write_bytes(content)


def _encoding(path: Path, dice: random.Random) -> None:
    text = path.read_bytes().decode("utf-8", errors="replace")
    encoding = dice.choice(("utf-16", "utf-8-sig", "latin-1", "cp1252", "utf-32"))
    path.write_bytes(text.encode(encoding, errors="replace") if dice.random() < 0.7 else text.replace("\n", "\r\n").encode())


def _file(path: Path, dice: random.Random) -> None:
    """The file goes, is empty, or has another name."""
    match dice.randrange(4):
        case 0:
            path.unlink()
        case 1:
            path.write_bytes(dice.choice((b"", b"\n", b"[]", b"{}", b"null", b"\x1f\x8b broken")))
        case 2:
            numbers = re.sub(r"\d", lambda found: str(dice.randrange(10)), path.name)
            path.rename(path.with_name(numbers))
        case _:
            path.with_name("again_" + path.name).write_bytes(path.read_bytes())


def _values(path: Path, dice: random.Random) -> None:
    """Another value, one less or one more: of the JSON of a file or of one of its lines, else of a cell."""
    text = path.read_bytes().decode("utf-8", errors="surrogateescape")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        lines = text.split("\n")
        place = dice.randrange(len(lines))
        try:
            lines[place] = json.dumps(_changed(json.loads(lines[place]), dice))
        except (ValueError, RecursionError):
            cells = lines[place].split(",")
            cells[dice.randrange(len(cells))] = dice.choice(CELLS)
            lines[place] = ",".join(cells)
        path.write_bytes("\n".join(lines).encode("utf-8", errors="surrogateescape"))
        return
    path.write_bytes(json.dumps(_changed(whole, dice)).encode())


def _changed(value: Any, dice: random.Random) -> Any:
    if not isinstance(value, (dict, list)) or not value or dice.random() < 0.15:
        return dice.choice(ODD)
    if isinstance(value, dict):
        key = dice.choice(list(value))
        match dice.randrange(8):
            case 0:
                del value[key]
            case 1:
                value[dice.choice(("answer", "question", "P", "M", "id", ""))] = dice.choice(ODD)
            case _:
                value[key] = _changed(value[key], dice)
        return value
    place = dice.randrange(len(value))
    match dice.randrange(10):
        case 0:
            del value[place]
        case 1:
            value.insert(place, dice.choice(ODD))
        case 2:
            value.insert(place, value[dice.randrange(len(value))])
        case _:
            value[place] = _changed(value[place], dice)
    return value
