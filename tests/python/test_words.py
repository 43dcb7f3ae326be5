"""Labels of words and formulas that a text states, and texts that state none: sentences, several, others' answers, refusals."""

import pytest

from debate_ledger.importers.words import short_label

#: (text, label)
READ = [
    ("I weighed the others.\nAnswer: bee", "bee"),
    ("Answer: bee", "bee"),
    ("bee", "bee"),
    ("Bee.", "bee"),
    ("**Bee**", "bee"),
    ("The answer is bee.", "bee"),
    ("So the answer is the red one, since it is warm.", "the red one"),
    ("Answer: bee\n\nI hope this helps!", "bee"),
    ("**Answer:** bee\n\nConfidence: 90%", "bee"),
    ("## Answer\n\nbee\n\nIt flies.", "bee"),
    ("Agent 2's answer is wasp. Answer: bee", "bee"),
    ("Answer: bee\nAgent 2's answer: wasp", "bee"),
    ("Agent 2: wasp\nAgent 1: fly\nAnswer: bee", "bee"),
    ("Based on the solutions provided by the other agents, the final answer is \\boxed{bee}.", "bee"),
    ("Using the answers of the other agents, the answer is bee.", "bee"),
    ("Although agent 2 says wasp, the answer is bee.", "bee"),
    ("<think>Answer: wasp</think>\nAnswer: bee", "bee"),
    ("Answer: bee\n\nQuestion: which is a fish?\nAnswer: carp", "bee"),
    ("Question: which one flies?\nAnswer: bee", "bee"),
    ("Previous answer: wasp\nAnswer: bee", "bee"),
    ("Answer: bee\nPrevious answer: wasp", "bee"),
    ("$\\boxed{\\frac{1}{2}x}$", "\\frac{1}{2}x"),
    ("\\boxed{x^2+1}", "x^2+1"),
    ("The answer is $x^2 + 1$.", "x^2 + 1"),
    ("\\boxed{\\text{bee}}", "bee"),
    ("\\boxed{wasp} or \\boxed{bee}", "bee"),
    ("<answer>bee</answer>", "bee"),
    ("Answer: St. Louis", "st. louis"),
    ("Answer: New York City. It is large.", "new york city"),
    ("Answer: Will Smith", "will smith"),
    ("The answer is **the bee**, not the wasp.", "the bee"),
    ("my friend", "my friend"),
    ('Answer: "bee"', "bee"),
    ("Final answer: Neutral", "neutral"),
    ("Answer: not enough info", "not enough info"),
    ("Answer: Unknown", "unknown"),
    ("The correct answer is: bee", "bee"),
    ("Therefore, the best answer is bee", "bee"),
    ("answer = bee", "bee"),
    ("The answer remains bee.", "bee"),
    ("Answer: El Niño", "el niño"),
    ("Answer:\nbee", "bee"),
    ("Answer: bee (Apis mellifera)", "bee (apis mellifera)"),
    ("Blue.", "blue"),
    ("Answer: bee!", "bee"),
    ("The final answer is \\(x = 5\\).", "x = 5"),
    ("Answer: 1912", "1912"),
]

NOT_READ = [
    "Answer: I think it is the bee.",
    "I think it is the bee.",
    "The bee is right",
    "It is hard\nto say",
    "Agent 2 says the answer is wasp.",
    "According to agent 2, the answer is wasp.",
    "Answer: it depends",
    "The answer cannot be determined.",
    "Answer: cannot be determined",
    "Answer: bee. No, the answer cannot be determined.",
    "Answer: bee or wasp",
    "Answer: either bee or wasp",
    "The answer is not bee.",
    "Is the answer bee?",
    "Answer: bee?",
    "The answer is clear from the text.",
    "The answer is in the text: bee",
    "I change my answer to bee.",
    "The bee flies quickly over green fields.",
    "To answer: we first look at bees.",
]


@pytest.mark.parametrize(("text", "label"), READ)
def test_a_label_that_a_text_states(text: str, label: str) -> None:
    assert short_label(text)[0] == label


@pytest.mark.parametrize("text", NOT_READ)
def test_a_sentence_is_never_a_label(text: str) -> None:
    assert short_label(text) == (None, None)


def test_the_rule_says_where_a_label_stood() -> None:
    rules = [short_label(text)[1] for text in ("\\boxed{bee}", "Answer: bee", "bee")]
    assert rules == ["boxed", "stated", "whole_text"]


@pytest.mark.parametrize(
    "part", ["answer: ", "the answer is bee or ", "\\boxed{bee} or ", "<answer>bee", "agent 1 says ", "bee, ", "answer is not ", "{"]
)
def test_a_text_that_repeats_a_phrase_comes_to_an_end(part: str) -> None:
    text = part * (20_000 // len(part))
    assert short_label(text) == short_label(text + "\n")
