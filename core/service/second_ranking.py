"""Another way to find lessons for a task, beside the one that agents read by: for people, and never silently.

Between the store and the pages. Nothing here reaches a briefing; it shows what else would have been found, so that
somebody can judge whether the rule by shared words misses much. The setting ``second_ranker`` says which it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bm25s
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.candidates import in_scope
from core.briefing.found_lessons import found_lessons
from core.briefing.read import agent_named
from core.governance.numbers import numbers_in_force
from core.governance.references import reference
from core.governance.room import in_force_of
from core.governance.stop_words import stop_words
from core.memory.lessons import findable_words, words
from core.screening.vectors import wordllama_fetcher
from core.settings import Settings
from core.store.database import Database
from core.store.records import Agent, Item, LessonBody
from core.vocabulary import SecondRanker

NOT_INSTALLED = (
    "The embedding is not installed here, so nothing is ranked by it: “pip install wordllama” brings one that needs no "
    "network. Agents read by shared words, whatever is set."
)
RANKERS = {SecondRanker.BM25: "BM25", SecondRanker.EMBEDDING: "embedding"}

Scored = tuple[int, float]
"""A lesson by id, and its score; more is better."""


@dataclass(frozen=True)
class Ranked:
    """A lesson in the order of one ranker; ``also`` is its place by the other one, None where that has it not."""

    place: int
    ref: str
    text: str
    score: str
    also: int | None


@dataclass(frozen=True)
class SecondRanking:
    """Both orders side by side: what agents read by, and the other one, which is shown and nothing more.

    ``told`` says why the other one is empty, where it cannot be asked.
    """

    ranker: str
    by_words: tuple[Ranked, ...]
    by_other: tuple[Ranked, ...]
    read: int
    """How many of the first an agent reads at most."""
    told: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The other order in words, one line a lesson."""
        first = (f"by shared words in place {one.also}" if one.also else "not by shared words" for one in self.by_other)
        return tuple(
            f"{one.place}. {one.ref} ({one.score}; {how}) {one.text}"
            for one, how in zip(self.by_other, first, strict=True)
        )


def second_ranking(database: Database, asked: Asked, settings: Settings | None = None) -> SecondRanking | None:
    """Both orders for a task as of now; None while no second ranker is switched on. Raises ``NotFound``.

    It compares the task with every instruction in force that is meant for the request, so it is for people.
    """
    with database.reading() as db:
        numbers = settings or numbers_in_force(db)
        agent = agent_named(db, asked.agent)
        if numbers.second_ranker is SecondRanker.OFF:
            return None
        ignored = stop_words(agent.name)
        choice = found_lessons(db, agent, asked, numbers, ignored)
        first = [one.item.item for one in choice.taken] + [one.item.item for one in choice.left]
        known = _meant(db, agent, asked)
        scored = _scored(numbers.second_ranker, asked.task, known, ignored)
    places = {item: place for place, item in enumerate(first, 1)}
    best = sorted(scored or (), key=lambda one: (-one[1], -one[0]))[: max(len(first), numbers.lessons_in_briefing)]
    others = {item: place for place, (item, _) in enumerate(best, 1)}
    of = {item.id or 0: (item, body) for item, body in known}
    asked_for = words(asked.task, ignored)

    def ranked(item: int, place: int, score: str, also: dict[int, int]) -> Ranked:
        return Ranked(place, reference(of[item][0]), of[item][1].text, score, also.get(item))

    return SecondRanking(
        ranker=RANKERS[numbers.second_ranker],
        by_words=tuple(
            ranked(item, place, _counted(len(asked_for & _words(of[item][1]))), others)
            for place, item in enumerate(first, 1)
        ),
        by_other=tuple(ranked(item, place, f"{score:.2f}", places) for place, (item, score) in enumerate(best, 1)),
        read=numbers.lessons_in_briefing,
        told=NOT_INSTALLED if scored is None else "",
    )


def _counted(shared: int) -> str:
    return "1 word" if shared == 1 else f"{shared} words"


def _meant(db: DatabaseSession, agent: Agent, asked: Asked) -> list[tuple[Item, LessonBody]]:
    items = {item.id or 0: item for item in in_force_of(db, agent.id or 0)}
    bodies = db.exec(select(LessonBody).where(col(LessonBody.item_id).in_(list(items)))).all() if items else ()
    both = [(items[body.item_id], body) for body in bodies]
    return [(item, body) for item, body in both if in_scope(item, body, asked.user, asked.task_class)]


def _words(body: LessonBody) -> frozenset[str]:
    return findable_words(body.text, body.tags)


def _scored(
    ranker: SecondRanker, task: str, known: Sequence[tuple[Item, LessonBody]], ignored: frozenset[str]
) -> list[Scored] | None:
    """The scores above zero by the ranker; None where it is not installed."""
    how: dict[SecondRanker, Callable[..., list[Scored] | None]] = {
        SecondRanker.BM25: by_bm25,
        SecondRanker.EMBEDDING: by_embedding,
    }
    scored = how[ranker](task, [(item.id or 0, body) for item, body in known], ignored)
    return None if scored is None else [one for one in scored if one[1] > 0]


def by_bm25(task: str, known: Sequence[tuple[int, LessonBody]], ignored: frozenset[str]) -> list[Scored]:
    """BM25 over the words that the first ranker looks at, too: a rare word weighs more, a long lesson less."""
    texts = [sorted(_words(body) - ignored) for _, body in known]
    asked = sorted(words(task, ignored))
    if not asked or not any(texts):
        return []
    index = bm25s.BM25()
    index.index(texts, show_progress=False)
    scores = index.get_scores(asked)
    return [(item, float(score)) for (item, _), score in zip(known, scores, strict=True)]


def by_embedding(task: str, known: Sequence[tuple[int, LessonBody]], _: frozenset[str]) -> list[Scored] | None:
    """The cosine of small sentence vectors; None where none are installed."""
    fetcher = wordllama_fetcher()
    if fetcher is None:
        return None
    if not task.strip():
        return []
    for item, body in known:
        fetcher.add(str(item), body.text)
    return [(int(key), score) for key, score in fetcher.near(task, len(known))]
