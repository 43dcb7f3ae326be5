"""Number answers: hand-made cases, drawn numbers in many spellings and sentences, and one reader for keys, stored answers and texts."""

import csv
import time
from fractions import Fraction

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from test_short_answers import forms

from debate_ledger.coder import Coded, bare_number, code_answer
from debate_ledger.coder.engine import folded
from debate_ledger.importers import normalise_answer

#: (text, answer, unit, rule)
READ = [
    # Statements.
    ("#### 42", "42", None, "stated"),
    ("<think>The answer is 5. Or not.</think>\n\n6", "6", None, "last_number"),
    (r"<think>\boxed{5}</think> So \boxed{6}", "6", None, "stated"),
    ("#### 1,042\n", "1042", None, "stated"),
    ("The answer is 9.0.", "9", None, "stated"),
    ("The answer is 9", "9", None, "stated"),
    ("Total: 3 + 4 = 7. The answer is 1,234,500.", "1234500", None, "stated"),
    (r"\boxed{\frac{6}{8}}", "3/4", None, "stated"),
    (r"The answer is $\boxed{-0.50}$", "-0.5", None, "stated"),
    ("The answer is 3/4.", "3/4", None, "stated"),
    ("The answer is 8/4.", "2", None, "stated"),
    ("The answer is 50%.", "50", "%", "stated"),
    ("The answer is 5 km.", "5", "km", "stated"),
    ("Answer: $18", "18", "$", "stated"),
    ("Answer: 1.2e3", "1200", None, "stated"),
    ("Answer: 6.02 x 10^23", "602000000000000000000000", None, "stated"),
    ("Answer: -0", "0", None, "stated"),
    ("Answer: \u22125", "-5", None, "stated"),
    ("The answer is 4. Later I saw 5 birds.", "4", None, "stated"),
    ("The answer is 5 because it is.", "5", None, "stated"),
    ("The answer is 10^5.", "100000", None, "stated"),
    ("Answer: 10^{-2} m", "0.01", "m", "stated"),
    ("Answer: $-5$", "-5", None, "stated"),
    ("The answer is x = -7.", "-7", None, "stated"),
    ("Answer: 1e99", "1e99", None, "stated"),
    (r"\boxed{12\text{ km}}", "12", "km", "stated"),
    ("The answer is **$42.00**.", "42", "$", "stated"),
    ("The answer is **42**!", "42", None, "stated"),
    ("The answer is\n42. This is so.", "42", None, "stated"),
    ("<answer>42</answer>", "42", None, "stated"),
    ('{"answer": 42, "confidence": 90}', "42", None, "stated"),
    ("The total is 5.", "5", None, "stated"),
    ("My answer is (42).", "42", None, "stated"),
    (r"\boxed{\textbf{(B) } 30}", "30", None, "stated"),
    (r"\boxed{x=30}", "30", None, "stated"),
    (r"\boxed{5} km", "5", "km", "stated"),
    (r"\boxed{90^\circ}", "90", "°", "stated"),
    (r"\boxed{7^{\circ}\text{C}}", "7", "°", "stated"),
    (r"The answer is $\$12$.", "12", "$", "stated"),
    (r"\fbox{7}", "7", None, "stated"),
    (r"\boxed{30\,\text{cm}^2}", "30", "cm^2", "stated"),
    ("The answer is negative 5.", "-5", None, "stated"),
    ("The answer is minus 5.", "-5", None, "stated"),
    ("The answer is 5 m/s.", "5", "m/s", "stated"),
    ("The answer is 60 km/h.", "60", "km/h", "stated"),
    ("The answer is approximately 3.14", "3.14", None, "stated"),
    ("The answer is 5 - that is it.", "5", None, "stated"),
    ("The answer is 2½ hours.", "5/2", "hours", "stated"),
    ("The answer to question 5 is 7.", "7", None, "stated"),
    ("I change my answer to 42.", "42", None, "stated"),
    ("The answer is ** 0**.", "0", None, "stated"),
    ("So x ** 2 is it, and the answer is ** 7 **", "7", None, "stated"),
    ("\\boxed{9}\n\nConfidence in updated answer: 8", "9", None, "stated"),
    ("Final Answer: 12\n\nConfidence: 90%", "12", None, "stated"),
    # Thousands.
    ("1,000", "1000", None, "last_number"),
    (r"\boxed{1{,}000}", "1000", None, "stated"),
    (r"10,\!000", "10000", None, "last_number"),
    (r"The answer is 1\,000\,km", "1000", "km", "stated"),
    ("The answer is 10 000.", "10000", None, "stated"),
    ("The answer is 10\u202f000 dollars.", "10000", "dollars", "stated"),
    ("1.000", "1", None, "last_number"),
    ("12,34,567", "1234567", None, "last_number"),
    ("1_000", "1000", None, "last_number"),
    # Equations are worth their right side.
    ("5-3=2", "2", None, "last_number"),
    ("3 + 4 = 7", "7", None, "last_number"),
    ("10 - 3 = 7", "7", None, "last_number"),
    ("The answer is 2 × 3 = 6.", "6", None, "stated"),
    ("a = b = 5", "5", None, "last_number"),
    (r"A = \pi r^2 = 78.5", "78.5", None, "last_number"),
    (r"\sqrt{16} = 4", "4", None, "last_number"),
    ("gcd(12, 18) = 6", "6", None, "last_number"),
    ("So 3! = 6", "6", None, "last_number"),
    ("5 apples + 3 apples = 8 apples", "8", "apples", "last_number"),
    ("She sold 48/2 = <<48/2=24>>24 clips", "24", "clips", "last_number"),
    # What is denied, and what others say.
    ("It is 7 (not 8).", "7", None, "last_number"),
    ("The answer is 7, not 8.", "7", None, "stated"),
    (r"So \boxed{7} and not 8", "7", None, "stated"),
    ("I got 40. Then 42 is wrong.", "40", None, "last_number"),
    ("I got 42. Agent 2 got 41 instead.", "42", None, "last_number"),
    ("I got 42. Agent 2 got 41.5 instead.", "42", None, "last_number"),
    ("I got 42. Agent 2's answer is 41.", "42", None, "last_number"),
    ("I got 42. Agents 1 and 3 found 41.", "42", None, "last_number"),
    ("I got 42. According to agent 3, the answer is 41.", "42", None, "last_number"),
    ("I got 42. The answer of agent 3 is 41.", "42", None, "last_number"),
    ("I got 42. I don't think the answer is 5.", "42", None, "last_number"),
    ("I got 42. Agent A got 41 instead.", "42", None, "last_number"),
    ("I got 42. Agent 1's was 41.", "42", None, "last_number"),
    ("Tom has 20. Their total is 42.", "42", None, "stated"),
    ("## Answer\n\n42\n\nThere are 3 ways.", "42", None, "stated"),
    ("42\nAgent 1: 4 - 41", "42", None, "last_number"),
    ("Agent 1 says 41, but the answer is 42.", "42", None, "stated"),
    ("Agents 1 and 2 got 41, and I got 42.", "42", None, "last_number"),
    ("I agree with Agent 2's answer of 42.", "42", None, "last_number"),
    # A phrase or a subordinate clause about others leaves the main clause to the author.
    (r"Based on the solutions provided by the other agents, the final answer is \boxed{17}.", "17", None, "stated"),
    ("Agreeing with the solutions of the other agents, the answer is 17.", "17", None, "stated"),
    ("Using the solutions provided by the other agents, the final answer is 17.", "17", None, "stated"),
    ("Taking into account the solutions of the other agents, my updated answer is 17.", "17", None, "stated"),
    ("Using the other agents' answers of 5, 6, and 7, the answer is 17.", "17", None, "stated"),
    ("While some agents got 20, the answer is 17.", "17", None, "stated"),
    ("Although agent 2 says 20, it is 17.", "17", None, "last_number"),
    ("Since all agents answered 17, the answer is 17.", "17", None, "stated"),
    ("Since agent 1 got 41 and agent 2 got 40, the answer is 17.", "17", None, "stated"),
    ("The final answer, based on the opinions of other agents, is 17. It follows from 9 + 3 = 12.", "17", None, "stated"),
    ("I agree with the other agents' answer of 17.", "17", None, "last_number"),
    ("Agent 2's answer of 17 is correct.", "17", None, "last_number"),
    (r"Agent 1 forgot two of them, so there are \boxed{17}.", "17", None, "stated"),
    (r"Agent 1 got 15 by a slip, and there are \boxed{17} of them.", "17", None, "stated"),
    ("I got 42.\nAgent 1: The answer is 41.\nAgent 2: 40 of them", "42", None, "last_number"),
    # A box is its author's statement, whatever stands around it.
    (r"He needs \boxed{5} quarters.", "5", None, "stated"),
    (r"She has \boxed{6} T-shirts.", "6", "T-shirts", "stated"),
    (r"He buys \boxed{5} 8 dollar kites.", "5", None, "stated"),
    (r"It is 0.5 or \boxed{1/2}.", "1/2", None, "stated"),
    (r"\boxed{8 packs of gum}", "8", "packs", "stated"),
    (r"\boxed{68 years old}", "68", "years", "stated"),
    (r"\boxed{5 diapers per day}", "5", "diapers", "stated"),
    (r"So \boxed5", "5", None, "stated"),
    (r"So \boxed 1,250.", "1250", None, "stated"),
    (r"\boxed{3}\boxed{3}", "3", None, "stated"),
    (r"This gives a sum of \boxed{18}.", "18", None, "stated"),
    (r"Dividing 28 by 2 results in \boxed{14}", "14", None, "stated"),
    (r"There are \boxed{280}. Each of 8 sacks holds 35.", "280", None, "stated"),
    (r"There are \boxed{280}. To check: 280 / 8 equals 35.", "280", None, "stated"),
    (r"At first \boxed{3}. That is wrong: \boxed{4}", "4", None, "stated"),
    (r"\boxed{5} in the form \boxed{answer}", "5", None, "stated"),
    (r"I first thought \boxed{4}, but it is \boxed{3}.", "3", None, "stated"),
    (r"\boxed{3} (not \boxed{4})", "3", None, "stated"),
    (r"\boxed{4} is wrong. \boxed{3}", "3", None, "stated"),
    (r"\boxed{5 (five)}", "5", None, "stated"),
    (r"There are \boxed{3} red and \boxed{4} blue ones, \boxed{7} in total.", "7", None, "stated"),
    # Where a text states none, its last number may be one in passing.
    ("The total is 15 dollars. So he has 20 - 15 = 5 dollars left.", "5", "dollars", "last_number"),
    ("3 times 4 equals 12. So 7 are left.", "7", None, "last_number"),
    ("The total is 15. Ann eats 3 of them.", "15", None, "stated"),
    ("Total = 230.\n\n---\n*This answer took 3 steps.*", "230", None, "stated"),
    ("It makes 230.\n\n---\nDone in 3 steps.", "230", None, "last_number"),
    ("He is 315 - 120 = 195 miles from home at the end of 4 hours.", "195", "miles", "last_number"),
    ("Each of them covers 230 miles in the two days.", "230", "miles", "last_number"),
    ("She walks 12 + 6 = 18 miles in six hours.", "18", "miles", "last_number"),
    ("17 nuts are needed, since each of 3 dogs eats some.", "17", "nuts", "last_number"),
    ("Is it 5? Yes: 2 + 3 = 5. Is it 6?", "5", None, "last_number"),
    ("The answer is 17? No, it is 18.", "18", None, "last_number"),
    ("The final answer is three: 3.", "3", None, "stated"),
    ("This is an average of 20.5.", "20.5", None, "last_number"),
    ("Answer:\n1. Take 5.\n2. Take 6.\n\nSo it is 11.", "11", None, "last_number"),
    # What was said before, unless it holds on.
    ("Now I get 45. Initially I got 54.", "45", None, "last_number"),
    ("Revised answer: 17\nOriginal answer: 20", "17", None, "stated"),
    ("I change my answer from 20 to 17.", "17", None, "last_number"),
    ("I stand by my original answer: 17.", "17", None, "stated"),
    ("My original answer is 17, and I keep it.", "17", None, "stated"),
    ("The answer is 5. Wait, no. It should be 6.", "6", None, "last_number"),
    ("The answer is 5. Correction: 6.", "6", None, "last_number"),
    ("The answer is 5. Actually, I forgot Tom, so there are 6.", "6", None, "last_number"),
    # The author is one of all, and none of the majority.
    (r"It seems that all agents agree that there are \boxed{48}.", "48", None, "stated"),
    ("My result (48) matches that of agent 1.", "48", None, "last_number"),
    ("The majority answer is 46, but I am confident in 48.", "48", None, "last_number"),
    # Giving up, and not.
    ("It may seem that it cannot be computed, but the answer is 5.", "5", None, "stated"),
    ("x cannot be computed directly. But x + 8 = 25, thus x = 17.", "17", None, "last_number"),
    # What follows the next question is no answer to this one.
    ("#### 18\n\nQuestion: Ann has 40 nuts and finds 2. How many?\nAnswer: 40 + 2 = 42\n#### 42", "18", None, "stated"),
    ("#### 18\n\nAnn has 40 nuts and finds 2. How many has she?\n40 + 2 = 42\n#### 42", "18", None, "stated"),
    ("#### 18\nThat is wrong, since 2 are lost.\n#### 16", "16", None, "stated"),
    ("Question: Ann has 40 nuts and finds 2. How many?\nAnswer: 42", "42", None, "stated"),
    ("Q: Ann has 40. How many?\nA: The answer is 42\n\nQ: Bob has 7. How many?\nA: The answer is 7", "42", None, "stated"),
    ("The answer is 8.<|endoftext|>Question: 3 + 4? The answer is 7.", "8", None, "stated"),
    ("The answer is 8. Q: What is 3 + 4? A: The answer is 7.", "8", None, "stated"),
    ("8\n\n### Question\n3 + 4?\n### Answer\n7", "8", None, "last_number"),
    ("Question 1: how many are red?\nAnswer: 3\nQuestion 2: how many are there?\nAnswer: 5", "5", None, "stated"),
    # What only counts something.
    ("I get 42.\nStep 3: done", "42", None, "last_number"),
    ("I get 42, see Figure 2.", "42", None, "last_number"),
    ("I get 42, by (1) and steps 2 and 3.", "42", None, "last_number"),
    ("I get 42. Agent 2 and round 3 are done.", "42", None, "last_number"),
    ("I get 42. (1) Done (2) done", "42", None, "last_number"),
    ("I get 42.\n1. Done\n2. Done", "42", None, "last_number"),
    ("1) 5 + 5 = 10\n2) 10 + 2 = 12", "12", None, "last_number"),
    ("Round 1: 42", "42", None, "last_number"),
    ("42. Because it is so.", "42", None, "last_number"),
    ("### 3. Result\n42", "42", None, "last_number"),
    ("So y = 5 when x = 2.", "5", None, "last_number"),
    ("B) 42", "42", None, "last_number"),
    # A reply by somebody who says more than a number: objects, others, conditions, changes of mind, next questions, marks and tolerances.
    ('{"answer": 7, "reasoning": "The answer is 5 was wrong"}', "7", None, "stated"),
    ('```json\n{"answer": "7", "reasoning": "The answer is 5 was wrong"}\n```', "7", None, "stated"),
    ('{"reasoning": "3 + 4 = 7", "final_answer": 7, "confidence": 9}', "7", None, "stated"),
    ('{"answer": "7 apples", "why": "The answer is 5 for others"}', "7", "apples", "stated"),
    ("The other agents' answer is 5, however the correct answer is 7", "7", None, "stated"),
    ("The answer is 7. Agent 2's claim that the answer is 9 overlooks friction.", "7", None, "stated"),
    ("My answer remains 7. To Agent 1: your answer 9 is wrong since the answer is 9 only if it rains.", "7", None, "stated"),
    ("If it rained, the answer would be 9, but it is 7", "7", None, "last_number"),
    ("The answer is 7. If it rained, the answer would be 9.", "7", None, "stated"),
    ("I move to 7, because it rains.", "7", None, "last_number"),
    ("I revise my answer from 9 to 7", "7", None, "last_number"),
    ("I no longer believe that 9 is right. Agent 2 convinced me of 7.", "7", None, "last_number"),
    ("The answer is 7.\n\nProblem: What is 3+3?\nThe answer is 6.", "7", None, "stated"),
    ("The answer is 7.\n\nQ2. What is 3+3?\nThe answer is 6.", "7", None, "stated"),
    ("The answer is 7.\n\n### Question 2\nWhat is 3+3?\nThe answer is 6.", "7", None, "stated"),
    ("The answer is 7.\n\nHere is a similar problem for practice\nWhat is 3+3?\nThe answer is 6.", "7", None, "stated"),
    ("Q: What is 3+4?\nA: 7", "7", None, "stated"),
    ("Q: What is 3+4?\nA: 7\n\nQ: What is 3+3?\nA: 6", "7", None, "stated"),
    ("15 and 2/3 liters", "47/3", "liters", "last_number"),
    ("The answer is 15 and 2/3 liters.", "47/3", "liters", "stated"),
    ("The answer is 7 [1].", "7", None, "stated"),
    ("7 [1]", "7", None, "last_number"),
    ("The answer is 7[1].", "7", None, "stated"),
    ("The answer is 42 miles in 3 hours.", "42", "miles", "stated"),
    ("Answer: 42 miles in 3 hours", "42", "miles", "stated"),
    ("7 ± 0.1", "7", None, "last_number"),
    ("The answer is 7 ± 0.1.", "7", None, "stated"),
    ("The answer is 7 \\pm 0.1", "7", None, "stated"),
    ("48g", "48", "g", "last_number"),
    ("The answer is 48g.", "48", "g", "stated"),
    ("She needs 48g of it.", "48", "g", "last_number"),
    ("#### 9\n#### 7", "7", None, "stated"),
    ("1 and 1/2", "3/2", None, "last_number"),
    # The last number of all.
    ("It costs 2.50 dollars", "2.5", "dollars", "last_number"),
    ("First 3, then 8", "8", None, "last_number"),
    ("We have x = 3 and y = 4, so the distance is 5.", "5", None, "last_number"),
    ("He bought 5 ties and 10 hats, and spent $30.", "30", "$", "last_number"),
    ("• 5 apples", "5", "apples", "last_number"),
    ("1.2·10^4", "12000", None, "last_number"),
    ("答案是42。", "42", None, "last_number"),
]

