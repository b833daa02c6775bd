"""Deciding several items at once: what each act would do, and what became of each.

A preview asks what the desk would ask, and writes nothing. Carrying out asks the desk for one decision an item, each in
a transaction of its own, with the revision and the screen of the preview: what moved on meanwhile is refused alone. The
decisions of one press bear the same name, by which they are found in the log and can be undone.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, NotFound, Refused, TutelageError
from core.governance.acts import DONE, Request
from core.governance.allowed import Asked, allowed, is_a_person
from core.governance.desk import decide, undo
from core.governance.desk_settings import settings_in_force
from core.governance.lifecycle import TABLE
from core.governance.never_in_bulk import TOGETHER, never_in_bulk
from core.governance.on_screen import screen_hash
from core.governance.people import duties_of
from core.governance.reading_ahead import read_ahead
from core.governance.references import version_reference
from core.governance.tokens import said_to_be
from core.store.clock import now
from core.store.database import Database
from core.store.records import Decision, Item
from core.vocabulary import Action, Status


@dataclass(frozen=True)
class Would:
    """What an act would do to one item, and what was seen of it; ``why_not`` is empty for what can be done."""

    item_id: int
    ref: str
    headline: str
    revision: int
    screen_hash: str
    code: str = ""
    why_not: str = ""

    @property
    def can(self) -> bool:
        """Whether it would be decided."""
        return not self.why_not


@dataclass(frozen=True)
class Became:
    """What became of one item: decided, or refused and why. ``text`` is what the desk answered."""

    item_id: int
    ref: str
    done: bool
    text: str
    code: str = ""


@dataclass(frozen=True)
class Together:
    """One act upon several items: who asks, and the reason and the words that all of them get."""

    action: Action
    person: str
    reason: str | None = None
    text: str = ""


AMONG_THEMSELVES = ("conflict", "twin")
"""What a preview says of an item beside others; the desk, which is asked about one item at a time, cannot say it."""


def preview(
    database: Database, asked: Together, item_ids: Sequence[int], *, at: datetime | None = None
) -> tuple[Would, ...]:
    """What the act would do to each of these items now, in this order. Nothing is written, nobody is refused.

    A reason and words that are still to be said count as said. Raises ``BadInput`` for an act that is none for several,
    and for more items than the desk's setting ``bulk_limit`` allows; ``NotFound`` for an unknown item.
    """
    moment, ids = at or now(), list(dict.fromkeys(item_ids))
    if asked.action not in TOGETHER:
        can = ", ".join(TOGETHER)
        raise BadInput(f"“{asked.action}” is no act for several items at once; these are: {can}.")
    with database.reading() as db:
        _not_too_many(db, ids)
        items = read_ahead(db, ids)
        alone = never_in_bulk(db, items, asked.action)
        found = []
        for item in items:
            screen = screen_hash(db, item)
            told = alone.get(item.id or 0)
            code, why = (told.code, told.why) if told else _dry(db, asked, item, screen, moment)
            seen = (item.id or 0, version_reference(item), item.headline, item.revision, screen)
            found.append(Would(*seen, code, why))
        return tuple(found)


def carry_out(
    database: Database,
    asked: Together,
    seen: Sequence[Would],
    *,
    batch: str | None = None,
    at: datetime | None = None,
) -> tuple[Became, ...]:
    """Decide about each item as it was seen; what can be done is done, and each of the others says why not.

    ``batch`` names the press; a new name is made where none is given. Asked for the same once more, each item that was
    decided answers that it was.
    """
    return tuple(one_by_one(database, asked, seen, batch=batch or new_batch(), at=at))


def one_by_one(
    database: Database, asked: Together, seen: Sequence[Would], *, batch: str, at: datetime | None = None
) -> Iterator[Became]:
    """The same, each result as soon as its decision is written; whoever stops listening leaves whole decisions."""
    with database.reading() as db:
        _not_too_many(db, seen)
    for one in seen:
        if one.code in AMONG_THEMSELVES:
            text = f"{one.ref} is decided alone: {one.why_not}. Nothing was decided."
            yield Became(one.item_id, one.ref, False, text, "not_in_bulk")
            continue
        request = Request(
            one.item_id,
            asked.action,
            asked.person,
            one.revision,
            one.screen_hash,
            asked.reason,
            asked.text,
            batch=batch,
        )
        try:
            answer = decide(database, request, at=at)
        except TutelageError as error:
            code = error.code if isinstance(error, Refused) else "not_done"
            yield Became(one.item_id, one.ref, False, str(error), code)
        else:
            yield Became(one.item_id, one.ref, True, answer.text, "already" if answer.already else "")


def undo_batch(database: Database, batch: str, person: str, *, at: datetime | None = None) -> tuple[Became, ...]:
    """Take back every decision of a batch that can still be taken back, newest first; each of the others says why not.

    Raises ``NotFound`` where no decision bears the name.
    """
    with database.reading() as db:
        query = select(Decision.id, Item).join(Item, col(Item.id) == Decision.item_id).where(Decision.batch == batch)
        rows = db.exec(query.order_by(col(Decision.id).desc())).all()
        named = [(decision or 0, item.id or 0, version_reference(item)) for decision, item in rows]
    if not named:
        raise NotFound("batch", batch)
    return tuple(_taken_back(database, one, person, at) for one in named)


def new_batch() -> str:
    """A name for the decisions of one press: ``B-`` and eight hexadecimal digits."""
    return f"B-{secrets.token_hex(4)}"


def _taken_back(database: Database, named: tuple[int, int, str], person: str, at: datetime | None) -> Became:
    decision, item_id, ref = named
    try:
        return Became(item_id, ref, True, undo(database, decision_id=decision, person=person, at=at).text)
    except TutelageError as error:
        return Became(item_id, ref, False, str(error), error.code if isinstance(error, Refused) else "not_done")


def _dry(db: DatabaseSession, asked: Together, item: Item, screen: str, at: datetime) -> tuple[str, str]:
    """The code and the words with which the desk would refuse this item; two empty texts where it would not."""
    settings, who = settings_in_force(db), said_to_be(db, asked.person)
    reasons = settings.reasons(asked.action)
    reason = asked.reason or (reasons[0].code if reasons else None)
    request = Request(item.id or 0, asked.action, who, item.revision, screen, reason, asked.text or "to be said")
    person = duties_of(db, who)
    try:
        is_a_person(person)
        allowed(db, Asked(request, item, person, at, settings, screen))
    except Refused as refused:
        return refused.code, str(refused)
    return "", ""


def _not_too_many(db: DatabaseSession, several: Sequence[object]) -> None:
    most = settings_in_force(db).bulk_limit
    if len(several) > most:
        raise BadInput(f"{len(several)} items were chosen, {most} at most can be decided at once. Nothing was decided.")


@dataclass(frozen=True)
class Asks:
    """What an act upon several asks to be said: one of the reasons, words, or both; words may be left out with one."""

    reason: bool
    text: bool


def asks(action: Action) -> Asks:
    """What must be said for an act, by the lifecycle table."""
    rows = [row for kind in TOGETHER[action] for (_, act), row in TABLE[kind].items() if act is action]
    return Asks(any(row.reason for row in rows), any(row.text for row in rows))


def statuses_for(action: Action) -> tuple[Status, ...]:
    """The statuses in which an item can be acted upon so, by the lifecycle table."""
    return tuple(dict.fromkeys(before for kind in TOGETHER[action] for (before, act) in TABLE[kind] if act is action))


def would_be(action: Action) -> str:
    """What is said of an item that an act would decide: ``would be approved``."""
    return f"would be {DONE[action]}"
