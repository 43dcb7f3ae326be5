r"""Replies in which the prompt comes back: what they quote is nobody's answer, what stands after it is the agent's own.

A model that is asked to go on with a text may print all of it again: the question word by word, or the conversation as Python writes it,
`USER: ['…\n…'] ASSISTANT: `, in which a line break is two characters and an apostrophe may have a backslash.
"""

from __future__ import annotations

import re

#: A question this short may stand in an honest reply; a longer one that stands there word by word is the prompt come back.
MIN_ECHO = 20
#: The first turn of a conversation that came back: its list of prompts, or a text that begins so.
_CONVERSATION = re.compile(r"\A\s*USER:|\b(?i:USER):(?=\s*\[\s*['\"{])")
_LIST = re.compile(r"\s*\[")
_REPLY = re.compile(r"\s*ASSISTANT:", re.IGNORECASE)
_ANY_REPLY = re.compile(r"\bASSISTANT:")
_USER = re.compile(r"\bUSER:(?=\s*\[)", re.IGNORECASE)
#: What may stand behind the quotation mark that ends a text of a list; another one is a part of the text.
_AFTER_TEXT = re.compile(r"\s*(?:[\]}:]|,\s*['\"\]}\[{]|\Z)")
_QUOTES = "'\""


def own_part(text: str, question: str) -> str | None:
    """What an agent says itself after the prompt that came back; None where it says no more. A reply without an echo is the agent's own."""
    own = _after_conversation(text)
    own = _after_question(text if own is None else own, question)
    return own if own.strip() else None


def _after_conversation(text: str) -> str | None:
    """What stands behind the last `ASSISTANT:` of a conversation that came back; None where none did."""
    found = _CONVERSATION.search(text)
    if found is None:
        return None
    at, own = found.end(), ""
    while True:
        if start := _LIST.match(text, at):
            ends = _literal_end(text, start.end() - 1)
            # A list that breaks off is all prompt: what it quotes may hold `ASSISTANT:` too.
            reply = None if ends is None else _REPLY.match(text, ends)
        else:
            reply = _ANY_REPLY.search(text, at)
        if reply is None:
            return own
        turn = _USER.search(text, reply.end())
        if turn is None:
            return text[reply.end() :]
        at, own = turn.end(), text[reply.end() : turn.start()]


def _literal_end(text: str, at: int) -> int | None:
    """Where the Python list ends that begins at a place; None where it breaks off."""
    depth = 0
    while at < len(text):
        sign = text[at]
        if sign in _QUOTES:
            ends = _text_end(text, at)
            if ends is None:
                return None
            at = ends
            continue
        depth += (sign in "[{(") - (sign in "]})")
        at += 1
        if depth == 0:
            return at
    return None


def _text_end(text: str, at: int) -> int | None:
    """Where the quoted text ends that begins at a place. A mark that nobody escaped ends it only where a list could go on."""
    quote, at = text[at], at + 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == quote and _AFTER_TEXT.match(text, at + 1):
            return at + 1
        else:
            at += 1
    return None


def _after_question(text: str, question: str) -> str:
    """What stands behind the last time that the whole question is said, if it is said at all."""
    words = question.split()
    if not words:
        return text
    if " ".join(text.split()).casefold() == " ".join(words).casefold():
        return ""
    if len(" ".join(words)) < MIN_ECHO:
        return text
    pattern = r"(?:\s|\\[nrt])+".join(map(_as_printed, words))
    ends = [found.end() for found in re.finditer(pattern, text, re.IGNORECASE)]
    return text[ends[-1] :] if ends else text


def _as_printed(word: str) -> str:
    """A pattern of a word as it stands, or as Python prints it in a list: with a backslash before quotation marks and backslashes."""
    return "".join(rf"\\*{re.escape(c)}" if c in _QUOTES else r"\\{1,2}" if c == "\\" else re.escape(c) for c in word)