#: Texts by somebody who did not know the rules: a trap each, and the number that a reader takes from it. ``reads`` is what the coder reads
#: where that is another thing ("none": it reads nothing).
with (ROOT / "tests" / "python" / "strange_numbers.csv").open(newline="") as lines:
    STRANGE = list(csv.DictReader(lines))

#: Texts that state no number that is understood: parts of something larger, several numbers, other things than numbers.
NOT_READ = r"""
<think>The answer is 5. Or
no number
x2 and B12
Answer: 5/0
Pages 5-3
version 1.2.3
3,5
The answer is 3,5.
12,34
1234,567
0,500
1,000,00
1.000.000
1'000
in 2020 100 people
The answer is 10 000 dollars.
2 3/2
1 000/2000
1-1/2
1 and 3/2
\frac{\frac{1}{2}}{3}
\frac{1.5}{2}
\frac{x}{2}
\frac{\pi}{2}
\frac{1}{0}
2^10
5^2
5²
2^{10}
2**10
\sqrt{2}
\boxed{\sqrt{2}}
√2
2\pi
2π
3\sqrt{2}
The answer is 3\sqrt{2}.
2x + 1
The answer is 2x + 1.
The answer is x + 3.
\frac{5}{6}x
5!
3 × 4
3 x 4
3x4
3*4
3 * 4
3·4
3(4)
6 ÷ 2
4 = 2 + 2
5 + 3 =
y = 2x + 3
2x + 1 = 7
x^2 = 16
5-3
3, 4
3; 4
3 or 4
3 or four
3 and 4
between 3 and 4
3-4
3–4
3 to 4
3 km or 4 km
**3** and **4**
\boxed{3} or \boxed{4}
\boxed{3 \text{ or } 4}
x = 2 or x = 3
x = 2; y = 3
x = ±2
(3, 4)
[3, 4]
\{3, 4\}
The answer is 3, 4.
The answer is 3 or 4.
The answer is between 3 and 4.
The answer is x = 2 or x = 3.
I said the answer is 5. The answer is 3 or 4.
I said the answer is 5. The answer is 2x.
I said the answer is 5. The answer is forty-two.
I said the answer is 5. Final answer: \boxed{C}
12:30
The answer is 12:30.
3:4
3 : 4
2024-05-01
5/10/2024
5 May 2024
May 5, 2024
The answer is 2 ft. 3 in.
07/08
1/2/3
the answer is not 5
the answer isn't 5
The answer cannot be 5.
I don't think the answer is 5.
He has 5 pears. Therefore, the answer cannot be determined.
He has 5 pears. There is not enough information.
The answer is 5. No, the answer cannot be determined.
We have 9 nuts, and it is impossible to say how many are lost.
I can't give a final answer, since only 7 are known.
The first agent gets \boxed{20}; the second agent gets \boxed{21}.
The answer is not \boxed{4}.
It is 17 if none is lost, and 15 if two are lost.
They pick 60 pears in 5 days.
The consensus among agents is 48.
The text is missing data, such as the price of 8 pens.
It is 3, possibly 4.
It costs $5 and saves $3.
So he runs 6 miles on the first day and 13 miles on the others.
She uses 3 eggs to bake 12 cakes.
She rents it for 60 dollars for 3 days.
Agent 2's answer is \boxed{41}.
According to agent 2, it is \boxed{41}.
They have 5 pears. The answer is unknown.
While agent 1 got 41, agent 2 got 42.
\boxed{3}, \boxed{4}
\boxed{3} apples or maybe \boxed{4}
\boxed{not 5}
\boxed{5 or more}
\boxed{5} million
If the answer is 5, we are done.
I think 42 is incorrect.
Agent 2 got 41.
They claim 41.
Answer:
1. Take 5
2. Take 6
#### Step 3
#### 3. Compute the total
at least 5
The answer is more than 5.
x > 5
5 < x < 7
> 7
Agent 1 says the answer is 7, but I can't verify that
After reviewing solutions from 2 agents, I agree.
After reviewing the solutions of 2 agents, I agree.
I looked at the work of the other 2 agents and agree.
I agree with all 3 agents.
I compared the 2 solutions.
I have 5 pears, but I am unable to give a number.
He has 5 pears. I am unable to give a number.
He has 5 pears. I can't choose a single number.
x = 2.5 ± 0.5
±5
5 ± 1
|-5|
The answer is 5 million.
5 and a half
half of 10
1 half
twice 5
3 squared
3 times 4
6 divided by 2
3 out of 5
50% of 20
1 in 5
one of 5
3 feet 4 inches
2 hours and 30 minutes
5'3"
5k
2m
5 x
5ish
5+
5-year-old
the 3rd day
GPT-4
is.5
0.333...
0.\overline{3}
forty-two
The answer is - 5.
The answer is 5 (3 + 2).
1e999
10^999
""".strip("\n").split("\n")
LIST = NOT_READ.index("Answer:")
NOT_READ[LIST : LIST + 3] = ["\n".join(NOT_READ[LIST : LIST + 3])]


