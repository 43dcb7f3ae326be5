"""An invented study as flat message lists: what agents hold is drawn first and the texts are made from it, so the right ledger is known."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

AGENTS = ("Optimist", "Sceptic", "Field Expert")
#: Spellings of each name; the judge does not debate.
SPELLINGS = {
    "Optimist": ["Optimist", "optimist-agent", "Optimist Agent", "OPTIMIST"],
    "Sceptic": ["Sceptic", "sceptic_v2", "SCEPTIC", "Sceptic-Agent"],
    "Field Expert": ["Field Expert", "field-expert", "field_expert_v2", "FIELD EXPERT"],
    "Judge": ["Judge", "judge-agent", "Judge Agent", "JUDGE"],
}
ABSENT = "absent"
_SAID = ("The answer is ({}).", "I choose option ({}), by the dates.", "Answer: {}", "My answer is now ({}).", "I stay with ({}).")
_NOTHING = ("I leave it open.", "The question does not say enough for me.")
_FAILED = ({"error": "Error code: 429 - rate limit"}, {}, {"error": "Request timed out after 60.0 s"})


@dataclass
class Planted:
    """A debate: its key and, by round, the letter of each agent; None is a text without an answer, ABSENT no statement."""

    debate_id: str
    key: str
    rounds: list[list[str | None]]
    record: dict[str, Any] = field(default_factory=dict)

    def majority(self, number: int) -> str | None:
        """The most frequent letter of a round, the first of the alphabet where several lead."""
        votes = Counter(a for a in self.rounds[number] if a not in (None, ABSENT))
        return min(votes, key=lambda a: (-votes[a], a)) if votes else None

    def flips(self, number: int, against: int) -> int:
        """Agents with a letter in both rounds, and another one."""
        pairs = zip(self.rounds[number], self.rounds[against], strict=True)
        return sum(one != other for one, other in pairs if not {one, other} & {None, ABSENT})


def study(n: int, *, seed: int, n_rounds: int = 3, failures: float = 0.05, unread: float = 0.03) -> list[Planted]:
    """Debates of three agents with a judge between the rounds; the order of speaking differs from debate to debate."""
    drawn = random.Random(seed)
    found = []
    for number in range(n):
        key = drawn.choice("ABCD")
        held = [key if drawn.random() < 0.52 else drawn.choice("ABCD") for _ in AGENTS]
        order = drawn.sample(range(3), 3)
        planted = Planted(f"d{number}", key, [])
        messages: list[dict[str, Any]] = []
        for r in range(n_rounds):
            if r:
                messages.append(
                    _message(drawn, "Judge", drawn.choice(["Please answer again.", "Is it ({})?".format(drawn.choice("ABCD"))]), r - 1)
                )
                held = [drawn.choice(held) if drawn.random() < 0.4 else own for own in held]
            answers: list[str | None] = [None] * 3
            for i in order:
                chance = drawn.random()
                if chance < failures:
                    answers[i] = ABSENT
                    messages.append(_message(drawn, AGENTS[i], "", r) | _FAILED[drawn.randrange(3)])
                elif chance < failures + unread:
                    messages.append(_message(drawn, AGENTS[i], drawn.choice(_NOTHING), r))
                else:
                    answers[i] = held[i]
                    messages.append(_message(drawn, AGENTS[i], drawn.choice(_SAID).format(held[i]), r))
            planted.rounds.append(answers)
        question = f"Which part of house {number} was built last?\nA) the door\nB) the roof\nC) the stove\nD) the step"
        planted.record = {"id": planted.debate_id, "question": question, "answer": key, "messages": messages}
        found.append(planted)
    # A debate in which nobody answered first is no debate.
    return [p for p in found if set(p.rounds[0]) != {ABSENT}]


def _message(drawn: random.Random, who: str, text: str, number: int) -> dict[str, Any]:
    return {"name": drawn.choice(SPELLINGS[who]), "content": text, "round": number}


def without_rounds(record: dict[str, Any]) -> dict[str, Any]:
    """The same debate from a log that states no rounds."""
    return record | {"messages": [{k: v for k, v in m.items() if k != "round"} for m in record["messages"]]}
