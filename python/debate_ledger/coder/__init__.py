"""Answer coder: reads the answer that a text states, by rules that are data and that Python and SQL share.

``code_answer`` decides one text in Python; ``coder.sql`` holds the same rules as DuckDB macros and as an Arrow function. The rules, in
their order, are in ``coder.rules`` and are told in ``docs/coder.md``.
"""

from debate_ledger.coder.engine import Coded, bare_number, code_answer
from debate_ledger.coder.rules import CODER_VERSION, KINDS, PROFILES

__all__ = ["CODER_VERSION", "KINDS", "PROFILES", "Coded", "bare_number", "code_answer"]
