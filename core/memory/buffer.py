"""The buffer of reflections of a task class: which an agent reads, how long each lives, and what the others are about.

Memory. A reflection lives for a number of trials of its task class, counted from its activation, never by the clock.
Source: Reflexion buffer, "TTL and dedup" and "Prompt integration".
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.memory.chosen import Choice, Left, Taken
from core.settings import Settings
from core.vocabulary import Status

THEMES = 3
"""Themes that the line about the others names at most."""

_WORD = re.compile(r"[a-z]{4,}")
_OF_THE_FORM = re.compile(
    r"about|after|again|also|always|because|been|before|being|could|didn|does|doing|done|each|even|every|failed|from"
    r"|have|having|into|just|more|most|must|next|once|only|other|over|same|should|since|some|such|than|that|their|them"
    r"|then|there|these|they|this|those|time|trial|until|very|want|were|what|when|where|which|while|will|with|without"
    r"|would|your"
)
"""Words of four letters and more that any reflection may have, so that they say nothing of what it is about."""


@dataclass(frozen=True)
class ReflectionCandidate:
    """What the rule looks at: a reflection in force since ``at``, and the trials for which it still lives.

    ``order`` breaks ties of time: the larger is the newer.
    """

    key: str
    text: str
    tags: tuple[str, ...]
    status: str
    remaining: int
    at: datetime
    order: int = 0
    item: int = 0
    """The row behind it, for the receipt."""


def remaining(from_trial: int | None, trials: int, lives_for: int) -> int:
    """For how many more trials a reflection is read: of ``lives_for``, after so many ``trials`` of its task class.

    ``from_trial`` is how many there were when it was activated; None for what was never in force, which is 0.
    """
    return 0 if from_trial is None else min(lives_for, max(0, from_trial + lives_for - trials))


def choose_reflections(candidates: Sequence[ReflectionCandidate], settings: Settings) -> Choice[ReflectionCandidate]:
    """Active reflections whose trials are not over, the newest activation first, a few at most."""
    living = [one for one in candidates if _why_not(one) is None]
    living.sort(key=lambda one: (one.at, one.order), reverse=True)
    limit = settings.reflections_in_briefing
    over = f"more than {limit} reflections are in force; the newest go first, and one line sums up the others"
    taken = tuple(Taken(one, f"approved, {lives_on(one.remaining)}") for one in living[:limit])
    left = [Left(one, why) for one in candidates if (why := _why_not(one)) is not None]
    return Choice(taken, (*left, *(Left(one, over, near=True) for one in living[limit:])))


def older_ones(choice: Choice[ReflectionCandidate]) -> tuple[ReflectionCandidate, ...]:
    """Those of a choice that are in force and were left out for their number alone, the newest first."""
    return tuple(left.item for left in choice.left if _why_not(left.item) is None)


def overflow_line(others: Sequence[ReflectionCandidate]) -> str | None:
    """The line that stands for the reflections beyond the cap: how many, and what they are about; None for none.

    A theme that most of them share stands alone; otherwise several are joined, three at most.
    """
    if not others:
        return None
    counted = "1 older reflection" if len(others) == 1 else f"{len(others)} older reflections"
    themes = themes_of([one.tags for one in others]) or themes_of([_words(one.text) for one in others], shared=True)
    return f"... and {counted} about {_joined(themes)}" if themes else f"... and {counted}"


def themes_of(terms: Sequence[Iterable[str]], *, shared: bool = False) -> tuple[str, ...]:
    """What several things are about, by the ``terms`` of each: the one that most have, then what most of the rest have.

    It ends once more than half have one of them; where three do not reach so far, the last says ``more``. Ties go to
    the longer term, then by the alphabet, so that the order of the things does not matter. With ``shared`` a term that
    only one of them has counts for nothing.
    """
    rest, found = [frozenset(each) for each in terms], list[str]()
    most = len(rest)
    while rest and len(found) < THEMES and 2 * len(rest) >= most:
        counts = Counter(term for each in rest for term in each)
        best = min(counts, key=lambda term: (-counts[term], -len(term), term), default=None)
        if best is None or (shared and counts[best] < 2):
            break
        found.append(best)
        rest = [each for each in rest if best not in each]
    return (*found, "more") if found and 2 * len(rest) >= most and most > 1 else tuple(found)


def lives_on(trials: int) -> str:
    """For how long a reflection is still read, in words."""
    if trials <= 0:
        return "its trials are over"
    return "read in one more trial" if trials == 1 else f"read in {trials} more trials"


def _why_not(one: ReflectionCandidate) -> str | None:
    if one.status != Status.ACTIVE:
        return one.status
    return None if one.remaining > 0 else "the trials for which it lives are over"


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.lower()) if not _OF_THE_FORM.fullmatch(word))


def _joined(themes: Sequence[str]) -> str:
    return themes[0] if len(themes) == 1 else f"{', '.join(themes[:-1])} and {themes[-1]}"