@pytest.mark.parametrize(("text", "answer", "unit", "rule"), READ)
def test_a_number_that_a_text_states(text: str, answer: str, unit: str | None, rule: str) -> None:
    coded = code_answer(text, kind="number")
    assert (coded.answer, coded.unit, coded.rule, coded.kind) == (answer, unit, rule, "number")
    # What is marked is a number by itself, and the same one.
    assert code_answer(text[coded.start : coded.end], kind="number").answer == answer


@pytest.mark.parametrize("row", STRANGE, ids=lambda row: f"{row['trap']}-{row['id']}")
def test_a_text_by_somebody_who_did_not_know_the_rules(row: dict[str, str]) -> None:
    wanted = row["reads"] or row["expected"]
    assert code_answer(row["text"], kind="number").answer == (None if wanted == "none" else wanted)


@pytest.mark.parametrize("text", NOT_READ)
def test_a_part_of_something_larger_is_no_number(text: str) -> None:
    assert code_answer(text, kind="number") == Coded(kind="number")


# One reader for keys, stored answers and texts --------------------------------------------------------------------------------------------

#: What is only a number, and its value.
SPELLINGS = {
    "7": "7", "007": "7", "-7": "-7", "+7": "7", "\u22127": "-7", "9.0": "9", "2.50": "2.5", ".5": "0.5", "-.5": "-0.5", "5.": "5",
    "-0": "0",
    "1,000": "1000", "1,000,000.50": "1000000.5", "12,34,567": "1234567", "1{,}250{,}000": "1250000", r"1\,000": "1000",
    r"10,\!000": "10000",
    "10 000": "10000", "10\u00a0000": "10000", "10\u2009000": "10000", "10\u202f000.5": "10000.5", "1 000 000": "1000000", "1.000": "1",
    "3/4": "3/4", "6/8": "3/4", "-6/8": "-3/4", "8/4": "2", "1.5/3": "1/2", "3 / 4": "3/4", r"\frac{3}{4}": "3/4", r"\frac34": "3/4",
    r"\frac{3}4": "3/4", r"\frac3{4}": "3/4", r"\dfrac{3}{4}": "3/4", r"\tfrac{3}{4}": "3/4", r"-\frac{1}{2}": "-1/2",
    r"\frac{-1}{2}": "-1/2",
    r"\frac{1,000}{3}": "1000/3", "1 1/2": "3/2", "-1 1/2": "-3/2", r"1\frac{1}{2}": "3/2", r"1 \frac12": "3/2", "½": "1/2", "1½": "3/2",
    "1 ½": "3/2", "-2¾": "-11/4", "⅓": "1/3",
    "1e3": "1000", "1.2E-3": "0.0012", "10^3": "1000", "10**3": "1000", "10^{-2}": "0.01", "10³": "1000", "10⁻²": "0.01",
    "1.2 × 10^4": "12000", "1.2x10^4": "12000", "1.2 x 10^4": "12000", "1.2*10^4": "12000", r"1.2 \times 10^{4}": "12000",
    r"-1.2 \cdot 10^{-1}": "-0.12", "1.2×10⁴": "12000",
    "50%": "50", "50 %": "50", r"50\%": "50", "$1,250.00": "1250", r"\$5": "5", "-$5": "-5", "$-5": "-5", "$ 5": "5", "5$": "5", "€5": "5",
    "5 €": "5", "£5": "5", "$5%": "5", r"$\$5$": "5",
    r"\boxed{42}": "42", r"\(42\)": "42", r"\[42\]": "42", "$42$": "42", "$$42$$": "42", "**42**": "42", "**$42**": "42", "#### 42": "42",
    r"\text{42}": "42", r"\boxed{\text{42}}": "42", r"$\boxed{42}$": "42", r"$\boxed{\frac{6}{8}}$.": "3/4", "(42)": "42", "(-3/4)": "-3/4",
}  # fmt: skip
#: No number to any of the readers.
NEITHER = r"""
3,5|12,34|1234,567|0,500|1,00,00|1.000.000|1.2.3|3, 4|3 or 4|3-4|3:4|12:30|2024-05-01|1/0|07/08|1/2/3|\frac{1.5}{2}|
\frac{\frac{1}{2}}{3}|\frac{x}{2}|2 3/2|1 0/2|
1 000/2000|2020 100|1 2|2^10|5^2|5²|2^{10}|\sqrt{2}|2\pi|2π|3\sqrt{2}|2x|2x + 1|5!|3 × 4|3*4|5-3|(3, 4)|- 5|1e999|5 million|
forty-two|at least 5|5‰
""".replace("\n", "").split("|")


