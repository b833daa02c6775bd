"""Passages that speak to whoever reviews a session, or to the machinery of the review.

Screening. Such words belong in no ordinary session: orders to ignore orders, forged turns, a false end, a demand about
the review's outcome. Forms are found by patterns (``addressed_words``), what words mean together by concepts
(``addressed_concepts``), also over two turns of one speaker and when hidden (zero-width characters, look-alike letters,
Base64, spaced letters). What follows from one is decided elsewhere: whatever a critic writes of such a session is held
for a person, and a reply that finds nothing does not count. Takes time in proportion to the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.screening.addressed_concepts import concept_passages
from core.screening.addressed_words import signs, spelt_apart
from core.screening.hidden_text import decoded_runs
from core.screening.seen import Seen, as_seen, in_digits, reversed_runs, spaced_runs, tag_runs
from core.transcripts.message import Message, Transcript
from core.vocabulary import TOLD, Role

_NEAR = 240
"""Characters at the end of one turn and the beginning of the speaker's next that are read together."""


class Why(StrEnum):
    """What a passage does."""

    IGNORES_INSTRUCTIONS = "ignores_instructions"
    FORGES_TURN = "forges_turn"
    FORGES_END = "forges_end"
    SPEAKS_TO_REVIEWER = "speaks_to_reviewer"
    DICTATES_RATING = "dictates_rating"
    DICTATES_REPLY = "dictates_reply"

    @property
    def in_words(self) -> str:
        """What a person is told."""
        return _IN_WORDS[self]


_IN_WORDS = {
    Why.IGNORES_INSTRUCTIONS: "It orders a reader to ignore other orders.",
    Why.FORGES_TURN: "It imitates the beginning of another turn.",
    Why.FORGES_END: "It pretends that the session is over.",
    Why.SPEAKS_TO_REVIEWER: "It speaks to whoever reviews the session.",
    Why.DICTATES_RATING: "It says how the session is to be rated.",
    Why.DICTATES_REPLY: "It says what the review is to write.",
}

_IN_PROMPTS = frozenset({Why.IGNORES_INSTRUCTIONS, Why.FORGES_TURN, Why.FORGES_END})
"""What an agent's own prompt may do: it shows examples of turns, and says what to do about orders to ignore orders."""


@dataclass(frozen=True)
class Passage:
    """Where a text speaks to a reviewer: code points, half-open. ``hidden`` says that a reader would not see it so."""

    start: int
    end: int
    why: Why
    hidden: bool = False


@dataclass(frozen=True)
class Addressed:
    """A passage in the turn at index ``turn``.

    ``part`` is ``text``, ``name``, ``call 1`` for a call's arguments, ``id of call 1``, or ``answered call``.
    """

    turn: int
    start: int
    end: int
    why: Why
    hidden: bool = False
    part: str = "text"


def speaks_to_reviewer(transcript: Transcript) -> tuple[Addressed, ...]:
    """Every such passage of a transcript, in order; one that two turns of a speaker share is named in both.

    The agent's own prompt, which is what was told before anybody spoke, may show turns and speak of orders to ignore.
    """
    found: list[Addressed] = []
    spoken = False
    before: dict[Role, int] = {}
    for turn, message in enumerate(transcript.messages):
        spoken = spoken or message.role not in TOLD
        for part, text in _texts(message):
            for each in passages_to_reviewer(text):
                if spoken or each.why not in _IN_PROMPTS:
                    found.append(Addressed(turn, each.start, each.end, each.why, each.hidden, part))
        if spoken and message.role in before:
            found += _over_two_turns(transcript, before[message.role], turn)
        before[message.role] = turn
    return tuple(sorted(found, key=lambda each: each.turn))


def _over_two_turns(transcript: Transcript, earlier: int, later: int) -> Iterator[Addressed]:
    """What begins at the end of one turn and goes on at the beginning of the speaker's next."""
    first, second = transcript.messages[earlier].content, transcript.messages[later].content
    tail, head = first[-_NEAR:], second[:_NEAR]
    for each in passages_to_reviewer(f"{tail} {head}") if tail and head else ():
        if each.start < len(tail) < each.end - 1 and each.why is not Why.FORGES_TURN:
            start = len(first) - len(tail) + each.start
            yield Addressed(earlier, start, len(first), each.why, each.hidden)
            yield Addressed(later, 0, each.end - len(tail) - 1, each.why, each.hidden)


