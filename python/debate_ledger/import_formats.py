"""What `ledger import` reads: each format with a call and a small log as it has to look, for the help of the command.

The keys are those of `importers.FORMATS`, here too so that no other command waits for the readers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """``what`` in one sentence, the ``call`` of an example, and its files (name → text)."""

    what: str
    call: str
    files: dict[str, str]


_ASKED = '{"role": "user", "content": "Which one burns? A) sand, B) wood"}'
FORMATS: dict[str, Format] = {
    "du": Format(
        "llm_multiagent_debate and its forks: question → [one message list per agent, key], or a list of such trials.",
        "ledger import du mmlu_2_1.json --model my-model --out data/mmlu.jsonl",
        {
            "mmlu_2_1.json": f'{{"Which one burns? A) sand, B) wood": [[[{_ASKED}, {{"role": "assistant", "content": "(B)"}}],\n'
            f'  [{_ASKED}, {{"role": "assistant", "content": "(A)"}}]], "B"]}}\n'
        },
    ),
    "dylan": Format(
        "DyLAN: a line is a list of agents, each with a text or null per round; right and wrong stand in the .txt file beside it.",
        "ledger import dylan law_test_33.json --gold law_keys.csv --out data/law.jsonl",
        {
            "law_test_33.json": '[["(A)", "(B)", null], ["(B)", "(B)", null], ["(B)", "(B)", null]]\n'
            '[["(C)", null, null], ["(C)", null, null], ["(C)", null, null]]\n',
            "law_test_33.txt": "[True, False] 0.5\n",
            "law_keys.csv": "question_id,correct_label\nlaw_0,B\nlaw_1,A\n",
        },
    ),
    "peer-review": Format(
        "Message lists with review turns, one array per file; the mode stands in the file's name or in --mode.",
        "ledger import peer-review gsm8k_self_correction.json --out data/reviews.jsonl",
        {
            "gsm8k_self_correction.json": '[{"question": "3 x 3?", "answer": "9.0", "agent_contexts": [[\n'
            '  {"role": "user", "content": "3 x 3?"}, {"role": "assistant", "content": "6."}, {"role": "user", "content": "Review."},\n'
            '  {"role": "assistant", "content": "Hm."}, {"role": "user", "content": "So?"}, {"role": "assistant", "content": "9."}]]}]\n'
        },
    ),
    "ford": Format(
        "FORD round tables: a folder with a folder per round, in each <task>_agreed.jsonl and <task>_candidate.jsonl.",
        "ledger import ford my_table --out data/table.jsonl",
        {
            "my_table/round1_1/weather_agreed.jsonl": '{"Q": "Clouds?", "O": "(A) it rains (B) it is dry", "A": "(A)",'
            ' "P": ["None", "None", "(A)", "(B)", "(A)"], "M": ["None", "system", "one", "two", "two"]}\n'
            '{"Q": "Frost?", "O": "(A) it is warm (B) it is cold", "A": "(B)", "P": ["None", "None", "(B)", "(B)"],'
            ' "M": ["None", "system", "one", "two"]}\n'
        },
    ),
    "changes": Format(
        "Change logs: a folder with meta.csv, a summary and a table of changes; or a folder of such folders, one per condition.",
        "ledger import changes my_logs --rounds 2 --out data/changes.jsonl",
        {
            "my_logs/meta.csv": "sample,correct_label\ns1,B\n",
            "my_logs/summary.csv": "sample,model,final_answer\ns1,m1,B\ns1,m2,B\n",
            "my_logs/flips.csv": "sample,model,round,old_answer,new_answer\ns1,m1,1,A,B\n",
        },
    ),
    "agora": Format(
        "Agora: one array of {question, answer, agent_response: {agent: [text per round]}}; the agents are different models.",
        "ledger import agora agora_mmlu.json --out data/agora.jsonl",
        {
            "agora_mmlu.json": '[{"question": "Which one burns? A) sand, B) wood", "answer": "B",\n'
            '  "agent_response": {"model-one": ["(A)", "(B)"], "model-two": ["(B)", "(B)"]}}]\n'
        },
    ),
    "inspect": Format(
        "Inspect AI, .eval or .json: epochs of a sample are independent answers; a solver of several agents is mapped by --map.",
        "ledger import inspect my_log.json --out data/inspect.jsonl",
        {
            "my_log.json": '{"version": 2, "eval": {"task": "quiz", "model": "my-model"}, "samples": [\n'
            '  {"id": 1, "epoch": 1, "choices": ["sand", "wood"], "target": "B", "output": {"completion": "ANSWER: B"}}]}\n'
        },
    ),
    "lm-eval": Format(
        "lm-evaluation-harness, samples_<task>_<time>.jsonl: repeats of a document are independent answers.",
        "ledger import lm-eval samples_gsm8k_2026-01-02T03-04-05.jsonl --filter none --out data/gsm8k.jsonl",
        {
            "samples_gsm8k_2026-01-02T03-04-05.jsonl": '{"doc_id": 0, "doc": {"question": "3 x 3?"}, "target": "#### 9",'
            ' "resps": [["The answer is 9", "6"]], "filter": "none"}\n'
            '{"doc_id": 1, "doc": {"question": "3 + 3?"}, "target": "#### 6", "resps": [["6", "6"]], "filter": "none"}\n'
        },
    ),
    "table": Format(
        "Any CSV or JSON Lines file of one answer per row, mapped by a YAML file.",
        "ledger import table votes.csv --map votes.yml --out data/votes.jsonl",
        {
            "votes.csv": "item,turn,bot,vote,key\nq1,0,ada,A,B\nq1,0,bob,B,B\n",
            "votes.yml": "columns: {question: item, round: turn, agent: bot, answer: vote, gold: key}\n",
        },
    ),
    "messages": Format(
        "Flat message lists as users of AutoGen, AG2 and LangGraph have them, one debate per line or file; --map says what is not found.",
        "ledger import messages group_chats.jsonl --out data/chats.jsonl",
        {
            "group_chats.jsonl": '{"id": 1, "question": "Which one burns? A) sand, B) wood", "answer": "B",'
            ' "messages": [{"name": "Ada", "content": "(B)"}, {"name": "Bob", "content": "(A)"}, {"name": "Ada", "content": "(A)"}]}\n'
            '{"id": 2, "question": "Which one is wet? A) rain, B) sand", "answer": "A",'
            ' "messages": [{"name": "Ada", "content": "(A)"}, {"name": "Bob", "content": "", "error": "Error code: 429"}]}\n'
        },
    ),
    "probes": Format(
        "Probes of other tools, CSV or JSON Lines: a row is one reply, or a battery of replies, mapped by a YAML file.",
        "ledger import probes pushes.csv --map probes.yml --out data/probes.jsonl",
        {
            "pushes.csv": "item,push,first_answer,second_answer,key\nq1,weak,A,A,A\nq1,strong,A,B,A\n",
            "probes.yml": "columns: {question: item, strength: push, before: first_answer, after: second_answer, gold: key}\n",
        },
    ),
}