def test_keys_stored_answers_and_texts_have_one_reader() -> None:
    found = forms([*SPELLINGS, *NEITHER])
    for text, wanted in SPELLINGS.items():
        coded = code_answer(text, kind="number").answer
        assert (coded, bare_number(text)) == (wanted, Fraction(wanted)), text
        key = normalise_answer(text, "number")
        assert key is not None and Fraction(key) == Fraction(wanted) and normalise_answer(coded, "number") == key, text
        assert found[text][::2] == (key, True), text
    for text in NEITHER:
        assert (code_answer(text, kind="number").answer, bare_number(text), normalise_answer(text, "number")) == (None, None, None), text
        assert not found[text][2], text


@pytest.mark.parametrize("text", ["5 km", "$$5", "x = 5", "The answer is 5.", "negative 5", "", "\n", "B"])
def test_a_key_is_a_number_and_nothing_else(text: str) -> None:
    assert bare_number(text) is None and normalise_answer(text, "number") is None


@given(
    st.lists(
        st.sampled_from([*"0123456789.,-+/%$ eEx()½", "1,000", r"\frac{1}{2}", r"\frac12", "10^", "×", "**", " 000"]),
        min_size=1,
        max_size=9,
    )
)
@settings(max_examples=500, deadline=None)
def test_what_is_a_key_is_the_same_in_a_text(parts: list[str]) -> None:
    text = "".join(parts)
    key = normalise_answer(text, "number")
    # Thousands with more than one blank between them may be two columns of a table.
    if key is not None and "  " not in text.strip():
        assert normalise_answer(code_answer(text, kind="number").answer, "number") == key
        assert normalise_answer(code_answer(f"The answer is {text.strip().rstrip('.')}.", kind="number").answer, "number") == key


