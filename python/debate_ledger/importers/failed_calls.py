r"""Texts that a call left which failed: the message of an error where a reply should be. Whoever left one was asked and could not speak.

A number coder reads 429 from `Error code: 429`, and a panel of such answers collapses. A text counts as one only where it begins as the
messages of servers, clients and libraries do, or is an object with an error, and its author says nothing else: a reply that weighs an
error, or states an answer, is a reply.
"""

# ruff: noqa: E501  (alternatives of one pattern stay together)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from debate_ledger.importers.debate import Debate, Note

#: What an import says of them.
FAILED = "texts that are the message of a failed call: absent"
#: A message says little outside of its objects and addresses; whoever writes more explains something.
MAX_WORDS = 130
#: Within so many characters a message tells itself; and so long is the longest word for nothing, with its brackets.
_MAX_BEGINNING, _MAX_WORD = 2_000, 50
#: A message stands in so many characters, objects and traces included; a longer text is not looked through.
_MAX_LENGTH = 40_000

#: What stands where a value should: Python's and JSON's words for nothing, and words of a kind that nobody answers with.
_NOTHING = re.compile(r"None|null|NULL|nan|NaN|undefined|ERROR|FAILED|FAILURE|TIMEOUT|EXCEPTION|API[_ ]ERROR|TIME[D]?[_ ]?OUT")
_NOTHING_BRACKETED = re.compile(
    r"(?:(?i:(?:api|llm|model|network|server|request|call|generation|connection)?[_ -]?(?:error|failure|exception|timeout|timed[_ -]?out|failed)|"
    r"no[_ -]?(?:response|reply|output)|rate[_ -]?limit(?:ed)?|n/?a|none|null|nan))"
)
_BRACKETS = re.compile(r"(?:\[(.{1,40})\]|<(.{1,40})/?>|\{(.{1,40})\}|\((.{1,40})\)|\*+(.{1,40}?)\*+|__(.{1,40})__)")

