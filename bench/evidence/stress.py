"""Texts and quotes that are made to hurt, each at three lengths, to show what they cost and that the cost is linear."""

import time
from collections.abc import Callable, Iterator

from core.evidence import prepare
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_LENGTHS = (50_000, 100_000, 200_000)
_LIMIT = 0.3
"""Seconds that 200,000 characters may take."""

_WORDS = "we pay the fee back to you in ten days"
_LINE = "The customer asked about order {0} and the agent looked at page {0} of the catalogue again. "
_CATALOGUE = "".join(map(_LINE.format, range(2_150)))
_ABSENT = "the crimson lighthouse keeper forgave every wandering gull before supper number {0}"

_SHAPES = {
    "a word": "no ",
    "half a quote": "we pay the fee back ",
    "one long word": "a",
    "digits": "0",
    "open brackets": "[",
    "nested links": "[[a](b) ",
    "asterisks": "*",
    "bold letters": "**a** ",
    "backslashes": "\\",
    "escaped line breaks": "\\\\n",
    "entities": "&amp;amp;",
    "zero-width": "a\u200b",
    "combining marks": "\u0301",
    "accents in two characters": "e\u0301",
    "ellipses": "a b c ... ",
    "list numbers": "1. a\n",
    "deep quotation": "> ",
    "tags": "<b>",
    "Chinese": "退款",
    "apostrophes": "'",
    "hyphens": "a-",
    "line breaks": "\n",
}
"""What is said again and again."""


def report() -> Iterator[str]:
    """The lines of the table: each shape as the transcript, as the quote, and as both."""
    lengths = " / ".join(f"{length // 1000}" for length in _LENGTHS)
    yield f"hostile shapes, ms at {lengths} thousand characters (goal {1000 * _LIMIT:.0f} at the last)"
    for name, unit in _SHAPES.items():
        for case, asked in _CASES.items():
            yield _row(f"{name}, {case}", [_dearest(*asked(unit, length)) for length in _LENGTHS])
    absent = tuple(_ABSENT.format(number) for number in range(30))
    yield f"30 absent quotes of 12 words in 200 kB: {1000 * _seconds(_CATALOGUE, absent):.0f} ms (goal 100)"


def _row(name: str, seconds: list[float]) -> str:
    marks = "".join(f"{1000 * each:7.0f}" for each in seconds)
    return f"  {name:36}{marks}{'   over the goal' if seconds[-1] > _LIMIT else ''}"


def _as_transcript(unit: str, length: int) -> tuple[str, tuple[str, ...]]:
    """Asked for other words, for words that begin as the text does, and for words that stand there throughout."""
    return _repeated(unit, length), (_WORDS, unit * 6 + "b c d", unit * 8)


def _as_quote(unit: str, length: int) -> tuple[str, tuple[str, ...]]:
    return _CATALOGUE, (_repeated(unit, length),)


def _as_both(unit: str, length: int) -> tuple[str, tuple[str, ...]]:
    return _repeated(unit, length), (_repeated(unit, length // 2) + "z",)


_CASES: dict[str, Callable[[str, int], tuple[str, tuple[str, ...]]]] = {
    "transcript": _as_transcript,
    "quote": _as_quote,
    "both": _as_both,
}


def _repeated(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def _dearest(text: str, quotes: tuple[str, ...]) -> float:
    return max(_seconds(text, (quote,)) for quote in quotes)


def _seconds(text: str, quotes: tuple[str, ...]) -> float:
    """CPU seconds to prepare the text and to ask it for every quote; the better of two runs."""
    transcript = Transcript(messages=(Message(role=Role.ASSISTANT, content=text),))
    runs = []
    for _ in range(2):
        started = time.process_time()
        prepared = prepare(transcript)
        for quote in quotes:
            prepared.ground(quote)
        runs.append(time.process_time() - started)
    return min(runs)
