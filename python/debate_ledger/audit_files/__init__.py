"""The authors' own ER-Audit files as lines of JSON records: identifiers, numbers, counts and hashes, never a text (`er_audit_formats`).

`audit_kind` tells by content (and name) whether a file is one of them, `audit_records` gives its records one by one. `withheld_kind` and
`withheld_records` do the same for the JSONL files whose rows hold prompts and transcripts: the rows are read, their texts are not kept.
What cannot be taken is a row with ``line`` None and a reason that names the key, what was expected, and the mend.
"""

from debate_ledger.audit_files.kinds import AUDIT_SUFFIXES, audit_kind, audit_records
from debate_ledger.audit_files.withheld import withheld_kind, withheld_records

__all__ = ["AUDIT_SUFFIXES", "audit_kind", "audit_records", "withheld_kind", "withheld_records"]