# Drawn numbers ------------------------------------------------------------------------------------------------------------------------

FRAMES = """
The answer is {}.|Answer: {}|**Answer: {}**|The final answer is: {}|So the answer is **{}**.|I get {}.|Thus x = {}
We have 3 + 4 = 7. So it is {}.
The answer is {}, since 2 + 2 = 4.|The answer is {} because it has 3 parts.|Agent 1 says 17, but the answer is {}.
I got {}. Agent 2 got 17 instead.
Step 1: add. Step 2: {}|1. Take 5.\\n2. Take 6.\\nThe answer is {}\\n|The answer is not 17. It is {}.
I said the answer is 17. Now my answer is {}.|({})|"{}"
It is {} (not 17).|The answer is x = {}.|#### {}|Final answer: {}\\nConfidence: 80%|answer = {}|The total is {}\\nand not 17.
""".strip().replace("\n", "|").replace("\\n", "\n").split("|")  # fmt: skip
WRAPS = ["{}", r"\boxed{{{}}}", r"$\boxed{{{}}}$", "${}$", r"\({}\)", "**{}**", r"\text{{{}}}"]


def written(value: Fraction) -> list[str]:
    """Spellings of a number; none of them is left out by the coder."""
    sign, top, under = "-" if value < 0 else "", abs(value.numerator), value.denominator
    ways = [f"{sign}{top}/{under}", f"{sign}\\frac{{{top}}}{{{under}}}", f"{sign}\\dfrac{{{3 * top}}}{{{3 * under}}}"]
    if top > under > 1:
        ways += [f"{sign}{top // under}\\frac{{{top % under}}}{{{under}}}"]
        # Three figures could be thousands.
        ways += [f"{sign}{top // under} {top % under}/{under}"] if len(str(top % under)) != 3 else []
    if under == 1:
        ways += [
            f"{sign}{top}",
            f"{sign}{top:,}",
            f"{sign}{top:,}".replace(",", "{,}"),
            f"{sign}{top:,}".replace(",", "\\,"),
            f"{sign}{top}.00",
        ]
        ways += [
            f"{sign}{top:,}".replace(",", "\u202f"),
            f"{sign}{top}e0",
            f"{sign}{top} \\times 10^{{0}}",
            f"\u2212{top}" if sign else f"+{top}",
        ]
    if 10_000 % under == 0:
        whole, rest = divmod(int(abs(value) * 10_000), 10_000)
        ways += [
            f"{sign}{whole}.{rest:04}",
            f"{sign}{whole:,}.{rest:04}",
            f"{sign}{int(abs(value) * 10_000)}e-4",
            f"{sign}{whole}.{rest:04}0 × 10^0",
        ]
    return ways


