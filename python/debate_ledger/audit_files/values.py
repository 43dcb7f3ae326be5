"""Small checked readers of the values in audit files, and the two outcomes of reading: a record, or a refusal that says what to mend.

No text of a question, an option, a story or a transcript may stand in what leaves these modules. So every string of a record is checked
to be a short identifier, a text is only ever hashed, and a refusal names keys and numbers.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

#: What may be repeated from a file: an identifier, a number, a hash.
IDENTIFIER = re.compile(r"[A-Za-z0-9_.|:+-]{1,80}")
#: The same with what model names and folder names hold beside it.
LABEL = re.compile(r"[A-Za-z0-9_.=|:+/%~-]{1,400}")
HEX = re.compile(r"[0-9a-f]{64}")
DECIMAL8 = re.compile(r"0\.[0-9]{8}|1\.00000000")
#: The same below 10⁻⁶ where it was written by Python's decimal type: 0E-8, 1E-8, 1.2E-7 are 0.00000000, 0.00000001, 0.00000012.
SMALL_DECIMAL8 = re.compile(r"[0-9]E-8|[1-9]\.[0-9]E-7")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,399})")
#: Larger files are not read: an audit file is a few megabytes.
MAX_FILE_BYTES = 512 * 1024 * 1024
#: Names of checkpoints in the authors' files (phase, role, folder) and the arm that they are (`er_audit_formats` section 0).
ARMS = {
    "base": "base",
    "honest": "honest",
    "strict": "adv",
    "adv-wo-qh": "adv",
    "model-organism": "org",
    "org": "org",
}
Record = dict[str, object]


class Refused(Exception):
    """A file or an item cannot be taken; the message says what is wrong and how to mend it."""


@dataclass(frozen=True)
class Rejected:
    """An item that is not taken, while the rest of its file may be."""

    reason: str
    item: str | None = None


@dataclass
class Source:
    """An audit file that is being read, with its bytes."""

    path: Path
    raw: bytes = field(default=b"", repr=False)

    @property
    def folder(self) -> Path:
        """Folder of the file, absolute, so that the folders above it have names."""
        return self.path.absolute().parent


def refuse(message: str) -> NoReturn:
    """Raise `Refused`."""
    raise Refused(message)


def shown(value: object) -> str:
    """A value of a file as a message may show it: identifiers and numbers as they are, anything else by its kind and size."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**40 else "an integer of more than 40 digits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return value if IDENTIFIER.fullmatch(value) else f"a text of {len(value)} characters"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"an object of {len(value)} keys" if isinstance(value, dict) else type(value).__name__


def compact(value: object) -> str:
    """JSON without spaces, keys in the order given, NaN refused."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def canonical(value: object) -> str:
    """JSON in the form that the authors hash: sorted keys, a space after comma and colon, non-ASCII as it is (2.11)."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
    except ValueError:
        return refuse("the JSON holds NaN or Infinity, so its hash is not defined: write null or a number")


def sha256_text(text: str) -> str:
    """SHA-256 hex digest of the UTF-8 bytes. Raises Refused as `utf8` does."""
    return hashlib.sha256(utf8(text)).hexdigest()


def utf8(text: str) -> bytes:
    """UTF-8 bytes of a text. Raises Refused for half a surrogate pair, which has none."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return refuse("a text holds half a surrogate pair (\\ud800 to \\udfff), which UTF-8 cannot write: mend the escape")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Keys of one JSON object; a key that occurs twice would hide its first value."""
    found = dict(pairs)
    if len(found) != len(pairs):
        refuse("an object of the JSON has the same key twice: keep one")
    return found


