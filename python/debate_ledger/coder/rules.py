"""The rules of the answer coder: its version, the kinds of answers, and the profiles, which Python and SQL read alike.

What a rule and a profile are is in ``patterns``, the profiles are in ``robust`` and ``published``.
"""

from __future__ import annotations

from debate_ledger.coder.patterns import LETTERS
from debate_ledger.coder.published import FINAL_TAG_ONLY, LAST_BRACKETED, PUBLISHED, PUBLISHED_STRICT
from debate_ledger.coder.robust import ROBUST

#: Goes up with every change that can change an answer; stored beside what was coded.
CODER_VERSION = "1.2.0"
#: What kind of answer is sought.
KINDS = ("choice", "label", "yes_no", "number")

#: Labels of a question that tells none, by kind. A label may be any letter, or a number of up to two digits.
DEFAULT_OPTIONS = {
    "choice": LETTERS,
    "label": (*map(chr, range(65, 91)), *map(str, range(100))),
}

#: Name of a profile → its rules. The published ones know choices only.
PROFILES = {
    "robust": ROBUST,
    "published": PUBLISHED,
    "published_strict": PUBLISHED_STRICT,
    "final_tag_only": FINAL_TAG_ONLY,
    "last_bracketed": LAST_BRACKETED,
}