VALUES = st.one_of(
    st.integers(-(10**9), 10**9).map(Fraction),
    st.integers(-3000, 3000).map(Fraction),
    st.builds(Fraction, st.integers(-5000, 5000), st.integers(1, 400)),
    st.builds(Fraction, st.integers(-(10**8), 10**8), st.just(10_000)),
)


@given(VALUES.flatmap(lambda v: st.tuples(st.just(v), st.sampled_from(written(v)))), st.sampled_from(FRAMES), st.sampled_from(WRAPS))
@settings(max_examples=3000, deadline=None)
def test_a_drawn_number_is_read_exactly(drawn: tuple[Fraction, str], frame: str, wrap: str) -> None:
    value, spelling = drawn
    coded = code_answer(frame.format(wrap.format(spelling)), kind="number")
    assert coded.answer is not None and Fraction(coded.answer) == value


#: What says nothing about the answer, wherever it stands.
ASIDES = (
    r"""
Agent 2 got 17 instead.|Agents 1 and 3 say that it is 17.5.|Agent 2's answer is 17.|The other agents found 17.|
According to Agent 3, the answer is 17.|
The answer of agent 1 is 17.|Agent 4 (a model) calculated $17.00.|I disagree with agent 2's result of 17.|It is not 17.|
It isn't 17.|It cannot be 17.|
The answer is not 17.|I don't think it is 17.|17 is wrong.|17 is not the answer.|See Figure 2.|See Table 3.1.|
Step 3 is done.|Steps 1 and 2 are fine.|
This follows from (3).|In Round 2 we agreed.|Agent 2 is right.|\nAgent 1: 4 - 17\n|
\nAgent solution 2: score 3 - it is 17\n|\n### 4. Summary\n|
\nStep 2: simplify\n|If the answer is 17, something is odd.|(A) is an option.|Another agent obtained 17 by hand.|He argues 17.
""".replace("\n", "")
    .replace("\\n", "\n")
    .split("|")
)