#: What a program writes before the message: marks and brackets, an apology, its own name for an error, a count of attempts.
_HEAD = r"[\W_]*(?:(?:sorry|oops|unfortunately|i'm sorry|i am sorry|apologies)\W+)?(?:but\s+)?"
_LABEL = (
    r"(?:(?:[\w.']+\s+){0,4}?(?:\w+_)?(?:error|exception|failure|failed|warning)(?:\s+(?:occurred|communicating|calling|generating|querying|getting|"
    r"fetching|connecting|processing|in|from|with|while|during|when|on|for|to|api|call|code|response|request|message|completion|model|llm|"
    r"openai|anthropic|gemini|[\w.-]+api))*\s*(?:[\[(][^\])]{0,60}[\])]\s*)?(?:[:\-–—>\])*.\"'\s]*[:\-–—>\])*.\"']\s*|(?=\{)))"
)
_REASONS = (
    "bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|request timeout|conflict|payload too large|"
    "request entity too large|unprocessable entity|too many requests|internal server error|internal error|not implemented|bad gateway|"
    "service (?:is )?(?:temporarily )?unavailable|gateway time-?out|overloaded|rate limit|rate-limit|resource (?:has been )?exhausted|quota|"
    "you exceeded your|a timeout occurred|the model is overloaded|client error|server error|deadline exceeded|unavailable|provider returned error|"
    "resource_exhausted|insufficient (?:quota|balance|credit)|invalid (?:api|request|argument|json|model)|timed? ?out|retries|throttl"
)
_CODE = r"[45]\d\d"
#: Messages by how they begin, behind what a program writes before them.
_BEGINNINGS = (
    # A status with its reason, or behind a word for status.
    rf"{_CODE}\s*[:\-–,]?\s*\(?(?:{_REASONS})(?![a-z])",
    rf"{_CODE}\s*[:\-–]?\s*[{{\[]",
    rf"(?:error|status|response|http)(?:[ _-]?(?:status|error|response))?[ _-]?code\s*[:=]?\s*(?:{_CODE}|1\d{{3}})\b",
    rf"http(?:/\d(?:\.\d)?)?(?: error| status)?\s*[:=]?\s*{_CODE}\b",
    rf"(?:api |server |client |http |gateway |openai |anthropic )?error\s*[:(]?\s*{_CODE}\s*(?:\)?\s*$|\)?\s*[:,\-–]\s*[a-z{{'\"]|\(?(?:{_REASONS}))",
    rf"(?:the )?(?:request|call|api(?: request| call)?|server|query)\s+(?:failed|returned|responded|rejected)\s+(?:with\s+|an?\s+)?"
    rf"(?:unexpected\s+)?(?:http\s+)?(?:status\s+|error\s+)?(?:status\s*)?(?:code\s*)?[:=]?\s*{_CODE}\b",
    rf"unexpected (?:http )?status(?: code)?\s*[:=]?\s*{_CODE}\b",
    rf"{_CODE} (?:client|server) error\b",
    rf"(?:bad gateway|gateway time-?out|internal server error|service unavailable|too many requests|forbidden|unauthorized)\s*[:(\-]?\s*(?:{_CODE})?\W*$",
    r"(?:the )?(?:internal server error|internal error encountered|service (?:is )?(?:temporarily |currently )?unavailable|too many requests|bad gateway)\b"
    r"(?=\W*$|[.:;,]? )(?! (?:is|means|was|has|in|on))",
    # Time and connection.
    r"(?:the |api |llm |model )?(?:request|call|connection|read|operation|generation|inference|query|response|task|socket)?\s*(?:has )?timed[ -]out\b"
    r"(?=\W*$|[.:,;!]? *(?:\(|after|while|waiting|during|for|please|trying|try|\.))",
    r"(?:[\w.]+ )?(?:request |read |connection |connect |gateway |api |call )?time-?out\b"
    r"(?=(?: \d[\d.]* ?(?:s|sec|seconds|ms|min)?)?\W*$|\s*[:(]\s*\S|\s+(?:after|of \d+ ?m?s|exceeded|occurred|error|while|waiting|expired|reached|reading|connecting))",
    r"(?:connection|network|connect|ssl|socket|proxy|dns) (?:error|reset|refused|aborted|closed|failed|lost|broken)\b(?! (?:in|is|means|was|of))",
    r"(?:could not|cannot|unable to|failed to) (?:connect|reach|resolve host|establish)\b",
    r"https?connectionpool\(",
    r"max retries exceeded|maximum (?:number of )?retries|retries exhausted|max(?:imum)? retry",
    r"upstream (?:connect error|request timeout|error|service)|no healthy upstream|remote end closed connection|peer closed connection|"
    r"incomplete chunked read|\(?'?connection aborted|server disconnected|response ended prematurely|deadline exceeded|request was aborted",
    # Limits, quotas, length, memory, filters.
    r"rate[ -]?limit(?:ed|s)?\b(?: (?:reached|exceeded|error|hit|for)|\W*$|\s*[:(](?!\s*[\d$]))|(?:this request|you) (?:would |have |has |are )?(?:exceed\w*|hit|being rate)\b"
    r".{0,40}(?:rate|quota|limit)|resource (?:has been )?exhausted|resource_exhausted|quota (?:exceeded|exhausted)|insufficient[_ ](?:quota|balance|credits)|"
    r"overloaded(?:_error)?\W*$|(?:the |that |this )?(?:server|engine|model)(?: [\w./-]+)? is (?:currently |temporarily )?(?:overloaded|unavailable|loading|at capacity)|"
    r"the server had an error|that model is currently|(?:we|we're) (?:are )?(?:currently )?experiencing (?:high|heavy)",
    r"(?:this|the) model'?s maximum context length|(?:the )?(?:prompt|input|context|requested tokens?|token count)\b.{0,60}"
    r"(?:is too long|too long|exceeds? (?:the |its )?(?:maximum|model|context|limit|max)|longer than the maximum)|context[_ ]length[_ ]exceeded|"
    r"requested tokens \(\d+\) exceed|please reduce the length of",
    r"(?:torch\.)?(?:cuda|hip|mps)(?: backend)?(?: error)?:? (?:out of memory|error)|out ?of ?memory(?:error)?\s*[:.]|outofmemory|cublas|device-side assert|"
    r"you exceeded your current quota|your credit balance|incorrect api key|invalid api key|no api key|authentication (?:error|failed)|"
    r"content[_ ]filter\b|the response was filtered|response was blocked|blocked by (?:safety|content)|finish_?reason|"
    r"the response\.text quick accessor|invalid operation: the `?response",
    # Attempts.
    r"(?:error|failed|failure|gave up|giving up|exhausted|aborted|no (?:response|reply|answer|output))(?: to [\w ]{1,60}?)?\s*(?:\(|after|:)?\s*"
    r"(?:all )?(?:attempts?|retry|retries|\d+ (?:\w+ )?(?:attempts|retries|tries|times))\b",
    r"(?:attempt|retry) \d+(?:/\d+)? (?:failed|error)|all (?:\d+ )?(?:attempts|retries|requests) failed",
    r"(?:failed to|could not|unable to) (?:get|generate|obtain|fetch|receive|parse|produce|retrieve|complete|call|query)\b[\w ]{0,30}"
    r"(?:response|reply|output|completion|result|content|api|model|llm|request|candidate)\b",
    r"(?:no|empty) (?:response|reply|output|completion)(?: (?:from|received|returned|generated|was|available)\b|\W*$)",
    r"(?:api|llm|model|server|network|generation|inference|openai|anthropic|gemini|ollama|vllm|litellm|client) (?:call |request )?(?:error|failed|failure|unavailable)\b"
    r"(?! (?:is|in|means|was|of|analysis))",
    r"an (?:unexpected |unknown |internal )?error (?:has )?occurred(?:\W*$| \(\w+\) when calling)|an (?:unexpected |unknown |internal )?error (?:has )?occurred (?:while|during|when|with)\b"
    r"|something went wrong|unknown error\W*$|unexpected error\W*$",
    # What str(error) leaves of an exception.
    r"errno -?\d+\]|nonetype'? object (?:has no|is not)|(?:list|string|tuple) index out of range\W*$|expecting (?:value|property name|',' delimiter)\b.{0,60}"
    r"line \d+ column \d+|extra data: line \d+",
)  # fmt: skip
_BEGINS = re.compile(rf"{_HEAD}(?:(?:{_LABEL}){{0,3}}(?:{'|'.join(_BEGINNINGS)})|(?:{_LABEL}){_CODE}\W*$)", re.IGNORECASE)
#: The name of an exception as Python and others print it, with its module or its message.
_RAISED = re.compile(
    r"[\W_]*(?:(?i:error|exception|failed|failure)[:\s]+)?(?P<name>(?:[A-Za-z_]\w*\.)*[A-Za-z]\w*(?:Error|Exception|Timeout|TimeOut|Exhausted|"
    r"ServiceUnavailable|TooManyRequests|DeadlineExceeded|Unavailable|Overloaded|Warning)|(?:google|grpc|openai|httpx|requests|aiohttp|litellm)(?:\.\w+)+)"
    r"(?=\s*[:(<\[]|\s+-\s|\W*$)"
)
_NO_NAME = re.compile(r"error|exception|warning|timeout|unavailable", re.IGNORECASE)
#: Exceptions of any program: what a question about code asks for.
_OF_PROGRAMS = re.compile(
    r"(?:Value|Type|Key|Index|Name|Attribute|ZeroDivision|Syntax|Indentation|Arithmetic|Assertion|Overflow|Recursion|UnboundLocal|Import|"
    r"ModuleNotFound|Runtime|Lookup|NotImplemented|FileNotFound|Unicode\w*|Memory|NullPointer|ArrayIndexOutOfBounds|ClassCast|"
    r"ConcurrentModification|Number[Ff]ormat|IllegalArgument|IllegalState|Floating[Pp]oint|OS|IO)(?:Error|Exception)|Error|Exception"
)
_TRACE = re.compile(r"\s*Traceback \(most recent call last\)")
_LAST_LINE = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Timeout|Exhausted|Interrupt|Exit|Unavailable|Warning)\b", re.MULTILINE)
#: An object whose first keys say that it is an error, as JSON or as Python prints it; a page of a server.
_OBJECT = re.compile(
    r"""\s*(?:data:\s*)?[{\[]\s*\{?\s*["'](?:(?:type|object|status|success|ok|id|choices)["']\s*:\s*(?:["'](?:error|failed|failure)["']|false|False|null|None)"""
    r"""\s*,\s*["'])?(?:error|errors|error_message|error_code|error_type|errorMessage|exception|detail|message|code|status|status_code|statusCode)["']\s*:\s*(?P<is>.)""",
    re.IGNORECASE,
)
_ERROR_KEY = re.compile(
    r"""["'](?:error|errors|error_message|error_code|error_type|errorMessage|exception)["']\s*:\s*(?!null|None|false|False|["']{2}|\{\})"""
)
_ERROR_WORD = re.compile(
    rf"(?i)error|exception|time-?out|timed out|rate.?limit|overloaded|exhausted|unavailable|quota|["
    rf"'\"](?:code|status|status_?code)[\"']\s*:\s*[\"']?{_CODE}\b"
)
_PAGE = re.compile(
    rf"\s*<(?:!doctype html|html|head|center|h1|title|error|err)\b.{{0,2000}}?(?:{_CODE}|{_REASONS})", re.IGNORECASE | re.DOTALL
)
#: The author's own answer, or weighing of one.
_STATED = re.compile(
    r"\\boxed|####|\b(?:final|correct|right|best|my|updated|true)\s+(?:answer|choice|option|solution)\b|"
    r"\banswers?\b(?! (?:from|for|after|within|could|due|timed|failed|was not))\s*(?:is|are|:|=|would|should|must|remains|stays|\()|"
    r"\(\s*[A-Ja-j]\s*\)|\b(?:option|choice)s? \(?[A-J]\b|(?<![\w.])[A-J]\)|(?:^|[\s*])[A-J][.*]*\s*\Z|^\s*\**[A-J][.:)]\s|\bagent(?:s|'s)? \d|"
    r"\b(?:therefore|thus|hence|so (?:the|it|we|he|she|they|that|there)|so,|we (?:get|have|find|need|can)|I (?:think|believe|misread|made|agree|choose|chose|would|will|conclude)|"
    r"let's|let me|step \d|in conclusion|misread|mistake|the question)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ASIDE = re.compile(r"\{.*\}|\[.*\]|https?://\S+", re.DOTALL)
_OBJECTS = re.compile(r"\{.*\}", re.DOTALL)


def is_failed_call(text: str | None, kind: str = "") -> bool:
    """Whether a text is the message of a call that failed. ``kind`` is the kind of answer: a label may be the name of an exception."""
    return bool(text) and (_says_nothing(text.strip()) or is_error_message(text, kind))


def is_error_message(text: str, kind: str = "") -> bool:
    """The same without the words for nothing, which in a column of answers say that a parser found none."""
    if len(text) > _MAX_LENGTH:
        return False
    if _TRACE.match(text):
        return _is_trace(text)
    if found := _OBJECT.match(text):
        return _is_error_object(text.strip(), found["is"])
    if _PAGE.match(text):
        return not _STATED.search(re.sub(r"<[^>]*>", " ", text))
    raised = _RAISED.match(text)
    # A name alone is no message (Error, Warning), and one of a program's may be what is asked for.
    is_asked_for = raised is not None and kind == "label" and _OF_PROGRAMS.fullmatch(raised["name"]) is not None
    if raised and (_NO_NAME.fullmatch(raised["name"]) or is_asked_for):
        raised = None
    message = text.partition(":")[2] if is_asked_for else text
    if not raised and not _BEGINS.match(message[:_MAX_BEGINNING]):
        return False
    return len(_ASIDE.sub(" ", text).split()) <= MAX_WORDS and not _STATED.search(_OBJECTS.sub(" ", text))


def _says_nothing(text: str) -> bool:
    if len(text) > _MAX_WORD:
        return False
    if _NOTHING.fullmatch(text):
        return True
    inner = _BRACKETS.fullmatch(text)
    return inner is not None and _NOTHING_BRACKETED.fullmatch(next(g for g in inner.groups() if g).strip()) is not None


def _is_trace(text: str) -> bool:
    """Whether nothing but the trace stands there: no explanation follows the line of the exception."""
    lines = list(_LAST_LINE.finditer(text))
    if not lines:
        # Cut off within the trace: nothing stands beside its lines.
        return not _STATED.search(text)
    _, _, after = text[lines[-1].start() :].partition("\n")
    own = [line for line in after.splitlines() if line.strip() and not line.startswith((" ", "\t"))]
    return len(" ".join(own).split()) <= 25 and not _STATED.search(after)


def _is_error_object(text: str, begins: str) -> bool:
    """Whether an object holds an error and no reply beside it."""
    if text[-1] not in "}])'\"" and len(text.rpartition("}")[2].split()) > 12:
        return False
    has_error = _ERROR_KEY.search(text) is not None or (begins not in "nNfF" and _ERROR_WORD.search(text[:400]) is not None)
    return has_error and not re.search(r"""["'](?:answer|final_answer|content|text|reasoning)["']\s*:\s*["']?[^"'\s,}]""", text)


def without_failed(debate: Debate) -> Iterator[Debate | Note]:
    """A debate in which whoever's call failed stands not in the round, and a note for each; later rounds of nobody were not held.

    An agent whose first call failed was there from the start. Raises Bad where nobody has an answer of its own before the debate.
    """
    from debate_ledger.importers.debate import Note, check_first

    n = sum(a.is_failed for panel in debate.rounds for a in panel)
    if not n:
        yield debate
        return
    first = dict.fromkeys(a.agent_id for a in debate.rounds[0])
    rounds = [[a for a in panel if not a.is_failed] for panel in debate.rounds]
    while rounds and not rounds[-1]:
        rounds.pop()
    check_first(rounds)
    yield from (Note(FAILED) for _ in range(n))
    is_known = len(rounds[0]) == len(first) or debate.agents
    yield replace(debate, rounds=rounds, agents=debate.agents if is_known else tuple(first))
