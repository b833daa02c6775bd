"""Which lessons an agent reads for a task: those that share words with it.

Source: Using Feedback and Reflection in Agent Workflows, "A Simple Lesson Memory".
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from core.memory.chosen import Choice, Left, Taken
from core.settings import Settings
from core.vocabulary import Reliability, Status

WORD = re.compile(r"[a-z]{3,}")
RELIABLE = list(Reliability)
LONGEST = 200
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
A_RANK = 10**16
"""Microseconds that no moment reaches, so that a rank outweighs every difference of time."""


@dataclass(frozen=True)
class LessonCandidate:
    """What the rule looks at. ``order`` breaks ties of time: the larger is the newer."""

    key: str
    text: str
    tags: tuple[str, ...]
    status: str
    reliability: Reliability
    at: datetime
    order: int = 0
    item: int = 0
    """The row behind it, for the receipt."""


def words(text: str, stop_words: frozenset[str]) -> frozenset[str]:
    """The lowercase words of three or more letters in a text, without the stop words."""
    return frozenset(WORD.findall(text.lower())) - stop_words


def findable_words(text: str, tags: Iterable[str]) -> frozenset[str]:
    """The words by which a lesson is found: those of its text and of its tags, and its tags as they stand."""
    said = tuple(tags)
    return words(" ".join((text, *said)), frozenset()) | set(said)


def standing(reliability: Reliability, since: datetime) -> int:
    """What decides between lessons that share as many words, as one number: the smaller goes first.

    The reliability of its source counts first, then since when it is in force, to the microsecond.
    """
    return RELIABLE.index(reliability) * A_RANK - (since - BEGINNING) // timedelta(microseconds=1)


def kept_word(word: str) -> str:
    """A word as an index keeps it: itself, or its beginning and its hash where it has more letters than any has."""
    if len(word) <= LONGEST:
        return word
    return f"{word[:LONGEST]}#{hashlib.sha256(word.encode()).hexdigest()}"


def choose_lessons(
    candidates: list[LessonCandidate], task: str, settings: Settings, stop_words: frozenset[str]
) -> Choice[LessonCandidate]:
    """Active lessons that share the most words with the task; ties by reliability of the source, then the newest."""
    asked = words(task, stop_words)
    shared = {one.key: asked & findable_words(one.text, one.tags) for one in candidates}
    active = [one for one in candidates if one.status == Status.ACTIVE and shared[one.key]]
    active.sort(key=lambda one: (one.at, one.order), reverse=True)
    active.sort(key=lambda one: (-len(shared[one.key]), RELIABLE.index(one.reliability)))
    limit = settings.lessons_in_briefing
    taken = tuple(Taken(one, f"shares {_named(shared[one.key])} with the task") for one in active[:limit])
    over = f"more than {limit} lessons fit; those that share the most words go first"
    left = [Left(one, why) for one in candidates if (why := _why_not(one, shared[one.key])) is not None]
    return Choice(taken, (*left, *(Left(one, over, near=True) for one in active[limit:])))


def _why_not(one: LessonCandidate, shared: frozenset[str]) -> str | None:
    if one.status != Status.ACTIVE:
        return one.status
    return None if shared else "no word shared with the task"


def _named(shared: frozenset[str]) -> str:
    return ", ".join(f"“{word}”" for word in sorted(shared))