@given(
    st.lists(st.sampled_from(ASIDES), max_size=4),
    st.sampled_from(ASIDES),
    st.integers(-999_999, 999_999),
    st.sampled_from(["I get {}.", "The answer is {}.", "So we have x = {}.", r"It is \boxed{{{}}}.", "3 + 4 = {}.", "That makes ${}$."]),
)
@settings(max_examples=2000, deadline=None)
def test_asides_are_read_over(before: list[str], after: str, n: int, frame: str) -> None:
    assert code_answer(" ".join([*before, frame.format(n), after]), kind="number").answer == str(n)


#: What makes a number a part of something larger, or one of several.
AROUND = r"""
{} + 3|3 - {}|{}x|{} x|2 × {}|{}^2|{}²|{}!|\sqrt{{{}}}|{}\pi|{} or 4|4 or {}|{}, 4|4; {}|{} and 4|between 2 and {}|{}-99|{}:30|
({}, 3)|{}:{}|{} million|{} and a half|
at least {}|more than {}|{} ± 1|x > {}|{}k|half of {}|{} times 3|{} divided by 2|{} of 9|{} squared|{}(x + 1)|{}.5.7|{},7,|{}...5|
f({})|\log {}|{} hours 20 minutes|
{} = x|{},5|{}/0|{}/x|twice {}|{} to 99|3 or {} km|x = {} or x = 4|{} feet 3 inches
""".replace("\n", "").split("|")


