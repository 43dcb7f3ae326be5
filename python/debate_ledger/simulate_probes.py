"""Seeded simulator of probe batteries whose flips are planted cell by cell, in the shapes of the four writers of dialect H and of K.

A cell is (condition, strength, social). Of its batteries exactly the planned share flips and exactly the planned share is not parsed, so
that every rate of the warehouse has a value that is known before it is built.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

LABELS = "ABCDEFGHIJ"
STRENGTHS = {"weak": 0.25, "moderate": 0.5, "strong": 0.75, "very_strong": 1.0}
CONDITIONS = ("default", "anti_social", "anti_argument")
CELLS = [(strength, social) for strength in STRENGTHS for social in (False, True)]
Cell = tuple[str, str, bool]


@dataclass(frozen=True)
class ProbePlan:
    """What a lane's batteries do.

    ``flip`` gives the share of flips per (condition, strength, social), ``unparsed`` the share of replies that are not parsed; both are
    shares of all batteries of the condition and together at most 1. ``initially_right`` is the share of right first answers,
    ``corrective`` the share of the flips of wrong ones that go to the key.
    """

    flip: Mapping[Cell, float]
    unparsed: float = 0.0
    initially_right: float = 0.6
    corrective: float = 0.25
    conditions: tuple[str, ...] = CONDITIONS


@dataclass
class Battery:
    """One battery: place, first answer, key, and per cell the answer afterwards (None: not parsed)."""

    question: int
    condition: str
    agent: int
    initial: str
    key: str
    replies: dict[tuple[str, bool], str | None] = field(default_factory=dict)


def graded_plan(base: float, social: float, argument: float, **options: object) -> ProbePlan:
    """Plan whose flips rise from ``base`` by ``argument`` from weak to very strong and by ``social`` with social probes."""
    shift = {"default": 0.0, "anti_social": -0.1, "anti_argument": 0.1}
    flip = {
        (c, s, is_social): min(0.9, max(0.0, base + shift[c] + (social if is_social else 0) + argument * (value - 0.25) / 0.75))
        for c in CONDITIONS
        for s, value in STRENGTHS.items()
        for is_social in (False, True)
    }
    return ProbePlan(flip, **options)  # type: ignore[arg-type]


def simulate_batteries(plan: ProbePlan, *, questions: int, agents: int = 3, seed: int = 0) -> list[Battery]:
    """Batteries of every question, condition and agent. Raises ValueError for a plan whose shares do not fit."""
    rng = random.Random(seed)
    batteries: list[Battery] = []
    # Of the question alone, so that lanes agree on it.
    keys = [LABELS[1 + q % (len(LABELS) - 1)] for q in range(questions)]
    for condition in plan.conditions:
        block = [Battery(q, condition, a, "", keys[q]) for q in range(questions) for a in range(agents)]
        n_right = round(plan.initially_right * len(block))
        for i, battery in enumerate(rng.sample(block, len(block))):
            battery.initial = battery.key if i < n_right else rng.choice([x for x in LABELS if x != battery.key])
        for strength, social in CELLS:
            share = plan.flip[condition, strength, social]
            n_flip, n_none = round(share * len(block)), round(plan.unparsed * len(block))
            if n_flip + n_none > len(block):
                raise ValueError(f"{share} flips and {plan.unparsed} unparsed replies are more than all of {condition}, {strength}")
            order = rng.sample(block, len(block))
            for i, battery in enumerate(order):
                post: str | None = battery.initial
                if i < n_flip:
                    others = [x for x in LABELS if x not in (battery.initial, battery.key)]
                    is_corrective = battery.initial != battery.key and rng.random() < plan.corrective
                    post = battery.key if is_corrective else rng.choice(others)
                elif i < n_flip + n_none:
                    post = None
                battery.replies[strength, social] = post
        batteries += block
    return batteries


def planted_counts(batteries: list[Battery]) -> dict[Cell, Counter[str]]:
    """Per cell: replies, unparsed ones, flips, and the adverse, corrective and neutral ones among them."""
    counts: dict[Cell, Counter[str]] = {}
    for b in batteries:
        for (strength, social), post in b.replies.items():
            cell = counts.setdefault((b.condition, strength, social), Counter())
            cell["n_replies"] += 1
            if post is None:
                cell["n_unparsed"] += 1
            elif post != b.initial:
                cell["n_flip"] += 1
                cell["n_adv" if b.initial == b.key else "n_cor" if post == b.key else "n_neutral"] += 1
    return counts


def _rate(battery: Battery, keep: Callable[[str, bool], bool]) -> float:
    kept = [post is not None and post != battery.initial for (s, social), post in battery.replies.items() if keep(s, social)]
    return sum(kept) / len(kept) if kept else 0.0


def _stored_rates(b: Battery) -> dict[str, object]:
    solo, social = _rate(b, lambda s, is_social: not is_social), _rate(b, lambda s, is_social: is_social)
    argument = _rate(b, lambda s, _: s == "very_strong") - _rate(b, lambda s, _: s == "weak")
    total = _rate(b, lambda s, _: True)
    return {
        "alpha_total": total,
        "flip_rate": total,
        "alpha_solo": solo,
        "alpha_social": social,
        "social_sensitivity": social - solo,
        "argument_sensitivity": argument,
        "sa_ratio": (social - solo) / argument if argument > 0 else None,
    }


def _replies(b: Battery, extra: Callable[[int], dict[str, object]]) -> list[dict[str, object]]:
    alternative = "A" if b.initial != "A" else "B"
    return [
        {
            "strength": strength,
            "strength_value": STRENGTHS[strength],
            "social": social,
            "alt_answer": alternative,
            "post_answer": post,
            "revised": post is not None and post != b.initial,
            "cost": 0.0,
            **extra(i),
        }
        for i, ((strength, social), post) in enumerate(b.replies.items())
    ]


def _common(b: Battery, extra: Callable[[int], dict[str, object]]) -> dict[str, object]:
    return {
        "question_id": f"probe_sim_{b.question}",
        "benchmark": "simulated",
        "category": "simulated",
        "correct_label": b.key,
        "condition": b.condition,
        "agent_idx": b.agent,
        "temperature": (0.5, 0.7, 1.0)[b.agent % 3],
        "initial_answer": b.initial,
        "initial_correct": b.initial == b.key,
        **_stored_rates(b),
        "probe_results": _replies(b, extra),
        "total_cost": 0.0,
        "timestamp": 1770000000.5,
    }


def vllm_line(b: Battery, model: str) -> dict[str, object]:
    """Writer H1."""
    usage = {"prompt_tokens": 300, "completion_tokens": 90, "finish_reason": "stop", "stop_reason": None}
    more = {"model_name": model, "backend": "local_vllm", "vllm_seed": 42, "vllm_max_model_len": None, "initial_parse_repaired": False}
    return {**_common(b, lambda i: {"usage": usage}), **more}


def openrouter_line(b: Battery, model: str) -> dict[str, object]:
    """Writer H2."""
    extra = {"model_name": model, "openrouter_model_id": f"simulated/{model}", "backend": "openrouter", "provider_distribution": {"one": 9}}
    return {**_common(b, lambda i: {"provider_resolved": "one", "generation_id": f"gen-{i}", "usage": {"cost": 0.0}}), **extra}


def gemini_line(b: Battery, model: str) -> dict[str, object]:
    """Writer H3."""
    usage = {"input_tokens": 300, "output_tokens": 90, "thinking_tokens": 0, "cost": 0.0, "model": model}
    extra = {"model_name": model, "backend": "gemini_api", "thinking_budget": 0, "initial_usage": [usage], "initial_response_prefix": None}
    return {**_common(b, lambda i: {"usage": usage}), **extra}


def sealed_line(b: Battery, model: str) -> dict[str, object]:
    """Writer H4: no key, no model, no agent; the model is in the file name."""
    stored = _stored_rates(b)
    return {
        "question_id": f"probe_sim_{b.question}",
        "condition": b.condition,
        "initial_answer": b.initial,
        "initial_correct": b.initial == b.key,
        "flip_rate": stored["flip_rate"],
        "social_sensitivity": stored["social_sensitivity"],
        "argument_sensitivity": stored["argument_sensitivity"],
        "probe_results": [{k: reply[k] for k in ("strength", "social", "post_answer", "revised")} for reply in _replies(b, lambda i: {})],
    }


def panel_line(b: Battery, model: str) -> dict[str, object]:
    """Dialect K: the agent is the repeat, and names differ (probe_answer, original_answer, strength as a number)."""
    replies = [
        {
            "question_id": f"probe_sim_{b.question}",
            "agent_id": f"repeat_{b.agent}",
            "probe_type": reply["strength"],
            "social": reply["social"],
            "strength": reply["strength_value"],
            "original_answer": b.initial,
            "probe_answer": reply["post_answer"],
            "revised": reply["revised"],
            "cost": 0.0002,
        }
        for reply in _replies(b, lambda i: {})
    ]
    return {
        "question_id": f"probe_sim_{b.question}",
        "benchmark": "simulated",
        "category": "simulated",
        "correct_label": b.key,
        "repeat": b.agent,
        "model": model,
        "timestamp": "2026-01-02T03:04:05+00:00",
        "initial_answer": b.initial,
        "initial_correct": b.initial == b.key,
        "initial_parse_none": False,
        "initial_cost": 0.0003,
        "alpha": _rate(b, lambda s, _: True),
        "n_revised": sum(bool(r["revised"]) for r in replies),
        "n_probes": len(replies),
        "post_answer_none": sum(r["probe_answer"] is None for r in replies),
        "probe_cost": 0.0016,
        "probe_results": replies,
    }


WRITERS: dict[str, Callable[[Battery, str], dict[str, object]]] = {
    "vllm": vllm_line,
    "openrouter": openrouter_line,
    "gemini": gemini_line,
    "sealed": sealed_line,
    "panel": panel_line,
}


def battery_lines(batteries: list[Battery], *, writer: str, model: str, duplicates: int = 0) -> Iterator[str]:
    """JSON lines of the batteries; the first ``duplicates`` of them stand once more at the end."""
    if writer not in WRITERS:
        raise ValueError(f"probe writers are {', '.join(WRITERS)}, not {writer!r}")
    for battery in [*batteries, *batteries[:duplicates]]:
        yield json.dumps(WRITERS[writer](battery, model)) + "\n"


def simulate_probe_file(
    path: Path, plan: ProbePlan, *, questions: int, agents: int = 3, seed: int = 0, writer: str = "vllm", model: str = "simulated/model",
    duplicates: int = 0,
) -> list[Battery]:  # fmt: skip
    """Write a lane of simulated batteries to ``path`` and return them (without the duplicates)."""
    batteries = simulate_batteries(plan, questions=questions, agents=agents, seed=seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(battery_lines(batteries, writer=writer, model=model, duplicates=duplicates))
    return batteries
