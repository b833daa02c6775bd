"""Passages cut from real transcripts, with their place: the raw material of labelled quotes."""

import random
import re
import unicodedata
from dataclasses import dataclass

from core.evidence.contract import Span
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_WORD = re.compile(r"\S+(?:(?<=[0-9])\s+(?i:hundred|thousand|[mbtr]+illion|percent|lakh|crore)\S*)?")
"""A word; a number goes with the word that multiplies it."""

_BREAK = re.compile(r"\\+[nrt]")
_LIST_NUMBER = re.compile(r"(?m)^\s*[0-9]{1,3}[.)]\s+")
NEGATIONS = re.compile(
    r"(?i)\b(not|no|never|none|nor|neither|nobody|nothing|nowhere|cannot|without|hardly|scarcely|barely|unless|except|non"
    r"|sin(?!\()|ne|na|mat|bina|pas|sans|nie|bez|nada|nao|nem|yok|nahi|nahin|nicht|kein|keine|ohne|\w+n[’']t|dont|cant|wont|isnt|didnt)\b"
    r"|(?<!\S)(?:नहीं|नही|ना|न|मत|बिना)(?![\w\u0900-\u097f])"
)
RESTRICTIONS = re.compile(
    r"(?i)\b(instead of|rather than|other than|less than|fewer than|only (if|when|where|after|once)|excluding|rarely"
    r"|seldom|unable|(refuse|fail|decline)[sd]?(ed)? to|far from|stopped|(to|you|we|they|must|will|should) stop"
    r"|avoid\w*|prevent\w*|den(y|ies|ied)|false|untrue|ceased?|impossible|forbid\w*|prohibit\w*|banned|refrain from"
    r"|rule[ds]? out|short of)\b"
)
"""Words that restrict, except or refuse; such a gap is held too."""


@dataclass(frozen=True)
class Passage:
    """Words of one message, from the beginning of a word to the end of one: ``content[start:end] == text``."""

    transcript: Transcript
    turn: int
    start: int
    end: int

    @property
    def content(self) -> str:
        return self.transcript.messages[self.turn].content

    @property
    def text(self) -> str:
        return self.content[self.start : self.end]

    @property
    def span(self) -> Span:
        return Span(self.turn, self.start, self.end)

    def with_source(self, text: str) -> "Passage":
        """The same passage in a transcript whose passage reads ``text`` instead."""
        messages = list(self.transcript.messages)
        changed = self.content[: self.start] + text + self.content[self.end :]
        messages[self.turn] = messages[self.turn].model_copy(update={"content": changed})
        return Passage(Transcript(messages=tuple(messages)), self.turn, self.start, self.start + len(text))

    def part(self, start: int, end: int) -> "Passage":
        """A passage within the passage; offsets count from its start."""
        return Passage(self.transcript, self.turn, self.start + start, self.start + end)


@dataclass(frozen=True)
class Labelled:
    """A quote, and the truth about it: the spans it comes from, or None where it must not be grounded."""

    quote: str
    transcript: Transcript
    spans: tuple[Span, ...] | None
    speaker: Role | None = Role.ASSISTANT


def passage(transcript: Transcript, chance: random.Random, fewest: int = 8, most: int = 28) -> Passage | None:
    """Some words of the agent, cut at white space, edge marks left out; None where it says too little."""
    turns = [
        t for t, m in enumerate(transcript.messages) if m.role is Role.ASSISTANT and len(m.content.split()) > fewest
    ]
    if not turns:
        return None
    turn = chance.choice(turns)
    content = transcript.messages[turn].content
    words = list(_WORD.finditer(content))
    first = chance.randrange(len(words) - fewest)
    last = min(len(words) - 1, first + chance.randint(fewest, most) - 1)
    return trimmed(Passage(transcript, turn, words[first].start(), words[last].end()))


def trimmed(found: Passage) -> Passage | None:
    """The passage from its first letter or digit to its last, if nothing of a quantity or a word is cut off by that."""
    text = found.text
    start = next((index for index, letter in enumerate(text) if letter.isalnum()), None)
    if start is None:
        return None
    end = max(index for index, letter in enumerate(text) if letter.isalnum()) + 1
    while end < len(text) and _is_mark(text[end]):
        end += 1
    if _BREAK.search(text[max(0, end - 2) : end]):
        return None
    around = found.content[max(0, found.start - 3) : found.start], found.content[found.end : found.end + 3]
    cut = around[0] + text[:start] + text[end:] + around[1]
    if any(mark in cut for mark in "$€₹£%-+#@=~≈<>/\\^&°") or any(
        letter.isalnum() for letter in text[:start] + text[end:]
    ):
        return None
    return found.part(start, end)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] == "M"


def plain_words(text: str) -> str:
    """Words and numbers in lower case, parted by one space each: an independent way to see whether text is there."""
    return " " + " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", _broken(text)).casefold())) + " "


def _broken(text: str) -> str:
    """The text with escaped line breaks broken."""
    return _BREAK.sub("\n", text)


def _both_ways(text: str) -> tuple[str, str]:
    """The plain words with the numbers of lists, and without."""
    return plain_words(text), plain_words(_LIST_NUMBER.sub("", _broken(text)))


def negates(text: str) -> bool:
    """Whether a word of the text negates."""
    return bool(NEGATIONS.search(_broken(text)))


def stands_anyway(quote: str, transcript: Transcript) -> bool:
    """Whether the words of the quote stand somewhere by accident, so that it is no falsehood."""
    return any(plain_words(quote) in words for message in transcript.messages for words in _both_ways(message.content))


def in_order(first: str, second: str, content: str) -> bool:
    """Whether the words of both pieces stand in the message in this order."""
    for words in _both_ways(content):
        _, found, rest = words.partition(plain_words(first))
        if found and plain_words(second) in f" {rest}":
            return True
    return False


def stands_elsewhere(found: Passage) -> bool:
    """Whether the words of the passage stand more than once, so that no single place is the right one."""
    contents = [_both_ways(message.content) for message in found.transcript.messages]
    return any(
        sum(content[way].count(wanted) for content in contents) > 1 for way, wanted in enumerate(_both_ways(found.text))
    )


def with_message(transcript: Transcript, role: Role, content: str) -> Transcript:
    """The transcript with one more message at its end."""
    return Transcript(messages=(*transcript.messages, Message(role=role, content=content)))