def passages_to_reviewer(text: str) -> tuple[Passage, ...]:
    """Every such passage of one text (a fact, a feedback, a summary), in order; none lies within another."""
    found = [*_in_plain_sight(text), *_hidden(text)]
    found.sort(key=lambda each: (each.start, -each.end))
    kept: list[Passage] = []
    for each in found:
        if not kept or each.end > kept[-1].end:
            kept.append(each)
    return tuple(kept)


def text_of(message: Message, part: str) -> str:
    """The text of a part of a turn, as ``Addressed.part`` names it. Raises ``KeyError`` for one that the turn lacks."""
    return dict(_texts(message))[part]


def _texts(message: Message) -> Iterator[tuple[str, str]]:
    yield "text", message.content
    if message.name and len(message.name) > 20:
        yield "name", message.name
    if message.tool_call_id and len(message.tool_call_id) > 20:
        yield "answered call", message.tool_call_id
    for place, call in enumerate(message.tool_calls, start=1):
        yield f"call {place}", call.arguments
        if call.id and len(call.id) > 20:
            yield f"id of call {place}", call.id


def _in_plain_sight(text: str) -> Iterator[Passage]:
    seen = as_seen(text)
    for start, end, why in _found(seen.text, seen.folded):
        if not _REFUSED.search(seen.folded, max(0, start - 40), start):
            place = seen.place(start, end)
            yield Passage(*place, why, hidden=_is_hidden(text, place, seen, (start, end)))
    yield from _in_digits(seen)


def _in_digits(seen: Seen) -> Iterator[Passage]:
    """What is written with digits for letters; a passage counts only if a word in it is."""
    spelt = in_digits(seen.folded)
    if spelt is None:
        return
    ignoring = ((*place, Why.IGNORES_INSTRUCTIONS) for place in _places("alone", Why.IGNORES_INSTRUCTIONS, spelt))
    for start, end, why in (*ignoring, *concept_passages(spelt)):
        if in_digits(seen.folded[start:end]):
            yield Passage(*seen.place(start, end), Why(why), hidden=True)


_REFUSED = re.compile(
    r"(?:cannot|can't|can not|unable to|not able to|won't|will not|not allowed to) (?:[a-z]{1,20} ){0,2}$"
)
"""“I cannot ignore these rules” orders nothing."""


def _is_hidden(text: str, place: tuple[int, int], seen: Seen, span: tuple[int, int]) -> bool:
    """Whether letters were added to, or exchanged in, what is seen there."""
    return seen.changed and text[slice(*place)] != seen.text[slice(*span)]


def _hidden(text: str) -> Iterator[Passage]:
    """What is there only for a reader who decodes it, reads backwards or leaves out what parts the letters."""
    for start, end, words in (*decoded_runs(text), *tag_runs(text), *reversed_runs(text)):
        yield from (Passage(start, end, each.why, hidden=True) for each in _first(_in_plain_sight(words)))
    for start, end, words in spaced_runs(text):
        said = next(concept_passages(words), None)
        if said or spelt_apart(words.replace(" ", "")):
            yield Passage(start, end, Why(said[2]) if said else Why.IGNORES_INSTRUCTIONS, hidden=True)


def _first(passages: Iterator[Passage]) -> list[Passage]:
    return [each for each in (next(passages, None),) if each is not None]


def _found(text: str, folded: str) -> Iterator[tuple[int, int, Why]]:
    for section, read in (("alone", folded), ("cased", text)):
        for why in signs(section):
            yield from ((start, end, Why(why)) for start, end in _places(section, why, read))
    yield from ((start, end, Why(why)) for start, end, why in concept_passages(folded))


def _places(section: str, key: str, text: str) -> Iterator[tuple[int, int]]:
    return (place for sign in signs(section)[key] for place in sign.places(text))
