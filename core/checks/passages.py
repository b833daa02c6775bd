"""Sentences and clauses of a turn, as offsets into the verbatim text.

Part of the checks, second station of the flow. Promise: ``text[passage.start:passage.end]`` is what was said, without
surrounding blanks, list marks or JSON punctuation, so a passage can be used as evidence as it stands.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|approx|no|nos|vs|mr|mrs|ms|dr|prof|st|rs|p\.a|a\.m|p\.m|incl|max|min|dept)|\b[A-Z])\.$",
    re.I,
)
_SENTENCE_END = re.compile(
    r"(?:\r?\n|(?:\\r)?\\n|\\t)+"  # line breaks, also those of a reply that is itself JSON text
    r"|[.!?…]{1,9}[\"'”’)\]*_]{0,9}(?=\s|\\|$)"
    r"|[。！？।]+"
)
_CLAUSE_END = re.compile(
    r"[,;:]{1,9}(?=[\s\"\\])\s{0,9}(?:(?:and|or)\s)?|\s{1,9}[–—-]\s|—|\s{1,9}(?=(?:but|because|although|though)\s)"
)
_EDGE_BEFORE = re.compile(r"(?:\s|\\[nrt]|[-*•#>_{}\[\]|,:;]|\\?\"|\d{1,2}[.)]\s)+")
_KEY = re.compile(r"[\w ]{1,40}\\?\"\s*:\s*(?:\\?\")?")
"""The key of a reply that is itself JSON text."""
_CLOSING = ".!?…。！？।"
"""Marks that belong to the sentence that they end."""
_LONGEST_ABBREVIATION = 8
_WORDS_WITHOUT_KEY = 3
_LONG_SENTENCE = 300
_SHOWN_WORDS = 120
_EDGE_AFTER = ' \t\r\n*_{}[]|\\,;:"–—'


@dataclass(frozen=True)
class Passage:
    """A stretch of a text: code points, half-open."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words of the passage in its text."""
        return text[self.start : self.end]


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[Passage, ...]:
    """The sentences and list lines of a text, in order; empty ones are left out."""
    return tuple(_cut(text, Passage(0, len(text)), _SENTENCE_END))


@lru_cache(maxsize=1024)
def clauses(text: str, sentence: Passage) -> tuple[Passage, ...]:
    """The clauses of a sentence: cut at commas, colons, dashes and a few conjunctions, never inside a number."""
    return tuple(_cut(text, sentence, _CLAUSE_END))


def passage_at(passages: tuple[Passage, ...], position: int) -> Passage | None:
    """The passage that holds this position."""
    index = bisect_right(passages, position, key=lambda each: each.start) - 1
    return passages[index] if index >= 0 and position < passages[index].end else None


def proof_at(text: str, position: int) -> Passage | None:
    """The sentence around a position, or its clause where the sentence is so long that it would hide the words."""
    sentence = passage_at(sentences(text), position)
    if sentence is None or sentence.end - sentence.start <= _LONG_SENTENCE:
        return sentence
    return passage_at(clauses(text, sentence), position) or sentence


def shortened(words: str) -> str:
    """Words for an observation: on one line, and cut after a word where they are many."""
    line = " ".join(words.split())
    return line if len(line) <= _SHOWN_WORDS else line[:_SHOWN_WORDS].rsplit(" ", 1)[0] + " …"


def is_question(text: str, sentence: Passage) -> bool:
    """Whether the sentence ends with a question mark."""
    return sentence.of(text).rstrip(" \"'”’)*_").endswith(("?", "？"))


def quoted(text: str, start: int, end: int) -> bool:
    """Whether these words stand between quotation marks on their line, so that somebody else's words are repeated."""
    line_start = max(text.rfind("\n", 0, start), text.rfind("\\n", 0, start)) + 1
    before, after = text[line_start:start], text[end : end + 200].split("\n")[0]
    if before.count("“") > before.count("”") and "”" in after:
        return True
    return before.count('"') % 2 == 1 and '"' in after and not _is_json(text)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def _cut(text: str, whole: Passage, end: re.Pattern[str]) -> Iterator[Passage]:
    start = whole.start
    for mark in end.finditer(text, whole.start, whole.end):
        if mark.group().startswith(".") and _ABBREVIATION.search(
            text, max(start, mark.start() - _LONGEST_ABBREVIATION), mark.start() + 1
        ):
            continue
        closes = mark.group()[0] in _CLOSING
        yield from _trimmed(text, start, mark.end() if closes else mark.start())
        start = mark.end()
    yield from _trimmed(text, start, whole.end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Passage]:
    start = _without_edge(text, start, end)
    key = _KEY.match(text, start, end)
    if key and len(text[key.end() : end].split()) >= _WORDS_WITHOUT_KEY:
        start = _without_edge(text, key.end(), end)
    while end > start and text[end - 1] in _EDGE_AFTER:
        end -= 1
    if any(character.isalnum() for character in text[start:end]):
        yield Passage(start, end)


def _without_edge(text: str, start: int, end: int) -> int:
    edge = _EDGE_BEFORE.match(text, start, end)
    return edge.end() if edge else start