def parse_json(raw: bytes) -> object:
    """Parsed JSON of a whole file or line. Raises Refused with the place, never with the text."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(f"byte {error.start + 1} is not UTF-8: save the file as UTF-8")
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        refuse(f"not valid JSON (line {error.lineno}, column {error.colno}): copy or write the file again")
    except RecursionError:
        refuse("the JSON is nested too deep: write the file again")
    except ValueError:
        refuse("the JSON holds an integer of thousands of digits: write it as text")


def read_bytes(path: Path) -> bytes:
    """All bytes of a file. Raises Refused where it cannot be read or is far too large."""
    try:
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            refuse(f"the file has {size:,} bytes, more than {MAX_FILE_BYTES:,}: split it")
        return path.read_bytes()
    except OSError as error:
        refuse(f"the file cannot be read ({error.strerror}): check that it is there, and its permissions")


def read_sibling(path: Path) -> dict[str, object]:
    """The JSON object in a file beside the one that is read; what is wrong with it is told with its name."""
    try:
        return as_object(parse_json(read_bytes(path)), "the file")
    except Refused as error:
        return refuse(f"{path.name} beside the file cannot be used: {error}")


def as_object(value: object, what: str) -> dict[str, object]:
    """The value as a JSON object."""
    return value if isinstance(value, dict) else refuse(f"{what} is {shown(value)}: expected an object")


def as_list(value: object, what: str, length: int | None = None) -> list[object]:
    """The value as a JSON list, of ``length`` elements where given."""
    if not isinstance(value, list):
        refuse(f"{what} is {shown(value)}: expected a list")
    if length is not None and len(value) != length:
        refuse(f"{what} has {len(value)} elements: expected {length}")
    return value


def need(holder: Mapping[str, object], key: str, where: str = "") -> object:
    """The value of a key that must be there."""
    return holder[key] if key in holder else refuse(f"{where}{key} is missing: write it")


def text_of(holder: Mapping[str, object], key: str, where: str = "") -> str:
    """A text with at least one character that is no space. The caller hashes it and never repeats it."""
    value = need(holder, key, where)
    if not isinstance(value, str):
        refuse(f"{where}{key} is no text: expected a text that is not blank")
    if not value.strip():
        refuse(f"{where}{key} is blank: expected a text")
    return value


def identifier(holder: Mapping[str, object], key: str, where: str = "", pattern: re.Pattern[str] = IDENTIFIER) -> str:
    """A short identifier, such as a pair_id."""
    value = need(holder, key, where)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        refuse(f"{where}{key} is {shown(value)}: expected 1 to 80 letters, digits or _ . | : + -")
    return value


def one_of(holder: Mapping[str, object], key: str, values: Sequence[str], where: str = "") -> str:
    """One of a few words."""
    value = need(holder, key, where)
    return (
        value if isinstance(value, str) and value in values else refuse(f"{where}{key} is {shown(value)}: expected {' or '.join(values)}")
    )


def whole(holder: Mapping[str, object], key: str, where: str = "", low: int = 0, high: int | None = None) -> int:
    """An integer within bounds; 3.0 and true are none."""
    return whole_value(need(holder, key, where), where + key, low, high)


def whole_value(value: object, what: str, low: int = 0, high: int | None = None) -> int:
    """The value as an integer within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or value < low or (high is not None and value > high):
        refuse(f"{what} is {shown(value)}: expected an integer from {low}{'' if high is None else f' to {high}'}")
    return value


def flag(holder: Mapping[str, object], key: str, where: str = "") -> bool:
    """True or false."""
    value = need(holder, key, where)
    return value if isinstance(value, bool) else refuse(f"{where}{key} is {shown(value)}: expected true or false")


def number(holder: Mapping[str, object], key: str, where: str = "") -> float:
    """A finite JSON number."""
    value = need(holder, key, where)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        refuse(f"{where}{key} is {shown(value)}: expected a finite number")
    return value


def hexdigest(holder: Mapping[str, object], key: str, where: str = "") -> str:
    """A SHA-256 as 64 small hex digits."""
    value = need(holder, key, where)
    return value if isinstance(value, str) and HEX.fullmatch(value) else refuse(f"{where}{key} is {shown(value)}: expected 64 hex digits")


def probability_text(value: object, what: str) -> str:
    """A probability as text with 8 decimals, such as "0.52000000".

    A JSON number must be the double nearest to an 8-decimal number in [0, 1] (2.11); a text must be written that way already (2.13), or
    as Python writes a small decimal.
    """
    if isinstance(value, str) and SMALL_DECIMAL8.fullmatch(value):
        return f"{Decimal(value):.8f}"
    if isinstance(value, str):
        return value if DECIMAL8.fullmatch(value) else refuse(f"{what} is {shown(value)}: expected 0.dddddddd or 1.00000000")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        refuse(f"{what} is {shown(value)}: expected a number with 8 decimals from 0 to 1")
    text = f"{abs(value):.8f}"
    return (
        text if float(text) == value else refuse(f"{what} is {shown(value)}: expected a number with 8 decimals, so take it before rounding")
    )


