"""When beliefs are drawn, which of those that were written are kept, and which an agent reads.

Source: Reflection: From Experiences to Beliefs. Sums are exact hundredths.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from core.memory.chosen import Choice, Left, Taken
from core.memory.episodes import words
from core.memory.lessons import words as task_words
from core.settings import Settings
from core.vocabulary import Status

LARGEST = 1_000_000
"""What is no number of a statement for sure; a reply may hold thousands of digits."""


def in_hundredths(importance: Decimal) -> int:
    """An importance as whole hundredths: 0.85 is 85."""
    return int((importance * 100).to_integral_value())


@dataclass(frozen=True)
class Cited:
    """The real ids that a belief cites, each once, in the order in which they were named."""

    ids: tuple[int, ...]


@dataclass(frozen=True)
class Dropped:
    """A belief that is not kept, and why, in words that are counted."""

    why: str


def cited(said: Sequence[object], statements: Sequence[int], fewest: int = 2) -> Cited | Dropped:
    """The ids behind local numbers, from 1, of the statements that were shown; or why they are too few.

    Numbers that are written as text count; what names no statement does not.
    """
    known = [statements[place - 1] for place in map(_number, said) if place and place <= len(statements)]
    different = tuple(dict.fromkeys(known))
    if len(different) >= fewest:
        return Cited(different)
    if not said:
        return Dropped("no citation")
    if len(said) < fewest:
        return Dropped(_counted(len(said), "citation"))
    if len(known) < fewest:
        return Dropped(_counted(len(known), "known citation"))
    return Dropped(_counted(len(different), "distinct citation"))


def repeats_a_source(text: str, sources: Iterable[str]) -> bool:
    """Whether a belief says nothing more than one of the statements that it cites: each of its words stands there."""
    said = set(words(text))
    return bool(said) and any(said <= set(words(source)) for source in sources)


@dataclass(frozen=True)
class BeliefCandidate:
    """What the rule looks at. ``order`` breaks ties of time: the larger is the newer."""

    key: str
    text: str
    importance: Decimal
    status: str
    at: datetime
    order: int = 0
    item: int = 0
    """The row behind it, for the receipt."""
    rests_on: int = 0
    """Episodes that it cites."""


def choose_beliefs(
    candidates: Sequence[BeliefCandidate], task: str, settings: Settings, stop_words: frozenset[str]
) -> Choice[BeliefCandidate]:
    """Active beliefs by relevance × importance, ties newest first, a few at most.

    Relevance is (1 + shared words) / (1 + words of the task): none is zero, so that a belief holds beyond its words.
    """
    asked = task_words(task, stop_words)
    shared = {one.key: asked & task_words(one.text, stop_words) for one in candidates}
    active = [one for one in candidates if one.status == Status.ACTIVE]
    active.sort(key=lambda one: (one.at, one.order), reverse=True)
    active.sort(key=lambda one: (1 + len(shared[one.key])) * one.importance, reverse=True)
    limit = settings.beliefs_in_briefing
    over = f"more than {limit} beliefs; those of the greatest relevance × importance go first"
    taken = tuple(Taken(one, _why(one, shared[one.key])) for one in active[:limit])
    left = [Left(one, one.status) for one in candidates if one.status != Status.ACTIVE]
    return Choice(taken, (*left, *(Left(one, over, near=True) for one in active[limit:])))


def _why(one: BeliefCandidate, shared: frozenset[str]) -> str:
    named = ", ".join(f"“{word}”" for word in sorted(shared))
    said = f"shares {named or 'no word'} with what is asked"
    return f"approved, {said}, importance {one.importance}, rests on {one.rests_on} episodes"


def _number(said: object) -> int:
    """A local number, also where it is written as text; 0 for anything else."""
    if isinstance(said, bool) or not isinstance(said, (int, str)):
        return 0
    text = str(said).strip().strip("[]") if isinstance(said, str) or abs(said) < LARGEST else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST)) else 0


def _counted(count: int, what: str) -> str:
    names = {0: "no", 1: "one"}
    return f"{names.get(count, str(count))} {what}" if count < 2 else f"{count} {what}s"
