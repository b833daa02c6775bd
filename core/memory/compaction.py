"""How a buffer of reflections is made smaller: which of them say the same, and the one that could stand for them.

Memory. What makes two reflections twins is asked of a predicate, because numbers, negations and scope decide before
likeness does, and this knows none of them. Nothing is decided here: a merged reflection is proposed to a person, and
what went into it stays in force until then. Source: Reflexion buffer, "Compaction".
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

TAGS = 3
"""Tags that a merged reflection has at most. Source: Using Feedback and Reflection in Agent Workflows."""

WHEN_IT_STAYS_FULL = (
    "The buffer is over its budget again and again. Two things help: let the agent's context hold less, so that fewer "
    "trials fail for what was lost in it; and leave compaction to the background, where it never delays an answer."
)
"""What to do when the cap keeps being hit. Source: Reflexion buffer, what to read next."""

AreTwins = Callable[[str, str], bool]


@dataclass(frozen=True)
class Reflection:
    """A reflection in force, as compaction looks at it; ``order`` breaks ties of time, the larger is the newer.

    ``among`` says among which others it may be: only reflections for the same people are twins.
    """

    key: str
    text: str
    tags: tuple[str, ...]
    at: datetime
    order: int = 0
    item: int = 0
    among: str = ""


@dataclass(frozen=True)
class Merged:
    """The reflection that could stand for a cluster: words, tags, and what went into it, the newest first."""

    text: str
    tags: tuple[str, ...]
    parents: tuple[Reflection, ...]


def clusters(reflections: Sequence[Reflection], twins: AreTwins) -> tuple[tuple[Reflection, ...], ...]:
    """Reflections that all say the same as each other, two at least in a cluster, the newest first in each.

    Each joins the first cluster with whose every member it is a twin: a chain of small changes is no cluster, because
    its ends would not be alike.
    """
    found: list[list[Reflection]] = []
    for one in _newest_first(reflections):
        home = next((each for each in found if _belongs(one, each, twins)), None)
        if home is None:
            found.append([one])
        else:
            home.append(one)
    return tuple(tuple(each) for each in found if len(each) > 1)


def merged_by_extract(cluster: Sequence[Reflection]) -> Merged:
    """The words of the newest, which knew the most trials, and the tags that most have; nothing is made up."""
    ordered = _newest_first(cluster)
    return Merged(ordered[0].text, joined_tags(ordered), tuple(ordered))


def joined_tags(cluster: Sequence[Reflection]) -> tuple[str, ...]:
    """The tags of a cluster, those that most have first, ties as the newest names them; three at most."""
    counts = Counter(tag for one in cluster for tag in dict.fromkeys(one.tags))
    return tuple(sorted(counts, key=lambda tag: -counts[tag])[:TAGS])


def _newest_first(reflections: Sequence[Reflection]) -> list[Reflection]:
    return sorted(reflections, key=lambda one: (one.at, one.order), reverse=True)


def _belongs(one: Reflection, cluster: Sequence[Reflection], twins: AreTwins) -> bool:
    return all(one.among == other.among and twins(one.text, other.text) for other in cluster)
