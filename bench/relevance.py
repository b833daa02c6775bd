"""How lessons are found for a task, beside the rule of the source as it is printed. Run: ``python -m bench.relevance``.

Lessons are sentences of the real transcripts that ``TUTELAGE_CORPUS`` names, tasks the first words of their users;
without a corpus both are made from parts. Prints the CPU time of the printed rule over all lessons and of the product's
search in SQL, whether both give the same list for every task, and the ratio; then a whole briefing with few lessons in
the store and with very many, as the ratio of the 95th percentiles. Both sides run in one process, one after the other.
"""

import random
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from time import process_time

from sqlalchemy import insert

from bench.evidence.corpus import transcripts
from bench.screening import lessons as made_up
from core.briefing.found_lessons import found_lessons
from core.briefing.read import Asked, agent_named, brief, issue
from core.governance.in_force import find_anew
from core.governance.stop_words import stop_words
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Item, LessonBody
from core.vocabulary import Role, Severity

LESSONS, MANY, FEW = 10_000, 100_000, 100
OF_ONE_AGENT = 10_000
"""The most instructions that the settings let an agent have in force."""

TASKS, REPEATS, AT_ONCE = 60, 5, 5_000
NAME = "bench"
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Texts:
    """Lessons and tasks to measure with, and where they come from."""

    lessons: tuple[str, ...]
    tasks: tuple[str, ...]
    source: str


def texts(count: int) -> Texts:
    """``count`` different lessons, and tasks."""
    sentences, tasks = _of_the_corpus()
    draw = random.Random(7)
    if len(sentences) < 1_000:
        made = made_up.lessons(count + 1_000)
        return Texts(tuple(made[:count]), tuple(made[count:][:TASKS]), "made from parts")
    draw.shuffle(sentences)
    draw.shuffle(tasks)
    while len(sentences) < count:
        sentences.append(f"{draw.choice(sentences)[:-1]}, {draw.choice(sentences)}")
    return Texts(tuple(sentences[:count]), tuple(tasks[:TASKS]), "sentences and first words of real transcripts")


def _of_the_corpus() -> tuple[list[str], list[str]]:
    sentences: dict[str, None] = {}
    tasks = []
    for transcript in transcripts():
        said = [message for message in transcript.messages if message.role is Role.USER]
        tasks += [said[0].content[:600]] if said else []
        for message in transcript.messages:
            if message.role is Role.ASSISTANT:
                found = (" ".join(one.split()) for one in _SENTENCE.split(message.content))
                sentences |= dict.fromkeys(one for one in found if 60 <= len(one) <= 220)
    return list(sentences), tasks


def as_printed(lessons: Sequence[str], task: str, ignored: frozenset[str], k: int) -> list[str]:
    """The rule of the source, written anew after its text: every lesson is read for every task.

    Ties go to the newer, which is the later in the list, where the printed code took the alphabet.
    """

    asked = _counted(task, ignored)
    scored = [(len(asked & (_counted(text, ignored) | set(tags_of(text)))), at) for at, text in enumerate(lessons)]
    return [lessons[at] for score, at in sorted(scored, reverse=True)[:k] if score > 0]


def _counted(text: str, ignored: frozenset[str]) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", text.lower())) - ignored


@cache
def tags_of(text: str) -> tuple[str, ...]:
    """Three tags of a lesson: its longest words."""
    return tuple(sorted(sorted(set(re.findall(r"[a-z]{3,40}", text.lower())), key=len)[-3:]))


