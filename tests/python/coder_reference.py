"""The published parser once more, from ``ledger_formats`` 2.1 and with Python's ``re`` alone: what the coder is held against."""

import re

IGNORE = re.IGNORECASE
FAMILIES = (
    r"answer\s+is\s*:?\s*([A-J])\b",
    r"(?:choose|select|pick)\s+(?:option\s+)?([A-J])\b",
    r"answer\s*:\s*([A-J])\b",
)
TAG = r"final\s+answer\s*:\s*([A-J])\b"


def _first(pattern: str, text: str, labels: str) -> str | None:
    match = re.search(pattern, text, IGNORE)
    return match[1].upper() if match and match[1].upper() in labels else None


def _last_tag(text: str) -> str | None:
    tags = [tag.upper() for tag in re.findall(TAG, text, IGNORE)]
    return next((tag for tag in reversed(tags) if tag in "ABCDEFGHIJ"), None)


def published(text: str, labels: str) -> str | None:
    text = text.strip()
    for pattern in (TAG, *FAMILIES):
        if found := _first(pattern, text, labels):
            return found
    for line in map(str.strip, reversed(text.split("\n"))):
        match = re.fullmatch(r"[(*]*([A-J])[).*]*", line)
        label = line if len(line) == 1 else match[1] if match else ""
        if label and label in labels:
            return label
    return next((letter for letter in reversed(re.findall(r"\b([A-J])\b", text)) if letter in labels), None)


def _loose(line: str) -> str | None:
    match = re.fullmatch(r"(?:[(*][(*\s]*)?([A-J])[).*\s]*", line)
    return match[1] if match else None


def published_strict(text: str, labels: str) -> str | None:
    text = text.strip()
    if found := _last_tag(text):
        return found
    for pattern in FAMILIES:
        if found := _first(pattern, text, "ABCDEFGHIJ"):
            return found
    return next((found for line in reversed(text.split("\n")) if (found := _loose(line.strip()))), None)


def final_tag_only(text: str, labels: str) -> str | None:
    lines = [line for line in text.split("\n") if line.strip()]
    return _last_tag(text) or (_loose(lines[-1].strip()) if lines else None)


def last_bracketed(text: str, labels: str) -> str | None:
    for pattern in (r"\(([A-Za-z])\)", r"([A-Za-z])\)"):
        letters = [letter.upper() for letter in re.findall(pattern, text) if letter.upper() in labels]
        if letters:
            return letters[-1]
    return None


REFERENCES = {parser.__name__: parser for parser in (published, published_strict, final_tag_only, last_bracketed)}
