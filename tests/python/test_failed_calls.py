"""Messages of failed calls are nobody's answers; a reply that speaks of errors is a reply."""

# ruff: noqa: E501  (messages stand as they were printed)

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from debate_ledger.cli import main as cli
from debate_ledger.importers.failed_calls import is_failed_call

FAILED = r"""openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000', 'type': 'tokens', 'code': 'rate_limit_exceeded'}}
litellm.RateLimitError: AnthropicException - {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed"}}
litellm.RateLimitError: RateLimitError: OpenAIException - Error code: 429
google.api_core.exceptions.ResourceExhausted: 429 You exceeded your current quota, please check your plan and billing details.
{"error": {"code": 429, "message": "Resource has been exhausted (e.g. check quota).", "status": "RESOURCE_EXHAUSTED"}}
Status code 429
Status code: 429
Request failed with status code 500
An error occurred: 503 Service Unavailable
[API_ERROR] 503
error 524: a timeout occurred
Error: timeout after 60 seconds
Read timed out. (read timeout=600)
HTTPSConnectionPool(host='api.openai.com', port=443): Max retries exceeded with url: /v1/chat/completions (Caused by ConnectTimeoutError(<urllib3.connection.HTTPSConnection object at 0x7f>, 'Connection to api.openai.com timed out. (connect timeout=10)'))
This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.
CUDA out of memory. Tried to allocate 20.00 GiB (GPU 0; 39.59 GiB total capacity; 32.11 GiB already allocated; 6.19 GiB free; 32.50 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.20 GiB is free.
Failed after 5 attempts
ERROR (attempt 3/3)
Connection error.
Internal Server Error
upstream connect error or disconnect/reset before headers. reset reason: connection termination
{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}
None
ERROR
[TIMEOUT]
[ERROR]
Error: Rate limit reached for 10KTPM-200RPM in organization org-x on tokens per min. Limit: 10000 / min. Please try again in 6ms. Contact us through our help center at help.openai.com if you continue to have issues.
Error communicating with OpenAI: "Rate limit reached for 10KTPM-200RPM in organization org-x on tokens per min. Limit: 10000 / min."
OpenAI API error: Error code: 429 - {'error': {'code': 'rate_limit_error', 'message': 'This request would exceed the rate limit for your organization of 20,000 input tokens per minute.'}}
Failed to get response from model API returned unexpected status code: 429: Rate limit reached for gpt-4o
API responded with status code: 429. Response text: { "error": { "message": "Rate limit" } }
429 Rate limit reached for gpt-4.1 in organization org-x on tokens per min (TPM): Limit 30000, Used 28039, Requested 3906. Please try again in 3.89s. Visit https://platform.openai.com/account/rate-limits to learn more.
429 Too Many Requests
429 {"error":{"message":"x"}}
API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}
API Error (529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}) · Retrying in 1 seconds… (attempt 1/10)
API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.
InternalServerError: 529 {"type":"error","error":{"type":"overloaded_error"}}
AxiosError: timeout of 5000ms exceeded
Error: Request was aborted.
openai.error.RateLimitError: Rate limit reached for gpt-4 in organization org-x on tokens per min (TPM): Limit 10000, Used 8554
Error: OpenAI error: Rate limit reached for tokens. Limit: 150000.000000 / min. Current: 176000.000000 / min.
openai.BadRequestError: Error code: 400 - {'object': 'error', 'message': "This model's maximum context length is 4096 tokens. However, you requested 4500 tokens", 'type': 'BadRequestError', 'param': None, 'code': 400}
{'object': 'error', 'message': "This model's maximum context length is 4096 tokens.", 'type': 'BadRequestError', 'param': None, 'code': 400}
{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404}
APIConnectionError: Connection error.
openai.APITimeoutError: Request timed out.
Request timed out.
requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='x', port=443): Read timed out. (read timeout=60)
('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))
HTTP Error 503: Service Unavailable
HTTP 502
HTTP/1.1 500 Internal Server Error
502 Bad Gateway
<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.18.0</center></body></html>
500 Server Error: Internal Server Error for url: http://localhost:11434/api/generate
Client error '429 Too Many Requests' for url 'https://api.mistral.ai/v1/chat/completions'
Server error '503 Service Unavailable' for url 'https://x'
The server is overloaded or not ready yet.
The server had an error while processing your request. Sorry about that! You can retry your request, or contact us through our help center at help.openai.com if the error persists. (Please include the request ID 8d2 in your message.)
That model is currently overloaded with other requests. You can retry your request.
You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.
Error: 503
Error code: 500
Error 500
ERROR: 429
[Error: 429 Too Many Requests]
⚠️ Error: Rate limit exceeded
**Error:** Request timed out.
Error generating response: HTTPConnectionPool(host='localhost', port=8000): Read timed out. (read timeout=120)
Error calling OpenAI API: Error code: 401 - {'error': {'message': 'Incorrect API key provided'}}
Error in API call: 500 Internal Server Error
Exception: 504 Deadline Exceeded
504 Deadline Exceeded
[Error] timeout 60s
[ERROR: API call failed after 3 retries]
API call failed after 3 retries
Failed to get a response after 3 attempts.
Failed to generate response: 429
ERROR: Failed to get response from API after 5 retries.
No response from the model
(no response)
{"detail": "Internal server error"}
{"message": "Too many requests", "code": 429}
{"status": "error", "message": "Rate limit exceeded: 20 per 1 minute"}
{"error": "model 'llama3:70b' not found"}
{"error":{"message":"Provider returned error","code":502}}
{'error': {'message': 'The server had an error', 'type': 'server_error', 'param': None, 'code': None}}
Invalid operation: The `response.text` quick accessor requires the response to contain a valid `Part`, but none were returned. The candidate's finish_reason is 2.
prompt is too long: 210000 tokens > 200000 maximum
anthropic.BadRequestError: Error code: 400 - {'type': 'error', 'error': {'type': 'invalid_request_error', 'message': 'prompt is too long: 210000 tokens > 200000 maximum'}}
ValueError: Requested tokens (2048) exceed context window of 512
botocore.errorfactory.ThrottlingException: An error occurred (ThrottlingException) when calling the InvokeModel operation (reached max retries: 4): Too many requests, please wait before trying again.
An error occurred (ThrottlingException) when calling the InvokeModel operation (reached max retries: 4): Too many requests
RetryError[<Future at 0x7f state=finished raised RateLimitError>]
tenacity.RetryError: RetryError[<Future at 0x7f1 state=finished raised APIConnectionError>]
asyncio.exceptions.TimeoutError
TimeoutError
KeyError: 'choices'
'NoneType' object has no attribute 'content'
list index out of range
Expecting value: line 1 column 1 (char 0)
Max retries exceeded
Timeout
timeout
TIMEOUT: 120s
Timed out after 300 s
<timeout>
__ERROR__
API_ERROR
Error: Connection refused
[Errno 111] Connection refused
ConnectionResetError(104, 'Connection reset by peer')
RuntimeError: CUDA error: device-side assert triggered
Sorry, I ran into an error: 429 Too Many Requests
I'm sorry, an error occurred: Error code: 500
Oops! Error code: 503 - Service Unavailable
LLM error: status 429
Model call failed: 500
grpc._channel._InactiveRpcError: <_InactiveRpcError of RPC that terminated with: status = StatusCode.UNAVAILABLE details = "502:Bad Gateway">
google.genai.errors.ClientError: 429 RESOURCE_EXHAUSTED. {'error': {'code': 429, 'message': 'You exceeded your current quota', 'status': 'RESOURCE_EXHAUSTED'}}
503 UNAVAILABLE. {'error': {'code': 503, 'message': 'The model is overloaded. Please try again later.', 'status': 'UNAVAILABLE'}}
ollama._types.ResponseError: llama runner process has terminated: exit status 2
error code: 1015
<error>Gateway Timeout 504</error>
error code: 502
error code: 524""".split("\n")
FAILED += [
    "Traceback (most recent call last):\n  File \"/app/run.py\", line 12, in ask\n    return client.create(model=m)\nopenai.RateLimitError: Error code: 429 - {'error': 1}",
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x()\n  File "b.py", line 34, in x\n    raise e\nValueError: 17 is no answer\n',
    'Traceback (most recent call last):\n  File "a.py", line 8\n    foo(',
    '{\n  "error": {\n    "message": "Rate limit reached",\n    "type": "tokens",\n    "code": "rate_limit_exceeded"\n  }\n}\n',
    '[{\n  "error": {\n    "code": 503,\n    "message": "The service is currently unavailable.",\n    "status": "UNAVAILABLE"\n  }\n}\n]',
]
REPLY = [
    r"The server returns a 429 error, so the answer is (B)",
    r"The standard error is 5, so \boxed{5}",
    "Error: I misread the problem. The correct answer is 12.",
    "Timeout is 60 seconds, so the answer: 60",
    "The error in Agent 1's solution is the sign. (C)",
    'Traceback (most recent call last):\n  File "a.py", line 1\nZeroDivisionError: division by zero\n\nThe code divides by zero, so it prints nothing. The answer is (C).',
    "429",
    "500",
    "503.",
    "429 - 400 = 29",
    "500 + 24 = 524",
    "400 students are there.",
    "404",
    "450 apples: 450",
    "Error: 450 - 20 = 430.",
    "Error 404 students were counted twice, leaving 300",
    "The answer is 429.",
    "None of the above",
    "None of these",
    "(B)",
    "B",
    "B.",
    "error",
    "Status code 429 means too many requests. Answer: B",
    "HTTP 404 means not found, therefore (D).",
    "Internal Server Error is code 500. The answer is 500.",
    "Timeout: the answer is 60",
    "Timeout occurs after 3 retries of 20 seconds each: 3 * 20 = 60",
    "Timeouts are handled by option C.",
    "Rate limits are 10 per minute, so 60 minutes give 600",
    "Rate limit: 10 * 60 = 600",
    "Connection error in the proof: 3 is not prime. \\boxed{5}",
    "Failed after 5 attempts, he tries 3 more times, so he tries 8 times.",
    "An error occurred in step 2; the corrected total is 40",
    "Error analysis: I added 3 instead of 5. 18",
    "KeyError is raised (A).",
    "TypeError. The answer is D",
    "Network errors make up 5% of 200, i.e. 10.",
    '{"answer": 5, "error": null}',
    '{"answer": "B"}',
    '{"reasoning": "x", "answer": 42}',
    '{"error": "none", "answer": 3}',
    "[5]",
    "[B]",
    "<answer>5</answer>",
    "<B>",
    "Overloaded operators are option (A)",
    "I encountered an error in my previous calculation. The total is 12.",
    "There was an error in my previous answer: it is 14.",
    "Error in my earlier work: 7 * 6 = 42.",
    "Error correction: 5 + 3 = 8",
    "Error of 5 percent of 200 is 10",
    "Error found: agent 2 forgot 3 eggs. So 9 eggs.",
    "Error bound: 0.5",
    "Server A handles 500 requests, error 5 of them, leaving 495.",
    "500 errors out of 1000: 50%",
    "500: invalid guess; the total is 510",
    "Invalid: 5",
    "the request timed out at 30 s, thus 30",
    "CUDA out of memory means B",
    "The prompt is too long for 20 lines, the answer is 25",
    "Unavailable days: 5, so 25 days",
    "Step 1: 500. Error 0. Final: 500",
    "none",
    "no",
    "yes",
    "No.",
    "unknown",
    "N/A",
]


