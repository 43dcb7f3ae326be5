"""Mappings proposed from the first rows of a table: columns by the likeliest of their names, to be looked at and saved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from debate_ledger.importers.message_paths import quoted

_QUESTION = ("question_id", "qid", "item_id", "item", "item_index", "sample_id", "sample", "question", "problem", "doc_id", "prompt", "id")
_GOLD = ("gold", "gold_answer", "correct_label", "correct_answer", "ground_truth", "key", "target", "correct")
_TEXT = ("text", "response", "reply", "content", "output", "completion", "message")
_ANSWER = ("vote", "prediction", "predicted", "pred", "choice", "answer_label", "answer", "label")
_LISTS = ("response_list", "responses", "replies", "outputs", "completions", "answers", "votes")
#: The names of a column by its role, the likeliest first.
_OTHERS: dict[str, tuple[str, ...]] = {
    "debate": ("debate_id", "debate", "run_id", "run", "conversation_id", "trial"),
    "round": ("round", "round_num", "round_number", "round_id", "turn", "step"),
    "agent": ("agent", "agent_id", "agent_name", "bot", "speaker", "name", "annotator", "model", "model_name"),
    "model": ("model", "model_name"),
    "benchmark": ("benchmark", "dataset"),
}
#: The same for probes, as patterns for whole names.
_SAID = "(?:answer|response|reply|label|vote|choice)"
_PROBES: dict[str, str] = {
    "before": rf"(?:initial|first|original|pre|prior|before)_?{_SAID}?|{_SAID}_(?:before|without|initial|original)\w*",
    "after": rf"(?:post|second|final|revised|after|probe|new)_?(?:probe_?)?{_SAID}|{_SAID}_(?:after|with|revised|final)\w*",
    "condition": r"condition|metric|phase|setting",
    "strength": r"strength|push|pressure|intensity",
    "social": r"(?:is_)?social|by_peers|consensus",
    "claim": r"claim|suggested|argued_for|user_answer",
    "revised": r"revised|changed|flipped",
    "agent": r"agent|agent_id|agent_name|bot",
    "model": r"model|model_name",
}
#: A reply to a prompt that says under which condition it was asked is a probe too.
_STANCES = ("variant", "stance", "user_stance", "condition", "phase")
#: An answer of more words is a text.
MAX_WORDS = 3


def table_mapping(rows: Sequence[Any]) -> str | None:
    """A mapping of the format table; None where no column names an agent and its answer, or holds the answers of a panel as a list."""
    columns = _columns(rows)
    question, gold, text = (_first(names, columns) for names in (_QUESTION, _GOLD, _TEXT))
    if question is None:
        return None
    listed = next((c for c in _LISTS if c in columns and all(isinstance(row.get(c), list) for row in rows)), None)
    if listed:
        gold = gold or _first(("answer", "label"), columns)
        said = [text for row in rows for text in row[listed]]
        return _written({"question": question, _said_as(said, "answer", "text"): listed, "gold": gold}, rows)
    if gold is None and text is not None and "answer" in columns:
        # What was said stands elsewhere.
        gold = "answer"
    answer = _first(_ANSWER, [c for c in columns if c not in (question, gold)])
    roles: dict[str, str | None] = {"question": question, "gold": gold, "answer": answer} | ({} if answer else {"text": text})
    for role, names in _OTHERS.items():
        roles[role] = _first(names, [c for c in columns if c not in roles.values()])
    if roles["agent"] is None or (answer or text) is None:
        return None
    return _written(roles, rows)


def probe_mapping(rows: Sequence[Any]) -> str | None:
    """A mapping of the format probes; None where no column holds an answer after the probe beside what tells a probe."""
    columns = _columns(rows)
    question = _first(_QUESTION, columns)
    if question is None or (_first(_OTHERS["round"], columns) and "strength" not in columns):
        return None
    roles: dict[str, str | None] = {"question": question}
    for role, pattern in _PROBES.items():
        roles[role] = next((c for c in columns if c not in roles.values() and re.fullmatch(pattern, c)), None)
    if roles["after"] is None and "prompt" in columns and _first(_STANCES, columns):
        roles["after"] = "reply" if "reply" in columns else None
    if roles["after"] is None or not (roles["before"] or _first(_STANCES, columns)):
        return None
    roles["gold"] = _first(_GOLD, [c for c in columns if c not in roles.values()])
    for role in ("before", "after"):
        column = roles.pop(role)
        if column is not None:
            roles[_said_as([row.get(column) for row in rows], role, f"{role}_text")] = column
    return _written(roles, rows)


def _columns(rows: Sequence[Any]) -> list[str]:
    """Columns of rows that are objects; none where one is not."""
    return list(dict.fromkeys(c for row in rows for c in row)) if rows and all(isinstance(row, dict) for row in rows) else []


def _first(names: Sequence[str], columns: Sequence[str]) -> str | None:
    return next((name for name in names if name in columns), None)


def _said_as(values: Sequence[Any], label: str, text: str) -> str:
    """The role of a column of what was said: a label, or a text where one of them has more words than a label."""
    return text if any(isinstance(v, str) and len(v.split()) > MAX_WORDS for v in values) else label


def _written(roles: dict[str, str | None], rows: Sequence[Any]) -> str:
    lines = ["columns:", *(f"  {role}: {quoted(column)}" for role, column in roles.items() if column)]
    asked = [row.get(roles["question"]) for row in rows]
    if _said_as(asked, "", "text"):
        lines.append("question_is_text: true")
    return "\n".join(lines) + "\n"