def filled(path: Path, lessons: Sequence[str], agents: int = 1) -> Database:
    """A store in which these lessons are in force, the later the newer, spread over so many agents."""
    database = Database(f"sqlite:///{path}")
    database.migrate()
    begun = now() - timedelta(days=300)
    each = -(-len(lessons) // agents)
    with database.writing() as db:
        db.connection().exec_driver_sql("PRAGMA cache_size = -400000")  # for this fill alone, or it waits for the disk
        db.add_all(
            Agent(name=NAME if at == 0 else f"other {at}", policies=[], updated_at=begun) for at in range(agents)
        )
        db.flush()
        for first in range(0, len(lessons), AT_ONCE):
            places = range(first, min(first + AT_ONCE, len(lessons)))
            rows = [_item(place, lessons[place], 1 + place // each) for place in places]
            since = [{"active_at": begun + timedelta(minutes=place)} for place in places]
            db.connection().execute(insert(Item), [row | at for row, at in zip(rows, since, strict=True)])
            db.connection().execute(insert(LessonBody), [_body(place, lessons[place]) for place in places])
        find_anew(db)
    return database


def _item(place: int, text: str, agent: int) -> dict[str, object]:
    return {
        "id": place + 1,
        "kind": "lesson",
        "number": place + 1,
        "status": "active",
        "severity": Severity.MEDIUM,
        "weight": Severity.MEDIUM.rank,
        "headline": text,
        "agent_id": agent,
        "task_class": str(place % 5),
        "origin": "bench",
        "proposer": "check bench",
        "content_hash": "0" * 64,
        "settings": "0" * 12,
        "created_at": now(),
    }


def _body(place: int, text: str) -> dict[str, object]:
    scope = "agent" if place % 3 == 0 else "task_class"
    return {
        "item_id": place + 1,
        "form": "instruction",
        "scope": scope,
        "text": text,
        "folded": text,
        "tags": list(tags_of(text)),
    }


def milliseconds(work: Callable[[], object]) -> float:
    """CPU milliseconds of one run."""
    began = process_time()
    work()
    return (process_time() - began) * 1e3


def each(work: Callable[[str], list[str]], tasks: Sequence[str]) -> tuple[list[list[str]], list[float]]:
    """What comes of every task, one after the other, and the CPU milliseconds that each takes."""
    work(tasks[0])
    found, times = [], []
    for task in tasks:
        began = process_time()
        found.append(work(task))
        times.append((process_time() - began) * 1e3)
    return found, times


def relevance(folder: Path, known: Texts) -> None:
    """The lessons of each task by the printed rule and from SQL."""
    database, ignored = filled(folder / "relevance.db", known.lessons), stop_words(NAME)

    def by_the_source(task: str) -> list[str]:
        return as_printed(known.lessons, task, ignored, DEFAULTS.lessons_in_briefing)

    with database.reading() as db:
        agent = agent_named(db, NAME)

        def search(task: str) -> list[str]:
            choice = found_lessons(db, agent, Asked(NAME, None, None, task), DEFAULTS, ignored)
            return [taken.item.text for taken in choice.taken]

        printed, theirs = each(by_the_source, known.tasks)
        found, ours = each(search, known.tasks * REPEATS)
    alike = sum(one == other for one, other in zip(printed, found[: len(printed)], strict=True))
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f"lessons for a task, {len(known.lessons):,} in force ({known.source})")
    print(f"  the rule as printed   {statistics.median(theirs):8.2f} ms")
    print(f"  from SQL              {statistics.median(ours):8.2f} ms   {ratio:6.1f} × faster")
    print(f"  the same list         {alike} of {len(known.tasks)} tasks")
    database.close()


def briefings(folder: Path, known: Texts) -> None:
    """A whole briefing in a store of few lessons and in one of very many, in turns."""
    stores = {
        f"{FEW:,}": filled(folder / "few.db", known.lessons[:FEW]),
        f"{MANY:,}, {OF_ONE_AGENT:,} of this agent": filled(folder / "many.db", known.lessons, MANY // OF_ONE_AGENT),
    }
    read: dict[str, list[float]] = {name: [] for name in stores}
    handed: dict[str, list[float]] = {name: [] for name in stores}
    for turn in range(REPEATS):
        for task in known.tasks:
            for name, database in stores.items():
                asked = Asked(NAME, None, str(turn), task)
                read[name].append(milliseconds(lambda database=database, asked=asked: _read(database, asked)))  # type: ignore[misc]
                handed[name].append(milliseconds(lambda database=database, asked=asked: issue(database, asked)))  # type: ignore[misc]
    for what, times in (("whole briefing, read", read), ("whole briefing, handed out with its receipt", handed)):
        print(what)
        p95 = {name: sorted(each)[int(len(each) * 0.95)] for name, each in times.items()}
        smallest = next(iter(p95.values()))
        for name, each in times.items():
            ratio = p95[name] / smallest
            print(f"  {name:<32} p50 {statistics.median(each):7.2f} ms  p95 {p95[name]:7.2f} ms  {ratio:5.2f} ×")
    for database in stores.values():
        database.close()


def _read(database: Database, asked: Asked) -> None:
    with database.reading() as db:
        brief(db, agent_named(db, NAME), asked)


def main() -> None:
    known = texts(MANY)
    with tempfile.TemporaryDirectory() as name:
        relevance(Path(name), Texts(known.lessons[:LESSONS], known.tasks, known.source))
        if "--no-briefings" not in sys.argv:
            briefings(Path(name), known)


if __name__ == "__main__":
    main()