def share_text(value: object, what: str) -> str:
    """A number in [0, 1] as the shortest text that gives it back."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        refuse(f"{what} is {shown(value)}: expected a number from 0 to 1")
    return decimal_text(value, what)


def decimal_text(value: object, what: str) -> str:
    """A decimal (text or number) as plain text without an exponent and without zeros at the end: 1E+1 and "10.0" are "10"."""
    if isinstance(value, bool) or not isinstance(value, int | float | str) or len(str(value)) > 256:
        refuse(f"{what} is {shown(value)}: expected a decimal number")
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        refuse(f"{what} is {shown(value)}: expected a decimal number")
    if not found.is_finite() or abs(found.adjusted()) > 60:
        refuse(f"{what} is {shown(value)}: expected a decimal number of at most 60 digits")
    text = format(found, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def rational(value: object, what: str) -> tuple[int, int]:
    """Numerator and denominator of {"numerator": "<int>", "denominator": "<int>"}: texts, in lowest terms, denominator above 0 (2.11)."""
    if not isinstance(value, dict):
        refuse(f'{what} is {shown(value)}: expected {{"numerator": "<int>", "denominator": "<int>"}}')
    top, bottom = value.get("numerator"), value.get("denominator")
    if not (isinstance(top, str) and isinstance(bottom, str) and INTEGER.fullmatch(top) and INTEGER.fullmatch(bottom)):
        refuse(f"{what} has numerator {shown(top)} and denominator {shown(bottom)}: expected two integers as texts")
    n, d = int(top), int(bottom)
    if d <= 0 or math.gcd(n, d) != 1:
        refuse(f"{what} is {shown(n)}/{shown(d)}: expected lowest terms with a denominator above 0")
    return n, d


def fraction(value: object, what: str) -> Fraction:
    """`rational` as a Fraction."""
    return Fraction(*rational(value, what))


def arm_of(name: object, what: str) -> str:
    """Arm of a phase, role or checkpoint name (section 0)."""
    if not isinstance(name, str) or name not in ARMS:
        refuse(f"{what} is {shown(name)}: expected one of {', '.join(ARMS)}")
    return ARMS[name]


def folder_label(name: str) -> str:
    """A folder name as an identifier: other characters than letters, digits and _ . + ~ - / become percent signs and hex digits."""
    return quote(name, safe="/+", errors="surrogateescape")


def run_folder(folder: Path) -> str:
    """Path of a folder below the last ``runs`` above it, or its own name."""
    parts = folder.parts
    below = max((i for i, part in enumerate(parts) if part == "runs"), default=len(parts) - 2)
    return folder_label("/".join(parts[below + 1 :]) or folder.name)


def model_of(folder: Path, *candidates: object) -> str:
    """Model name: the first candidate that is one, else what the folders ``audit1-fixed-epsilon-`` and ``audit-stage2-`` say."""
    for candidate in candidates:
        if isinstance(candidate, str) and LABEL.fullmatch(candidate):
            return candidate
    for part in reversed(folder.parts):
        for prefix in ("audit1-fixed-epsilon-", "audit-stage2-"):
            name = part.removeprefix(prefix)
            if name not in (part, "", "score-cache"):
                return folder_label(name.removesuffix("-honest") if prefix == "audit-stage2-" else name)
    return refuse("the file names no model and lies below no folder that does: write model, or keep the folder's name")


def safe(record: Record) -> Record:
    """The record, whose strings are all labels. Raises Refused for one that is not, which might be a text."""
    for key, value in record.items():
        if isinstance(value, str):
            if not LABEL.fullmatch(value):
                refuse(f"{key} is {shown(value)}: expected a short identifier")
        elif isinstance(value, list):
            if any(isinstance(v, str) and not LABEL.fullmatch(v) for v in value):
                refuse(f"{key} holds a text that is no short identifier: expected identifiers")
        elif isinstance(value, dict) and any(not LABEL.fullmatch(k) for k in value):
            refuse(f"a key of {key} is no short identifier: rename it")
    return record


def taken(outcomes: Iterator[Record | Rejected]) -> Iterator[Record | Rejected]:
    """The outcomes, where a record with a string that is no label becomes a rejection."""
    for outcome in outcomes:
        if isinstance(outcome, Rejected):
            yield outcome
            continue
        try:
            yield safe(outcome)
        except Refused as error:
            yield Rejected(str(error))
