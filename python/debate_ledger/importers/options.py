"""The options of a question, as its text or record lists them, and which of them a key or an answer names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from debate_ledger.importers.normalise import normalise_answer

#: What may stand before the option in a key or an answer.
_LEAD = re.compile(
    r"(?:the +)?(?:(?:correct|right|final|best) +)*(?:answer|option|choice)\b(?: +is\b)?[ :]*(?:(?:option|choice)\b *)?", re.I
)
_LETTER = re.compile(r"[(\[*]*([A-Za-z])[)\]*]*[.:]?")
#: A letter in brackets is one whatever follows; behind "A." or "A:" a name may stand (A. Einstein).
_LETTER_AND_TEXT = re.compile(r"(?P<bracket>\(?\[?(?P<in>[A-Z])[)\]])[.:]? *(?P<of>\S.*)|(?P<mark>[A-Z])[.:] *(?P<text>\S.*)", re.S)
_MARK = re.compile(r"(?:^|[\s(\[])([A-Z])[).:\]]")
#: Keys that say that there is none.
_NO_KEY = frozenset(("n/a", "na", "#n/a", "nan", "null", "none", "unknown", "-", "--", "not available", "no answer"))
_WORDS = ("none", "unknown")


class Options(tuple[str, ...]):
    """Labels of the options in their order; ``texts`` are the options' own texts as they are compared, where they are known."""

    texts: Mapping[str, str]

    def __new__(cls, labels: Iterable[str], texts: Mapping[str, str] | None = None) -> Options:
        """Options with these labels."""
        made = super().__new__(cls, labels)
        made.texts = {label: text for label, text in (texts or {}).items() if label in made}
        return made

    @classmethod
    def of(cls, listed: Mapping[str, object]) -> Options:
        """Options given as {label: text}."""
        return cls(listed, {label: normalise_answer(text, "label") or "" for label, text in listed.items() if isinstance(text, str)})

    def named(self, value: object) -> str | None:
        """The option that a value names by its letter, or else by its text; None where it names none, or more than one."""
        letter = normalise_answer(value, "choice")
        if letter in self:
            return letter
        if not isinstance(value, str):
            return None
        said = " ".join(value.split())
        led = _LEAD.match(said)
        said = said[led.end() :] if led else said
        letter = _LETTER.fullmatch(said)
        if led and letter and letter[1].upper() in self:
            return letter[1].upper()
        both = _LETTER_AND_TEXT.fullmatch(said)
        if both and (both["in"] or both["mark"]) in self:
            label, by_text = both["in"] or both["mark"], self._of_text(both["of"] or both["text"])
            # A letter beside the text of another option names neither.
            return label if by_text in (None, label) and (both["in"] or self.texts) else None
        return self._of_text(" ".join(value.split())) or self._of_text(said)

    def _of_text(self, said: str) -> str | None:
        wanted = normalise_answer(said, "label")
        last = self[-1] if self else None
        # Behind the last option the question may go on.
        found = [
            label for label, text in self.texts.items() if wanted and (text == wanted or (label == last and text.startswith(f"{wanted}. ")))
        ]
        return found[0] if len(found) == 1 else None


def options_in(text: object) -> Options | None:
    """The options that a question lists as A) … B) … or (A) … (B) …; None where it lists fewer than two, from A on."""
    if not isinstance(text, str):
        return None
    marks: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if len(marks) < 26 and mark[1] == chr(ord("A") + len(marks)):
            marks.append(mark)
    if len(marks) < 2:
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    texts = {}
    for mark, end in zip(marks, ends, strict=True):
        said = text[mark.end() : end].strip().partition("\n")[0]
        texts[mark[1]] = normalise_answer(said.strip(" ,;"), "label") or ""
    return Options((mark[1] for mark in marks), texts)


def letter_of_key(gold: object) -> str | None:
    """The letter of a key such as "(B) wood", "Option B" or "The answer is B", which is one without a look at the options."""
    if not isinstance(gold, str):
        return None
    said = " ".join(gold.split())
    led = _LEAD.match(said)
    letter = _LETTER.fullmatch(said[led.end() :]) if led and led.end() else None
    both = _LETTER_AND_TEXT.fullmatch(said[led.end() :] if led else said)
    return letter[1].upper() if letter else both["in"] if both else None


def is_no_key(gold: object, options: Options | None, kind: str) -> bool:
    """Whether a key says that there is none (N/A, nan, …); the name of an option is a key, and so is a word where labels are asked for."""
    if not isinstance(gold, str) or (options and options.named(gold)):
        return False
    word = gold.strip().casefold()
    return word in _NO_KEY and not (kind == "label" and word in _WORDS)
