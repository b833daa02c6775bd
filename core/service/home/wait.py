"""What waits for one person: by their duties, the gravest first."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from core.governance.leases import holders
from core.governance.policy_drafts import waiting_drafts
from core.governance.references import reference
from core.service.counting import Count, count
from core.service.home.facts import NEWEST, Asked, Fact, short, some
from core.service.queue_counts import ON_REVIEW, QueueCounts, critical_notes
from core.store.clock import day_in_words
from core.store.records import Decision, Item
from core.vocabulary import Action, Duty, Severity


def what_waits(asked: Asked, counts: QueueCounts) -> tuple[Fact, ...]:
    """The lines that this person's duties ask for."""
    lines: list[Fact] = []
    if asked.has(Duty.AUDITOR):
        lines += _notes(asked, counts)
    if asked.has(Duty.LEAD):
        lines += _review(asked, counts)
        lines.append(_policies(asked))
    if asked.has(Duty.DEVELOPER):
        lines += _runs(asked)
    return tuple(line for line in lines if line.number)


def _notes(asked: Asked, counts: QueueCounts) -> Iterator[Fact]:
    words = some(counts.critical.number, "critical note is open", "critical notes are open")
    detail = _oldest(asked, *critical_notes())
    late = counts.critical_overdue
    if late:
        detail = f"{late} overdue; {detail}"
    yield Fact(counts.critical, words, detail, "critical_notes", "Critical notes")


def _review(asked: Asked, counts: QueueCounts) -> Iterator[Fact]:
    grave = count(asked.db, select(Item.id).where(ON_REVIEW, Item.weight == Severity.CRITICAL.rank))
    mine, late = (("whose", "mine"),), (("only", "overdue"),)
    own = col(Item.assignee) == asked.person.name
    yield Fact(counts.mine, "given to you", _oldest(asked, ON_REVIEW, own), "review", "Your queue", mine)
    yield Fact(
        grave,
        some(grave.number, "critical item", "critical items"),
        _oldest(asked, ON_REVIEW, col(Item.weight) == Severity.CRITICAL.rank, by=col(Item.queued_at)),
        "review",
        "Review",
    )
    yield Fact(
        counts.waiting,
        some(counts.waiting.number, "item in all", "lessons, procedures and notes in all"),
        _first(asked, counts),
        "review",
        "Review",
    )
    words = some(counts.overdue.number, "is overdue", "are overdue")
    yield Fact(counts.overdue, words, "longer than the numbers allow", "review", "Overdue", late)
    yield _second(asked)
    words = some(counts.escalations.number, "escalation from self-review", "escalations from self-review")
    yield Fact(counts.escalations, words, "a draft that its revisions did not mend", "escalations", "Escalations")


def _second(asked: Asked) -> Fact:
    """Items about which one person said yes, and one more must: among the newest decisions."""
    newest = select(Decision).order_by(col(Decision.id).desc()).limit(NEWEST).subquery()
    one_yes = select(Item).join(newest, newest.c.item_id == Item.id)
    one_yes = one_yes.where(newest.c.action == Action.ENDORSE, newest.c.revision == Item.revision, ON_REVIEW)
    found = asked.db.exec(one_yes.where(newest.c.by != asked.person.name).order_by(col(Item.rank))).all()
    query = (("item", reference(found[0])),) if found else ()
    words = some(len(found), "item needs a second person", "items need a second person")
    return Fact(Count(len(found)), words, ", ".join(map(reference, found[:5])), "review", "Review", query)


def _policies(asked: Asked) -> Fact:
    """Changes of policies that somebody else asked for."""
    alone, me = asked.person.single_operator, asked.person.name
    found = [one for one in waiting_drafts(asked.db) if alone or one.by != me]
    words = some(len(found), "change of a policy waits", "changes of policies wait")
    detail = ", ".join(f"{one.policy} by {one.by}" for one in found[:4])
    return Fact(Count(len(found)), words, detail, "policies", "Policies")


def _runs(asked: Asked) -> Iterator[Fact]:
    runs = asked.under_way
    yield Fact(runs, some(runs.number, "debrief under way", "debriefs under way"), "by the critic", "critic", "Critic")


def _oldest(asked: Asked, *where: Any, by: Any = None) -> str:
    """``since 27 Nov: …`` of the first of these in the queue's order, or ``by`` another that an index has."""
    query = select(Item.queued_at, Item.headline).where(*where).order_by(col(Item.rank) if by is None else by)
    found = asked.db.exec(query.limit(1)).first()
    return _since(*found) if found else ""


def _since(queued_at: datetime | None, headline: str) -> str:
    return f"since {day_in_words(queued_at, year=False)}: {short(headline)}" if queued_at else short(headline)


def _first(asked: Asked, counts: QueueCounts) -> str:
    ids = asked.db.exec(select(Item.id).where(ON_REVIEW).order_by(col(Item.rank)).limit(50)).all()
    held = holders(asked.db, [one or 0 for one in ids], asked.at).values()
    others = sorted({one.person for one in held} - {asked.person.name})
    unread = f"{counts.unread} unread" if counts.unread else "all of them seen"
    return f"{unread}; {', '.join(others)} at work" if others else unread