@given(
    # Powers of ten are numbers.
    st.integers(11, 10**6),
    st.sampled_from(AROUND),
    st.sampled_from([f for f in FRAMES if "17" not in f and "3 + 4" not in f and "Take" not in f]),
)
@settings(max_examples=2000, deadline=None)
def test_a_drawn_number_within_something_larger_is_not_read(n: int, around: str, frame: str) -> None:
    """No part of it is taken for the whole."""
    assert code_answer(frame.format(around.replace("{}", str(n)).replace("{{", "{").replace("}}", "}")), kind="number").answer is None


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_the_normal_form_does_not_depend_on_how_a_number_is_written(n: int, zeros: int) -> None:
    assert code_answer(f"Answer: {n}", kind="number").answer == str(n)
    for text in (f"{n:,}", f"{n}." + "0" * (zeros + 1), f"{n}e0"):
        assert code_answer(f"Answer: {text}", kind="number").answer == str(n)


@given(st.text(alphabet="0123456789.,:/^*+-=()[]{}$%\\ \nx!'\"fracboxed½²×#and or", max_size=60))
@settings(max_examples=1500, deadline=None)
def test_any_text_is_read_without_an_error_and_marked_where_it_stands(text: str) -> None:
    coded = code_answer(text, kind="number")
    assert normalise_answer(text, "number") is None or bare_number(text.rpartition("####")[2]) is not None
    if coded.answer is not None:
        assert 0 <= coded.start < coded.end <= len(text)
        assert code_answer(text[coded.start : coded.end], kind="number").answer == coded.answer


# Long texts and long numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "part, times",
    [
        ("1,", 5000), ("9", 20000), ("\\frac{", 3000), (" ", 20000), ("the answer is ", 2000), ("(", 20000), ("( ", 10000), ("-", 20000),
        ("$1 ", 7000),
        ("\\boxed{", 3000), ("\\boxed{5", 3000), ("1 ", 10000), ("1/2 ", 5000), ("1 + ", 5000), ("5 m ", 5000), ("agent 2 says ", 1500),
        ("agent 2, ", 2500),
        (".", 20000), ("1.", 10000), ("1=", 10000), ("2^", 10000), ("not think ", 2000), ("1. a\n", 4000), ("####", 5000), ("1e", 10000),
        ("1e9999999 ", 2000),
        ("(1) a ", 3000), ("if the answer is ", 2000), ("1{,}", 5000), ("1 or ", 4000), ("*", 20000), ("<a ", 7000), ("\n", 20000),
        ("total is ", 2500),
        ("answer: ", 2500), ("\\boxed{1} or ", 1500), ("agent 1 says ", 1500), ("agent 1 says, ", 1400), ("1, 1, ", 3300),
        ("\\boxed5 ", 2500), ("question: 5\n", 1600), ("#### 5\n", 2500), ("#### 5 how ", 1800), ("initially i got 5 ", 1100),
        ("the total is 5. ", 1200), ("because 5 ", 2000), ("5 for 5 days ", 1500), ("\n---\n5", 3300), ("given: \n1. ", 1800),
        ("their answer is ", 1250), ("based on what agent 1 says, ", 700), ("5? ", 6500), ("cannot be determined ", 950),
        ("1\u202f000", 4000), ("the ", 5000), ("th", 10000), ("\\", 20000), ("|5", 9000),
    ],
)  # fmt: skip
def test_long_texts_take_no_longer_than_their_length(part: str, times: int) -> None:
    for text in (part * times, "The answer is " + part * times, part * times + " 5"):
        began = time.process_time()
        code_answer(text, kind="number")
        bare_number(text)
        assert time.process_time() - began < 2, text[:40]


@pytest.mark.parametrize(
    "text", ["9" * 5000, "1." + "0" * 5000, "1e" + "9" * 5000, "10^" + "9" * 5000, "1/" + "9" * 5000, "1e401", "10^{401}"]
)
def test_numbers_without_end_are_none(text: str) -> None:
    assert code_answer(f"Answer: {text}", kind="number").answer is None and normalise_answer(text, "number") is None


def test_no_folded_character_is_longer_in_lower_case() -> None:
    """Words are looked for in lower case, and the places are those of the text."""
    known = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    assert len(folded(known, "normal").lower()) == len(known)


def test_powers_of_ten_are_written_out_up_to_thirty_digits() -> None:
    assert [code_answer(f"Answer: {text}", kind="number").answer for text in ("1e30", "1e31", "25e-32", "1" + "0" * 399, "-12e40")] == [
        "1" + "0" * 30, "1e31", "25e-32", "1e399", "-12e40",
    ]  # fmt: skip
