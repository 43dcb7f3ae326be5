"""Short ways to write debate lines in the tests."""

import json
from collections.abc import Sequence
from typing import Any

Panel = Sequence[str | None]


def states(answers: Panel | dict[str, str | None]) -> list[dict[str, Any]]:
    """Agents of one round: a list names them 1, 2, …; a dict gives their ids."""
    named = answers if isinstance(answers, dict) else {str(i + 1): a for i, a in enumerate(answers)}
    return [{"agent_id": i, "answer": a, "reasoning": None} for i, a in named.items()]


def per_agent(question: str, gold: str | None, panels: Sequence[Panel | dict[str, str | None]], **extra: Any) -> dict[str, Any]:
    """A line of dialect B; ``panels`` begins with the initial answers."""
    return {
        "question_id": question,
        "correct_label": gold,
        "model_name": "m",
        "initial_states": states(panels[0]),
        "round_traces": [states(p) for p in panels[1:]],
        **extra,
    }


def summary(question: str, gold: str | None, panels: Sequence[Panel], **extra: Any) -> dict[str, Any]:
    """A line of dialect A without stored majorities."""
    return {
        "question_id": question,
        "correct_label": gold,
        "model": "m",
        "initial_answers": list(panels[0]),
        "initial_majority": "",
        "round_traces": [{"round": r, "answers": list(p)} for r, p in enumerate(panels) if r],
        **extra,
    }


def line(record: object) -> bytes:
    return json.dumps(record).encode() + b"\n"
