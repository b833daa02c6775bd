"""The digest: what waits, oldest first, so that nothing waits unseen, in words and as JSON.

It leaves the desk, so it says no quoted words of a transcript and no name of an agent's user: references, counts,
links, and the beginning of a headline with both taken out.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import distinct, func, text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.numbers import numbers_in_force
from core.governance.references import version_reference
from core.screening.secrets import mask
from core.service.agreement_views import stuck_blind
from core.service.counting import Count, count
from core.service.overdue import due_at, is_overdue
from core.service.queue_counts import ANYWHERE, LOOKED_THROUGH, ON_REVIEW, critical_notes
from core.settings import Settings
from core.store.clock import day_in_words, now, time_in_words
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import ASIDE_CONDITION, Item
from core.vocabulary import Cause, Kind, Severity, Status

LISTED = 10
"""Items that a digest names; the others are counted."""

LOCAL = "http://localhost:8501"
"""Where the desk is, unless ``TUTELAGE_URL`` names another address."""

QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|„[^“]*“|(?<!\w)'[^']*'(?!\w)|‘[^’]*’")
MOST_WORDS = 90


@dataclass(frozen=True)
class DigestItem:
    """One item that waits. ``overdue_days`` is 0 for what is not; ``words`` is its masked headline."""

    ref: str
    kind: str
    severity: str
    status: str
    since: datetime
    days: int
    overdue_days: int
    assignee: str | None
    words: str
    link: str


@dataclass(frozen=True)
class Digest:
    """What waits at one moment, of everybody or of one person. Counts read ``1,000+`` where there are more.

    ``waiting`` is made up of what waits on Review and of the open notes on Critical notes.
    """

    at: datetime
    person: str | None
    waiting: Count
    review: Count
    notes: Count
    overdue: Count
    critical: Count
    policy: Count
    blind: Count
    given: tuple[tuple[str, int], ...]
    oldest: tuple[DigestItem, ...]
    link: str
    since: datetime | None = None
    """When the last digest was sent, where a day was missed."""
    missing: tuple[str, ...] = ()
    """Blind items with which nobody can go on, each with who is missing."""

    @property
    def counts(self) -> dict[str, Any]:
        """The figures alone, as they are kept with a digest that was sent."""
        said = {
            "waiting": self.waiting,
            "review": self.review,
            "notes": self.notes,
            "overdue": self.overdue,
            "critical": self.critical,
        }
        said |= {"policy": self.policy, "blind": self.blind}
        return {name: number.number for name, number in said.items()} | {"given": dict(self.given)}


def desk_address(environ: Mapping[str, str] = os.environ) -> str:
    """The address of the desk for links, without a slash at its end."""
    return (environ.get("TUTELAGE_URL") or LOCAL).rstrip("/")


def digest_of(
    database: Database,
    *,
    person: str | None = None,
    at: datetime | None = None,
    since: datetime | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Digest:
    """The digest of everybody, or of what was given to one person."""
    moment, address = at or now(), desk_address(environ)
    theirs = (col(Item.assignee) == person,) if person else ()
    with database.reading() as db:
        numbers = numbers_in_force(db)
        late = is_overdue(numbers, moment)
        by_policy = (text(ASIDE_CONDITION), col(Item.cause) == Cause.POLICY, col(Item.status) == Status.SUSPENDED)
        return Digest(
            at=moment,
            person=person,
            waiting=_count(db, ANYWHERE, *theirs),
            review=_count(db, ON_REVIEW, *theirs),
            notes=_count(db, ANYWHERE, col(Item.status) == Status.OPEN, *theirs),
            overdue=_count(db, ANYWHERE, late, *theirs),
            critical=count(db, select(Item.id).where(*critical_notes(), *theirs).order_by(col(Item.rank))),
            policy=_count(db, *by_policy, *theirs),
            blind=_blind(db, theirs),
            given=_given(db, theirs),
            oldest=_oldest(db, theirs, numbers, moment, address),
            link=f"{address}/review" + ("?whose=mine" if person else ""),
            since=since,
            missing=() if person else tuple(f"{one.ref}: {one.why}" for one in stuck_blind(db)),
        )


def as_text(digest: Digest) -> str:
    """The digest in plain lines."""
    whose = f" for {digest.person}" if digest.person else ""
    head = f"Tutelage{whose}, {day_in_words(digest.at)}: {_in_short(digest)}."
    lines = [head]
    if digest.since:
        lines.append(f"The last digest was sent on {time_in_words(digest.since)}.")
    if digest.oldest:
        lines += ["Oldest first:", *(f"- {_line(one)}" for one in digest.oldest)]
    if digest.given and not digest.person:
        lines.append("Given to: " + ", ".join(f"{name} {number:,}" for name, number in digest.given) + ".")
    if digest.policy:
        lines.append(f"Suspended by a changed policy: {digest.policy}.")
    if digest.blind:
        lines.append(f"Blind verdicts missing: {digest.blind}.")
    lines += [f"Somebody is missing for {one}." for one in digest.missing]
    return "\n".join([*lines, f"All of it: {digest.link}"])


def as_json(digest: Digest) -> dict[str, Any]:
    """The digest as JSON values; ``text`` is what a chat shows."""
    said = {"text": as_text(digest), "at": digest.at.isoformat(), "person": digest.person, **digest.counts}
    oldest = [{**asdict(one), "since": one.since.isoformat()} for one in digest.oldest]
    return {**said, "oldest": oldest, "link": digest.link}


def _in_short(digest: Digest) -> str:
    if not digest.waiting:
        return "nothing waits"
    both = digest.review and digest.notes
    made_up = f" ({digest.review} on Review, {digest.notes} on Critical notes)" if both else ""
    said = [f"{digest.waiting} {'waits' if digest.waiting.number == 1 else 'wait'}{made_up}"]
    said += [f"{digest.overdue} overdue"] if digest.overdue else []
    notes = "critical note" if digest.critical.number == 1 else "critical notes"
    said += [f"{digest.critical} {notes} open"] if digest.critical and not made_up else []
    return ", ".join(said)


def _line(one: DigestItem) -> str:
    waits = f"waits {one.days} d" if one.days else "waits since today"
    parts = [f"{one.ref} {one.severity}", waits]
    parts += [f"overdue {one.overdue_days} d"] if one.overdue_days else []
    parts += [f"for {one.assignee}"] if one.assignee else []
    return f"{', '.join(parts)}: {one.words} {one.link}"


def _count(db: DatabaseSession, *where: Any) -> Count:
    return count(db, select(Item.id).where(*where))


def _given(db: DatabaseSession, theirs: tuple[Any, ...]) -> tuple[tuple[str, int], ...]:
    given = select(Item.assignee, func.count()).where(ANYWHERE, col(Item.assignee).is_not(None), *theirs)
    rows = db.exec(given.group_by(col(Item.assignee)).order_by(col(Item.assignee))).all()
    return tuple((str(name), int(number)) for name, number in rows)


def _blind(db: DatabaseSession, theirs: tuple[Any, ...]) -> Count:
    """Items that two people decide blind, of which fewer have said so; among the first of the queue."""
    head = select(Item.id, Item.revision, Item.blind).where(ON_REVIEW, *theirs).order_by(col(Item.rank))
    first = head.limit(LOOKED_THROUGH).subquery()
    said = select(func.count(distinct(col(BlindVerdict.by)))).where(
        col(BlindVerdict.item_id) == first.c.id, col(BlindVerdict.revision) == first.c.revision
    )
    missing = select(first.c.id).where(first.c.blind.is_(True), said.scalar_subquery() < 2)
    return count(db, missing)


def _oldest(
    db: DatabaseSession, theirs: tuple[Any, ...], numbers: Settings, at: datetime, address: str
) -> tuple[DigestItem, ...]:
    """What waits longest; the index knows it for each severity."""
    found: list[Item] = []
    for severity in Severity:
        oldest = select(Item).where(ANYWHERE, Item.weight == severity.rank, *theirs)
        found += db.exec(oldest.order_by(col(Item.queued_at), col(Item.id)).limit(LISTED)).all()
    in_order = sorted(found, key=lambda one: (one.queued_at or at, one.id or 0))[:LISTED]
    return tuple(_item(one, numbers, at, address) for one in in_order)


def _item(item: Item, numbers: Settings, at: datetime, address: str) -> DigestItem:
    ref, since = version_reference(item), item.queued_at or at
    late = at - due_at(item.severity, since, numbers)
    is_note = item.kind == Kind.NOTE and item.status == Status.OPEN
    query = f"critical_notes?note={ref.partition(' ')[0]}" if is_note else f"review?item={ref.replace(' ', '+')}"
    return DigestItem(
        ref=ref,
        kind=item.kind,
        severity=item.severity,
        status=item.status,
        since=since,
        days=max(0, (at - since).days),
        overdue_days=max(1, late.days) if late.total_seconds() > 0 else 0,
        assignee=item.assignee,
        words=_masked(item),
        link=f"{address}/{query}",
    )


def _masked(item: Item) -> str:
    """The beginning of a headline, without what is secret, what it quotes, and the name of the agent's user."""
    words = QUOTED.sub("“…”", mask(item.headline).text)
    if item.user:
        named = sorted({item.user, *(part for part in item.user.split() if len(part) > 2)}, key=len, reverse=True)
        either = "|".join(map(re.escape, named))
        words = re.sub(rf"(?<!\w)(?:{either})(?!\w)", "the user", words, flags=re.IGNORECASE)
    return words if len(words) <= MOST_WORDS else f"{words[: MOST_WORDS - 1].rstrip()}…"
