"""Texts for the answer coder, drawn with a seed: what models write, and what sets engines apart (borders of words, blanks, cases)."""

import random
from collections.abc import Iterator

HEADS = (
    """
The answer is|the answer is:|Final Answer:|FINAL ANSWER :|final answer|**Final Answer:**|Answer:|answer -|The correct option is|
I choose|I would select option|
Therefore, option|so option|Thus, the answer is|My vote is|\\boxed{|$\\boxed{\\text{|<answer>|#### |Agent 1 says that the answer is|
Agent 2: 4 - the answer is|Option|Choice|
I believe|but now|I first said|The answer is not|The best defence is|not|the answer is either|Both|## Answer\n|it is because|
The answer is a|the conclusion is|f|P|Agent 2's answer is|I agree with Agent 1's answer of|According to Agent 3, it is|
I refuse to choose|I would not go with|Agents 1 and 2 chose|They say that it is|Agent 3:|It's|That leaves|, leaning|but|Is it|
While some agents chose|Since all agents answered|Based on what the others said, the answer is|Let's consider each option:\n|either|
Question:|Can it fly,|Question 2:|Q:|####|\\boxed{A} or \\boxed{|Therefore, the answer cannot be determined.|
The answer: it depends|. Hence it is false.|
""".replace("|\n", "|")
    .strip()
    .split("|")
)
OPENERS = ["", " ", " (", " **(", " **", " [", "\n", "\n\n(", " \\(", " `", ' "', " \u201c", "\uff08", "\u00a0", "\t", "\u200b", "\r\n"]
CLOSERS = [
    "",
    ".",
    ")",
    ").",
    ")**",
    "**",
    "]",
    "}",
    "}}$",
    "\n",
    ", since",
    " because",
    "'s",
    "-cell",
    "++",
    " is correct.",
    " is the best answer.",
    " is incorrect.",
    ", is wrong.",
    " and B.",
    " or (C).",
    ", (C) and (D)",
    "\u2014it fits",
    "\u0308",
    "\u00e9",
    "\uff09",
    "\u3002",
    "</answer>",
    ") Paris",
    ". Paris",
    ": x",
    "/C.",
    "\u7684",
    "\U0001f600",
]
LABELS = [
    *"ABCDEFGHIJKLXabcdefgij1234",
    "10",
    "\uff21",
    "\uff22",
    "\u24b8",
    "\U0001d403",
    "\u0130",
    "\u0131",
    "\u212a",
    "\u00c9",
    "N/A",
    "Yes",
    "no",
    "TRUE",
    "false",
    "a function",
]
FILLERS = (
    """
A good point was made.|I agree with the others.|As a doctor, I cannot say.|Option (B) is incorrect because of its size.|
(A) red (B) green (C) blue (D) pink|
A) red\nB) green\nC) blue\nD) pink|A. one\nB. two|(A), (B), (C) or (D)|Vitamin C and hepatitis A are known.|None of the above.|
Wait, let me think again.|
The value of f(A) is P(B) + 3.|Scores: [[5, 3, 4]]|\u00dcber \u201cden\u201d Flu\u00df \u2013 na\u00efve caf\u00e9|
\u7b54\u6848\u662fB\u3002|\U0001f600\U0001f44d\U0001f3fd|x\u0301A\u0301 B\u0308 C|\u05d0B \u0627C|
1,234.50 and 3/4|Final an\u017fwer: C|F\u0130nal answer: D|choo\u017fe B|pic\u212a A|\x1f\x0b\x0c|B_C A1 D|\u00aaA \u00b2B \u2160C|
I think. I am. I|Agent 1: 4 - it chose B, but says (C)|yes and no|The statement is true.|
but I say|while my answer is|Because of this.|Explanation: (A) fails|it's A's turn|B|**C**|(D)|d|e.|\u0085A\u2028B\u2029C
""".replace("|\n", "|")
    .strip("\n")
    .split("|")
)


def texts(n: int, seed: int) -> Iterator[str]:
    """``n`` texts, most of them of one to eight pieces; some are a pile of single characters."""
    draw = random.Random(seed)
    characters = "ABCDIabci ()[]*.:,'\"\n\r\t\\{}$-_/14"
    characters += "\u00a0\u00e9\u0308\u2014\u2019\uff22\u4e2d\U0001f600\U0001d401\u0131\u200b\u1ebf\u0663\u2083\u3007"
    for _ in range(n):
        if draw.random() < 0.1:
            yield "".join(draw.choices(characters, k=draw.randint(0, 25)))
            continue
        pieces = []
        for _ in range(draw.randint(1, 8)):
            if draw.random() < 0.5:
                pieces.append(draw.choice(FILLERS))
            else:
                pieces.append(draw.choice(HEADS) + draw.choice(OPENERS) + draw.choice(LABELS) + draw.choice(CLOSERS))
        yield draw.choice([" ", " ", "\n", "\n\n", "\r\n", ""]).join(pieces)