@pytest.mark.parametrize("text", FAILED)
def test_a_message_of_a_failed_call(text: str) -> None:
    assert is_failed_call(text, "number") and is_failed_call(text, "choice")


@pytest.mark.parametrize("text", REPLY)
def test_a_reply_that_speaks_of_errors(text: str) -> None:
    assert not is_failed_call(text, "number")


def test_no_collapse_comes_of_failed_calls(tmp_path: Path) -> None:
    """Two of three calls of the last round failed: one agent holds 17, and nobody answered 429. A first call that failed has its agent."""
    rounds = [
        ["17", "17", "timeout"],
        ["17", "Error code: 429 - {'error': {'code': 429}}", "17"],
        ["17", "Error code: 429", "Error code: 429"],
    ]
    contexts = [
        [m for r in rounds for m in ({"role": "user", "content": "3+14?"}, {"role": "assistant", "content": r[i]})] for i in range(3)
    ]
    log = tmp_path / "math_3_3.json"
    log.write_text(json.dumps({"3+14?": [contexts, 17]}))
    out = tmp_path / "out.jsonl"
    done = CliRunner().invoke(cli, ["import", "du", str(log), "--model", "m", "--out", str(out)])
    assert done.exit_code == 0, done.output
    line = json.loads(out.read_text())
    panels = [line["initial_states"], *line["round_traces"]]
    assert [{a["agent_id"]: a["answer"] for a in p} for p in panels] == [{"1": "17", "2": "17"}, {"1": "17", "3": "17"}, {"1": "17"}]
    receipt = json.loads((tmp_path / "out.jsonl.receipt.json").read_text())
    assert receipt["notes"]["texts that are the message of a failed call: absent"] == 4
    assert receipt["unknown_agents"]["debates"] == 0


@pytest.mark.parametrize(
    "text", ["ValueError: Requested tokens (2048) exceed context window of 512", "RuntimeError: CUDA error: device-side assert"]
)
def test_where_labels_are_asked_for_the_message_behind_the_name_tells(text: str) -> None:
    assert is_failed_call(text, "label") and is_failed_call(text, "number")
    assert not is_failed_call("ValueError", "label") and not is_failed_call("KeyError: 'choices'", "label")
