"""Files that a reader sees whole: the old one or the new one, never a part."""

from __future__ import annotations

import os
from pathlib import Path


def write_text(path: Path, text: str) -> Path:
    """Write a text as UTF-8 in one step: a reader sees the old file or the new one, never a part. Returns ``path``; raises OSError."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    return path
